//go:build databases

package crossdialect_test

import (
	"testing"
	"time"
)

// A whole number that does not fit into 64 bits is an error on every database, and
// never another number.
func TestSumsBeyondSixtyFourBitsAreErrors(t *testing.T) {
	for _, plan := range []string{
		`{"from": "samples", "select": ["sum(9223372036854775807) as a"], "where": "id < 3"}`,
		`{"from": "samples", "select": ["sum(big * 2000) as a"], "where": "id < 30"}`,
		`{"from": "samples", "select": ["id", "sum(9223372036854775807) over (order by id) as a"], "order": ["id"]}`,
		`{"from": "samples", "select": ["id", "big * big as a"], "where": "big is not null", "order": ["id"]}`,
	} {
		out, err := run(engines(t), plan, time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range out {
			if o.err == nil {
				t.Errorf("%s gives %q\n%s", o.engine.dialect, o.rows, o.sql)
			}
		}
	}
}

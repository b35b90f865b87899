//go:build databases

package crossdialect_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/datasource/dbtest"
	"querent.dev/querent/sdk/reason"
)

// A walk around a ring that keeps what it found before does not end. The time limit
// ends it, on every database alike, with an error that says so.
func TestRecursionAroundARingEndsAtTheTimeLimit(t *testing.T) {
	const ring = `{"with": [
		{"name": "start", "op": "select", "from": "tree", "where": "id = 1", "select": ["id"]},
		{"name": "walk", "op": "%s", "of": ["start"], "recursive": true, "from": "tree c", "joins": ["walk w on c.id = 3 - w.id"], "select": ["c.id"]}
		], "from": "walk", "select": ["count(*) as n"]}`
	for _, e := range []*engine{sqliteFile(t), server(t, dbtest.Postgres(t)), server(t, dbtest.MariaDB(t))} {
		if n, err := count(t, e, ring, "union"); err != nil || n != 2 {
			t.Errorf("%s: a union finds %d rows, %v", e.dialect, n, err)
		}
		var found *reason.Error
		if _, err := count(t, e, ring, "union_all"); !errors.As(err, &found) || found.Code != reason.QueryTimeout {
			t.Errorf("%s: a union_all ends with %v", e.dialect, err)
		}
	}
}

// count runs a plan with an operation in it, whose one cell is a number.
func count(t *testing.T, e *engine, format, operation string) (int64, error) {
	t.Helper()
	s, err := e.render(fmt.Sprintf(format, operation), time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := e.source.Query(t.Context(), s, datasource.Limits{Timeout: time.Second})
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	var n int64
	for rows.Next() {
		n = rows.Row()[0].Int()
	}
	return n, rows.Err()
}

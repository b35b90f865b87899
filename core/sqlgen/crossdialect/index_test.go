//go:build databases

package crossdialect_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/schema"
)

// TestIndexesServe asks every database how it would run conditions on a column
// with an index: as the renderer writes them, the index must serve.
func TestIndexesServe(t *testing.T) {
	all := engines(t)
	for _, e := range all {
		for _, column := range []string{"s", "n", "m", "day", "at", "z"} {
			name := "serves_" + column
			table := quoted(e.dialect, e.catalog.Tables[0].Schema) + "." + quoted(e.dialect, "samples")
			if e.dialect == schema.SQLite {
				table = quoted(e.dialect, "samples")
			}
			e.exec(t, fmt.Sprintf("CREATE INDEX %s ON %s (%s)", quoted(e.dialect, name), table, quoted(e.dialect, column)))
		}
		if e.dialect == schema.Postgres {
			e.exec(t, "SET enable_seqscan = off") // the table is too small to need an index
			e.exec(t, "SET enable_bitmapscan = off")
			t.Cleanup(func() {
				e.exec(t, "RESET enable_seqscan")
				e.exec(t, "RESET enable_bitmapscan")
			})
		}
	}
	for column, conditions := range map[string][]string{
		"s":   {"s = 'abc'", "s in ('abc', 'é')"},
		"n":   {"n = 3", "n in (3, 4)", "n > 8"},
		"m":   {"m = 12.5"},
		"day": {"day = '2024-02-29'", "during(day, '2024-02')", "day >= '2037-01-01'", "day < '1971-02-01'"},
		"at":  {"during(at, '2024-02')", "at <= '1971-01-01'"},
		"z":   {"during(z, '2024-02')"},
	} {
		for _, condition := range conditions {
			for _, e := range all {
				if e.dialect != schema.SQLite || column != "z" { // which SQLite converts before it compares
					e.serves(t, column, condition)
				}
			}
		}
	}
}

// serves demands that the index of the column stands in the database's own plan.
func (e *engine) serves(t *testing.T, column, condition string) {
	t.Helper()
	s, err := e.render(`{"from": "samples", "where": "`+condition+`", "select": ["id", "f"]}`, time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	word := "EXPLAIN "
	if e.dialect == schema.SQLite {
		word = "EXPLAIN QUERY PLAN "
	}
	args := make([]any, len(s.Args()))
	for i, v := range s.Args() {
		args[i] = argument(v)
	}
	rows, err := e.db.Query(word+s.SQL(), args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var plan strings.Builder
	for rows.Next() {
		cells, places := make([]any, len(names)), make([]any, len(names))
		for i := range cells {
			places[i] = &cells[i]
		}
		if err := rows.Scan(places...); err != nil {
			t.Fatal(err)
		}
		for i, c := range cells {
			if b, ok := c.([]byte); ok {
				c = string(b)
			}
			if names[i] != "possible_keys" {
				fmt.Fprint(&plan, c, " ")
			}
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(plan.String(), "serves_"+column) || strings.Contains(plan.String(), "Filter") && e.dialect == schema.Postgres {
		t.Errorf("%s does not use the index for %s: %s\n%s", e.dialect, condition, plan.String(), s.SQL())
	}
}

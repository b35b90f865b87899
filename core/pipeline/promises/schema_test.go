//go:build !race

package promises_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// Thousands of tables are read before the first question, within bounded memory. The
// race detector makes pools forget what they hold, so that under it much more is
// allocated.
func TestThousandsOfTablesAreRead(t *testing.T) {
	const tables, columns, mostBytes = 2000, 20, 200 << 20
	var script strings.Builder
	script.WriteString("BEGIN;\n")
	for i := range tables {
		fmt.Fprintf(&script, "CREATE TABLE t%d (id INTEGER PRIMARY KEY, up_id INTEGER REFERENCES t%d (id)", i, max(i-1, 0))
		for j := 2; j < columns; j++ {
			fmt.Fprintf(&script, ", c%d VARCHAR(9)", j)
		}
		script.WriteString(");\n")
	}
	script.WriteString("COMMIT")
	d := openSQLite(t, script.String(), nil) // the adapters of servers have this test themselves
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	catalog, err := d.source.Introspect(ctx)
	runtime.ReadMemStats(&after)
	if err != nil || len(catalog.Tables) != tables || len(catalog.Tables[tables-1].Columns) != columns || len(catalog.Tables[7].ForeignKeys) != 1 {
		t.Fatalf("it is not all there: %v", err)
	}
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > mostBytes {
		t.Errorf("it allocated %d MB", allocated>>20)
	}
	d.gives(t, `{"from": "t1999 a", "joins": ["t1998 b"], "select": ["count(*) as n"]}`, "0")
}

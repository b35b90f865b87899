package sqlite

import (
	"strings"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/schema"
)

// Each column says by what it was judged, with counts and without values.
func TestColumnsSayWhyTheyAreReadAsTheyAre(t *testing.T) {
	const script = `
		CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, at TIMESTAMP, seconds DATE, bad DATE, amount INTEGER, unset DATE, chosen INTEGER);
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
		INSERT INTO t SELECT i, 'secret ' || i, printf('2025-01-%02d 10:00:00', i), 1735689600 + i, 'secret', 'secret', NULL, 1735689600 + i FROM n;`
	d := openFile(t, Options{
		Path: makeFile(t, script), Columns: map[string]config.ColumnConfig{"main.t.chosen": {Storage: schema.StorageEpoch}},
	})
	cat := introspect(t, d)
	table, _ := cat.Table("t")
	for name, want := range map[string]string{
		"id": "", "name": "",
		"at":      "20 of the 20 values looked at are ISO texts",
		"seconds": "20 of the 20 values looked at are numbers of seconds since 1970",
		"bad":     "declared otherwise, but the values looked at are 20 texts",
		"amount":  "declared otherwise, but the values looked at are 20 texts",
		"unset":   "there were no values to look at",
		"chosen":  "configured; 20 of the 20 values looked at are numbers of seconds",
	} {
		c, _ := table.Column(name)
		if !strings.HasPrefix(c.Evidence, want) || want == "" && c.Evidence != "" || strings.Contains(c.Evidence, "secret") {
			t.Errorf("%s: %q, want %q", name, c.Evidence, want)
		}
	}
}

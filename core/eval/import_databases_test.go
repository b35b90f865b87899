//go:build databases && !race

package eval_test

import (
	"context"
	"testing"

	"querent.dev/querent/core/datasource/dbtest"
	"querent.dev/querent/core/eval"
	"querent.dev/querent/core/eval/mirror"
	"querent.dev/querent/core/schema"
)

// TestImportedSQLGivesItsRowsEverywhere runs the texts of all flavours on all
// three databases, each against what its own says.
func TestImportedSQLGivesItsRowsEverywhere(t *testing.T) {
	files := map[string]string{"": shopDB(t), "demo_": demoDB(t)}
	dialects := []eval.Databases{eval.SQLiteFiles{}}
	for _, s := range []*dbtest.Server{dbtest.Postgres(t), dbtest.MariaDB(t)} {
		home := map[schema.Dialect]string{schema.Postgres: "postgres", schema.MySQL: "mysql"}[s.Dialect]
		m, err := mirror.New(s.Dialect, s.DSN(dbtest.User, dbtest.Password, home), false)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := m.Close(context.Background()); err != nil {
				t.Error(err)
			}
		})
		dialects = append(dialects, m)
	}
	for prefix, path := range files {
		for _, flavour := range []schema.Dialect{schema.SQLite, schema.Postgres, schema.MySQL} {
			t.Run(prefix+string(flavour), func(t *testing.T) { cover(t, importCases(t, prefix, flavour, path), dialects...) })
		}
	}
}

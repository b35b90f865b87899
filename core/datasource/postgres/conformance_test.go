//go:build databases

package postgres_test

import (
	"testing"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/datasource/datasourcetest"
	"querent.dev/querent/core/datasource/dbtest"
	"querent.dev/querent/core/datasource/postgres"
)

func TestConformance(t *testing.T) {
	datasourcetest.Run(t, func(t testing.TB, script string) datasourcetest.Database {
		db := dbtest.Postgres(t).Database(t, script)
		return datasourcetest.Database{
			Open: func(t testing.TB, maxParallel int) datasource.Datasource {
				return open(t, postgres.Options{DSN: db.DSN, MaxParallel: maxParallel})
			},
			Exec: db.Exec, Schema: "public",
			Running: func(t testing.TB) int {
				var n int
				if err := db.DB.QueryRow("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'querent' AND state = 'active' AND datname = current_database()").Scan(&n); err != nil {
					t.Fatal(err)
				}
				return n
			},
		}
	})
}

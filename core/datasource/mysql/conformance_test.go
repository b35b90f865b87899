//go:build databases

package mysql_test

import (
	"testing"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/datasource/datasourcetest"
	"querent.dev/querent/core/datasource/dbtest"
	"querent.dev/querent/core/datasource/mysql"
)

func TestConformance(t *testing.T) {
	datasourcetest.Run(t, func(t testing.TB, script string) datasourcetest.Database {
		db := dbtest.MariaDB(t).Database(t, script)
		return datasourcetest.Database{
			Open: func(t testing.TB, maxParallel int) datasource.Datasource {
				return open(t, mysql.Options{DSN: db.DSN, MaxParallel: maxParallel})
			},
			Exec: db.Exec, Schema: db.Name,
			Running: func(t testing.TB) int {
				var n int
				if err := db.DB.QueryRow("SELECT count(*) FROM information_schema.PROCESSLIST WHERE ID <> CONNECTION_ID() AND COMMAND IN ('Query', 'Execute') AND DB = DATABASE()").Scan(&n); err != nil {
					t.Fatal(err)
				}
				return n
			},
		}
	})
}

//go:build databases

package promises_test

import (
	"strings"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource/dbtest"
	"querent.dev/querent/core/datasource/mysql"
	"querent.dev/querent/core/datasource/postgres"
	"querent.dev/querent/core/schema"
)

func init() {
	products = append(products, product{"postgres", openPostgres}, product{"mariadb", openMariaDB})
}

// Text compares on the servers as people who set them up often have it: without
// regard to case or by the rules of a language.
func openPostgres(t *testing.T, script string, columns map[string]config.ColumnConfig) *database {
	t.Helper()
	made := dbtest.Postgres(t).DatabaseWith(t, dbtest.Options{Collation: "en-US"}, strings.ReplaceAll(script, "INSTANT", "TIMESTAMPTZ"))
	d := &database{dialect: schema.Postgres, home: "public", exec: func(script string) { made.Exec(t, script) }}
	var err error
	d.source, err = postgres.Open(postgres.Options{ID: "db", DSN: made.DSN, Columns: qualified(d.home, columns)})
	return d.opened(t, err)
}

func openMariaDB(t *testing.T, script string, columns map[string]config.ColumnConfig) *database {
	t.Helper()
	made := dbtest.MariaDB(t).DatabaseWith(t, dbtest.Options{Collation: "utf8mb4_general_ci"})
	d := &database{dialect: schema.MySQL, home: made.Name, exec: func(script string) {
		made.Exec(t, "SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES', time_zone = '+00:00'; "+script)
	}}
	d.exec(strings.ReplaceAll(script, "INSTANT", "TIMESTAMP NULL"))
	var err error
	d.source, err = mysql.Open(mysql.Options{ID: "db", DSN: made.DSN, Columns: qualified(d.home, columns)})
	return d.opened(t, err)
}

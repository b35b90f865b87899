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
	"querent.dev/querent/sdk/reason"
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

// Tables of one name in two schemas have rights of their own, and rows.
func TestRightsAreThoseOfASchema(t *testing.T) {
	const script = `CREATE TABLE pay (id INTEGER PRIMARY KEY, sum INTEGER); INSERT INTO pay VALUES (1, `
	pg := dbtest.Postgres(t).Database(t, "CREATE SCHEMA hr; CREATE SCHEMA pub; SET search_path = hr; "+script+"100); SET search_path = pub; "+script+"7); RESET search_path")
	hr, pub := dbtest.MariaDB(t).Database(t, script+"100)"), dbtest.MariaDB(t).Database(t, script+"7)")
	post, err := postgres.Open(postgres.Options{ID: "db", DSN: pg.DSN})
	d := (&database{dialect: schema.Postgres, source: post}).opened(t, err)
	maria, err := mysql.Open(mysql.Options{ID: "db", DSN: pub.DSN, Schemas: []string{hr.Name, pub.Name}})
	m := (&database{dialect: schema.MySQL, source: maria}).opened(t, err)
	for _, c := range []struct {
		d       *database
		hr, pub string
	}{{d, "hr", "pub"}, {m, hr.Name, pub.Name}} {
		t.Run(string(c.d.dialect), func(t *testing.T) {
			role := config.Role{Tables: config.TableRules{Allow: []string{"*.*.pay"}, Deny: []string{"*." + c.hr + ".pay"}}}
			for _, name := range []string{"pay", c.pub + ".pay"} {
				plan := `{"from": "` + name + `", "select": ["sum"]}`
				c.d.on(t, terms{plan: planOf(t, plan), role: role}).wants(t, plan, "7")
			}
			got := c.d.on(t, terms{plan: planOf(t, `{"from": "`+c.hr+`.pay", "select": ["sum"]}`), role: role})
			if got.err == nil || got.err.Code != reason.PolicyDenied || len(got.rows) > 0 {
				t.Errorf("the denied table ends with %v and %q", got.err, got.rows)
			}
			c.d.gives(t, `{"from": "`+c.hr+`.pay a", "joins": ["`+c.pub+`.pay b on a.id = b.id"], "select": ["a.sum", "b.sum as other"]}`, "100|7")
		})
	}
}

package sqlite_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/datasource/sqlite"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
)

// TestBlocksOfEveryKindRun takes plans with blocks that read themselves, nothing,
// and each other the whole way past the authorizer.
func TestBlocksOfEveryKindRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, parent INTEGER, d TEXT);
		INSERT INTO t VALUES (1, NULL, '2024-01-05'), (2, 1, '2024-02-05'), (3, 2, '2024-02-06'), (4, 1, '2025-01-07')`); err != nil {
		t.Fatal(err)
	}
	d, err := sqlite.Open(sqlite.Options{ID: "x", Path: path, Columns: map[string]config.ColumnConfig{"main.t.d": {Storage: schema.StorageISO}}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for text, want := range map[string]string{
		`{"with":[{"name":"a","op":"select","from":"t","where":"parent is null","select":["id","0 as depth"]},
		  {"name":"tree","op":"union_all","of":["a"],"recursive":true,"from":"t c","joins":["tree on c.parent = tree.id"],"select":["c.id","tree.depth + 1"]}],
		  "from":"tree","select":["id","depth"],"order":["id"]}`: "1 0; 2 1; 3 2; 4 1",
		`{"with":[{"name":"a","op":"select","from":"t","select":["count(*) as n"]}],"from":"","select":["scalar(a) * 2 as x"]}`: "8",
		`{"with":[{"name":"a","op":"select","from":"t","select":["id","parent"]}],"from":"t","where":"scalar(a, count(*), a.parent = t.id) > 0",
		  "select":["id","scalar(a, max(a.id), a.parent = t.id) as last"],"order":["id"]}`: "1 4; 2 3",
		`{"from":"t","select":["year_month(d) as m","count(*) as n","prior(count(*), '1 year') as before"],"where":"during(d, '2025')","order":["m"]}`: "2025-01 1 1",
	} {
		if got := strings.Join(answer(t, d, text), "; "); got != want {
			t.Errorf("%s gives %s, want %s", text, got, want)
		}
	}
}

// answer takes a plan the whole way to its rows.
func answer(t *testing.T, d datasource.Datasource, text string) []string {
	t.Helper()
	catalog, err := d.Introspect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	q, err := plan.Bind(p, plan.Scope{Catalog: catalog, Clock: plan.Clock{Now: time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC)}})
	if err != nil {
		t.Fatal(err)
	}
	rules, err := policy.Compile(map[config.RoleName]config.Role{"all": {Tables: config.TableRules{Allow: []string{"x.main.*"}}}})
	if err != nil {
		t.Fatal(err)
	}
	secured, err := rules.Secure(catalog, q, policy.Caller{Name: "me", Roles: []string{"all"}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := sqlgen.Render(secured, schema.SQLite, sqlgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := d.Query(context.Background(), s, datasource.Limits{})
	if err != nil {
		t.Fatalf("%s: %v", s.SQL(), err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		cells := make([]string, len(rows.Row()))
		for i, v := range rows.Row() {
			cells[i] = v.String()
		}
		out = append(out, strings.Join(cells, " "))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

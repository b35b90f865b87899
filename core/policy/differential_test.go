package policy_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
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
	"querent.dev/querent/sdk/wire"
)

// randomPlan makes a plan that the caller may run.
func randomPlan(t *testing.T, catalog *schema.Catalog, seat seat, seed uint64, joins ...string) (wire.Plan, *plan.Query) {
	t.Helper()
	g := &planner{Rand: rand.New(rand.NewPCG(seed, 1)), joined: map[string]bool{}}
	for _, r := range companyRelations {
		r.fields = slices.DeleteFunc(slices.Clone(r.fields), func(f field) bool { return r.name+"."+f.name == seat.denied })
		g.tables = append(g.tables, r)
	}
	p := g.plan()
	q, err := plan.Bind(p, plan.Scope{Catalog: catalog, Clock: plan.Clock{Now: testNow, WeekStart: time.Monday}})
	if err != nil {
		t.Fatalf("seed %d: %s: %v", seed, planText(p), err)
	}
	return p, q
}

var testNow = time.Date(2024, time.June, 15, 10, 0, 0, 0, time.UTC)

func planText(p wire.Plan) string {
	text, err := json.Marshal(p)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func statement(t *testing.T, rules *policy.Policy, catalog *schema.Catalog, q *plan.Query, caller policy.Caller, p wire.Plan) sqlgen.Statement {
	t.Helper()
	secured, err := rules.Secure(catalog, q, caller)
	if err != nil {
		t.Fatalf("%s: %v", planText(p), err)
	}
	s, err := sqlgen.Render(secured, catalog.Dialect, sqlgen.Options{})
	if err != nil {
		t.Fatalf("%s: %v", planText(p), err)
	}
	return s
}

// rowsOf runs a statement as it is and gives its rows as sorted texts.
func rowsOf(t *testing.T, db *sql.DB, s sqlgen.Statement) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	rows, err := db.QueryContext(ctx, s.SQL(), driverArgs(s)...)
	if err != nil {
		t.Fatalf("%v\n%s", err, s.SQL())
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		cells, places := make([]any, len(s.Columns())), make([]any, len(s.Columns()))
		for i := range cells {
			places[i] = &cells[i]
		}
		if err := rows.Scan(places...); err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprint(cells...))
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%v\n%s", err, s.SQL())
	}
	slices.Sort(out)
	return out
}

func driverArgs(s sqlgen.Statement) []any {
	out := make([]any, len(s.Args()))
	for i, v := range s.Args() {
		switch v.Kind() {
		case wire.KindInt:
			out[i] = v.Int()
		case wire.KindFloat:
			out[i] = v.Float()
		case wire.KindText:
			out[i] = v.String()
		}
	}
	return out
}

// companyPath makes the database in a file.
func companyPath(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "company.db")
	db := openFile(t, path)
	for _, text := range append(slices.Clone(companyTables), companyRows()...) {
		if _, err := db.Exec(text); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}
	return path
}

func openFile(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// companySource opens the database as the product does.
func companySource(t *testing.T) datasource.Datasource {
	t.Helper()
	return openSource(t, companyPath(t))
}

func openSource(t testing.TB, path string) datasource.Datasource {
	t.Helper()
	d, err := sqlite.Open(sqlite.Options{ID: "hr", Path: path, Columns: map[string]config.ColumnConfig{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// companyFile is the database as it is, and its catalog.
func companyFile(t testing.TB) (*sql.DB, *schema.Catalog) {
	t.Helper()
	path := companyPath(t)
	catalog, err := openSource(t, path).Introspect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return openFile(t, path), catalog
}

// companyViews is a database in which the names of the tables are those of views
// that show what a caller may see.
func companyViews(t *testing.T, seat seat) *sql.DB {
	t.Helper()
	db := openFile(t, filepath.Join(t.TempDir(), "views.db"))
	run := func(text string, args ...any) {
		if _, err := db.Exec(text, args...); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}
	run("CREATE TABLE digests (t TEXT PRIMARY KEY, h TEXT)")
	for _, text := range companyTables {
		run(strings.ReplaceAll(strings.Replace(text, "CREATE TABLE ", "CREATE TABLE raw_", 1), "REFERENCES ", "REFERENCES raw_"))
	}
	for _, text := range companyRows() {
		run(strings.Replace(text, "INSERT INTO ", "INSERT INTO raw_", 1))
	}
	for _, text := range digested(t, db, "raw_") {
		run("INSERT INTO digests VALUES (?, ?)", text, digestOf(text))
	}
	for _, r := range companyRelations {
		run("CREATE VIEW " + r.name + " AS " + seat.view(r, "raw_", 0))
	}
	return db
}

// digested lists the texts that hash masks may meet.
func digested(t *testing.T, db *sql.DB, prefix string) []string {
	t.Helper()
	rows, err := db.Query("SELECT name FROM " + prefix + "people UNION SELECT email FROM " + prefix + "people WHERE email IS NOT NULL UNION SELECT state FROM " + prefix + "orders")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		out = append(out, text)
	}
	return out
}

// view is what the caller sees of a table, in the SQL of a database: 0 is SQLite,
// 1 PostgreSQL.
func (s seat) view(r relation, prefix string, database int) string {
	items := make([]string, len(r.fields))
	for i, f := range r.fields {
		items[i] = f.name
		if mask, ok := s.masks[r.name+"."+f.name]; ok {
			items[i] = mask[database] + " AS " + f.name
		}
	}
	text := "SELECT " + strings.Join(items, ", ") + " FROM " + prefix + r.name
	if filter := s.filters[r.name]; filter != "" && database == 0 {
		text += " WHERE " + filter
	}
	return text
}

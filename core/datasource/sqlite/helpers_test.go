package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// makeFile makes a database file of a script.
func makeFile(t testing.TB, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test ?#%41 ü.db")
	fill(t, path, script)
	return path
}

// fill runs a script on a file that may be written.
func fill(t testing.TB, path, script string) {
	t.Helper()
	// The driver takes a plain name up to its first question mark.
	link := filepath.Join(t.TempDir(), "plain")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", link)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(script); err != nil {
		t.Fatal(err)
	}
}

func openFile(t testing.TB, o Options) *database {
	t.Helper()
	o.ID = "test"
	d, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d.(*database)
}

// ask runs a query and reads it to its end.
func ask(t testing.TB, d *database, q query, l datasource.Limits) ([][]wire.Value, *rows, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	r, err := d.run(ctx, q, l)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	var out [][]wire.Value
	for r.Next() {
		out = append(out, append([]wire.Value(nil), r.Row()...))
	}
	return out, r, r.Err()
}

// columns makes n untyped headers.
func columns(n int) []wire.Column {
	out := make([]wire.Column, n)
	for i := range out {
		out[i].Type.Kind = wire.KindText
	}
	return out
}

func introspect(t testing.TB, d *database) *schema.Catalog {
	t.Helper()
	c, err := d.Introspect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func wantCode(t testing.TB, err error, code reason.Code) *reason.Error {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %s", code)
	}
	e := reason.From(err)
	if e.Code != code {
		t.Fatalf("%v, want %s", err, code)
	}
	return e
}

// rendered is the statement of a plan in wire form, for someone who may read
// everything.
func rendered(t testing.TB, d *database, text string) (sqlgen.Statement, error) {
	t.Helper()
	var w wire.Plan
	if err := json.Unmarshal([]byte(text), &w); err != nil {
		t.Fatal(err)
	}
	cat := introspect(t, d)
	q, err := plan.Bind(w, plan.Scope{Catalog: cat, Clock: plan.Clock{Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}})
	if err != nil {
		return sqlgen.Statement{}, err
	}
	p, err := policy.Compile(map[config.RoleName]config.Role{"all": {Tables: config.TableRules{Allow: []string{"*.*.*"}}}})
	if err != nil {
		t.Fatal(err)
	}
	secured, err := p.Secure(cat, q, policy.Caller{Name: "kim", Roles: []string{"all"}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := sqlgen.Render(secured, schema.SQLite, sqlgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s, nil
}

// answer runs a plan. Rows are their cells between bars.
func answer(t *testing.T, d *database, text string) ([]string, error) {
	t.Helper()
	s, err := rendered(t, d, text)
	if err != nil {
		return nil, err
	}
	r, err := d.Query(context.Background(), s, datasource.Limits{})
	if err != nil {
		return nil, err
	}
	var rows []string
	for r.Next() {
		var cells []string
		for _, v := range r.Row() {
			cells = append(cells, v.String())
		}
		rows = append(rows, strings.Join(cells, "|"))
	}
	return rows, errors.Join(r.Err(), r.Close())
}

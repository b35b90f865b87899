package sqlgen_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/wire"
)

// reader is a caller who may read everything.
var reader = policy.Caller{Name: "kim", Roles: []string{"reader"}}

// open is a policy that lets the reader read everything but what is denied.
func open(t testing.TB, denyColumns ...string) *policy.Policy {
	t.Helper()
	p, err := policy.Compile(map[config.RoleName]config.Role{"reader": {
		Tables:  config.TableRules{Allow: []string{"*.*.*"}},
		Columns: config.ColumnRules{Deny: denyColumns},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// now is the clock of every test.
var now = time.Date(2024, time.March, 2, 15, 4, 5, 0, time.UTC)

// bind binds a plan in wire form.
func bind(cat *schema.Catalog, text string) (*plan.Query, error) {
	var w wire.Plan
	if err := json.Unmarshal([]byte(text), &w); err != nil {
		return nil, err
	}
	return plan.Bind(w, plan.Scope{Catalog: cat, Clock: plan.Clock{Now: now, WeekStart: time.Monday}})
}

// render binds, secures and renders a plan.
func render(p *policy.Policy, cat *schema.Catalog, text string) (sqlgen.Statement, error) {
	q, err := bind(cat, text)
	if err != nil {
		return sqlgen.Statement{}, err
	}
	s, err := p.Secure(cat, q, reader)
	if err != nil {
		return sqlgen.Statement{}, err
	}
	return sqlgen.Render(s, schema.SQLite, sqlgen.Options{})
}

// run gives the rows of a statement as text: cells between bars, null as null.
func run(t testing.TB, db *sql.DB, s sqlgen.Statement) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	rows, err := db.QueryContext(ctx, s.SQL(), driverArgs(s)...)
	if err != nil {
		t.Fatalf("%v\n%s", err, s.SQL())
	}
	defer rows.Close()
	width := len(s.Columns())
	var out []string
	for rows.Next() {
		cells, places := make([]any, width), make([]any, width)
		for i := range cells {
			places[i] = &cells[i]
		}
		if err := rows.Scan(places...); err != nil {
			t.Fatal(err)
		}
		out = append(out, rowText(cells))
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%v\n%s", err, s.SQL())
	}
	return out
}

func rowText(cells []any) string {
	text := make([]string, len(cells))
	for i, c := range cells {
		text[i] = "null"
		if c != nil {
			text[i] = fmt.Sprint(c)
		}
	}
	return strings.Join(text, " | ")
}

func driverArgs(s sqlgen.Statement) []any {
	out := make([]any, len(s.Args()))
	for i, v := range s.Args() {
		switch v.Kind() {
		case wire.KindInt:
			out[i] = v.Int()
		case wire.KindFloat:
			out[i] = v.Float()
		case wire.KindBytes:
			out[i] = v.Raw()
		case wire.KindText:
			out[i] = v.String()
		}
	}
	return out
}

// values runs a plan that is written as select items over one table and gives
// its rows.
func values(t *testing.T, db *sql.DB, from string, items ...string) []string {
	t.Helper()
	return query(t, db, map[string]any{"from": from, "select": items, "order": []string{"id"}})
}

// query runs a plan given as a map.
func query(t *testing.T, db *sql.DB, p map[string]any) []string {
	t.Helper()
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	s, err := render(open(t), shop(), string(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return run(t, db, s)
}

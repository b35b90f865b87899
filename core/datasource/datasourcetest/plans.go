package datasourcetest

import (
	"context"
	"encoding/json"
	"errors"
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

// Statement is a plan in wire form as SQL of d's dialect, for someone who may read
// everything.
func Statement(t testing.TB, d datasource.Datasource, text string) sqlgen.Statement {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	catalog, err := d.Introspect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return Rendered(t, catalog, text)
}

// Rendered is Statement for a catalog that is known.
func Rendered(t testing.TB, catalog *schema.Catalog, text string) sqlgen.Statement {
	t.Helper()
	var w wire.Plan
	if err := json.Unmarshal([]byte(text), &w); err != nil {
		t.Fatal(err)
	}
	q, err := plan.Bind(w, plan.Scope{Catalog: catalog, Clock: plan.Clock{Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	rules, err := policy.Compile(map[config.RoleName]config.Role{"all": {Tables: config.TableRules{Allow: []string{"*.*.*"}}}})
	if err != nil {
		t.Fatal(err)
	}
	secured, err := rules.Secure(catalog, q, policy.Caller{Name: "kim", Roles: []string{"all"}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := sqlgen.Render(secured, catalog.Dialect, sqlgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Read runs a statement and reads it to its end.
func Read(ctx context.Context, d datasource.Datasource, s sqlgen.Statement, l datasource.Limits) ([][]wire.Value, datasource.Rows, error) {
	r, err := d.Query(ctx, s, l)
	if err != nil {
		return nil, nil, err
	}
	var out [][]wire.Value
	for r.Next() {
		out = append(out, append([]wire.Value(nil), r.Row()...))
	}
	return out, r, errors.Join(r.Err(), r.Close())
}

// Answer is the rows of a plan, their cells between bars as KIND TEXT.
func Answer(t testing.TB, d datasource.Datasource, text string) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	rows, _, err := Read(ctx, d, Statement(t, d, text), datasource.Limits{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	out := make([]string, len(rows))
	for i, row := range rows {
		cells := make([]string, len(row))
		for j, v := range row {
			cells[j] = strings.TrimSpace(v.Kind().String() + " " + v.String())
		}
		out[i] = strings.Join(cells, "|")
	}
	return out
}

// WantCode checks that err is of the code and that what a user sees of it holds
// none of the words.
func WantCode(t testing.TB, err error, code reason.Code, hidden ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %s", code)
	}
	e := reason.From(err)
	if e.Code != code {
		t.Fatalf("%v, want %s", err, code)
	}
	for _, word := range hidden {
		if strings.Contains(e.SafeMessage+e.NextAction, word) {
			t.Errorf("the safe message holds %q: %s %s", word, e.SafeMessage, e.NextAction)
		}
	}
}

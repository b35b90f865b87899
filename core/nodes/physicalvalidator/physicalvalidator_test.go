package physicalvalidator_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/nodes/physicalvalidator"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// sources is a database that explains as it is told.
type sources struct {
	estimate  datasource.Estimate
	err       error
	dumb      bool // it cannot explain
	forgotten int
}

func (s *sources) Explainer(id schema.DatasourceID) (datasource.Explainer, bool) {
	if id != "shop" {
		return nil, false
	}
	if s.dumb {
		return nil, true
	}
	return s, true
}

func (s *sources) Forget(schema.DatasourceID) { s.forgotten++ }

func (s *sources) Explain(context.Context, sqlgen.Statement) (datasource.Estimate, error) {
	return s.estimate, s.err
}

// pairs is a statement that pairs two tables of so many rows.
func pairs(t *testing.T, rows ...int64) sqlgen.Statement {
	t.Helper()
	var tables []*schema.Table
	for i, name := range []string{"orders", "visits"} {
		tables = append(tables, &schema.Table{Schema: "main", Name: name, RowEstimate: rows[i], Columns: []*schema.Column{{Name: "id", Type: wire.Type{Kind: wire.KindInt}}}})
	}
	cat := schema.Build("shop", schema.SQLite, tables)
	var w wire.Plan
	if err := json.Unmarshal([]byte(`{"from":"orders","joins":["cross visits"],"select":["count(*) as n"]}`), &w); err != nil {
		t.Fatal(err)
	}
	q, err := plan.Bind(w, plan.Scope{Catalog: cat})
	if err != nil {
		t.Fatal(err)
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
	return s
}

func TestWhatCostsTooMuchDoesNotRun(t *testing.T) {
	both := []string{"main.orders", "main.visits"}
	all := func(*schema.Table) bool { return true }
	for name, c := range map[string]struct {
		sources sources
		rows    []int64
		limit   int64
		visible func(*schema.Table) bool
		code    reason.Code
		says    []string // in the safe message, or in the summary
	}{
		"little":                   {sources{estimate: datasource.Estimate{Rows: 1000}}, []int64{1, 1}, 0, all, "", []string{"about 1000"}},
		"unknown":                  {sources{estimate: datasource.Estimate{Rows: -1}}, []int64{-1, -1}, 0, all, "", []string{"not known"}},
		"much":                     {sources{estimate: datasource.Estimate{Rows: 1001}}, []int64{1, 1}, 0, all, reason.CostLimit, []string{"1001", "1000"}},
		"pairs of large tables":    {sources{estimate: datasource.Estimate{Rows: -1, CrossProducts: 1, Scans: both}}, []int64{10001, 10001}, 0, all, reason.CostLimit, []string{"main.orders, main.visits"}},
		"that may not be named":    {sources{estimate: datasource.Estimate{Rows: -1, CrossProducts: 1, Scans: both}}, []int64{10001, 10001}, 0, nil, reason.CostLimit, []string{"another. Join"}},
		"with a limit":             {sources{estimate: datasource.Estimate{Rows: -1, CrossProducts: 1, Scans: both}}, []int64{10001, 10001}, 5, all, "", []string{"narrows them: 1"}},
		"pairs with a small one":   {sources{estimate: datasource.Estimate{Rows: -1, CrossProducts: 1, Scans: both}}, []int64{10001, 10000}, 0, all, "", []string{"narrows them: 1"}},
		"no estimate":              {sources{dumb: true}, []int64{1, 1}, 0, all, "", []string{"no estimate"}},
		"a structure that changed": {sources{err: reason.New(reason.SchemaChanged, reason.ReasonSchemaChanged, "gone")}, []int64{1, 1}, 0, all, reason.SchemaChanged, nil},
	} {
		t.Run(name, func(t *testing.T) {
			v := physicalvalidator.Validator{Sources: &c.sources, MaxRows: 1000}
			out, err := v.Run(t.Context(), physicalvalidator.Input{Datasource: "shop", Statement: pairs(t, c.rows...), Limit: c.limit, Visible: c.visible})
			said := out.Summary
			if e := reason.From(err); e != nil {
				said = e.SafeMessage
				if e.Code != c.code {
					t.Errorf("error %v", e)
				}
			} else if c.code != "" {
				t.Errorf("no error, want %s", c.code)
			}
			for _, want := range c.says {
				if !strings.Contains(said, want) {
					t.Errorf("%q lacks %q", said, want)
				}
			}
			if want := map[bool]int{true: 1, false: 0}[c.code == reason.SchemaChanged]; c.sources.forgotten != want {
				t.Errorf("the structure was forgotten %d times", c.sources.forgotten)
			}
		})
	}
	v := physicalvalidator.Validator{Sources: &sources{}}
	if _, err := v.Run(t.Context(), physicalvalidator.Input{Datasource: "other"}); reason.From(err).Code != reason.InvalidState {
		t.Errorf("error %v", err)
	}
}

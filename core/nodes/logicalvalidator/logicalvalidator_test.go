package logicalvalidator_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/nodes/logicalvalidator"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// orders is a catalog of orders with lines.
func orders() *schema.Catalog {
	column := func(name string) *schema.Column {
		return &schema.Column{Name: name, Type: wire.Type{Kind: wire.KindInt}, Nullable: name != "id"}
	}
	order := &schema.Table{Schema: "main", Name: "orders", Kind: schema.KindTable, Columns: []*schema.Column{column("id"), column("total")}}
	order.PrimaryKey = order.Columns[:1]
	line := &schema.Table{Schema: "main", Name: "lines", Kind: schema.KindTable, Columns: []*schema.Column{column("id"), column("order_id"), column("qty")}}
	line.PrimaryKey = line.Columns[:1]
	line.ForeignKeys = []schema.ForeignKey{{Columns: line.Columns[1:2], RefTable: order, RefColumns: order.PrimaryKey}}
	return schema.Build("shop", schema.SQLite, []*schema.Table{order, line})
}

func TestGrain(t *testing.T) {
	chooses := wire.Plan{Clauses: wire.Clauses{From: "orders o", Joins: []string{"lines l"}, Where: "l.qty > 1", Select: []string{"sum(o.total) as t"}}}
	counted := wire.Plan{Clauses: wire.Clauses{From: "orders o", Joins: []string{"lines l"}, Select: []string{"sum(o.total) as t", "count(*) as n"}}}
	p, err := policy.Compile(map[config.RoleName]config.Role{"reader": {Tables: config.TableRules{Allow: []string{"*.*.*"}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name             string
		plan             wire.Plan
		refuse, approved bool
		notes, refused   string
		rewritten        bool
		language         string
	}{
		{name: "what only chooses rows becomes a condition", plan: chooses, rewritten: true},
		{name: "also where fan-outs are refused", plan: chooses, refuse: true, rewritten: true},
		{name: "an approved plan runs as it is", plan: chooses, approved: true, notes: "The total of o.total may count rows more than once, since each row of orders is joined to several of lines."},
		{name: "what is not certain is noted", plan: counted, notes: "The total of o.total may count rows more than once, since each row of orders is joined to several of lines."},
		{name: "in the language of the answer", plan: counted, language: "ko", notes: "sum(o.total): orders의 한 행이 lines의 여러 행과 결합되어 같은 행을 두 번 이상 셀 수 있습니다."},
		{name: "or refused, with what would be right", plan: counted, refuse: true, refused: "To count each row once, aggregate lines in a block"},
		{name: "but not where it is approved", plan: counted, refuse: true, approved: true, notes: "The total of o.total may count rows more than once, since each row of orders is joined to several of lines."},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := &logicalvalidator.Validator{Policy: p, RefuseFanOut: c.refuse}
			out, err := v.Run(context.Background(), logicalvalidator.Input{Plan: c.plan, Catalog: orders(), Approved: c.approved, Language: c.language,
				Caller: policy.Caller{Name: "kim", Roles: []string{"reader"}}, Clock: plan.Clock{Now: time.Date(2024, 3, 2, 0, 0, 0, 0, time.UTC)}})
			if c.refused != "" {
				var refusal *reason.Error
				if !errors.As(err, &refusal) || refusal.Code != reason.PlanInvalid || !refusal.Retryable || !strings.Contains(refusal.SafeMessage, c.refused) {
					t.Errorf("refused with %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var notes []string
			for _, n := range out.Notes {
				if n.Code != reason.JoinFanOut || n.Detail["aggregate"] != "sum(o.total)" || n.Detail["of"] != "orders" || n.Detail["by"] != "lines" {
					t.Errorf("note %+v", n)
				}
				notes = append(notes, n.Message)
			}
			if got := strings.Join(notes, " "); got != c.notes {
				t.Errorf("notes %q, want %q", got, c.notes)
			}
			if rewritten := strings.Contains(out.Plan.Where, "exists("); rewritten != c.rewritten || rewritten != strings.Contains(out.Summary, "counts each row of orders once") {
				t.Errorf("the plan is %+v, the summary %q", out.Plan, out.Summary)
			}
		})
	}
}

// TestWhatIsAggregatedBesideIsPutTogetherFirst also asks as callers whose rules hold
// for the groups of the plan: their small groups must not be those of each order.
func TestWhatIsAggregatedBesideIsPutTogetherFirst(t *testing.T) {
	all := config.TableRules{Allow: []string{"*.*.*"}}
	p, err := policy.Compile(map[config.RoleName]config.Role{
		"reader":  {Tables: all},
		"lines":   {Tables: all, Columns: config.ColumnRules{AggregateOnly: []string{"*.*.lines.qty"}}},
		"orders":  {Tables: all, Columns: config.ColumnRules{AggregateOnly: []string{"*.*.orders.total"}}},
		"stopped": {Tables: all, Columns: config.ColumnRules{AggregateOnly: []string{"*.*.lines.order_id"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	both := wire.Plan{Clauses: wire.Clauses{From: "orders o", Joins: []string{"lines l"}, Select: []string{"sum(o.total) as t", "sum(l.qty) as q"}}}
	for _, c := range []struct {
		role     string
		refuse   bool
		parts    int
		notes    int
		minGroup int
		code     reason.Code
	}{
		{role: "reader", parts: 1},
		{role: "reader", refuse: true, parts: 1},
		{role: "orders", code: reason.PolicyDenied},
		{role: "lines", notes: 1, minGroup: 5},
		{role: "lines", refuse: true, code: reason.PlanInvalid},
		{role: "stopped", code: reason.PolicyDenied},
	} {
		v := &logicalvalidator.Validator{Policy: p, RefuseFanOut: c.refuse}
		out, err := v.Run(t.Context(), logicalvalidator.Input{Plan: both, Catalog: orders(),
			Caller: policy.Caller{Name: "kim", Roles: []string{c.role}}, Clock: plan.Clock{Now: time.Date(2024, 3, 2, 0, 0, 0, 0, time.UTC)}})
		if c.code != "" {
			if reason.From(err).Code != c.code || out.PlanID == "" {
				t.Errorf("%+v: %v, id %q", c, err, out.PlanID)
			}
			continue
		}
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		told := strings.Contains(out.Summary, "counts each row of orders once: what is joined to them is put together first")
		if len(out.Plan.With) != c.parts || told != (c.parts > 0) || len(out.Notes) != c.notes || out.Secured.MinGroup() != c.minGroup {
			t.Errorf("%+v: the plan is %+v, notes %v, summary %q, groups of %d", c, out.Plan, out.Notes, out.Summary, out.Secured.MinGroup())
		}
	}
}

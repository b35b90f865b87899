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
	both := wire.Plan{Clauses: wire.Clauses{From: "orders o", Joins: []string{"lines l"}, Select: []string{"sum(o.total) as t", "sum(l.qty) as q"}}}
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
		{name: "what is not certain is noted", plan: both, notes: "The total of o.total may count rows more than once, since each row of orders is joined to several of lines."},
		{name: "in the language of the answer", plan: both, language: "ko", notes: "sum(o.total): orders의 한 행이 lines의 여러 행과 결합되어 같은 행을 두 번 이상 셀 수 있습니다."},
		{name: "or refused, with what would be right", plan: both, refuse: true, refused: "To count each row once, aggregate lines in a block"},
		{name: "but not where it is approved", plan: both, refuse: true, approved: true, notes: "The total of o.total may count rows more than once, since each row of orders is joined to several of lines."},
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

package sqlgen_test

import (
	"errors"
	"strings"
	"testing"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// TestPlansThatCannotBeWritten changes a good plan into one that binding would
// not make, or that has no form in SQL, after which nothing may be rendered.
func TestPlansThatCannotBeWritten(t *testing.T) {
	malformed, refused := &reason.Error{Code: reason.InvalidState}, &reason.Error{Code: reason.PlanInvalid}
	boolean := wire.Type{Kind: wire.KindBool}
	for name, c := range map[string]struct {
		want  error
		spoil func(q *plan.Query, b *plan.Block)
	}{
		"an unknown operator": {malformed, func(_ *plan.Query, b *plan.Block) {
			b.Where = &plan.Binary{Op: "; DROP TABLE x", L: b.Select[0].Expr, R: b.Select[0].Expr, T: boolean}
		}},
		"a function with too few arguments": {malformed, func(_ *plan.Query, b *plan.Block) {
			f, _ := plan.FindFunction("replace")
			b.Where = &plan.Call{Func: f}
		}},
		"a filter on a function that is no aggregate": {malformed, func(_ *plan.Query, b *plan.Block) {
			f, _ := plan.FindFunction("abs")
			b.Where = &plan.Call{Func: f, Args: []plan.Expr{b.Select[0].Expr}, Filter: b.Select[0].Expr}
		}},
		"a unit that date_trunc lacks": {malformed, func(_ *plan.Query, b *plan.Block) {
			f, _ := plan.FindFunction("date_trunc")
			b.Where = &plan.Call{Func: f, Args: []plan.Expr{&plan.Literal{Value: wire.Text("x') --"), T: wire.Type{Kind: wire.KindText}}, b.Select[0].Expr}}
		}},
		"a unit that is no constant": {malformed, func(_ *plan.Query, b *plan.Block) {
			f, _ := plan.FindFunction("date_trunc")
			b.Where = &plan.Call{Func: f, Args: []plan.Expr{b.Select[0].Expr, b.Select[0].Expr}}
		}},
		"a cast to a type without one": {malformed, func(_ *plan.Query, b *plan.Block) {
			b.Where = &plan.Cast{X: b.Select[0].Expr, T: wire.Type{Kind: wire.KindArray}}
		}},
		"a constant that cannot be bound": {refused, func(_ *plan.Query, b *plan.Block) {
			b.Where = &plan.Literal{Value: wire.Array(nil)}
		}},
		"a join without a condition": {malformed, func(_ *plan.Query, b *plan.Block) { b.Sources[1].On = nil }},
		"an unknown join":            {malformed, func(_ *plan.Query, b *plan.Block) { b.Sources[1].Join = "natural" }},
		"a joined first source":      {malformed, func(_ *plan.Query, b *plan.Block) { b.Sources[0].Join = plan.JoinLeft }},
		"a full join after a semi join": {refused, func(_ *plan.Query, b *plan.Block) {
			b.Sources[1].Join = plan.JoinSemi
			more := *b.Sources[1]
			more.Join, more.Index = plan.JoinFull, 2
			b.Sources = append(b.Sources, &more)
		}},
		"a column of a source that only filters": {malformed, func(_ *plan.Query, b *plan.Block) {
			b.Sources[1].Join = plan.JoinAnti
			b.Order = []plan.Order{{Expr: &plan.Column{Source: b.Sources[1], Column: b.Sources[1].Table.Columns[0]}}}
		}},
		"a column of a source of nowhere": {malformed, func(_ *plan.Query, b *plan.Block) {
			other := *b.Sources[0]
			b.Where = &plan.IsNull{X: &plan.Column{Source: &other, Column: other.Table.Columns[0]}}
		}},
		"a negative limit": {malformed, func(_ *plan.Query, b *plan.Block) { b.Limit = -1 }},
		"an order that distinct rows do not have": {refused, func(_ *plan.Query, b *plan.Block) {
			b.Distinct = true
			b.Order = []plan.Order{{Expr: &plan.Column{Source: b.Sources[0], Column: b.Sources[0].Table.Columns[2]}}}
		}},
		"groups that distinct rows do not have": {refused, func(_ *plan.Query, b *plan.Block) {
			b.Distinct, b.Limit = true, 1
			b.Per = []plan.Expr{&plan.Column{Source: b.Sources[0], Column: b.Sources[0].Table.Columns[2]}}
		}},
		"a scalar of many rows": {refused, func(q *plan.Query, b *plan.Block) {
			b.Where = &plan.IsNull{X: &plan.Scalar{Block: helper(q, b)}}
		}},
		"membership of a block with two columns": {refused, func(q *plan.Query, b *plan.Block) {
			h := helper(q, b)
			h.Select = append(h.Select, h.Select[0])
			b.Where = &plan.InBlock{X: b.Select[0].Expr, Block: h}
		}},
		"a set operation with a clause": {malformed, func(q *plan.Query, b *plan.Block) {
			union(q, b, func(u *plan.Block) { u.Limit = 1 })
		}},
		"a set operation of one block": {malformed, func(q *plan.Query, b *plan.Block) {
			union(q, b, func(u *plan.Block) { u.Of = u.Of[:1] })
		}},
		"an unknown set operation": {malformed, func(q *plan.Query, b *plan.Block) {
			union(q, b, func(u *plan.Block) { u.Op = "; DROP" })
		}},
		"a set operation of different widths": {refused, func(q *plan.Query, b *plan.Block) {
			union(q, b, func(u *plan.Block) { u.Of[1].Select = append(u.Of[1].Select, u.Of[1].Select[0]) })
		}},
	} {
		t.Run(name, func(t *testing.T) {
			cat := shop()
			q, err := bind(cat, `{"from": "customers c", "joins": ["orders o"], "select": ["c.id"]}`)
			if err != nil {
				t.Fatal(err)
			}
			c.spoil(q, q.Result())
			secured, err := open(t).Secure(cat, q, reader)
			if err != nil {
				t.Fatalf("the plan was not secured: %v", err)
			}
			s, err := sqlgen.Render(secured, schema.SQLite, sqlgen.Options{})
			if !errors.Is(err, c.want) || s.Valid() {
				t.Errorf("rendering gives %v, valid: %v", err, s.Valid())
			}
			if e := reason.From(err); strings.Contains(e.SafeMessage, "customers") || strings.Contains(e.SafeMessage, "DROP") {
				t.Errorf("the safe message holds text of the plan: %s", e.SafeMessage)
			}
		})
	}
}

// helper puts a block with one column in front of b.
func helper(q *plan.Query, b *plan.Block) *plan.Block {
	src := &plan.Source{Table: b.Sources[0].Table, Alias: "h"}
	h := &plan.Block{Op: plan.OpSelect, Name: "h", Sources: []*plan.Source{src}}
	h.Select = []plan.Item{{Label: "id", Expr: &plan.Column{Source: src, Column: src.Table.Columns[0]}}}
	b.Index = 1
	q.Blocks = []*plan.Block{h, b}
	return h
}

// union puts two helpers and their union in front of b, as change leaves it.
func union(q *plan.Query, b *plan.Block, change func(u *plan.Block)) {
	first := helper(q, b)
	second := *first
	second.Index, b.Index = 1, 3
	second.Select = append([]plan.Item(nil), first.Select...)
	u := &plan.Block{Index: 2, Op: plan.OpUnion, Of: []*plan.Block{first, &second}}
	q.Blocks = []*plan.Block{first, &second, u, b}
	change(u)
	src := &plan.Source{Index: len(b.Sources), Join: plan.JoinCross, Block: u, Alias: "u"}
	b.Sources = append(b.Sources, src)
}

package policy_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

var denied = &reason.Error{Code: reason.PolicyDenied, Reason: reason.ReasonNotPermitted}

// clerks may read everything but people.email and the table order_lines.
func clerks(t *testing.T) *policy.Policy {
	t.Helper()
	return compile(t, map[config.RoleName]config.Role{"clerk": role([]string{"hr.main.*"}, []string{"hr.main.order_lines"}, "hr.main.people.email")})
}

func TestSecureCollectsWhatIsRead(t *testing.T) {
	cat := company()
	q, src := selecting(t, cat, "people", "name")
	pay, _ := cat.Table("pay")
	joined := &plan.Source{Index: 1, Alias: "p", Join: plan.JoinInner, Table: pay}
	joined.On = &plan.Binary{Op: plan.OpEq, L: &plan.Column{Source: src, Column: column(t, cat, "people", "id")},
		R: &plan.Column{Source: joined, Column: column(t, cat, "pay", "person_id")}}
	q.Result().Sources = append(q.Result().Sources, joined)
	s, err := clerks(t).Secure(cat, q, caller("clerk"))
	if err != nil {
		t.Fatal(err)
	}
	if !s.Valid() || s.Query() != q {
		t.Error("the secured plan is not the one given")
	}
	ids := func(columns []*schema.Column) (out []string) {
		for _, c := range columns {
			out = append(out, c.ID())
		}
		return out
	}
	if got, want := ids(s.Reads()), []string{"main.people.id", "main.pay.person_id", "main.people.name"}; !slices.Equal(got, want) {
		t.Errorf("reads %v, want %v", got, want)
	}
	if len(s.Tables()) != 2 {
		t.Errorf("touches %d tables, want 2", len(s.Tables()))
	}
	if !s.Permits(column(t, cat, "pay", "salary")) || s.Permits(column(t, cat, "people", "email")) {
		t.Error("Permits does not follow the role")
	}
}

func TestCountingATableNeedsTheTable(t *testing.T) {
	cat := company()
	q, _ := selecting(t, cat, "order_lines")
	count, _ := plan.FindFunction("count")
	q.Result().Select = []plan.Item{{Label: "n", Expr: &plan.Call{Func: count, T: wire.Type{Kind: wire.KindInt}}}}
	if _, err := clerks(t).Secure(cat, q, caller("clerk")); !errors.Is(err, denied) {
		t.Errorf("counting a denied table gives %v", err)
	}
}

// TestSecureLooksEverywhere hides a denied column in every place that a block
// has for an expression, and in an earlier block.
func TestSecureLooksEverywhere(t *testing.T) {
	cat := company()
	for name, hide := range map[string]func(b *plan.Block, secret plan.Expr){
		"select": func(b *plan.Block, x plan.Expr) { b.Select = append(b.Select, plan.Item{Label: "x", Expr: x}) },
		"where":  func(b *plan.Block, x plan.Expr) { b.Where = &plan.Not{X: &plan.IsNull{X: x}} },
		"group":  func(b *plan.Block, x plan.Expr) { b.Group = []plan.Expr{x} },
		"having": func(b *plan.Block, x plan.Expr) { b.Having = &plan.Like{X: b.Select[0].Expr, Pattern: x} },
		"order":  func(b *plan.Block, x plan.Expr) { b.Order = []plan.Order{{Expr: x}} },
		"per":    func(b *plan.Block, x plan.Expr) { b.Per = []plan.Expr{&plan.Case{Else: x}} },
		"join": func(b *plan.Block, x plan.Expr) {
			b.Sources[0].On = &plan.Between{X: b.Select[0].Expr, Low: x, High: x}
		},
		"in a list": func(b *plan.Block, x plan.Expr) { b.Where = &plan.InList{X: b.Select[0].Expr, List: []plan.Expr{x}} },
	} {
		t.Run(name, func(t *testing.T) {
			q, src := selecting(t, cat, "people", "name")
			secret := &plan.Column{Source: src, Column: column(t, cat, "people", "email")}
			hide(q.Result(), secret)
			s, err := clerks(t).Secure(cat, q, caller("clerk"))
			if !errors.Is(err, denied) || s.Valid() {
				t.Fatalf("Secure gives %v, valid: %v", err, s.Valid())
			}
			e := reason.From(err)
			if strings.Contains(e.SafeMessage+e.NextAction, "email") || strings.Contains(e.SafeMessage, "people") {
				t.Errorf("the safe message names what is denied: %s", e.SafeMessage)
			}
			if !strings.Contains(e.Message, "main.people.email") {
				t.Errorf("the operator is not told which column: %s", e.Message)
			}
		})
	}
}

func TestSecureLooksIntoEveryBlock(t *testing.T) {
	cat := company()
	inner, src := selecting(t, cat, "people", "email")
	outer := &plan.Block{Index: 1, Op: plan.OpSelect, Sources: []*plan.Source{{Block: inner.Blocks[0], Alias: "b"}}}
	outer.Select = []plan.Item{{Label: "x", Expr: &plan.Output{Source: outer.Sources[0]}}}
	q := &plan.Query{Blocks: []*plan.Block{inner.Blocks[0], outer}}
	if _, err := clerks(t).Secure(cat, q, caller("clerk")); !errors.Is(err, denied) {
		t.Errorf("a denied column of an earlier block gives %v", err)
	}
	inner.Blocks[0].Select[0].Expr = &plan.Column{Source: src, Column: column(t, cat, "people", "name")}
	if _, err := clerks(t).Secure(cat, q, caller("clerk")); err != nil {
		t.Errorf("a permitted plan of two blocks gives %v", err)
	}
}

// foreign is an expression that the plan package does not know.
type foreign struct{ plan.Expr }

// TestSecureRefusesWhatBindingCannotMake gives it queries that point out of
// themselves: at other catalogs, at later or unlisted blocks, at other tables.
func TestSecureRefusesWhatBindingCannotMake(t *testing.T) {
	cat, other := company(), company()
	malformed := &reason.Error{Code: reason.InvalidState}
	base := func() (*plan.Query, *plan.Block, *plan.Source) {
		q, src := selecting(t, cat, "people", "name")
		return q, q.Result(), src
	}
	for name, c := range map[string]struct {
		want  error
		build func() *plan.Query
	}{
		"no query":  {malformed, func() *plan.Query { return nil }},
		"no blocks": {malformed, func() *plan.Query { return &plan.Query{} }},
		"another snapshot": {&reason.Error{Code: reason.SchemaChanged}, func() *plan.Query {
			q, _ := selecting(t, other, "people", "name")
			return q
		}},
		"a column of a table that is no source": {malformed, func() *plan.Query {
			q, b, src := base()
			b.Where = &plan.IsNull{X: &plan.Column{Source: src, Column: column(t, cat, "pay", "salary")}}
			return q
		}},
		"a block that is not listed": {malformed, func() *plan.Query {
			q, b, src := base()
			hidden, _ := selecting(t, cat, "order_lines", "note")
			b.Where = &plan.InBlock{X: &plan.Column{Source: src, Column: src.Table.Columns[1]}, Block: hidden.Blocks[0]}
			return q
		}},
		"a block that exists reads is not listed": {malformed, func() *plan.Query {
			q, b, _ := base()
			hidden, _ := selecting(t, cat, "order_lines", "note")
			b.Where = &plan.Exists{Source: &plan.Source{Block: hidden.Blocks[0]}}
			return q
		}},
		"a scalar of itself": {malformed, func() *plan.Query {
			q, b, _ := base()
			b.Where = &plan.IsNull{X: &plan.Scalar{Block: b}}
			return q
		}},
		"a union of itself": {malformed, func() *plan.Query {
			b := &plan.Block{Op: plan.OpUnion}
			b.Of = []*plan.Block{b, b}
			return &plan.Query{Blocks: []*plan.Block{b}}
		}},
		"an output of no column": {malformed, func() *plan.Query {
			q, b, _ := base()
			second := &plan.Block{Index: 1, Op: plan.OpSelect, Sources: []*plan.Source{{Block: b}}}
			second.Where = &plan.Output{Source: second.Sources[0], Item: 7}
			q.Blocks = append(q.Blocks, second)
			return q
		}},
		"a set operation as the result": {malformed, func() *plan.Query {
			q, b, _ := base()
			q.Blocks = append(q.Blocks, &plan.Block{Index: 1, Op: plan.OpUnion, Of: []*plan.Block{b, b}})
			return q
		}},
		"a select of nothing": {malformed, func() *plan.Query { q, b, _ := base(); b.Select = nil; return q }},
		"what only a policy puts there": {malformed, func() *plan.Query {
			q, _, src := base()
			src.Filter = &plan.Literal{Value: wire.Bool(true), T: wire.Type{Kind: wire.KindBool}}
			return q
		}},
		"a wrong index": {malformed, func() *plan.Query { q, b, _ := base(); b.Index = 3; return q }},
		"a source of nothing": {malformed, func() *plan.Query {
			q, b, _ := base()
			b.Sources = append(b.Sources, &plan.Source{Index: 1})
			return q
		}},
		"an expression of another package": {malformed, func() *plan.Query { q, b, _ := base(); b.Where = &plan.Not{X: foreign{}}; return q }},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := clerks(t).Secure(cat, c.build(), caller("clerk"))
			if !errors.Is(err, c.want) || s.Valid() {
				t.Errorf("Secure gives %v, valid: %v", err, s.Valid())
			}
		})
	}
}

func TestSecuredIDs(t *testing.T) {
	cat := company()
	p := compile(t, map[config.RoleName]config.Role{"a": role([]string{"hr.main.people"}, nil), "b": role([]string{"hr.*.*"}, nil)})
	id := func(columns []string, roles ...string) string {
		q, _ := selecting(t, cat, "people", columns...)
		s, err := p.Secure(cat, q, caller(roles...))
		if err != nil {
			t.Fatal(err)
		}
		return s.ID()
	}
	name := []string{"name"}
	if id(name, "a") != id(name, "a") || !strings.HasPrefix(id(name, "a"), "s_") {
		t.Error("the id of the same plan and role differs, or has another form")
	}
	if id(name, "a") == id(name, "b") {
		t.Error("the role does not change the id")
	}
	if id(name, "a") == id([]string{"id"}, "a") {
		t.Error("the plan does not change the id")
	}
}

func TestTheZeroSecuredIsNothing(t *testing.T) {
	var s policy.Secured
	if s.Valid() || s.Query() != nil || s.Permits(column(t, company(), "people", "id")) {
		t.Error("the zero Secured is of use")
	}
}

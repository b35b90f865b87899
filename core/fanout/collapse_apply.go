package fanout

import (
	"fmt"
	"slices"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/wire"
)

// clauses are the places of the block's expressions that stand after its rows are
// grouped, and of the groups.
func clauses(b *plan.Block) []*plan.Expr {
	var out []*plan.Expr
	for i := range b.Group {
		out = append(out, &b.Group[i])
	}
	for i := range b.Select {
		out = append(out, &b.Select[i].Expr)
	}
	if b.Having != nil {
		out = append(out, &b.Having)
	}
	for i := range b.Order {
		out = append(out, &b.Order[i].Expr)
	}
	for i := range b.Per {
		out = append(out, &b.Per[i])
	}
	return out
}

// places are the places of the expressions directly inside e in which an aggregate
// can be exchanged. What it does not know has none.
func places(e plan.Expr) []*plan.Expr {
	var out []*plan.Expr
	each := func(list []plan.Expr) {
		for i := range list {
			out = append(out, &list[i])
		}
	}
	switch e := e.(type) {
	case *plan.Call:
		each(e.Args)
	case *plan.Binary:
		out = append(out, &e.L, &e.R)
	case *plan.Not:
		out = append(out, &e.X)
	case *plan.Neg:
		out = append(out, &e.X)
	case *plan.IsNull:
		out = append(out, &e.X)
	case *plan.Cast:
		out = append(out, &e.X)
	case *plan.Between:
		out = append(out, &e.X, &e.Low, &e.High)
	case *plan.InList:
		out = append(out, &e.X)
		each(e.List)
	case *plan.Case:
		for i := range e.Whens {
			out = append(out, &e.Whens[i].Cond, &e.Whens[i].Then)
		}
		if e.Else != nil {
			out = append(out, &e.Else)
		}
	}
	return out
}

// reachable lists the aggregates of the block; false if one stands where it cannot
// be exchanged, as in a window.
func reachable(b *plan.Block) ([]*plan.Call, bool) {
	var calls []*plan.Call
	for _, place := range clauses(b) {
		exchange(place, func(c *plan.Call) plan.Expr {
			calls = append(calls, c)
			return c
		})
	}
	all := 0
	_ = b.Walk(func(e plan.Expr) bool {
		switch e := e.(type) {
		case *plan.Window, *plan.Lookup:
			all = -1 << 30 // neither is taken apart
		case *plan.Call:
			if e.Func.Kind == plan.AggregateFunction {
				all++
				return false
			}
		}
		return true
	})
	return calls, all == len(calls)
}

// exchange puts something else in the place of each aggregate.
func exchange(place *plan.Expr, by func(*plan.Call) plan.Expr) {
	if call, ok := (*place).(*plan.Call); ok && call.Func.Kind == plan.AggregateFunction {
		*place = by(call)
		return
	}
	for _, inside := range places(*place) {
		exchange(inside, by)
	}
}

// apply moves each branch into a block of its own, before the block that was taken
// apart, which gives the aggregates of its rows for each of its links. It returns
// the new blocks.
func (c *collapse) apply(q *plan.Query) []*plan.Block {
	b := c.block
	var kept []*plan.Source
	for _, s := range b.Sources {
		if c.core[s] {
			kept = append(kept, s)
		}
	}
	if c.left {
		b.Where = nil
		for i, s := range kept {
			s.Index = i
		}
		for _, e := range c.outside {
			b.Where = and(b.Where, e)
		}
	} else {
		b.Where = arrange(kept, c.outside)
	}
	var made []*plan.Block
	exchanged := map[*plan.Call]plan.Expr{}
	for _, br := range c.branches {
		p := newPart(br, freeName(q, "part"))
		p.source.Index = len(kept)
		kept = append(kept, p.source)
		for _, call := range br.calls {
			exchanged[call] = p.whole(call)
		}
		q.Blocks = slices.Insert(q.Blocks, slices.Index(q.Blocks, b), p.block)
		made = append(made, p.block)
	}
	b.Sources = kept
	for _, place := range clauses(b) {
		exchange(place, func(call *plan.Call) plan.Expr {
			if e, ok := exchanged[call]; ok {
				return e
			}
			return call
		})
	}
	for i := range q.Blocks {
		q.Blocks[i].Index = i
	}
	return made
}

// part is a branch as a block, and the source that reads it.
type part struct {
	block  *plan.Block
	source *plan.Source
}

func newPart(br *branch, name string) *part {
	p := &part{block: &plan.Block{Name: name, Op: plan.OpSelect, Sources: br.sources, Aggregated: true}}
	p.source = &plan.Source{Alias: name, Block: p.block, Join: plan.JoinInner}
	if br.left {
		p.source.Join = plan.JoinLeft
	}
	p.block.Where = arrange(br.sources, br.inside)
	for _, link := range br.links {
		core, own := link.L, link.R
		if r, _ := refOf(link.L); slices.Contains(br.sources, r.source) {
			core, own = own, core
		}
		if !slices.ContainsFunc(p.block.Group, func(e plan.Expr) bool { return plan.Same(e, own) }) {
			p.block.Group = append(p.block.Group, own)
		}
		p.source.On = and(p.source.On, &plan.Binary{Op: plan.OpEq, L: core, R: p.output(own, "key"), T: link.T})
	}
	for _, e := range br.beside {
		p.source.On = and(p.source.On, e)
	}
	return p
}

// output is the block's column for an expression of its rows.
func (p *part) output(e plan.Expr, label string) plan.Expr {
	item := slices.IndexFunc(p.block.Select, func(i plan.Item) bool { return plan.Same(i.Expr, e) })
	if item < 0 {
		item = len(p.block.Select)
		p.block.Select = append(p.block.Select, plan.Item{Label: fmt.Sprintf("%s_%d", label, item+1), Expr: e})
	}
	return &plan.Output{Source: p.source, Item: item, T: e.Type()}
}

// whole is the aggregate made of those of the parts.
func (p *part) whole(call *plan.Call) plan.Expr {
	switch call.Func.Name {
	case "count":
		return calling("coalesce", call.T, p.again(call, "sum"), &plan.Literal{Value: wire.Int(0), T: call.T})
	case "avg":
		total := &plan.Call{Func: function("sum"), Args: call.Args, Filter: call.Filter, T: sumOf(call.Args[0])}
		count := &plan.Call{Func: function("count"), Args: call.Args, Filter: call.Filter, T: wire.Type{Kind: wire.KindInt}}
		return &plan.Binary{Op: plan.OpDiv, L: p.again(total, "sum"), R: p.again(count, "sum"), T: call.T}
	}
	return p.again(call, call.Func.Name)
}

// again aggregates what the parts give for the call.
func (p *part) again(call *plan.Call, name string) plan.Expr {
	return calling(name, call.T, p.output(call, "value"))
}

func calling(name string, t wire.Type, args ...plan.Expr) *plan.Call {
	return &plan.Call{Func: function(name), Args: args, T: t}
}

// function is a function of the table that is known to be there.
func function(name string) *plan.Function {
	f, ok := plan.FindFunction(name)
	if !ok {
		panic("fanout: there is no function " + name)
	}
	return f
}

// sumOf is the type of the sum of what avg takes, which sum takes, too.
func sumOf(e plan.Expr) wire.Type {
	t, err := function("sum").Check([]wire.Type{e.Type()})
	if err != nil {
		return e.Type()
	}
	return t
}

package plan

import (
	"querent.dev/querent/sdk/wire"
)

// aggregate binds a call of an aggregate.
func (e *exprBinder) aggregate(n *callNode, f *Function) (Expr, error) {
	if e.noAggregates != "" {
		return nil, e.fault(n, "%s", e.noAggregates)
	}
	inner := *e
	inner.noAggregates = "an aggregate cannot stand inside another; compute the inner one in a block"
	inner.noWindows = "a window cannot stand inside an aggregate; select it in a block"
	return e.aggregateCall(n, f, inner)
}

// setwise are the aggregates to which it is the same how often a value stands there.
var setwise = map[string]bool{"min": true, "max": true, "bool_and": true, "bool_or": true}

// aggregateCall binds an aggregate whose arguments inner binds.
func (e *exprBinder) aggregateCall(n *callNode, f *Function, inner exprBinder) (*Call, error) {
	c := &Call{Func: f, Distinct: n.distinct && !setwise[f.Name]}
	for _, arg := range n.args {
		x, err := inner.value(arg)
		if err != nil {
			return nil, err
		}
		c.Args = append(c.Args, x)
	}
	if n.filter != nil {
		cond, err := inner.isCondition(n.filter)
		if err != nil {
			return nil, err
		}
		c.Filter = cond
	}
	if f.Name == "string_agg" {
		caseFilter(c)
		if err := inner.joined(n, c); err != nil {
			return nil, err
		}
	}
	return e.aggregated(n, c)
}

// aggregated brings the ways to write one aggregate to one form, and types it.
func (e *exprBinder) aggregated(n node, c *Call) (*Call, error) {
	if len(c.Args) >= 1 {
		caseFilter(c)
		if err := e.checkBareNull(n, c); err != nil {
			return nil, err
		}
		if (c.Func.Name == "sum" || c.Func.Name == "avg") && c.Args[0].Type().Kind == wire.KindBool {
			c.Args[0] = oneOrZero(c.Args[0])
		}
		if _, isConstant := constant(c.Args[0]); isConstant && c.Func.Name == "count" && !c.Distinct {
			c.Args = nil
		}
	}
	return e.typed(n, c.Func, c)
}

// checkBareNull refuses a call over rows of what is null in every row: it would say
// nothing, and a database cannot tell of which type it is. What counts takes it.
func (e *exprBinder) checkBareNull(n node, c *Call) error {
	if len(c.Args) == 0 || c.Func.Name == "count" || c.Args[0].Type().Kind != wire.KindNull {
		return nil
	}
	return e.fault(n, "%s of null is null in every row", c.Func.Name).hint("name a column, or select null itself")
}

// joined completes string_agg. Its rows have an order always, so that every
// database joins them alike: the one that is written, and then the text itself.
func (e *exprBinder) joined(n *callNode, c *Call) error {
	text, err := e.asText(n, c.Args[0])
	if err != nil {
		return err
	}
	c.Args[0] = text
	if c.Order, err = e.terms(n.order); err != nil {
		return err
	}
	for i, o := range c.Order {
		if key(o.Expr) == key(text) {
			c.Order = c.Order[:i+1]
			break
		}
		if c.Distinct {
			return e.fault(n.order[i].expr, "distinct texts can be ordered by themselves only").
				hint("leave distinct out, or order by %s", clip(key(text)))
		}
	}
	if _, isConstant := text.(*Literal); isConstant {
		return nil
	}
	if n := len(c.Order); n == 0 || key(c.Order[n-1].Expr) != key(text) {
		c.Order = append(c.Order, Order{Expr: text})
	}
	return nil
}

// caseFilter makes "agg(case when c then x end)" of c to "agg(x) filter (where c)".
func caseFilter(c *Call) {
	for {
		choice, ok := c.Args[0].(*Case)
		if !ok || len(choice.Whens) != 1 || choice.Else != nil && !isNull(choice.Else) {
			return
		}
		c.Args[0] = choice.Whens[0].Then
		c.filterBy(choice.Whens[0].Cond)
	}
}

func (c *Call) filterBy(cond Expr) {
	if c.Filter != nil {
		cond = &Binary{Op: OpAnd, L: c.Filter, R: cond, T: boolType}
	}
	c.Filter = cond
}

// oneOrZero is 1 where a condition holds, 0 where it does not, and null where it is
// null: a mean of conditions leaves out the rows that say nothing.
func oneOrZero(cond Expr) Expr {
	one, zero := literal(wire.Int(1)), literal(wire.Int(0))
	out := &Case{Whens: []When{{Cond: cond, Then: one}}, T: wire.Type{Kind: wire.KindInt}}
	if neverNull(cond) {
		out.Else = zero
	} else {
		out.Whens = append(out.Whens, When{Cond: &Not{X: cond}, Then: zero})
	}
	return out
}

// neverNull reports whether it is plain from its form that a condition is true or
// false.
func neverNull(cond Expr) bool {
	switch cond := cond.(type) {
	case *IsNull, *Exists:
		return true
	case *Not:
		return neverNull(cond.X)
	case *Literal:
		return !cond.Value.IsNull()
	}
	return false
}

// conditional are the aggregates whose last argument is their filter.
var conditional = map[string]string{
	"sum_if": "sum", "sumif": "sum", "avg_if": "avg", "avgif": "avg", "count_if": "count", "countif": "count", "min_if": "min", "max_if": "max",
}

// filtered binds sum_if(x, condition), count_if(condition) and their like.
func (e *exprBinder) filtered(n *callNode) (Expr, error) {
	name := conditional[n.name]
	want := 2
	if name == "count" {
		want = 1
	}
	if len(n.args) != want || n.star || n.distinct {
		return nil, e.fault(n, "%s does not take these arguments", quote(n.name)).
			hint("write sum(x) filter (where condition) or count(*) filter (where condition)")
	}
	last := n.args[len(n.args)-1]
	if n.filter != nil {
		last = &binaryNode{at: at(n.offset()), op: OpAnd, l: n.filter, r: last}
	}
	f, _ := FindFunction(name)
	call := &callNode{at: n.at, name: name, args: n.args[:want-1], star: want == 1, filter: last, over: n.over}
	if n.over != nil {
		return e.windowed(call, f)
	}
	return e.aggregate(call, f)
}

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
	c := &Call{Func: f, Distinct: n.distinct && f.Name != "min" && f.Name != "max"}
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
	return e.aggregated(n, c)
}

// aggregated brings the ways to write one aggregate to one form, and types it.
func (e *exprBinder) aggregated(n node, c *Call) (Expr, error) {
	if len(c.Args) == 1 {
		caseFilter(c)
		if (c.Func.Name == "sum" || c.Func.Name == "avg") && c.Args[0].Type().Kind == wire.KindBool {
			c.Args[0] = oneOrZero(c.Args[0])
		}
		if _, isConstant := constant(c.Args[0]); isConstant && c.Func.Name == "count" && !c.Distinct {
			c.Args = nil
		}
	}
	return e.typed(n, c.Func, c)
}

// caseFilter makes "agg(case when c then x end)" of c to "agg(x) filter (where c)".
func caseFilter(c *Call) {
	choice, ok := c.Args[0].(*Case)
	if !ok || len(choice.Whens) != 1 || choice.Else != nil && !isNull(choice.Else) {
		return
	}
	c.Args[0] = choice.Whens[0].Then
	c.filterBy(choice.Whens[0].Cond)
}

func (c *Call) filterBy(cond Expr) {
	if c.Filter != nil {
		cond = &Binary{Op: OpAnd, L: c.Filter, R: cond, T: boolType}
	}
	c.Filter = cond
}

// oneOrZero is 1 where a condition holds, else 0.
func oneOrZero(cond Expr) Expr {
	return &Case{Whens: []When{{Cond: cond, Then: literal(wire.Int(1))}}, Else: literal(wire.Int(0)), T: wire.Type{Kind: wire.KindInt}}
}

// filtered binds sum_if(x, condition), avg_if(x, condition) and count_if(condition).
func (e *exprBinder) filtered(n *callNode) (Expr, error) {
	name := map[byte]string{'s': "sum", 'a': "avg", 'c': "count"}[n.name[0]]
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
	return e.aggregate(&callNode{at: n.at, name: name, args: n.args[:want-1], star: want == 1, filter: last}, f)
}

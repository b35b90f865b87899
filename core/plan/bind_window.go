package plan

import (
	"querent.dev/querent/sdk/wire"
)

// noWindow says where a window cannot stand and what to do.
const noWindow = "a window stands in \"select\", \"order\" and \"per\" only; " +
	"select it in a block of \"with\" and use its label in a block that reads that one"

// withWindows lets windows stand in the clause.
func (e *exprBinder) withWindows() *exprBinder {
	e.noWindows = ""
	return e
}

// overable are the aggregates that every database calls over rows.
var overable = map[string]bool{
	"count": true, "sum": true, "avg": true, "min": true, "max": true, "stddev": true, "variance": true, "bool_and": true, "bool_or": true,
}

// unframed are the window functions that see the whole partition, whatever frame
// is written.
var unframed = map[string]bool{
	"row_number": true, "rank": true, "dense_rank": true, "percent_rank": true, "cume_dist": true, "ntile": true, "lag": true, "lead": true,
}

// windowed binds a call with over (…).
func (e *exprBinder) windowed(n *callNode, f *Function) (Expr, error) {
	if e.noWindows != "" {
		return nil, e.fault(n, "%s", e.noWindows)
	}
	if err := e.checkWindow(n, f); err != nil {
		return nil, err
	}
	inner := *e
	inner.noWindows = "a window cannot stand inside another; select the inner one in a block"
	call, err := inner.windowCall(n, f)
	if err != nil {
		return nil, err
	}
	w := &Window{Call: call, Frame: n.over.frame}
	seen := map[string]bool{}
	for _, p := range n.over.partition {
		x, err := inner.value(p)
		if err != nil {
			return nil, err
		}
		if err := groupable(x); err != nil {
			return nil, e.fault(p, "%s", err.(*Error).Message)
		}
		if !hasColumn(x) || seen[key(x)] {
			continue // a constant makes no parts
		}
		seen[key(x)] = true
		w.Partition = append(w.Partition, x)
	}
	w.Order, err = inner.terms(n.over.order)
	return w, err
}

func (e *exprBinder) checkWindow(n *callNode, f *Function) error {
	switch {
	case f.Kind == AggregateFunction && !overable[f.Name], f.Kind == ScalarFunction:
		return e.fault(n, "%s cannot be called over rows", f.Name).hint("compute it in a block with its own group, and join that")
	case n.distinct:
		return e.fault(n, "a window takes no distinct").hint("count the distinct values in a block with its own group, and join that")
	case len(n.order) > 0:
		return e.fault(n, "the order of a window stands in over (…)")
	case f.Kind == WindowFunction && n.filter != nil:
		return e.fault(n, "%s takes no filter; only aggregates do", f.Name)
	case f.Kind == WindowFunction && len(n.over.order) == 0 && f.Name != "row_number":
		return e.fault(n, "%s needs an order", f.Name).hint("write over (order by …)")
	case unframed[f.Name] && n.over.frame != nil:
		return e.fault(n, "%s takes no frame", f.Name).hint("leave out rows or range")
	case n.over.frame != nil && n.over.frame.partial() && len(n.over.order) == 0:
		return e.fault(n, "a frame needs an order").hint("write over (order by … rows …)")
	}
	return nil
}

// partial reports whether the frame leaves out rows of the partition.
func (f *Frame) partial() bool {
	return f.From.Kind != UnboundedPreceding || f.To.Kind != UnboundedFollowing
}

// windowCall binds the call of a window without what is over it. The arguments of
// an aggregate over groups may be aggregates themselves.
func (e *exprBinder) windowCall(n *callNode, f *Function) (*Call, error) {
	if f.Kind == AggregateFunction {
		return e.aggregateCall(n, f, *e)
	}
	sides := make([]side, len(n.args))
	for i, arg := range n.args {
		var err error
		if sides[i], err = e.argument(f, i, arg); err != nil {
			return nil, err
		}
	}
	args, err := e.fit(f, sides)
	if err != nil {
		return nil, err
	}
	call := &Call{Func: f, Args: args}
	if err := e.checkBareNull(n, call); err != nil {
		return nil, err
	}
	return e.typed(n, f, call)
}

// terms binds the ordering terms inside a call.
func (e *exprBinder) terms(list []termNode) ([]Order, error) {
	var out []Order
	for _, t := range list {
		x, err := e.value(t.expr)
		if err != nil {
			return nil, err
		}
		if _, isConstant := x.(*Literal); isConstant {
			return nil, e.fault(t.expr, "a constant orders nothing, and is no position here").hint("name a column or an expression")
		}
		if !sorts(x.Type().Kind) {
			return nil, e.fault(t.expr, "rows cannot be ordered by %s", typeName(x.Type()))
		}
		out = append(out, Order{Expr: x, Desc: t.desc, Nulls: t.nulls})
	}
	return out, nil
}

// sorts reports whether rows can be ordered by values of the kind.
func sorts(k wire.Kind) bool {
	return k == wire.KindNull || k == wire.KindBool || k == wire.KindUUID || ordered(k)
}

// hasWindow reports whether a window stands anywhere in e.
func hasWindow(e Expr) bool {
	found := false
	walkRow(e, func(x Expr) bool {
		_, ok := x.(*Window)
		found = found || ok
		return !found
	})
	return found
}

// walkRow is Walk over what e computes from the rows of its own block: the call of
// a window is no aggregate of the block, and the value of a Lookup is computed from
// the rows of another.
func walkRow(e Expr, visit func(Expr) bool) {
	if e == nil || !visit(e) {
		return
	}
	for _, x := range rowParts(e) {
		walkRow(x, visit)
	}
}

// rowParts are the parts of e that walkRow enters.
func rowParts(e Expr) []Expr {
	switch e := e.(type) {
	case *Window:
		return append(append(append([]Expr(nil), callParts(e.Call)...), e.Partition...), terms(e.Order)...)
	case *Lookup:
		return []Expr{e.Cond}
	}
	inside, _ := parts(e) // the binder makes no expression that Walk does not know
	return inside
}

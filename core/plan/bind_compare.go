package plan

import (
	"querent.dev/querent/sdk/wire"
)

// side is an operand with the node it came from.
type side struct {
	node node
	expr Expr
}

func (e *exprBinder) side(n node) (side, error) {
	x, err := e.value(n)
	return side{n, x}, err
}

// comparison binds = <> < <= > >=.
func (e *exprBinder) comparison(n *binaryNode) (Expr, error) {
	l, err := e.side(n.l)
	if err != nil {
		return nil, err
	}
	r, err := e.side(n.r)
	if err != nil {
		return nil, err
	}
	return e.compare(n, n.op, l, r)
}

// compare makes the comparison of two operands. A constant takes the type of the
// other side, and a day compared with a timestamp stands for the whole day.
func (e *exprBinder) compare(n node, op BinaryOp, l, r side) (Expr, error) {
	if isNull(l.expr) || isNull(r.expr) {
		return nil, e.fault(n, "a comparison with null is never true").hint("write 'x is null' or 'x is not null'")
	}
	l, r, err := e.agree(n, l, r)
	if err != nil {
		return nil, err
	}
	if k := l.expr.Type().Kind; op != OpEq && op != OpNe && !ordered(k) {
		return nil, e.fault(n, "%s has no order; only = and <> compare it", typeName(l.expr.Type()))
	}
	if whole, ok, err := e.wholeDay(n, op, l, r); ok {
		return whole, err
	}
	return &Binary{Op: op, L: l.expr, R: r.expr, T: boolType}, nil
}

func isNull(x Expr) bool {
	l, ok := x.(*Literal)
	return ok && l.Value.IsNull()
}

// agree brings two operands to types that can be compared.
func (e *exprBinder) agree(n node, l, r side) (side, side, error) {
	var err error
	for _, s := range []side{l, r} {
		if !canCompare(s.expr.Type().Kind, s.expr.Type().Kind) {
			return l, r, e.fault(s.node, "%s cannot be compared", typeName(s.expr.Type()))
		}
	}
	l.expr, r.expr = dayNumber(l.expr, r.expr), dayNumber(r.expr, l.expr)
	if l.expr, err = e.take(l, r.expr.Type()); err != nil {
		return l, r, err
	}
	if r.expr, err = e.take(r, l.expr.Type()); err != nil {
		return l, r, err
	}
	a, b := l.expr.Type(), r.expr.Type()
	if canCompare(a.Kind, b.Kind) {
		return l, r, nil
	}
	return l, r, e.mismatch(n, l, r)
}

// mismatch says how to compare what cannot be compared as it is.
func (e *exprBinder) mismatch(n node, l, r side) error {
	a, b := l.expr.Type(), r.expr.Type()
	err := e.fault(n, "%s is %s and cannot be compared with %s, which is %s", quote(key(l.expr)), typeName(a), quote(key(r.expr)), typeName(b))
	textual, other := l, r
	if b.Kind == wire.KindText {
		textual, other = r, l
	}
	switch {
	case textual.expr.Type().Kind != wire.KindText:
		return err
	case other.expr.Type().Kind.Numeric():
		if c, ok := constant(other.expr); ok {
			return err.hint("write '%s' in quotes to compare as text, or number(x) to compare as numbers", clip(c.Value.String()))
		}
		return err.hint("use number(x) on the text, or text(x) on the number")
	case other.expr.Type().Kind.Temporal():
		return err.hint("use date(x) on the text if it is written as 2025-03-31")
	}
	return err
}

// take gives a constant the type of what it meets: 'text' becomes a number, a
// date and so on, 0 and 1 become false and true and the other way round.
func (e *exprBinder) take(s side, to wire.Type) (Expr, error) {
	c, ok := constant(s.expr)
	if !ok {
		return s.expr, nil
	}
	from := c.T.Kind
	switch {
	case from == wire.KindText && to.Kind != wire.KindText && to.Kind != wire.KindNull:
		return e.fromText(s.node, c, to)
	case from == wire.KindInt && to.Kind == wire.KindBool && (c.Value.Int() == 0 || c.Value.Int() == 1):
		return literal(wire.Bool(c.Value.Int() == 1)), nil
	case from == wire.KindBool && to.Kind.Numeric():
		if c.Value.Bool() {
			return literal(wire.Int(1)), nil
		}
		return literal(wire.Int(0)), nil
	case from == wire.KindTimestamp && to.Kind == wire.KindTimestampTZ, from == wire.KindTimestampTZ && to.Kind == wire.KindTimestamp:
		return e.inZone(c, to.Kind), nil
	}
	return c, nil
}

// fromText reads a quoted constant as a value of the type.
func (e *exprBinder) fromText(n node, c *Literal, to wire.Type) (Expr, error) {
	text := c.Value.String()
	kinds := []wire.Kind{to.Kind}
	if to.Kind.Temporal() {
		kinds = []wire.Kind{wire.KindDate, wire.KindTimestamp}
	}
	for _, kind := range kinds {
		v, ok := parseLiteral(kind, text)
		if !ok {
			continue
		}
		out := literal(v)
		if to.Kind == wire.KindDate {
			return asDay(out), nil
		}
		if out.T.Kind != wire.KindDate && to.Kind.Temporal() {
			return e.inZone(out, to.Kind), nil
		}
		return out, nil
	}
	err := e.fault(n, "%s is not %s", quote(text), typeName(to))
	if _, periodErr := parsePeriod(text, e.scope.Clock); to.Kind.Temporal() && periodErr == nil {
		return nil, err.hint("write during(x, %s)", quote(text))
	}
	return nil, err.hint("write %s", literalForm(to.Kind))
}

// inList binds x in (a, b, …). Constants take the type of x.
func (e *exprBinder) inList(n *inNode) (Expr, error) {
	if block := e.listedBlock(n); block != nil {
		return e.inBlock(n, n.x, block, n.negate)
	}
	x, err := e.side(n.x)
	if err != nil {
		return nil, err
	}
	out := &InList{Negate: n.negate}
	days := false
	for _, entry := range n.list {
		s, err := e.side(entry)
		if err != nil {
			return nil, err
		}
		if isNull(s.expr) {
			return nil, e.fault(entry, "null is in no list").hint("add 'or x is null'")
		}
		if x, s, err = e.agree(entry, x, s); err != nil {
			return nil, err
		}
		days = days || s.expr.Type().Kind == wire.KindDate || x.expr.Type().Kind == wire.KindDate
		out.List = append(out.List, s.expr)
	}
	out.X = x.expr
	if days {
		return e.inDays(n, out)
	}
	return out, nil
}

// inDays tests the day of a date or a timestamp against a list of days.
func (e *exprBinder) inDays(n *inNode, in *InList) (Expr, error) {
	for i, entry := range in.List {
		if k := entry.Type().Kind; k != wire.KindDate && k != wire.KindNull {
			return nil, e.fault(n.list[i], "a list holds either days or timestamps, not both")
		}
	}
	if in.X.Type().Kind != wire.KindDate {
		in.X = dayOf(in.X)
	}
	return in, nil
}

func (e *exprBinder) between(n *betweenNode) (Expr, error) {
	x, err := e.side(n.x)
	if err != nil {
		return nil, err
	}
	low, err := e.side(n.low)
	if err != nil {
		return nil, err
	}
	high, err := e.side(n.high)
	if err != nil {
		return nil, err
	}
	from, err := e.compare(n, OpGe, x, low)
	if err != nil {
		return nil, err
	}
	to, err := e.compare(n, OpLe, x, high)
	if err != nil {
		return nil, err
	}
	a, plain := from.(*Binary)
	b, alsoPlain := to.(*Binary)
	if plain && alsoPlain && a.Op == OpGe && b.Op == OpLe && writtenNames.expr(a.L) == writtenNames.expr(b.L) {
		return &Between{X: a.L, Low: a.R, High: b.R, Negate: n.negate}, nil
	}
	var both Expr = &Binary{Op: OpAnd, L: from, R: to, T: boolType}
	if n.negate {
		both = negated(both)
	}
	return both, nil
}

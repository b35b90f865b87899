package sqlimport

import (
	"querent.dev/querent/core/sqlimport/internal/tree"
	"querent.dev/querent/sdk/wire"
)

// binary translates an operator between two operands.
func (t *translator) binary(n *tree.Binary, s *scope) (value, error) {
	if n.Op == "and" || n.Op == "or" {
		return t.logic(n, s)
	}
	if l, ok := n.L.(*tree.Row); ok {
		return t.rows(n, l, s)
	}
	l, err := t.expr(n.L, s)
	if err != nil {
		return l, err
	}
	r, err := t.expr(n.R, s)
	if err != nil {
		return r, err
	}
	switch n.Op {
	case "=", "<>", "<", "<=", ">", ">=":
		return t.compare(n.Op, l, r, n)
	case "is", "is not":
		return t.same(n, l, r)
	case "||":
		return t.concat(n, l, r)
	case "+", "-":
		if v, ok, err := t.moved(n, l, r); ok || err != nil {
			return v, err
		}
	case "*", "/":
		if v, ok := t.scaledSpan(n.Op, l, r); ok {
			return v, nil
		}
	case "%", "div":
	case "xor":
		return t.xor(n, l, r)
	default:
		return l, t.unsupported(n, "the operator "+n.Op, "plans have no such operator")
	}
	if l, err = t.numeric(l, n); err != nil {
		return l, err
	}
	if r, err = t.numeric(r, n); err != nil {
		return r, err
	}
	return t.calculated(n.Op, l, r), nil
}

// logic flattens a chain of one operator, so that long chains do not nest.
func (t *translator) logic(n *tree.Binary, s *scope) (value, error) {
	var list []value
	var visit func(e tree.Expr) error
	visit = func(e tree.Expr) error {
		if b, ok := e.(*tree.Binary); ok && b.Op == n.Op {
			if err := visit(b.L); err != nil {
				return err
			}
			return visit(b.R)
		}
		v, err := t.cond(e, s)
		list = append(list, v)
		return err
	}
	if err := visit(n); err != nil {
		return value{}, err
	}
	if n.Op == "and" {
		return allOf(list...), nil
	}
	return anyOf(list...), nil
}

// rows compares rows of values, with = and <> only.
func (t *translator) rows(n *tree.Binary, l *tree.Row, s *scope) (value, error) {
	if q, ok := n.R.(*tree.Subquery); ok && n.Op == "=" {
		return t.in(&tree.In{Pos: n.Pos, X: l, Query: q.Query}, s)
	}
	r, ok := n.R.(*tree.Row)
	if !ok || len(r.List) != len(l.List) || n.Op != "=" && n.Op != "<>" {
		return value{}, t.unsupported(n, "this comparison of rows", "plans compare rows of the same length with = and <> only")
	}
	var list []value
	for i := range l.List {
		v, err := t.binary(&tree.Binary{Pos: n.Pos, Op: n.Op, L: l.List[i], R: r.List[i]}, s)
		if err != nil {
			return v, err
		}
		list = append(list, v)
	}
	if n.Op == "=" {
		return allOf(list...), nil
	}
	return anyOf(list...), nil
}

// same compares with nulls as values.
func (t *translator) same(n *tree.Binary, l, r value) (value, error) {
	if r.isNull() || l.isNull() {
		if l.isNull() {
			l = r
		}
		return nullTest(l, n.Op == "is not"), nil
	}
	op := "="
	if n.Op == "is not" {
		op = "<>"
	}
	eq, err := t.compare(op, l, r, n)
	if err != nil {
		return eq, err
	}
	var list []value
	switch {
	case n.Op == "is not":
		list = []value{eq}
		if l.nullable {
			list = append(list, nullBeside(l, r))
		}
		if r.nullable {
			list = append(list, nullBeside(r, l))
		}
	case l.nullable && r.nullable:
		list = []value{eq, allOf(isNull(l), isNull(r))}
	default:
		list = []value{eq}
	}
	out := anyOf(list...)
	if !out.nullable {
		return out, nil
	}
	no := boolValue(false)
	return choice(tBool, &no, out, boolValue(true)), nil
}

// nullBeside is that the first is null and the second is not.
func nullBeside(a, b value) value {
	if !b.nullable {
		return isNull(a)
	}
	return allOf(isNull(a), notNull(b))
}

func (t *translator) xor(n *tree.Binary, l, r value) (value, error) {
	a, err := t.truth(l, n)
	if err != nil {
		return a, err
	}
	b, err := t.truth(r, n)
	if err != nil {
		return b, err
	}
	return anyOf(allOf(a, negate(b)), allOf(negate(a), b)), nil
}

func (t *translator) concat(n positioned, l, r value) (value, error) {
	a, err := t.textual(l, n)
	if err != nil {
		return a, err
	}
	b, err := t.textual(r, n)
	if err != nil {
		return b, err
	}
	if a.isNull() || b.isNull() {
		return nullValue(), nil
	}
	return binary(a, "||", b, powConcat, tText), nil
}

// calculated is an operator between numbers. Integers are divided to an integer on
// SQLite and PostgreSQL; MariaDB keeps four digits more than the first has.
func (t *translator) calculated(op string, l, r value) value {
	whole := l.typ.Kind == wire.KindInt && r.typ.Kind == wire.KindInt
	switch {
	case op == "div" || op == "/" && whole && !t.mysql():
		return fn("div", t.cut(l), t.cut(r)).typed(tInt).mayBeNull()
	case op == "/":
		out := binary(l, "/", r, powMul, tFloat).mayBeNull()
		if a, b := digits(l), digits(r); t.mysql() && a >= 0 && b >= 0 {
			out.scale = a + 4
		}
		return out
	case op == "%":
		if t.sqlite() {
			l, r = t.cut(l), t.cut(r)
		}
		out := binary(l, "%", r, powMul, sumType(l, r)).mayBeNull()
		return out
	}
	power := powAdd
	if op == "*" {
		power = powMul
	}
	out := binary(l, op, r, power, sumType(l, r))
	if t.mysql() && (l.scale >= 0 || r.scale >= 0) {
		a, b := digits(l), digits(r)
		switch {
		case a < 0 || b < 0:
		case op == "*":
			out.scale = a + b
		default:
			out.scale = max(a, b)
		}
	}
	return out
}

func (v value) mayBeNull() value {
	v.nullable = true
	return v
}

// cut is a number as a whole one.
func (t *translator) cut(v value) value {
	if v.typ.Kind == wire.KindInt || v.isNull() {
		return v
	}
	return made("cast("+v.text+" as int)", atom, tInt, v.nullable)
}

// digits is how many digits after the point MariaDB gives a number; unscaled for a
// float.
func digits(v value) int {
	switch {
	case v.scale >= 0:
		return v.scale
	case v.typ.Kind == wire.KindInt:
		return 0
	case v.typ.Kind == wire.KindDecimal && v.typ.Precision > 0:
		return int(v.typ.Scale)
	}
	return unscaled
}

// shown is a value as it is handed out: MariaDB cuts quotients to its digits.
func (t *translator) shown(v value) value {
	if t.mysql() && v.scale >= 0 && v.typ.Kind == wire.KindFloat {
		out := fn("round", v, intValue(int64(min(v.scale, 9))))
		out.nullable = v.nullable
		return out
	}
	if v.span != nil && v.typ.Kind == wire.KindNull {
		if s, err := t.seconds(v, tree.Pos(-1)); err == nil {
			return s
		}
	}
	return v
}

// sumType is the type of a sum, a difference, a product or a rest.
func sumType(l, r value) wire.Type {
	a, b := l.typ, r.typ
	switch {
	case a.Kind == wire.KindNull:
		return b
	case b.Kind == wire.KindNull:
		return a
	case a.Kind == wire.KindFloat || b.Kind == wire.KindFloat:
		return tFloat
	case a.Kind == wire.KindInt && b.Kind == wire.KindInt:
		return tInt
	}
	return wire.Type{Kind: wire.KindDecimal, Precision: 38, Scale: max(a.Scale, b.Scale)}
}

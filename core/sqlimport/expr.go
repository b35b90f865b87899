package sqlimport

import (
	"strings"

	"querent.dev/querent/core/sqlimport/internal/tree"
	"querent.dev/querent/sdk/wire"
)

// condition translates a condition to the text of a clause.
func (t *translator) condition(e tree.Expr, s *scope) (string, error) {
	v, err := t.cond(e, s)
	return v.text, err
}

// cond translates what is true or false.
func (t *translator) cond(e tree.Expr, s *scope) (value, error) {
	v, err := t.expr(e, s)
	if err != nil {
		return v, err
	}
	return t.truth(v, e)
}

// truth is a value as a condition. SQLite and MariaDB take numbers for one.
func (t *translator) truth(v value, at interface{ At() int }) (value, error) {
	switch {
	case v.typ.Kind == wire.KindBool || v.isNull():
		return v, nil
	case v.typ.Kind.Numeric() && v.constant:
		return boolValue(strings.Trim(v.literal, "-0.") != ""), nil
	case v.typ.Kind.Numeric():
		return binary(v, "<>", intValue(0), powCompare, tBool), nil
	case v.typ.Kind == wire.KindText && !t.postgres():
		n, err := t.numeric(v, at)
		if err != nil {
			return v, err
		}
		return binary(n, "<>", intValue(0), powCompare, tBool), nil
	}
	return v, t.unsupported(at, "this condition", "it is a %s, not true or false", v.typ)
}

// expr translates an expression.
func (t *translator) expr(e tree.Expr, s *scope) (value, error) {
	v, err := t.node(e, s)
	if err != nil {
		return v, err
	}
	return t.absentKey(v, s), nil
}

// node translates an expression by its kind.
func (t *translator) node(e tree.Expr, s *scope) (value, error) {
	if t.work++; t.work > maxWork {
		return value{}, t.unsupported(e, "the query", "it is too complex")
	}
	switch e := e.(type) {
	case *tree.Name:
		return t.name(e, s)
	case *tree.Literal:
		return t.literal(e)
	case *tree.Unary:
		return t.unary(e, s)
	case *tree.Binary:
		return t.binary(e, s)
	case *tree.IsNull:
		v, err := t.expr(e.X, s)
		if err != nil {
			return v, err
		}
		return nullTest(v, e.Not), nil
	case *tree.IsBool:
		return t.isBool(e, s)
	case *tree.Between:
		return t.between(e, s)
	case *tree.Like:
		return t.like(e, s)
	case *tree.In:
		return t.in(e, s)
	case *tree.Case:
		return t.caseOf(e, s)
	case *tree.Cast:
		return t.cast(e, s)
	case *tree.Call:
		return t.call(e, s)
	}
	return t.moreExpr(e, s)
}

func (t *translator) moreExpr(e tree.Expr, s *scope) (value, error) {
	switch e := e.(type) {
	case *tree.Exists:
		return t.exists(e, s)
	case *tree.Subquery:
		return t.scalar(e, s)
	case *tree.Quantified:
		return t.quantified(e, s)
	case *tree.Collate:
		return t.collate(e, s)
	case *tree.Interval:
		return t.interval(e, s)
	case *tree.Row:
		return value{}, t.unsupported(e, "a row of values", "plans compare rows with = and in only")
	case *tree.Star:
		return value{}, t.unsupported(e, "*", "it stands for no value here")
	case *tree.Unsupported:
		return value{}, t.unsupported(e, e.Construct, "plans have nothing for it")
	}
	return value{}, t.unsupported(e, "this expression", "plans have nothing for it")
}

func nullTest(v value, not bool) value {
	if v.constant || v.isNull() {
		return boolValue(v.isNull() != not)
	}
	if not {
		return notNull(v)
	}
	return isNull(v)
}

// name translates a column. SQLite takes "x" for a text when there is no such
// column.
func (t *translator) name(n *tree.Name, s *scope) (value, error) {
	v, ok, err := t.lookup(s, n)
	if err != nil {
		return v, err
	}
	if ok {
		return v, nil
	}
	if t.sqlite() && len(n.Parts) == 1 && n.Quoted == '"' {
		return textValue(n.Parts[0]), nil
	}
	return v, t.fault(UnknownName, n, "the column "+strings.Join(n.Parts, "."), "there is no such column in the tables of the query")
}

func (t *translator) unary(n *tree.Unary, s *scope) (value, error) {
	if n.Op == "not" {
		return t.not(n, s)
	}
	v, err := t.expr(n.X, s)
	if err != nil {
		return v, err
	}
	if v.span != nil && v.span.unit != "" && n.Op == "-" {
		out := *v.span
		out.count = minus(out.count)
		v.span = &out
		return v, nil
	}
	v, err = t.numeric(v, n)
	switch {
	case err != nil || n.Op == "+":
		return v, err
	case n.Op == "-":
		return minus(v), nil
	}
	return v, t.unsupported(n, "the operator "+n.Op, "plans do not calculate with bits")
}

func minus(v value) value {
	out := v
	out.text, out.power = "-"+v.in(powNeg+1), powNeg
	if v.constant {
		out.literal = strings.TrimPrefix("-"+v.literal, "--")
		out.text = out.literal
	}
	return out
}

// not turns a condition around. A test of membership has an opposite of its own.
func (t *translator) not(n *tree.Unary, s *scope) (value, error) {
	switch x := n.X.(type) {
	case *tree.In:
		turned := *x
		turned.Not = !x.Not
		return t.in(&turned, s)
	case *tree.Unary:
		if x.Op == "not" {
			return t.cond(x.X, s)
		}
	case *tree.Binary:
		if op := map[string]string{"and": "or", "or": "and"}[x.Op]; op != "" && tree.Find(x, isMembership) {
			return t.binary(&tree.Binary{Pos: x.Pos, Op: op, L: &tree.Unary{Pos: n.Pos, Op: "not", X: x.L}, R: &tree.Unary{Pos: n.Pos, Op: "not", X: x.R}}, s)
		}
	}
	v, err := t.cond(n.X, s)
	if err != nil {
		return v, err
	}
	return negate(v), nil
}

func isMembership(e tree.Expr) bool {
	in, ok := e.(*tree.In)
	return ok && in.Query != nil
}

func (t *translator) isBool(n *tree.IsBool, s *scope) (value, error) {
	v, err := t.cond(n.X, s)
	if err != nil {
		return v, err
	}
	if !n.Want {
		v = negate(v)
	}
	if !n.Not && !v.nullable {
		return v, nil
	}
	yes, no := boolValue(!n.Not), boolValue(n.Not)
	return choice(tBool, &no, v, yes), nil
}

func (t *translator) between(n *tree.Between, s *scope) (value, error) {
	x, err := t.expr(n.X, s)
	if err != nil {
		return x, err
	}
	low, err := t.expr(n.Low, s)
	if err != nil {
		return x, err
	}
	high, err := t.expr(n.High, s)
	if err != nil {
		return x, err
	}
	from, err := t.compare(">=", x, low, n)
	if err != nil {
		return x, err
	}
	to, err := t.compare("<=", x, high, n)
	if err != nil {
		return x, err
	}
	both := allOf(from, to)
	if n.Not {
		return negate(both), nil
	}
	return both, nil
}

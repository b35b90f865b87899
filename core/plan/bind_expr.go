package plan

import (
	"fmt"

	"querent.dev/querent/sdk/wire"
)

// exprBinder binds the expressions of one clause.
type exprBinder struct {
	*blockBinder
	src          string
	scopes       [][]*Source // innermost first
	noAggregates string      // why an aggregate cannot stand here; "" when it can
	noWindows    string      // why a window cannot stand here; "" when it can
	labels       bool        // names that are no column may be labels
	// attribute gives the caller's attributes in the condition of a policy; nil in
	// a plan.
	attribute func(name string) (string, bool)
}

// parse binds the whole clause as one expression.
func (e *exprBinder) parse() (Expr, error) {
	n, err := parseExpr(e.src)
	if err != nil {
		return nil, err
	}
	return e.value(n)
}

// condition binds the whole clause as a condition.
func (e *exprBinder) condition() (Expr, error) {
	n, err := parseExpr(e.src)
	if err != nil {
		return nil, err
	}
	return e.isCondition(n)
}

// isCondition binds a node that must be true or false.
func (e *exprBinder) isCondition(n node) (Expr, error) {
	x, err := e.value(n)
	if err != nil {
		return nil, err
	}
	if k := x.Type().Kind; k != wire.KindBool && k != wire.KindNull {
		err := fault(e.src, n.offset(), "a condition is needed here, not %s", typeName(x.Type()))
		if k.Numeric() {
			return nil, err.hint("compare it, for example with <> 0")
		}
		return nil, err.hint("compare it with something")
	}
	return x, nil
}

// value binds a node. An operand that is repeated where it is spelled out, at
// several levels, would grow without bound; so what is bound is measured.
func (e *exprBinder) value(n node) (Expr, error) {
	x, err := e.bound(n)
	if err == nil && tooLarge(x) {
		err = e.fault(n, "the expression is too large")
	}
	return x, err
}

func tooLarge(x Expr) bool {
	nodes := 0
	// The binder makes no expression that Walk does not know.
	_ = Walk(x, func(Expr) bool {
		nodes++
		return nodes <= maxNodes
	})
	return nodes > maxNodes
}

func (e *exprBinder) bound(n node) (Expr, error) {
	switch n := n.(type) {
	case *groupNode:
		return e.value(n.node)
	case *nameNode:
		return e.name(n)
	case *literalNode:
		return literal(n.value), nil
	case *unaryNode:
		return e.unary(n)
	case *binaryNode:
		return e.binary(n)
	case *isNullNode:
		x, err := e.value(n.x)
		return &IsNull{X: x, Negate: n.negate}, err
	case *inNode:
		return e.inList(n)
	case *betweenNode:
		return e.between(n)
	case *likeNode:
		return e.like(n)
	case *caseNode:
		return e.caseOf(n)
	case *castNode:
		return e.cast(n)
	case *callNode:
		return e.call(n)
	case *duringNode:
		return e.during(n)
	}
	return nil, fmt.Errorf("plan: a node of type %T is not bound", n)
}

func (e *exprBinder) fault(n node, format string, args ...any) *Error {
	return fault(e.src, n.offset(), format, args...)
}

func (e *exprBinder) unary(n *unaryNode) (Expr, error) {
	if n.op == "not" {
		x, err := e.isCondition(n.x)
		if err != nil {
			return nil, err
		}
		return negated(x), nil
	}
	x, err := e.value(n.x)
	if err != nil {
		return nil, err
	}
	if k := x.Type().Kind; !k.Numeric() && k != wire.KindNull {
		return nil, e.fault(n, "'-' needs a number, not %s", typeName(x.Type()))
	}
	switch x := x.(type) {
	case *Literal:
		return minus(x), nil
	case *Neg:
		return x.X, nil
	}
	return &Neg{X: x}, nil
}

// negated is the opposite of a condition, in its shortest form.
func negated(x Expr) Expr {
	switch x := x.(type) {
	case *Not:
		return x.X
	case *IsNull:
		return &IsNull{X: x.X, Negate: !x.Negate}
	case *InList:
		return &InList{X: x.X, List: x.List, Negate: !x.Negate}
	case *InBlock:
		return &InBlock{X: x.X, Block: x.Block, Negate: !x.Negate}
	case *Exists:
		return &Exists{Source: x.Source, Cond: x.Cond, Negate: !x.Negate}
	case *Between:
		return &Between{X: x.X, Low: x.Low, High: x.High, Negate: !x.Negate}
	case *Like:
		return &Like{X: x.X, Pattern: x.Pattern, Negate: !x.Negate}
	}
	return &Not{X: x}
}

// minus is the number with the other sign.
func minus(x *Literal) Expr {
	switch v := x.Value; v.Kind() {
	case wire.KindInt:
		if i := v.Int(); -i != i || i == 0 {
			return literal(wire.Int(-i))
		}
	case wire.KindFloat:
		return literal(wire.Float(-v.Float()))
	case wire.KindNull:
		return x
	}
	text := x.Value.String()
	if text[0] == '-' {
		text = text[1:]
	} else {
		text = "-" + text
	}
	// An integer or decimal with its sign changed is a number still; the smallest
	// of all integers, whose opposite has no place among them, becomes a decimal.
	v, _ := parseNumber(text)
	return literal(v)
}

func (e *exprBinder) binary(n *binaryNode) (Expr, error) {
	switch n.op {
	case OpAnd, OpOr:
		l, err := e.isCondition(n.l)
		if err != nil {
			return nil, err
		}
		r, err := e.isCondition(n.r)
		return &Binary{Op: n.op, L: l, R: r, T: boolType}, err
	case OpEq, OpNe, OpLt, OpLe, OpGt, OpGe:
		return e.comparison(n)
	}
	l, err := e.value(n.l)
	if err != nil {
		return nil, err
	}
	r, err := e.value(n.r)
	if err != nil {
		return nil, err
	}
	if n.op == OpConcat {
		return e.concat(n, l, r)
	}
	return e.arithmetic(n, l, r)
}

// arithmetic binds + - * / %. Dates are moved and subtracted by functions.
func (e *exprBinder) arithmetic(n *binaryNode, l, r Expr) (Expr, error) {
	a, b := l.Type(), r.Type()
	if a.Kind.Temporal() || b.Kind.Temporal() {
		err := e.fault(n, "%s does not calculate with dates", quote(string(n.op)))
		if a.Kind.Temporal() && b.Kind.Temporal() {
			return nil, err.hint("write days_between(start, end)")
		}
		return nil, err.hint("write add_days(x, n), add_months(x, n) or add_years(x, n)")
	}
	for _, side := range []struct {
		node node
		t    wire.Type
	}{{n.l, a}, {n.r, b}} {
		if k := side.t.Kind; !k.Numeric() && k != wire.KindNull {
			err := e.fault(side.node, "%s needs numbers, not %s", quote(string(n.op)), typeName(side.t))
			if k == wire.KindText {
				err = err.hint("join texts with ||, or read a number with number(x)")
			}
			return nil, err
		}
	}
	return &Binary{Op: n.op, L: l, R: r, T: arithmetic(n.op, a, b)}, nil
}

// concat joins texts. What has one way to be written as text is written so.
func (e *exprBinder) concat(n *binaryNode, l, r Expr) (Expr, error) {
	a, err := e.asText(n.l, l)
	if err != nil {
		return nil, err
	}
	b, err := e.asText(n.r, r)
	return &Binary{Op: OpConcat, L: a, R: b, T: wire.Type{Kind: wire.KindText}}, err
}

func (e *exprBinder) asText(n node, x Expr) (Expr, error) {
	if k := x.Type().Kind; k == wire.KindText || k == wire.KindNull {
		return x, nil
	}
	f, _ := FindFunction("text")
	t, err := f.Check([]wire.Type{x.Type()})
	if err != nil {
		return nil, e.fault(n, "'||' joins texts, not %s", typeName(x.Type())).hint("write it as text first: text(x, 2) for a number with a fraction")
	}
	return &Call{Func: f, Args: []Expr{x}, T: t}, nil
}

// like binds a pattern, which is compared without regard to the case of a to z.
func (e *exprBinder) like(n *likeNode) (Expr, error) {
	x, err := e.value(n.x)
	if err != nil {
		return nil, err
	}
	pattern, err := e.value(n.pattern)
	if err != nil {
		return nil, err
	}
	for _, side := range []Expr{x, pattern} {
		if k := side.Type().Kind; k != wire.KindText && k != wire.KindNull {
			return nil, e.fault(n, "'like' compares texts, not %s", typeName(side.Type())).hint("write it as text first: text(x)")
		}
	}
	return &Like{X: x, Pattern: pattern, Negate: n.negate}, nil
}

// forbidAggregates refuses an expression with an aggregate, or a window, where none
// can stand.
func (e *exprBinder) forbidAggregates(x Expr, offset int) error {
	if e.noWindows != "" && hasWindow(x) {
		return fault(e.src, offset, "%s", e.noWindows)
	}
	if e.noAggregates == "" || !hasAggregate(x) {
		return nil
	}
	return fault(e.src, offset, "%s", e.noAggregates)
}

// isAggregate reports whether e itself is a call of an aggregate.
func isAggregate(e Expr) bool {
	c, ok := e.(*Call)
	return ok && c.Func.Kind == AggregateFunction
}

// hasAggregate reports whether e holds an aggregate over the rows of its block.
func hasAggregate(e Expr) bool {
	found := false
	walkRow(e, func(x Expr) bool {
		found = found || isAggregate(x)
		return !found
	})
	return found
}

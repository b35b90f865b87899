package plan

import (
	"slices"
	"strings"
	"time"

	"querent.dev/querent/sdk/wire"
)

// dayOf is date(x).
func dayOf(x Expr) Expr {
	f, _ := FindFunction("date")
	return &Call{Func: f, Args: []Expr{x}, T: wire.Type{Kind: wire.KindDate}}
}

// asDay makes a day of a timestamp at midnight, and leaves any other constant.
func asDay(c *Literal) *Literal {
	if day, ok := strings.CutSuffix(c.Value.String(), "T00:00:00"); ok && c.T.Kind == wire.KindTimestamp {
		if v, ok := parseLiteral(wire.KindDate, day); ok {
			return literal(v)
		}
	}
	return c
}

// inZone turns a wall clock of the clock's zone into an instant, and back.
func (e *exprBinder) inZone(c *Literal, kind wire.Kind) *Literal {
	t, ok := e.scope.Clock.timeOf(c.Value)
	if !ok || c.T.Kind == kind {
		return c
	}
	v := wire.TimestampTZ(t)
	if kind != wire.KindTimestampTZ {
		v = wire.Timestamp(t.In(e.scope.Clock.Now.Location()))
	}
	return &Literal{Value: v, T: wire.Type{Kind: v.Kind()}, Relative: c.Relative}
}

// midnight is the beginning of a constant day as a constant of the kind.
func (e *exprBinder) midnight(c *Literal, kind wire.Kind) *Literal {
	t, _ := e.scope.Clock.timeOf(c.Value) // a date always reads back
	v := moment(t, kind)
	return &Literal{Value: v, T: wire.Type{Kind: v.Kind()}, Relative: c.Relative}
}

// nextDay is the day after a constant day; false at the end of the calendar.
func (e *exprBinder) nextDay(c *Literal) (*Literal, bool) {
	f, _ := FindFunction("add_days")
	next, ok := e.fold(&Call{Func: f, Args: []Expr{c, literal(wire.Int(1))}, T: c.T}).(*Literal)
	return next, ok
}

var mirrored = map[BinaryOp]BinaryOp{OpEq: OpEq, OpNe: OpNe, OpLt: OpGt, OpLe: OpGe, OpGt: OpLt, OpGe: OpLe}

// wholeDay compares a day with a timestamp: the day stands for all of its hours,
// so that <= a day includes them. It is false for any other comparison.
func (e *exprBinder) wholeDay(n node, op BinaryOp, l, r side) (Expr, bool, error) {
	if l.expr.Type().Kind == wire.KindDate {
		l, r, op = r, l, mirrored[op]
	}
	kind := l.expr.Type().Kind
	if r.expr.Type().Kind != wire.KindDate || kind != wire.KindTimestamp && kind != wire.KindTimestampTZ {
		return nil, false, nil
	}
	if day, ok := constant(r.expr); ok {
		x, err := e.withDay(op, l.expr, day, kind)
		return x, true, err
	}
	if at, ok := constant(l.expr); ok {
		x, err := e.dayWithTime(n, mirrored[op], r.expr, at)
		return x, true, err
	}
	return &Binary{Op: op, L: dayOf(l.expr), R: r.expr, T: boolType}, true, nil
}

// withDay compares a timestamp with a constant day by half-open bounds, which an
// index serves. The last day of the calendar has no end to compare with.
func (e *exprBinder) withDay(op BinaryOp, x Expr, day *Literal, kind wire.Kind) (Expr, error) {
	next, ok := e.nextDay(day)
	if !ok {
		return &Binary{Op: op, L: dayOf(x), R: day, T: boolType}, nil
	}
	test := func(op BinaryOp, bound *Literal) Expr {
		return &Binary{Op: op, L: x, R: e.midnight(bound, kind), T: boolType}
	}
	switch op {
	case OpLt, OpGe:
		return test(op, day), nil
	case OpLe:
		return test(OpLt, next), nil
	case OpGt:
		return test(OpGe, next), nil
	}
	var is Expr = &Binary{Op: OpAnd, L: test(OpGe, day), R: test(OpLt, next), T: boolType}
	if day.Relative == "" {
		p, err := parsePeriod(day.Value.String(), e.scope.Clock)
		if err != nil {
			return nil, err
		}
		is = &During{X: x, Text: p.text, From: moment(p.from, kind), To: moment(p.to, kind)}
	}
	if op == OpNe {
		return negated(is), nil
	}
	return is, nil
}

// dayWithTime compares a day, which begins at midnight, with a constant time of
// some day.
func (e *exprBinder) dayWithTime(n node, op BinaryOp, day Expr, at *Literal) (Expr, error) {
	t, ok := e.scope.Clock.timeOf(at.Value)
	if !ok || op == OpEq || op == OpNe {
		return nil, e.fault(n, "a day is not equal to a time of day").hint("compare it with a day: %s", literalForm(wire.KindDate))
	}
	bound := literal(wire.Date(t))
	if at.Relative != "" {
		bound.Relative = "date(" + at.Relative + ")"
	}
	if op == OpLt || op == OpLe {
		return &Binary{Op: OpLe, L: day, R: bound, T: boolType}, nil
	}
	return &Binary{Op: OpGt, L: day, R: bound, T: boolType}, nil
}

var weekdays = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

// dayNumber is x, or the number of the weekday that it names when it is compared
// with weekday(…).
func dayNumber(x, other Expr) Expr {
	c, named := constant(x)
	call, ok := other.(*Call)
	if !named || !ok || call.Func.Name != "weekday" || c.T.Kind != wire.KindText {
		return x
	}
	name := strings.ToLower(c.Value.String())
	for day := time.Sunday; day <= time.Saturday; day++ {
		full := strings.ToLower(day.String())
		if i := slices.Index(weekdays, full[:3]); name == full || name == weekdays[i] {
			return literal(wire.Int(int64(i + 1)))
		}
	}
	return x
}

package sqlgen

import (
	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/wire"
)

// cast converts; a text that is not of the type becomes null.
func (d postgres) cast(r *renderer, e *plan.Cast) {
	fromText := e.X.Type().Kind == wire.KindText
	switch e.T.Kind {
	case wire.KindInt:
		d.ifNumber(r, e.X, fromText, func() { r.put("trunc(", e.X, "::numeric)::bigint") })
	case wire.KindFloat:
		d.toFloat(r, e.X, fromText)
	case wire.KindDecimal:
		d.ifNumber(r, e.X, fromText, func() { d.toDecimal(r, e) })
	case wire.KindTimestamp:
		if fromText {
			d.read(r, func() { r.put(e.X) }, wire.KindTimestamp)
			return
		}
		d.wall(r, e.X)
	default:
		r.fail(malformed("there is no cast to %s", e.T))
	}
}

// toFloat writes a number as a double; a column needs one cast, not two.
func (d postgres) toFloat(r *renderer, x plan.Expr, fromText bool) {
	if c, ok := x.(*plan.Column); ok && !fromText && !masked(c) && !isReal(c) {
		r.raw(c)
		r.put("::float8")
		return
	}
	d.ifNumber(r, x, fromText, func() { r.put(x, "::float8") })
}

// toDecimal rounds to the scale, half away from zero where the scale leaves room
// for that.
func (postgres) toDecimal(r *renderer, e *plan.Cast) {
	if e.T.Scale > maxScaledDigits {
		r.put("round(", e.X, "::numeric, ", itoa(int64(e.T.Scale)), ")")
		return
	}
	postgresRound(r, e.X, int64(e.T.Scale))
}

// postgresRound rounds half away from zero. A float such as 1.005 is a little
// below its decimal; rounding to six digits more first brings it back to the
// half.
func postgresRound(r *renderer, x plan.Expr, n int64) {
	if n >= 0 && x.Type().Kind == wire.KindInt {
		r.put(x)
		return
	}
	r.put("round(round(", x, "::numeric, ", itoa(n+roundingDigits), "), ", itoa(n), ")")
	if x.Type().Kind == wire.KindInt {
		r.put("::bigint")
	}
}

// roundingDigits are the digits to which a number is rounded beyond those asked
// for, before it is rounded to them.
const roundingDigits = 6

// postgresCut cuts digits off, after the rounding that takes away the error of a
// float.
func postgresCut(r *renderer, c *plan.Call) {
	x, n := c.Args[0], digits(c)
	switch {
	case n >= 0 && x.Type().Kind == wire.KindInt:
		r.put(x)
	case x.Type().Kind == wire.KindInt:
		r.put("trunc(", x, "::numeric, ", itoa(n), ")::bigint")
	default:
		r.put("trunc(round(", x, "::numeric, ", itoa(n+roundingDigits), "), ", itoa(n), ")")
	}
}

// postgresDiv cuts toward zero; by zero it is null.
func postgresDiv(r *renderer, c *plan.Call) {
	a, b := c.Args[0], c.Args[1]
	if a.Type().Kind == wire.KindInt && b.Type().Kind == wire.KindInt {
		r.put("(", a, " / NULLIF(", b, ", 0))")
		return
	}
	r.put("trunc(round((", asFloat(a), " / NULLIF(", asFloat(b), ", 0))::numeric, 9))::bigint")
}

func postgresNumber(r *renderer, c *plan.Call) {
	x := c.Args[0]
	if x.Type().Kind != wire.KindText {
		r.put(x)
		return
	}
	postgres{}.toFloat(r, x, true)
}

// ifNumber writes the conversion of a text, guarded so that it is null unless
// the whole text is a number.
func (postgres) ifNumber(r *renderer, x plan.Expr, fromText bool, convert func()) {
	if !fromText {
		convert()
		return
	}
	r.put("CASE WHEN ", x, ` COLLATE "C" ~ `, numberPattern, " THEN ", convert, " END")
}

// postgresText writes the function text(x [, digits]).
func postgresText(r *renderer, c *plan.Call) {
	x, t, n := c.Args[0], c.Args[0].Type(), int64(-1)
	if len(c.Args) > 1 {
		n = digits(c)
	}
	if n < 0 && t.Kind == wire.KindDecimal && t.Precision > 0 {
		n = int64(t.Scale)
	}
	switch {
	case t.Kind == wire.KindBool:
		r.put("CASE WHEN ", x, " THEN 'true' WHEN NOT ", x, " THEN 'false' END")
	case t.Kind == wire.KindDate:
		postgresFormat("YYYY-MM-DD")(r, c)
	case t.Kind.Temporal():
		postgresFormat("YYYY-MM-DD HH24:MI:SS")(r, c)
	case t.Kind == wire.KindInt && n >= 0:
		r.put("round(", x, "::numeric, ", itoa(n), ")::text")
	case t.Kind.Numeric() && n >= 0:
		postgresRound(r, x, n)
		r.put("::text")
	default:
		r.put(x, "::text")
	}
}

package sqlgen

import (
	"strconv"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/wire"
)

// roundable is the decimal through which floats are rounded: digits enough before
// the point for any whole number of a double, and fifteen behind it.
const roundable = " AS DECIMAL(65,15))"

// mysqlFloat makes a double of a float of four bytes, by the six digits that the
// database shows where they are all that it holds: the double next to it has others.
func mysqlFloat(r *renderer, raw func()) {
	shown := func() { r.put("CAST(", raw, " AS CHAR)") }
	r.put("CASE WHEN CAST(", shown, " AS FLOAT) = ", raw, " THEN CAST(", shown, " AS DOUBLE) ELSE CAST(", raw, " AS DOUBLE) END")
}

// cast converts; a text that is not of the type becomes null.
func (d mysql) cast(r *renderer, e *plan.Cast) {
	fromText := e.X.Type().Kind == wire.KindText
	switch e.T.Kind {
	case wire.KindInt:
		d.ifNumber(r, e.X, fromText, func() { r.put("CAST(TRUNCATE(", func() { d.number(r, e.X, roundable) }, ", 0) AS SIGNED)") })
	case wire.KindFloat:
		d.ifNumber(r, e.X, fromText, func() { d.number(r, e.X, " AS DOUBLE)") })
	case wire.KindDecimal:
		d.ifNumber(r, e.X, fromText, func() { d.toDecimal(r, e) })
	case wire.KindTimestamp:
		if fromText {
			d.read(r, func() { r.put(e.X) }, wire.KindTimestamp)
			return
		}
		r.put("CAST(", func() { d.local(r, e.X) }, " AS DATETIME(6))")
	default:
		r.fail(malformed("there is no cast to %s", e.T))
	}
}

// number writes a number, or a text that is one, as another type.
func (mysql) number(r *renderer, x plan.Expr, as string) {
	if x.Type().Kind == wire.KindText {
		r.put("CAST(TRIM(", x, ")", as)
		return
	}
	r.put("CAST(", x, as)
}

// toDecimal rounds to the scale, half away from zero where the scale leaves room
// for that.
func (d mysql) toDecimal(r *renderer, e *plan.Cast) {
	if e.T.Scale > maxScaledDigits {
		d.number(r, e.X, " AS DECIMAL("+strconv.Itoa(maxPrecision)+","+itoa(int64(scaleFor(e.T, maxScale)))+"))")
		return
	}
	mysqlRound(r, e.X, int64(e.T.Scale))
}

// mysqlRound rounds half away from zero. A float such as 1.005 is a little below
// its decimal; rounding to six digits more first brings it back to the half.
func mysqlRound(r *renderer, x plan.Expr, n int64) {
	if n >= 0 && x.Type().Kind == wire.KindInt {
		r.put(x)
		return
	}
	rounded := func() {
		r.put("ROUND(ROUND(", func() { mysql{}.number(r, x, roundable) }, ", ", itoa(n+roundingDigits), "), ", itoa(n), ")")
	}
	if x.Type().Kind == wire.KindInt {
		r.put("CAST(", rounded, " AS SIGNED)")
		return
	}
	rounded()
}

// mysqlCut cuts digits off, after the rounding that takes away the error of a
// float.
func mysqlCut(r *renderer, c *plan.Call) {
	x, n := c.Args[0], digits(c)
	switch {
	case n >= 0 && x.Type().Kind == wire.KindInt:
		r.put(x)
	case x.Type().Kind == wire.KindInt:
		r.put("CAST(TRUNCATE(", x, ", ", itoa(n), ") AS SIGNED)")
	default:
		r.put("TRUNCATE(ROUND(CAST(", x, roundable, ", ", itoa(n+roundingDigits), "), ", itoa(n), ")")
	}
}

// mysqlDiv cuts toward zero; by zero it is null.
func mysqlDiv(r *renderer, c *plan.Call) {
	a, b := c.Args[0], c.Args[1]
	if a.Type().Kind == wire.KindInt && b.Type().Kind == wire.KindInt {
		r.put("(", a, " DIV NULLIF(", b, ", 0))")
		return
	}
	r.put("CAST(TRUNCATE(ROUND(", asFloat(a), " / NULLIF(", b, ", 0), 9), 0) AS SIGNED)")
}

func mysqlNumber(r *renderer, c *plan.Call) {
	x := c.Args[0]
	if x.Type().Kind != wire.KindText {
		r.put(x)
		return
	}
	mysql{}.ifNumber(r, x, true, func() { mysql{}.number(r, x, " AS DOUBLE)") })
}

// ifNumber writes the conversion of a text, guarded so that it is null unless
// the whole text is a number.
func (mysql) ifNumber(r *renderer, x plan.Expr, fromText bool, convert func()) {
	if !fromText {
		convert()
		return
	}
	r.put("CASE WHEN ", x, " REGEXP ", numberPattern, " THEN ", convert, " END")
}

// mysqlText writes the function text(x [, digits]).
func mysqlText(r *renderer, c *plan.Call) {
	x, t, n := c.Args[0], c.Args[0].Type(), int64(-1)
	if len(c.Args) > 1 {
		n = digits(c)
	}
	if n < 0 && t.Kind == wire.KindDecimal && t.Precision > 0 {
		n = int64(t.Scale)
	}
	switch {
	case t.Kind == wire.KindText:
		r.put(x)
	case t.Kind == wire.KindBool:
		r.put("CASE WHEN ", x, " THEN 'true' WHEN NOT ", x, " THEN 'false' END")
	case t.Kind == wire.KindDate:
		mysqlTime("DATE_FORMAT(", ", '%Y-%m-%d')")(r, c)
	case t.Kind.Temporal():
		mysqlTime("DATE_FORMAT(", ", '%Y-%m-%d %H:%i:%s')")(r, c)
	case t.Kind == wire.KindInt && n >= 0:
		r.put("CAST(CAST(", x, " AS DECIMAL(65,"+itoa(n)+")) AS CHAR)")
	case t.Kind.Numeric() && n >= 0:
		r.put("CAST(", func() { mysqlRound(r, x, n) }, " AS CHAR)")
	default:
		r.put("CAST(", x, " AS CHAR)")
	}
}

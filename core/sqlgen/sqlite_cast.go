package sqlgen

import (
	"strconv"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/wire"
)

// cast converts; a text that is not of the type becomes null.
func (d sqlite) cast(r *renderer, e *plan.Cast) {
	fromText := e.X.Type().Kind == wire.KindText
	switch e.T.Kind {
	case wire.KindInt:
		ifNumber(r, e.X, fromText, func() { r.put("CAST(", exact{e.X}, " AS INTEGER)") })
	case wire.KindFloat:
		ifNumber(r, e.X, fromText, func() { r.put("CAST(", e.X, " AS REAL)") })
	case wire.KindDecimal:
		ifNumber(r, e.X, fromText, func() { d.toDecimal(r, e) })
	case wire.KindTimestamp:
		d.toTimestamp(r, e.X, fromText)
	default:
		r.fail(malformed("there is no cast to %s", e.T))
	}
}

// toDecimal rounds to the scale, half away from zero where the scale leaves room
// for that.
func (sqlite) toDecimal(r *renderer, e *plan.Cast) {
	if e.T.Scale > maxScaledDigits {
		r.put("round(CAST(", e.X, " AS REAL), "+strconv.Itoa(int(e.T.Scale))+")")
		return
	}
	unit := wire.Float(powerOfTen(int64(e.T.Scale)))
	r.put("(round(round(CAST(", e.X, " AS REAL) * ", unit, ", 6)) / ", unit, ")")
}

// toTimestamp gives an instant as the wall clock of the clock's zone.
func (d sqlite) toTimestamp(r *renderer, x plan.Expr, fromText bool) {
	text := func() { r.put("strftime(", stampFormat(wire.KindTimestamp), ", ", func() { d.localArgs(r, x) }, ")") }
	if fromText {
		r.put("CASE WHEN ", func() { writesDay(r, x) }, " THEN ", text, " END")
		return
	}
	text()
}

// toText writes a value as text. Numbers with a fraction are written with as
// many digits after the point as asked for, or as they have; -1 asks for none.
func (sqlite) toText(r *renderer, x plan.Expr, n int64) {
	t := x.Type()
	if n < 0 && t.Kind == wire.KindDecimal && t.Precision > 0 {
		n = int64(t.Scale)
	}
	switch {
	case t.Kind == wire.KindBool:
		r.put("CASE WHEN ", x, " THEN 'true' WHEN NOT ", x, " THEN 'false' END")
	case t.Kind == wire.KindDate:
		sqlite{}.day(r, x)
	case t.Kind == wire.KindTimestamp, t.Kind == wire.KindTimestampTZ:
		r.put("strftime('%Y-%m-%d %H:%M:%S', ")
		sqlite{}.localArgs(r, x)
		r.put(")")
	case t.Kind.Numeric() && n >= 0:
		// Adding zero takes the sign off a negative zero.
		text := func() { r.put("printf('%.*f', ", wire.Int(n), ", ", func() { sqliteRound(r, x, n) }, " + 0.0)") }
		r.put("CASE WHEN ", x, " IS NOT NULL THEN ", text, " END") // printf makes a zero of null
	default:
		r.put("CAST(", x, " AS TEXT)")
	}
}

// sqliteText writes the function text(x [, digits]).
func sqliteText(r *renderer, c *plan.Call) {
	n := int64(-1)
	if len(c.Args) > 1 {
		n = digits(c)
	}
	sqlite{}.toText(r, c.Args[0], n)
}

// sqliteNumber writes the function number(text).
func sqliteNumber(r *renderer, c *plan.Call) {
	x := c.Args[0]
	ifNumber(r, x, x.Type().Kind == wire.KindText, func() {
		if x.Type().Kind == wire.KindText {
			r.put("CAST(", x, " AS REAL)")
			return
		}
		r.put(x)
	})
}

// ifNumber writes the conversion of a text, guarded so that it is null unless
// the whole text is a number: spaces around, a sign, digits, at most one point.
func ifNumber(r *renderer, x plan.Expr, fromText bool, convert func()) {
	if !fromText {
		convert()
		return
	}
	unsigned := func() {
		r.put("substr(trim(", x, "), 1 + (substr(trim(", x, "), 1, 1) IN ('+', '-')))")
	}
	r.put("CASE WHEN replace(", unsigned, ", '.', '') NOT GLOB '*[^0-9]*' AND replace(", unsigned, ", '.', '') <> ''",
		" AND length(", unsigned, ") - length(replace(", unsigned, ", '.', '')) <= 1 THEN ", convert, " END")
}

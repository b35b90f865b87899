package sqlgen

import (
	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/wire"
)

// sqliteDiv cuts toward zero, which division of integers does by itself. By zero
// it is null.
func sqliteDiv(r *renderer, c *plan.Call) {
	a, b := c.Args[0], c.Args[1]
	if a.Type().Kind == wire.KindInt && b.Type().Kind == wire.KindInt {
		r.put("(", a, " / ", b, ")")
		return
	}
	// Rounding first brings a quotient such as 0.3 / 0.1 back to the whole number
	// that it is.
	r.put("CAST(round(CAST(", exact{a}, " AS REAL) / ", exact{b}, ", 12) AS INTEGER)")
}

// sqliteCut cuts digits off. Rounding to six digits more first brings a float such as
// 1.15 * 100 back to the number that it stands for.
func sqliteCut(r *renderer, c *plan.Call) {
	x, n := c.Args[0], digits(c)
	unit := wire.Float(powerOfTen(max(n, -n)))
	whole := x.Type().Kind == wire.KindInt
	switch {
	case n >= 0 && whole:
		r.put(x)
	case n == 0:
		r.put("trunc(round(", x, ", 6))")
	case n > 0:
		r.put("(trunc(round(", x, " * ", unit, ", 6)) / ", unit, ")")
	case whole:
		r.put("CAST(trunc(", x, " / ", unit, ") * ", unit, " AS INTEGER)")
	default:
		r.put("(trunc(round(", x, " / ", unit, ", 6)) * ", unit, ")")
	}
}

package sqlgen

import (
	"strconv"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/wire"
)

// sqliteFunctions has a line for every function of the plan.
var sqliteFunctions = map[string]callWriter{
	"count": func(r *renderer, c *plan.Call) { r.aggregate("count", c) },
	"avg":   func(r *renderer, c *plan.Call) { r.aggregate("avg", c) },
	"min":   func(r *renderer, c *plan.Call) { r.aggregate("min", c) },
	"max":   func(r *renderer, c *plan.Call) { r.aggregate("max", c) },
	"sum":   sqliteSum,

	"stddev":     func(r *renderer, c *plan.Call) { r.aggregate("querent_stddev", c) },
	"variance":   func(r *renderer, c *plan.Call) { r.aggregate("querent_variance", c) },
	"median":     percentileOf(func(*renderer, *plan.Call) wire.Value { return wire.Float(0.5) }),
	"percentile": percentileOf(percentilePart),
	"string_agg": sqliteStringAgg,
	"bool_and":   func(r *renderer, c *plan.Call) { r.aggregate("min", c) },
	"bool_or":    func(r *renderer, c *plan.Call) { r.aggregate("max", c) },

	"abs":   named("abs"),
	"sqrt":  named("sqrt"),
	"exp":   named("exp"),
	"ln":    named("ln"),
	"log10": named("log10"),
	"log2":  named("log2"),
	"div":   sqliteDiv,
	"trunc": sqliteCut,
	"pi":    named("pi"), "sin": named("sin"), "cos": named("cos"), "tan": named("tan"), "asin": named("asin"), "acos": named("acos"),
	"atan": named("atan"), "atan2": named("atan2"), "radians": named("radians"), "degrees": named("degrees"),
	"power": named("pow"),
	"sign":  named("sign"),
	"floor": wrapped("CAST(floor(", ") AS INTEGER)"),
	"ceil":  wrapped("CAST(ceil(", ") AS INTEGER)"),
	"round": func(r *renderer, c *plan.Call) { sqliteRound(r, c.Args[0], digits(c)) },

	"lower":       named("lower"),
	"upper":       named("upper"),
	"length":      named("length"),
	"trim":        named("trim"),
	"ltrim":       named("ltrim"),
	"rtrim":       named("rtrim"),
	"substr":      substr("substr", ""),
	"replace":     named("replace"),
	"left":        func(r *renderer, c *plan.Call) { r.put("substr(", c.Args[0], ", 1, ", c.Args[1], ")") },
	"right":       sqliteRight,
	"concat":      sqliteConcat,
	"contains":    position(" > 0)"),
	"starts_with": position(" = 1)"),
	"ends_with":   sqliteEndsWith,
	"position":    named("instr"),
	"like_case":   sqliteLikeCase,
	"lpad":        pad(true),
	"rpad":        pad(false),
	"repeat":      func(r *renderer, c *plan.Call) { sqliteRepeat(r, c.Args[0], c.Args[1]) },
	"reverse":     named("querent_reverse"),
	"text":        sqliteText,
	"number":      sqliteNumber,

	"mask_hash": maskHash("querent_mask_hash(", ", ", ")"),

	"coalesce": named("coalesce"),
	"nullif":   sqliteNullif,
	"greatest": extreme("max"),
	"least":    extreme("min"),

	"year":         timePart("%Y"),
	"month":        timePart("%m"),
	"day":          timePart("%d"),
	"hour":         timePart("%H"),
	"minute":       timePart("%M"),
	"second":       timePart("%S"),
	"quarter":      timeForm("((strftime('%m', ", ") + 2) / 3)"),
	"weekday":      timeForm("((strftime('%w', ", ") + 6) % 7 + 1)"),
	"iso_week":     timeForm("((strftime('%j', ", ", '-3 days', 'weekday 4') - 1) / 7 + 1)"),
	"iso_year":     timeForm("CAST(strftime('%Y', ", ", '-3 days', 'weekday 4') AS INTEGER)"),
	"day_of_year":  timePart("%j"),
	"day_name":     nameOf(dayNames, "%w", 0),
	"month_name":   nameOf(monthNames, "%m", 1),
	"last_day":     timeForm("date(", ", 'start of month', '+1 month', '-1 day')"),
	"make_date":    sqliteMakeDate,
	"year_month":   timeForm("strftime('%Y-%m', ", ")"),
	"date_trunc":   sqliteTrunc,
	"date":         func(r *renderer, c *plan.Call) { sqliteDate(r, c.Args[0]) },
	"add_days":     shift(" || ' days'"),
	"add_months":   shift(" || ' months', 'floor'"),
	"add_years":    shift(" || ' years', 'floor'"),
	"days_between": sqliteDaysBetween,

	"add_hours":       shift(" || ' hours'"),
	"add_minutes":     shift(" || ' minutes'"),
	"add_seconds":     shift(" || ' seconds'"),
	"seconds_between": sqliteSecondsBetween,
	"months_between":  monthsBetween(false),
	"years_between":   monthsBetween(true),
	"epoch":           sqliteEpoch,
	"from_epoch":      sqliteFromEpoch,
}

// percentileOf writes the aggregate that finds the value at a part of the ordered
// numbers.
func percentileOf(part func(*renderer, *plan.Call) wire.Value) callWriter {
	return func(r *renderer, c *plan.Call) {
		p := part(r, c)
		r.aggregateOf("querent_percentile", c, func() { r.put(", ", p) })
	}
}

func percentilePart(r *renderer, c *plan.Call) wire.Value {
	l, ok := c.Args[1].(*plan.Literal)
	if !ok {
		r.fail(malformed("the part of a percentile is no constant"))
		return wire.Null()
	}
	return wire.Float(l.Value.Float())
}

// named writes a function that SQLite has under this name with the same meaning.
func named(name string) callWriter {
	return func(r *renderer, c *plan.Call) {
		r.put(name, "(")
		r.list(len(c.Args), ", ", func(i int) { r.put(exact{c.Args[i]}) })
		r.put(")")
	}
}

// wrapped writes a function of one argument.
func wrapped(before, after string) callWriter {
	return func(r *renderer, c *plan.Call) { r.put(before, exact{c.Args[0]}, after) }
}

// sqliteSum rounds a sum of decimals to their scale: SQLite adds floats.
func sqliteSum(r *renderer, c *plan.Call) {
	if c.T.Kind != wire.KindDecimal || c.T.Precision == 0 {
		r.aggregate("sum", c)
		return
	}
	r.put("round(")
	r.aggregate("sum", c)
	r.put(", "+strconv.Itoa(int(c.T.Scale)), ")")
}

// digits is the constant number of digits of a call of round or text, 0 if it
// has none.
func digits(c *plan.Call) int64 {
	if len(c.Args) < 2 {
		return 0
	}
	if l, ok := c.Args[1].(*plan.Literal); ok {
		return l.Value.Int()
	}
	return 0
}

// sqliteRound rounds half away from zero as exact decimals do. A float such as
// 1.005 is a little below its decimal; rounding to six digits more first brings
// it back to the half.
func sqliteRound(r *renderer, x plan.Expr, n int64) {
	unit := wire.Float(powerOfTen(max(n, -n)))
	switch {
	case n >= 0 && x.Type().Kind == wire.KindInt:
		r.put(x)
	case n == 0:
		r.put("round(round(", x, ", 6))")
	case n > 0:
		r.put("(round(round(", x, " * ", unit, ", 6)) / ", unit, ")")
	case x.Type().Kind == wire.KindInt:
		r.put("CAST(round(round(", x, " / ", unit, ", 6)) * ", unit, " AS INTEGER)")
	default:
		r.put("(round(round(", x, " / ", unit, ", 6)) * ", unit, ")")
	}
}

// sqliteRight counts from the start, since a start of -0 is the whole text.
func sqliteRight(r *renderer, c *plan.Call) {
	r.put("substr(", c.Args[0], ", max(length(", c.Args[0], ") - ", c.Args[1], ", 0) + 1)")
}

func sqliteConcat(r *renderer, c *plan.Call) {
	r.put("(")
	r.list(len(c.Args), " || ", func(i int) { r.put("coalesce(", c.Args[i], ", '')") })
	r.put(")")
}

// position tests where the second text stands in the first, folding A to Z.
func position(test string) callWriter {
	return func(r *renderer, c *plan.Call) { r.put("(instr(lower(", c.Args[0], "), lower(", c.Args[1], "))", test) }
}

func sqliteEndsWith(r *renderer, c *plan.Call) {
	s, part := c.Args[0], c.Args[1]
	r.put("(substr(lower(", s, "), max(length(", s, ") - length(", part, "), 0) + 1) = lower(", part, "))")
}

func sqliteNullif(r *renderer, c *plan.Call) {
	equal := func() { sqlite{}.compare(r, plan.OpEq, c.Args[0], c.Args[1]) }
	r.put("CASE WHEN ", equal, " THEN NULL ELSE ", exact{c.Args[0]}, " END")
}

// extreme takes the greatest or the least and skips nulls, which SQLite's own
// function does not: each argument stands in with the next ones behind it.
func extreme(name string) callWriter {
	return func(r *renderer, c *plan.Call) {
		n := len(c.Args)
		r.put(name, "(")
		r.list(n, ", ", func(i int) {
			r.put("coalesce(")
			r.list(n, ", ", func(j int) { orderedValue(r, c.Args[(i+j)%n]) })
			r.put(")")
		})
		r.put(")")
	}
}

// orderedValue writes a value that sorts as it should: timestamps come in
// several forms.
func orderedValue(r *renderer, e plan.Expr) {
	kind := e.Type().Kind
	if kind != wire.KindTimestamp && kind != wire.KindTimestampTZ {
		r.put(exact{e})
		return
	}
	stamp(r, e, "")
}

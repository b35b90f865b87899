package sqlgen

import (
	"cmp"
	"strings"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/wire"
)

// timeForm writes a date function around its argument.
func timeForm(before, after string) callWriter {
	return func(r *renderer, c *plan.Call) {
		r.put(before)
		sqlite{}.localArgs(r, c.Args[0])
		r.put(after)
	}
}

func timePart(format string) callWriter {
	return timeForm("CAST(strftime('"+format+"', ", ") AS INTEGER)")
}

// stamp writes a moment as ISO text of its kind, after the modifiers.
func stamp(r *renderer, e plan.Expr, modifiers string) {
	r.put("strftime(", stampFormat(e.Type().Kind), ", ")
	sqlite{}.timeArgs(r, e)
	r.put(modifiers, ")")
}

// dayCuts are the modifiers that bring a moment to the first day of its period.
// That of a quarter needs the month and is written by itself.
var dayCuts = map[string]string{
	"year": ", 'start of year')", "month": ", 'start of month')", "week": ", 'weekday 0', '-6 days')", "day": ")",
}

// timeCuts are the formats that leave out what is below the unit.
var timeCuts = map[string]string{"hour": "%H:00:00", "minute": "%H:%M:00", "second": "%H:%M:%S"}

func sqliteTrunc(r *renderer, c *plan.Call) {
	literal, ok := c.Args[0].(*plan.Literal)
	if !ok {
		r.fail(malformed("the unit of date_trunc is no constant"))
		return
	}
	unit, x := literal.Value.String(), c.Args[1]
	if modifiers, ok := dayCuts[unit]; ok {
		r.put("date(")
		sqlite{}.localArgs(r, x)
		r.put(modifiers)
		return
	}
	if unit == "quarter" {
		args := func() { sqlite{}.localArgs(r, x) }
		r.put("date(", args, ", 'start of month', '-' || ((strftime('%m', ", args, ") - 1) % 3) || ' months')")
		return
	}
	cut, ok := timeCuts[unit]
	if !ok {
		r.fail(malformed("date_trunc has no unit %q", unit))
		return
	}
	format := "%Y-%m-%d " + cut
	if x.Type().Kind == wire.KindTimestampTZ {
		format = "%Y-%m-%dT" + cut + cmp.Or(sqlite{}.offset(r, x.Type().Kind), "Z")
	}
	r.put("strftime('", format, "', ")
	sqlite{}.localArgs(r, x)
	r.put(")")
}

// sqliteDate writes the day of a moment; a text counts only when it begins with
// a day that there is.
func sqliteDate(r *renderer, x plan.Expr) {
	if x.Type().Kind != wire.KindText {
		sqlite{}.day(r, x)
		return
	}
	r.put("CASE WHEN ", func() { writesDay(r, x) }, " THEN substr(", x, ", 1, 10) END")
}

// writesDay tests that a text begins with a day that there is. SQLite by itself
// takes numbers and words such as now for moments, and 2024-02-30 for March.
func writesDay(r *renderer, x plan.Expr) {
	r.put(x, " GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*' AND date(substr(", x, ", 1, 10)) = substr(", x, ", 1, 10)")
}

// shift moves a moment by a number of units, in the clock's zone. "floor" keeps
// the last day of a shorter month in the month.
func shift(unit string) callWriter {
	return func(r *renderer, c *plan.Call) {
		x := c.Args[0]
		r.put("strftime(", stampFormat(x.Type().Kind), ", ")
		sqlite{}.localArgs(r, x)
		r.put(", ", c.Args[1], unit)
		if offset := (sqlite{}).offset(r, x.Type().Kind); offset != "" {
			r.put(", '", opposite(offset), "'")
		}
		r.put(")")
	}
}

// opposite is the offset that takes another back.
func opposite(offset string) string {
	return strings.NewReplacer("+", "-", "-", "+").Replace(offset)
}

func sqliteDaysBetween(r *renderer, c *plan.Call) {
	day := func(e plan.Expr) func() { return func() { sqlite{}.day(r, e) } }
	r.put("CAST(julianday(", day(c.Args[1]), ") - julianday(", day(c.Args[0]), ") AS INTEGER)")
}

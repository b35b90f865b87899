package sqlgen

import (
	"strconv"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/wire"
)

// dayNames and monthNames hold the English names in places of equal width.
const (
	dayNames   = "Sunday   Monday   Tuesday  WednesdayThursday Friday   Saturday "
	monthNames = "January  February March    April    May      June     July     August   SeptemberOctober  November December "
	nameWidth  = 9
)

// nameOf writes the name with the number that the format gives, counted from
// first.
func nameOf(names, format string, first int) callWriter {
	width := strconv.Itoa(nameWidth)
	return timeForm("rtrim(substr('"+names+"', (strftime('"+format+"', ", ") - "+strconv.Itoa(first)+") * "+width+" + 1, "+width+"))")
}

// sqliteMakeDate writes the date only if the calendar has it: date() would make
// March of 30 February.
func sqliteMakeDate(r *renderer, c *plan.Call) {
	text := func() { r.put("printf('%04d-%02d-%02d', ", c.Args[0], ", ", c.Args[1], ", ", c.Args[2], ")") }
	r.put("CASE WHEN ", c.Args[0], " > 0 AND date(", text, ") = ", text, " THEN ", text, " END")
}

// sqliteSecondsBetween counts in milliseconds, which is as exact as a julian day
// number is.
func sqliteSecondsBetween(r *renderer, c *plan.Call) {
	start, end := c.Args[0], c.Args[1]
	r.put("CAST(round((julianday(")
	sqlite{}.comparableInstant(r, end, start)
	r.put(") - julianday(")
	sqlite{}.comparableInstant(r, start, end)
	r.put(")) * 86400000) / 1000 AS INTEGER)")
}

// monthsBetween writes the whole months between two days, and in years if asked:
// the difference of the months, less one that is not yet full.
func monthsBetween(years bool) callWriter {
	return func(r *renderer, c *plan.Call) {
		day := func(e plan.Expr) func() { return func() { sqlite{}.day(r, e) } }
		start, end := day(c.Args[0]), day(c.Args[1])
		part := func(format string, of func()) func() { return func() { r.put("strftime('"+format+"', ", of, ")") } }
		months := func() {
			r.put("((", part("%Y", end), " - ", part("%Y", start), ") * 12 + ", part("%m", end), " - ", part("%m", start),
				" - (", end, " >= ", start, " AND ", part("%d", end), " < ", part("%d", start), ")",
				" + (", end, " < ", start, " AND ", part("%d", end), " > ", part("%d", start), "))")
		}
		if years {
			r.put("(", months, " / 12)")
			return
		}
		r.put(months)
	}
}

// sqliteEpoch reads a clock without zone as UTC.
func sqliteEpoch(r *renderer, c *plan.Call) {
	r.put("CAST(strftime('%s', ")
	sqlite{}.timeArgs(r, c.Args[0])
	r.put(") AS INTEGER)")
}

func sqliteFromEpoch(r *renderer, c *plan.Call) {
	r.put("strftime("+stampFormat(wire.KindTimestamp)+", ", c.Args[0], ", 'unixepoch')")
}

package sqlgen

import (
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// moment writes a column that keeps moments in text or numbers as the type that
// it means. Text that is no moment is null.
func (d mysql) moment(r *renderer, c *plan.Column) {
	raw := func() { r.raw(c) }
	since := func(microseconds ...any) {
		at := func() {
			r.put("(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL ")
			r.put(microseconds...)
			r.put(" MICROSECOND)")
		}
		if c.Type().Kind == wire.KindDate {
			r.put("DATE(", at, ")")
			return
		}
		at()
	}
	switch c.Column.Storage {
	case schema.StorageEpoch:
		since("CAST(ROUND(", raw, " * 1000000) AS SIGNED)")
	case schema.StorageEpochMS:
		since("CAST(ROUND(", raw, " * 1000) AS SIGNED)")
	case schema.StorageJulian:
		since("CAST(ROUND((", raw, " - 2440587.5) * 86400000) * 1000 AS SIGNED)")
	case schema.StorageDMY:
		iso := func() {
			r.put("CONCAT(SUBSTR(", raw, ", 7, 4), '-', SUBSTR(", raw, ", 4, 2), '-', SUBSTR(", raw, ", 1, 2))")
		}
		d.read(r, iso, c.Type().Kind)
	default:
		d.read(r, raw, c.Type().Kind)
	}
}

// read writes ISO text as a moment of the kind, or null where it is none. An
// offset in the text counts, and text without one is UTC.
func (d mysql) read(r *renderer, text func(), kind wire.Kind) {
	if kind == wire.KindDate {
		d.readDay(r, text)
		return
	}
	clock := func() { r.put("REGEXP_SUBSTR(", text, ", '[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?')") }
	// The sign of an offset stands behind a clock; those of a day do not.
	offset := func() { r.put("REGEXP_SUBSTR(", text, ", '(?<=[0-9.: ])[+-][0-9]{2}:[0-9]{2}$')") }
	minutes := func() {
		r.put("CAST(CONCAT(LEFT(", offset, ", 1), SUBSTR(", offset, ", 2, 2) * 60 + SUBSTR(", offset, ", 5, 2)) AS SIGNED)")
	}
	r.put("CASE WHEN ", text, " REGEXP ", isMoment, " THEN CAST(CONCAT(LEFT(", text, ", 10), ' ', CASE WHEN ", clock, " = '' THEN '00:00:00' ELSE ", clock,
		" END) AS DATETIME(6)) - INTERVAL CASE WHEN ", offset, " = '' THEN 0 ELSE ", minutes, " END MINUTE END")
}

// readDay writes the day with which a text begins, or null where there is none.
func (mysql) readDay(r *renderer, text func()) {
	r.put("CASE WHEN ", text, " REGEXP ", startsWithDay, " THEN CAST(LEFT(", text, ", 10) AS DATE) END")
}

// minutesEast is what the clock's zone adds to UTC. The server's tables of zones
// may be missing, and then conversions give null; so a zone whose offset changes
// cannot be counted in.
func (mysql) minutesEast(r *renderer, e plan.Expr) int64 {
	if r.zone == nil || !isZoned(e) {
		return 0
	}
	offset, ok := fixedOffset(r.zone)
	if !ok {
		r.fail(invalid("This database cannot count days and hours in the time zone %s, whose clocks change. "+
			"Ask without parts of a time, or set settings.time.zone to a zone of a fixed offset.", r.zone))
		return 0
	}
	hours, minutes := int64(offset[1]-'0')*10+int64(offset[2]-'0'), int64(offset[4]-'0')*10+int64(offset[5]-'0')
	if offset[0] == '-' {
		return -hours*60 - minutes
	}
	return hours*60 + minutes
}

// local writes what the clock of the zone shows at an instant; other moments are
// as they are.
func (d mysql) local(r *renderer, e plan.Expr) {
	east := d.minutesEast(r, e)
	if east == 0 {
		r.put(e)
		return
	}
	r.put("(", e, " + INTERVAL ", itoa(east), " MINUTE)")
}

// back takes what local added off again.
func (d mysql) back(r *renderer, e plan.Expr, write func()) {
	east := d.minutesEast(r, e)
	if east == 0 {
		write()
		return
	}
	r.put("(", write, " - INTERVAL ", itoa(east), " MINUTE)")
}

func (d mysql) day(r *renderer, e plan.Expr) {
	if e.Type().Kind == wire.KindDate {
		r.put(e)
		return
	}
	r.put("DATE(", func() { d.local(r, e) }, ")")
}

// mysqlTime writes a function of a moment.
func mysqlTime(before, after string) callWriter {
	return func(r *renderer, c *plan.Call) { r.put(before, func() { mysql{}.local(r, c.Args[0]) }, after) }
}

// mysqlTimeCuts are the formats that leave out what is below the unit.
var mysqlTimeCuts = map[string]string{"hour": "%Y-%m-%d %H:00:00", "minute": "%Y-%m-%d %H:%i:00", "second": "%Y-%m-%d %H:%i:%s"}

func mysqlTrunc(r *renderer, c *plan.Call) {
	name, x := unit(r, c), c.Args[1]
	at := func() { mysql{}.local(r, x) }
	format, timed := mysqlTimeCuts[name]
	switch {
	case name == "year":
		r.put("MAKEDATE(YEAR(", at, "), 1)")
	case name == "quarter":
		r.put("(MAKEDATE(YEAR(", at, "), 1) + INTERVAL QUARTER(", at, ") - 1 QUARTER)")
	case name == "month":
		r.put("CAST(DATE_FORMAT(", at, ", '%Y-%m-01') AS DATE)")
	case name == "week":
		r.put("(DATE(", at, ") - INTERVAL WEEKDAY(", at, ") DAY)")
	case name == "day", timed && x.Type().Kind == wire.KindDate:
		mysql{}.day(r, x)
	case timed:
		mysql{}.back(r, x, func() { r.put("CAST(DATE_FORMAT(", at, ", '", format, "') AS DATETIME(6))") })
	default:
		r.fail(malformed("date_trunc has no unit %q", name))
	}
}

func mysqlDate(r *renderer, c *plan.Call) {
	x := c.Args[0]
	if x.Type().Kind == wire.KindText {
		mysql{}.readDay(r, func() { r.put(x) })
		return
	}
	mysql{}.day(r, x)
}

// mysqlShift moves a moment by a number of units, in the clock's zone. A month
// that is too short ends with its last day.
func mysqlShift(unit string) callWriter {
	return func(r *renderer, c *plan.Call) {
		x := c.Args[0]
		mysql{}.back(r, x, func() {
			r.put("(", func() { mysql{}.local(r, x) }, " + INTERVAL ", c.Args[1], " ", unit, ")")
		})
	}
}

func mysqlDaysBetween(r *renderer, c *plan.Call) {
	r.put("DATEDIFF(", func() { mysql{}.local(r, c.Args[1]) }, ", ", func() { mysql{}.local(r, c.Args[0]) }, ")")
}

// compared writes a moment so that the time to another can be counted: both
// instants, or both what the clock shows.
func (d mysql) compared(r *renderer, e, other plan.Expr) {
	if isZoned(other) {
		r.put(e)
		return
	}
	d.local(r, e)
}

func mysqlSecondsBetween(r *renderer, c *plan.Call) {
	d, start, end := mysql{}, c.Args[0], c.Args[1]
	r.put("(ROUND(TIMESTAMPDIFF(MICROSECOND, ", func() { d.compared(r, start, end) }, ", ", func() { d.compared(r, end, start) }, ") / 1000) DIV 1000)")
}

func mysqlMonthsBetween(years bool) callWriter {
	part := func(unit string, of func()) func(*renderer) { return func(r *renderer) { r.put(unit, "(", of, ")") } }
	return betweenMonths(years, mysql{}.day, part, func(r *renderer, months func()) { r.put("(", months, " DIV 12)") })
}

// mysqlMakeDate writes the date only if the calendar has it.
func mysqlMakeDate(r *renderer, c *plan.Call) {
	y, m, d := c.Args[0], c.Args[1], c.Args[2]
	text := func() {
		r.put("CONCAT(LPAD(", y, ", 4, '0'), '-', LPAD(", m, ", 2, '0'), '-', LPAD(", d, ", 2, '0'))")
	}
	r.put("CASE WHEN ", y, " BETWEEN 1 AND 9999 AND ", m, " BETWEEN 1 AND 12 AND ", d, " BETWEEN 1 AND 31 THEN ",
		func() { mysql{}.readDay(r, text) }, " END")
}

package sqlgen

import (
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// moment writes a column that keeps moments in text or numbers as the type that
// it means. Text that is no moment is null.
func (d postgres) moment(r *renderer, c *plan.Column) {
	raw := func() { r.raw(c) }
	switch c.Column.Storage {
	case schema.StorageEpoch:
		r.put("to_timestamp(", raw, "::float8)")
	case schema.StorageEpochMS:
		r.put("to_timestamp(", raw, "::float8 / 1000)")
	case schema.StorageJulian:
		at := func() {
			r.put("(timestamp '1970-01-01' + round((", raw, "::float8 - 2440587.5) * 86400000)::float8 * interval '1 millisecond')")
		}
		if c.Type().Kind == wire.KindTimestampTZ {
			r.put("(", at, " AT TIME ZONE 'UTC')")
			return
		}
		r.put(at, "::"+postgresTypes[c.Type().Kind])
	case schema.StorageDMY:
		iso := func() {
			r.put("(substr(", raw, ", 7, 4) || '-' || substr(", raw, ", 4, 2) || '-' || substr(", raw, ", 1, 2))")
		}
		d.read(r, iso, c.Type().Kind)
	default:
		d.read(r, func() { r.put(raw, "::text") }, c.Type().Kind)
	}
}

// read writes ISO text as a moment of the kind, or null where it is none. An
// offset in the text counts, and text without one is UTC.
func (d postgres) read(r *renderer, text func(), kind wire.Kind) {
	at := func() {
		r.put("CASE WHEN ", text, ` COLLATE "C" ~ `, isMoment, " THEN ", text, "::timestamptz END")
	}
	switch kind {
	case wire.KindDate:
		d.readDay(r, text)
	case wire.KindTimestampTZ:
		r.put(at)
	default:
		r.put("(", at, " AT TIME ZONE 'UTC')")
	}
}

// readDay writes the day with which a text begins, or null where there is none.
func (postgres) readDay(r *renderer, text func()) {
	r.put("CASE WHEN ", text, ` COLLATE "C" ~ `, startsWithDay, " THEN substr(", text, ", 1, 10)::date END")
}

// zone is the clock's zone as AT TIME ZONE takes it.
func (postgres) zone(r *renderer) string {
	if r.zone == nil {
		return "'UTC'"
	}
	if offset, ok := fixedOffset(r.zone); ok {
		if offset == "+00:00" {
			return "'UTC'"
		}
		return "interval '" + offset + "'"
	}
	name := r.zone.String()
	if !zoneName.MatchString(name) || name == "Local" {
		r.fail(invalid("The time zone %q cannot be used with this database. Set settings.time.zone to the name of a zone, such as Europe/Berlin.", name))
	}
	return "'" + name + "'"
}

// local writes what the clock of the zone shows at an instant; other moments are
// as they are.
func (d postgres) local(r *renderer, e plan.Expr) {
	if !isZoned(e) {
		r.put(e)
		return
	}
	r.put("(", e, " AT TIME ZONE ", d.zone(r), ")")
}

// wall writes a moment as a timestamp without zone, a day as its midnight.
func (d postgres) wall(r *renderer, e plan.Expr) {
	d.local(r, e)
	if e.Type().Kind == wire.KindDate {
		r.put("::timestamp")
	}
}

// day writes the day of a moment.
func (d postgres) day(r *renderer, e plan.Expr) {
	d.local(r, e)
	if e.Type().Kind != wire.KindDate {
		r.put("::date")
	}
}

func postgresPart(field string) callWriter {
	return func(r *renderer, c *plan.Call) {
		r.put("extract(", field, " FROM ", func() { postgres{}.local(r, c.Args[0]) }, ")::bigint")
	}
}

func postgresSecond(r *renderer, c *plan.Call) {
	r.put("floor(extract(second FROM ", func() { postgres{}.local(r, c.Args[0]) }, "))::bigint")
}

// postgresFormat writes a moment as text.
func postgresFormat(format string) callWriter {
	return func(r *renderer, c *plan.Call) {
		r.put("to_char(", func() { postgres{}.wall(r, c.Args[0]) }, ", '", format, "')")
	}
}

func postgresTrunc(r *renderer, c *plan.Call) {
	name, x := unit(r, c), c.Args[1]
	cut := func() { r.put("date_trunc('", name, "', ", func() { postgres{}.wall(r, x) }, ")") }
	_, days := dayCuts[name]
	_, times := timeCuts[name]
	switch {
	case days || name == "quarter" || x.Type().Kind == wire.KindDate && times:
		r.put(cut, "::date")
	case times && isZoned(x):
		r.put("(", cut, " AT TIME ZONE ", postgres{}.zone(r), ")")
	case times:
		r.put(cut)
	default:
		r.fail(malformed("date_trunc has no unit %q", name))
	}
}

func postgresDate(r *renderer, c *plan.Call) {
	x := c.Args[0]
	if x.Type().Kind == wire.KindText {
		postgres{}.readDay(r, func() { r.put(x) })
		return
	}
	postgres{}.day(r, x)
}

// postgresShift moves a moment by a number of units, in the clock's zone. A month
// that is too short ends with its last day.
func postgresShift(unit string) callWriter {
	return func(r *renderer, c *plan.Call) {
		x := c.Args[0]
		moved := func() {
			r.put("(", func() { postgres{}.wall(r, x) }, " + ", c.Args[1], " * interval '1 ", unit, "')")
		}
		switch x.Type().Kind {
		case wire.KindTimestampTZ:
			r.put("(", moved, " AT TIME ZONE ", postgres{}.zone(r), ")")
		case wire.KindDate:
			r.put(moved, "::date")
		default:
			r.put(moved)
		}
	}
}

// postgresSpan adds a span of time that is the same in every zone.
func postgresSpan(unit string) callWriter {
	return form("(", arg(0), " + ", arg(1), " * interval '1 "+unit+"')")
}

func postgresDaysBetween(r *renderer, c *plan.Call) {
	day := func(e plan.Expr) func() { return func() { postgres{}.day(r, e) } }
	r.put("(", day(c.Args[1]), " - ", day(c.Args[0]), ")::bigint")
}

// comparedWall writes a moment so that it can be subtracted from another: both
// instants, or both what the clock shows.
func (d postgres) comparedWall(r *renderer, e, other plan.Expr) {
	if isZoned(e) && isZoned(other) {
		r.put(e)
		return
	}
	d.wall(r, e)
}

func postgresSecondsBetween(r *renderer, c *plan.Call) {
	d, start, end := postgres{}, c.Args[0], c.Args[1]
	r.put("trunc(round(extract(epoch FROM (", func() { d.comparedWall(r, end, start) }, " - ", func() { d.comparedWall(r, start, end) },
		"))::numeric, 3))::bigint")
}

func postgresMonthsBetween(years bool) callWriter {
	part := func(unit string, of func()) func(*renderer) {
		return func(r *renderer) { r.put("extract(", unit, " FROM ", of, ")::bigint") }
	}
	return betweenMonths(years, postgres{}.day, part, func(r *renderer, months func()) { r.put("(", months, " / 12)") })
}

// postgresMakeDate writes the date only if the calendar has it.
func postgresMakeDate(r *renderer, c *plan.Call) {
	y, m, d := c.Args[0], c.Args[1], c.Args[2]
	text := func() {
		r.put("(lpad(", y, "::text, 4, '0') || '-' || lpad(", m, "::text, 2, '0') || '-' || lpad(", d, "::text, 2, '0'))")
	}
	r.put("CASE WHEN ", y, " BETWEEN 1 AND 9999 AND ", m, " BETWEEN 1 AND 12 AND ", d, " BETWEEN 1 AND 31 THEN ",
		func() { postgres{}.readDay(r, text) }, " END")
}

func postgresEpoch(r *renderer, c *plan.Call) {
	at := func() { r.put(c.Args[0]) }
	if !isZoned(c.Args[0]) {
		at = func() { postgres{}.wall(r, c.Args[0]) }
	}
	r.put("floor(extract(epoch FROM ", at, "))::bigint")
}

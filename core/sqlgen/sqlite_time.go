package sqlgen

import (
	"time"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// How moments are read on SQLite.
//
// A column's storage says what is in it. Its value is ISO text: of a date the
// day, of a timestamp the wall clock, of a timestamp with zone the instant in
// UTC with a Z. ISO columns in one form are read as they are, so that indexes
// serve; those that mix forms, numbers and dd/mm/yyyy are converted. ISO text comes with T or a space, with or
// without a time, a fraction or a Z. It sorts right against a bare day whichever
// it is, so a comparison with a day is made of >= and < against days. All other
// comparisons bring both sides to one form first.

// storageOf is how e's value is stored: the storage of a column, ISO text for
// everything else.
func storageOf(e plan.Expr) schema.Storage {
	c, ok := e.(*plan.Column)
	if !ok || c.Column.Storage == schema.StorageNative || masked(e) {
		return schema.StorageISO
	}
	return c.Column.Storage
}

func numeric(s schema.Storage) bool {
	return s == schema.StorageEpoch || s == schema.StorageEpochMS || s == schema.StorageJulian
}

// stampFormat is the format of a moment's ISO text. The constant null has no
// kind, and any format will do for it.
func stampFormat(k wire.Kind) string {
	switch k {
	case wire.KindDate:
		return "'%Y-%m-%d'"
	case wire.KindTimestampTZ:
		return "'%Y-%m-%dT%H:%M:%fZ'"
	}
	return "'%Y-%m-%d %H:%M:%f'"
}

// moment writes a column of dates or times as ISO text.
func (d sqlite) moment(r *renderer, c *plan.Column) {
	switch storage := storageOf(c); storage {
	case schema.StorageISO:
		if !mixedForms(c) {
			r.raw(c)
			return
		}
		r.put("strftime(", stampFormat(c.Type().Kind), ", ")
		r.raw(c)
		r.put(")")
	case schema.StorageDMY:
		part := func(text string) { r.put("substr("); r.raw(c); r.put(text) }
		r.put("(")
		part(", 7, 4) || '-' || ")
		part(", 4, 2) || '-' || ")
		part(", 1, 2))")
	case schema.StorageEpoch:
		r.put("strftime('%Y-%m-%dT%H:%M:%SZ', ")
		d.timeArgs(r, c)
		r.put(")")
	default:
		r.put("strftime(", stampFormat(c.Type().Kind), ", ")
		d.timeArgs(r, c)
		r.put(")")
	}
}

// timeArgs writes e as the first arguments of a date function of SQLite.
func (d sqlite) timeArgs(r *renderer, e plan.Expr) {
	switch storageOf(e) {
	case schema.StorageEpoch:
		r.raw(e)
		r.put(", 'unixepoch'")
	case schema.StorageEpochMS:
		r.raw(e)
		r.put(" / 1000.0, 'unixepoch'")
	case schema.StorageJulian:
		r.raw(e)
	default:
		if mixedForms(e) {
			r.raw(e)
			return
		}
		r.put(e)
	}
}

// mixedForms reports whether e is a column of ISO text in several forms. It is read
// in one, since neither its order nor its equality would be that of the moments.
func mixedForms(e plan.Expr) bool {
	c, ok := e.(*plan.Column)
	return ok && c.Column.Mixed && c.Column.Storage == schema.StorageISO && !masked(e)
}

// localArgs writes e as the first arguments of a date function that counts in
// the clock's zone.
func (d sqlite) localArgs(r *renderer, e plan.Expr) {
	d.timeArgs(r, e)
	if offset := d.offset(r, e.Type().Kind); offset != "" {
		r.put(", '", offset, "'")
	}
}

// offset is what the clock's zone adds to a moment of the kind, such as +09:00;
// empty for UTC and for a kind without zone. SQLite knows no zones, so one whose
// offset changes cannot be counted in.
func (sqlite) offset(r *renderer, kind wire.Kind) string {
	if r.zone == nil || kind != wire.KindTimestampTZ {
		return ""
	}
	offset, ok := fixedOffset(r.zone)
	if !ok {
		r.fail(invalid("This database cannot count days and hours in the time zone %s, whose clocks change. "+
			"Ask without parts of a time, or set settings.time.zone to a zone of a fixed offset.", r.zone))
	}
	if offset == "+00:00" {
		return ""
	}
	return offset
}

// fixedOffset is the offset of a zone that has kept it since 2000. Older changes
// are rarely in data, and nearly every zone has some.
func fixedOffset(zone *time.Location) (string, bool) {
	const week = 7 * 24 * time.Hour
	start := time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC).In(zone)
	first := start.Format("-07:00")
	for t := start; t.Year() < 2040; t = t.Add(week) {
		if t.Format("-07:00") != first {
			return "", false
		}
	}
	return first, true
}

// day writes the day of e as text.
func (d sqlite) day(r *renderer, e plan.Expr) {
	r.put("date(")
	d.localArgs(r, e)
	r.put(")")
}

// instant writes e in the one form in which all moments compare: UTC with
// milliseconds.
func (d sqlite) instant(r *renderer, e plan.Expr) {
	r.put("strftime('%Y-%m-%d %H:%M:%f', ")
	d.timeArgs(r, e)
	r.put(")")
}

// comparableInstant writes e in the form in which it compares with another moment.
// A wall clock is one of the clock's zone, so an instant beside it is written as
// what that clock shows.
func (d sqlite) comparableInstant(r *renderer, e, other plan.Expr) {
	if other.Type().Kind == wire.KindTimestampTZ || d.offset(r, e.Type().Kind) == "" {
		d.instant(r, e)
		return
	}
	r.put("strftime('%Y-%m-%d %H:%M:%f', ")
	d.localArgs(r, e)
	r.put(")")
}

// timeOf is the moment of a constant, in UTC; a wall clock is taken as UTC.
func timeOf(v wire.Value) (time.Time, bool) {
	layout := "2006-01-02T15:04:05.999999999"
	switch v.Kind() {
	case wire.KindDate:
		layout = "2006-01-02"
	case wire.KindTimestamp:
	case wire.KindTimestampTZ:
		layout += "Z07:00"
	default:
		return time.Time{}, false
	}
	t, err := time.Parse(layout, v.String())
	return t.UTC(), err == nil
}

// momentText is the text of a constant moment, as the value of a column is
// written.
func momentText(v wire.Value) string {
	t, ok := timeOf(v)
	switch {
	case !ok:
		return v.String()
	case v.Kind() == wire.KindDate:
		return dayText(t)
	case v.Kind() == wire.KindTimestampTZ:
		return t.Format("2006-01-02T15:04:05.000Z")
	}
	return t.Format("2006-01-02 15:04:05.000")
}

// dayText is a day that text of later days sorts after. Years of five digits,
// which only an upper bound can reach, become a text that sorts after all days.
func dayText(t time.Time) string {
	if t.Year() > 9999 {
		return ":"
	}
	return t.Format("2006-01-02")
}

func midnight(t time.Time) bool { return t.Equal(t.Truncate(24 * time.Hour)) }

// bound is the constant to which a stored value of a moment compares.
func bound(s schema.Storage, t time.Time) wire.Value {
	ms := t.UnixMilli()
	switch s {
	case schema.StorageEpoch:
		if ms%1000 == 0 {
			return wire.Int(ms / 1000)
		}
		return wire.Float(float64(ms) / 1000)
	case schema.StorageEpochMS:
		return wire.Int(ms)
	case schema.StorageJulian:
		// SQLite makes a julian day number of milliseconds in just this way, so
		// that equal moments give equal floats. The constant is the julian day of
		// 1970 in milliseconds.
		return wire.Float(float64(ms+210866760000000) / 86400000)
	}
	return wire.Text(dayText(t))
}

// mirrored is the operator with its sides changed.
var mirrored = map[plan.BinaryOp]plan.BinaryOp{
	plan.OpEq: plan.OpEq, plan.OpNe: plan.OpNe,
	plan.OpLt: plan.OpGt, plan.OpLe: plan.OpGe, plan.OpGt: plan.OpLt, plan.OpGe: plan.OpLe,
}

// constant is the moment of a literal.
func constant(e plan.Expr) (wire.Value, bool) {
	l, ok := e.(*plan.Literal)
	if !ok {
		return wire.Value{}, false
	}
	_, ok = timeOf(l.Value)
	return l.Value, ok
}

func (d sqlite) compareMoments(r *renderer, op plan.BinaryOp, left, right plan.Expr) {
	if v, ok := constant(right); ok {
		d.compareConstant(r, op, left, v)
		return
	}
	if v, ok := constant(left); ok {
		d.compareConstant(r, mirrored[op], right, v)
		return
	}
	if s := storageOf(left); numeric(s) && s == storageOf(right) {
		r.put("(")
		r.raw(left)
		r.put(" ", string(op), " ")
		r.raw(right)
		r.put(")")
		return
	}
	if left.Type().Kind == wire.KindDate && right.Type().Kind == wire.KindDate {
		r.put("(", left, " ", string(op), " ", right, ")")
		return
	}
	r.put("(")
	d.comparableInstant(r, left, right)
	r.put(" ", string(op), " ")
	d.comparableInstant(r, right, left)
	r.put(")")
}

// compareConstant compares with a moment that the host knows, so that the
// column stands alone on its side wherever it can.
func (d sqlite) compareConstant(r *renderer, op plan.BinaryOp, x plan.Expr, v wire.Value) {
	t, _ := timeOf(v)
	kind, storage := x.Type().Kind, storageOf(x)
	halfOpen := op == plan.OpGe || op == plan.OpLt
	switch {
	case kind == wire.KindDate && midnight(t):
		d.compareDay(r, op, x, t)
	case numeric(storage):
		r.put("(")
		r.raw(x)
		r.put(" ", string(op), " ", bound(storage, t), ")")
	case kind == wire.KindTimestamp && midnight(t) && halfOpen:
		r.put("(", x, " ", string(op), " ", bound(storage, t), ")")
	default:
		r.put("(")
		d.instant(r, x)
		r.put(" ", string(op), " ", wire.Text(t.Format("2006-01-02 15:04:05.000")), ")")
	}
}

// compareDay compares a date with a day. The stored text may have a time behind
// the day, so that equality is a range.
func (d sqlite) compareDay(r *renderer, op plan.BinaryOp, x plan.Expr, day time.Time) {
	storage := storageOf(x)
	next := day.AddDate(0, 0, 1)
	side := func(op string, t time.Time) {
		if numeric(storage) {
			r.raw(x)
		} else {
			r.put(x)
		}
		r.put(" ", op, " ", bound(storage, t))
	}
	r.put("(")
	switch op {
	case plan.OpLt, plan.OpGe:
		side(string(op), day)
	case plan.OpLe:
		side("<", next)
	case plan.OpGt:
		side(">=", next)
	case plan.OpEq:
		side(">=", day)
		r.put(" AND ")
		side("<", next)
	default:
		side("<", day)
		r.put(" OR ")
		side(">=", next)
	}
	r.put(")")
}

func (d sqlite) during(r *renderer, e *plan.During) {
	from, to := !e.From.IsNull(), !e.To.IsNull()
	r.put("(")
	switch {
	case from:
		d.compareConstant(r, plan.OpGe, e.X, e.From)
		if to {
			r.put(" AND ")
			d.compareConstant(r, plan.OpLt, e.X, e.To)
		}
	case to:
		d.compareConstant(r, plan.OpLt, e.X, e.To)
	default:
		r.put(e.X, " IS NOT NULL")
	}
	r.put(")")
}

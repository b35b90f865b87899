package sqlimport

import (
	"strconv"
	"strings"

	"querent.dev/querent/core/sqlimport/internal/tree"
	"querent.dev/querent/sdk/wire"
)

// toMoment is a value as a day or a timestamp.
func (t *translator) toMoment(v value, at positioned) (value, error) {
	switch {
	case v.typ.Kind.Temporal() || v.isNull():
		return v, nil
	case v.typ.Kind == wire.KindText && v.constant:
		m, day, ok := moment(v.literal)
		if !ok {
			return nullValue(), nil
		}
		if day {
			return dayLiteral(m.Format("2006-01-02")), nil
		}
		return stampLiteral(m.Format("2006-01-02 15:04:05"), true), nil
	case v.typ.Kind == wire.KindText:
		return made("cast("+v.text+" as timestamp)", atom, tStamp, true), nil
	}
	return v, t.unsupported(at, "this date", "%s is neither a date nor a timestamp", v.typ)
}

// toDate is the day of a value.
func (t *translator) toDate(v value, at positioned) (value, error) {
	if v.typ.Kind == wire.KindText && !v.constant {
		out := fn("date", v)
		out.nullable = true
		return out, nil
	}
	m, err := t.toMoment(v, at)
	if err != nil || m.typ.Kind == wire.KindDate || m.isNull() {
		return m, err
	}
	if m.constant {
		return dayLiteral(m.literal[:10]), nil
	}
	return fn("date", m), nil
}

// toStamp is a value as a timestamp; a day is its midnight.
func (t *translator) toStamp(v value, at positioned) (value, error) {
	m, err := t.toMoment(v, at)
	if err != nil || m.typ.Kind != wire.KindDate {
		return m, err
	}
	return stamped(m), nil
}

// interval reads a span of time of one or more units.
func (t *translator) interval(n *tree.Interval, s *scope) (value, error) {
	if n.Count != nil {
		count, err := t.expr(n.Count, s)
		if err != nil {
			return count, err
		}
		if count, err = t.numeric(count, n); err != nil {
			return count, err
		}
		return spanOf(t.cut(count), strings.ToLower(n.Unit)), nil
	}
	fields := strings.Fields(strings.ToLower(n.Text))
	if n.Unit != "" && len(fields) == 1 {
		fields = append(fields, strings.ToLower(n.Unit))
	}
	if len(fields) == 2 {
		count, err := strconv.ParseInt(fields[0], 10, 64)
		if unit := unitName(fields[1]); err == nil && unit != "" {
			return spanOf(intValue(count), unit), nil
		}
	}
	return value{}, t.unsupported(n, "the interval "+n.Text, "plans move dates by a whole number of one unit")
}

func spanOf(count value, unit string) value {
	unit = unitName(unit)
	out := made("", atom, tNull, count.nullable)
	out.span = &span{count: count, unit: unit}
	return out
}

// unitName is a unit in its one spelling, or "".
func unitName(unit string) string {
	unit = strings.TrimSuffix(strings.ToLower(unit), "s")
	switch unit {
	case "year", "quarter", "month", "week", "day", "hour", "minute", "second":
		return unit
	case "mon":
		return "month"
	case "min":
		return "minute"
	case "sec":
		return "second"
	case "yr":
		return "year"
	}
	return ""
}

// shift moves a moment by a number of units.
func (t *translator) shift(m, count value, unit string, at positioned) (value, error) {
	factor := int64(1)
	switch unit {
	case "week":
		unit, factor = "day", 7
	case "quarter":
		unit, factor = "month", 3
	}
	if factor > 1 {
		count = t.times(count, factor)
	}
	switch unit {
	case "hour", "minute", "second":
		if m.typ.Kind == wire.KindDate {
			m = stamped(m)
		}
	case "year", "month", "day":
	default:
		return m, t.unsupported(at, "this interval", "plans move dates by years to seconds")
	}
	out := fn("add_"+unit+"s", m, count)
	out.typ, out.nullable = m.typ, m.nullable || count.nullable
	return out, nil
}

func (t *translator) times(v value, factor int64) value {
	if n, ok := wholeNumber(v); ok {
		return intValue(n * factor)
	}
	return binary(v, "*", intValue(factor), powMul, tInt)
}

// moved is a sum or a difference with a moment in it, if it is one.
func (t *translator) moved(n *tree.Binary, l, r value) (value, bool, error) {
	if l.span != nil && l.span.unit == "julian" && r.span != nil && r.span.unit == "julian" && n.Op == "-" {
		return t.daysBetween(r.span.to, l.span.to), true, nil
	}
	if r.span != nil && r.span.unit != "" && r.span.unit != "julian" && l.span == nil {
		m, err := t.toMoment(l, n)
		if err != nil {
			return m, true, err
		}
		if t.postgres() && m.typ.Kind == wire.KindDate {
			m = stamped(m)
		}
		count := r.span.count
		if n.Op == "-" {
			count = minus(count)
		}
		out, err := t.shift(m, count, r.span.unit, n)
		return out, true, err
	}
	if l.span != nil && l.span.unit != "" && l.span.unit != "julian" && n.Op == "+" && r.typ.Kind.Temporal() {
		return t.moved(&tree.Binary{Pos: n.Pos, Op: "+"}, r, l)
	}
	if !t.postgres() {
		return value{}, false, nil
	}
	return t.movedPostgres(n, l, r)
}

// movedPostgres adds days to dates and subtracts moments.
func (t *translator) movedPostgres(n *tree.Binary, l, r value) (value, bool, error) {
	switch {
	case n.Op == "-" && (l.typ.Kind.Temporal() && r.typ.Kind.Temporal()):
		if l.typ.Kind == wire.KindDate && r.typ.Kind == wire.KindDate {
			return fn("days_between", r, l).typed(tInt), true, nil
		}
		out := made("", atom, tNull, l.nullable || r.nullable)
		out.span = &span{from: r, to: l}
		return out, true, nil
	case l.typ.Kind == wire.KindDate && r.typ.Kind == wire.KindInt:
		if n.Op == "-" {
			r = minus(r)
		}
		out := fn("add_days", l, r)
		return out.typed(tDate), true, nil
	case n.Op == "+" && l.typ.Kind == wire.KindInt && r.typ.Kind == wire.KindDate:
		return fn("add_days", r, l).typed(tDate), true, nil
	}
	return value{}, false, nil
}

// scaledSpan multiplies an interval by a whole number.
func (t *translator) scaledSpan(op string, l, r value) (value, bool) {
	if op != "*" {
		return value{}, false
	}
	if l.span == nil {
		l, r = r, l
	}
	if l.span == nil || l.span.unit == "" || l.span.unit == "julian" || r.span != nil {
		return value{}, false
	}
	one, isOne := wholeNumber(l.span.count)
	if isOne && one == 1 {
		return spanOf(t.cut(r), l.span.unit), true
	}
	return spanOf(t.calculated("*", l.span.count, t.cut(r)), l.span.unit), true
}

// daysBetween is the days from one moment to another, with their fraction.
func (t *translator) daysBetween(from, to value) value {
	if from.typ.Kind == wire.KindDate && to.typ.Kind == wire.KindDate {
		return fn("days_between", from, to).typed(tInt).float()
	}
	seconds := t.secondsBetween(from, to)
	return binary(seconds, "/", made("86400.0", atom, tFloat, false), powMul, tFloat)
}

// float is a whole number that the SQL has as a float.
func (v value) float() value {
	v.typ = tFloat
	return v
}

func (t *translator) secondsBetween(from, to value) value {
	if from.typ.Kind == wire.KindDate {
		from = stamped(from)
	}
	if to.typ.Kind == wire.KindDate {
		to = stamped(to)
	}
	return fn("seconds_between", from, to).typed(tFloat)
}

var unitSeconds = map[string]int64{"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 7 * 86400}

// seconds is the length of a span.
func (t *translator) seconds(v value, at positioned) (value, error) {
	switch {
	case v.span == nil:
		return v, nil
	case v.span.unit == "":
		return t.secondsBetween(v.span.from, v.span.to), nil
	case unitSeconds[v.span.unit] > 0:
		return t.times(v.span.count, unitSeconds[v.span.unit]), nil
	case v.span.unit == "julian":
		return t.julian(v.span.to), nil
	}
	return v, t.unsupported(at, "this interval", "months and years have no fixed length")
}

// julian is a moment as a julian day number.
func (t *translator) julian(m value) value {
	if m.typ.Kind == wire.KindDate {
		m = stamped(m)
	}
	days := binary(fn("epoch", m).typed(tInt), "/", made("86400.0", atom, tFloat, false), powMul, tFloat)
	return binary(days, "+", made("2440587.5", atom, tFloat, false), powAdd, tFloat)
}

// wholeDays cuts a difference of julian days to whole ones.
func (t *translator) wholeDays(v value, at positioned) (value, error) {
	x, err := t.seconds(v, at)
	return t.cut(x), err
}

package sqlimport

import (
	"strings"

	"querent.dev/querent/sdk/wire"
)

// mysqlFunctions are those that are MariaDB's own, or mean something of their own
// there.
var mysqlFunctions map[string]translation

func init() {
	mysqlFunctions = map[string]translation{
		"year": momentOf("year"), "quarter": momentOf("quarter"), "month": momentOf("month"), "day": momentOf("day"), "dayofmonth": momentOf("day"),
		"hour": momentOf("hour"), "minute": momentOf("minute"), "second": momentOf("second"), "weekofyear": momentOf("iso_week"),
		"dayofyear": momentOf("day_of_year"), "dayname": momentOf("day_name"), "monthname": momentOf("month_name"),
		"dayofweek": func(c *calling) (value, error) { return c.added("dow", 1) },
		"weekday":   func(c *calling) (value, error) { return c.added("weekday", -1) },
		"week":      mysqlWeek, "last_day": lastDay, "extract": mysqlExtract, "date_format": dateFormat,
		"date": func(c *calling) (value, error) {
			m, err := c.raw(0)
			if err != nil {
				return m, err
			}
			return c.t.toDate(m, c.n)
		},
		"datediff": dateDiff, "timestampdiff": timestampDiff, "date_add": dateAdd("+"), "date_sub": dateAdd("-"), "adddate": dateAdd("+"), "subdate": dateAdd("-"),
		"timestampadd": timestampAdd, "curdate": clockCall("today()", tDate), "sysdate": clockCall("now()", tStamp), "localtime": clockCall("now()", tStamp),
		"unix_timestamp": unixTimestamp, "from_unixtime": toTimestamp, "str_to_date": strToDate, "makedate": makeDate,
		"yearweek": yearWeek, "field": field, "length": byteLength, "octet_length": byteLength,
		"locate": text("position", 2), "position": text("position", 2), "isnull": func(c *calling) (value, error) { return nullTest(c.args[0], false), nil },
		"char_length": text("length", 1), "timestamp": func(c *calling) (value, error) { return c.t.toStamp(c.args[0], c.n) },
	}
}

// yearWeek is the ISO year and week as one number, in the modes that count so.
func yearWeek(c *calling) (value, error) {
	mode, known := int64(0), len(c.args) == 2
	if known {
		mode, known = wholeNumber(c.args[1])
	}
	if !known || mode != 1 && mode != 3 {
		return value{}, c.t.unsupported(c.n, "this yearweek", "plans know ISO weeks: yearweek(x, 3)")
	}
	m, err := c.t.toMoment(c.args[0], c.n)
	if err != nil || m.isNull() {
		return m, err
	}
	return binary(binary(c.t.part("iso_year", m), "*", intValue(100), powMul, tInt), "+", c.t.part("iso_week", m), powAdd, tInt), nil
}

// field is the place of a value in a list, or 0.
func field(c *calling) (value, error) {
	if len(c.args) < 2 || c.anyNull() {
		return intValue(0), c.count(2, 100)
	}
	zero := intValue(0)
	var pairs []value
	for i, a := range c.args[1:] {
		eq, err := c.t.compare("=", c.args[0], a, c.n)
		if err != nil {
			return eq, err
		}
		pairs = append(pairs, eq, intValue(int64(i+1)))
	}
	return choice(tInt, &zero, pairs...), nil
}

// byteLength counts characters where MariaDB counts the bytes of UTF-8.
func byteLength(c *calling) (value, error) {
	c.t.note("length counts characters; MariaDB's counts bytes, of which letters beyond ASCII have several.")
	return text("length", 1)(c)
}

func momentOf(part string) translation {
	return func(c *calling) (value, error) {
		if err := c.count(1, 1); err != nil {
			return value{}, err
		}
		m, err := c.t.toMoment(c.args[0], c.n)
		if err != nil {
			return m, err
		}
		return c.t.part(part, m), nil
	}
}

func (c *calling) added(part string, n int64) (value, error) {
	v, err := momentOf(part)(c)
	if err != nil || v.isNull() {
		return v, err
	}
	if n < 0 {
		return binary(v, "-", intValue(-n), powAdd, tInt), nil
	}
	return binary(v, "+", intValue(n), powAdd, tInt), nil
}

// mysqlWeek is week(x, mode) for the modes that plans can count by.
func mysqlWeek(c *calling) (value, error) {
	if err := c.count(1, 2); err != nil {
		return value{}, err
	}
	mode := int64(0)
	if len(c.args) == 2 {
		mode, _ = wholeNumber(c.args[1])
	}
	part := map[int64]string{0: "sunday_week", 3: "iso_week", 5: "monday_week"}[mode]
	if part == "" {
		return value{}, c.t.unsupported(c.n, "this week", "plans count weeks by the modes 0, 3 and 5")
	}
	m, err := c.t.toMoment(c.args[0], c.n)
	if err != nil || m.isNull() {
		return m, err
	}
	if part == "sunday_week" {
		// Mode 0 counts the weeks that begin on a Sunday of the year, as %U does.
		return c.t.part("sunday_week", m), nil
	}
	return c.t.part(part, m), nil
}

func lastDay(c *calling) (value, error) {
	if err := c.count(1, 1); err != nil {
		return value{}, err
	}
	m, err := c.t.toMoment(c.args[0], c.n)
	return fn("last_day", m).typed(tDate), err
}

// mysqlExtract is extract(unit from x).
func mysqlExtract(c *calling) (value, error) {
	part := c.word(0)
	m, err := c.rawMoment(1)
	if err != nil || m.isNull() {
		return m, err
	}
	switch part {
	case "year_month":
		return binary(binary(c.t.part("year", m), "*", intValue(100), powMul, tInt), "+", c.t.part("month", m), powAdd, tInt), nil
	case "week":
		return c.t.part("sunday_week", m), nil
	}
	name, ok := partNames[part]
	if !ok {
		return m, c.t.unsupported(c.n, "the part "+part, "plans know the parts from year to second")
	}
	return c.t.part(name, m), nil
}

func dateDiff(c *calling) (value, error) {
	if err := c.count(2, 2); err != nil {
		return value{}, err
	}
	to, err := c.t.toMoment(c.args[0], c.n)
	if err != nil {
		return to, err
	}
	from, err := c.t.toMoment(c.args[1], c.n)
	return fn("days_between", from, to).typed(tInt), err
}

// timestampDiff is timestampdiff(unit, from, to), in whole units.
func timestampDiff(c *calling) (value, error) {
	if len(c.n.Args) != 3 {
		return value{}, c.t.unsupported(c.n, "this timestampdiff", "it takes a unit and two moments")
	}
	unit := unitName(c.word(0))
	from, err := c.rawMoment(1)
	if err != nil {
		return from, err
	}
	to, err := c.rawMoment(2)
	if err != nil {
		return to, err
	}
	switch unit {
	case "year", "month":
		return fn(unit+"s_between", from, to).typed(tInt), nil
	case "quarter":
		return fn("div", fn("months_between", from, to).typed(tInt), intValue(3)).typed(tInt), nil
	case "day":
		if from.typ.Kind == wire.KindDate && to.typ.Kind == wire.KindDate {
			return fn("days_between", from, to).typed(tInt), nil
		}
	case "":
		return from, c.t.unsupported(c.n, "this timestampdiff", "plans count years to seconds")
	}
	seconds := c.t.secondsBetween(from, to).typed(tInt)
	if unit == "second" {
		return seconds, nil
	}
	return fn("div", seconds, intValue(unitSeconds[unit])).typed(tInt), nil
}

// dateAdd moves a moment by an interval, or by days.
func dateAdd(op string) translation {
	return func(c *calling) (value, error) {
		if err := c.count(2, 2); err != nil {
			return value{}, err
		}
		by := c.args[1]
		if by.span == nil {
			by = spanOf(c.t.cut(by), "day")
		}
		m, err := c.t.toMoment(c.args[0], c.n)
		if err != nil || m.isNull() {
			return m, err
		}
		count := by.span.count
		if op == "-" {
			count = minus(count)
		}
		return c.t.shift(m, count, by.span.unit, c.n)
	}
}

func timestampAdd(c *calling) (value, error) {
	if len(c.n.Args) != 3 {
		return value{}, c.t.unsupported(c.n, "this timestampadd", "it takes a unit, a number and a moment")
	}
	count, err := c.raw(1)
	if err != nil {
		return count, err
	}
	m, err := c.rawMoment(2)
	if err != nil {
		return m, err
	}
	return c.t.shift(m, c.t.cut(count), unitName(c.word(0)), c.n)
}

func unixTimestamp(c *calling) (value, error) {
	if len(c.args) == 0 {
		return fn("epoch", made("now()", atom, tStamp, false)).typed(tInt), nil
	}
	m, err := c.t.toStamp(c.args[0], c.n)
	return fn("epoch", m).typed(tInt), err
}

func strToDate(c *calling) (value, error) {
	if len(c.args) != 2 || c.args[1].literal != "%Y-%m-%d" {
		return value{}, c.t.unsupported(c.n, "this str_to_date", "plans read dates in the form 2025-03-31")
	}
	return c.t.toDate(c.args[0], c.n)
}

func makeDate(c *calling) (value, error) {
	if err := c.count(2, 2); err != nil {
		return value{}, err
	}
	first := fn("make_date", c.args[0], intValue(1), intValue(1)).typed(tDate)
	return c.t.shift(first, binary(c.args[1], "-", intValue(1), powAdd, tInt), "day", c.n)
}

// dateFormat is date_format(x, format).
func dateFormat(c *calling) (value, error) {
	if len(c.args) != 2 || !c.args[1].constant {
		return value{}, c.t.unsupported(c.n, "this date_format", "plans take a constant format")
	}
	m, err := c.t.toMoment(c.args[0], c.n)
	if err != nil || m.isNull() {
		return m, err
	}
	format := c.args[1].literal
	switch format {
	case "%Y-%m":
		return fn("year_month", m).typed(tText), nil
	case "%Y-%m-%d":
		return fn("text", fn("date", m).typed(tDate)).typed(tText).nullableAs(m), nil
	}
	format = strings.NewReplacer("%T", "%H:%i:%s", "%r", "%h:%i:%s %p").Replace(format)
	pieces, ok := cutFormat(format, mysqlCode)
	if !ok {
		return m, c.t.unsupported(c.n, "the format "+format, "plans have no word for one of its parts")
	}
	return c.t.formatted(m, pieces)
}

var mysqlCodes = map[byte]layout{
	'Y': {"year", 4}, 'y': {"year2", 2}, 'm': {"month", 2}, 'c': {"month", 1}, 'd': {"day", 2}, 'e': {"day", 1}, 'H': {"hour", 2}, 'k': {"hour", 1},
	'h': {"hour12", 2}, 'I': {"hour12", 2}, 'l': {"hour12", 1}, 'i': {"minute", 2}, 's': {"second", 2}, 'S': {"second", 2}, 'p': {"ampm", 0},
	'M': {"month_name", 0}, 'b': {"month_name", 3}, 'W': {"day_name", 0}, 'a': {"day_name", 3}, 'j': {"day_of_year", 3},
	'w': {"dow", 1}, 'v': {"iso_week", 2}, 'x': {"iso_year", 4}, 'U': {"sunday_week", 2}, 'u': {"", 0},
}

func mysqlCode(rest string) (layout, int) {
	if rest[0] != '%' {
		return layout{}, 0
	}
	if len(rest) < 2 {
		return layout{}, -1
	}
	if rest[1] == '%' {
		return layout{part: "text"}, 2
	}
	l, ok := mysqlCodes[rest[1]]
	if !ok || l.part == "" {
		return l, -1
	}
	return l, 2
}

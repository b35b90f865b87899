package sqlimport

import (
	"strings"

	"querent.dev/querent/sdk/wire"
)

// postgresFunctions are those that are PostgreSQL's own, or mean something of
// their own there.
var postgresFunctions map[string]translation

func init() {
	postgresFunctions = map[string]translation{
		"date_part": postgresPart, "extract": postgresPart, "date_trunc": truncated, "to_char": toChar, "age": age,
		"date": func(c *calling) (value, error) {
			m, err := c.raw(0)
			if err != nil {
				return m, err
			}
			return c.t.toDate(m, c.n)
		},
		"to_date": toDateBy, "to_timestamp": toTimestamp, "make_date": numeric("make_date", 3),
		"position": text("position", 2), "to_number": text("number", 1),
		"clock_timestamp": clockCall("now()", tStamp), "statement_timestamp": clockCall("now()", tStamp), "transaction_timestamp": clockCall("now()", tStamp),
	}
}

// partNames are the parts of a moment by the words of SQL.
var partNames = map[string]string{
	"year": "year", "quarter": "quarter", "month": "month", "week": "iso_week", "day": "day", "hour": "hour", "minute": "minute", "second": "second",
	"isodow": "weekday", "dow": "dow", "doy": "day_of_year", "isoyear": "iso_year", "years": "year", "months": "month", "days": "day",
}

// postgresPart is extract(part from x), of a moment or of a difference.
func postgresPart(c *calling) (value, error) {
	if len(c.n.Args) != 2 {
		return value{}, c.t.unsupported(c.n, c.n.Name, "it takes a part and a moment")
	}
	part := c.word(0)
	v, err := c.raw(1)
	if err != nil {
		return v, err
	}
	if v.span != nil {
		return c.spanPart(part, v)
	}
	m, err := c.t.toMoment(v, c.n)
	if err != nil || m.isNull() {
		return m, err
	}
	switch part {
	case "epoch":
		return fn("epoch", m).typed(tInt), nil
	case "decade":
		return fn("div", c.t.part("year", m), intValue(10)).typed(tInt), nil
	case "century":
		return fn("div", binary(c.t.part("year", m), "+", intValue(99), powAdd, tInt), intValue(100)).typed(tInt), nil
	}
	name, ok := partNames[part]
	if !ok {
		return m, c.t.unsupported(c.n, "the part "+part, "plans know the parts from year to second, week, dow, isodow, doy, isoyear and epoch")
	}
	out := c.t.part(name, m)
	// PostgreSQL gives numbers that divide with a fraction.
	out.typ = wire.Type{Kind: wire.KindDecimal, Precision: 38}
	return out, nil
}

// spanPart is a part of the difference of two moments.
func (c *calling) spanPart(part string, v value) (value, error) {
	t := c.t
	if v.span.unit == "age" {
		switch part {
		case "year", "years":
			return fn("years_between", v.span.from, v.span.to).typed(tInt), nil
		case "month", "months":
			return binary(fn("months_between", v.span.from, v.span.to).typed(tInt), "%", intValue(12), powMul, tInt), nil
		}
		return v, t.unsupported(c.n, "the "+part+" of an age", "plans know its years and months")
	}
	seconds, err := t.seconds(v, c.n)
	if err != nil {
		return v, err
	}
	unit := unitName(part)
	switch {
	case part == "epoch":
		return seconds, nil
	case v.span.unit == "" && unit == "day":
		return fn("div", seconds, intValue(86400)).typed(tInt), nil
	case v.span.unit == "" && (unit == "hour" || unit == "minute" || unit == "second"):
		above := map[string]int64{"hour": 86400, "minute": 3600, "second": 60}[unit]
		rest := binary(seconds, "%", intValue(above), powMul, tInt)
		return fn("div", rest, intValue(unitSeconds[unit])).typed(tInt), nil
	}
	return v, t.unsupported(c.n, "the "+part+" of an interval", "plans know the parts day to second and epoch of a difference")
}

// age is the difference of two moments in years, months and days.
func age(c *calling) (value, error) {
	if err := c.count(1, 2); err != nil {
		return value{}, err
	}
	to := made("today()", atom, tDate, false)
	from, err := c.t.toMoment(c.args[len(c.args)-1], c.n)
	if err != nil {
		return from, err
	}
	if len(c.args) == 2 {
		if to, err = c.t.toMoment(c.args[0], c.n); err != nil {
			return to, err
		}
	}
	out := made("", atom, tNull, true)
	out.span = &span{unit: "age", from: from, to: to}
	return out, nil
}

// truncated is date_trunc(unit, x). PostgreSQL gives a timestamp.
func truncated(c *calling) (value, error) {
	if err := c.count(2, 2); err != nil {
		return value{}, err
	}
	unit := unitName(c.word(0))
	if unit == "" {
		return value{}, c.t.unsupported(c.n, "this date_trunc", "plans cut to year, quarter, month, week, day, hour, minute and second")
	}
	m, err := c.t.toMoment(c.args[1], c.n)
	if err != nil || m.isNull() {
		return m, err
	}
	if unitSeconds[unit] > 0 && unitSeconds[unit] < 86400 {
		if m.typ.Kind == wire.KindDate {
			m = stamped(m)
		}
		return fn("date_trunc", textValue(unit), m).typed(tStamp).nullableAs(m), nil
	}
	out := fn("date_trunc", textValue(unit), m).typed(tDate).nullableAs(m)
	return out, nil
}

// toDateBy is to_date(text, 'YYYY-MM-DD').
func toDateBy(c *calling) (value, error) {
	if len(c.args) != 2 || c.word(1) != "yyyy-mm-dd" {
		return value{}, c.t.unsupported(c.n, "this to_date", "plans read dates in the form 2025-03-31")
	}
	return c.t.toDate(c.args[0], c.n)
}

// toTimestamp is to_timestamp(seconds).
func toTimestamp(c *calling) (value, error) {
	if err := c.count(1, 1); err != nil {
		return value{}, err
	}
	n, err := c.t.numeric(c.args[0], c.n)
	return fn("from_epoch", c.t.cut(n)).typed(tStamp), err
}

// toChar writes a moment by a format. One of a number is fixed to its digits.
func toChar(c *calling) (value, error) {
	if len(c.args) != 2 || !c.args[1].constant {
		return value{}, c.t.unsupported(c.n, "this to_char", "plans take a constant format")
	}
	format := c.args[1].literal
	if c.args[0].typ.Kind.Numeric() {
		return c.numberFormat(format)
	}
	m, err := c.t.toMoment(c.args[0], c.n)
	if err != nil || m.isNull() {
		return m, err
	}
	switch format {
	case "YYYY-MM":
		return fn("year_month", m).typed(tText), nil
	case "YYYY-MM-DD":
		return fn("text", fn("date", m).typed(tDate)).typed(tText).nullableAs(m), nil
	}
	pieces, ok := cutFormat(format, postgresCode)
	if !ok {
		return m, c.t.unsupported(c.n, "the format "+format, "plans have no word for one of its parts")
	}
	return c.t.formatted(m, pieces)
}

// numberFormat is FM and digits: FM999990.00.
func (c *calling) numberFormat(format string) (value, error) {
	rest, fm := strings.CutPrefix(format, "FM")
	_, fraction, _ := strings.Cut(rest, ".")
	if !fm || strings.Trim(rest, "90.") != "" || strings.Trim(fraction, "0") != "" || len(fraction) > 9 {
		return value{}, c.t.unsupported(c.n, "the format "+format, "plans write numbers with a fixed number of digits: FM9990.00")
	}
	return fn("text", c.args[0], intValue(int64(len(fraction)))).typed(tText), nil
}

// postgresCodes are the codes of to_char, longest first where one begins another.
var postgresCodes = []struct {
	code string
	layout
}{
	{"YYYY", layout{"year", 4}}, {"IYYY", layout{"iso_year", 4}}, {"YY", layout{"year2", 2}}, {"FMMonth", layout{"month_name", 0}},
	{"FMDay", layout{"day_name", 0}}, {"FMMM", layout{"month", 1}}, {"FMDD", layout{"day", 1}}, {"Mon", layout{"month_name", 3}}, {"Dy", layout{"day_name", 3}},
	{"MM", layout{"month", 2}}, {"DDD", layout{"day_of_year", 3}}, {"DD", layout{"day", 2}}, {"HH24", layout{"hour", 2}}, {"HH12", layout{"hour12", 2}},
	{"HH", layout{"hour12", 2}}, {"MI", layout{"minute", 2}}, {"SS", layout{"second", 2}}, {"IW", layout{"iso_week", 2}}, {"ID", layout{"weekday", 1}},
	{"Q", layout{"quarter", 1}}, {"AM", layout{"ampm", 0}}, {"PM", layout{"ampm", 0}},
}

func postgresCode(rest string) (layout, int) {
	if end := strings.IndexByte(rest[1:], '"'); rest[0] == '"' && end >= 0 {
		return layout{part: "quoted"}, end + 2
	}
	for _, c := range postgresCodes {
		if strings.HasPrefix(rest, c.code) {
			return c.layout, len(c.code)
		}
	}
	if c := rest[0]; c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '"' {
		return layout{}, -1
	}
	return layout{}, 0
}

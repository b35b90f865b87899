package sqlimport

import (
	"strconv"
	"strings"

	"querent.dev/querent/core/sqlimport/internal/tree"
	"querent.dev/querent/sdk/wire"
)

// sqliteFunctions are those that are SQLite's own, or mean something of their own
// there.
var sqliteFunctions map[string]translation

func init() {
	sqliteFunctions = map[string]translation{
		"date":     func(c *calling) (value, error) { return c.sqliteMoment(0, "date") },
		"datetime": func(c *calling) (value, error) { return c.sqliteMoment(0, "datetime") },
		"time":     func(c *calling) (value, error) { return c.sqliteMoment(0, "time") },
		"julianday": func(c *calling) (value, error) {
			m, err := c.sqliteMoment(0, "moment")
			out := made("", atom, tNull, m.nullable)
			out.span = &span{unit: "julian", to: m}
			return out, err
		},
		"unixepoch": func(c *calling) (value, error) {
			m, err := c.sqliteMoment(0, "datetime")
			return fn("epoch", m).typed(tInt), err
		},
		"strftime": sqliteFormat, "printf": printf, "format": printf,
		"ifnull": firstOf, "concat": concatenated, "likely": itself, "unlikely": itself,
	}
}

func itself(c *calling) (value, error) {
	if err := c.count(1, 1); err != nil {
		return value{}, err
	}
	return c.args[0], nil
}

// sqliteMoment reads a time value and its modifiers, from argument i on.
func (c *calling) sqliteMoment(i int, want string) (value, error) {
	m, rest, err := c.timeValue(i)
	if err != nil || m.isNull() {
		return m, err
	}
	for _, e := range rest {
		if m, err = c.modified(m, e); err != nil {
			return m, err
		}
	}
	switch want {
	case "moment":
		return m, nil
	case "date":
		return c.t.toDate(m, c.n)
	case "time":
		return c.t.formatted(m, []any{layout{"hour", 2}, ":", layout{"minute", 2}, ":", layout{"second", 2}})
	}
	return c.t.toStamp(m, c.n)
}

// timeValue is the moment that the modifiers start from: now, a text, a column, or
// seconds since 1970.
func (c *calling) timeValue(i int) (value, []tree.Expr, error) {
	args := c.n.Args
	if i >= len(args) {
		return made("now()", atom, tStamp, false), nil, nil
	}
	rest := args[i+1:]
	if l, ok := args[i].(*tree.Literal); ok && l.Kind == tree.Text && strings.EqualFold(l.Text, "now") {
		return made("now()", atom, tStamp, false), rest, nil
	}
	v, err := c.t.expr(args[i], c.s)
	if err != nil {
		return v, nil, err
	}
	if v.typ.Kind.Numeric() {
		if len(rest) > 0 && c.word(i+1) == "unixepoch" {
			return fn("from_epoch", c.t.cut(v)).typed(tStamp), rest[1:], nil
		}
		return v, nil, c.t.unsupported(c.n, "a number as a date", "plans read julian day numbers from columns that are stored so")
	}
	if v.span != nil && v.span.unit == "julian" {
		return v.span.to, rest, nil
	}
	m, err := c.t.toMoment(v, c.n)
	return m, rest, err
}

// modified applies one modifier.
func (c *calling) modified(m value, e tree.Expr) (value, error) {
	t := c.t
	if l, ok := e.(*tree.Literal); ok && l.Kind == tree.Text {
		word := strings.ToLower(strings.Join(strings.Fields(l.Text), " "))
		switch {
		case word == "start of day":
			return t.toDate(m, c.n)
		case word == "start of month", word == "start of year":
			return fn("date_trunc", textValue(strings.TrimPrefix(word, "start of ")), m).typed(tDate).nullableAs(m), nil
		case strings.HasPrefix(word, "weekday "):
			return c.nextWeekday(m, word)
		case word == "unixepoch", word == "auto", word == "subsec", word == "subsecond", word == "ceiling", word == "floor":
			return m, nil
		case word == "localtime", word == "utc":
			t.note("The time zone of the host stands for %s.", word)
			return m, nil
		}
	}
	count, unit, ok, err := c.steps(e)
	if err != nil {
		return m, err
	}
	if !ok {
		return m, t.unsupported(e, "this modifier of a date", "plans know 'start of …', 'weekday N' and a number of years to seconds")
	}
	if unit == "month" || unit == "year" {
		return c.monthsOn(m, count, unit)
	}
	return t.shift(m, count, unit, c.n)
}

// monthsOn moves a moment by months or years. A day that the month does not have
// counts on into the next one, unless the modifier floor follows.
func (c *calling) monthsOn(m, count value, unit string) (value, error) {
	t := c.t
	floor := tree.Find(c.n, func(e tree.Expr) bool {
		l, ok := e.(*tree.Literal)
		return ok && strings.EqualFold(l.Text, "floor")
	})
	early := strings.HasPrefix(m.text, "date_trunc(") || m.constant && len(m.literal) >= 10 && m.literal[8:10] <= "28"
	if floor || early || m.isNull() {
		return t.shift(m, count, unit, c.n)
	}
	day := fn("day", m).typed(tInt)
	first, err := t.shift(m, binary(intValue(1), "-", day, powAdd, tInt), "day", c.n)
	if err != nil {
		return m, err
	}
	if first, err = t.shift(first, count, unit, c.n); err != nil {
		return m, err
	}
	return t.shift(first, binary(day, "-", intValue(1), powAdd, tInt), "day", c.n)
}

func (v value) nullableAs(other value) value {
	v.nullable = other.nullable
	return v
}

// nextWeekday is the next day that is weekday N, 0 for Sunday, or the day itself.
func (c *calling) nextWeekday(m value, word string) (value, error) {
	n, err := strconv.ParseInt(strings.TrimPrefix(word, "weekday "), 10, 64)
	if err != nil || n < 0 || n > 6 {
		return m, c.t.unsupported(c.n, "this modifier of a date", "a weekday is a number from 0 to 6")
	}
	ahead := binary(binary(intValue(n+14), "-", fn("weekday", m).typed(tInt), powAdd, tInt), "%", intValue(7), powMul, tInt)
	return c.t.shift(m, ahead, "day", c.n)
}

// steps reads '+3 months', or a text that is put together of a sign, a count and a
// unit.
func (c *calling) steps(e tree.Expr) (count value, unit string, ok bool, err error) {
	if l, is := e.(*tree.Literal); is && l.Kind == tree.Text {
		fields := strings.Fields(l.Text)
		if len(fields) != 2 {
			return count, "", false, nil
		}
		n, err := strconv.ParseFloat(fields[0], 64)
		unit = unitName(fields[1])
		return intValue(int64(n)), unit, err == nil && unit != "" && n == float64(int64(n)), nil
	}
	sign := false
	for {
		b, is := e.(*tree.Binary)
		if !is || b.Op != "||" {
			break
		}
		if l, isText := b.R.(*tree.Literal); isText && l.Kind == tree.Text && unit == "" {
			unit = unitName(strings.TrimSpace(l.Text))
			e = b.L
			continue
		}
		l, isText := b.L.(*tree.Literal)
		if !isText || l.Kind != tree.Text || l.Text != "-" && l.Text != "+" {
			return count, "", false, nil
		}
		sign, e = l.Text == "-", b.R
	}
	if unit == "" {
		return count, "", false, nil
	}
	if count, err = c.t.expr(e, c.s); err != nil {
		return count, "", false, err
	}
	if count, err = c.t.numeric(count, c.n); err != nil {
		return count, "", false, err
	}
	count = c.t.cut(count)
	if sign {
		count = minus(count)
	}
	return count, unit, true, nil
}

// sqliteFormat is strftime(format, time, modifiers).
func sqliteFormat(c *calling) (value, error) {
	if len(c.n.Args) == 0 {
		return value{}, c.t.unsupported(c.n, "strftime", "it has no format")
	}
	format, err := c.raw(0)
	if err != nil {
		return format, err
	}
	if !format.constant {
		return format, c.t.unsupported(c.n, "this format", "plans take a constant")
	}
	m, err := c.sqliteMoment(1, "datetime")
	if err != nil || m.isNull() {
		return m, err
	}
	if m.typ.Kind == wire.KindTimestamp {
		m = c.undone(m)
	}
	switch format.literal {
	case "%Y-%m":
		return fn("year_month", m).typed(tText), nil
	case "%Y-%m-%d", "%F":
		return c.t.toDate(m, c.n)
	case "%Y-%m-%d %H:%M:%S", "%F %T":
		return c.t.toStamp(m, c.n)
	case "%s":
		return fn("epoch", m).typed(tInt), nil
	case "%J":
		return c.t.julian(m), nil
	}
	pieces, ok := cutFormat(format.literal, sqliteCode)
	if !ok {
		return m, c.t.unsupported(c.n, "the format "+format.literal, "plans have no word for one of its parts")
	}
	return c.t.formatted(m, pieces)
}

// undone takes the cast of a day to its midnight back, which parts do not need.
func (c *calling) undone(m value) value {
	inner, ok := strings.CutPrefix(m.text, "cast(")
	if inner, cut := strings.CutSuffix(inner, " as timestamp)"); ok && cut && strings.HasPrefix(inner, "`") && strings.Count(inner, "`") == 4 {
		if v, err := c.raw(1); err == nil && v.typ.Kind == wire.KindDate && v.text == inner {
			return v
		}
	}
	return m
}

var sqliteCodes = map[byte]layout{
	'Y': {"year", 4}, 'm': {"month", 2}, 'd': {"day", 2}, 'H': {"hour", 2}, 'M': {"minute", 2}, 'S': {"second", 2},
	'w': {"dow", 1}, 'u': {"weekday", 1}, 'j': {"day_of_year", 3}, 'W': {"monday_week", 2}, 'U': {"sunday_week", 2},
	'V': {"iso_week", 2}, 'G': {"iso_year", 4}, 'I': {"hour12", 2}, 'p': {"ampm", 0}, 'F': {"iso", 0},
}

func sqliteCode(rest string) (layout, int) {
	if rest[0] != '%' {
		return layout{}, 0
	}
	if len(rest) < 2 {
		return layout{}, -1
	}
	if rest[1] == '%' {
		return layout{part: "text"}, 2
	}
	l, ok := sqliteCodes[rest[1]]
	if !ok {
		return l, -1
	}
	return l, 2
}

// printf writes one number with a fixed number of digits, or with zeros before it.
func printf(c *calling) (value, error) {
	if len(c.args) != 2 || !c.args[0].constant {
		return value{}, c.t.unsupported(c.n, c.n.Name, "plans write one value by a constant format")
	}
	before, spec, found := strings.Cut(c.args[0].literal, "%")
	end := strings.IndexAny(spec, "dfs")
	if !found || end < 0 || strings.Contains(spec[end+1:], "%") {
		return value{}, c.t.unsupported(c.n, "the format "+c.args[0].literal, "plans write one value by a constant format")
	}
	after, kind, width := spec[end+1:], spec[end], spec[:end]
	v, err := c.printed(kind, width)
	if err != nil {
		return v, err
	}
	if before != "" {
		v = binary(textValue(before), "||", v, powConcat, tText)
	}
	if after != "" {
		v = binary(v, "||", textValue(after), powConcat, tText)
	}
	return v, nil
}

func (c *calling) printed(kind byte, width string) (value, error) {
	fail := c.t.unsupported(c.n, "the format "+c.args[0].literal, "plans write %%d, %%0Nd, %%s and %%.Nf")
	x := c.args[1]
	if kind == 's' && width == "" {
		return c.t.textual(x, c.n)
	}
	n, err := c.t.numeric(x, c.n)
	if err != nil {
		return n, err
	}
	switch {
	case kind == 'd' && width == "":
		return fn("text", c.t.cut(n)).typed(tText), nil
	case kind == 'd' && len(width) == 2 && width[0] == '0' && width[1] > '0':
		return padded(c.t.cut(n), int(width[1]-'0')), nil
	case kind == 'f' && len(width) == 2 && width[0] == '.':
		digits := int64(width[1] - '0')
		if digits >= 0 && digits <= 9 {
			return fn("text", n, intValue(digits)).typed(tText), nil
		}
	}
	return n, fail
}

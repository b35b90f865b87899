package sqlimport

import (
	"querent.dev/querent/sdk/wire"
)

// part is a part of a moment: a whole number, or the name of a day or a month.
func (t *translator) part(name string, m value) value {
	if m.isNull() {
		return nullValue()
	}
	switch name {
	case "hour", "minute", "second":
		if m.typ.Kind == wire.KindDate {
			m = stamped(m)
		}
	case "day_name", "month_name":
		return fn(name, m).typed(tText)
	case "dow": // 0 is Sunday
		return binary(fn("weekday", m).typed(tInt), "%", intValue(7), powMul, tInt)
	case "monday_week": // the week of the year that %W counts
		ahead := binary(binary(fn("day_of_year", m).typed(tInt), "+", intValue(7), powAdd, tInt), "-", fn("weekday", m).typed(tInt), powAdd, tInt)
		return fn("div", ahead, intValue(7)).typed(tInt)
	case "sunday_week": // the week of the year that %U counts
		dow := t.part("dow", m)
		ahead := binary(binary(fn("day_of_year", m).typed(tInt), "+", intValue(6), powAdd, tInt), "-", dow, powAdd, tInt)
		return fn("div", ahead, intValue(7)).typed(tInt)
	case "hour12":
		hour := binary(binary(t.part("hour", m), "+", intValue(11), powAdd, tInt), "%", intValue(12), powMul, tInt)
		return binary(hour, "+", intValue(1), powAdd, tInt)
	}
	return fn(name, m).typed(tInt)
}

// padded is a whole number as a text of a width, with zeros before it.
func padded(n value, width int) value {
	text := fn("text", n).typed(tText)
	if width > 1 {
		text = fn("lpad", text, intValue(int64(width)), textValue("0")).typed(tText)
	}
	text.nullable = n.nullable
	text.number, text.width = &n, width
	return text
}

// layout is a code of a format: a part of a moment and its width; 0 is the number
// as it is, and of a name the characters that are kept.
type layout struct {
	part  string
	width int
}

// formatted writes a moment by a format that was cut into codes and texts.
func (t *translator) formatted(m value, pieces []any) (value, error) {
	var out value
	for i, p := range pieces {
		var v value
		switch p := p.(type) {
		case string:
			v = textValue(p)
		case layout:
			v = t.piece(m, p)
		}
		if i == 0 {
			out = v
			continue
		}
		out = binary(out, "||", v, powConcat, tText)
	}
	return out, nil
}

func (t *translator) piece(m value, l layout) value {
	switch l.part {
	case "day_name", "month_name":
		v := t.part(l.part, m)
		if l.width > 0 {
			v = fn("left", v, intValue(int64(l.width))).typed(tText)
		}
		return v
	case "year2":
		return padded(binary(t.part("year", m), "%", intValue(100), powMul, tInt), 2)
	case "year":
		v := fn("text", t.part("year", m)).typed(tText)
		n := t.part("year", m)
		v.number, v.width, v.nullable = &n, 4, m.nullable
		return v
	case "ampm":
		pm := textValue("PM")
		return choice(tText, &pm, binary(t.part("hour", m), "<", intValue(12), powCompare, tBool), textValue("AM"))
	case "iso":
		return fn("text", fn("date", m)).typed(tText)
	case "year_month":
		return fn("year_month", m).typed(tText)
	}
	return padded(t.part(l.part, m), max(l.width, 1))
}

// cutFormat cuts a format into its codes and the texts between them. ok is false
// where a code has no meaning for plans.
func cutFormat(format string, code func(rest string) (layout, int)) (pieces []any, ok bool) {
	text := ""
	flush := func() {
		if text != "" {
			pieces = append(pieces, text)
		}
		text = ""
	}
	for len(format) > 0 {
		l, n := code(format)
		switch {
		case n < 0:
			return nil, false
		case n == 0:
			text += format[:1]
			format = format[1:]
		case l.part == "quoted":
			text += format[1 : n-1]
			format = format[n:]
		case l.part == "text":
			text += format[n-1 : n]
			format = format[n:]
		default:
			flush()
			pieces = append(pieces, l)
			format = format[n:]
		}
	}
	flush()
	return pieces, len(pieces) > 0
}

package sqlimport

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"querent.dev/querent/core/sqlimport/internal/tree"
	"querent.dev/querent/sdk/wire"
)

type positioned interface{ At() int }

// compare translates a comparison: what is compared is brought to one type as the
// flavour would, and texts to the order of their column.
func (t *translator) compare(op string, l, r value, at positioned) (value, error) {
	if l.isNull() || r.isNull() {
		return made("null", atom, tNull, true), nil
	}
	l, r, fixed, err := t.agree(op, l, r, at)
	if err != nil || fixed != nil {
		if fixed != nil {
			return *fixed, nil
		}
		return value{}, err
	}
	return binary(l, op, r, powCompare, tBool), nil
}

// agree brings two operands to one type. fixed is the result where it does not
// depend on values.
func (t *translator) agree(op string, l, r value, at positioned) (_, _ value, fixed *value, err error) {
	a, b := l.typ.Kind, r.typ.Kind
	switch {
	case l.span != nil || r.span != nil:
		return t.agreeSpans(l, r, at)
	case a == wire.KindBool && b == wire.KindBool:
		return l, r, nil, nil
	case a == wire.KindBool:
		l, r, err = t.withBool(l, r, at)
		return l, r, nil, err
	case b == wire.KindBool:
		r, l, err = t.withBool(r, l, at)
		return l, r, nil, err
	case a.Numeric() && b.Numeric():
		return l, r, nil, nil
	case a == wire.KindText && b == wire.KindText:
		return t.agreeTexts(op, l, r)
	case a.Temporal() && b.Temporal():
		return t.agreeMoments(l, r)
	case a == wire.KindText && b.Numeric():
		return t.textWithNumber(op, l, r, at)
	case a.Numeric() && b == wire.KindText:
		y, x, fixed, err := t.textWithNumber(flipped[op], r, l, at)
		return x, y, fixed, err
	case a.Temporal() && b == wire.KindText:
		return t.momentWithText(l, r)
	case a == wire.KindText && b.Temporal():
		y, x, fixed, err := t.momentWithText(r, l)
		return x, y, fixed, err
	case a == b:
		return l, r, nil, nil
	case a == wire.KindTime && r.constant, b == wire.KindTime && l.constant, a == wire.KindUUID && r.constant, b == wire.KindUUID && l.constant:
		return l, r, nil, nil
	}
	return l, r, nil, t.unsupported(at, "this comparison", "%s and %s are not compared by plans", l.typ, r.typ)
}

var flipped = map[string]string{"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

// withBool compares a condition with a number or a word for one.
func (t *translator) withBool(b, other value, at positioned) (value, value, error) {
	if other.constant {
		switch strings.ToLower(other.literal) {
		case "1", "true", "t", "yes", "y", "on":
			return b, boolValue(true), nil
		case "0", "false", "f", "no", "n", "off":
			return b, boolValue(false), nil
		}
	}
	n, err := t.numeric(other, at)
	return t.asNumber(b), n, err
}

// agreeTexts folds the case of texts whose column does so. A text that writes a
// whole number of fixed width compares as that number with such a text.
func (t *translator) agreeTexts(op string, l, r value) (_, _ value, fixed *value, err error) {
	if x, ok := sameWidth(l, r); ok {
		return *l.number, x, nil, nil
	}
	if x, ok := sameWidth(r, l); ok {
		return x, *r.number, nil, nil
	}
	if l.asText || r.asText {
		return t.asWritten(l), t.asWritten(r), nil, nil
	}
	if !t.folds(l) && !t.folds(r) {
		return l, r, nil, nil
	}
	if t.mysql() && op == "=" && !l.constant && !r.constant {
		// Keys differ in their case hardly ever, and would not be found by an index.
		t.note("Columns are joined by texts that are equal in their case, too.")
		return l, r, nil, nil
	}
	return t.folded(l), t.folded(r), nil, nil
}

// sameWidth is the number that y writes, where x is one of fixed width and y a
// constant of just that width.
func sameWidth(x, y value) (value, bool) {
	if x.number == nil {
		return value{}, false
	}
	if y.number != nil && y.width == x.width {
		return *y.number, true
	}
	if !y.constant || len(y.literal) != x.width || strings.Trim(y.literal, "0123456789") != "" {
		return value{}, false
	}
	n, err := strconv.ParseInt(y.literal, 10, 64)
	return intValue(n), err == nil
}

// folded is a text in one case.
func (t *translator) folded(v value) value {
	// MariaDB sorts letters by their capitals, SQLite's nocase by small ones.
	name, fold := "lower", lowerASCII
	if t.mysql() {
		name, fold = "upper", strings.ToUpper
	}
	if v.constant {
		return textValue(fold(v.literal))
	}
	out := fn(name, v)
	out.nullable = v.nullable
	return out
}

func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// folds reports whether a text compares without regard to case in the flavour of
// the SQL: by SQLite's nocase, and by most collations of MariaDB.
func (t *translator) folds(v value) bool {
	switch {
	case v.collation == "" || t.postgres():
		return false
	case t.mysql():
		return !binaryCollation(v.collation)
	}
	return strings.EqualFold(v.collation, "nocase")
}

// sorted is a value as it is ordered by.
func (t *translator) sorted(v value) value {
	if t.folds(v) && v.typ.Kind == wire.KindText && !v.constant {
		out := t.folded(v)
		out.typ, out.nullable = v.typ, v.nullable
		return out
	}
	return v
}

var numberForm = regexp.MustCompile(`^\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*$`)

// textWithNumber compares a text with a number, as each flavour has it.
func (t *translator) textWithNumber(op string, text, number value, at positioned) (_, _ value, fixed *value, err error) {
	if text.constant && numberForm.MatchString(text.literal) && (number.affinity || !t.sqlite()) {
		n, err := t.number(&tree.Literal{Kind: tree.Number, Text: strings.TrimPrefix(strings.TrimSpace(text.literal), "+")})
		return n, number, nil, err
	}
	if !t.sqlite() {
		if text.number != nil {
			return *text.number, number, nil, nil
		}
		n, err := t.numeric(text, at)
		return n, number, nil, err
	}
	switch {
	case text.affinity && !number.affinity && number.constant:
		return text, textValue(number.literal), nil, nil
	case text.affinity && !number.affinity && number.typ.Kind == wire.KindInt:
		return text, fn("text", number).typed(tText), nil, nil
	case text.affinity && !number.affinity:
		t.note("A number with a fraction is compared with text by its first nine digits.")
		return text, fn("text", number, intValue(9)).typed(tText), nil, nil
	case number.affinity && !text.constant && (text.affinity || text.number == nil):
		return fn("number", text), number, nil, nil
	case number.affinity && text.number != nil:
		return *text.number, number, nil, nil
	}
	// Without a declared type on the number's side SQLite converts nothing, and
	// every text is greater than every number.
	v := t.always(op == "<>" || op == ">" || op == ">=", text, number)
	return text, number, &v, nil
}

// always is true or false, or unknown where an operand is null.
func (t *translator) always(truth bool, operands ...value) value {
	var tests []value
	for _, v := range operands {
		if v.nullable && !v.constant {
			tests = append(tests, notNull(v))
		}
	}
	if !truth {
		return boolValue(false)
	}
	return allOf(append(tests, boolValue(true))...)
}

// agreeMoments compares two moments. A day beside a timestamp is its midnight.
func (t *translator) agreeMoments(l, r value) (_, _ value, fixed *value, err error) {
	if l.typ.Kind == r.typ.Kind {
		return l, r, nil, nil
	}
	if l.typ.Kind == wire.KindDate {
		l = stamped(l)
	}
	if r.typ.Kind == wire.KindDate {
		r = stamped(r)
	}
	return l, r, nil, nil
}

// stamped is the midnight of a day.
func stamped(v value) value {
	if v.constant {
		return stampLiteral(v.literal, false)
	}
	out := made("cast("+v.text+" as timestamp)", atom, tStamp, v.nullable)
	return out
}

var dayForm = regexp.MustCompile(`^\d{4}-\d{1,2}-\d{1,2}$`)

// moment reads a constant text as a day or a timestamp.
func moment(text string) (t time.Time, day, ok bool) {
	text = strings.TrimSpace(text)
	if dayForm.MatchString(text) {
		d, err := time.Parse("2006-1-2", text)
		return d, true, err == nil
	}
	for _, layout := range []string{"2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999", "2006-01-02 15:04", "2006-01-02T15:04",
		"2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05Z07:00", "2006-01-02 15:04:05-07"} {
		if s, err := time.Parse(layout, text); err == nil {
			return s, false, true
		}
	}
	return t, false, false
}

func dayLiteral(text string) value {
	v := made("date "+quoteText(text), atom, tDate, false)
	v.constant, v.literal = true, text
	return v
}

func stampLiteral(text string, hasTime bool) value {
	if !hasTime {
		text += " 00:00:00"
	}
	v := made("timestamp "+quoteText(text), atom, tStamp, false)
	v.constant, v.literal = true, text
	return v
}

// momentWithText compares a moment with a text: with a constant that writes one as
// moments, with anything else on SQLite as texts.
func (t *translator) momentWithText(m, text value) (_, _ value, fixed *value, err error) {
	if text.constant {
		at, day, ok := moment(text.literal)
		padded := !t.sqlite() || len(text.literal) >= len("2006-01-02")
		switch {
		case ok && padded && day && m.typ.Kind == wire.KindDate:
			return m, dayLiteral(at.Format(time.DateOnly)), nil, nil
		case ok && padded && day:
			return m, stampLiteral(at.Format(time.DateOnly), false), nil, nil
		case ok && padded && m.typ.Kind == wire.KindDate && !t.sqlite():
			return stamped(m), stampLiteral(at.Format("2006-01-02 15:04:05.999999999"), true), nil, nil
		case ok && padded && m.typ.Kind != wire.KindDate:
			return m, stampLiteral(at.Format("2006-01-02 15:04:05.999999999"), true), nil, nil
		}
		return t.asWritten(m), text, nil, nil
	}
	if t.sqlite() {
		return t.asWritten(m), text, nil, nil
	}
	day := fn("date", text)
	if m.typ.Kind == wire.KindDate {
		return m, day, nil, nil
	}
	return m, made("cast("+text.text+" as timestamp)", atom, tStamp, true), nil, nil
}

// asWritten is a moment as the text that SQLite keeps; a text is itself.
func (t *translator) asWritten(v value) value {
	if v.typ.Kind.Temporal() {
		return fn("text", v)
	}
	return v
}

// agreeSpans compares differences of moments, in seconds.
func (t *translator) agreeSpans(l, r value, at positioned) (_, _ value, fixed *value, err error) {
	a, err := t.seconds(l, at)
	if err != nil {
		return l, r, nil, err
	}
	b, err := t.seconds(r, at)
	return a, b, nil, err
}

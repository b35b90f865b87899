package plan

import (
	"regexp"
	"strings"
	"time"

	"querent.dev/querent/sdk/wire"
)

// The spellings of constants. Only real days and times are taken.
var (
	numberForm = regexp.MustCompile(`^[+-]?(\d+(\.\d+)?|\.\d+)$`)
	uuidForm   = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
)

var timestampLayouts = []string{"2006-01-02T15:04:05.999999999", "2006-01-02T15:04", "2006-01-02 15:04:05.999999999", "2006-01-02 15:04", time.DateOnly}

// parseLiteral reads a constant of the kind from its text.
func parseLiteral(kind wire.Kind, text string) (wire.Value, bool) {
	text = strings.TrimSpace(text)
	switch kind {
	case wire.KindInt, wire.KindDecimal, wire.KindFloat:
		return parseNumber(text)
	case wire.KindBool:
		return wire.Bool(strings.EqualFold(text, "true")), strings.EqualFold(text, "true") || strings.EqualFold(text, "false")
	case wire.KindDate:
		t, err := time.Parse(time.DateOnly, text)
		return wire.Date(t), err == nil
	case wire.KindTimestamp, wire.KindTimestampTZ:
		return parseTimestamp(text)
	case wire.KindTime:
		for _, layout := range []string{"15:04:05.999999999", "15:04"} {
			if t, err := time.Parse(layout, text); err == nil {
				return wire.Time(t), true
			}
		}
	case wire.KindUUID:
		return wire.UUID(text), uuidForm.MatchString(text)
	}
	return wire.Value{}, false
}

// parseNumber keeps integers that fit as integers and every other number as a
// decimal.
func parseNumber(text string) (wire.Value, bool) {
	if !numberForm.MatchString(text) {
		return wire.Value{}, false
	}
	if v, err := wire.Parse(wire.KindInt, text); err == nil {
		return v, true
	}
	v, err := wire.Decimal(text)
	return v, err == nil
}

// parseTimestamp reads a wall clock, or an instant when an offset is given.
func parseTimestamp(text string) (wire.Value, bool) {
	for _, layout := range timestampLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return wire.Timestamp(t), true
		}
		if t, err := time.Parse(layout+"Z07:00", text); err == nil {
			return wire.TimestampTZ(t), true
		}
	}
	return wire.Value{}, false
}

// literalForm shows how a constant of the kind is written.
func literalForm(kind wire.Kind) string {
	switch kind {
	case wire.KindDate:
		return "'2025-03-31'"
	case wire.KindTimestamp, wire.KindTimestampTZ:
		return "'2025-03-31' or '2025-03-31 14:05:00'"
	case wire.KindTime:
		return "'14:05:00'"
	case wire.KindUUID:
		return "'00000000-0000-0000-0000-000000000000'"
	case wire.KindBool:
		return "true or false"
	}
	return "a number without quotes"
}

// literal makes a constant with the type of its value.
func literal(v wire.Value) *Literal {
	t := wire.Type{Kind: v.Kind()}
	if t.Kind == wire.KindDecimal {
		digits := strings.TrimPrefix(v.String(), "-")
		_, fraction, _ := strings.Cut(digits, ".")
		t.Scale = int32(len(fraction))
		t.Precision = int32(len(strings.Replace(digits, ".", "", 1)))
		if t.Precision > maxPrecision || t.Scale > maxScale {
			t.Precision, t.Scale = 0, 0
		}
	}
	return &Literal{Value: v, T: t}
}

// constant is the literal that e is, if it is one with a value.
func constant(e Expr) (*Literal, bool) {
	l, ok := e.(*Literal)
	return l, ok && !l.Value.IsNull()
}

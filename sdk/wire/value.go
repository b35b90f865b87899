// Package wire holds the types that cross between the host, its plugins and its
// users: cell values, plans, the catalog view, outcomes and answers. It is a
// leaf: it imports nothing of this module but its sibling leaf sdk/reason.
package wire

import (
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Kind says what a Value holds. The zero Kind is null.
type Kind uint8

// The kinds of cell. Their order is part of the plugin protocol: append only.
const (
	KindNull Kind = iota
	KindBool
	KindInt
	KindDecimal
	KindFloat
	KindText
	KindBytes
	KindDate
	KindTime
	KindTimestamp
	KindTimestampTZ
	KindInterval
	KindJSON
	KindUUID
	KindArray
)

var kindNames = [...]string{
	KindNull: "null", KindBool: "bool", KindInt: "int", KindDecimal: "decimal", KindFloat: "float",
	KindText: "text", KindBytes: "bytes", KindDate: "date", KindTime: "time", KindTimestamp: "timestamp",
	KindTimestampTZ: "timestamptz", KindInterval: "interval", KindJSON: "json", KindUUID: "uuid", KindArray: "array",
}

// String is the kind's name as it stands in plans, schemas and JSON.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// ParseKind is the inverse of Kind.String.
func ParseKind(name string) (Kind, error) {
	for k, n := range kindNames {
		if n == name {
			return Kind(k), nil
		}
	}
	return KindNull, fmt.Errorf("no kind of value is named %q", name)
}

// Numeric reports whether values of the kind can be added.
func (k Kind) Numeric() bool { return k == KindInt || k == KindDecimal || k == KindFloat }

// Temporal reports whether values of the kind name a day, with or without a time.
func (k Kind) Temporal() bool {
	return k == KindDate || k == KindTimestamp || k == KindTimestampTZ
}

// Type is the type of a column or an expression.
type Type struct {
	Kind Kind `json:"kind"`
	// Precision and Scale are those of a declared decimal; both 0 means undeclared.
	Precision int32 `json:"precision,omitempty"`
	Scale     int32 `json:"scale,omitempty"`
	// Elem is the kind of an array's elements.
	Elem Kind `json:"elem,omitempty"`
}

// String is the type as people write it: decimal(10,2), text, int[].
func (t Type) String() string {
	switch {
	case t.Kind == KindDecimal && t.Precision > 0:
		return fmt.Sprintf("decimal(%d,%d)", t.Precision, t.Scale)
	case t.Kind == KindArray:
		return t.Elem.String() + "[]"
	}
	return t.Kind.String()
}

// Value is one cell. It never loses digits: integers and decimals are not
// floats on the way. The zero Value is null. Values are immutable and safe to
// share between goroutines.
type Value struct {
	kind Kind
	bits uint64 // bool, int and float
	text string // all kinds that have a canonical text
	list []Value
}

// Null is the absent value.
func Null() Value { return Value{} }

// Bool holds a truth value.
func Bool(b bool) Value {
	if b {
		return Value{kind: KindBool, bits: 1}
	}
	return Value{kind: KindBool}
}

// Int holds a 64-bit integer.
func Int(i int64) Value { return Value{kind: KindInt, bits: uint64(i)} }

// Float holds a double, also NaN and the infinities.
func Float(f float64) Value { return Value{kind: KindFloat, bits: math.Float64bits(f)} }

// Text holds a string, kept byte for byte.
func Text(s string) Value { return Value{kind: KindText, text: s} }

// Bytes holds a binary string.
func Bytes(b []byte) Value { return Value{kind: KindBytes, text: string(b)} }

// Decimal holds an exact decimal written as digits with at most one point. The
// scale is kept ("1.50" stays "1.50"); a plus sign is dropped and a missing
// zero before the point is added.
func Decimal(digits string) (Value, error) {
	if !isDecimal(digits) {
		return Value{}, fmt.Errorf("%q is not a decimal number", digits)
	}
	if isCanonicalDecimal(digits) {
		return Value{kind: KindDecimal, text: digits}, nil
	}
	digits = strings.TrimPrefix(digits, "+")
	sign := ""
	if rest, negative := strings.CutPrefix(digits, "-"); negative {
		sign, digits = "-", rest
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		whole += "." + fraction
	}
	if strings.Trim(whole, "0.") == "" {
		sign = ""
	}
	return Value{kind: KindDecimal, text: sign + whole}, nil
}

// The canonical texts of dates and times: ISO 8601, fractions up to nanoseconds
// without trailing zeros, zones as offsets.
const (
	dateLayout        = "2006-01-02"
	timeLayout        = "15:04:05.999999999"
	timestampLayout   = "2006-01-02T15:04:05.999999999"
	timestampTZLayout = "2006-01-02T15:04:05.999999999Z07:00"
)

// Date holds the day of t, whatever its zone.
func Date(t time.Time) Value { return Value{kind: KindDate, text: t.Format(dateLayout)} }

// Time holds the time of day of t, whatever its zone.
func Time(t time.Time) Value { return Value{kind: KindTime, text: t.Format(timeLayout)} }

// Timestamp holds the wall clock of t, whatever its zone.
func Timestamp(t time.Time) Value {
	if _, offset := t.Zone(); offset == 0 {
		// That layout, which time writes several times as fast, and a Z.
		return Value{kind: KindTimestamp, text: strings.TrimSuffix(t.Format(time.RFC3339Nano), "Z")}
	}
	return Value{kind: KindTimestamp, text: t.Format(timestampLayout)}
}

// TimestampTZ holds the instant t with its offset.
func TimestampTZ(t time.Time) Value {
	return Value{kind: KindTimestampTZ, text: t.Format(timestampTZLayout)}
}

// Interval holds a duration in ISO 8601 form, such as P1M2DT3H.
func Interval(iso string) Value { return Value{kind: KindInterval, text: iso} }

// JSON holds a JSON text, kept byte for byte.
func JSON(text string) Value { return Value{kind: KindJSON, text: text} }

// UUID holds a UUID in its 36 character form.
func UUID(text string) Value { return Value{kind: KindUUID, text: strings.ToLower(text)} }

// Array holds a list; the list is not copied and must not change afterwards.
func Array(list []Value) Value { return Value{kind: KindArray, list: list} }

// Parse makes a value of kind from its canonical text, the inverse of
// Value.String for every kind but arrays. It refuses text that is not of the
// kind; a date such as 2024-02-30 is no date.
func Parse(kind Kind, text string) (Value, error) {
	switch kind {
	case KindNull:
		return Null(), nil
	case KindBool:
		b, err := strconv.ParseBool(text)
		return Bool(b), err
	case KindInt:
		i, err := strconv.ParseInt(text, 10, 64)
		return Int(i), err
	case KindDecimal:
		return Decimal(text)
	case KindFloat:
		f, err := strconv.ParseFloat(text, 64)
		return Float(f), err
	case KindBytes:
		b, err := base64.StdEncoding.DecodeString(text)
		return Bytes(b), err
	case KindDate:
		if isDay(text) {
			return Value{kind: KindDate, text: text}, nil
		}
		t, err := time.Parse(dateLayout, text)
		return Date(t), err
	case KindTime:
		t, err := time.Parse(timeLayout, text)
		return Time(t), err
	case KindTimestamp:
		if canonical, ok := plainTimestamp(text); ok {
			return Value{kind: KindTimestamp, text: canonical}, nil
		}
		t, err := time.Parse(timestampLayout, strings.Replace(text, " ", "T", 1))
		return Timestamp(t), err
	case KindTimestampTZ:
		if at, utc := strings.CutSuffix(text, "Z"); utc {
			if canonical, ok := plainTimestamp(at); ok {
				return Value{kind: KindTimestampTZ, text: canonical + "Z"}, nil
			}
		}
		t, err := time.Parse(timestampTZLayout, strings.Replace(text, " ", "T", 1))
		return TimestampTZ(t), err
	case KindText, KindInterval, KindJSON, KindUUID:
		return Value{kind: kind, text: text}, nil
	default:
		return Value{}, fmt.Errorf("a value of kind %s has no text form", kind)
	}
}

// Kind says what the value holds.
func (v Value) Kind() Kind { return v.kind }

// IsNull reports whether the value is absent.
func (v Value) IsNull() bool { return v.kind == KindNull }

// Bool is the truth value of a KindBool, else false.
func (v Value) Bool() bool { return v.kind == KindBool && v.bits == 1 }

// Int is the number in a KindInt, else 0.
func (v Value) Int() int64 {
	if v.kind != KindInt {
		return 0
	}
	return int64(v.bits)
}

// Float is the nearest double of a number, else 0. Use it to draw or to compare
// roughly, never on the way of a cell to the user.
func (v Value) Float() float64 {
	switch v.kind {
	case KindFloat:
		return math.Float64frombits(v.bits)
	case KindInt:
		return float64(int64(v.bits))
	case KindDecimal:
		f, err := strconv.ParseFloat(v.text, 64)
		if err != nil {
			return 0
		}
		return f
	}
	return 0
}

// List is the elements of a KindArray, else nil. It must not be changed.
func (v Value) List() []Value { return v.list }

// Raw is the bytes of a KindBytes, else nil.
func (v Value) Raw() []byte {
	if v.kind != KindBytes {
		return nil
	}
	return []byte(v.text)
}

// String is the canonical text: digits for numbers, ISO 8601 for dates and
// times, base64 for bytes, the empty string for null.
func (v Value) String() string {
	switch v.kind {
	case KindNull:
		return ""
	case KindBool:
		return strconv.FormatBool(v.bits == 1)
	case KindInt:
		return strconv.FormatInt(int64(v.bits), 10)
	case KindFloat:
		return formatFloat(math.Float64frombits(v.bits))
	case KindBytes:
		return base64.StdEncoding.EncodeToString([]byte(v.text))
	case KindArray:
		parts := make([]string, len(v.list))
		for i, e := range v.list {
			parts[i] = e.String()
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return v.text
}

// readableDigits is how many significant digits of a double hold for certain:
// what stands behind them is mostly the error of a sum.
const readableDigits = 15

// maxWhole is up to where each whole number has a double of its own.
const maxWhole = 1 << 53

// Rounded is the text for people: that of String, but with at most 15 significant
// digits of a float, 346.4025 for 346.40250000000003. Whole numbers that a double
// holds exactly keep all their digits, as do integers and decimals. It is not for
// what programs read.
func (v Value) Rounded() string {
	switch v.kind {
	case KindFloat:
		return roundedFloat(math.Float64frombits(v.bits))
	case KindArray:
		parts := make([]string, len(v.list))
		for i, e := range v.list {
			parts[i] = e.Rounded()
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return v.String()
}

func roundedFloat(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) <= maxWhole {
		return formatFloat(f)
	}
	short, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', readableDigits, 64), 64)
	if err != nil {
		// The greatest doubles round to what is none.
		return formatFloat(f)
	}
	return formatFloat(short)
}

// Digits stay digits up to 1e21, as JSON writers do; beyond that an exponent is
// shorter than the zeros.
func formatFloat(f float64) string {
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// Equal reports whether both values have the same kind and content. NaN equals
// NaN: Equal compares cells, not numbers.
func (v Value) Equal(w Value) bool {
	if v.kind != w.kind || v.bits != w.bits || v.text != w.text || len(v.list) != len(w.list) {
		return false
	}
	for i := range v.list {
		if !v.list[i].Equal(w.list[i]) {
			return false
		}
	}
	return true
}

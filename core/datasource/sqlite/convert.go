package sqlite

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cockroachdb/apd/v3"

	"querent.dev/querent/core/datasource/internal/content"
	"querent.dev/querent/sdk/wire"
)

// convert turns a cell as the driver gives it into a value of the column's type
// and tells its size in bytes. SQLite lets any cell hold any value: one that is
// not of the type keeps what it is (text in a column of integers stays text),
// so that nothing is lost. Only an integer that SQLite itself has turned into an
// inexact double is an error.
func convert(cell any, t wire.Type) (wire.Value, int64, error) {
	switch x := cell.(type) {
	case nil:
		return wire.Null(), 0, nil
	case int64:
		return fromInt(x, t), 8, nil
	case float64:
		v, err := fromFloat(x, t)
		return v, 8, err
	case string:
		return fromText(x, t), int64(len(x)), nil
	case []byte:
		return wire.Bytes(x), int64(len(x)), nil
	case time.Time:
		return fromTime(x, t), int64(len(time.RFC3339)), nil
	}
	return wire.Value{}, 0, fmt.Errorf("the driver gave a %T", cell)
}

func fromInt(i int64, t wire.Type) wire.Value {
	switch t.Kind {
	case wire.KindBool:
		if i == 0 || i == 1 {
			return wire.Bool(i == 1)
		}
	case wire.KindDecimal:
		return decimal(strconv.FormatInt(i, 10), t)
	case wire.KindFloat:
		if f := float64(i); int64(f) == i && math.Abs(f) <= maxExact {
			return wire.Float(f)
		}
	}
	return wire.Int(i)
}

var errBeyond64Bits = errors.New("an integer beyond 64 bits")

// maxExact is the largest double below which every integer has a double of its
// own: 2^53.
const maxExact = 1 << 53

func fromFloat(f float64, t wire.Type) (wire.Value, error) {
	switch t.Kind {
	case wire.KindBool:
		if f == 0 || f == 1 {
			return wire.Bool(f == 1), nil
		}
	case wire.KindInt:
		if f != math.Trunc(f) {
			return wire.Float(f), nil
		}
		if math.Abs(f) > maxExact {
			return wire.Value{}, fmt.Errorf("%w: it became the inexact %g", errBeyond64Bits, f)
		}
		return wire.Int(int64(f)), nil
	case wire.KindDecimal:
		if v, ok := atScale(f, t); ok {
			return v, nil
		}
		if !math.IsInf(f, 0) {
			return decimal(content.DoubleDigits(f), t), nil
		}
	}
	return wire.Float(f), nil
}

func fromText(s string, t wire.Type) wire.Value {
	switch t.Kind {
	case wire.KindText:
	case wire.KindDecimal:
		return decimal(s, t)
	case wire.KindDate, wire.KindTimestamp, wire.KindTimestampTZ:
		if at, ok := content.ParseMoment(s); ok {
			return fromTime(at, t)
		}
	case wire.KindTime, wire.KindJSON:
		if v, err := wire.Parse(t.Kind, s); err == nil {
			return v
		}
	}
	return wire.Text(s)
}

// fromTime keeps what the type has no room for: a date with a time of day is a
// timestamp, a time with an offset from UTC a timestamp with zone.
func fromTime(at time.Time, t wire.Type) wire.Value {
	_, offset := at.Zone()
	hour, minute, second := at.Clock()
	midnight := hour == 0 && minute == 0 && second == 0 && at.Nanosecond() == 0
	switch {
	case t.Kind == wire.KindDate && midnight && offset == 0:
		return wire.Date(at)
	case offset != 0 || t.Kind == wire.KindTimestampTZ:
		return wire.TimestampTZ(at)
	}
	return wire.Timestamp(at)
}

// powers are the powers of ten that doubles of the usual scales are made of.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6}

// atScale is the decimal of the declared scale whose double f is, if there is one,
// as for nearly every f that was stored. Both operands of the division are exact,
// so that it gives just that double.
func atScale(f float64, t wire.Type) (wire.Value, bool) {
	scale := int(t.Scale)
	if t.Precision == 0 || scale >= len(powers) {
		return wire.Value{}, false
	}
	units := math.Round(f * powers[scale])
	if math.Abs(units) > maxExact || units/powers[scale] != f {
		return wire.Value{}, false
	}
	var room [32]byte
	digits := strconv.AppendInt(room[:0], int64(math.Abs(units)), 10)
	for len(digits) <= scale {
		digits = slices.Insert(digits, 0, '0')
	}
	if scale > 0 {
		digits = slices.Insert(digits, len(digits)-scale, '.')
	}
	if units < 0 {
		digits = slices.Insert(digits, 0, '-')
	}
	v, err := wire.Decimal(string(digits))
	return v, err == nil
}

// decimal is digits at the declared scale, filled with zeros. SQLite holds nobody
// to a declared scale: a number that has more digits keeps them, but for an
// error of calculation. With no declared precision all digits are kept. What is
// no number stays text.
func decimal(digits string, t wire.Type) wire.Value {
	if t.Precision > 0 {
		digits = rescale(digits, int(t.Scale))
	}
	v, err := wire.Decimal(digits)
	if err != nil {
		return wire.Text(digits)
	}
	return v
}

// errorDigits is how far behind the scale a digit must stand to be taken for an
// error of calculation.
const errorDigits = 3

// rescale returns text that is no number, or has more digits than the scale,
// unchanged.
func rescale(digits string, scale int) string {
	whole, fraction, _ := strings.Cut(digits, ".")
	missing := scale - len(fraction)
	if missing >= 0 && isDigits(strings.TrimPrefix(whole, "-")) && (fraction == "" || isDigits(fraction)) {
		if scale == 0 {
			return whole
		}
		return whole + "." + fraction + strings.Repeat("0", missing)
	}
	d, _, err := apd.NewFromString(digits)
	if err != nil || d.Form != apd.Finite {
		return digits
	}
	// Room for every digit, so that rounding is at the scale alone.
	c := apd.BaseContext.WithPrecision(uint32(len(digits) + scale + errorDigits + 1))
	c.Rounding = apd.RoundHalfUp
	var rounded, left apd.Decimal
	_, err = c.Quantize(&rounded, d, int32(-scale))
	if _, subErr := c.Sub(&left, d, &rounded); err != nil || subErr != nil {
		return digits
	}
	if left.Abs(&left).Cmp(apd.New(1, int32(-scale-errorDigits))) > 0 {
		return digits
	}
	return rounded.Text('f')
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

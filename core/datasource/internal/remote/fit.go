package remote

import (
	"math"
	"strconv"
	"strings"
	"time"

	"querent.dev/querent/core/datasource/internal/content"
	"querent.dev/querent/sdk/wire"
)

// Fit turns a value as the server's type has it into one of the plan's type, when
// that loses nothing; else the value stays what it is.
func Fit(v wire.Value, t wire.Type) wire.Value {
	if v.Kind() == t.Kind || v.IsNull() {
		return v
	}
	switch t.Kind {
	case wire.KindBool:
		if i := v.Int(); v.Kind() == wire.KindInt && (i == 0 || i == 1) {
			return wire.Bool(i == 1)
		}
	case wire.KindInt:
		return toInt(v)
	case wire.KindFloat:
		return toFloat(v)
	case wire.KindDecimal:
		return toDecimal(v, t)
	case wire.KindDate, wire.KindTimestamp, wire.KindTimestampTZ:
		return toMoment(v, t.Kind)
	case wire.KindTime, wire.KindUUID, wire.KindJSON:
		if v.Kind() == wire.KindText && (t.Kind != wire.KindUUID || len(v.String()) == uuidLength) {
			if parsed, err := wire.Parse(t.Kind, v.String()); err == nil {
				return parsed
			}
		}
	}
	return v
}

const uuidLength = 36

// toInt takes whole numbers alone.
func toInt(v wire.Value) wire.Value {
	switch v.Kind() {
	case wire.KindDecimal:
		whole, fraction, _ := strings.Cut(v.String(), ".")
		if strings.Trim(fraction, "0") != "" {
			return v
		}
		if i, err := strconv.ParseInt(whole, 10, 64); err == nil {
			return wire.Int(i)
		}
	case wire.KindFloat:
		if f := v.Float(); f == math.Trunc(f) && math.Abs(f) <= maxExact {
			return wire.Int(int64(f))
		}
	case wire.KindBool:
		if v.Bool() {
			return wire.Int(1)
		}
		return wire.Int(0)
	}
	return v
}

// maxExact is the largest double below which every integer has a double of its
// own: 2^53.
const maxExact = 1 << 53

// toFloat takes decimals, too: the plan says that the column is a double, and its
// calculation happens to be exact on this server.
func toFloat(v wire.Value) wire.Value {
	switch v.Kind() {
	case wire.KindInt:
		if f := float64(v.Int()); math.Abs(f) <= maxExact {
			return wire.Float(f)
		}
	case wire.KindDecimal:
		return wire.Float(v.Float())
	}
	return v
}

func toDecimal(v wire.Value, t wire.Type) wire.Value {
	digits := v.String()
	switch v.Kind() {
	case wire.KindInt:
		if t.Scale > 0 {
			digits += "." + strings.Repeat("0", int(t.Scale))
		}
	case wire.KindFloat:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return v
		}
		digits = content.DoubleDigits(v.Float())
	case wire.KindText:
	default:
		return v
	}
	if d, err := wire.Decimal(digits); err == nil {
		return d
	}
	return v
}

// toMoment reads text, and keeps what the kind has no room for: a date with a
// time of day is a timestamp, a time with an offset from UTC one with zone.
func toMoment(v wire.Value, kind wire.Kind) wire.Value {
	var at time.Time
	var ok bool
	switch v.Kind() {
	case wire.KindText, wire.KindDate, wire.KindTimestamp:
		at, ok = content.ParseMoment(v.String())
	}
	if !ok {
		return v
	}
	hour, minute, second := at.Clock()
	_, offset := at.Zone()
	switch {
	case offset != 0 || kind == wire.KindTimestampTZ:
		return wire.TimestampTZ(at)
	case kind == wire.KindDate && hour == 0 && minute == 0 && second == 0 && at.Nanosecond() == 0:
		return wire.Date(at)
	}
	return wire.Timestamp(at)
}

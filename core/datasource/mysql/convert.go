package mysql

import (
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"querent.dev/querent/sdk/wire"
)

// kindOfType is the kind of a result's column by the driver's name of its type;
// every other is text.
func kindOfType(name string) wire.Kind {
	switch name {
	case "TINYINT", "SMALLINT", "MEDIUMINT", "INT", "BIGINT", "YEAR":
		return wire.KindInt
	case "DECIMAL":
		return wire.KindDecimal
	case "FLOAT", "DOUBLE":
		return wire.KindFloat
	case "BLOB", "TINYBLOB", "MEDIUMBLOB", "LONGBLOB", "BINARY", "VARBINARY", "GEOMETRY":
		return wire.KindBytes
	case "DATE":
		return wire.KindDate
	case "TIME":
		return wire.KindTime
	case "DATETIME":
		return wire.KindTimestamp
	case "TIMESTAMP":
		return wire.KindTimestampTZ
	case "JSON":
		return wire.KindJSON
	case "BIT":
		return kindBits
	}
	return wire.KindText
}

// kindBits marks cells of bits, which come as bytes and are numbers.
const kindBits = wire.KindBool

// convert turns a cell as the driver gives it into a value. It is total: what is
// not of the kind stays text. A date that is zero, or has a zero in it, is null, as
// there is no such day.
func convert(kind wire.Kind, cell driver.Value, declared wire.Type) wire.Value {
	switch x := cell.(type) {
	case nil:
		return wire.Null()
	case int64:
		return wire.Int(x)
	case uint64:
		return unsigned(x)
	case float64:
		return wire.Float(x)
	case float32:
		// The digits that the column holds, not those of the nearest double.
		if f, err := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'g', -1, 32), 64); err == nil {
			return wire.Float(f)
		}
		return wire.Float(float64(x))
	case []byte:
		if kind == kindBits {
			return bits(x)
		}
		if kind == wire.KindBytes && declared.Kind != wire.KindText {
			return wire.Bytes(x)
		}
		return convertText(kind, string(x))
	case string:
		return convertText(kind, x)
	}
	return wire.Text(fmt.Sprint(cell))
}

// unsigned is a number that may be beyond a signed integer.
func unsigned(u uint64) wire.Value {
	if u <= math.MaxInt64 {
		return wire.Int(int64(u))
	}
	d, err := wire.Decimal(strconv.FormatUint(u, 10))
	if err != nil {
		return wire.Text(strconv.FormatUint(u, 10))
	}
	return d
}

func bits(b []byte) wire.Value {
	if len(b) > 8 {
		return wire.Bytes(b)
	}
	var whole [8]byte
	copy(whole[8-len(b):], b)
	return unsigned(binary.BigEndian.Uint64(whole[:]))
}

func convertText(kind wire.Kind, s string) wire.Value {
	switch kind {
	case wire.KindInt:
		if i, err := strconv.ParseInt(s, 10, 64); err == nil {
			return wire.Int(i)
		}
		if d, err := wire.Decimal(s); err == nil {
			return d
		}
	case wire.KindDecimal:
		if d, err := wire.Decimal(s); err == nil {
			return d
		}
	case wire.KindDate, wire.KindTimestamp, wire.KindTimestampTZ:
		return moment(kind, s)
	case wire.KindTime, wire.KindJSON:
		// A time of 24 hours or more, or below zero, is a span and stays text.
		if v, err := wire.Parse(kind, s); err == nil {
			return v
		}
	}
	return wire.Text(s)
}

const dateLength = len("2006-01-02")

func moment(kind wire.Kind, s string) wire.Value {
	if len(s) >= dateLength && (s[:4] == "0000" || s[5:7] == "00" || s[8:10] == "00") {
		return wire.Null()
	}
	if kind == wire.KindTimestampTZ {
		s += "Z" // sessions are in UTC
	}
	if v, err := wire.Parse(kind, s); err == nil {
		return v
	}
	return wire.Text(strings.TrimSuffix(s, "Z"))
}

// bind converts arguments to what the driver binds without a change. Dates are
// bound as text, and their type stands in the statement.
func bind(values []wire.Value) ([]driver.NamedValue, error) {
	args := make([]driver.NamedValue, len(values))
	for i, v := range values {
		args[i].Ordinal = i + 1
		switch v.Kind() {
		case wire.KindNull:
		case wire.KindBool:
			args[i].Value = v.Bool()
		case wire.KindInt:
			args[i].Value = v.Int()
		case wire.KindFloat:
			if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
				return nil, fmt.Errorf("argument %d is no finite number, and the server has no other", i+1)
			}
			args[i].Value = v.Float()
		case wire.KindBytes:
			args[i].Value = v.Raw()
		case wire.KindTimestamp, wire.KindTimestampTZ:
			args[i].Value = strings.TrimSuffix(strings.Replace(v.String(), "T", " ", 1), "Z")
		case wire.KindArray:
			return nil, fmt.Errorf("argument %d is an array, which the server does not have", i+1)
		default:
			args[i].Value = v.String()
		}
	}
	return args, nil
}

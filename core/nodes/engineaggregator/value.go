package engineaggregator

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"time"

	"github.com/cockroachdb/apd/v3"

	"querent.dev/querent/sdk/wire"
)

// family groups the kinds whose values compare with each other.
type family string

const (
	numbers   family = "a number"
	days      family = "a date" // dates, and timestamps without a zone
	untyped   family = ""       // null
	unordered family = "unordered"
)

// familyOf is the family of a kind; kinds that compare with their own alone are
// families by themselves.
func familyOf(k wire.Kind) family {
	switch {
	case k == wire.KindNull:
		return untyped
	case k.Numeric():
		return numbers
	case k == wire.KindDate, k == wire.KindTimestamp:
		return days
	case k == wire.KindJSON, k == wire.KindArray, k == wire.KindInterval, k == wire.KindBytes:
		return unordered
	}
	return family(k.String())
}

// comparable reports whether values of both kinds can be compared.
func comparableKinds(a, b wire.Kind) bool {
	x, y := familyOf(a), familyOf(b)
	return x != unordered && y != unordered && (x == y || x == untyped || y == untyped)
}

var errIncomparable = errors.New("its values cannot be compared")

// compare orders two values that are not null: numbers by size, text by code
// point, times by instant.
func compare(a, b wire.Value) (int, error) {
	if a.Kind() == wire.KindInt && b.Kind() == wire.KindInt {
		return cmp.Compare(a.Int(), b.Int()), nil
	}
	if !comparableKinds(a.Kind(), b.Kind()) {
		return 0, errIncomparable
	}
	switch familyOf(a.Kind()) {
	case numbers:
		return compareNumbers(a, b)
	case family(wire.KindTimestampTZ.String()):
		x, errX := time.Parse(time.RFC3339Nano, a.String())
		y, errY := time.Parse(time.RFC3339Nano, b.String())
		return x.Compare(y), errors.Join(errX, errY)
	case days:
		return strings.Compare(atMidnight(a), atMidnight(b)), nil
	}
	return strings.Compare(a.String(), b.String()), nil
}

func compareNumbers(a, b wire.Value) (int, error) {
	x, y := a.Float(), b.Float()
	if odd(x) || odd(y) || a.Kind() == wire.KindFloat && b.Kind() == wire.KindFloat {
		return cmp.Compare(x, y), nil
	}
	var p, q apd.Decimal
	if err := errors.Join(number(&p, a), number(&q, b)); err != nil {
		return 0, err
	}
	return p.Cmp(&q), nil
}

// odd reports whether a float has no digits.
func odd(f float64) bool { return math.IsNaN(f) || math.IsInf(f, 0) }

// number reads a number exactly; a float as the digits that it is written with.
func number(d *apd.Decimal, v wire.Value) error {
	if v.Kind() == wire.KindFloat {
		_, err := d.SetFloat64(v.Float())
		return err
	}
	_, _, err := d.SetString(v.String())
	return err
}

// atMidnight is a date or timestamp as a timestamp's text.
func atMidnight(v wire.Value) string {
	if v.Kind() == wire.KindDate {
		return v.String() + "T00:00:00"
	}
	return v.String()
}

// appendKey appends what equal values have in common, so that rows are found and
// grouped by it.
func appendKey(key []byte, v wire.Value) ([]byte, error) {
	text := v.String()
	switch family := familyOf(v.Kind()); {
	case v.Kind() == wire.KindFloat && odd(v.Float()):
	case family == numbers:
		var d apd.Decimal
		if err := number(&d, v); err != nil {
			return nil, err
		}
		d.Reduce(&d)
		text = d.String()
	case family == days:
		text = atMidnight(v)
	case v.Kind() == wire.KindTimestampTZ:
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			return nil, err
		}
		text = at.UTC().Format(time.RFC3339Nano)
	}
	name := string(familyOf(v.Kind()))
	key = append(binary.AppendUvarint(key, uint64(len(name))), name...)
	return append(binary.AppendUvarint(key, uint64(len(text))), text...), nil
}

// keyOf is the key of some cells of a row. Null tells that one of them is null.
func keyOf(row []wire.Value, at []int) (key string, null bool, err error) {
	var b []byte
	for _, i := range at {
		null = null || row[i].IsNull()
		if b, err = appendKey(b, row[i]); err != nil {
			return "", false, err
		}
	}
	return string(b), null, nil
}

// exact adds and subtracts without rounding.
var exact = &apd.BaseContext

var errBeyond64Bits = errors.New("the number does not fit into 64 bits")

// plain is a number as a cell of the type.
func plain(d *apd.Decimal, t wire.Type) (wire.Value, error) {
	if t.Kind == wire.KindInt {
		i, err := d.Int64()
		if err != nil {
			return wire.Null(), fmt.Errorf("%w: %w", errBeyond64Bits, err)
		}
		return wire.Int(i), nil
	}
	return wire.Decimal(d.Text('f'))
}

// asType is a number as a cell of another type of number. What is no number stays
// as it is.
func asType(v wire.Value, t wire.Type) (wire.Value, error) {
	switch {
	case v.Kind() == t.Kind || !v.Kind().Numeric():
		return v, nil
	case t.Kind == wire.KindDecimal && v.Kind() == wire.KindInt:
		return wire.Decimal(v.String())
	case t.Kind == wire.KindFloat:
		return wire.Float(v.Float()), nil
	}
	return v, nil
}

// difference is a - b, null when one is.
func difference(a, b wire.Value, t wire.Type) (wire.Value, error) {
	switch {
	case a.IsNull() || b.IsNull():
		return wire.Null(), nil
	case t.Kind == wire.KindFloat:
		return wire.Float(a.Float() - b.Float()), nil
	}
	var x, y apd.Decimal
	if err := errors.Join(number(&x, a), number(&y, b)); err != nil {
		return wire.Null(), err
	}
	if _, err := exact.Sub(&x, &x, &y); err != nil {
		return wire.Null(), err
	}
	return plain(&x, t)
}

// ratio is a / b as a double, null when one is or b is zero.
func ratio(a, b wire.Value) wire.Value {
	x, y := rational(a), rational(b)
	switch {
	case a.IsNull() || b.IsNull() || b.Float() == 0:
		return wire.Null()
	case x == nil || y == nil || y.Sign() == 0:
		return wire.Float(a.Float() / b.Float())
	}
	f, _ := x.Quo(x, y).Float64()
	return wire.Float(f)
}

// rational is a number as a fraction, nil for what is none.
func rational(v wire.Value) *big.Rat {
	if v.Kind() == wire.KindFloat {
		return new(big.Rat).SetFloat64(v.Float())
	}
	r, ok := new(big.Rat).SetString(v.String())
	if !ok {
		return nil
	}
	return r
}

// maxPrecision and maxScale are those of calculated decimals in plans.
const (
	maxPrecision = 38
	maxScale     = 30
)

// widest is the type that numbers of both types have room in.
func widest(a, b wire.Type) wire.Type {
	switch {
	case a.Kind == wire.KindFloat || b.Kind == wire.KindFloat:
		return wire.Type{Kind: wire.KindFloat}
	case a.Kind == wire.KindInt && b.Kind == wire.KindInt:
		return a
	case a.Kind == wire.KindDecimal && a.Precision == 0, b.Kind == wire.KindDecimal && b.Precision == 0:
		return wire.Type{Kind: wire.KindDecimal}
	}
	return decimalOf(max(a.Scale, b.Scale))
}

func decimalOf(scale int32) wire.Type {
	if scale > maxScale {
		return wire.Type{Kind: wire.KindDecimal}
	}
	return wire.Type{Kind: wire.KindDecimal, Precision: maxPrecision, Scale: scale}
}

// common is the type of a column that takes values of both.
func common(a, b wire.Type) (wire.Type, bool) {
	switch {
	case a == b || b.Kind == wire.KindNull:
		return a, true
	case a.Kind == wire.KindNull:
		return b, true
	case a.Kind.Numeric() && b.Kind.Numeric():
		return widest(a, b), true
	}
	return a, a.Kind == b.Kind
}

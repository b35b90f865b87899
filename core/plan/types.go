package plan

import (
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// maxPrecision is the precision of computed decimals: 38 digits are what every
// database keeps exactly.
const maxPrecision = 38

// maxScale bounds the digits after the point of a computed decimal. Beyond it
// the scale is left open.
const maxScale = 30

// columnType is what a column means, whatever it is stored as.
func columnType(c *schema.Column) wire.Type {
	switch c.Storage {
	case schema.StorageEpoch, schema.StorageEpochMS:
		return wire.Type{Kind: wire.KindTimestampTZ}
	case schema.StorageNative:
		return c.Type
	}
	switch {
	case c.Type.Kind.Temporal():
		return c.Type
	case c.Storage == schema.StorageDMY:
		return wire.Type{Kind: wire.KindDate}
	}
	return wire.Type{Kind: wire.KindTimestamp}
}

func decimalOf(scale int32) wire.Type {
	if scale > maxScale {
		return wire.Type{Kind: wire.KindDecimal}
	}
	return wire.Type{Kind: wire.KindDecimal, Precision: maxPrecision, Scale: scale}
}

// scaleOf is the digits after the point of an exact number; false if unknown.
func scaleOf(t wire.Type) (int32, bool) {
	if t.Kind == wire.KindInt {
		return 0, true
	}
	return t.Scale, t.Kind == wire.KindDecimal && t.Precision > 0
}

// unify is the one type that values of both types can take without loss of
// meaning. Null takes any type.
func unify(a, b wire.Type) (wire.Type, bool) {
	switch {
	case a == b || b.Kind == wire.KindNull:
		return a, true
	case a.Kind == wire.KindNull:
		return b, true
	case a.Kind.Numeric() && b.Kind.Numeric():
		return arithmetic(OpAdd, a, b), true
	case a.Kind == wire.KindArray:
		return a, false
	}
	return a, a.Kind == b.Kind
}

// arithmetic is the type of a calculation with two numbers. Division is always
// a float; anything with a float is one; the rest is exact.
func arithmetic(op BinaryOp, a, b wire.Type) wire.Type {
	if op == OpDiv || a.Kind == wire.KindFloat || b.Kind == wire.KindFloat {
		return wire.Type{Kind: wire.KindFloat}
	}
	if a.Kind == wire.KindInt && b.Kind == wire.KindInt {
		return a
	}
	left, known := scaleOf(a)
	right, alsoKnown := scaleOf(b)
	if !known || !alsoKnown {
		return wire.Type{Kind: wire.KindDecimal}
	}
	if op == OpMul {
		return decimalOf(left + right)
	}
	return decimalOf(max(left, right))
}

// canCompare reports whether values of both kinds can be compared: all numbers
// with each other, dates with timestamps, the rest with their own kind.
func canCompare(a, b wire.Kind) bool {
	switch {
	case a == wire.KindNull || b == wire.KindNull:
		return true
	case a.Numeric() && b.Numeric(), a.Temporal() && b.Temporal():
		return true
	case a == wire.KindJSON || a == wire.KindArray || a == wire.KindInterval || a == wire.KindBytes:
		return false
	}
	return a == b
}

func nullifType(args []wire.Type) (wire.Type, error) {
	_, err := common(args)
	return args[0], err
}

// typeName is the type in the words of messages.
func typeName(t wire.Type) string {
	switch t.Kind {
	case wire.KindInt, wire.KindFloat:
		return "a number (" + t.String() + ")"
	case wire.KindDecimal:
		return "a number (decimal)"
	case wire.KindBool:
		return "a condition (bool)"
	case wire.KindText:
		return "text"
	case wire.KindDate:
		return "a date"
	case wire.KindTimestamp:
		return "a timestamp"
	case wire.KindTimestampTZ:
		return "a timestamp with zone"
	}
	return t.String()
}

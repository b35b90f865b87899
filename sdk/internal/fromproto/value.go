// Package fromproto turns messages of the protocol into the types of sdk/wire,
// the inverse of toproto. All functions are pure. What comes from another
// process is not trusted: a value that is not of its kind is an error.
package fromproto

import (
	"fmt"

	"querent.dev/querent/sdk/internal/pluginv1"
	"querent.dev/querent/sdk/wire"
)

// Value converts a cell. A missing one is null.
func Value(m *pluginv1.Value) (wire.Value, error) {
	switch k := m.GetKind().(type) {
	case *pluginv1.Value_BoolValue:
		return wire.Bool(k.BoolValue), nil
	case *pluginv1.Value_IntValue:
		return wire.Int(k.IntValue), nil
	case *pluginv1.Value_DecimalValue:
		return wire.Decimal(k.DecimalValue)
	case *pluginv1.Value_FloatValue:
		return wire.Float(k.FloatValue), nil
	case *pluginv1.Value_TextValue:
		return wire.Text(string(k.TextValue)), nil
	case *pluginv1.Value_BytesValue:
		return wire.Bytes(k.BytesValue), nil
	case *pluginv1.Value_DateValue:
		return wire.Parse(wire.KindDate, k.DateValue)
	case *pluginv1.Value_TimeValue:
		return wire.Parse(wire.KindTime, k.TimeValue)
	case *pluginv1.Value_TimestampValue:
		return wire.Parse(wire.KindTimestamp, k.TimestampValue)
	case *pluginv1.Value_TimestamptzValue:
		return wire.Parse(wire.KindTimestampTZ, k.TimestamptzValue)
	case *pluginv1.Value_IntervalValue:
		return wire.Interval(k.IntervalValue), nil
	case *pluginv1.Value_JsonValue:
		return wire.JSON(string(k.JsonValue)), nil
	case *pluginv1.Value_UuidValue:
		return wire.Parse(wire.KindUUID, k.UuidValue)
	case *pluginv1.Value_ArrayValue:
		list, err := values(k.ArrayValue.GetValues())
		return wire.Array(list), err
	}
	if m != nil && len(m.ProtoReflect().GetUnknown()) > 0 {
		return wire.Value{}, fmt.Errorf("the value is of a kind that this side does not know; update it")
	}
	return wire.Null(), nil
}

func values(list []*pluginv1.Value) ([]wire.Value, error) {
	out := make([]wire.Value, len(list))
	for i, m := range list {
		v, err := Value(m)
		if err != nil {
			return nil, fmt.Errorf("element %d: %w", i, err)
		}
		out[i] = v
	}
	return out, nil
}

// Type converts a column's type.
func Type(m *pluginv1.Type) (wire.Type, error) {
	kind, err := valueKind(m.GetKind())
	if err != nil {
		return wire.Type{}, err
	}
	elem, err := valueKind(m.GetElem())
	if err != nil {
		return wire.Type{}, err
	}
	return wire.Type{Kind: kind, Precision: m.GetPrecision(), Scale: m.GetScale(), Elem: elem}, nil
}

// Both number the kinds alike.
func valueKind(k pluginv1.ValueKind) (wire.Kind, error) {
	if _, known := pluginv1.ValueKind_name[int32(k)]; !known {
		return 0, fmt.Errorf("there is no kind of value with the number %d; update this side", k)
	}
	return wire.Kind(k), nil
}

func each[A, B any](list []A, convert func(A) B) []B {
	if len(list) == 0 {
		return nil
	}
	out := make([]B, len(list))
	for i, a := range list {
		out[i] = convert(a)
	}
	return out
}

// try is each with a conversion that may fail; what names an element.
func try[A, B any](what string, list []A, convert func(A) (B, error)) ([]B, error) {
	if len(list) == 0 {
		return nil, nil
	}
	out := make([]B, len(list))
	for i, a := range list {
		b, err := convert(a)
		if err != nil {
			return nil, fmt.Errorf("%s %d: %w", what, i, err)
		}
		out[i] = b
	}
	return out, nil
}

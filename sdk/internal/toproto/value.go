// Package toproto turns the types of sdk/wire into messages of the protocol.
// All functions are pure and lose nothing that fromproto does not restore, with
// two exceptions: a nil and an empty slice are the same message, and Text
// repairs strings that are not UTF-8, which the protocol cannot carry. Cells
// are carried byte for byte.
package toproto

import (
	"strings"
	"unicode/utf8"

	"querent.dev/querent/sdk/internal/pluginv1"
	"querent.dev/querent/sdk/wire"
)

// Text is s with U+FFFD in place of bytes that are not UTF-8.
func Text[S ~string](s S) string {
	if utf8.ValidString(string(s)) { // several times as fast as ToValidUTF8, which would do
		return string(s)
	}
	return strings.ToValidUTF8(string(s), "\uFFFD")
}

// Texts is Text for each string.
func Texts[S ~string](list []S) []string { return each(list, Text[S]) }

// Value converts a cell.
func Value(v wire.Value) *pluginv1.Value {
	switch v.Kind() {
	case wire.KindBool:
		return &pluginv1.Value{Kind: &pluginv1.Value_BoolValue{BoolValue: v.Bool()}}
	case wire.KindInt:
		return &pluginv1.Value{Kind: &pluginv1.Value_IntValue{IntValue: v.Int()}}
	case wire.KindDecimal:
		return &pluginv1.Value{Kind: &pluginv1.Value_DecimalValue{DecimalValue: v.String()}}
	case wire.KindFloat:
		return &pluginv1.Value{Kind: &pluginv1.Value_FloatValue{FloatValue: v.Float()}}
	case wire.KindText:
		return &pluginv1.Value{Kind: &pluginv1.Value_TextValue{TextValue: []byte(v.String())}}
	case wire.KindBytes:
		return &pluginv1.Value{Kind: &pluginv1.Value_BytesValue{BytesValue: v.Raw()}}
	case wire.KindDate:
		return &pluginv1.Value{Kind: &pluginv1.Value_DateValue{DateValue: v.String()}}
	case wire.KindTime:
		return &pluginv1.Value{Kind: &pluginv1.Value_TimeValue{TimeValue: v.String()}}
	case wire.KindTimestamp:
		return &pluginv1.Value{Kind: &pluginv1.Value_TimestampValue{TimestampValue: v.String()}}
	case wire.KindTimestampTZ:
		return &pluginv1.Value{Kind: &pluginv1.Value_TimestamptzValue{TimestamptzValue: v.String()}}
	case wire.KindInterval:
		return &pluginv1.Value{Kind: &pluginv1.Value_IntervalValue{IntervalValue: Text(v.String())}}
	case wire.KindJSON:
		return &pluginv1.Value{Kind: &pluginv1.Value_JsonValue{JsonValue: []byte(v.String())}}
	case wire.KindUUID:
		return &pluginv1.Value{Kind: &pluginv1.Value_UuidValue{UuidValue: Text(v.String())}}
	case wire.KindArray:
		return &pluginv1.Value{Kind: &pluginv1.Value_ArrayValue{ArrayValue: &pluginv1.ValueList{Values: each(v.List(), Value)}}}
	}
	return &pluginv1.Value{}
}

// Type converts a column's type.
func Type(t wire.Type) *pluginv1.Type {
	return &pluginv1.Type{
		Kind: pluginv1.ValueKind(t.Kind), Precision: t.Precision, Scale: t.Scale, Elem: pluginv1.ValueKind(t.Elem),
	}
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

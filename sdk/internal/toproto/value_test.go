package toproto_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"querent.dev/querent/sdk/internal/fromproto"
	"querent.dev/querent/sdk/internal/pluginv1"
	"querent.dev/querent/sdk/internal/toproto"
	"querent.dev/querent/sdk/wire"
)

// pass sends a cell through the bytes of the protocol.
func pass(t *testing.T, v wire.Value) wire.Value {
	t.Helper()
	raw, err := proto.Marshal(toproto.Value(v))
	if err != nil {
		t.Fatalf("%s %q: %v", v.Kind(), v, err)
	}
	var m pluginv1.Value
	if err := proto.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	got, err := fromproto.Value(&m)
	if err != nil {
		t.Fatalf("%s %q: %v", v.Kind(), v, err)
	}
	return got
}

func decimal(t *testing.T, digits string) wire.Value {
	t.Helper()
	v, err := wire.Decimal(digits)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestValues(t *testing.T) {
	at := time.Date(2024, 2, 29, 23, 59, 59, 123456789, time.FixedZone("", 9*3600))
	values := []wire.Value{
		wire.Null(), wire.Bool(true), wire.Bool(false),
		wire.Int(0), wire.Int(-1), wire.Int(math.MaxInt64), wire.Int(math.MinInt64), wire.Int(1<<53 + 1),
		decimal(t, "0"), decimal(t, "1.50"), decimal(t, "-0.000"), decimal(t, strings.Repeat("9", 60)+".10"),
		wire.Float(0), wire.Float(math.Copysign(0, -1)), wire.Float(math.NaN()), wire.Float(math.Inf(1)), wire.Float(math.Inf(-1)),
		wire.Float(math.SmallestNonzeroFloat64), wire.Float(math.MaxFloat64), wire.Float(0.1),
		wire.Text(""), wire.Text("Åse 김 \x00"), wire.Text("not UTF-8: \xff\xfe"),
		wire.Bytes(nil), wire.Bytes([]byte{0, 255, 254}),
		wire.Date(at), wire.Time(at), wire.Timestamp(at), wire.TimestampTZ(at), wire.TimestampTZ(at.UTC()),
		wire.Interval("P1M2DT3H"), wire.JSON(`{"a": 1.0,  "b": [null]}`), wire.JSON("\xff"),
		wire.UUID("6BA7B810-9dad-11d1-80b4-00c04fd430c8"),
		wire.Array(nil), wire.Array([]wire.Value{wire.Null(), wire.Int(1), wire.Text(""), wire.Array([]wire.Value{wire.Bool(true)})}),
	}
	kinds := map[wire.Kind]bool{}
	for _, v := range values {
		kinds[v.Kind()] = true
		if got := pass(t, v); !got.Equal(v) {
			t.Errorf("%s %q became %s %q", v.Kind(), v, got.Kind(), got)
		}
	}
	for k := wire.KindNull; k <= wire.KindArray; k++ {
		if !kinds[k] {
			t.Errorf("no value of kind %s is tested", k)
		}
		typ := wire.Type{Kind: k, Precision: 10, Scale: 2, Elem: k}
		if got, err := fromproto.Type(toproto.Type(typ)); err != nil || got != typ {
			t.Errorf("type %s became %s, %v", typ, got, err)
		}
	}
	if _, known := pluginv1.ValueKind_name[int32(wire.KindArray)+1]; known {
		t.Error("the protocol has more kinds than are tested")
	}
}

func TestValuesRefused(t *testing.T) {
	later := &pluginv1.Value{}
	later.ProtoReflect().SetUnknown([]byte{0xa0, 0x06, 0x01}) // field 100
	for name, m := range map[string]*pluginv1.Value{
		"decimal":      {Kind: &pluginv1.Value_DecimalValue{DecimalValue: "1e5"}},
		"date":         {Kind: &pluginv1.Value_DateValue{DateValue: "2024-02-30"}},
		"in an array":  {Kind: &pluginv1.Value_ArrayValue{ArrayValue: &pluginv1.ValueList{Values: []*pluginv1.Value{{Kind: &pluginv1.Value_TimeValue{TimeValue: "25:00:00"}}}}}},
		"a later kind": later,
	} {
		if v, err := fromproto.Value(m); err == nil {
			t.Errorf("%s: %s %q", name, v.Kind(), v)
		}
	}
	for _, typ := range []*pluginv1.Type{{Kind: 99}, {Kind: 1, Elem: -1}, {Kind: 300}} {
		if got, err := fromproto.Type(typ); err == nil {
			t.Errorf("type %v became %s", typ, got)
		}
	}
	if v, err := fromproto.Value(nil); err != nil || !v.IsNull() {
		t.Errorf("a missing value is %s, %v; want null", v.Kind(), err)
	}
}

// FuzzValue makes a cell of any kind from text and passes it on: what is a value
// stays that value.
func FuzzValue(f *testing.F) {
	for _, text := range []string{"", "true", "-9223372036854775808", "1.50", "NaN", "2024-02-29", "23:59:59.9", "2024-02-29T00:00:00Z", "AP8=", "\xff"} {
		for k := wire.KindNull; k < wire.KindArray; k++ {
			f.Add(uint8(k), text)
		}
	}
	f.Fuzz(func(t *testing.T, kind uint8, text string) {
		v, err := wire.Parse(wire.Kind(kind%uint8(wire.KindArray)), text)
		if err != nil {
			return
		}
		if (v.Kind() == wire.KindInterval || v.Kind() == wire.KindUUID) && toproto.Text(text) != text {
			return // these two are text of the protocol, which is UTF-8
		}
		list := wire.Array([]wire.Value{v, v})
		if got := pass(t, list); !got.Equal(list) {
			t.Errorf("%s %q became %q", v.Kind(), v, got)
		}
	})
}

// FuzzForeignValue reads what another process may send: anything.
func FuzzForeignValue(f *testing.F) {
	for _, v := range []wire.Value{wire.Int(1), wire.Text("x"), wire.Array([]wire.Value{wire.Null()})} {
		raw, err := proto.Marshal(toproto.Value(v))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var m pluginv1.Value
		if proto.Unmarshal(raw, &m) != nil {
			return
		}
		v, err := fromproto.Value(&m)
		if err != nil {
			return
		}
		if got := pass(t, v); !got.Equal(v) {
			t.Errorf("%s %q became %q", v.Kind(), v, got)
		}
	})
}

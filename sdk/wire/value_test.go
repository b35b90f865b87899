package wire_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"querent.dev/querent/sdk/wire"
)

func decimal(t *testing.T, s string) wire.Value {
	t.Helper()
	v, err := wire.Decimal(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// samples has at least one value of every kind.
func samples(t *testing.T) []wire.Value {
	t.Helper()
	at := time.Date(2024, 2, 29, 23, 59, 58, 123456000, time.FixedZone("", 9*3600))
	return []wire.Value{
		wire.Null(), wire.Bool(true), wire.Bool(false),
		wire.Int(0), wire.Int(math.MaxInt64), wire.Int(math.MinInt64), wire.Int(9007199254740993),
		decimal(t, "0.10"), decimal(t, "-12345678901234567890.123456789"), decimal(t, "1"),
		wire.Float(0.1), wire.Float(-1e-300), wire.Float(1e300), wire.Float(math.Inf(1)), wire.Float(math.NaN()),
		wire.Text(""), wire.Text("<b>가나 \"é\"\n\x00"), wire.Bytes([]byte{0, 255, 10}), wire.Bytes(nil),
		wire.Date(at), wire.Time(at), wire.Timestamp(at), wire.TimestampTZ(at),
		wire.Interval("P1M2DT3H"), wire.JSON(`{"a": [1.0]}`), wire.UUID("A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11"),
		wire.Array([]wire.Value{wire.Int(1), wire.Null(), wire.Array([]wire.Value{decimal(t, "2.0")})}),
	}
}

func TestEveryKindIsSampled(t *testing.T) {
	seen := map[wire.Kind]bool{}
	for _, v := range samples(t) {
		seen[v.Kind()] = true
	}
	for k := wire.KindNull; k <= wire.KindArray; k++ {
		if !seen[k] {
			t.Errorf("no sample of kind %s", k)
		}
	}
}

func TestTaggedKeepsEveryValue(t *testing.T) {
	for _, v := range samples(t) {
		text, err := json.Marshal(wire.Tag(v))
		if err != nil {
			t.Fatal(err)
		}
		var back wire.Tagged
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		got, err := back.Value()
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if !got.Equal(v) {
			t.Errorf("%s came back as %s %q", text, got.Kind(), got)
		}
	}
}

func TestJSONLosesNoDigit(t *testing.T) {
	tests := []struct {
		v    wire.Value
		want string
	}{
		{wire.Null(), "null"},
		{wire.Bool(true), "true"},
		{wire.Int(9007199254740991), "9007199254740991"},
		{wire.Int(9007199254740993), `"9007199254740993"`},
		{wire.Int(math.MinInt64), `"-9223372036854775808"`},
		{decimal(t, "0.30"), `"0.30"`},
		{wire.Float(0.1), "0.1"},
		{wire.Float(1e21), "1e+21"},
		{wire.Float(math.NaN()), `"NaN"`},
		{wire.Float(math.Inf(-1)), `"-Inf"`},
		{wire.Text("<a> & é"), `"<a> & é"`},
		{wire.Bytes([]byte("hi")), `"aGk="`},
		{wire.JSON(`{"a":1}`), `{"a":1}`},
		{wire.JSON(`{broken`), `"{broken"`},
		{wire.Array(nil), "[]"},
		{wire.Array([]wire.Value{wire.Int(1), wire.Text("x")}), `[1,"x"]`},
	}
	for _, tt := range tests {
		got, err := tt.v.MarshalJSON()
		if err != nil || string(got) != tt.want {
			t.Errorf("%s %q: got %s (%v), want %s", tt.v.Kind(), tt.v, got, err, tt.want)
		}
	}
}

func TestDecimal(t *testing.T) {
	tests := map[string]string{
		"1.50": "1.50", "+3": "3", "-0.0": "0.0", ".5": "0.5", "007.10": "7.10", "5.": "5",
		"-00": "0", "123456789012345678901234567890": "123456789012345678901234567890",
	}
	for in, want := range tests {
		if got := decimal(t, in).String(); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
	for _, bad := range []string{"", ".", "1e5", "1,5", "NaN", "--1", "1.2.3", " 1", "１"} {
		if v, err := wire.Decimal(bad); err == nil {
			t.Errorf("%q is taken for the decimal %s", bad, v)
		}
	}
}

func TestParseRefusesWhatIsNotOfTheKind(t *testing.T) {
	tests := []struct {
		kind wire.Kind
		text string
	}{
		{wire.KindDate, "2024-02-30"}, {wire.KindDate, "24-01-01"}, {wire.KindInt, "1.0"}, {wire.KindInt, "9223372036854775808"},
		{wire.KindBool, "yes"}, {wire.KindTime, "25:00:00"}, {wire.KindTimestamp, "2024-01-01"}, {wire.KindTimestampTZ, "2024-01-01T00:00:00"},
		{wire.KindBytes, "***"}, {wire.KindFloat, "abc"}, {wire.KindArray, "[]"},
	}
	for _, tt := range tests {
		if v, err := wire.Parse(tt.kind, tt.text); err == nil {
			t.Errorf("%s %q is taken for %q", tt.kind, tt.text, v)
		}
	}
}

func TestRoundedHidesTheErrorsOfSums(t *testing.T) {
	decimal, err := wire.Decimal("0.12345678901234567890")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		value wire.Value
		want  string
	}{
		{wire.Float(346.40250000000003), "346.4025"},
		{wire.Float(6.659999999999999), "6.66"},
		{wire.Float(0.30000000000000004), "0.3"},
		{wire.Float(-1.0 / 3), "-0.333333333333333"},
		{wire.Float(1e-7 / 3), "3.33333333333333e-08"},
		{wire.Float(9007199254740991), "9007199254740991"},
		{wire.Float(12345678901234567890), "12345678901234600000"},
		{wire.Float(math.MaxFloat64), "1.7976931348623157e+308"},
		{wire.Float(math.NaN()), "NaN"},
		{wire.Float(math.Inf(-1)), "-Inf"},
		{decimal, "0.12345678901234567890"},
		{wire.Int(math.MaxInt64), "9223372036854775807"},
		{wire.Array([]wire.Value{wire.Float(0.30000000000000004), wire.Null()}), "[0.3, ]"},
		{wire.Text("346.40250000000003"), "346.40250000000003"},
		{wire.Null(), ""},
	}
	for _, tt := range tests {
		if got := tt.value.Rounded(); got != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.value.Kind(), tt.value, got, tt.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"2024-02-29", "-1.50", "13:04:05.25", "2024-01-01T00:00:00Z", "true", "9223372036854775807"} {
		for k := range wire.KindArray {
			f.Add(uint8(k), s)
		}
	}
	f.Fuzz(func(t *testing.T, kind uint8, text string) {
		v, err := wire.Parse(wire.Kind(kind), text)
		if err != nil {
			return
		}
		back, err := wire.Parse(v.Kind(), v.String())
		if err != nil || !back.Equal(v) {
			t.Errorf("%s %q -> %q -> %q (%v)", v.Kind(), text, v, back, err)
		}
		if b, err := v.MarshalJSON(); err != nil || !json.Valid(b) {
			t.Errorf("%s %q: JSON %s (%v)", v.Kind(), text, b, err)
		}
	})
}

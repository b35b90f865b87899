package wire_test

import (
	"math"
	"testing"
	"time"

	"querent.dev/querent/sdk/wire"
)

func binaryCases(t testing.TB) []wire.Value {
	price, err := wire.Decimal("-1234567890123456789.50")
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 10, 31, 23, 59, 59, 5, time.FixedZone("", 9*3600))
	return []wire.Value{
		wire.Null(), wire.Bool(false), wire.Bool(true), wire.Int(0), wire.Int(-1), wire.Int(math.MinInt64),
		wire.Int(math.MaxInt64), price, wire.Float(0.1), wire.Float(math.NaN()), wire.Float(math.Inf(-1)),
		wire.Text(""), wire.Text("별명\x00"), wire.Bytes([]byte{0xff, 0}), wire.Date(at), wire.Time(at),
		wire.Timestamp(at), wire.TimestampTZ(at), wire.Interval("P1M"), wire.JSON(`{"a":1}`),
		wire.UUID("00000000-0000-0000-0000-000000000001"),
		wire.Array([]wire.Value{wire.Int(1), wire.Array([]wire.Value{wire.Text("x")}), wire.Null()}),
	}
}

func TestBinaryRoundTrip(t *testing.T) {
	values := binaryCases(t)
	var b []byte
	for _, v := range values {
		b = v.AppendBinary(b)
	}
	rest := string(b)
	for _, want := range values {
		got, after, err := wire.DecodeBinary(rest)
		if err != nil {
			t.Fatalf("%s %q: %v", want.Kind(), want, err)
		}
		if !got.Equal(want) {
			t.Errorf("%s %q became %s %q", want.Kind(), want, got.Kind(), got)
		}
		rest = after
	}
	if rest != "" {
		t.Errorf("%d bytes are left over", len(rest))
	}
}

func TestBinaryRefusesWhatIsCutOff(t *testing.T) {
	for _, v := range binaryCases(t) {
		b := string(v.AppendBinary(nil))
		for n := range len(b) {
			if got, rest, err := wire.DecodeBinary(b[:n]); err == nil {
				t.Errorf("%d of %d bytes of %s gave %q and %q", n, len(b), v.Kind(), got, rest)
			}
		}
	}
}

func FuzzDecodeBinary(f *testing.F) {
	for _, v := range binaryCases(f) {
		f.Add(string(v.AppendBinary(nil)))
	}
	f.Fuzz(func(t *testing.T, b string) {
		v, rest, err := wire.DecodeBinary(b)
		if err != nil {
			return
		}
		again, _, err := wire.DecodeBinary(string(v.AppendBinary(nil)))
		if err != nil || !again.Equal(v) {
			t.Errorf("%q: %q with %d bytes left became %q (%v)", b, v, len(rest), again, err)
		}
	})
}

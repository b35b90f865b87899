package answer_test

import (
	"bytes"
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"querent.dev/querent/core/answer"
	"querent.dev/querent/sdk/wire"
)

// FuzzCellsAreExact writes a row of every kind as strict JSON: it is valid, fits the
// published schema, and gives back each value to the last digit.
func FuzzCellsAreExact(f *testing.F) {
	for _, i := range []int64{0, -1, 1<<53 - 1, 1 << 53, 1<<53 + 1, -1 << 53, math.MaxInt64, math.MinInt64} {
		f.Add(i, "12345678901234567890123456789012345.678", 0.1, int64(1_700_000_000), int64(123_456_789), "<&> \u2028 \xff \x00 한국", `{"n":12345678901234567890.10,"s":"<\u2028>"}`)
	}
	f.Add(int64(7), "-0.00", math.Copysign(0, -1), int64(-62135596800), int64(0), "", "\"\xff\"")
	f.Add(int64(7), "0.10", math.Inf(1), int64(253402300799), int64(1), `\u0000"`, `[1e400, 1E-7]`)
	f.Add(int64(7), "1", math.SmallestNonzeroFloat64, int64(0), int64(999_999_999), "x", `{"a":1,"a":2}`)
	f.Add(int64(7), "1", math.MaxFloat64, int64(0), int64(999_000_000), "x", `no json`)
	schema := compile(f)
	f.Fuzz(func(t *testing.T, i int64, digits string, x float64, seconds, nanos int64, text, object string) {
		moment := time.Unix(seconds%253402300800, nanos%1_000_000_000).UTC()
		if y := moment.Year(); y < 1 || y > 9999 {
			return // RFC 3339 has no such year
		}
		exact, err := wire.Decimal(digits)
		if err != nil {
			exact = wire.Null()
		}
		row := []wire.Value{wire.Int(i), exact, wire.Float(x), wire.TimestampTZ(moment), wire.Date(moment), wire.Text(text), wire.JSON(object)}
		got := writtenRow(t, schema, row)
		if want := strconv.FormatInt(i, 10); plainText(t, got[0]) != want {
			t.Errorf("%s is written %s", want, got[0])
		}
		if !exact.IsNull() {
			sameNumber(t, digits, plainText(t, got[1]))
		}
		if back, err := strconv.ParseFloat(plainText(t, got[2]), 64); err != nil || back != x && !(math.IsNaN(x) && math.IsNaN(back)) {
			t.Errorf("%v is written %s", x, got[2])
		}
		if back, err := time.Parse(time.RFC3339Nano, plainText(t, got[3])); err != nil || !back.Equal(moment) {
			t.Errorf("%v is written %s", moment, got[3])
		}
		if plainText(t, got[4]) != moment.Format(time.DateOnly) {
			t.Errorf("%v is written %s", moment, got[4])
		}
		if utf8.ValidString(text) && plainText(t, got[5]) != text {
			t.Errorf("%q is written %s", text, got[5])
		}
		var compact bytes.Buffer
		if utf8.ValidString(object) && json.Compact(&compact, []byte(object)) == nil && compact.String() != string(got[6]) {
			t.Errorf("%s is written %s", object, got[6])
		}
	})
}

// writtenRow is the row as strict JSON has it.
func writtenRow(t *testing.T, schema *jsonschema.Schema, row []wire.Value) []json.RawMessage {
	t.Helper()
	a := wire.Answer{Outcome: wire.Answered, Question: "q", Language: "en", SynthesizedBy: "host"}
	a.FormatType = wire.FormatText
	kinds := []wire.Kind{wire.KindInt, wire.KindDecimal, wire.KindFloat, wire.KindTimestampTZ, wire.KindDate, wire.KindText, wire.KindJSON}
	p := wire.Preview{Rows: [][]wire.Value{row}, RowCount: 1}
	for i, k := range kinds {
		p.Columns = append(p.Columns, wire.Column{Name: strconv.Itoa(i), Type: wire.Type{Kind: k}})
	}
	a.Results = []wire.Preview{p}
	var out bytes.Buffer
	if err := answer.WriteJSON(&out, a, nil); err != nil {
		t.Fatal(err)
	}
	if !utf8.Valid(out.Bytes()) {
		t.Fatalf("%q is no UTF-8", out.String())
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatalf("%s: %v", &out, err)
	}
	if err := schema.Validate(instance); err != nil {
		t.Fatalf("%s: %v", &out, err)
	}
	var read struct {
		Results []struct{ Rows [][]json.RawMessage }
	}
	if err := json.Unmarshal(out.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	return read.Results[0].Rows[0]
}

// plainText is a number or a text as it is written, without quotes.
func plainText(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

func sameNumber(t *testing.T, want, got string) {
	t.Helper()
	a, okA := new(big.Rat).SetString(want)
	b, okB := new(big.Rat).SetString(got)
	if !okA || !okB || a.Cmp(b) != 0 {
		t.Errorf("%s is written %s", want, got)
	}
}

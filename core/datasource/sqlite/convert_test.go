package sqlite

import (
	"math"
	"strings"
	"testing"
	"testing/quick"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/datasource/internal/content"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

func TestCellsBecomeValuesOfTheirColumnsType(t *testing.T) {
	money := wire.Type{Kind: wire.KindDecimal, Precision: 10, Scale: 2}
	whole := wire.Type{Kind: wire.KindDecimal, Precision: 10}
	loose := wire.Type{Kind: wire.KindDecimal}
	kind := func(k wire.Kind) wire.Type { return wire.Type{Kind: k} }
	for _, c := range []struct {
		cell string // an SQL literal
		t    wire.Type
		want string // kind and text; "error" for an error
	}{
		{"NULL", money, "null "},
		{"9007199254740993", kind(wire.KindInt), "int 9007199254740993"},
		{"-9223372036854775808", kind(wire.KindInt), "int -9223372036854775808"},
		{"7.0", kind(wire.KindInt), "int 7"},
		{"1.5", kind(wire.KindInt), "float 1.5"},
		{"'abc'", kind(wire.KindInt), "text abc"},
		{"9223372036854775807 + 1", kind(wire.KindInt), "error"},
		{"1", kind(wire.KindBool), "bool true"},
		{"0.0", kind(wire.KindBool), "bool false"},
		{"2", kind(wire.KindBool), "int 2"},
		{"'yes'", kind(wire.KindBool), "text yes"},
		{"19.99", money, "decimal 19.99"},
		{"5", money, "decimal 5.00"},
		{"-0.1", money, "decimal -0.10"},
		{"1.005", money, "decimal 1.005"},
		{"-2.675", money, "decimal -2.675"},
		{"0.1 + 0.2", money, "decimal 0.30"},
		{"-0.001", money, "decimal -0.001"},
		{"-0.000001", money, "decimal 0.00"},
		{"1234567.89 - 1234567.88", money, "decimal 0.01"},
		{"1e20", money, "decimal 100000000000000000000.00"},
		{"9e999", money, "float +Inf"},
		{"'12.3'", money, "decimal 12.30"},
		{"'1234567890123456789.125'", money, "decimal 1234567890123456789.125"},
		{"'about 5'", money, "text about 5"},
		{"''", money, "text "},
		{"'-'", money, "text -"},
		{"'NaN'", money, "text NaN"},
		{"2.5", whole, "decimal 2.5"},
		{"-2.5", whole, "decimal -2.5"},
		{"7", whole, "decimal 7"},
		{"0.1", loose, "decimal 0.1"},
		{"0.1 + 0.2", loose, "decimal 0.3"},
		{"9007199254740994.0", loose, "decimal 9007199254740994"},
		{"1e-7", loose, "decimal 0.0000001"},
		{"'1.50'", loose, "decimal 1.50"},
		{"3", kind(wire.KindFloat), "float 3"},
		{"9007199254740993", kind(wire.KindFloat), "int 9007199254740993"},
		{"0.1", kind(wire.KindFloat), "float 0.1"},
		{"'2025-02-28'", kind(wire.KindDate), "date 2025-02-28"},
		{"'2025-02-28 00:00:00'", kind(wire.KindDate), "date 2025-02-28"},
		{"'2025-02-28 10:00:00'", kind(wire.KindDate), "timestamp 2025-02-28T10:00:00"},
		{"'2025-02-30'", kind(wire.KindDate), "text 2025-02-30"},
		{"'28.02.2025'", kind(wire.KindDate), "text 28.02.2025"},
		{"20250228", kind(wire.KindDate), "int 20250228"},
		{"'2025-02-28 10:00'", kind(wire.KindTimestamp), "timestamp 2025-02-28T10:00:00"},
		{"'2025-02-28T10:00:00.120Z'", kind(wire.KindTimestamp), "timestamp 2025-02-28T10:00:00.12"},
		{"'2025-02-28 10:00:00+09:00'", kind(wire.KindTimestamp), "timestamptz 2025-02-28T10:00:00+09:00"},
		{"'2025-02-28'", kind(wire.KindTimestamp), "timestamp 2025-02-28T00:00:00"},
		{"'10:30:00'", kind(wire.KindTime), "time 10:30:00"},
		{"'half past'", kind(wire.KindTime), "text half past"},
		{"12", kind(wire.KindText), "int 12"},
		{"'별명'", kind(wire.KindText), "text 별명"},
		{"x'ff00'", kind(wire.KindBytes), "bytes /wA="},
		{"x''", kind(wire.KindBytes), "bytes "},
		{"x'61'", kind(wire.KindText), "bytes YQ=="},
	} {
		t.Run(c.cell+" as "+c.t.String(), func(t *testing.T) {
			d := openFile(t, Options{Path: makeFile(t, "CREATE TABLE t (a)")})
			q := query{sql: "SELECT " + c.cell, columns: []wire.Column{{Name: "x", Type: c.t}}}
			got, _, err := ask(t, d, q, datasource.Limits{})
			if c.want == "error" {
				if err == nil {
					t.Fatalf("got %v, want an error", got)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if v := got[0][0]; v.Kind().String()+" "+v.String() != c.want {
				t.Errorf("got %s %s, want %s", v.Kind(), v, c.want)
			}
		})
	}
}

// The driver reads columns that are declared as dates by itself.
func TestDeclaredDatesKeepTheirText(t *testing.T) {
	d := openFile(t, Options{Path: makeFile(t, `CREATE TABLE t (n INTEGER, d DATE, s TIMESTAMP, e DATETIME);
		INSERT INTO t VALUES (1, '2025-01-31', '2025-01-31 08:00:00', '2025-01-31T08:00:00.5'),
			(2, 'soon', '2025-01-31 08:00:00+02:00', NULL), (3, '2025-13-01', 1738310400, '')`)})
	types := []wire.Kind{wire.KindDate, wire.KindTimestamp, wire.KindTimestamp}
	q := query{
		sql:    `SELECT t1."d", t1."s", t1."e" FROM "main"."t" AS t1 ORDER BY t1."n"`,
		reads:  []column{{"t", "n"}, {"t", "d"}, {"t", "s"}, {"t", "e"}},
		tables: []table{{"t", false}},
	}
	for _, k := range types {
		q.columns = append(q.columns, wire.Column{Type: wire.Type{Kind: k}})
	}
	got, _, err := ask(t, d, q, datasource.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"date 2025-01-31|timestamp 2025-01-31T08:00:00|timestamp 2025-01-31T08:00:00.5",
		"text soon|timestamptz 2025-01-31T08:00:00+02:00|null ",
		"text 2025-13-01|int 1738310400|text ",
	}
	for i, row := range got {
		var cells []string
		for _, v := range row {
			cells = append(cells, v.Kind().String()+" "+v.String())
		}
		if s := strings.Join(cells, "|"); s != want[i] {
			t.Errorf("row %d: %s, want %s", i, s, want[i])
		}
	}
}

func TestArgumentsAreBoundAsTheyAre(t *testing.T) {
	price, err := wire.Decimal("10.50")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := wire.Decimal("3.00")
	if err != nil {
		t.Fatal(err)
	}
	day, err := wire.Parse(wire.KindDate, "2025-01-31")
	if err != nil {
		t.Fatal(err)
	}
	d := openFile(t, Options{Path: makeFile(t, "CREATE TABLE t (a)")})
	for _, c := range []struct {
		arg  wire.Value
		want string
	}{
		{wire.Null(), "null "}, {wire.Bool(true), "int 1"}, {wire.Int(math.MaxInt64), "int 9223372036854775807"},
		{price, "float 10.5"}, {whole, "int 3"}, {wire.Float(1), "float 1"}, {wire.Text("1"), "text 1"},
		{wire.Bytes([]byte{1}), "bytes AQ=="}, {day, "text 2025-01-31"},
	} {
		q := query{sql: "SELECT ?", args: []wire.Value{c.arg}, columns: columns(1)}
		got, _, err := ask(t, d, q, datasource.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if v := got[0][0]; v.Kind().String()+" "+v.String() != c.want {
			t.Errorf("%s %s was bound as %s %s, want %s", c.arg.Kind(), c.arg, v.Kind(), v, c.want)
		}
	}
	q := query{sql: "SELECT ?", args: []wire.Value{wire.Array(nil)}, columns: columns(1)}
	if _, _, err := ask(t, d, q, datasource.Limits{}); err == nil {
		t.Error("an array was bound")
	}
}

// Rescaling changes a number by an error of calculation at the most, fills it up
// to the scale, and never makes text of it.
func TestRescale(t *testing.T) {
	check := func(f float64, scale uint8) bool {
		if math.IsNaN(f) || math.IsInf(f, 0) || math.Abs(f) > 1e15 {
			return true
		}
		places := int(scale % 6)
		v := decimal(content.DoubleDigits(f), wire.Type{Kind: wire.KindDecimal, Precision: 30, Scale: int32(places)})
		_, fraction, _ := strings.Cut(v.String(), ".")
		most := math.Pow(10, -float64(places+errorDigits)) + math.Abs(f)*1e-14
		return v.Kind() == wire.KindDecimal && len(fraction) >= places && math.Abs(v.Float()-f) <= most
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 20000}); err != nil {
		t.Error(err)
	}
}

func TestATotalBeyond64BitsIsToldAsOne(t *testing.T) {
	d := openFile(t, Options{Path: makeFile(t, `CREATE TABLE t (a INTEGER, g INTEGER);
		INSERT INTO t VALUES (1, 1), (9223372036854775807, 2), (1, 2)`)})
	whole := []wire.Column{{Name: "n", Type: wire.Type{Kind: wire.KindInt}}}
	for _, text := range []string{
		`SELECT sum(t1."a") FROM "main"."t" AS t1`,
		`SELECT sum(t1."a") FROM "main"."t" AS t1 GROUP BY t1."g" ORDER BY t1."g"`,
		`SELECT t1."a" + t1."a" FROM "main"."t" AS t1`,
	} {
		q := query{sql: text, columns: whole, reads: []column{{"t", "a"}, {"t", "g"}}, tables: []table{{"t", false}}}
		_, _, err := ask(t, d, q, datasource.Limits{})
		e := wantCode(t, err, reason.ExecutionFailed)
		if !strings.Contains(e.SafeMessage, "larger than a 64-bit integer can hold") || !strings.Contains(e.NextAction, "Narrow") {
			t.Errorf("%s: %s %s", text, e.SafeMessage, e.NextAction)
		}
	}
}

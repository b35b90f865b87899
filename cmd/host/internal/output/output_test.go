package output_test

import (
	"encoding/csv"
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"
	"unicode"

	"querent.dev/querent/cmd/host/internal/output"
	"querent.dev/querent/core/answer"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

var columns = []wire.Column{
	{Name: "country", Type: wire.Type{Kind: wire.KindText}},
	{Name: "고객", Type: wire.Type{Kind: wire.KindInt}},
}

func row(country string, n int64) []wire.Value { return []wire.Value{wire.Text(country), wire.Int(n)} }

// counted makes n rows, one at a time.
type counted struct {
	n, at  int
	closed *bool
	fail   error
}

func (c *counted) Next() bool {
	c.at++
	return c.at <= c.n
}
func (c *counted) Row() []wire.Value { return row("c", int64(c.at)) }
func (c *counted) Err() error        { return c.fail }
func (c *counted) Close() error      { *c.closed = true; return nil }

func answered(rows ...[]wire.Value) wire.Answer {
	return wire.Answer{
		Outcome: wire.Answered, Question: "q", SynthesizedBy: "fixed",
		AggregatedResponse: wire.AggregatedResponse{Summary: "Two countries.", FormatType: wire.FormatTable, Content: "not shown"},
		Results:            []wire.Preview{{Columns: columns, Rows: rows, RowCount: int64(len(rows))}},
		Queries: []wire.Query{{
			Datasource: "demo", SQL: "SELECT 1\nWHERE ?", Planner: "local",
			Args: []wire.Tagged{{Kind: wire.KindText, Text: "it's"}, {Kind: wire.KindDate, Text: "2025-01-01"}, {Kind: wire.KindInt, Text: "5"}, {Kind: wire.KindNull}},
		}},
	}
}

func TestText(t *testing.T) {
	a := answered(row("Polska", 12), row("대한민국", 3), []wire.Value{wire.Null(), wire.Int(1)})
	a.Warnings = []string{"The result was cut."}
	var b strings.Builder
	if err := output.Text(&b, a, nil, map[string]string{"local": "ollama", "fixed": "template"}); err != nil {
		t.Fatal(err)
	}
	want := `Two countries.

country   고객
--------  ----
Polska      12
대한민국     3
NULL         1

Note: The result was cut.

SQL on demo:
  SELECT 1
  WHERE ?
  ?1 = 'it''s'
  ?2 = date '2025-01-01'
  ?3 = 5
  ?4 = NULL

Planned by local (plugin ollama), worded by fixed (plugin template).
`
	if b.String() != want {
		t.Errorf("text:\n%s\nwant:\n%s", b.String(), want)
	}
}

func TestTextShowsTwentyRowsAndClosesTheReader(t *testing.T) {
	for _, truncated := range []bool{false, true} {
		a, closed := answered(), false
		a.Results[0].RowCount, a.Results[0].Truncated = 100, truncated
		var b strings.Builder
		err := output.Text(&b, a, func(int) (answer.RowReader, error) { return &counted{n: 100, closed: &closed}, nil }, nil)
		if err != nil || !closed {
			t.Fatalf("error %v, closed %t", err, closed)
		}
		want := "… 80 more; --format table or --format csv shows all\n"
		if truncated {
			want = "… at least 80 more; --format table or --format csv shows the 100 that were read\n"
		}
		if strings.Count(b.String(), "\nc ") != 20 || !strings.Contains(b.String(), want) {
			t.Errorf("want 20 rows and %q:\n%s", want, b.String())
		}
	}
}

func TestTextOfAFailureIsItsExplanation(t *testing.T) {
	a := wire.Answer{
		Outcome: wire.CannotAnswer, SynthesizedBy: "host",
		AggregatedResponse: wire.AggregatedResponse{Summary: "Not understood.", FormatType: wire.FormatText, Content: "Step: x\nAsk: y\n"},
		Failure:            &wire.Failure{Code: reason.NotUnderstood},
	}
	var b strings.Builder
	if err := output.Text(&b, a, nil, nil); err != nil {
		t.Fatal(err)
	}
	if want := "Not understood.\n\nStep: x\nAsk: y\n\nWorded by host.\n"; b.String() != want {
		t.Errorf("text:\n%s\nwant:\n%s", b.String(), want)
	}
}

func TestVerifiedQueryIsNamed(t *testing.T) {
	a := answered(row("a", 1))
	a.Queries[0].Planner, a.Verified = "verified", &wire.VerifiedMatch{ID: "demo/by_country"}
	var b strings.Builder
	if err := output.Text(&b, a, nil, nil); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "Planned by verified query demo/by_country, worded by fixed.") {
		t.Errorf("the verified query is not named:\n%s", b.String())
	}
}

func TestNothingReachesTheTerminalThatActsOnIt(t *testing.T) {
	hostile := "a\x1b[31mred\x07\r\n\tb\u202eevil\u2028c\xff\u009bd\u200bé👩\u200d👧"
	a := answered(row(hostile, 1))
	a.Summary, a.Content, a.FormatType = hostile, hostile, wire.FormatText
	a.Warnings = []string{hostile}
	a.SynthesizedBy = hostile
	a.Queries[0].SQL, a.Queries[0].Args[0].Text, a.Queries[0].Planner, a.Queries[0].Datasource = hostile, hostile, hostile, hostile
	a.Results[0].Columns = []wire.Column{{Name: hostile}, columns[1]}
	for name, write := range map[string]func(*strings.Builder) error{
		"text":  func(b *strings.Builder) error { return output.Text(b, a, nil, nil) },
		"table": func(b *strings.Builder) error { return output.Table(b, a, nil) },
	} {
		var b strings.Builder
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		for _, r := range b.String() {
			if r != '\n' && (unicode.IsControl(r) || r == '\u202e' || r == '\u2028' || r == '\u200b' || r == unicode.ReplacementChar) {
				t.Errorf("%s holds %U:\n%q", name, r, b.String())
			}
		}
		if name == "table" && !strings.Contains(b.String(), `a\x1b[31mred\x07\r\n\tb\u202eevil\u2028c\xff\x9bd\u200bé👩`+"\u200d👧") {
			t.Errorf("%s does not show what was there:\n%s", name, b.String())
		}
	}
}

func TestLongCellsAreShortInTextAndWholeInTables(t *testing.T) {
	long := strings.Repeat("가", 100)
	a := answered(row(long, 1))
	var text, table strings.Builder
	if err := errors.Join(output.Text(&text, a, nil, nil), output.Table(&table, a, nil)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), strings.Repeat("가", 29)+"…") || strings.Contains(text.String(), strings.Repeat("가", 30)) {
		t.Errorf("text does not end a long cell at 60 columns:\n%s", text.String())
	}
	if !strings.Contains(table.String(), long) {
		t.Errorf("the table lacks the whole cell:\n%s", table.String())
	}
}

func TestTableStreamsPastItsSample(t *testing.T) {
	closed := false
	var b strings.Builder
	err := output.Table(&b, answered(), func(int) (answer.RowReader, error) { return &counted{n: 12345, closed: &closed}, nil })
	if err != nil || !closed {
		t.Fatal(err, closed)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) != 12345+2 || lines[len(lines)-1] != "c        12345" || lines[2] != "c           1" {
		t.Errorf("%d lines, %q … %q", len(lines), lines[2], lines[len(lines)-1])
	}
}

func TestCSV(t *testing.T) {
	a := answered(row("plain", 1), row("a,\"b\"\r\nc", 2), []wire.Value{wire.Null(), wire.Null()}, row(" =1+1", -9223372036854775808),
		row("", 3), row("\r\rcr", 4), row("line\nbreak", 5), row(`\.`, 6), row("\xff", 7), []wire.Value{wire.Float(346.40250000000003), wire.Null()})
	var b strings.Builder
	if err := output.CSV(&b, a, nil); err != nil {
		t.Fatal(err)
	}
	want := "country,고객\nplain,1\n\"a,\"\"b\"\"\r\nc\",2\n,\n\" =1+1\",-9223372036854775808\n" +
		"\"\",3\n\"\r\rcr\",4\n\"line\nbreak\",5\n\"\\.\",6\n\xff,7\n346.40250000000003,\n"
	if b.String() != want {
		t.Errorf("CSV %q, want %q", b.String(), want)
	}
	if records, err := csv.NewReader(strings.NewReader(b.String())).ReadAll(); err != nil || len(records) != 11 {
		t.Errorf("read back %v, %v", records, err)
	}
}

func TestFloatsAreShownWithoutRoundingErrors(t *testing.T) {
	a := answered([]wire.Value{wire.Float(346.40250000000003), wire.Float(6.659999999999999)})
	var text, table strings.Builder
	if err := errors.Join(output.Text(&text, a, nil, nil), output.Table(&table, a, nil)); err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]string{"text": text.String(), "table": table.String()} {
		if !strings.Contains(got, "\n346.4025  6.66\n") {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

func TestErrorsOfReadingAndWritingAreReported(t *testing.T) {
	broken := func(int) (answer.RowReader, error) {
		return &counted{n: 1, closed: new(bool), fail: os.ErrClosed}, nil
	}
	for name, err := range map[string]error{
		"csv":   output.CSV(&strings.Builder{}, answered(), broken),
		"table": output.Table(&strings.Builder{}, answered(), broken),
	} {
		if !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s: %v, want the reader's error", name, err)
		}
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil && runtime.GOOS == "linux" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skip("no /dev/full on this system")
	}
	defer full.Close()
	for name, err := range map[string]error{
		"csv":   output.CSV(full, answered(row("a", 1)), nil),
		"table": output.Table(full, answered(row("a", 1)), nil),
		"text":  output.Text(full, answered(row("a", 1)), nil, nil),
	} {
		if err == nil {
			t.Errorf("%s: a full disk is not reported", name)
		}
	}
}

package synth_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/plugins/template/pack"
	"querent.dev/querent/plugins/template/synth"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func open(t testing.TB) *synth.Synthesizer {
	t.Helper()
	packs, err := pack.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	set, err := pack.NewSet(packs)
	if err != nil {
		t.Fatal(err)
	}
	return synth.New(set)
}

func decimal(digits string) wire.Value {
	v, err := wire.Decimal(digits)
	if err != nil {
		panic(err)
	}
	return v
}

func columns(kinds ...any) []wire.Column {
	var out []wire.Column
	for i := 0; i < len(kinds); i += 2 {
		out = append(out, wire.Column{Name: kinds[i].(string), Type: wire.Type{Kind: kinds[i+1].(wire.Kind)}})
	}
	return out
}

type sample struct {
	name    string
	outcome wire.Outcome
	form    wire.FormatType
}

// samples are an outcome of every kind and shape.
func samples() []sample {
	day := wire.Date(time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC))
	answered := func(name string, p wire.Preview) sample {
		if p.RowCount == 0 {
			p.RowCount = int64(len(p.Rows))
		}
		return sample{name: name, outcome: wire.Outcome{Kind: wire.Answered, Question: "Q?", Results: []wire.Preview{p}}}
	}
	table := wire.Preview{
		Columns: columns("country", wire.KindText, "customers", wire.KindInt, "since", wire.KindDate, "vip", wire.KindBool, "avg", wire.KindFloat),
		Rows: [][]wire.Value{
			{wire.Text("대한민국"), wire.Int(1234567), day, wire.Bool(true), wire.Float(0.1)},
			{wire.Text("Brazil"), wire.Int(-5), wire.Null(), wire.Bool(false), wire.Float(1e21)},
			{wire.Text("two\nlines\u202e\x1b[31m"), wire.Int(0), day, wire.Null(), wire.Null()},
		},
	}
	cut := table
	cut.RowCount, cut.Partial, cut.Truncated, cut.RowCap = 10000, true, true, 10000
	overlong := cut
	overlong.RowCap = 0
	partial := table
	partial.RowCount, partial.Partial = 4, true
	list := []sample{
		answered("scalar", wire.Preview{Columns: columns("customers", wire.KindInt), Rows: [][]wire.Value{{wire.Int(1234567)}}}),
		answered("scalar decimal", wire.Preview{Columns: columns("revenue", wire.KindDecimal), Rows: [][]wire.Value{{decimal("-9876543210.50")}}}),
		answered("scalar beyond int64", wire.Preview{Columns: columns("n", wire.KindDecimal), Rows: [][]wire.Value{{decimal("123456789012345678901234567890.10")}}}),
		answered("scalar float", wire.Preview{Columns: columns("total", wire.KindFloat), Rows: [][]wire.Value{{wire.Float(1346.8000000000002)}}}),
		answered("floats", wire.Preview{Columns: columns("a", wire.KindFloat, "b", wire.KindArray),
			Rows: [][]wire.Value{{wire.Float(346.40250000000003), wire.Null()}, {wire.Float(6.659999999999999), wire.Array([]wire.Value{wire.Float(0.30000000000000004)})}}}),
		answered("scalar null", wire.Preview{Columns: columns("revenue", wire.KindDecimal), Rows: [][]wire.Value{{wire.Null()}}}),
		answered("row", wire.Preview{Columns: table.Columns, Rows: table.Rows[:1]}),
		answered("list", wire.Preview{Columns: columns("country", wire.KindText), Rows: [][]wire.Value{{wire.Text("Brazil")}, {wire.Text("Korea")}}, RowCount: 3, Partial: true}),
		answered("table", table),
		answered("table partial", partial),
		answered("table cut", cut),
		answered("table of which no row could be read", wire.Preview{Columns: columns("text", wire.KindText), Truncated: true}),
		answered("table cut by its size", overlong),
		answered("scalar cut by its size", wire.Preview{Columns: columns("text", wire.KindText), Rows: [][]wire.Value{{wire.Text("a")}}, RowCount: 1, Truncated: true}),
		answered("empty", wire.Preview{Columns: table.Columns}),
		answered("row that did not fit", wire.Preview{Columns: table.Columns, RowCount: 1, Partial: true}),
		{name: "no result", outcome: wire.Outcome{Kind: wire.Answered, Question: "Q?"}},
	}
	asList := answered("table as list", table)
	asList.form = wire.FormatList
	noted := answered("empty with a note", wire.Preview{Columns: table.Columns})
	noted.outcome.DataNotes = []string{"There is no Genre with Name 'Polka'."}
	verified := answered("verified", table)
	verified.outcome.Verified = &wire.VerifiedMatch{ID: "demo/by_country", Description: "customers with an account"}
	parts := answered("partial", partial)
	parts.outcome.Kind = wire.Partial
	parts.outcome.Unmapped = []wire.Unmapped{{Part: "the weather", Reason: reason.ReasonNoDatasource}}
	parts.outcome.Results = append(parts.outcome.Results, list[0].outcome.Results...)
	return append(list, asList, noted, verified, parts)
}

func failures() []sample {
	full := wire.Failure{
		Requirement: "revenue of mars", Attempted: []string{"read the schema", "did something new"}, FailedStep: "q1/ast_planner",
		Code: reason.NotUnderstood, Reason: reason.ReasonWordsNotUnderstood, Message: "A planet is no table.",
		NotKnown: []string{"mars"}, Choices: []string{"a", "b"}, Proposals: []string{"How many customers are there?"},
		PlanID: "p_12", TraceID: "t_99", Datasource: "demo", Provider: "fixed", NextAction: "Ask about the Earth.",
		Partial: []wire.Preview{{Columns: columns("n", wire.KindInt), Rows: [][]wire.Value{{wire.Int(1)}, {wire.Int(2)}}, RowCount: 2}},
	}
	listed, named := full, full
	listed.Message = "These words match nothing: mars."
	row, _ := reason.Lookup(named.Code, named.Reason)
	named.Message = `Provider "fixed", model "m": ` + row.SafeMessage
	open := wire.Failure{
		Requirement: "orders by country", Code: reason.Ambiguous, Reason: reason.ReasonNeedsClarification,
		Message: "The question was read as follows, but is not clear enough: All rows of wide.", Choices: []string{"List the a of wide"},
	}
	known := wire.Failure{
		Requirement: "total budget of staff", Code: reason.NotUnderstood, Reason: reason.ReasonWordsNotUnderstood,
		Message: "Each word of the question is known, but not what they ask for together.", Proposals: []string{"How many staff are there?"},
	}
	list := []sample{
		{name: "with one reading", outcome: wire.Outcome{Kind: wire.NeedsClarification, Question: "Q?", Failure: &open}},
		{name: "with known words", outcome: wire.Outcome{Kind: wire.CannotAnswer, Question: "Q?", Failure: &known}},
		{name: "with everything", outcome: wire.Outcome{Kind: wire.CannotAnswer, Question: "Q?", Failure: &full}},
		{name: "with a message that only lists the words", outcome: wire.Outcome{Kind: wire.CannotAnswer, Question: "Q?", Failure: &listed}},
		{name: "with a message in front of the reason's own", outcome: wire.Outcome{Kind: wire.CannotAnswer, Question: "Q?", Failure: &named}},
	}
	kinds := map[int]wire.OutcomeKind{reason.ExitRefused: wire.Refused, reason.ExitCannotAnswer: wire.CannotAnswer, reason.ExitCancelled: wire.Cancelled}
	for _, row := range reason.Rows() {
		kind := kinds[row.Exit]
		switch {
		case row.Code == reason.Ambiguous:
			kind = wire.NeedsClarification
		case kind == "":
			kind = wire.Failed
		}
		list = append(list, sample{name: fmt.Sprintf("%s/%s", row.Code, row.Reason), outcome: wire.Outcome{Kind: kind, Question: "Q?",
			Failure: &wire.Failure{Requirement: "Q?", Code: row.Code, Reason: row.Reason, Message: row.SafeMessage, NextAction: row.NextAction}}})
	}
	return list
}

func word(t testing.TB, s *synth.Synthesizer, c sample, language string) sdk.SynthesizeResponse {
	t.Helper()
	res, err := s.Synthesize(context.Background(), sdk.SynthesizeRequest{Outcome: c.outcome, Form: c.form, Language: language})
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	return res
}

func TestWordingOfEveryOutcome(t *testing.T) {
	s := open(t)
	for name, cases := range map[string][]sample{"answers": samples(), "failures": failures()} {
		for _, language := range []string{"en", "ko"} {
			var got strings.Builder
			for _, c := range cases {
				res := word(t, s, c, language)
				fmt.Fprintf(&got, "== %s\n%s\n[%s] %s\n%s\n", c.name, res.Response.Summary, res.Response.FormatType, strings.Join(res.TemplateIDs, " "), res.Response.Content)
				for _, w := range res.Response.Warnings {
					fmt.Fprintf(&got, "warning: %s\n", w)
				}
			}
			path := filepath.Join("testdata", name+"."+language+".golden")
			if *update {
				if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != string(want) {
				t.Errorf("%s differs; run with -update and review the change:\n%s", path, got.String())
			}
		}
	}
}

// What a failure's explanation must hold, in any language.
func TestFailuresHideNothing(t *testing.T) {
	s := open(t)
	for _, language := range []string{"en", "ko"} {
		for _, c := range failures() {
			f := c.outcome.Failure
			res := word(t, s, c, language)
			row, _ := reason.Lookup(f.Code, f.Reason)
			text := res.Response.Summary + "\n" + res.Response.Content
			for _, part := range []string{f.Requirement, f.FailedStep, string(row.Stage), string(f.Reason), string(f.Code), f.PlanID, f.Datasource, f.Provider} {
				if !strings.Contains(text, part) {
					t.Errorf("%s, %s: %q is missing in %q", language, c.name, part, text)
				}
			}
			for _, excuse := range []string{"sorry", "apolog", "unfortunately", "죄송", "미안"} {
				if strings.Contains(strings.ToLower(text), excuse) {
					t.Errorf("%s, %s: apologises: %q", language, c.name, text)
				}
			}
			if f.TraceID != "" && strings.Contains(text, f.TraceID) {
				t.Errorf("%s: the trace id, which changes from run to run, is in the text", c.name)
			}
		}
	}
}

func TestNoPlaceholderIsLeft(t *testing.T) {
	s := open(t)
	for _, language := range []string{"en", "ko"} {
		for _, c := range slices.Concat(samples(), failures()) {
			res := word(t, s, c, language)
			if text := res.Response.Summary + res.Response.Content; strings.ContainsAny(text, "{}\x1b\u202e") || strings.Contains(text, "  .") {
				t.Errorf("%s, %s: %q", language, c.name, text)
			}
			if len(res.TemplateIDs) == 0 {
				t.Errorf("%s: no template is named", c.name)
			}
		}
	}
}

// Of several results each says which part of the question it answers.
func TestSeveralResultsSayWhatTheyAnswer(t *testing.T) {
	one := func(part string, n int64) wire.Preview {
		return wire.Preview{Part: part, Columns: columns("n", wire.KindInt), Rows: [][]wire.Value{{wire.Int(n)}}, RowCount: 1}
	}
	for language, want := range map[string]string{"en": "orders of 2024: n: 3. orders of 2025: n: 4.", "ko": "orders of 2024: n: 3. orders of 2025: n: 4."} {
		res, err := open(t).Synthesize(context.Background(), sdk.SynthesizeRequest{Language: language, Outcome: wire.Outcome{
			Kind: wire.Answered, Question: "orders", Language: language, Results: []wire.Preview{one("orders of 2024", 3), one("orders of 2025", 4)},
		}})
		if err != nil || res.Response.Summary != want {
			t.Errorf("%s: %q, %v", language, res.Response.Summary, err)
		}
	}
}

func TestSameOutcomeSameBytes(t *testing.T) {
	for _, c := range slices.Concat(samples(), failures()) {
		first, err := json.Marshal(word(t, open(t), c, "ko"))
		if err != nil {
			t.Fatal(err)
		}
		second, err := json.Marshal(word(t, open(t), c, "ko"))
		if err != nil || string(first) != string(second) {
			t.Errorf("%s: %s and %s (%v)", c.name, first, second, err)
		}
	}
}

func TestRequestsThatCannotBeWorded(t *testing.T) {
	for _, o := range []wire.Outcome{
		{}, {Kind: "perhaps"}, {Kind: wire.Failed, Failure: &wire.Failure{Code: "X", Reason: "y"}},
		{Kind: wire.Failed, Failure: &wire.Failure{Code: reason.Internal, Reason: reason.ReasonTimeout}},
	} {
		_, err := open(t).Synthesize(context.Background(), sdk.SynthesizeRequest{Outcome: o})
		if !errors.Is(err, &sdk.Error{Kind: reason.InvalidRequest}) {
			t.Errorf("%+v: error %v", o, err)
		}
	}
}

// shown is a table of the usual preview, 20 rows of 6 columns, of a result of n rows.
func shown(n int64) sample {
	p := wire.Preview{RowCount: n, Partial: n > 20, Columns: columns(
		"country", wire.KindText, "city", wire.KindText, "since", wire.KindDate, "orders", wire.KindInt, "revenue", wire.KindDecimal, "share", wire.KindFloat)}
	for i := range 20 {
		p.Rows = append(p.Rows, []wire.Value{
			wire.Text(fmt.Sprintf("Republic %d", i)), wire.Text("Port"), wire.Date(time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC)),
			wire.Int(int64(1000 * i)), decimal(fmt.Sprintf("%d.50", 1000*i)), wire.Float(float64(i) / 7),
		})
	}
	return sample{outcome: wire.Outcome{Kind: wire.Answered, Question: "Q?", Results: []wire.Preview{p}}}
}

// maxAllocs is three for each cell of the preview: its text, and room for lines.
const maxAllocs = 3 * 20 * 6

func TestWordingCostsWhatItShowsAndNotWhatThereIs(t *testing.T) {
	s := open(t)
	cost := func(n int64) float64 {
		c := shown(n)
		return testing.AllocsPerRun(50, func() { word(t, s, c, "en") })
	}
	few, many := cost(2_000), cost(20_000_000)
	if few > maxAllocs || many > maxAllocs {
		t.Errorf("%.0f and %.0f allocations, at most %d are expected", few, many, maxAllocs)
	}
	// A count of more digits has more groups of them.
	if more := many - few; more > 8 {
		t.Errorf("a larger result costs %.0f allocations more", more)
	}
}

func BenchmarkSynthesize(b *testing.B) {
	s := open(b)
	for _, n := range []int64{20, 2_000, 20_000_000} {
		b.Run(fmt.Sprintf("rows=%d", n), func(b *testing.B) {
			c := shown(n)
			b.ReportAllocs()
			for b.Loop() {
				word(b, s, c, "en")
			}
		})
	}
	b.Run("failure", func(b *testing.B) {
		c := failures()[2]
		b.ReportAllocs()
		for b.Loop() {
			word(b, s, c, "ko")
		}
	})
}

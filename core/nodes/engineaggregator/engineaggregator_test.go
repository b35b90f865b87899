package engineaggregator_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/nodes/engineaggregator"
	"querent.dev/querent/core/result"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type (
	step = engineaggregator.Step
	pair = engineaggregator.Pair
)

// source is rows at hand.
type source struct {
	rows [][]wire.Value
	row  []wire.Value
	cut  datasource.Cut
}

func (s *source) Next() bool {
	if len(s.rows) == 0 {
		return false
	}
	s.row, s.rows = s.rows[0], s.rows[1:]
	return true
}

func (s *source) Row() []wire.Value     { return s.row }
func (s *source) Err() error            { return nil }
func (s *source) Truncated() bool       { return s.cut != datasource.CutNone }
func (s *source) CutBy() datasource.Cut { return s.cut }
func (s *source) Close() error          { return nil }

// kinds are the types by the name that tests give them.
var kinds = map[string]wire.Type{
	"int": {Kind: wire.KindInt}, "dec": {Kind: wire.KindDecimal, Precision: 10, Scale: 2}, "num": {Kind: wire.KindDecimal},
	"float": {Kind: wire.KindFloat}, "text": {Kind: wire.KindText}, "date": {Kind: wire.KindDate}, "ts": {Kind: wire.KindTimestamp},
	"tz": {Kind: wire.KindTimestampTZ}, "bool": {Kind: wire.KindBool}, "json": {Kind: wire.KindJSON}, "null": {},
}

// part stores a result: the first line has the columns as name:type, each other a
// row, with cells between bars and a dot for null.
func part(t testing.TB, id, table string, cut datasource.Cut) engineaggregator.Part {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(table), "\n")
	var columns []wire.Column
	for _, c := range strings.Split(lines[0], "|") {
		name, kind, _ := strings.Cut(strings.TrimSpace(c), ":")
		columns = append(columns, wire.Column{Name: name, Type: kinds[kind]})
	}
	s := &source{cut: cut}
	for _, line := range lines[1:] {
		var row []wire.Value
		for i, cell := range strings.Split(line, "|") {
			v := wire.Null()
			if cell = strings.TrimSpace(cell); cell != "." {
				var err error
				if v, err = wire.Parse(columns[i].Type.Kind, cell); err != nil {
					t.Fatal(err)
				}
			}
			row = append(row, v)
		}
		s.rows = append(s.rows, row)
	}
	r, err := result.Store(t.Context(), s, columns, result.Options{RowCap: 100})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return engineaggregator.Part{ID: id, Result: r}
}

// text is a result in the form that part reads, with exact types.
func text(t testing.TB, r *result.Result) string {
	t.Helper()
	var out []string
	for _, c := range r.Columns() {
		out = append(out, c.Name+":"+c.Type.String())
	}
	lines := []string{strings.Join(out, " | ")}
	rows := r.Reader()
	for rows.Next() {
		var cells []string
		for _, v := range rows.Row() {
			if v.IsNull() {
				cells = append(cells, ".")
				continue
			}
			cells = append(cells, v.String())
		}
		lines = append(lines, strings.Join(cells, " | "))
	}
	if rows.Err() != nil {
		t.Fatal(rows.Err())
	}
	return strings.Join(lines, "\n")
}

// run carries out steps and returns the last one's result.
func run(t testing.TB, n *engineaggregator.Node, parts []engineaggregator.Part, steps ...step) (*result.Result, error) {
	t.Helper()
	for i := range steps {
		steps[i].ID = fmt.Sprintf("s%d", i+1)
		if steps[i].Inputs == nil && i > 0 {
			steps[i].Inputs = []string{steps[i-1].ID}
		}
		if steps[i].Inputs == nil {
			for _, p := range parts {
				steps[i].Inputs = append(steps[i].Inputs, p.ID)
			}
		}
	}
	last := steps[len(steps)-1].ID
	out, err := n.Run(t.Context(), engineaggregator.Input{Parts: parts, Steps: steps, Terminal: []string{last}})
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { out.Terminal[0].Result.Close() })
	if out.Summary == "" || out.Terminal[0].ID != last {
		t.Errorf("output %+v", out)
	}
	return out.Terminal[0].Result, nil
}

const (
	people = "id:int | name:text | land:text\n1 | Ada | UK\n2 | Bo | SE\n3 | Cy | .\n4 | Di | UK"
	orders = "customer:num | total:dec\n1.0 | 10.10\n1 | 5.00\n2.00 | 7.25\n9 | 1.00\n. | 3.00"
)

func TestOperations(t *testing.T) {
	for name, c := range map[string]struct {
		parts []string
		steps []step
		want  string
	}{
		"join: numbers meet whatever their kind, null meets nothing": {
			[]string{people, orders}, []step{{Op: engineaggregator.Join, On: []pair{{"id", "customer"}}}},
			"id:int | name:text | land:text | total:decimal(10,2)\n1 | Ada | UK | 10.10\n1 | Ada | UK | 5.00\n2 | Bo | SE | 7.25",
		},
		"left join": {
			[]string{people, orders}, []step{{Op: engineaggregator.LeftJoin, On: []pair{{"ID", "Customer"}}}},
			"id:int | name:text | land:text | total:decimal(10,2)\n1 | Ada | UK | 10.10\n1 | Ada | UK | 5.00\n2 | Bo | SE | 7.25\n3 | Cy | . | .\n4 | Di | UK | .",
		},
		"join of three, labels kept apart": {
			[]string{"k:text | n:int\na | 1\nb | 2", "k:text | n:int\nb | 3\nb | 4", "K:text | n:int\nb | 5"},
			[]step{{Op: engineaggregator.Join, On: []pair{{"k", "k"}}}},
			"k:text | n:int | n q2:int | n q3:int\nb | 2 | 3 | 5\nb | 2 | 4 | 5",
		},
		"join: days meet timestamps at midnight": {
			[]string{"d:date | n:int\n2025-01-02 | 1\n2025-01-03 | 2", "at:ts | m:int\n2025-01-02T00:00:00 | 3\n2025-01-03T00:00:01 | 4"},
			[]step{{Op: engineaggregator.Join, On: []pair{{"d", "at"}}}},
			"d:date | n:int | m:int\n2025-01-02 | 1 | 3",
		},
		"join: instants meet whatever their offset": {
			[]string{"at:tz\n2025-01-02T09:00:00+09:00", "at:tz | n:int\n2025-01-02T00:00:00Z | 1"},
			[]step{{Op: engineaggregator.Join, On: []pair{{"at", "at"}}}},
			"at:timestamptz | n:int\n2025-01-02T09:00:00+09:00 | 1",
		},
		"union keeps every row and goes by labels": {
			[]string{"land:text | n:int\nUK | 1", "N:dec | Land:text\n1.00 | UK\n2.50 | ."}, []step{{Op: engineaggregator.Union}},
			"land:text | n:decimal(38,2)\nUK | 1\nUK | 1.00\n. | 2.50",
		},
		"union by position where labels differ": {
			[]string{"a:int\n1", "b:float\n0.5"}, []step{{Op: engineaggregator.Union}},
			"a:float\n1\n0.5",
		},
		"compare": {
			[]string{"land:text | sales:dec\nUK | 10.00\nSE | 4.00\nDE | 0.00", "land:text | sales:dec\nSE | 1.60\nUK | 0.00\nFR | 2.00"},
			[]step{{Op: engineaggregator.Compare, On: []pair{{"land", "land"}}}},
			"land:text | sales q1:decimal(10,2) | sales q2:decimal(10,2) | difference q1 - q2:decimal(38,2) | ratio q1 / q2:float\n" +
				"UK | 10.00 | 0.00 | 10.00 | .\nSE | 4.00 | 1.60 | 2.40 | 2.5\nDE | 0.00 | . | . | .\nFR | . | 2.00 | . | .",
		},
		"compare single figures under other labels": {
			[]string{"in_2024:int\n3", "in_2025:int\n4"}, []step{{Op: engineaggregator.Compare}},
			"in_2024 q1:int | in_2025 q2:int | difference q1 - q2:int | ratio q1 / q2:float\n3 | 4 | -1 | 0.75",
		},
		"compare what is no number": {
			[]string{"k:int | a:text | b:int\n1 | x | 2", "k:int | a:text | c:int\n1 | y | 3"}, []step{{Op: engineaggregator.Compare, On: []pair{{"k", "k"}}}},
			"k:int | a q1:text | a q2:text | b q1:int | c q2:int\n1 | x | y | 2 | 3",
		},
		"sort: nulls last, text by code point, ties as they came": {
			[]string{"t:text | n:int\nb | 1\nB | 2\n. | 3\né | 4\na | 5\nb | 6"}, []step{{Op: engineaggregator.Sort, Order: []engineaggregator.Order{{Column: "t"}}}},
			"t:text | n:int\nB | 2\na | 5\nb | 1\nb | 6\né | 4\n. | 3",
		},
		"sort down by exact numbers": {
			[]string{"n:num\n9007199254740992.1\n.\n9007199254740992.2\n10"}, []step{{Op: engineaggregator.Sort, Order: []engineaggregator.Order{{Column: "n", Desc: true}}}},
			"n:decimal\n9007199254740992.2\n9007199254740992.1\n10\n.",
		},
		"aggregate exactly": {
			[]string{"k:text | d:dec | i:int | f:float\na | 0.10 | 9007199254740993 | 1\nb | 1.00 | . | 2.5\na | 0.20 | 2 | .\n. | 5.00 | 1 | 1\n. | . | 1 | 1"},
			[]step{{Op: engineaggregator.Summarize, Group: []engineaggregator.Item{{Column: "k", Label: "key"}}, Measure: []engineaggregator.Measure{
				{Func: "sum", Column: "d", Label: "total"}, {Func: "sum", Column: "i"}, {Func: "avg", Column: "d", Label: "mean"},
				{Func: "count", Column: "*"}, {Func: "count", Column: "f"}, {Func: "max", Column: "f"}, {Func: "min", Column: "k", Label: "least"}}}},
			"key:text | total:decimal(38,2) | sum(i):int | mean:float | count(*):int | count(f):int | max(f):float | least:text\n" +
				"a | 0.30 | 9007199254740995 | 0.15 | 2 | 1 | 1 | a\nb | 1.00 | . | 1 | 1 | 1 | 2.5 | b\n. | 5.00 | 2 | 5 | 2 | 2 | 1 | .",
		},
		"aggregate no rows": {
			[]string{"n:int"}, []step{{Op: engineaggregator.Summarize, Measure: []engineaggregator.Measure{{Func: "count", Column: "*", Label: "n"}, {Func: "sum", Column: "n", Label: "s"}}}},
			"n:int | s:int\n0 | .",
		},
		"filter, project and limit": {
			[]string{people}, []step{
				{Op: engineaggregator.Filter, Where: []engineaggregator.Condition{{Column: "land", Compare: engineaggregator.Equal, Literal: "UK", Quoted: true}, {Column: "id", Compare: engineaggregator.AtMost, Literal: "4.0"}}},
				{Op: engineaggregator.Project, Columns: []engineaggregator.Item{{Column: "name", Label: "who"}, {Column: "id"}}},
				{Op: engineaggregator.Limit, N: 1},
			}, "who:text | id:int\nAda | 1",
		},
		"filter by null, truth, and day": {
			[]string{"t:ts | b:bool | n:int\n2025-03-01T10:00:00 | true | .\n2025-02-28T23:59:59 | true | .\n2025-03-02T00:00:00 | false | .\n2025-03-02T00:00:00 | true | 1"},
			[]step{{Op: engineaggregator.Filter, Where: []engineaggregator.Condition{
				{Column: "t", Compare: engineaggregator.AtLeast, Literal: "2025-03-01", Quoted: true},
				{Column: "b", Compare: engineaggregator.Equal, Literal: "true"}, {Column: "n", Compare: engineaggregator.IsNull}}}},
			"t:timestamp | b:bool | n:int\n2025-03-01T10:00:00 | true | .",
		},
		"not equal does not hold for null": {
			[]string{people}, []step{{Op: engineaggregator.Filter, Where: []engineaggregator.Condition{{Column: "land", Compare: engineaggregator.NotEqual, Literal: "SE", Quoted: true}}}},
			"id:int | name:text | land:text\n1 | Ada | UK\n4 | Di | UK",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var parts []engineaggregator.Part
			for i, p := range c.parts {
				parts = append(parts, part(t, fmt.Sprintf("q%d", i+1), p, datasource.CutNone))
			}
			r, err := run(t, &engineaggregator.Node{}, parts, c.steps...)
			if err != nil {
				t.Fatal(err)
			}
			if got := text(t, r); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if r.Truncated() {
				t.Error("the result is marked as cut")
			}
		})
	}
}

func TestWhatDoesNotFitTogether(t *testing.T) {
	two := []string{people, orders}
	by := func(column string) []engineaggregator.Order { return []engineaggregator.Order{{Column: column}} }
	when := func(c engineaggregator.Condition) []engineaggregator.Condition {
		return []engineaggregator.Condition{c}
	}
	measure := func(f, column string) []engineaggregator.Measure {
		return []engineaggregator.Measure{{Func: f, Column: column}}
	}
	for name, c := range map[string]struct {
		parts []string
		step  step
		want  string
	}{
		"text and number":       {two, step{Op: engineaggregator.Join, On: []pair{{"name", "customer"}}}, `the column "name" of q1 is text and the column "customer" of q2 is decimal, which cannot be compared`},
		"no such column":        {two, step{Op: engineaggregator.Join, On: []pair{{"id", "buyer"}}}, `q2 has no column "buyer"; it has "customer", "total"`},
		"no columns to join on": {two, step{Op: engineaggregator.Join}, "names no columns"},
		"two columns alike":     {[]string{"a b:int | a_b:int\n1 | 2"}, step{Op: engineaggregator.Sort, Order: by("A B")}, `the column "A B" of q1 can be two`},
		"instants and clocks":   {[]string{"a:ts\n2025-01-01T00:00:00", "a:tz\n2025-01-01T00:00:00Z"}, step{Op: engineaggregator.Join, On: []pair{{"a", "a"}}}, "cannot be compared"},
		"documents":             {[]string{"a:json\n{}", "a:json\n{}"}, step{Op: engineaggregator.Join, On: []pair{{"a", "a"}}}, "cannot be compared"},
		"union of other widths": {two, step{Op: engineaggregator.Union}, "q1 has 3 columns and q2 has 2"},
		"union of other types":  {[]string{"a:int\n1", "b:text\nx"}, step{Op: engineaggregator.Union}, `the column "a" of q1 is int and the column "b" of q2 is text`},
		"compare three":         {[]string{"a:int\n1", "a:int\n1", "a:int\n1"}, step{Op: engineaggregator.Compare}, "takes 2 results and has 3"},
		"compare rows by none":  {[]string{"a:int\n1\n2", "a:int\n1"}, step{Op: engineaggregator.Compare}, "q1 has 2 rows"},
		"compare keys twice":    {[]string{"k:int | a:int\n1 | 1\n1 | 2", "k:int | a:int\n1 | 1"}, step{Op: engineaggregator.Compare, On: []pair{{"k", "k"}}}, `several rows for the same "k"`},
		"difference too large":  {[]string{"a:int\n9223372036854775807", "a:int\n-1"}, step{Op: engineaggregator.Compare}, "beyond 64 bits"},
		"filter text by number": {[]string{people}, step{Op: engineaggregator.Filter, Where: when(engineaggregator.Condition{Column: "name", Compare: "=", Literal: "1"})}, `the column "name" is text, which cannot be compared with 1`},
		"filter number by text": {[]string{people}, step{Op: engineaggregator.Filter, Where: when(engineaggregator.Condition{Column: "id", Compare: "=", Literal: "it's", Quoted: true})}, `cannot be compared with 'it''s'`},
		"filter date by no day": {[]string{"d:date\n2025-01-01"}, step{Op: engineaggregator.Filter, Where: when(engineaggregator.Condition{Column: "d", Compare: "=", Literal: "soon", Quoted: true})}, "cannot be compared with 'soon'"},
		"sum of text":           {[]string{people}, step{Op: engineaggregator.Summarize, Measure: measure("sum", "name")}, `sum does not take the column "name", which is text`},
		"sum of rows":           {[]string{people}, step{Op: engineaggregator.Summarize, Measure: measure("sum", "*")}, "sum needs a column"},
		"sum too large":         {[]string{"a:int\n9223372036854775807\n1"}, step{Op: engineaggregator.Summarize, Measure: measure("sum", "a")}, "64 bits"},
		"nothing to aggregate":  {[]string{people}, step{Op: engineaggregator.Summarize}, "neither groups nor measures"},
		"sort documents":        {[]string{"a:json\n{}"}, step{Op: engineaggregator.Sort, Order: by("a")}, `the column "a" is json, which has no order`},
		"an unknown operation":  {[]string{people}, step{Op: "pivot"}, "no such operation"},
	} {
		t.Run(name, func(t *testing.T) {
			var parts []engineaggregator.Part
			for i, p := range c.parts {
				parts = append(parts, part(t, fmt.Sprintf("q%d", i+1), p, datasource.CutNone))
			}
			_, err := run(t, &engineaggregator.Node{}, parts, c.step)
			e := reason.From(err)
			if e == nil || e.Code != reason.AggregatorFailed || !strings.Contains(e.SafeMessage, c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// A cell need not be of its column's type: some databases do not see to it.
func TestCellsThatAreNotOfTheirType(t *testing.T) {
	odd := func(id string) engineaggregator.Part {
		columns := []wire.Column{{Name: "n", Type: wire.Type{Kind: wire.KindInt}}}
		r, err := result.Store(t.Context(), &source{rows: [][]wire.Value{{wire.Int(1)}, {wire.Text("many")}}}, columns, result.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close() })
		return engineaggregator.Part{ID: id, Result: r}
	}
	for name, s := range map[string]step{
		"sum":    {Op: engineaggregator.Summarize, Measure: []engineaggregator.Measure{{Func: "sum", Column: "n"}}},
		"min":    {Op: engineaggregator.Summarize, Measure: []engineaggregator.Measure{{Func: "min", Column: "n"}}},
		"sort":   {Op: engineaggregator.Sort, Order: []engineaggregator.Order{{Column: "n"}}},
		"filter": {Op: engineaggregator.Filter, Where: []engineaggregator.Condition{{Column: "n", Compare: ">", Literal: "0"}}},
	} {
		if _, err := run(t, &engineaggregator.Node{}, []engineaggregator.Part{odd("q1")}, s); !errors.Is(err, &reason.Error{Code: reason.AggregatorFailed}) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	r, err := run(t, &engineaggregator.Node{}, []engineaggregator.Part{odd("q1"), odd("q2")}, step{Op: engineaggregator.Join, On: []pair{{"n", "n"}}})
	if err != nil || text(t, r) != "n:int\n1\nmany" {
		t.Errorf("what is equal is joined whatever it is: %v", err)
	}
}

func TestWhatIsMadeOfACutResultIsCut(t *testing.T) {
	whole, byRows, byBytes := part(t, "q1", people, ""), part(t, "q1", people, datasource.CutByRows), part(t, "q1", people, datasource.CutByBytes)
	keep := step{Op: engineaggregator.Limit, N: 2}
	for name, c := range map[string]struct {
		part   engineaggregator.Part
		limits datasource.Limits
		step   step
		cut    datasource.Cut
		rows   int64
	}{
		"nothing is cut":                 {whole, datasource.Limits{Rows: 4}, step{Op: engineaggregator.Sort, Order: []engineaggregator.Order{{Column: "id"}}}, "", 4},
		"a limit of its own is no cut":   {whole, datasource.Limits{}, keep, "", 2},
		"of rows that were cut":          {byRows, datasource.Limits{Rows: 100}, keep, datasource.CutByRows, 2},
		"of bytes that were cut":         {byBytes, datasource.Limits{}, keep, datasource.CutByBytes, 2},
		"a total over a cut":             {byRows, datasource.Limits{}, step{Op: engineaggregator.Summarize, Measure: []engineaggregator.Measure{{Func: "count", Column: "*"}}}, datasource.CutByRows, 1},
		"cut by the row limit itself":    {whole, datasource.Limits{Rows: 3}, step{Op: engineaggregator.Union, Inputs: []string{"q1", "q1"}}, datasource.CutByRows, 3},
		"cut by the byte limit itself":   {whole, datasource.Limits{Bytes: 30}, step{Op: engineaggregator.Union, Inputs: []string{"q1", "q1"}}, datasource.CutByBytes, 2},
		"exactly as many as are allowed": {whole, datasource.Limits{Rows: 8}, step{Op: engineaggregator.Union, Inputs: []string{"q1", "q1"}}, "", 8},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := run(t, &engineaggregator.Node{Limits: c.limits}, []engineaggregator.Part{c.part}, c.step)
			if err != nil {
				t.Fatal(err)
			}
			if r.CutBy() != c.cut || r.RowCount() != c.rows {
				t.Errorf("%d rows, cut by %q, want %d, %q", r.RowCount(), r.CutBy(), c.rows, c.cut)
			}
		})
	}
}

func TestTerminalResults(t *testing.T) {
	a, b := part(t, "q1", people, ""), part(t, "q2", orders, "")
	n := &engineaggregator.Node{}
	out, err := n.Run(t.Context(), engineaggregator.Input{Parts: []engineaggregator.Part{a, b}, Steps: []step{{ID: "c1", Op: engineaggregator.Standalone, Inputs: []string{"q1", "q2"}}}, Terminal: []string{"q2", "q1"}})
	if err != nil || len(out.Terminal) != 2 || out.Terminal[0].Result != b.Result || out.Terminal[1].Result != a.Result {
		t.Errorf("output %+v, %v", out, err)
	}
	for name, in := range map[string]engineaggregator.Input{
		"nothing":              {},
		"a part without":       {Parts: []engineaggregator.Part{{ID: "q1"}}, Terminal: []string{"q1"}},
		"an id that is none":   {Parts: []engineaggregator.Part{a}, Terminal: []string{"q7"}},
		"a step without input": {Parts: []engineaggregator.Part{a}, Steps: []step{{ID: "c1", Op: engineaggregator.Union, Inputs: []string{"q1", "q2"}}}, Terminal: []string{"c1"}},
	} {
		if _, err := n.Run(t.Context(), in); !errors.Is(err, &reason.Error{Code: reason.InvalidState}) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// What steps leave between themselves and the answer is gone when they are done,
// also when they failed.
func TestNothingIsLeftBehind(t *testing.T) {
	n := &engineaggregator.Node{Store: result.Options{Dir: t.TempDir(), MemoryBytes: 1}}
	open := func() int {
		files, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}
	parts := []engineaggregator.Part{part(t, "q1", people, ""), part(t, "q2", orders, "")}
	before := open()
	join := step{ID: "c1", Op: engineaggregator.Join, Inputs: []string{"q1", "q2"}, On: []pair{{"id", "customer"}}}
	sort := step{ID: "p1", Op: engineaggregator.Sort, Inputs: []string{"c1"}, Order: []engineaggregator.Order{{Column: "name"}}}
	in := engineaggregator.Input{Parts: parts, Steps: []step{join, sort}, Terminal: []string{"p1"}}
	out, err := n.Run(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if got := open(); got != before+1 {
		t.Errorf("%d files are open beside the result", got-before-1)
	}
	if err := out.Terminal[0].Result.Close(); err != nil {
		t.Fatal(err)
	}
	in.Steps[1].Order[0].Column = "nothing"
	if _, err := n.Run(t.Context(), in); err == nil {
		t.Error("a column that is not there was sorted by")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	in.Steps = in.Steps[:1]
	in.Terminal = []string{"c1"}
	if _, err := n.Run(ended, in); err == nil {
		t.Error("a run that has ended was carried out")
	}
	if got := open(); got != before {
		t.Errorf("%d files were left open", got-before)
	}
}

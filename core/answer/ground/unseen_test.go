package ground_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"querent.dev/querent/core/answer/ground"
	"querent.dev/querent/sdk/wire"
)

// answered is a result with answers about it that were written without a look at the
// checker.
type answered struct {
	Question  string      `json:"question"`
	Columns   []string    `json:"columns"`
	Types     []string    `json:"types"`
	Rows      [][]*string `json:"rows"`
	RowCount  int64       `json:"row_count"`
	Partial   bool        `json:"partial"`
	Truncated bool        `json:"truncated"`
	Honest    []worded    `json:"honest"`
	Lies      []worded    `json:"lies"`
}

type worded struct {
	Lang    string `json:"lang"`
	Summary string `json:"summary"`
	Content string `json:"content"`
}

func readAnswered(t *testing.T, name string) []answered {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []answered
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var a answered
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out = append(out, a)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

var cellKinds = map[string]wire.Kind{"int64": wire.KindInt, "decimal": wire.KindDecimal, "float64": wire.KindFloat, "date": wire.KindDate, "timestamp": wire.KindTimestamp, "bool": wire.KindBool}

// preview is the result as its reader sees it. A cell that is no value of its column's
// type is a text, as SQLite has it.
func (a answered) preview() wire.Preview {
	p := wire.Preview{SubQuery: "q1", RowCount: a.RowCount, Partial: a.Partial, Truncated: a.Truncated}
	if a.Truncated {
		p.RowCap = a.RowCount
	}
	for _, name := range a.Columns {
		p.Columns = append(p.Columns, wire.Column{Name: name})
	}
	for _, row := range a.Rows {
		cells := make([]wire.Value, len(row))
		for i, text := range row {
			if text == nil {
				continue
			}
			kind := cellKinds[a.Types[i]]
			cells[i] = wire.Text(*text)
			if v, err := wire.Parse(kind, strings.Replace(*text, " ", "T", boolInt(kind == wire.KindTimestamp))); err == nil && kind != wire.KindNull {
				cells[i] = v
			}
		}
		p.Rows = append(p.Rows, cells)
	}
	return p
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// unseen are the files of answers in styles and about results that the checker was not made
// with: what part of the honest ones passes at least since they were learned from, and how
// many lies are known to pass. The third was learned from least; the fourth and the fifth are
// in the plain style that the prompt asks for; the sixth to the fifteenth have each form and each
// kind of lie of which docs/grounding.md speaks, and little was learned from the last ones; the
// classes have one text or more for each class; the plain ones say one thing each, and those without a
// figure are all that can be said by words alone of some results.
var unseen = []struct {
	file   string
	honest float64
	lies   int
}{
	{"unseen1.jsonl", 0.95, 0},
	{"unseen2.jsonl", 0.90, 0},
	{"unseen3.jsonl", 0.88, 0},
	{"unseen4.jsonl", 0.98, 0},
	{"unseen5.jsonl", 0.97, 0},
	{"unseen6.jsonl", 0.97, 0},
	{"unseen7.jsonl", 0.95, 1},
	{"unseen8.jsonl", 0.95, 0},
	{"unseen9.jsonl", 0.92, 0},
	{"unseen10.jsonl", 0.89, 0},
	{"unseen11.jsonl", 0.77, 1},
	{"unseen12.jsonl", 0.77, 1},
	{"unseen13.jsonl", 0.85, 3},
	{"unseen14.jsonl", 0.85, 2},
	{"unseen15.jsonl", 0.87, 5},
	{"classes.jsonl", 0.95, 0},
	{"plain.jsonl", 0.98, 0},
}

// TestUnseenAnswers holds the checker to what it once read aright.
func TestUnseenAnswers(t *testing.T) {
	for _, want := range unseen {
		t.Run(want.file, func(t *testing.T) {
			t.Parallel()
			var honest, passed, lies, shown int
			for _, a := range readAnswered(t, want.file) {
				check := func(w worded) []ground.Violation {
					found := ground.New(ground.Evidence{Question: a.Question, Language: w.Lang, Results: []wire.Preview{a.preview()}}).CheckAnswer(w.Summary, w.Content)
					if slices.ContainsFunc(found, func(v ground.Violation) bool { return v.Why == ground.Unread }) {
						t.Errorf("the check of %q ends in a panic", w.Summary+" "+w.Content)
					}
					return found
				}
				for _, w := range a.Honest {
					honest++
					if v := check(w); len(v) > 0 {
						t.Logf("%q is refused: %v", w.Summary+" "+w.Content, v)
					} else {
						passed++
					}
				}
				for _, w := range a.Lies {
					lies++
					if len(check(w)) == 0 {
						shown++
						t.Logf("the lie %q passes", w.Summary+" "+w.Content)
					}
				}
			}
			rate := float64(passed) / float64(honest)
			t.Logf("%d of %d honest answers pass (%.1f %%), and %d of %d lies", passed, honest, 100*rate, shown, lies)
			if honest < 100 || lies < 100 || rate < want.honest || shown > want.lies {
				t.Errorf("%.1f %% of %d honest answers pass, at least %.0f %% did; %d of %d lies pass, at most %d did", 100*rate, honest, 100*want.honest, shown, lies, want.lies)
			}
		})
	}
}

// TestTextsAboutOtherResults checks answers against the results of other questions, two at a
// time and behind the text of another answer: whatever a text names and carries on, the check
// ends, and says of what it finds where it stands.
func TestTextsAboutOtherResults(t *testing.T) {
	for _, name := range []string{"unseen3.jsonl", "unseen5.jsonl", "unseen6.jsonl"} {
		all := readAnswered(t, name)
		for i, a := range all {
			other, third := all[(i+1)%len(all)], all[(i+7)%len(all)]
			c := ground.New(ground.Evidence{Question: other.Question, Results: []wire.Preview{other.preview(), third.preview()}})
			for _, w := range slices.Concat(a.Honest, other.Lies, third.Honest) {
				text := a.Honest[0].Content + " " + w.Content
				for _, v := range c.CheckAnswer(w.Summary, text) {
					if v.Item == "" || v.Clause == "" || v.Why == "" || v.Why == ground.Unread {
						t.Errorf("%q: %+v", text, v)
					}
				}
			}
		}
	}
}

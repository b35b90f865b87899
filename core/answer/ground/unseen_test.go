package ground_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
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

// TestUnseenAnswers holds the checker to answers in styles and about results that it was
// not made with: no lie passes, and so many honest ones do as did when they came in and
// were learned from. The third file was learned from least; the fourth and the fifth are in
// the plain style that the prompt asks for; the last has one text or more for
// each class of lies and of honest forms.
func TestUnseenAnswers(t *testing.T) {
	for name, least := range map[string]float64{"unseen1.jsonl": least1, "unseen2.jsonl": least2, "unseen3.jsonl": least3, "unseen4.jsonl": least4, "unseen5.jsonl": least5, "classes.jsonl": 0.95} {
		honest, passed, lies := 0, 0, 0
		for _, a := range readAnswered(t, name) {
			check := func(w worded) []ground.Violation {
				return ground.New(ground.Evidence{Question: a.Question, Language: w.Lang, Results: []wire.Preview{a.preview()}}).CheckAnswer(w.Summary, w.Content)
			}
			for _, w := range a.Honest {
				honest++
				if v := check(w); len(v) > 0 {
					t.Logf("%s: %q is refused: %v", name, w.Summary+" "+w.Content, v)
				} else {
					passed++
				}
			}
			for _, w := range a.Lies {
				lies++
				if len(check(w)) == 0 {
					t.Errorf("%s: %q passes", name, w.Summary+" "+w.Content)
				}
			}
		}
		rate := float64(passed) / float64(honest)
		t.Logf("%s: %d of %d honest answers pass (%.1f %%), of %d lies none may", name, passed, honest, 100*rate, lies)
		if honest < 100 || lies < 100 || rate < least {
			t.Errorf("%s: %.1f %% of %d honest answers pass", name, 100*rate, honest)
		}
	}
}

// The parts of the honest answers that pass at least.
const (
	least1 = 0.95
	least2 = 0.90
	least3 = 0.84
	least4 = 0.98
	least5 = 0.95
)

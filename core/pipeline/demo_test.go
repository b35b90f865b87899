package pipeline_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource/sqlite"
	"querent.dev/querent/core/demo"
	"querent.dev/querent/core/eval"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/wire"
)

// demoSuite is a suite as querent eval run reads it, whose lines have a plan by hand
// beside the SQL by hand.
const demoSuite = "testdata/demo.jsonl"

// demoSize is how many questions the suite has at least: joins, groups, dates,
// anti joins, the first of each group, set operations, windows and a recursion.
const demoSize = 20

// Questions over the demo's database, planned by hand, give the rows of SQL by hand.
func TestQuestionsOverTheDemo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "demo.db")
	if err := demo.Write(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(demoSuite)
	if err != nil {
		t.Fatal(err)
	}
	cases, err := eval.ReadSuite(bytes.NewReader(text), filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) < demoSize {
		t.Errorf("the suite has %d questions", len(cases))
	}
	f := newFixture(t, overDemo(t, path, plansByHand(t, text)))
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			gold, err := eval.RunGold(t.Context(), c.DBPath, c.GoldSQL)
			if err != nil {
				t.Fatal(err)
			}
			run := f.ask(t, t.Context(), question(c.Question))
			if err := run.Err(); err != nil {
				t.Fatal(err)
			}
			got := wholeRows(t, run)
			if len(got) == 0 {
				t.Error("no rows say nothing")
			}
			if status := eval.Compare(got, gold); status != eval.Right {
				t.Errorf("%s: %d rows, the first %v\n%s", status, len(got), got[:min(3, len(got))], run.Queries()[0].SQL)
			}
		})
	}
}

// plansByHand are the suite's plans by question.
func plansByHand(t *testing.T, suite []byte) map[string]wire.Plan {
	t.Helper()
	out := map[string]wire.Plan{}
	for line := range bytes.Lines(suite) {
		var c struct {
			Question string
			Plan     wire.Plan
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		out[c.Question] = c.Plan
	}
	return out
}

// overDemo is an engine over the demo's database, whose planner knows the plans.
func overDemo(t *testing.T, path string, plans map[string]wire.Plan) setup {
	return func(f *fixture) {
		columns := map[string]config.ColumnConfig{"main.payments.paid_at": {Storage: "epoch_ms"}}
		source, err := sqlite.Open(sqlite.Options{ID: "shop", Path: path, Columns: columns})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := source.Close(); err != nil {
				t.Error(err)
			}
		})
		f.real = source
		f.config.Verified = nil
		f.config.Datasources["shop"] = config.Datasource{Adapter: "sqlite", Path: path, Columns: columns}
		f.config.Roles["analyst"] = config.Role{Tables: config.TableRules{Allow: []string{"shop.main.*"}}}
		// The demo ends with October 2026.
		f.deps.Clock = func() time.Time { return noon }
		f.service.plan = func(_ context.Context, r sdk.PlanRequest) (sdk.PlanResponse, error) {
			p := plans[r.Question]
			return sdk.PlanResponse{Plan: &p}, nil
		}
	}
}

func wholeRows(t *testing.T, run *pipeline.Run) [][]wire.Value {
	t.Helper()
	var out [][]wire.Value
	for _, result := range run.Aggregate.ComputedArtifacts {
		rows := result.Reader()
		for rows.Next() {
			out = append(out, slices.Clone(rows.Row()))
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

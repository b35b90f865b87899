package pipeline_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/internal/drill"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// flaky is a setup whose every sub-query needs a repaired plan, with delays
// everywhere.
func flaky(f *fixture) {
	planned(says(goodPlan))(f)
	withoutCache(f)
	f.model.pause = pause
	f.model.choose = func(turn string) reply {
		if strings.Contains(turn, "<refused>") {
			return says(goodPlan)
		}
		return says(badPlan)
	}
	f.config.Settings.SQLAgent.Backoff = config.Duration(time.Microsecond)
	f.config.Settings.Run.MaxParallel = 3
	f.source.query = func(ctx context.Context) error { pause(ctx); return context.Cause(ctx) }
}

func TestRetriesGiveTheSameRunWhateverTheDelays(t *testing.T) {
	f := newFixture(t, withDecomposer("q1", "q2", "q3"), flaky)
	var first string
	for range 100 {
		run := f.ask(t, t.Context(), question("everything"))
		if err := run.Err(); err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal([]any{run.Queries(), run.Answer, run.Warnings, run.Errors, run.Reasoning, run.DAG, run.Calls})
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = string(got)
		}
		if string(got) != first {
			t.Fatalf("a run differs:\n%s\n%s", first, got)
		}
		if len(f.retrying()) != 3 || len(run.Errors) != 3 {
			t.Fatalf("%d retries, %d errors", len(f.retrying()), len(run.Errors))
		}
	}
}

// Whenever a caller leaves, the run ends as cancelled, and nothing of it stays:
// TestMain looks for goroutines, the fixture for results, this test for files.
func TestNothingStaysOfCancelledRuns(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	large := strings.Repeat("x", 1<<20) // more than what stays in memory
	f := newFixture(t, withDecomposer("q1", "q2"), flaky, func(f *fixture) {
		f.source.rows = 3
		f.config.Settings.Results.PreviewRows = 1
		f.source.cell = func(left int64) wire.Value {
			if left == 0 && rand.IntN(20) == 0 {
				return wire.Text(large)
			}
			return wire.Int(1)
		}
	})
	// usualEvents is about how many events such a run has: half of the callers leave.
	const callers, usualEvents = 8, 64
	runs := drill.Size(400, 10_000)
	var mu sync.Mutex
	outcomes := map[wire.OutcomeKind]int{}
	var group sync.WaitGroup
	for range callers {
		group.Go(func() {
			for range runs / callers {
				ctx, cancel := context.WithCancel(t.Context())
				left := rand.IntN(2 * usualEvents)
				run := f.engine.Ask(ctx, question("customers"), func(graph.Event) {
					if left--; left == 0 {
						time.AfterFunc(time.Duration(rand.IntN(500))*time.Microsecond, cancel)
					}
				})
				cancel()
				if err := run.Close(); err != nil {
					t.Error(err)
				}
				mu.Lock()
				outcomes[run.Answer.Outcome]++
				mu.Unlock()
			}
		})
	}
	group.Wait()
	if outcomes[wire.Cancelled] == 0 || outcomes[wire.Answered] == 0 || outcomes[wire.Cancelled]+outcomes[wire.Answered] != runs {
		t.Errorf("outcomes %v", outcomes)
	}
	left, err := filepath.Glob(filepath.Join(temp, "*"))
	if err != nil || len(left) != 0 {
		t.Errorf("files are left: %v, %v", left, err)
	}
	if open := f.source.open.Load(); open != 0 {
		t.Errorf("%d results of the database are open", open)
	}
}

// Each engine keeps to its own settings, also for what it does with failures.
func TestEnginesRetryByTheirOwnSettings(t *testing.T) {
	never := newFixture(t, planned(says(badPlan)), retries(0))
	twice := newFixture(t, planned(says(badPlan)), retries(2), func(f *fixture) { f.config.Settings.SQLAgent.Backoff = config.Duration(time.Microsecond) })
	var group sync.WaitGroup
	for range 10 {
		for _, f := range []*fixture{never, twice} {
			group.Go(func() {
				if run := f.engine.Ask(t.Context(), question("customers"), nil); errorOf(run).Code != reason.PlanInvalid {
					t.Errorf("error %v", run.Err())
				}
			})
		}
	}
	group.Wait()
	if len(never.model.asked) != 10 || len(twice.model.asked) != 30 {
		t.Errorf("%d and %d calls, want 10 and 30", len(never.model.asked), len(twice.model.asked))
	}
}

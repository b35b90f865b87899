package pipeline_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

func TestAPlanThatAnsweredIsKept(t *testing.T) {
	f := newFixture(t, planned(says(goodPlan)))
	f.ask(t, t.Context(), question("customers by country"))
	run := f.ask(t, t.Context(), question("customers by country"))
	if run.Answer.Outcome != wire.Answered || len(f.model.asked) != 1 || len(run.Calls) != 1 || run.Queries()[0].Planner != "local" {
		t.Errorf("outcome %s after %d calls, of this run %+v", run.Answer.Outcome, len(f.model.asked), run.Calls)
	}
	told := false
	for _, r := range run.Reasoning {
		told = told || r.Step == "q1/ast_planner" && strings.HasPrefix(r.Summary, "Plan from the cache, first proposed by local: from customers; select country")
	}
	for _, e := range f.events {
		if e.Type == graph.PlanReady && e.Data["cached"] != true {
			t.Errorf("event data %v", e.Data)
		}
	}
	if !told {
		t.Errorf("reasoning %+v", run.Reasoning)
	}
}

func TestWhatPlansAreKeptFor(t *testing.T) {
	ask := func(q pipeline.Question) func(*testing.T, *fixture) {
		return func(t *testing.T, f *fixture) { f.ask(t, t.Context(), q) }
	}
	first := question("customers by country")
	other := first
	other.Language = "ko"
	role := first
	role.Caller.Roles = []string{"auditor"}
	day := noon
	for name, c := range map[string]struct {
		setup  setup
		second func(*testing.T, *fixture)
		asked  int
	}{
		"the same":            {nil, ask(first), 1},
		"other words":         {nil, ask(question("customers per country")), 2},
		"another language":    {nil, ask(other), 2},
		"other rights":        {nil, ask(role), 2},
		"another day":         {nil, func(t *testing.T, f *fixture) { day = noon.AddDate(0, 0, 1); ask(first)(t, f) }, 2},
		"no cache":            {withoutCache, ask(first), 2},
		"only planned":        {func(f *fixture) { f.config.Settings.SQLAgent.PlanCache.Entries = nil }, func(t *testing.T, f *fixture) { f.engine.Plan(t.Context(), first) }, 1},
		"one that was pushed": {func(f *fixture) { one := 1; f.config.Settings.SQLAgent.PlanCache.Entries = &one }, func(t *testing.T, f *fixture) { ask(question("b"))(t, f); ask(first)(t, f) }, 3},
	} {
		t.Run(name, func(t *testing.T) {
			day = noon
			f := newFixture(t, planned(says(goodPlan)), func(f *fixture) {
				f.deps.Clock = func() time.Time { return day }
				f.config.Roles["auditor"] = config.Role{Tables: config.TableRules{Allow: []string{"*.main.*"}}}
			}, func(f *fixture) {
				if c.setup != nil {
					c.setup(f)
				}
			})
			ask(first)(t, f)
			c.second(t, f)
			if len(f.model.asked) != c.asked {
				t.Errorf("the model was asked %d times, want %d", len(f.model.asked), c.asked)
			}
		})
	}
}

// A plan with a moment in it that the model took from the clock means another moment
// a minute later.
func TestAPlanOfThisMomentIsNotKept(t *testing.T) {
	for name, c := range map[string]struct {
		where, asked string
		kept         bool
	}{
		"a day":                     {"country <> '2026-11-30'", "customers today", true},
		"the beginning of a day":    {"country <> '2026-11-30T00:00:00'", "customers today", true},
		"the end of a day":          {"country <> '2026-11-30 23:59:59'", "customers today", true},
		"an hour ago":               {"country <> '2026-11-30T11:00:00'", "customers of the last hour", false},
		"an hour ago, of yesterday": {"country <> '2026-11-29 23:00'", "customers of the last day", false},
		"a moment that was asked":   {"country <> '2026-11-30T11:00:00'", "customers since 2026-11-30 11:00:00", true},
	} {
		t.Run(name, func(t *testing.T) {
			p := goodPlan
			p.Where = c.where
			f := newFixture(t, planned(says(p)))
			for range 2 {
				if run := f.ask(t, t.Context(), question(c.asked)); run.Err() != nil {
					t.Fatal(run.Err())
				}
			}
			if kept := len(f.model.asked) == 1; kept != c.kept {
				t.Errorf("kept %t, want %t", kept, c.kept)
			}
		})
	}
}

// What did not answer is not kept, and what is kept does not stand in the way of
// another attempt.
func TestPlansThatFailAreNotKept(t *testing.T) {
	f := newFixture(t, planned(says(goodPlan)), retries(0))
	broken := func(context.Context) error {
		return reason.New(reason.ExecutionFailed, reason.ReasonExecutionFailed, "overflow")
	}
	f.source.query = broken
	f.ask(t, t.Context(), question("customers by country"))
	f.source.query = nil
	f.ask(t, t.Context(), question("customers by country"))
	if len(f.model.asked) != 2 {
		t.Errorf("%d calls, want 2: the first plan failed", len(f.model.asked))
	}
	f = newFixture(t, planned(says(goodPlan)))
	f.ask(t, t.Context(), question("customers by country"))
	f.source.query = failsOnce(broken(t.Context()))
	run := f.ask(t, t.Context(), question("customers by country"))
	if run.Err() != nil || len(f.model.asked) != 2 || !strings.Contains(f.model.turn(1), "<refused>") {
		t.Errorf("error %v after %d calls", run.Err(), len(f.model.asked))
	}
}

func TestADeterministicPlannersPlansAreNotKept(t *testing.T) {
	f := newFixture(t)
	for range 2 {
		f.ask(t, t.Context(), question("customers by country"))
	}
	if len(f.service.asked) != 2 {
		t.Errorf("asked %d times", len(f.service.asked))
	}
}

package pipeline_test

import (
	"context"
	"testing"

	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/sdk/wire"
)

// A planner of one's own takes the place of ours; what it proposes is checked and
// run like any other plan.
func TestThePlannerCanBeReplaced(t *testing.T) {
	var intent string
	f := newFixture(t, replaced(pipeline.StepASTPlanner, 0, func(_ context.Context, s pipeline.SubRun) (graph.Update[pipeline.SubRun], error) {
		intent = s.SubQuery.Intent
		return func(s pipeline.SubRun) pipeline.SubRun {
			p := selects("orders", "sum(total) as spent")
			s.Proposed, s.Output.Planner = &p, "mine"
			return s
		}, nil
	}))
	run := f.ask(t, t.Context(), question("What was spent?"))
	if err := run.Err(); err != nil {
		t.Fatal(err)
	}
	if q := run.Queries(); run.Answer.Outcome != wire.Answered || intent != "What was spent?" || q[0].Planner != "mine" || len(f.service.asked) != 0 {
		t.Errorf("answer %+v of %+v, intent %q", run.Answer, q, intent)
	}
}

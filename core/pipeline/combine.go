package pipeline

import (
	"slices"
	"strings"
	"time"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/nodes/engineaggregator"
	"querent.dev/querent/core/notes"
	"querent.dev/querent/core/result"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

func (n nodes) engineAggregator() graph.Node[Run] {
	return graph.Node[Run]{
		Name: StepEngineAggregator, Timeout: n.timeout(StepEngineAggregator),
		Overdue: func(limit time.Duration) *reason.Error {
			return reason.New(reason.AggregatorFailed, reason.ReasonAggregatorFailed, "the results were not put together within %s", limit).
				WithSafe("The partial results were not put together within the time limit of %s.", limit)
		},
		Run: adapt(func(r Run) engineaggregator.Input {
			in := engineaggregator.Input{Steps: r.DAG.Steps, Terminal: r.DAG.Terminal, Language: r.Language}
			for _, q := range r.SubQueries {
				in.Parts = append(in.Parts, engineaggregator.Part{ID: string(q.ID), Result: r.Sub[q.ID].Result})
			}
			return in
		}, n.aggregator.Run, func(r Run, o engineaggregator.Output) Run {
			r.Aggregate = Aggregate{}
			for _, t := range o.Terminal {
				part := ""
				if len(o.Terminal) > 1 {
					part = r.part(t.ID)
				}
				r.Aggregate = r.Aggregate.with(t.ID, part, t.Result, n.settings.Results.PreviewRows)
			}
			r.Warnings = appended(r.Warnings, o.Notes...)
			return r.reasoned(StepEngineAggregator, o.Summary)
		}),
	}
}

func (a Aggregate) with(id, part string, r *result.Result, rows int) Aggregate {
	p := preview(id, r, rows)
	p.Part = part
	return Aggregate{
		TerminalResults:   appended(a.TerminalResults, p),
		ComputedArtifacts: appended(a.ComputedArtifacts, r),
	}
}

// preview is the head of a result with what is known of the whole.
func preview(id string, r *result.Result, rows int) wire.Preview {
	head := r.Head(rows)
	p := wire.Preview{
		SubQuery: id, Columns: r.Columns(), Rows: head, RowCount: r.RowCount(),
		Partial: r.Truncated() || int64(len(head)) < r.RowCount(), Truncated: r.Truncated(),
	}
	if r.CutBy() == datasource.CutByRows {
		p.RowCap = r.RowCap()
	}
	return p
}

// part is what a sub-query or a step answers, in plain words: the intents of all
// sub-queries that went into it.
func (r Run) part(id string) string {
	for _, q := range r.SubQueries {
		if string(q.ID) == id {
			return q.Intent
		}
	}
	var intents []string
	for _, s := range r.DAG.Steps {
		if s.ID != id {
			continue
		}
		for _, input := range s.Inputs {
			intents = append(intents, r.part(input))
		}
	}
	return strings.Join(intents, "; ")
}

// parts are the first rows of each sub-query that has a result, for a run that
// does not get further.
func (r Run) parts() []wire.Preview {
	var out []wire.Preview
	for _, q := range r.SubQueries {
		if kept := r.Sub[q.ID].Result; kept != nil {
			p := preview(string(q.ID), kept, r.Config.Settings.Results.PreviewRows)
			if len(r.SubQueries) > 1 {
				p.Part = q.Intent
			}
			out = append(out, p)
		}
	}
	return out
}

// without is the run without the sub-queries that failed and without what needs
// them. It is false when no result is left to answer with.
func (r Run) without(failed []SubQueryID) (Run, bool) {
	lost := map[string]bool{}
	for _, id := range failed {
		lost[string(id)] = true
	}
	dag := DAG{Layers: r.DAG.Layers}
	for _, s := range r.DAG.Steps {
		isLost := func(id string) bool { return lost[id] }
		switch {
		case s.Op == engineaggregator.Standalone:
			s.Inputs = slices.DeleteFunc(slices.Clone(s.Inputs), isLost)
		case slices.ContainsFunc(s.Inputs, isLost):
			lost[s.ID] = true
			continue
		}
		dag.Steps = append(dag.Steps, s)
	}
	for _, id := range r.DAG.Terminal {
		if !lost[id] {
			dag.Terminal = append(dag.Terminal, id)
		}
	}
	if len(dag.Terminal) == 0 {
		return r, false
	}
	r.DAG, r.Without = dag, appended(r.Without, failed...)
	return r, true
}

// does reports whether the run does without the failure's sub-query.
func (r *Run) does(without Failure) bool {
	return slices.ContainsFunc(r.Without, func(id SubQueryID) bool { return graph.StepID(string(id), nodeOf(without.Step)) == without.Step })
}

// missing is the part of the question that a failed sub-query leaves open, with a
// note that explains why.
func (r Run) missing(q SubQuery, err *reason.Error) Run {
	r.Unmapped = appended(r.Unmapped, wire.Unmapped{Part: q.Intent, Reason: err.Reason})
	r.Warnings = appended(r.Warnings, notes.Unanswered(r.Language, q.Intent, err))
	return r
}

// endsRun reports whether a failure is that of the whole run, so that what other
// sub-queries found does not count.
func endsRun(err *reason.Error) bool {
	return err.Code == reason.CancelledCode || err.Code == reason.RunTimeout
}

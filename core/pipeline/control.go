package pipeline

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/nodes/answersynthesizer"
	"querent.dev/querent/core/nodes/verifiedmatcher"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// adapt makes a graph's node of a node with its own input and output. What the
// node put out counts also beside an error, as far as it is set.
func adapt[S, I, O any](in func(S) I, run func(context.Context, I) (O, error), out func(S, O) S) func(context.Context, S) (graph.Update[S], error) {
	return func(ctx context.Context, s S) (graph.Update[S], error) {
		o, err := run(ctx, in(s))
		return func(s S) S { return out(s, o) }, err
	}
}

// appended is a new list with more entries.
func appended[T any](list []T, more ...T) []T { return append(slices.Clip(list), more...) }

func (n nodes) verifiedMatcher() graph.Node[Run] {
	return graph.Node[Run]{
		Name: StepVerifiedMatcher, Timeout: n.timeout(StepVerifiedMatcher),
		Run: adapt(func(r Run) verifiedmatcher.Input {
			return verifiedmatcher.Input{Question: r.Question.Text, Caller: r.Caller, Datasource: r.Question.Datasource, Clock: r.Clock}
		}, n.matcher.Run, func(r Run, o verifiedmatcher.Output) Run {
			r.Verified = o.Match
			if o.Match != nil {
				r.Datasources = []schema.DatasourceID{o.Match.Datasource}
				r.Decomposition = wholeAt(r, o.Match.Datasource)
			}
			return r.reasoned(StepVerifiedMatcher, o.Summary)
		}),
	}
}

// router sends each sub-query of the next layer to the SQL agent graph.
func (n nodes) router(agent *graph.Graph[SubRun]) graph.FanOut[Run, SubRun] {
	return graph.FanOut[Run, SubRun]{
		Name: StepRouter, Graph: agent, Parallel: max(1, n.settings.Run.MaxParallel),
		Split: n.split, Merge: n.merge,
	}
}

func (n nodes) split(r Run) ([]graph.Branch[SubRun], error) {
	var out []graph.Branch[SubRun]
	for _, q := range r.SubQueries {
		if _, done := r.Sub[q.ID]; done || !slices.Contains(r.nextLayer(), q.ID) {
			continue
		}
		if err := n.known(q); err != nil {
			return nil, err
		}
		s := SubRun{Run: r, SubQuery: q, Output: SubOutput{Intent: q.Intent, ExpectedSchema: q.ExpectedSchema, Datasource: q.Datasource}}
		if r.Verified != nil {
			s.Proposed, s.Catalog, s.Output.Planner = &r.Verified.Plan, r.Verified.Catalog, plannerVerified
		}
		out = append(out, graph.Branch[SubRun]{ID: string(q.ID), State: s})
	}
	return out, nil
}

// plannerVerified stands where a planner's name does when the plan is verified.
const plannerVerified = "verified"

// nextLayer is the first layer with a sub-query that has no output yet.
func (r Run) nextLayer() []SubQueryID {
	for _, layer := range r.DAG.Layers {
		if slices.ContainsFunc(layer, func(id SubQueryID) bool { _, done := r.Sub[id]; return !done }) {
			return layer
		}
	}
	return nil
}

// known refuses a sub-query for a datasource that is not there.
func (n nodes) known(q SubQuery) error {
	if _, ok := n.sources.all[q.Datasource]; !ok {
		return reason.New(reason.InvalidState, reason.ReasonInvalidState, "the sub-query %s asks the datasource %q, which is not there", q.ID, q.Datasource)
	}
	return nil
}

// merge takes the branches' outputs into the run, in the order of the
// sub-queries. The first branch that failed is the step's failure, unless others
// give a result that does not need it: then the answer does without it, and without
// what was odd about it.
func (n nodes) merge(r Run, ends []graph.Branch[SubRun]) (Run, error) {
	warned := r.Warnings
	r = r.merged(ends)
	failed := slices.DeleteFunc(slices.Clone(ends), func(end graph.Branch[SubRun]) bool { return end.Err == nil })
	if len(failed) == 0 {
		return r, nil
	}
	ids := make([]SubQueryID, len(failed))
	for i, end := range failed {
		ids[i] = end.State.SubQuery.ID
	}
	over := r.PlanOnly || slices.ContainsFunc(failed, func(end graph.Branch[SubRun]) bool { return endsRun(end.Err) })
	if rest, some := r.without(ids); some && !over {
		rest.Warnings = warned
		for _, end := range ends {
			if end.Err == nil {
				rest.Warnings = appended(rest.Warnings, end.State.Warnings...)
			} else {
				rest = rest.missing(end.State.SubQuery, end.Err)
			}
		}
		return rest, nil
	}
	// The graph records the step's own failure.
	first := failed[0]
	r.Errors = slices.DeleteFunc(r.Errors, func(f Failure) bool { return f.Err == first.Err })
	if first.State.Refusal != nil {
		r.Refusal = first.State.Refusal
	}
	return r, inSubQuery(first.Err, first.State.SubQuery.ID)
}

func (r Run) merged(ends []graph.Branch[SubRun]) Run {
	r.Sub = maps.Clone(r.Sub)
	for _, end := range ends {
		s := end.State
		r.Sub[s.SubQuery.ID] = s.Output
		r.Warnings = appended(r.Warnings, s.Warnings...)
		r.Reasoning = appended(r.Reasoning, s.Reasoning...)
		r.Calls = appended(r.Calls, s.Calls...)
		r.Errors = appended(r.Errors, s.Errors...)
	}
	return r
}

// inSubQuery is the error with its sub-query as evidence.
func inSubQuery(err *reason.Error, id SubQueryID) *reason.Error {
	e := *err
	e.Evidence = maps.Clone(e.Evidence)
	return e.WithEvidence(evidenceSubQuery, string(id))
}

func (n nodes) answerSynthesizer() graph.Node[Run] {
	return graph.Node[Run]{
		Name: StepAnswerSynthesizer, Timeout: n.timeout(StepAnswerSynthesizer),
		Always: true, Grace: lastWords + graph.DefaultGrace,
		Run: adapt(Run.toAnswer, n.synthesizer.Run, func(r Run, o answersynthesizer.Output) Run {
			r.Answer = &o.Answer
			r = r.called(config.AgentAnswerSynthesizer, StepAnswerSynthesizer, o.Call, o.Recovered)
			if f := o.Answer.Failure; f != nil && r.failure() == nil {
				r.Errors = appended(r.Errors, Failure{StepAnswerSynthesizer, lateFailure(f)})
			}
			return r.reasoned(StepAnswerSynthesizer, o.Summary)
		}),
	}
}

// lateFailure is the error of an answer that explains what went wrong only while
// it was made: there was nothing to say, or the caller left.
func lateFailure(f *wire.Failure) *reason.Error {
	return reason.New(f.Code, f.Reason, "the run ended without a result: %s", f.Message).At(StepAnswerSynthesizer)
}

// toAnswer is all that the answer is made of.
func (r Run) toAnswer() answersynthesizer.Input {
	in := answersynthesizer.Input{
		RequestID: r.ID, Question: r.Question.Text, Language: r.Language, Format: r.Question.Format, Stream: r.Question.Stream,
		Results: r.Aggregate.TerminalResults, Queries: r.Queries(), Unmapped: r.Unmapped, Notes: r.Warnings,
	}
	if r.Verified != nil {
		in.Verified = &r.Verified.Verified
	}
	in.Failure = r.explain()
	if in.Failure.Err != nil && len(in.Results) == 0 {
		in.Results = r.parts()
	}
	return in
}

// explain gathers what is known about the run's failure, or would be about one
// of the last step.
func (r Run) explain() answersynthesizer.Failure {
	out := answersynthesizer.Failure{Step: StepAnswerSynthesizer, TraceID: r.TraceID}
	var of SubQueryID
	if f := r.failure(); f != nil {
		out.Err, out.Step, out.Provider = f.Err, f.Step, f.Err.Evidence["provider"]
		of = SubQueryID(f.Err.Evidence[evidenceSubQuery])
	}
	if of == "" && len(r.SubQueries) == 1 {
		of = r.SubQueries[0].ID
	}
	out.Attempted = r.attempted(out.Step)
	out.PlanID, out.Datasource = r.Sub[of].PlanID, r.nameable(r.Sub[of].Datasource, out.Err)
	if out.Provider == "" {
		out.Provider = r.Sub[of].Planner
	}
	if r.Refusal != nil {
		out.NotUnderstood, out.Choices, out.Proposals = r.Refusal.NotUnderstood, r.Refusal.Choices, r.Refusal.Proposals
	}
	return out
}

// nameable is the datasource's name, "" where the failure is that the caller may not
// read it, unless it was the caller who named it.
func (r Run) nameable(id schema.DatasourceID, err *reason.Error) string {
	barred := err != nil && (err.Code == reason.CallerAuthRequired || err.Reason == reason.ReasonRestrictedDatasource)
	if barred && id != r.Question.Datasource {
		return ""
	}
	return string(id)
}

// attempts says what each step does, for people who wait for an answer.
var attempts = map[string]string{
	StepVerifiedMatcher:    "looked for a verified query",
	StepDatasourceResolver: "chose the datasource",
	StepDecomposer:         "took the question apart",
	StepGlobalPlanner:      "planned the order of the parts",
	StepRouter:             "asked the datasources",
	StepEngineAggregator:   "put the results together",
	StepSchemaRetriever:    "read the schema",
	StepASTPlanner:         "asked for a plan",
	StepLogicalValidator:   "checked the plan",
	StepGenerator:          "wrote the SQL",
	StepPhysicalValidator:  "asked the database what it would cost",
	StepExecutor:           "ran the query",
	StepRetryHandler:       "considered another attempt",
	StepRefiner:            "prepared another attempt",
	StepAnswerSynthesizer:  "worded the answer",
}

// attempted is what was done, up to and with the step that failed.
func (r Run) attempted(failed string) []string {
	var out []string
	for _, step := range appended(r.steps(), failed) {
		words, ok := attempts[nodeOf(step)]
		if !ok {
			words = fmt.Sprintf("ran the step %s", nodeOf(step))
		}
		if !slices.Contains(out, words) {
			out = append(out, words)
		}
	}
	return out
}

func (r Run) steps() []string {
	out := make([]string, len(r.Reasoning))
	for i, note := range r.Reasoning {
		out[i] = note.Step
	}
	return out
}

func (r Run) reasoned(step, summary string) Run {
	if summary != "" {
		r.Reasoning = appended(r.Reasoning, Reasoning{step, summary})
	}
	return r
}

// failedRun records a failure of the control graph.
func failedRun(r Run, err *reason.Error) Run {
	r.Errors = appended(r.Errors, Failure{stepOf(err), err})
	return r
}

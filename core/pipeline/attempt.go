package pipeline

import (
	"fmt"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/nodes/astplanner"
	"querent.dev/querent/core/nodes/refiner"
	"querent.dev/querent/core/nodes/retryhandler"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/reason"
)

// Attempt is where a sub-query stands in its attempts.
type Attempt struct {
	Failed int               // attempts that failed and were replaced
	Last   *reason.Error     // the last failure; nil before the first
	From   retryhandler.From // where the next attempt begins
	Final  bool              // another plan would be the same
	Cached bool              // the plan is one that answered before
	Keep   func()            // keeps the plan for the next time; nil for a plan that nobody proposed
}

// ifRetryable leads from a failed step to the retry handler, or ends the
// sub-query.
func ifRetryable() graph.Route[SubRun] {
	return graph.Route[SubRun]{
		Targets: []graph.Target{{To: StepRetryHandler, When: "retryable error"}, {To: graph.Fail, When: "final error"}},
		Choose: func(s SubRun) string {
			if s.Attempt.Last.Retryable {
				return StepRetryHandler
			}
			return graph.Fail
		},
	}
}

// nextAttempt leads from the retry handler to where the next attempt begins.
func nextAttempt() graph.Route[SubRun] {
	return graph.Route[SubRun]{
		Targets: []graph.Target{
			{To: StepRefiner, When: "another plan"}, {To: StepSchemaRetriever, When: "the structure changed"},
			{To: StepPhysicalValidator, When: "the database was not reached"}, {To: graph.Fail, When: "no other attempt"},
		},
		Choose: func(s SubRun) string {
			switch s.Attempt.From {
			case retryhandler.Plan:
				return StepRefiner
			case retryhandler.Schema:
				return StepSchemaRetriever
			case retryhandler.Statement:
				return StepPhysicalValidator
			}
			return graph.Fail
		},
	}
}

func (n nodes) retryHandler() graph.Node[SubRun] {
	return graph.Node[SubRun]{
		Name: StepRetryHandler, Timeout: n.timeout(StepRetryHandler),
		Run: adapt(func(s SubRun) retryhandler.Input {
			return retryhandler.Input{
				Failure: s.Attempt.Last, Attempt: s.Attempt.Failed + 1,
				Final: s.Attempt.Final || s.Output.Planner == plannerVerified,
			}
		}, n.retrier.Run, func(s SubRun, o retryhandler.Output) SubRun {
			return s.again(o.From).reasoned(StepRetryHandler, o.Summary)
		}),
	}
}

func (n nodes) refiner() graph.Node[SubRun] {
	return graph.Node[SubRun]{
		Name: StepRefiner, Timeout: n.timeout(StepRefiner),
		Run: adapt(func(s SubRun) refiner.Input {
			return refiner.Input{
				RequestID: fmt.Sprintf("%s/%s/%d/%s", s.Run.ID, s.SubQuery.ID, s.Attempt.Failed, StepRefiner),
				Intent:    s.SubQuery.Intent, Failure: s.Attempt.Last, Plan: s.Proposed,
				Schema: astplanner.SchemaText(s.Output.RelevantTables), Feedback: s.Feedback,
			}
		}, n.adviser.Run, func(s SubRun, o refiner.Output) SubRun {
			s.Feedback = o.Feedback
			s.Calls, s.Warnings = called(s.Calls, config.AgentRefiner, o.Call), ignored(s.Warnings, s.Run.Language, o.Call)
			return s.earlier(StepRefiner, o.Call.Retried, true).earlier(StepRefiner, o.Recovered, true).planless().reasoned(StepRefiner, o.Summary)
		}),
	}
}

// again is the sub-query with an attempt behind it that the next one replaces:
// its failures are marked as recovered, and what it warned of does not count.
func (s SubRun) again(from retryhandler.From) SubRun {
	s.Attempt.From = from
	if from == retryhandler.GiveUp {
		return s
	}
	s.Attempt.Failed++
	errors := make([]Failure, len(s.Errors))
	for i, f := range s.Errors {
		e := *f.Err
		e.Recovered = true
		errors[i] = Failure{f.Step, &e}
	}
	s.Errors = errors
	switch from {
	case retryhandler.Plan:
		s.Warnings = nil
	case retryhandler.Schema:
		s.Warnings, s.Feedback = nil, nil
		return s.planless()
	}
	return s
}

// planless is the sub-query without the plan of the attempt before, and what was
// made of it.
func (s SubRun) planless() SubRun {
	s.Proposed, s.Refusal, s.Secured, s.Statement = nil, nil, policy.Secured{}, sqlgen.Statement{}
	s.Attempt.Keep, s.Attempt.Cached = nil, false
	o := &s.Output
	o.Plan, o.PlanID, o.SecuredID, o.SQL, o.Args, o.Planner = nil, "", "", "", nil, ""
	o.Catalog, o.Statement = nil, sqlgen.Statement{}
	return s
}

// failedSubRun records a failure of the SQL agent graph.
func failedSubRun(s SubRun, err *reason.Error) SubRun {
	s.Errors = appended(s.Errors, Failure{graph.StepID(string(s.SubQuery.ID), err.Node), err})
	s.Attempt.Last = err
	return s
}

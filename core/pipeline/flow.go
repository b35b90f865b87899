// Package pipeline is the whole flow: the two graphs, wired from the nodes, and
// the engine that takes questions through them.
//
// Of the full flow, the nodes below run today. The others have their places:
// datasource_resolver, decomposer and global_planner between verified_matcher
// and router; engine_aggregator behind router; physical_validator behind
// generator; and retry_handler with refiner on the failure routes of the SQL
// agent, leading back to ast_planner.
package pipeline

import "querent.dev/querent/core/graph"

// The steps of the control graph.
const (
	StepVerifiedMatcher   = "verified_matcher"
	StepRouter            = "router"
	StepAnswerSynthesizer = "answer_synthesizer"
)

// The steps of the SQL agent graph.
const (
	StepSchemaRetriever   = "schema_retriever"
	StepASTPlanner        = "ast_planner"
	StepLogicalValidator  = "logical_validator"
	StepGenerator         = "generator"
	StepPhysicalValidator = "physical_validator"
	StepExecutor          = "executor"
	StepRetryHandler      = "retry_handler"
	StepRefiner           = "refiner"
)

// controlGraph answers a question: every failure goes to the synthesizer, which
// explains it.
func controlGraph(n nodes, agent *graph.Graph[SubRun]) graph.Spec[Run] {
	explain := graph.To[Run](StepAnswerSynthesizer)
	return graph.Spec[Run]{
		Name:   "control",
		Start:  graph.To[Run](StepVerifiedMatcher),
		Failed: failedRun,
		Logger: n.logger,
		Steps: []graph.Step[Run]{
			{Work: n.verifiedMatcher(), Next: graph.To[Run](StepRouter), OnError: explain},
			{Work: n.router(agent), Next: unlessPlanOnly(StepAnswerSynthesizer, func(r Run) bool { return r.PlanOnly }), OnError: explain},
			{Work: n.answerSynthesizer(), Next: graph.To[Run](graph.End)},
		},
	}
}

// agentGraph answers a sub-query. A verified plan enters at the validator: it is
// checked like any other. What fails and may end otherwise goes to the retry
// handler. Whatever is taken out of it, the attempts stay bounded.
func agentGraph(n nodes) graph.Spec[SubRun] {
	visits := n.attempts()
	return graph.Spec[SubRun]{
		Name: "sql_agent",
		Start: graph.Route[SubRun]{
			Targets: []graph.Target{{To: StepSchemaRetriever, When: "no plan yet"}, {To: StepLogicalValidator, When: "verified plan"}},
			Choose: func(s SubRun) string {
				if s.Proposed != nil {
					return StepLogicalValidator
				}
				return StepSchemaRetriever
			},
		},
		Failed: failedSubRun,
		Logger: n.logger,
		Steps: []graph.Step[SubRun]{
			{Work: n.schemaRetriever(), Next: graph.To[SubRun](StepASTPlanner), MaxVisits: visits},
			{Work: n.astPlanner(), Next: graph.To[SubRun](StepLogicalValidator), OnError: ifRetryable(), MaxVisits: visits},
			{Work: n.logicalValidator(), Next: graph.To[SubRun](StepGenerator), OnError: ifRetryable()},
			{Work: n.generator(), Next: unlessPlanOnly(StepPhysicalValidator, func(s SubRun) bool { return s.Run.PlanOnly }), OnError: ifRetryable()},
			{Work: n.physicalValidator(), Next: graph.To[SubRun](StepExecutor), OnError: ifRetryable(), MaxVisits: visits},
			{Work: n.executor(), Next: graph.To[SubRun](graph.End), OnError: ifRetryable(), MaxVisits: visits},
			{Work: n.retryHandler(), Next: nextAttempt(), MaxVisits: visits},
			{Work: n.refiner(), Next: graph.To[SubRun](StepASTPlanner)},
		},
	}
}

// unlessPlanOnly goes on to the step, or ends where only the plan is wanted.
func unlessPlanOnly[S any](step string, planOnly func(S) bool) graph.Route[S] {
	return graph.Route[S]{
		Targets: []graph.Target{{To: step}, {To: graph.End, When: "plan only"}},
		Choose: func(s S) string {
			if planOnly(s) {
				return graph.End
			}
			return step
		},
	}
}

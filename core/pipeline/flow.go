// Package pipeline is the whole flow: the two graphs, wired from the nodes, and
// the engine that takes questions through them.
package pipeline

import "querent.dev/querent/core/graph"

// The steps of the control graph.
const (
	StepVerifiedMatcher    = "verified_matcher"
	StepDatasourceResolver = "datasource_resolver"
	StepDecomposer         = "decomposer"
	StepGlobalPlanner      = "global_planner"
	StepRouter             = "router"
	StepEngineAggregator   = "engine_aggregator"
	StepAnswerSynthesizer  = "answer_synthesizer"
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

// mostLayers bounds how often the router is come to: a decomposition has fewer
// sub-queries, and each layer at least one of them.
const mostLayers = 16

// controlGraph answers a question: every failure goes to the synthesizer, which
// explains it. A question with a verified query is neither resolved nor taken apart.
func controlGraph(n nodes, agent *graph.Graph[SubRun]) graph.Spec[Run] {
	explain := graph.To[Run](StepAnswerSynthesizer)
	return graph.Spec[Run]{
		Name:   "control",
		Start:  graph.To[Run](StepVerifiedMatcher),
		Failed: failedRun,
		Logger: n.logger,
		Steps: []graph.Step[Run]{
			{Work: n.verifiedMatcher(), Next: unlessVerified(), OnError: explain},
			{Work: n.datasourceResolver(), Next: graph.To[Run](StepDecomposer), OnError: explain},
			{Work: n.decomposer(), Next: graph.To[Run](StepGlobalPlanner), OnError: explain},
			{Work: n.globalPlanner(), Next: graph.To[Run](StepRouter), OnError: explain},
			{Work: n.router(agent), Next: nextLayerOr(StepEngineAggregator), OnError: explain, MaxVisits: mostLayers},
			{Work: n.engineAggregator(), Next: graph.To[Run](StepAnswerSynthesizer), OnError: explain},
			{Work: n.answerSynthesizer(), Next: graph.To[Run](graph.End)},
		},
	}
}

// unlessVerified goes on to the datasources, or past them with a verified plan.
func unlessVerified() graph.Route[Run] {
	return graph.Route[Run]{
		Targets: []graph.Target{{To: StepDatasourceResolver, When: "no verified query"}, {To: StepGlobalPlanner, When: "verified query"}},
		Choose: func(r Run) string {
			if r.Verified != nil {
				return StepGlobalPlanner
			}
			return StepDatasourceResolver
		},
	}
}

// nextLayerOr comes back for the sub-queries of the next layer, and goes on to the
// step after the last, or ends there where only the plan is wanted.
func nextLayerOr(step string) graph.Route[Run] {
	return graph.Route[Run]{
		Targets: []graph.Target{{To: StepRouter, When: "next layer"}, {To: step, When: "all layers done"}, {To: graph.End, When: "plan only"}},
		Choose: func(r Run) string {
			switch {
			case len(r.nextLayer()) > 0:
				return StepRouter
			case r.PlanOnly:
				return graph.End
			}
			return step
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

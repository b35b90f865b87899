package pipeline

import (
	"fmt"
	"strings"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/nodes/astplanner"
	"querent.dev/querent/core/nodes/executor"
	"querent.dev/querent/core/nodes/generator"
	"querent.dev/querent/core/nodes/logicalvalidator"
	"querent.dev/querent/core/nodes/physicalvalidator"
	"querent.dev/querent/core/nodes/schemaretriever"
	"querent.dev/querent/core/notes"
	"querent.dev/querent/sdk/reason"
)

func (n nodes) schemaRetriever() graph.Node[SubRun] {
	return graph.Node[SubRun]{
		Name: StepSchemaRetriever, Timeout: n.timeout(StepSchemaRetriever),
		Overdue: func(limit time.Duration) *reason.Error {
			return reason.New(reason.DatasourceUnreachable, reason.ReasonUnavailable, "the schema was not read within %s", limit)
		},
		Run: adapt(func(s SubRun) schemaretriever.Input {
			return schemaretriever.Input{Datasource: s.SubQuery.Datasource, Caller: s.Run.Caller}
		}, n.retriever.Run, func(s SubRun, o schemaretriever.Output) SubRun {
			s.Catalog, s.View, s.Output.RelevantTables = o.Catalog, o.View, o.Tables
			return s.reasoned(StepSchemaRetriever, o.Summary)
		}),
	}
}

func (n nodes) astPlanner() graph.Node[SubRun] {
	return graph.Node[SubRun]{
		Name: StepASTPlanner, Timeout: n.timeout(StepASTPlanner),
		Overdue: func(limit time.Duration) *reason.Error {
			return reason.Provider(reason.Timeout, "no plan came within %s", limit)
		},
		Run: adapt(func(s SubRun) astplanner.Input {
			return astplanner.Input{
				RequestID: fmt.Sprintf("%s/%s/%d", s.Run.ID, s.SubQuery.ID, s.Output.Attempts+1),
				Question:  s.Run.Question.Text, Intent: s.SubQuery.Intent, ExpectedSchema: s.SubQuery.ExpectedSchema,
				Datasource: s.SubQuery.Datasource, Tables: s.Output.RelevantTables, View: s.View,
				Caller: s.Run.Caller, Clock: s.Run.Clock, Language: s.Run.Language, Feedback: s.Feedback,
				Fingerprint: s.Catalog.Fingerprint(), PolicyHash: n.rights(s.Run.Caller),
			}
		}, n.planner.Run, func(s SubRun, o astplanner.Output) SubRun {
			s.Proposed, s.Refusal = o.Plan, o.Refusal
			s.Output.Attempts++
			s.Output.Planner = o.Planner
			s.Attempt.Final, s.Attempt.Cached, s.Attempt.Keep = o.Final, o.Cached, func() { n.planner.Cache.Keep(o.Key, o.Plan, o.Reading, o.Planner) }
			s.Calls, s.Warnings = called(s.Calls, config.AgentASTPlanner, o.Call), ignored(s.Warnings, s.Run.Language, o.Call)
			return s.earlier(StepASTPlanner, o.Call.Retried, true).earlier(StepASTPlanner, o.Call.Failed, o.Plan != nil).reasoned(StepASTPlanner, o.Summary)
		}),
	}
}

func (n nodes) logicalValidator() graph.Node[SubRun] {
	return graph.Node[SubRun]{
		Name: StepLogicalValidator, Timeout: n.timeout(StepLogicalValidator),
		Run: adapt(func(s SubRun) logicalvalidator.Input {
			return logicalvalidator.Input{Plan: *s.Proposed, Catalog: s.Catalog, Caller: s.Run.Caller, Clock: s.Run.Clock, Cached: s.Attempt.Cached, Needs: s.SubQuery.Needs, Approved: s.Run.Verified != nil, Language: s.Run.Language}
		}, n.validator.Run, func(s SubRun, o logicalvalidator.Output) SubRun {
			s.Secured = o.Secured
			s.Output.PlanID, s.Output.SecuredID, s.Output.Catalog = o.PlanID, o.Secured.ID(), s.Catalog
			if o.Secured.Valid() {
				s.Output.Plan = &o.Plan
			}
			s.Warnings = appended(s.Warnings, o.Notes...)
			if n := o.Secured.MinGroup(); n > 0 {
				s.Warnings = appended(s.Warnings, notes.GroupsLeftOut(s.Run.Language, n))
			}
			return s.reasoned(StepLogicalValidator, o.Summary)
		}),
	}
}

func (n nodes) generator() graph.Node[SubRun] {
	return graph.Node[SubRun]{
		Name: StepGenerator, Timeout: n.timeout(StepGenerator),
		Run: adapt(func(s SubRun) generator.Input {
			return generator.Input{Secured: s.Secured, Dialect: s.Catalog.Dialect, PlanID: s.Output.PlanID}
		}, n.sqlWriter.Run, func(s SubRun, o generator.Output) SubRun {
			s.Statement = o.Statement
			s.Output.SQL, s.Output.Args, s.Output.Statement = o.Statement.ShownSQL(), o.Statement.Shown(), o.Statement
			return s.reasoned(StepGenerator, o.Summary)
		}),
	}
}

func (n nodes) physicalValidator() graph.Node[SubRun] {
	return graph.Node[SubRun]{
		Name: StepPhysicalValidator, Timeout: n.timeout(StepPhysicalValidator),
		Overdue: func(limit time.Duration) *reason.Error {
			return reason.New(reason.QueryTimeout, reason.ReasonTimeout, "the database did not explain the query within %s", limit)
		},
		Run: adapt(func(s SubRun) physicalvalidator.Input {
			in := physicalvalidator.Input{Datasource: s.SubQuery.Datasource, Statement: s.Statement, Limit: s.Output.Plan.Limit}
			if s.View != nil {
				in.Visible = s.View.Table
			}
			return in
		}, n.explainer.Run, func(s SubRun, o physicalvalidator.Output) SubRun {
			return s.reasoned(StepPhysicalValidator, o.Summary)
		}),
	}
}

func (n nodes) executor() graph.Node[SubRun] {
	return graph.Node[SubRun]{
		Name: StepExecutor, Timeout: n.timeout(StepExecutor),
		Overdue: func(limit time.Duration) *reason.Error {
			return reason.New(reason.QueryTimeout, reason.ReasonTimeout, "the query and the reading of its rows took longer than %s", limit)
		},
		Run: adapt(func(s SubRun) executor.Input {
			return executor.Input{
				Datasource: s.SubQuery.Datasource, Statement: s.Statement, PlanID: s.Output.PlanID,
				Secured: s.Secured, Catalog: s.Catalog, Caller: s.Run.Caller, Clock: s.Run.Clock, Language: s.Run.Language,
			}
		}, n.runner.Run, func(s SubRun, o executor.Output) SubRun {
			s.Output.Result, s.Output.RowCount, s.Output.TotalKnown = o.Result, o.RowCount, o.TotalKnown
			s.Output.Truncated, s.Output.RowCap = o.Truncated, o.RowCap
			s.Warnings = appended(s.Warnings, o.Notes...)
			if o.Result != nil && s.Attempt.Keep != nil {
				s.Attempt.Keep()
			}
			return s.reasoned(StepExecutor, o.Summary)
		}),
	}
}

func (s SubRun) reasoned(node, summary string) SubRun {
	if summary != "" {
		s.Reasoning = appended(s.Reasoning, Reasoning{graph.StepID(string(s.SubQuery.ID), node), summary})
	}
	return s
}

// earlier records failures of providers that were asked before the one that
// settled it.
func (s SubRun) earlier(node string, failed []*reason.Error, recovered bool) SubRun {
	for _, err := range failed {
		e := *err
		e.Recovered = recovered
		s.Errors = appended(s.Errors, Failure{graph.StepID(string(s.SubQuery.ID), node), &e})
	}
	return s
}

// nodeOf is the node of a step's id.
func nodeOf(step string) string { return step[strings.LastIndexByte(step, '/')+1:] }

package pipeline

import (
	"slices"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/nodes/astplanner"
	"querent.dev/querent/core/nodes/datasourceresolver"
	"querent.dev/querent/core/nodes/decomposer"
	"querent.dev/querent/core/nodes/globalplanner"
	"querent.dev/querent/core/notes"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

func (n nodes) datasourceResolver() graph.Node[Run] {
	return graph.Node[Run]{
		Name: StepDatasourceResolver, Timeout: n.timeout(StepDatasourceResolver),
		Overdue: func(limit time.Duration) *reason.Error {
			return reason.New(reason.DatasourceUnreachable, reason.ReasonUnavailable, "no datasource was chosen within %s", limit)
		},
		Run: adapt(func(r Run) datasourceresolver.Input {
			return datasourceresolver.Input{
				RequestID: graph.StepID(r.ID, StepDatasourceResolver),
				Question:  r.Question.Text, Named: r.Question.Datasource, Caller: r.Caller, Language: r.Language,
			}
		}, n.resolver.Run, func(r Run, o datasourceresolver.Output) Run {
			r.Datasources = o.Datasources
			r.Warnings = appended(r.Warnings, o.Notes...)
			if len(o.Choices) > 0 {
				r.Refusal = &astplanner.Refusal{Choices: o.Choices}
			}
			return r.called(config.AgentDatasourceResolver, StepDatasourceResolver, o.Call, o.Recovered).
				reasoned(StepDatasourceResolver, o.Summary)
		}),
	}
}

func (n nodes) decomposer() graph.Node[Run] {
	return graph.Node[Run]{
		Name: StepDecomposer, Timeout: n.timeout(StepDecomposer),
		Overdue: func(limit time.Duration) *reason.Error {
			return reason.Provider(reason.Timeout, "the question was not taken apart within %s", limit)
		},
		Run: adapt(func(r Run) decomposer.Input {
			return decomposer.Input{
				RequestID: graph.StepID(r.ID, StepDecomposer),
				Question:  r.Question.Text, Datasources: r.Datasources, Caller: r.Caller,
			}
		}, n.splitter.Run, func(r Run, o decomposer.Output) Run {
			r.Decomposition, r.Unmapped = o.Decomposition, appended(r.Unmapped, o.Unmapped...)
			return r.called(config.AgentDecomposer, StepDecomposer, o.Call, o.Recovered).reasoned(StepDecomposer, o.Summary)
		}),
	}
}

func (n nodes) globalPlanner() graph.Node[Run] {
	return graph.Node[Run]{
		Name: StepGlobalPlanner, Timeout: n.timeout(StepGlobalPlanner),
		Run: adapt(func(r Run) globalplanner.Input {
			return globalplanner.Input{Decomposition: r.Decomposition}
		}, globalplanner.Node{}.Run, func(r Run, o globalplanner.Output) Run {
			r.SubQueries, r.DAG = nil, DAG{Steps: o.Steps, Terminal: o.Terminal}
			for _, q := range o.SubQueries {
				r.SubQueries = append(r.SubQueries, SubQuery{ID: SubQueryID(q.ID), Intent: q.Intent, ExpectedSchema: q.ExpectedSchema, Needs: o.Needs[q.ID], Datasource: q.Datasource})
			}
			for _, layer := range o.Layers {
				ids := make([]SubQueryID, len(layer))
				for i, id := range layer {
					ids[i] = SubQueryID(id)
				}
				r.DAG.Layers = append(r.DAG.Layers, ids)
			}
			return r.reasoned(StepGlobalPlanner, o.Summary)
		}),
	}
}

// wholeAt is the question as one part, for one datasource.
func wholeAt(r Run, id schema.DatasourceID) decomposer.Decomposition {
	return decomposer.Decomposition{SubQueries: []decomposer.SubQuery{{ID: "whole", Intent: r.Question.Text, Datasource: id}}}
}

// called records the call of an agent and the failures that others stood in for.
func (r Run) called(agent config.AgentName, step string, call provider.Call, recovered []*reason.Error) Run {
	r.Calls, r.Warnings = called(r.Calls, agent, call), ignored(r.Warnings, r.Language, call)
	for _, err := range call.Retried {
		e := *err
		e.Recovered = true
		r.Errors = appended(r.Errors, Failure{step, &e})
	}
	for _, err := range recovered {
		r.Errors = appended(r.Errors, Failure{step, err})
	}
	return r
}

// called adds a call of an agent to those before. One that nobody answered counts
// when it was made: it may have cost something.
func called(calls []AgentCall, agent config.AgentName, call provider.Call) []AgentCall {
	if call.Provider == "" && len(call.Attempts) == 0 {
		return calls
	}
	return appended(calls, AgentCall{agent, call})
}

// ignored adds a note for each setting that the call's model does not honour, once a
// run.
func ignored(told []wire.Note, language string, call provider.Call) []wire.Note {
	for _, w := range call.Warnings {
		note := notes.SettingIgnored(language, string(call.Provider), w.Setting)
		if !slices.ContainsFunc(told, func(n wire.Note) bool { return n.Code == note.Code && n.Message == note.Message }) {
			told = appended(told, note)
		}
	}
	return told
}

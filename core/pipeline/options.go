package pipeline

import (
	"fmt"

	"querent.dev/querent/core/graph"
)

// Option changes the wiring of an engine before it is checked: nodes are
// replaced, added and removed with the methods of graph.Spec.
type Option struct {
	control func(*graph.Spec[Run]) error
	agent   func(*graph.Spec[SubRun]) error
}

// Control edits the control graph.
func Control(edit func(*graph.Spec[Run]) error) Option { return Option{control: edit} }

// Agent edits the SQL agent graph.
func Agent(edit func(*graph.Spec[SubRun]) error) Option { return Option{agent: edit} }

// connect builds both graphs, the inner one first.
func connect(n nodes, options []Option) (*graph.Graph[Run], error) {
	agent := agentGraph(n)
	for _, o := range options {
		if o.agent != nil {
			if err := o.agent(&agent); err != nil {
				return nil, fmt.Errorf("edit the SQL agent graph: %w", err)
			}
		}
	}
	inner, err := graph.New(agent)
	if err != nil {
		return nil, err
	}
	control := controlGraph(n, inner)
	for _, o := range options {
		if o.control != nil {
			if err := o.control(&control); err != nil {
				return nil, fmt.Errorf("edit the control graph: %w", err)
			}
		}
	}
	return graph.New(control)
}

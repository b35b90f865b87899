package graph

import (
	"context"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/sdk/reason"
)

// Spec declares a graph. It is a value to be edited; New makes a Graph of it.
type Spec[S any] struct {
	Name  string
	Start Route[S]
	Steps []Step[S]
	// Failed records the failure of a step in the state, so that routes see it.
	// It is called once for each failure, before OnError is asked.
	Failed func(S, *reason.Error) S
	// Logger gets panics and abandoned nodes, under the node's name. Nil: none.
	Logger hclog.Logger
}

// Graph is a checked Spec. It holds no state of a run, so that any number of
// runs may use it at the same time.
type Graph[S any] struct {
	spec  Spec[S]
	steps map[string]Step[S]
}

// New checks the wiring and makes a graph. The error lists everything that is
// wrong: unknown targets, steps that cannot be reached, steps from which the end
// cannot be reached, and cycles that nothing bounds.
func New[S any](spec Spec[S]) (*Graph[S], error) {
	if spec.Logger == nil {
		spec.Logger = hclog.NewNullLogger()
	}
	if err := check(spec); err != nil {
		return nil, err
	}
	g := &Graph[S]{spec: spec, steps: map[string]Step[S]{}}
	for _, step := range spec.Steps {
		g.steps[step.Work.name()] = step
	}
	return g, nil
}

// Run takes a state through the graph and returns the state at the end. The
// error is a *reason.Error: the failure of a step without a route for it. Steps
// of one graph run one after the other; only the branches of a FanOut run at
// the same time. Run returns only when every node has returned or was abandoned.
func (g *Graph[S]) Run(ctx context.Context, e *Emitter, s S) (S, error) {
	s, err := g.walk(ctx, place{scope: scope{emitter: e}, logger: g.spec.Logger}, s)
	if err != nil {
		return s, err
	}
	return s, nil
}

func (g *Graph[S]) walk(ctx context.Context, at place, s S) (S, *reason.Error) {
	at.worker = &worker{}
	defer at.worker.end()
	visits := map[string]int{}
	var last *reason.Error
	name, err := follow(at, g.spec.Start, s, "the start")
	for err == nil && name != End {
		if name == Fail {
			return s, g.lastFailure(last)
		}
		step := g.steps[name]
		if visits[name]++; step.MaxVisits > 0 && visits[name] > step.MaxVisits {
			return s, reason.New(reason.InvalidState, reason.ReasonInvalidState,
				"graph %s came to step %s more than %d times", g.spec.Name, name, step.MaxVisits).At(name)
		}
		route := step.Next
		var failure *reason.Error
		if s, failure = step.Work.run(ctx, at, s); failure != nil {
			last = failure
			if panicked := guard(at, func() { s = g.spec.Failed(s, failure) }); panicked != nil {
				return s, stamped(panicked, name)
			}
			if route = step.OnError; len(route.Targets) == 0 {
				return s, failure
			}
		}
		name, err = follow(at, route, s, name)
	}
	return s, err
}

// lastFailure is why a run that came to Fail failed.
func (g *Graph[S]) lastFailure(last *reason.Error) *reason.Error {
	if last == nil {
		return reason.New(reason.InvalidState, reason.ReasonInvalidState, "graph %s was ended as failed, but no step failed", g.spec.Name)
	}
	return last
}

// follow asks a route where to go. A target that was not declared is a fault of
// the route.
func follow[S any](at place, r Route[S], s S, from string) (string, *reason.Error) {
	if r.Choose == nil {
		return r.Targets[0].To, nil
	}
	var to string
	if err := guard(at, func() { to = r.Choose(s) }); err != nil {
		return "", stamped(err, from)
	}
	for _, t := range r.Targets {
		if t.To == to {
			return to, nil
		}
	}
	return "", reason.New(reason.InvalidState, reason.ReasonInvalidState, "the route from %s chose %q, which it does not declare", from, to).At(from)
}

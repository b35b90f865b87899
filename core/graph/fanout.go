package graph

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"querent.dev/querent/sdk/reason"
)

// FanOut is a step that runs a sub-graph once a branch, a bounded number at a
// time. The branches have states of their own: nothing is shared while they run.
type FanOut[S, B any] struct {
	Name  string
	Graph *Graph[B]
	// Parallel is how many branches run at a time, at least 1.
	Parallel int
	// Split makes the branches. Their ids are unique and become the sub-query of
	// what they emit. No branch at all is legal.
	Split func(S) ([]Branch[B], error)
	// Merge takes every branch's end, in the order of Split whatever the order
	// of arrival. Like a node it may return a new state together with an error.
	Merge func(S, []Branch[B]) (S, error)
}

// Branch is one run of the sub-graph. Err is set after the run when the
// sub-graph failed; State is then as far as it came.
type Branch[B any] struct {
	ID    string
	State B
	Err   *reason.Error
}

func (f FanOut[S, B]) name() string { return f.Name }

func (f FanOut[S, B]) run(ctx context.Context, at place, s S) (S, *reason.Error) {
	if ctx.Err() != nil {
		return s, ended(ctx).At(f.Name)
	}
	return track(at, f.Name, s, func(in place) (next S, err error) {
		next = s
		panicked := guard(in, func() { next, err = f.fan(ctx, at, s) })
		if panicked != nil {
			return s, panicked
		}
		return next, err
	})
}

func (f FanOut[S, B]) fan(ctx context.Context, at place, s S) (S, error) {
	branches, err := f.Split(s)
	if err != nil {
		return s, err
	}
	seen := map[string]bool{}
	for _, b := range branches {
		if b.ID == "" || seen[b.ID] {
			return s, reason.New(reason.InvalidState, reason.ReasonInvalidState, "step %s made two branches with the id %q", f.Name, b.ID)
		}
		seen[b.ID] = true
	}
	var group errgroup.Group
	group.SetLimit(max(1, f.Parallel))
	for i := range branches {
		group.Go(func() error {
			in := at
			in.subQuery = branches[i].ID
			branches[i].State, branches[i].Err = f.Graph.walk(ctx, in, branches[i].State)
			return nil
		})
	}
	// Branches report through their own Err; the group only waits.
	_ = group.Wait()
	return f.Merge(s, branches)
}

func (f FanOut[S, B]) problems() []string {
	var out []string
	if f.Graph == nil {
		out = append(out, "has no graph to run")
	}
	if f.Split == nil || f.Merge == nil {
		out = append(out, "needs both Split and Merge")
	}
	if f.Parallel < 1 {
		out = append(out, fmt.Sprintf("runs %d branches at a time; it must be at least 1", f.Parallel))
	}
	return out
}

// Package retryhandler is the node that decides what follows a failure of a
// sub-query: another attempt, from which step and after which wait, or the end.
package retryhandler

import (
	"context"
	"fmt"
	"time"

	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk/reason"
)

// Input is what the node reads of the sub-query.
type Input struct {
	Failure *reason.Error // of the attempt that just failed
	// Attempt counts the failed attempts, from 1.
	Attempt int
	// Final is set when the plan came from what always gives the same plan: a
	// deterministic planner, or a verified query.
	Final bool
}

// Output is what the node gives to the sub-query.
type Output struct {
	// From is where the next attempt begins; GiveUp ends the sub-query.
	From    From
	Wait    time.Duration // how long the node waited
	Summary string
}

// From is where an attempt begins.
type From string

// Where attempts begin.
const (
	GiveUp    From = ""
	Schema    From = "schema"    // the structure is read anew
	Plan      From = "plan"      // a plan is asked for, with the reason why the last one failed
	Statement From = "statement" // the SQL is given to the database again
)

// Handler is the node. It is safe for concurrent use.
type Handler struct {
	MaxRetries int
	Backoff    Backoff
}

// Run decides, and waits before it lets an attempt begin, announced as
// node.retrying. Nothing is tried again that cannot end otherwise, and nothing
// for which no time is left: a provider that wants to be left alone for longer
// than the run lasts ends the sub-query at once. The error is that of a context
// that ended during the wait.
func (h *Handler) Run(ctx context.Context, in Input) (Output, error) {
	from, why := h.decide(in)
	if from == GiveUp {
		return Output{Summary: "No other attempt: " + why + "."}, nil
	}
	wait, ok := h.Backoff.wait(ctx, in)
	if !ok {
		return Output{Summary: "No other attempt: no time is left for it."}, nil
	}
	graph.Emit(ctx, graph.NodeRetrying, "", map[string]any{
		"step": in.Failure.Node, "attempt": in.Attempt, "of": h.MaxRetries,
		"code": in.Failure.Code, "reason": in.Failure.Reason, "wait_ms": wait.Milliseconds(),
	})
	if err := sleep(ctx, wait); err != nil {
		return Output{}, err
	}
	return Output{From: from, Wait: wait, Summary: fmt.Sprintf("Try %d of at most %d more after %s in %s.", in.Attempt, h.MaxRetries, in.Failure.Code, in.Failure.Node)}, nil
}

// decide tells where the next attempt begins, or why there is none.
func (h *Handler) decide(in Input) (From, string) {
	switch {
	case in.Failure == nil:
		return GiveUp, "nothing failed"
	case !in.Failure.Retryable:
		return GiveUp, "the failure is final"
	case provider.Settled(in.Failure):
		return GiveUp, "the provider was asked as often as it may be"
	case in.Final:
		return GiveUp, "the planner would give the same plan"
	case in.Attempt > h.MaxRetries:
		return GiveUp, fmt.Sprintf("the limit of %d retries is reached", h.MaxRetries)
	}
	switch in.Failure.Code {
	case reason.SchemaChanged:
		return Schema, ""
	case reason.DatasourceUnreachable:
		return Statement, ""
	}
	return Plan, ""
}

func sleep(ctx context.Context, wait time.Duration) error {
	if wait <= 0 {
		return context.Cause(ctx)
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

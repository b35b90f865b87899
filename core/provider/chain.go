package provider

import (
	"context"
	"slices"
	"time"

	"querent.dev/querent/sdk/reason"
)

// attempt asks one provider in its turn. Its error is a *reason.Error or one that
// failure turns into it.
type attempt[T any] func(ctx context.Context, t *turn) (T, error)

// ask tries the providers of the chain in order until one answers. The error is
// a *reason.Error: the last failure, with those before it in Call.Failed.
//
// All calls of all providers together are bounded by the agent's max_calls, and
// those of one provider by its own and by the agent's time limit. Once words of an
// answer were passed on to its reader, no other model is asked.
func ask[T any](ctx context.Context, a *Agent, x *exchange, try attempt[T]) (T, Call, error) {
	var failed []*reason.Error
	var zero T
	if a == nil {
		return zero, Call{}, reason.Provider(reason.Unavailable, "no provider is bound to this agent")
	}
	for i, l := range a.chain {
		if i > 0 && (!l.standsFor(failed[len(failed)-1]) || !x.leavesRoomFor(a, l)) {
			continue
		}
		t := &turn{exchange: x, agent: a, link: l, first: len(x.attempts)}
		value, err := inTurn(ctx, t, try)
		if err == nil {
			return value, t.answered(failed), nil
		}
		own := t.settle(a.failure(ctx, l, err))
		a.logger.Warn("provider failed", "provider", l.name, "code", own.Code, "calls", t.calls)
		failed = append(failed, own)
		if ended(ctx, own) {
			break
		}
	}
	last := len(failed) - 1
	return zero, Call{Failed: slices.Clip(failed[:last]), Attempts: x.attempts}, failed[last]
}

// leavesRoomFor reports whether the bounds of the request let a fallback be asked.
func (x *exchange) leavesRoomFor(a *Agent, l link) bool {
	if l.Services.Model == nil {
		return true
	}
	return x.calls < a.maxCalls() && !x.passedOn() && (!x.hasRows || l.data.Rows)
}

// inTurn gives a provider its turn under the agent's deadline. A plugin's calls end
// with their contexts whatever the plugin does; one that does not is left behind by
// the graph, together with the node that made it.
func inTurn[T any](ctx context.Context, t *turn, try attempt[T]) (T, error) {
	ctx, cancel := t.agent.timed(ctx, t.link)
	defer cancel()
	return try(ctx, t)
}

// early is how long before the run's deadline a provider may say that it is late:
// plugins stop a tenth of a second before, so that the host hears from them.
const early = 250 * time.Millisecond

// ended reports whether the run is over, so that no fallback is asked. When a
// provider gives up just before the run's deadline, the end is awaited, so that it
// is the run which ran out of time.
func ended(ctx context.Context, err *reason.Error) bool {
	deadline, ok := ctx.Deadline()
	if ok && err.Reason == reason.ReasonTimeout && time.Until(deadline) < early {
		<-ctx.Done()
	}
	return ctx.Err() != nil
}

// standsFor reports whether the link is a fallback for the failure before it.
func (l link) standsFor(err *reason.Error) bool {
	return len(l.on) == 0 || slices.Contains(l.on, string(err.Reason))
}

package provider

import (
	"context"
	"errors"
	"time"
)

// infoTimeout bounds the question what a provider knows of its model: it answers
// from what it knows, or from one call to its server. It is part of the agent's time
// limit, of which three quarters are left for the call itself.
const infoTimeout = 5 * time.Second

// errReticent ends the question to a provider that takes too long to answer it.
var errReticent = errors.New("the provider did not say in time what it knows of its model")

// timed is ctx with the agent's time limit, and, for a model that the provider
// loads, with the time to load it on top. The provider is asked of its model, once.
func (a *Agent) timed(ctx context.Context, l link) (context.Context, context.CancelFunc) {
	limit := time.Now().Add(a.timeout())
	if l.Services.Model != nil && ctx.Err() == nil {
		asking, cancel := context.WithTimeoutCause(ctx, min(infoTimeout, a.timeout()/4), errReticent)
		if c := l.ask(asking); c.loads {
			limit = limit.Add(a.settings.LoadTimeout.Std())
		}
		cancel()
	}
	return context.WithDeadline(ctx, limit)
}

// loadTime is how much of the time until ctx ends a model may take to load, so
// that the agent's own time is left for its answer. When the run ends too soon for
// both, it is all of it: then only the end of the run counts.
func (a *Agent) loadTime(ctx context.Context) time.Duration {
	load := a.settings.LoadTimeout.Std()
	deadline, ok := ctx.Deadline()
	if !ok || load <= 0 {
		return load
	}
	left := time.Until(deadline)
	if beyond := left - a.timeout(); beyond >= load/4 {
		return min(load, beyond)
	}
	return max(left, 0)
}

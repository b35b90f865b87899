package provider

import (
	"context"
	"sync"
	"time"

	"querent.dev/querent/sdk"
)

// loaders remembers which models a provider loads by itself, by what it said of
// them. It is safe for concurrent use.
type loaders struct {
	mu    sync.Mutex
	known map[string]bool
}

// loads reports whether the link's provider loads its model, which it is asked
// once. One that does not say is taken not to.
func (l link) loads(ctx context.Context) bool {
	if l.Services.Model == nil {
		return false
	}
	l.loaders.mu.Lock()
	loads, known := l.loaders.known[l.model]
	l.loaders.mu.Unlock()
	if known {
		return loads
	}
	info, err := l.Services.Model.ModelInfo(ctx, l.model)
	if err != nil {
		return false
	}
	loads = info.Details[sdk.DetailLoads] == "true"
	l.loaders.mu.Lock()
	defer l.loaders.mu.Unlock()
	if l.loaders.known == nil {
		l.loaders.known = map[string]bool{}
	}
	l.loaders.known[l.model] = loads
	return loads
}

// infoTimeout bounds the question whether a provider loads its model: it answers
// from what it knows, or from one call to its server.
const infoTimeout = 5 * time.Second

// timed is ctx with the agent's time limit, and, for a model that the provider
// loads, with the time to load it on top.
func (a *Agent) timed(ctx context.Context, l link) (context.Context, context.CancelFunc) {
	limit := time.Now().Add(a.timeout())
	if load := a.settings.LoadTimeout.Std(); load > 0 {
		asking, cancel := context.WithTimeout(ctx, min(infoTimeout, a.timeout()))
		if l.loads(asking) {
			limit = limit.Add(load)
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

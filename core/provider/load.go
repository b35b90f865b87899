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
	known map[string]loading
}

// loading is what a provider said of a model.
type loading struct {
	loads bool
	until time.Time // when to ask again one that did not say; zero: never
}

// reticence is how long a provider that did not say is left alone: some servers
// have nothing that tells of their models, and others are just starting.
const reticence = time.Minute

// loads reports whether the link's provider loads its model, which it is asked
// once. One that does not say is taken not to, and asked again later.
func (l link) loads(ctx context.Context) bool {
	if l.Services.Model == nil {
		return false
	}
	l.loaders.mu.Lock()
	known, ok := l.loaders.known[l.model]
	l.loaders.mu.Unlock()
	if ok && (known.until.IsZero() || time.Now().Before(known.until)) {
		return known.loads
	}
	info, err := l.Services.Model.ModelInfo(ctx, l.model)
	known = loading{loads: info.Details[sdk.DetailLoads] == "true"}
	if err != nil {
		known = loading{until: time.Now().Add(reticence)}
	}
	l.loaders.mu.Lock()
	defer l.loaders.mu.Unlock()
	if l.loaders.known == nil {
		l.loaders.known = map[string]loading{}
	}
	l.loaders.known[l.model] = known
	return known.loads
}

// infoTimeout bounds the question whether a provider loads its model: it answers
// from what it knows, or from one call to its server. It is part of the agent's time
// limit, of which three quarters are left for the call itself.
const infoTimeout = 5 * time.Second

// timed is ctx with the agent's time limit, and, for a model that the provider
// loads, with the time to load it on top.
func (a *Agent) timed(ctx context.Context, l link) (context.Context, context.CancelFunc) {
	limit := time.Now().Add(a.timeout())
	if load := a.settings.LoadTimeout.Std(); load > 0 {
		asking, cancel := context.WithTimeout(ctx, min(infoTimeout, a.timeout()/4))
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

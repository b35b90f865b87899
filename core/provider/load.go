package provider

import (
	"context"
	"sync"
	"time"

	"querent.dev/querent/sdk"
)

// modelFacts is what a provider said of a model, as far as the host acts by it. Of
// one that says nothing, nothing holds.
type modelFacts struct {
	loads    bool // the provider loads it, which may take minutes
	enforces bool // its server enforces lengths and patterns of a schema
	// until is when to ask again one that did not say; zero: never.
	until time.Time
}

// reticence is how long a provider that did not say is left alone: some servers
// have nothing that tells of their models, and others are just starting.
const reticence = time.Minute

// factBook remembers what a provider said of its models. It is safe for concurrent
// use.
type factBook struct {
	mu    sync.Mutex
	known map[string]modelFacts
}

// ask is what the link's provider says of its model, which it is asked once. One
// that does not say is asked again later.
func (l link) ask(ctx context.Context) modelFacts {
	if l.Services.Model == nil {
		return modelFacts{}
	}
	if f, known := l.told(); known {
		return f
	}
	info, err := l.Services.Model.ModelInfo(ctx, l.model)
	f := modelFacts{
		loads:    info.Details[sdk.DetailLoads] == "true",
		enforces: info.Details[sdk.DetailEnforcesPatterns] == "true",
	}
	if err != nil {
		f = modelFacts{until: time.Now().Add(reticence)}
	}
	l.facts.mu.Lock()
	defer l.facts.mu.Unlock()
	if l.facts.known == nil {
		l.facts.known = map[string]modelFacts{}
	}
	l.facts.known[l.model] = f
	return f
}

// told is what the provider has said of the link's model so far.
func (l link) told() (modelFacts, bool) {
	l.facts.mu.Lock()
	defer l.facts.mu.Unlock()
	f, known := l.facts.known[l.model]
	return f, known && (f.until.IsZero() || time.Now().Before(f.until))
}

// infoTimeout bounds the question what a provider knows of its model: it answers
// from what it knows, or from one call to its server. It is part of the agent's time
// limit, of which three quarters are left for the call itself.
const infoTimeout = 5 * time.Second

// timed is ctx with the agent's time limit, and, for a model that the provider
// loads, with the time to load it on top.
func (a *Agent) timed(ctx context.Context, l link) (context.Context, context.CancelFunc) {
	limit := time.Now().Add(a.timeout())
	if load := a.settings.LoadTimeout.Std(); load > 0 {
		asking, cancel := context.WithTimeout(ctx, min(infoTimeout, a.timeout()/4))
		if l.ask(asking).loads {
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

package provider

import (
	"maps"
	"slices"
	"time"

	"github.com/sony/gobreaker/v2"

	"querent.dev/querent/core/config"
)

// State is how a provider's model is doing, for metrics and for operators.
type State struct {
	Provider config.ProviderName
	Model    string // "" for a provider without one
	Breaker  BreakerState
	// Failures are those in a row that the breaker has counted.
	Failures int
	// Until is when an open breaker lets a call through again; zero for any other.
	Until time.Time
	// Running and Waiting are the calls of the provider, of all its models.
	Running, Waiting int
	// MaxParallel is how many calls may run; 0: any number.
	MaxParallel int
}

// States are the models that have been asked, by provider and model.
func (r *Registry) States() []State {
	var out []State
	for _, name := range slices.Sorted(maps.Keys(r.providers)) {
		e := r.providers[name]
		for _, model := range e.breakers.models() {
			b := e.breakers.of(model)
			s := State{
				Provider: name, Model: model, Breaker: stateName(b.State()), Failures: int(b.Counts().ConsecutiveFailures),
				Running: len(e.queue.slots), Waiting: int(e.queue.waiting.Load()), MaxParallel: cap(e.queue.slots),
			}
			if b.State() == gobreaker.StateOpen {
				s.Until = b.rest().until
			}
			out = append(out, s)
		}
	}
	return out
}

func (b *breakers) models() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(maps.Keys(b.byModel))
}

package provider

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk/reason"
)

// The limits of a call when the configuration says none.
const (
	// defaultTimeout is long enough for a local model to load and answer.
	defaultTimeout = 60 * time.Second
	// templateTimeout is ample for a process on this machine that only formats.
	templateTimeout = config.Duration(10 * time.Second)
)

// Agent asks the providers that the configuration binds to one node: the first,
// and its fallbacks in order. It is safe for concurrent use. A nil Agent has no
// provider: every call of it fails as unavailable.
type Agent struct {
	name     config.AgentName
	settings config.Agent
	chain    []link // never empty
	first    *Agent // a deterministic planner that is asked before the chain; usually nil
	logger   hclog.Logger
}

// link is a provider in an agent's chain.
type link struct {
	*endpoint
	model   string
	options map[string]string
	data    config.Data // what may be sent, never more than the first link's
	on      []string    // the failures for which it stands; empty: any
}

// Provider is the name of the provider that is asked first.
func (a *Agent) Provider() config.ProviderName { return a.chain[0].name }

// Model is the model that is asked first, "" for a provider without one.
func (a *Agent) Model() string {
	if a.chain[0].Services.Model == nil {
		return ""
	}
	return a.chain[0].model
}

// attempt asks one provider. It fills call with what it learns on the way. Its
// error is a *reason.Error or one that failure turns into it.
type attempt[T any] func(ctx context.Context, l link, call *Call) (T, error)

// result is what an attempt hands back.
type result[T any] struct {
	value T
	call  Call
	err   error
}

// ask tries the providers of the chain in order until one answers. The error is
// a *reason.Error: the last failure, with those before it in Call.Failed.
func ask[T any](ctx context.Context, a *Agent, try attempt[T]) (T, Call, error) {
	var failed []*reason.Error
	var zero T
	if a == nil {
		return zero, Call{}, reason.Provider(reason.Unavailable, "no provider is bound to this agent")
	}
	for i, l := range a.chain {
		if i > 0 && !l.standsFor(failed[len(failed)-1]) {
			continue
		}
		r := once(ctx, a, l, try)
		r.call.Provider, r.call.Plugin, r.call.Failed = l.name, l.Plugin, failed
		if r.err == nil {
			return r.value, r.call, nil
		}
		err := a.failure(ctx, l, r.err)
		a.logger.Warn("provider failed", "provider", l.name, "code", err.Code, "error", err.Message)
		failed = append(failed, err)
		if ended(ctx, err) {
			break
		}
	}
	last := len(failed) - 1
	return zero, Call{Failed: slices.Clip(failed[:last])}, failed[last]
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

// once makes a single call under the agent's deadline. A plugin's calls end with
// their contexts whatever the plugin does; one that does not is left behind by the
// graph, together with the node that made it.
func once[T any](ctx context.Context, a *Agent, l link, try attempt[T]) (r result[T]) {
	ctx, cancel := a.timed(ctx, l)
	defer cancel()
	if err := l.enter(ctx); err != nil {
		return result[T]{err: err}
	}
	defer l.leave()
	defer func() {
		if p := recover(); p != nil {
			r.err = fmt.Errorf("panic in a call to provider %q: %v", l.name, p)
		}
	}()
	r.value, r.err = try(ctx, l, &r.call)
	return r
}

func (a *Agent) timeout() time.Duration {
	if a.settings.Timeout > 0 {
		return time.Duration(a.settings.Timeout)
	}
	return defaultTimeout
}

// enter takes one of the provider's slots, or fails when ctx ends first. Who
// comes when ctx has ended already is late, whether or not a slot is free.
func (e *endpoint) enter(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if e.slots == nil {
		return nil
	}
	select {
	case e.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return &busyError{limit: cap(e.slots), cause: context.Cause(ctx)}
	}
}

func (e *endpoint) leave() {
	if e.slots != nil {
		<-e.slots
	}
}

// busyError says that no slot came free in time.
type busyError struct {
	limit int
	cause error
}

// Error implements error.
func (e *busyError) Error() string {
	return fmt.Sprintf("all %d parallel calls (max_parallel) were taken until the time limit: %v", e.limit, e.cause)
}

// Unwrap is what ended the waiting.
func (e *busyError) Unwrap() error { return e.cause }

package pluginhost

import (
	"context"
	"slices"
	"sync"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk"
)

// Instance is a provider's running plugin. Its services always go to the live
// process: a caller keeps them over restarts. It is safe for concurrent use.
type Instance struct {
	host *Host
	spec Spec

	end     context.CancelFunc // makes the supervisor stop the process and end
	hurry   context.CancelFunc // ends the process's grace
	done    chan struct{}      // closed when the supervisor has ended
	stopErr error              // of the last process, once done is closed

	mu          sync.Mutex
	state       State
	live        *generation   // nil unless ready
	changed     chan struct{} // closed at the next change of state
	description sdk.Description
}

// newInstance returns the instance with the context that is its life and the one
// that is its last process's grace.
func newInstance(h *Host, s Spec) (i *Instance, life, grace context.Context) {
	life, end := context.WithCancel(context.Background())
	grace, hurry := context.WithCancel(context.Background())
	return &Instance{
		host: h, spec: s, end: end, hurry: hurry, done: make(chan struct{}), changed: make(chan struct{}),
	}, life, grace
}

// Provider is the provider's name.
func (i *Instance) Provider() config.ProviderName { return i.spec.Provider }

// Description is what the plugin says of itself.
func (i *Instance) Description() sdk.Description {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.description
}

// Services are the services that the plugin offers.
func (i *Instance) Services() []sdk.ServiceName { return i.Description().Services }

// State is where the instance stands now.
func (i *Instance) State() State {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.state
}

func (i *Instance) offers(service sdk.ServiceName) bool {
	return slices.Contains(i.Services(), service)
}

// enter changes the state and tells of it. live is the generation that takes
// calls from now on, or nil.
func (i *Instance) enter(name StateName, live *generation, cause error) {
	i.mu.Lock()
	i.state.Name, i.state.Since, i.state.PID = name, time.Now(), 0
	if live != nil {
		i.state.PID = live.process.pid()
		i.description = live.description
	}
	if cause != nil {
		i.state.LastError = cause.Error()
	}
	i.live = live
	state := i.state
	close(i.changed)
	i.changed = make(chan struct{})
	i.mu.Unlock()

	i.host.opts.Logger.Debug("plugin "+string(name), "provider", i.spec.Provider, "plugin", i.spec.Plugin,
		"pid", state.PID, "generation", state.Generation, "error", state.LastError)
	if tell := i.host.opts.OnEvent; tell != nil {
		tell(Event{Provider: i.spec.Provider, Plugin: i.spec.Plugin, State: state})
	}
}

package pluginhost

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk"
)

// Instance is a provider's running plugin. Its services always go to the live
// process: a caller keeps them over restarts. It is safe for concurrent use.
type Instance struct {
	host *Host
	id   InstanceID
	key  instanceKey

	end     context.CancelFunc // makes the supervisor stop the process and end
	hurry   context.CancelFunc // ends the process's grace
	done    chan struct{}      // closed when the supervisor has ended
	stopErr error              // of the last process, once done is closed
	resets  chan struct{}      // asks the supervisor to start a process now
	usage   usage

	users    int       // sets that hold the instance; guarded by host.mu
	draining *draining // under way while there are none; guarded by host.mu

	noting  sync.Mutex // keeps the last to note the instance's use the one that counts
	telling sync.Mutex // keeps events in the order of the states

	mu          sync.Mutex
	spec        Spec
	state       State
	unused      bool        // no set holds it: ready is draining
	live        *generation // nil unless ready or draining
	changed     chan struct{}
	description sdk.Description
	configured  *configured // what the first process was given
}

// newInstance returns the instance with the context that is its life and the one
// that is its last process's grace.
func newInstance(h *Host, s Spec, key instanceKey) (i *Instance, life, grace context.Context) {
	life, end := context.WithCancel(context.Background())
	grace, hurry := context.WithCancel(context.Background())
	h.mu.Lock()
	h.lastID++
	id := h.lastID
	h.mu.Unlock()
	return &Instance{
		host: h, id: id, key: key, spec: s, end: end, hurry: hurry,
		done: make(chan struct{}), changed: make(chan struct{}), resets: make(chan struct{}, 1),
	}, life, grace
}

// ID tells the instance from the host's others.
func (i *Instance) ID() InstanceID { return i.id }

// Provider is the provider's name.
func (i *Instance) Provider() config.ProviderName { return i.settings().Provider }

// Plugin is the plugin's name.
func (i *Instance) Plugin() config.PluginName { return i.settings().Plugin }

// settings is the Spec that the next process is started by.
func (i *Instance) settings() Spec {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.spec
}

// adopt makes the Spec of a set that shares the instance the one that the next
// process is started by: it has the same key, and its path is the current one.
func (i *Instance) adopt(s Spec) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.spec = s
}

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

// step enters a state on the way to ready.
func (i *Instance) step(name StateName, pid int) {
	i.change(func(s *State) { s.Name, s.PID = name, pid })
}

// enter enters a state in which there is no process to call. cause is why, or nil.
func (i *Instance) enter(name StateName, cause error) {
	i.change(func(s *State) {
		s.Name, s.PID, i.live = name, 0, nil
		if cause != nil {
			s.LastError = i.told(cause)
		}
	})
}

// told is an error as a State tells it.
func (i *Instance) told(cause error) string { return i.host.opts.Redact(cause.Error()) }

// open makes g the process that takes calls from now on.
func (i *Instance) open(g *generation) {
	i.change(func(s *State) {
		s.Name, s.PID = StateReady, g.carrier.pid()
		if i.unused {
			s.Name = StateDraining
		}
		i.live, i.description, i.configured = g, g.description, g.configured
	})
}

// noteUse notes whether a set holds the instance.
func (i *Instance) noteUse() {
	i.noting.Lock()
	defer i.noting.Unlock()
	i.host.mu.Lock()
	used := i.users > 0
	i.host.mu.Unlock()
	i.mu.Lock()
	i.unused = !used
	name := i.state.Name
	i.mu.Unlock()
	switch {
	case used && name == StateDraining:
		i.rename(StateDraining, StateReady)
	case !used && name == StateReady:
		i.rename(StateReady, StateDraining)
	}
}

// rename changes the state's name where it still is the one that it was.
func (i *Instance) rename(from, to StateName) {
	i.change(func(s *State) {
		if s.Name == from {
			s.Name = to
		}
	})
}

// change makes a change of the state, which edit makes under i.mu, and tells of it.
func (i *Instance) change(edit func(*State)) {
	i.telling.Lock()
	defer i.telling.Unlock()
	i.mu.Lock()
	before := i.state.Name
	i.state.NextRetry = time.Time{}
	edit(&i.state)
	if i.state.Name == before && before != StateRestarting {
		i.mu.Unlock()
		return
	}
	i.state.Since = time.Now()
	event := Event{Instance: i.id, Provider: i.spec.Provider, Plugin: i.spec.Plugin, State: i.state}
	close(i.changed)
	i.changed = make(chan struct{})
	i.mu.Unlock()

	i.host.log(event)
	if tell := i.host.opts.OnEvent; tell != nil {
		tell(event)
	}
}

// log writes what an operator follows at info and above, and each step at debug.
func (h *Host) log(e Event) {
	level := hclog.Debug
	switch e.State.Name {
	case StateReady:
		level = hclog.Info
	case StateRestarting:
		level = hclog.Warn
	case StateFailed:
		level = hclog.Error
	}
	args := []any{"provider", e.Provider, "plugin", e.Plugin, "instance", e.Instance, "pid", e.State.PID, "generation", e.State.Generation}
	if e.State.LastError != "" && e.State.Name != StateReady {
		args = append(args, "error", e.State.LastError)
	}
	if !e.State.NextRetry.IsZero() {
		args = append(args, "next_retry", e.State.NextRetry.Format(time.RFC3339Nano))
	}
	h.opts.Logger.Log(level, "plugin "+string(e.State.Name), args...)
}

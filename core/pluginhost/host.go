// Package pluginhost runs plugins: each provider is a process of its own that
// the host starts, checks, configures, watches, restarts and stops.
//
// What always holds: the bytes that run are those that plugins.lock names; a
// plugin sees the environment that the host chose and nothing else; secrets
// reach it in one call over a private socket; every call and every wait has a
// deadline; a call that dies with its process is a typed retryable error; and no
// process is left when the host is closed or killed.
//
// A Host owns processes; a Set is the plugins of one configuration. A
// configuration is replaced without loss by opening the new one's Set beside the
// old one's and closing the old one:
//
//	next, err := host.Open(ctx, specs, pluginhost.OpenOptions{})
//	if err != nil {
//		return err // nothing has changed; old goes on
//	}
//	old := current.Swap(next) // new runs use next from here on
//	err = old.Close(ctx)      // waits for the runs that hold old, then stops what only they used
//
// A run takes a Set's Hold at its start and lets go of it at its end, so that the
// plugins that it began with are there until then. What is the same in both sets,
// down to the executable's bytes, is one process that goes on.
package pluginhost

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// Host owns plugin processes. It is safe for concurrent use.
type Host struct {
	opts    Options
	sockets *socketDir
	spawner *spawner
	opening chan struct{} // holds a token while an Open is under way

	mu        sync.Mutex
	closed    bool
	instances []*Instance
	lastID    InstanceID
	working   sync.WaitGroup // Opens and drains
}

// New makes a Host, which starts nothing yet. Close it.
func New(o Options) *Host {
	o = o.withDefaults()
	return &Host{
		opts:    o,
		sockets: &socketDir{base: o.RuntimeDir},
		spawner: newSpawner(),
		opening: make(chan struct{}, 1),
	}
}

var errClosed = errors.New("the plugin host is closed")

// work reports whether the host may begin what Close has to wait for. What began
// ends with a call of h.working.Done.
func (h *Host) work() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.working.Add(1)
	return true
}

// Close stops every plugin of every set, together, and returns when no process is
// left. A plugin gets Timeouts.Stop, or until ctx ends, to end by itself; then it
// is killed with all processes that it started. Calls in flight fail with kind
// unavailable. Close may be called again.
func (h *Host) Close(ctx context.Context) error {
	h.mu.Lock()
	h.closed = true
	instances := slices.Clone(h.instances)
	h.mu.Unlock()

	errs := make([]error, len(instances))
	var wg sync.WaitGroup
	for n, i := range instances {
		wg.Go(func() { errs[n] = i.stop(ctx) })
	}
	wg.Wait()
	h.working.Wait()
	h.spawner.close()
	return errors.Join(append(errs, h.sockets.remove())...)
}

// add makes the instance one of the host's, unless the host is closed.
func (h *Host) add(i *Instance) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return i.spec.unavailable("%w", errClosed)
	}
	i.users = 1
	h.instances = append(h.instances, i)
	return nil
}

// forget undoes add.
func (h *Host) forget(i *Instance) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(i)
}

// drop is forget for who holds h.mu.
func (h *Host) drop(i *Instance) {
	h.instances = slices.DeleteFunc(h.instances, func(other *Instance) bool { return other == i })
}

// Package pluginhost runs plugins: each provider is a process of its own that
// the host starts, checks, configures, watches, restarts and stops.
//
// What always holds: the bytes that run are those that plugins.lock names; a
// plugin sees the environment that the host chose and nothing else; secrets
// reach it in one call over a private socket; every call and every wait has a
// deadline; a call that dies with its process is a typed retryable error; and no
// process is left when the host is closed or killed.
package pluginhost

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/core/config"
)

// Options are a Host's. The zero value is usable; a zero field takes the default
// that it names.
type Options struct {
	// Logger gets the host's own lines and, under each plugin's name, the
	// plugin's. Its level is the level at which plugins log. Default: no log.
	Logger hclog.Logger
	// Lock names the executables that may run. Default: any may.
	Lock *Lock
	// RuntimeDir is where the host makes its private folder for sockets.
	// Default: XDG_RUNTIME_DIR, the folder for temporary files or /tmp, whichever
	// is the first in which it can be made with a path short enough for sockets.
	RuntimeDir string
	// Environ is the host's environment, as os.Environ gives it.
	Environ func() []string
	// MemoryLimit is the soft limit of a plugin's heap (GOMEMLIMIT), in bytes.
	// Default: 256 MiB.
	MemoryLimit int64
	Timeouts    Timeouts
	Restart     RestartPolicy
	// OnEvent is told of every change of an instance's state, in order for each
	// instance. It must return quickly and must not call the Host.
	OnEvent func(Event)
}

// defaultMemoryLimit is several times what a plugin under load was seen to use
// (45 MB), since a client library may hold 8 MB for each call.
const defaultMemoryLimit = 256 << 20

// Timeouts bound what the host waits for. A zero field takes its default.
type Timeouts struct {
	Start     time.Duration // until the handshake; 30 s, since a loaded machine was seen to take 10
	Control   time.Duration // Describe and Health each, which do no work; 5 s
	Configure time.Duration // 30 s
	Stop      time.Duration // grace until the process is killed; 2 s
	Call      time.Duration // a call without a deadline of its own; 5 min
	Pull      time.Duration // fetching a model, without a deadline of its own; 6 h
}

// RestartPolicy says how a plugin that died is brought back. A zero field takes
// its default.
type RestartPolicy struct {
	First  time.Duration // wait before the first try; 200 ms. Each further wait is twice as long
	Max    time.Duration // longest wait; 30 s
	Deaths int           // so many deaths within Window make the instance failed; 5
	Window time.Duration // 1 min; after as long without a death the waits start anew
}

func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = hclog.NewNullLogger()
	}
	if o.Environ == nil {
		o.Environ = os.Environ
	}
	fill(&o.MemoryLimit, defaultMemoryLimit)
	fill(&o.Timeouts.Start, 30*time.Second)
	fill(&o.Timeouts.Control, 5*time.Second)
	fill(&o.Timeouts.Configure, 30*time.Second)
	fill(&o.Timeouts.Stop, 2*time.Second)
	fill(&o.Timeouts.Call, 5*time.Minute)
	fill(&o.Timeouts.Pull, 6*time.Hour)
	fill(&o.Restart.First, 200*time.Millisecond)
	fill(&o.Restart.Max, 30*time.Second)
	fill(&o.Restart.Deaths, 5)
	fill(&o.Restart.Window, time.Minute)
	return o
}

func fill[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Host owns plugin processes. It is safe for concurrent use.
type Host struct {
	opts    Options
	sockets *socketDir
	spawner *spawner

	mu        sync.Mutex
	closed    bool
	instances map[config.ProviderName]*Instance
	starting  sync.WaitGroup
}

// New makes a Host, which starts nothing yet. Close it.
func New(o Options) *Host {
	o = o.withDefaults()
	return &Host{
		opts:      o,
		sockets:   &socketDir{base: o.RuntimeDir},
		spawner:   newSpawner(),
		instances: map[config.ProviderName]*Instance{},
	}
}

var errClosed = errors.New("the plugin host is closed")

// Start starts a provider's plugin and returns when it is configured and
// healthy. On an error, which is a *reason.Error of the provider stage, nothing
// is left of it. From then on the instance is the host's: it is restarted when
// it dies, and stopped by Close.
func (h *Host) Start(ctx context.Context, s Spec) (*Instance, error) {
	i, life, grace := newInstance(h, s)
	if err := h.reserve(i); err != nil {
		return nil, err
	}
	defer h.starting.Done()
	if err := i.begin(ctx, life, grace); err != nil {
		h.mu.Lock()
		delete(h.instances, s.Provider)
		h.mu.Unlock()
		return nil, err
	}
	return i, nil
}

func (h *Host) reserve(i *Instance) error {
	if err := i.spec.check(); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return i.spec.unavailable("%w", errClosed)
	}
	if h.instances[i.spec.Provider] != nil {
		return i.spec.misconfigured(fmt.Sprintf("provider %q runs already", i.spec.Provider))
	}
	h.instances[i.spec.Provider] = i
	h.starting.Add(1)
	return nil
}

// Close stops every plugin, together, and returns when no process is left. A
// plugin gets Timeouts.Stop, or until ctx ends, to end by itself; then it is
// killed with all processes that it started. Calls in flight fail with kind
// unavailable. Close may be called again.
func (h *Host) Close(ctx context.Context) error {
	h.mu.Lock()
	h.closed = true
	instances := make([]*Instance, 0, len(h.instances))
	for _, i := range h.instances {
		instances = append(instances, i)
	}
	h.mu.Unlock()

	errs := make([]error, len(instances))
	var wg sync.WaitGroup
	for n, i := range instances {
		wg.Go(func() { errs[n] = i.stop(ctx) })
	}
	wg.Wait()
	h.starting.Wait()
	h.spawner.close()
	return errors.Join(append(errs, h.sockets.remove())...)
}

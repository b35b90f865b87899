package pluginhost

import (
	"context"
	"reflect"
	"sync"
	"time"

	"querent.dev/querent/sdk"
)

// usage counts who uses an instance: calls under way and holds of sets.
type usage struct {
	mu    sync.Mutex
	n     int
	empty chan struct{} // closed when n is 0; nil before the first use
}

func (u *usage) begin() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.n == 0 {
		u.empty = make(chan struct{})
	}
	u.n++
}

func (u *usage) end() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.n--
	if u.n == 0 {
		close(u.empty)
	}
}

// none is closed while, and as soon as, nobody uses the instance.
func (u *usage) none() <-chan struct{} {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.empty == nil {
		u.empty = make(chan struct{})
		close(u.empty)
	}
	return u.empty
}

// draining is the end of an instance that no set holds.
type draining struct {
	kept    chan struct{} // closed when a set takes the instance up again
	over    chan struct{} // closed when the instance is stopped or kept
	hurried chan struct{} // closed by hurry
	hurry   func()        // ends the wait for its users
	err     error         // of stopping, once over is closed
}

// release lets go of an instance for one set. When that was the last, the returned
// drain has begun.
func (h *Host) release(i *Instance) *draining {
	h.mu.Lock()
	i.users--
	if i.users > 0 || h.closed {
		h.mu.Unlock()
		return nil
	}
	d := &draining{kept: make(chan struct{}), over: make(chan struct{}), hurried: make(chan struct{})}
	d.hurry = sync.OnceFunc(func() { close(d.hurried) })
	i.draining = d
	h.working.Add(1)
	h.mu.Unlock()

	i.noteUse()
	go func() {
		defer h.working.Done()
		defer close(d.over)
		d.err = h.drain(i, d)
	}()
	return d
}

// drain waits for the instance's users and stops it, unless a set takes it up.
func (h *Host) drain(i *Instance, d *draining) error {
	limit := time.NewTimer(h.opts.Timeouts.Drain)
	defer limit.Stop()
	select {
	case <-i.usage.none():
	case <-limit.C:
		h.opts.Logger.Warn("a plugin is stopped while it is used: the time to drain it has passed",
			"provider", i.Provider(), "plugin", i.Plugin(), "limit", h.opts.Timeouts.Drain)
	case <-d.hurried:
	case <-d.kept:
		return nil
	case <-i.done:
	}
	h.mu.Lock()
	if i.draining != d {
		h.mu.Unlock()
		return nil // kept
	}
	h.drop(i)
	h.mu.Unlock()
	return i.stop(context.Background())
}

// claim takes up an instance that serves the Spec as well, if there is one.
func (h *Host) claim(s Spec, key instanceKey) *Instance {
	h.mu.Lock()
	var candidates []*Instance
	for _, i := range h.instances {
		if i.key == key {
			candidates = append(candidates, i)
		}
	}
	h.mu.Unlock()
	for _, i := range candidates {
		if i.hasFilesOf(s) && h.keep(i) {
			return i
		}
	}
	return nil
}

// keep counts a further set that holds i, unless i is being stopped.
func (h *Host) keep(i *Instance) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, other := range h.instances {
		if other != i {
			continue
		}
		i.users++
		if i.draining != nil {
			close(i.draining.kept)
			i.draining = nil
		}
		return !h.closed
	}
	return false
}

// hasFilesOf reports whether the files that the Spec's settings name are those that
// the plugin was given.
func (i *Instance) hasFilesOf(s Spec) bool {
	i.mu.Lock()
	given, schema := i.configured, i.description.ConfigSchema
	i.mu.Unlock()
	if given == nil {
		return false
	}
	c, err := configuration(s, schema)
	return err == nil && reflect.DeepEqual(c.Files, given.configuration.Files)
}

// join makes an instance that runs ready for a further set.
func (i *Instance) join(ctx context.Context, s Spec) error {
	i.noteUse()
	if err := i.Reset(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, i.host.opts.Timeouts.ready())
	defer cancel()
	g, err := i.await(ctx)
	if err != nil {
		return s.failed(sdk.KindOf(err), "%w", err)
	}
	return g.probe(ctx, s)
}

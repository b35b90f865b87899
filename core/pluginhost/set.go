package pluginhost

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk/reason"
)

// OpenOptions say how a set is opened.
type OpenOptions struct {
	// Tolerate opens the set also when providers' plugins do not start: Set.Err tells
	// of each. Otherwise one that does not start is the error of Open.
	Tolerate bool
}

// Set is the running plugins of one configuration. It is safe for concurrent use.
type Set struct {
	host *Host

	mu      sync.Mutex
	closed  bool
	members map[config.ProviderName]*member
}

// member is a provider of a set: its instance, or why there is none.
type member struct {
	spec     Spec
	instance *Instance
	shared   bool // the instance ran already
	err      error
}

// Open makes a set of the plugins of specs, together: it starts each, and returns
// when all are ready. One that runs already with the same executable, settings,
// files, environment, connection and confinement, under the same provider's name,
// is not started again but shared, after it has passed the Spec's probe; where it
// has failed, it is reset. Open waits for other calls of Open.
//
// Unless Tolerate is set, all or nothing: on an error, which wraps a *reason.Error
// for each plugin that did not start, what was started is stopped, and the host's
// other sets are as they were. From then on the instances are the host's: they are
// restarted when they die, and stopped when no set holds them.
func (h *Host) Open(ctx context.Context, specs []Spec, o OpenOptions) (*Set, error) {
	set := &Set{host: h, members: map[config.ProviderName]*member{}}
	for _, s := range specs {
		if err := s.check(); err != nil {
			return nil, err
		}
		if set.members[s.Provider] != nil {
			return nil, s.misconfigured("the provider is named twice")
		}
		set.members[s.Provider] = &member{spec: s}
	}
	if !h.work() {
		return nil, reason.Provider(reason.Unavailable, "%w", errClosed)
	}
	defer h.working.Done()
	select {
	case h.opening <- struct{}{}:
		defer func() { <-h.opening }()
	case <-ctx.Done():
		return nil, reason.Provider(reason.Cancelled, "waiting for the plugins' earlier start: %w", ctx.Err())
	}
	var started sync.WaitGroup
	for _, m := range set.members {
		started.Go(func() { h.openMember(ctx, m) })
	}
	started.Wait()
	if err := set.failure(); err != nil && !o.Tolerate {
		set.undo(ctx)
		return nil, err
	}
	for _, m := range set.members {
		if m.shared {
			m.instance.adopt(m.spec)
		}
	}
	return set, nil
}

// failure is why providers are not there, by their names.
func (s *Set) failure() error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(s.members)) {
		if err := s.members[name].err; err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) == 1 {
		return errs[0]
	}
	return errors.Join(errs...)
}

// undo lets go of what an Open that failed took, and waits for the end of what it
// started.
func (s *Set) undo(ctx context.Context) {
	var ended sync.WaitGroup
	for _, m := range s.members {
		switch {
		case m.instance == nil:
		case m.shared:
			s.host.release(m.instance)
		default:
			ended.Go(func() {
				if err := m.instance.stop(ctx); err != nil {
					s.host.opts.Logger.Warn("stopping a plugin", "provider", m.spec.Provider, "error", err)
				}
				s.host.forget(m.instance)
			})
		}
	}
	ended.Wait()
}

// openMember finds or starts the member's instance.
func (h *Host) openMember(ctx context.Context, m *member) {
	p, key, err := h.verify(m.spec)
	if err != nil {
		i, _, _ := newInstance(h, m.spec, key)
		i.enter(StateFailed, err)
		m.err = err
		return
	}
	if i := h.claim(m.spec, key); i != nil {
		p.close()
		if m.err = i.join(ctx, m.spec); m.err != nil {
			h.release(i)
			return
		}
		m.instance, m.shared = i, true
		return
	}
	i, life, grace := newInstance(h, m.spec, key)
	if m.err = h.add(i); m.err != nil {
		p.close()
		return
	}
	if m.err = i.begin(ctx, life, grace, p); m.err != nil {
		h.forget(i)
		return
	}
	m.instance = i
}

// verify finds what a Spec's process would be, and that it may run.
func (h *Host) verify(s Spec) (*prepared, instanceKey, error) {
	if err := h.trusted(s); err != nil {
		return nil, instanceKey{}, err
	}
	p, err := h.prepare(s)
	if err != nil {
		return nil, instanceKey{}, err
	}
	key, err := h.keyOf(s, p)
	if err != nil {
		p.close()
		return nil, instanceKey{}, err
	}
	return p, key, nil
}

// Providers are the names of the set's providers, sorted.
func (s *Set) Providers() []config.ProviderName {
	return slices.Sorted(maps.Keys(s.members))
}

// Instance is a provider's instance, or the *reason.Error of why there is none. It
// may be used until the set is closed, and by who has a Hold until that ends.
func (s *Set) Instance(name config.ProviderName) (*Instance, error) {
	m := s.members[name]
	switch {
	case m == nil:
		return nil, reason.Provider(reason.Misconfigured, "there is no provider %q", name).
			WithSafe("%s", fmt.Sprintf("There is no provider %q.", name))
	case m.err != nil:
		return nil, m.err
	}
	return m.instance, nil
}

// Err is why a provider's plugin did not start; nil when it did, or when the set
// has no such provider.
func (s *Set) Err(name config.ProviderName) error {
	if m := s.members[name]; m != nil {
		return m.err
	}
	return nil
}

// instances are those that are there.
func (s *Set) instances() []*Instance {
	var out []*Instance
	for _, m := range s.members {
		if m.instance != nil {
			out = append(out, m.instance)
		}
	}
	return out
}

// Hold keeps the set's instances until release is called, also when the set is
// closed meanwhile, up to Timeouts.Drain from then. ok is false when the set is
// closed: use the one that took its place. release may be called again.
func (s *Set) Hold() (release func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return func() {}, false
	}
	instances := s.instances()
	for _, i := range instances {
		i.usage.begin()
	}
	return sync.OnceFunc(func() {
		for _, i := range instances {
			i.usage.end()
		}
	}), true
}

// Close lets go of the set's instances. One that no other set holds takes calls
// until nobody uses it, neither a Hold nor a call under way, and is then stopped;
// at the latest when Timeouts.Drain has passed or ctx has ended. Close returns when
// all of them are stopped, or are held by a set that was opened meanwhile. It may be
// called again, and does nothing then.
func (s *Set) Close(ctx context.Context) error {
	s.mu.Lock()
	closed := s.closed
	s.closed = true
	s.mu.Unlock()
	if closed {
		return nil
	}
	var errs []error
	for _, d := range s.let() {
		stop := context.AfterFunc(ctx, d.hurry)
		<-d.over
		stop()
		errs = append(errs, d.err)
	}
	return errors.Join(errs...)
}

// let releases all instances and returns the drains that have begun.
func (s *Set) let() []*draining {
	var begun []*draining
	for _, i := range s.instances() {
		if d := s.host.release(i); d != nil {
			begun = append(begun, d)
		}
	}
	return begun
}

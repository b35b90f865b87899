//go:build linux

package pluginhost_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// follows are the states that may come after each; "" is before the first.
var follows = map[pluginhost.StateName][]pluginhost.StateName{
	"":            {"verifying", "failed"},
	"verifying":   {"starting", "restarting", "failed", "stopped"},
	"starting":    {"handshake", "restarting", "failed", "stopped"},
	"handshake":   {"describing", "restarting", "failed", "stopped"},
	"describing":  {"configuring", "restarting", "failed", "stopped"},
	"configuring": {"probing", "restarting", "failed", "stopped"},
	"probing":     {"ready", "draining", "restarting", "failed", "stopped"},
	"ready":       {"draining", "restarting", "failed", "stopping"},
	"draining":    {"ready", "restarting", "failed", "stopping"},
	"restarting":  {"verifying", "restarting", "failed", "stopped"},
	"failed":      {"restarting", "stopped"},
	"stopping":    {"stopped"},
	"stopped":     {},
}

// checkPaths sees that every instance went from state to state as it may.
func checkPaths(t *testing.T, events []pluginhost.Event) {
	t.Helper()
	last := map[pluginhost.InstanceID]pluginhost.State{}
	for _, e := range events {
		before := last[e.Instance]
		if !slices.Contains(follows[before.Name], e.State.Name) {
			t.Errorf("instance %d of %s went from %q to %q", e.Instance, e.Provider, before.Name, e.State.Name)
		}
		if e.State.Generation < before.Generation || e.State.Restarts < before.Restarts || e.State.Since.Before(before.Since) {
			t.Errorf("instance %d of %s went back from %+v to %+v", e.Instance, e.Provider, before, e.State)
		}
		takesCalls := e.State.Name == pluginhost.StateReady || e.State.Name == pluginhost.StateDraining
		if ended := e.State.Name == pluginhost.StateStopped || e.State.Name == pluginhost.StateFailed; takesCalls && e.State.PID == 0 || ended && e.State.PID != 0 {
			t.Errorf("instance %d of %s is %s with process %d", e.Instance, e.Provider, e.State.Name, e.State.PID)
		}
		last[e.Instance] = e.State
	}
}

func TestEveryStateHasItsPlace(t *testing.T) {
	for _, name := range pluginhost.States {
		if _, ok := follows[name]; !ok {
			t.Errorf("what follows %s?", name)
		}
	}
	if len(follows) != len(pluginhost.States)+1 {
		t.Errorf("%d states of %d", len(follows)-1, len(pluginhost.States))
	}
}

// changes is a configuration that changes while it is used.
type changes struct {
	w       *world
	random  *rand.Rand
	current atomic.Pointer[pluginhost.Set]
	closing sync.WaitGroup
	answers atomic.Int64
}

// TestChangesUnderLoad changes plugins, and changes them back, and kills them, in a
// random order, while they are asked: nothing is lost, and nothing is left.
func TestChangesUnderLoad(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	c := &changes{random: rand.New(rand.NewPCG(seed, 0))}
	c.w = newWorld(t, func(o *pluginhost.Options) { o.Restart.Deaths = 1000 })
	c.replace(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var askers sync.WaitGroup
	for n := range 8 {
		askers.Go(func() { c.askOn(ctx, t, n) })
	}
	for range 15 {
		if c.random.IntN(3) == 0 {
			c.kill(t)
		} else {
			c.replace(t)
		}
		target := c.answers.Load() + 20
		eventually(t, "more answers", func() bool { return c.answers.Load() >= target || t.Failed() })
	}
	stop()
	askers.Wait()
	c.closing.Wait()
	if running := c.w.running(); running != 3 {
		t.Errorf("%d instances run", running)
	}
}

// replace opens the set of another configuration, and closes the one before.
func (c *changes) replace(t *testing.T) {
	t.Helper()
	named := map[config.ProviderName]string{}
	for _, name := range []config.ProviderName{"a", "b", "c"} {
		named[name] = fmt.Sprint(c.random.IntN(2))
	}
	old := c.current.Swap(c.w.mustOpen(t, specs(named)...))
	if old == nil {
		return
	}
	c.closing.Go(func() {
		if err := old.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
}

func (c *changes) kill(t *testing.T) {
	t.Helper()
	i, _ := member(t, c.current.Load(), "a")
	if pid := i.State().PID; pid != 0 {
		_ = syscall.Kill(pid, syscall.SIGKILL) // it may just have ended
	}
}

// askOn is a run after the other: each holds the current set and makes some calls.
func (c *changes) askOn(ctx context.Context, t *testing.T, n int) {
	providers := []config.ProviderName{"a", "b", "c"}
	for ctx.Err() == nil {
		set := c.current.Load()
		release, ok := set.Hold()
		if !ok {
			continue // it was replaced in between
		}
		for call := range 3 {
			i, err := set.Instance(providers[(n+call)%3])
			if err != nil {
				t.Error(err)
				break
			}
			m, _ := i.Model()
			_, err = m.Generate(context.WithoutCancel(ctx), sdk.GenerateRequest{Model: "pid"})
			for errors.Is(err, sdk.Errorf(reason.Unavailable, "")) { // it was killed
				_, err = m.Generate(context.WithoutCancel(ctx), sdk.GenerateRequest{Model: "pid"})
			}
			if err != nil {
				t.Error(err)
			}
			c.answers.Add(1)
		}
		release()
	}
}

// running counts the instances that take calls.
func (w *world) running() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	last := map[pluginhost.InstanceID]pluginhost.StateName{}
	for _, e := range w.events {
		last[e.Instance] = e.State.Name
	}
	n := 0
	for _, name := range last {
		if name == pluginhost.StateReady {
			n++
		}
	}
	return n
}

package pluginhost

import (
	"context"
	"math/rand/v2"
	"time"

	"querent.dev/querent/sdk/reason"
)

// begin starts the first process, of what was prepared, and, when it is ready, the
// supervisor.
func (i *Instance) begin(ctx, life, grace context.Context, p *prepared) error {
	ctx, cancel := context.WithTimeout(ctx, i.host.opts.Timeouts.ready())
	defer cancel()
	defer context.AfterFunc(life, cancel)()
	i.verifying(false)
	g, err := i.host.startGeneration(ctx, i.settings(), p, nil, i.step)
	if err != nil {
		i.enter(StateFailed, err)
		close(i.done)
		return err
	}
	i.open(g)
	go i.supervise(life, grace, g)
	return nil
}

// supervise owns the instance's processes until it is stopped: one generation
// after the other.
func (i *Instance) supervise(life, grace context.Context, g *generation) {
	defer close(i.done)
	var deaths deathList
	for g != nil {
		cause := i.watch(life, g)
		if cause == nil {
			i.stopErr = i.shut(grace, g)
			return
		}
		wait := i.died(&deaths, cause)
		if err := g.carrier.discard(); err != nil {
			i.host.opts.Logger.Warn("cleaning up after a plugin", "provider", i.Provider(), "error", err)
		}
		g = i.revive(life, &deaths, wait)
	}
	i.enter(StateStopped, nil)
}

// forever is the wait of an instance that has failed.
const forever time.Duration = -1

// died notes a death and says how long to wait for the next start.
func (i *Instance) died(deaths *deathList, cause error) time.Duration {
	now := time.Now()
	wait, again := deaths.next(now, i.host.opts.Restart)
	if !again {
		i.enter(StateFailed, cause)
		return forever
	}
	i.change(func(s *State) {
		s.Name, s.PID, i.live = StateRestarting, 0, nil
		s.LastError, s.NextRetry = i.told(cause), now.Add(wait)
	})
	return wait
}

// revive starts processes until one is ready. It returns nil when the instance
// is to stop.
func (i *Instance) revive(life context.Context, deaths *deathList, wait time.Duration) *generation {
	for i.pause(life, deaths, wait) {
		g, err := i.restart(life)
		if err == nil {
			i.open(g)
			return g
		}
		if life.Err() != nil {
			break
		}
		wait = i.died(deaths, err)
	}
	return nil
}

// pause waits for the time of the next start: wait, or a reset, which forgets the
// deaths. It reports whether there is to be one.
func (i *Instance) pause(life context.Context, deaths *deathList, wait time.Duration) bool {
	var over <-chan time.Time
	if wait != forever {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		over = timer.C
	}
	select {
	case <-life.Done():
		return false
	case <-over:
		return true
	case <-i.resets:
		*deaths = deathList{}
		return true
	}
}

// restart starts a process in place of one that died, with a deadline over all
// steps of the start.
func (i *Instance) restart(life context.Context) (*generation, error) {
	ctx, cancel := context.WithTimeout(life, i.host.opts.Timeouts.ready())
	defer cancel()
	i.verifying(true)
	spec := i.settings()
	p, err := i.host.prepare(spec)
	if err != nil {
		return nil, err
	}
	i.mu.Lock()
	before := i.configured
	i.mu.Unlock()
	return i.host.startGeneration(ctx, spec, p, before, i.step)
}

// verifying begins the start of a process.
func (i *Instance) verifying(restart bool) {
	i.change(func(s *State) {
		s.Name, s.PID = StateVerifying, 0
		s.Generation++
		if restart {
			s.Restarts++
		}
	})
}

// Reset starts a process now where the instance has failed, or waits to be
// restarted, and returns when it is ready. Its deaths so far are forgotten. It does
// nothing to an instance that is ready. An error, which is a *reason.Error, says
// why no process became ready; the instance is then restarted as after any death.
func (i *Instance) Reset(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, i.host.opts.Timeouts.ready())
	defer cancel()
	before := i.State()
	if before.Name == StateFailed {
		i.step(StateRestarting, 0)
	}
	if before.Name == StateFailed || before.Name == StateRestarting {
		select {
		case i.resets <- struct{}{}:
		default: // asked for already
		}
	}
	for {
		i.mu.Lock()
		state, changed := i.state, i.changed
		i.mu.Unlock()
		switch state.Name {
		case StateReady, StateDraining:
			i.unask()
			return nil
		case StateFailed, StateStopping, StateStopped:
			return i.settings().unavailable("the plugin is %s: %s", state.Name, state.LastError)
		case StateRestarting:
			if state.Restarts > before.Restarts {
				return i.settings().unavailable("the plugin did not start: %s", state.LastError)
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return i.settings().failed(reason.Timeout, "the plugin was not ready in time: it is %s: %w", state.Name, ctx.Err())
		}
	}
}

// unask takes back a reset that came when the instance was on its way already.
func (i *Instance) unask() {
	select {
	case <-i.resets:
	default:
	}
}

// shut stops the last process, which has until grace ends.
func (i *Instance) shut(grace context.Context, g *generation) error {
	i.enter(StateStopping, nil)
	err := g.stop(grace)
	i.enter(StateStopped, err)
	return err
}

// stop stops the instance and waits for it. The end of ctx ends its grace.
func (i *Instance) stop(ctx context.Context) error {
	i.end()
	defer i.hurry()
	defer context.AfterFunc(ctx, i.hurry)()
	<-i.done
	return i.stopErr
}

// deathList holds the recent deaths of an instance's processes.
type deathList struct {
	at    []time.Time
	waits int // waits since the last quiet time
}

// next notes a death and says how long to wait for the next start, or that there
// is to be none. Waits double from policy.First to policy.Max, each shortened by
// up to a half by chance, so that plugins that died together do not start
// together.
func (d *deathList) next(now time.Time, policy RestartPolicy) (time.Duration, bool) {
	if n := len(d.at); n > 0 && now.Sub(d.at[n-1]) > policy.Window {
		d.at, d.waits = nil, 0
	}
	for len(d.at) > 0 && now.Sub(d.at[0]) > policy.Window {
		d.at = d.at[1:]
	}
	d.at = append(d.at, now)
	if len(d.at) >= policy.Deaths {
		return 0, false
	}
	wait := policy.First
	for n := 0; n < d.waits && wait < policy.Max; n++ {
		wait *= 2
	}
	d.waits++
	wait = min(wait, policy.Max)
	return wait/2 + rand.N(wait/2+1), true
}

package pluginhost

import (
	"context"
	"math/rand/v2"
	"time"
)

// begin starts the first process and, when it is ready, the supervisor.
func (i *Instance) begin(ctx, life, grace context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(life, cancel)()
	i.count(false)
	i.enter(StateStarting, nil, nil)
	g, err := i.host.startGeneration(ctx, i.spec)
	if err != nil {
		i.enter(StateStopped, nil, err)
		close(i.done)
		return err
	}
	i.enter(StateReady, g, nil)
	go i.supervise(life, grace, g)
	return nil
}

// supervise owns the instance's processes until it is stopped: one generation
// after the other.
func (i *Instance) supervise(life, grace context.Context, g *generation) {
	defer close(i.done)
	var deaths deathList
	for g != nil {
		select {
		case <-life.Done():
			i.stopErr = i.shut(grace, g)
			return
		case <-g.process.done:
		}
		cause := g.process.ended()
		i.host.opts.Logger.Warn("plugin died", "provider", i.spec.Provider, "plugin", i.spec.Plugin, "error", cause)
		i.enter(StateRestarting, nil, cause)
		if err := g.discard(); err != nil {
			i.host.opts.Logger.Warn("cleaning up after a plugin", "provider", i.spec.Provider, "error", err)
		}
		g = i.revive(life, &deaths)
	}
	<-life.Done()
	i.enter(StateStopped, nil, nil)
}

// revive starts processes until one is ready. It returns nil when the instance
// is to stop, and when it has died so often that it has failed.
func (i *Instance) revive(life context.Context, deaths *deathList) *generation {
	policy := i.host.opts.Restart
	for {
		wait, again := deaths.next(time.Now(), policy)
		if !again {
			i.enter(StateFailed, nil, nil)
			return nil
		}
		select {
		case <-life.Done():
			return nil
		case <-time.After(wait):
		}
		g, err := i.restart(life)
		if err == nil {
			i.enter(StateReady, g, nil)
			return g
		}
		if life.Err() != nil {
			return nil
		}
		i.enter(StateRestarting, nil, err)
	}
}

// restart starts a process in place of one that died, with a deadline over all
// steps of the start.
func (i *Instance) restart(life context.Context) (*generation, error) {
	t := i.host.opts.Timeouts
	ctx, cancel := context.WithTimeout(life, t.Start+t.Configure+2*t.Control)
	defer cancel()
	i.count(true)
	return i.host.startGeneration(ctx, i.spec)
}

func (i *Instance) count(restart bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.state.Generation++
	if restart {
		i.state.Restarts++
	}
}

// shut stops the last process, which has until grace ends.
func (i *Instance) shut(grace context.Context, g *generation) error {
	i.enter(StateStopping, nil, nil)
	err := g.stop(grace)
	i.enter(StateStopped, nil, err)
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

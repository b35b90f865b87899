package pluginhost

import (
	"context"
	"errors"
	"fmt"
	"time"

	"querent.dev/querent/sdk/client"
)

// watch waits for the end of the process, and makes it end when it does not work
// any more. It returns why the process ended, or nil when the instance's life has.
func (i *Instance) watch(life context.Context, g *generation) error {
	ctx, cancel := context.WithCancel(life)
	verdict := make(chan error, 1)
	go func() { verdict <- g.watchHealth(ctx, i.host.opts.Health) }()
	defer func() { cancel(); <-verdict }()
	select {
	case <-life.Done():
		return nil
	case unhealthy := <-verdict:
		verdict <- nil // for the wait above
		if unhealthy == nil {
			return nil // life has ended
		}
		g.carrier.kill()
		select {
		case <-g.carrier.ended():
		case <-time.After(killTime):
		}
		return unhealthy
	case <-g.carrier.ended():
		return g.carrier.cause()
	}
}

// watchHealth calls Health until ctx ends, and then returns nil, or until the
// plugin has missed too often, and then says so. It returns soon after ctx has
// ended.
func (g *generation) watchHealth(ctx context.Context, policy HealthPolicy) error {
	misses, wait := 0, policy.Interval
	for {
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil
		case <-timer.C:
		case <-g.suspected:
			timer.Stop()
		}
		err := g.checkHealth(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			misses, wait = 0, policy.Interval
		case errors.Is(err, errUnwell):
			misses, wait = misses+1, policy.Interval
		default:
			misses, wait = misses+1, missPause
		}
		if misses >= policy.Misses {
			return fmt.Errorf("it runs, but did not pass %d health checks in a row: %w", misses, err)
		}
	}
}

// errUnwell is the error of a plugin that answers, and says that it is not healthy:
// it is given time to recover.
var errUnwell = errors.New("the plugin says that it is not healthy")

// missPause keeps a plugin that refuses connections from being called without a
// pause, and is short enough for its restart to be soon.
const missPause = 50 * time.Millisecond

// suspect tells the watcher of a call that failed as err: when its connection broke
// and the process lives on, the plugin may not be reachable any more.
func (g *generation) suspect(err error) {
	if !errors.Is(err, client.ErrConnectionLost) {
		return
	}
	g.carrier.settle()
	select {
	case g.suspected <- struct{}{}:
	default: // known already
	}
}

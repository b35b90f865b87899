package main

import (
	"context"
	"errors"
	"sync"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/core/audit"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/server"
	"querent.dev/querent/core/telemetry"
)

// board sends each run to the host of the configuration that acts when it begins,
// and keeps that host open until the run has ended. It is safe for concurrent use.
type board struct {
	metrics *telemetry.Metrics // set before the first run
	logger  hclog.Logger

	mu       sync.Mutex
	now      *generation
	retiring map[*generation]struct{}
	retired  sync.WaitGroup
}

var (
	_ server.Engine   = (*board)(nil)
	_ server.Receipts = (*board)(nil)
)

// generation is a host with the runs that began under it.
type generation struct {
	host   *host
	number int // of its configuration, from 1

	hurry context.CancelFunc // ends the patience with its runs; nil until another took its place
	users int                // guarded by board.mu
	idle  chan struct{}      // closed when another took its place and nobody uses it
}

func newBoard(first *host, logger hclog.Logger) *board {
	return &board{logger: logger, retiring: map[*generation]struct{}{}, now: &generation{host: first, number: 1, idle: make(chan struct{})}}
}

// enter is the generation that acts now, until leave is called.
func (b *board) enter() (g *generation, leave func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	g = b.now
	g.users++
	release, _ := g.host.providers.set.Hold() // it is open: only what retires is closed
	return g, func() {
		release()
		b.mu.Lock()
		defer b.mu.Unlock()
		g.users--
		b.tellIdle(g)
	}
}

func (b *board) tellIdle(g *generation) {
	if g != b.now && g.users == 0 {
		close(g.idle)
	}
}

// Ask implements server.Engine.
func (b *board) Ask(ctx context.Context, q pipeline.Question, sink func(graph.Event)) *pipeline.Run {
	g, leave := b.enter()
	defer leave()
	run := g.host.engine.Ask(ctx, q, func(e graph.Event) {
		b.metrics.Event(e)
		sink(e)
	})
	b.metrics.Run(run)
	return run
}

// Receipt implements server.Receipts.
func (b *board) Receipt(ctx context.Context, runID string, caller policy.Caller) (*audit.Receipt, error) {
	g, leave := b.enter()
	defer leave()
	return g.host.records.Receipt(ctx, runID, caller)
}

// acting is the generation that takes new runs. It stays open for who keeps others
// from replacing it.
func (b *board) acting() *generation {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now
}

// replace makes next the host of the runs from now on. The one before is closed
// when its runs have ended, at the latest when none of them can still be going on.
func (b *board) replace(next *host) *generation {
	b.mu.Lock()
	defer b.mu.Unlock()
	old := b.now
	limit := old.host.cfg.Settings.Run.Timeout.Std() + lastWords
	ctx, hurry := context.WithTimeout(context.Background(), limit)
	old.hurry = hurry
	b.now = &generation{host: next, number: old.number + 1, idle: make(chan struct{})}
	b.retiring[old] = struct{}{}
	b.tellIdle(old)
	b.retired.Go(func() {
		defer hurry()
		b.retire(ctx, old)
	})
	return b.now
}

// retire closes a generation whose place was taken: its plugins drain while its runs
// go on, until ctx ends.
func (b *board) retire(ctx context.Context, g *generation) {
	drained := make(chan error, 1)
	go func() { drained <- g.host.providers.set.Close(ctx) }()
	select {
	case <-g.idle:
	case <-ctx.Done():
		b.logger.Warn("cancelling what still runs under an earlier configuration", "configuration", g.number)
	}
	if err := errors.Join(<-drained, g.host.Close(context.Background())); err != nil {
		b.logger.Warn("closing an earlier configuration", "configuration", g.number, "error", err)
	}
	b.logger.Debug("an earlier configuration has ended", "configuration", g.number)
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.retiring, g)
}

// close ends all generations. No run may begin any more.
func (b *board) close(ctx context.Context) error {
	b.mu.Lock()
	for g := range b.retiring {
		g.hurry()
	}
	b.mu.Unlock()
	b.retired.Wait()
	return b.acting().host.Close(ctx)
}

// live is what is now.
func (b *board) live() telemetry.Live {
	b.mu.Lock()
	defer b.mu.Unlock()
	h := b.now.host
	out := telemetry.Live{Configuration: b.now.number, Runs: b.now.users, Draining: len(b.retiring), Providers: h.registry.States()}
	for g := range b.retiring {
		out.Runs += g.users
	}
	for _, name := range h.providers.set.Providers() {
		out.Plugins = append(out.Plugins, h.providers.plugin(name, h.cfg))
	}
	return out
}

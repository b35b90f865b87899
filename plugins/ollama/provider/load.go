package provider

import (
	"context"
	"errors"
	"sync"
	"time"

	"querent.dev/querent/plugins/internal/modelhttp"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// loadKey is what a server loads: a model, for a context length.
type loadKey struct {
	model  string
	numCtx int64
}

// loader has models loaded before they are asked. Loading takes tens of seconds
// and starts over when its call is cancelled, so it is a step of its own that
// goes on when the call that began it ends. The zero value is ready.
type loader struct {
	mu      sync.Mutex
	stopped bool
	loaded  map[string]loadedModel
	running map[loadKey]*loading
	group   sync.WaitGroup
}

type loadedModel struct {
	numCtx int64
	until  time.Time
}

// loading is a model on its way. err is set before done is closed.
type loading struct {
	done   chan struct{}
	cancel context.CancelFunc
	err    error
}

// ensure waits until key is loaded, ctx ends, or loading has failed. Calls for
// one key share one loading.
func (l *loader) ensure(ctx context.Context, key loadKey, load func(context.Context) error) error {
	step, err := l.start(ctx, key, load)
	if step == nil {
		return err
	}
	select {
	case <-step.done:
		var e *sdk.Error
		if errors.As(step.err, &e) {
			own := *e // the callers share the loading, and each may add to its error
			return &own
		}
		return step.err
	case <-ctx.Done():
		e := modelhttp.ContextFailure(ctx, "wait for model "+key.model+", which is still being loaded")
		if e.Kind == reason.Timeout {
			e.Message += "; loading goes on as long as the plugin runs: ask again, or raise the agent's timeout"
		}
		return e
	}
}

// start is the loading of key, begun now or before; nil when it is loaded or
// nothing can be loaded any more.
func (l *loader) start(ctx context.Context, key loadKey, load func(context.Context) error) (*loading, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if m := l.loaded[key.model]; m.numCtx == key.numCtx && time.Now().Before(m.until) {
		return nil, nil
	}
	if l.stopped {
		return nil, sdk.Errorf(reason.Unavailable, "the plugin is stopping")
	}
	if step := l.running[key]; step != nil {
		return step, nil
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	step := &loading{done: make(chan struct{}), cancel: cancel}
	if l.running == nil {
		l.running = map[loadKey]*loading{}
	}
	l.running[key] = step
	l.group.Go(func() {
		defer cancel()
		err := load(ctx)
		l.mu.Lock()
		delete(l.running, key)
		l.mu.Unlock()
		step.err = err
		close(step.done)
	})
	return step, nil
}

// mark remembers that the server has just used key, and keeps it for d.
func (l *loader) mark(key loadKey, d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.loaded == nil {
		l.loaded = map[string]loadedModel{}
	}
	l.loaded[key.model] = loadedModel{numCtx: key.numCtx, until: time.Now().Add(d)}
}

// forget drops what is remembered of a model whose server failed.
func (l *loader) forget(model string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.loaded, model)
}

// stop cancels what is being loaded and waits for it, within ctx.
func (l *loader) stop(ctx context.Context) error {
	l.mu.Lock()
	l.stopped = true
	for _, step := range l.running {
		step.cancel()
	}
	l.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		l.group.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

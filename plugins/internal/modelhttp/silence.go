package modelhttp

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"
)

// silenceError says that a server has been silent for longer than it may.
type silenceError struct {
	limit   time.Duration
	setting string
}

// Error implements error.
func (e *silenceError) Error() string {
	return fmt.Sprintf("the server sent nothing for %s (%s)", e.limit, e.setting)
}

// watch ends a request whose server is silent for too long: before the first byte
// of the answer's body, or between two reads of it. A limit of 0 is none. Time in
// which nobody reads does not count.
type watch struct {
	idle   time.Duration
	cancel context.CancelFunc // of the request
	begun  bool               // the body has begun

	mu     sync.Mutex
	timer  *time.Timer
	silent *silenceError // why the request was ended
}

// newWatch starts to wait for the first byte. The context that it makes is for the
// request; stop releases it.
func newWatch(ctx context.Context, first, idle time.Duration) (context.Context, *watch) {
	ctx, cancel := context.WithCancel(ctx)
	w := &watch{idle: idle, cancel: cancel}
	w.expect(first, "first_byte_timeout")
	return ctx, w
}

func (w *watch) expect(limit time.Duration, setting string) {
	if limit <= 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = time.AfterFunc(limit, func() {
		w.mu.Lock()
		w.silent = &silenceError{limit, setting}
		w.mu.Unlock()
		w.cancel()
	})
}

func (w *watch) heard() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
}

// stop ends the watch, and the request with it.
func (w *watch) stop() {
	w.heard()
	w.cancel()
}

// reason is err, or what the watch has ended the request for.
func (w *watch) reason(err error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.silent != nil && err != nil && err != io.EOF {
		return w.silent
	}
	return err
}

// watchedBody is the body of an answer under a watch.
type watchedBody struct {
	io.ReadCloser
	watch *watch
}

// Read implements io.Reader.
func (b *watchedBody) Read(p []byte) (int, error) {
	if b.watch.begun {
		b.watch.expect(b.watch.idle, "idle_timeout")
	}
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.watch.begun = true
	}
	if b.watch.begun || err != nil {
		b.watch.heard()
	}
	return n, b.watch.reason(err)
}

// Close implements io.Closer.
func (b *watchedBody) Close() error {
	b.watch.stop()
	return b.ReadCloser.Close()
}

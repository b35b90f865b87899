package provider

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"querent.dev/querent/core/config"
)

// queue lets so many calls of a provider go on at the same time, and so many wait
// for one of them to end. It is safe for concurrent use. A nil slots has no limit.
type queue struct {
	slots   chan struct{}
	length  int
	timeout time.Duration // 0: as long as the caller has
	waiting atomic.Int64
}

func newQueue(p config.Provider) *queue {
	q := &queue{length: config.DefaultQueueLength, timeout: p.Queue.Timeout.Std()}
	if p.Queue.Length != nil {
		q.length = *p.Queue.Length
	}
	if p.MaxParallel > 0 {
		q.slots = make(chan struct{}, p.MaxParallel)
	}
	return q
}

// enter takes a slot, which must be given back, or is a *busyError when none comes
// free in time or too many wait already. Who comes when ctx has ended already is
// late, whether or not a slot is free.
func (q *queue) enter(ctx context.Context) (leave func(), err error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if q.slots == nil {
		return func() {}, nil
	}
	leave = func() { <-q.slots }
	select {
	case q.slots <- struct{}{}:
		return leave, nil
	default:
	}
	if q.waiting.Add(1) > int64(q.length) {
		q.waiting.Add(-1)
		return nil, &busyError{limit: cap(q.slots), waiting: q.length, cause: errQueueFull}
	}
	defer q.waiting.Add(-1)
	if q.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, q.timeout, errQueueTimeout)
		defer cancel()
	}
	select {
	case q.slots <- struct{}{}:
		return leave, nil
	case <-ctx.Done():
		return nil, &busyError{limit: cap(q.slots), cause: context.Cause(ctx)}
	}
}

var (
	errQueueFull    = errors.New("the queue is full")
	errQueueTimeout = errors.New("the wait was longer than queue.timeout")
)

// busyError says that no slot came free in time.
type busyError struct {
	limit   int
	waiting int // of a full queue
	cause   error
}

// Error implements error.
func (e *busyError) Error() string {
	if e.waiting > 0 || errors.Is(e.cause, errQueueFull) {
		return fmt.Sprintf("all %d parallel calls (max_parallel) are taken and %d wait for one already (queue.length)", e.limit, e.waiting)
	}
	return fmt.Sprintf("all %d parallel calls (max_parallel) were taken until the time limit: %v", e.limit, e.cause)
}

// Unwrap is what ended the waiting.
func (e *busyError) Unwrap() error { return e.cause }

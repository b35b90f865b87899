package main

import (
	"context"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// longestAbsence is how often, at the least, plugins are tried that did not start:
// that costs a process, and an operator watches by then.
const longestAbsence = 30 * time.Second

// fetchAbsent starts the plugins that could not start with the server, with longer
// and longer waits, until all are there or ctx ends. Meanwhile /readyz names them.
func (o *operation) fetchAbsent(ctx context.Context) {
	waits := backoff.NewExponentialBackOff()
	waits.InitialInterval, waits.MaxInterval = time.Second, longestAbsence
	for len(o.board.acting().host.absent()) > 0 {
		select {
		case <-time.After(waits.NextBackOff()):
		case <-ctx.Done():
			return
		}
		if err := o.tryAbsent(ctx); err != nil && ctx.Err() == nil {
			o.logger.Warn("plugins that did not start were tried again", "error", err)
		}
	}
}

// tryAbsent opens the host of the same configuration once more, and takes it if more
// of its plugins have started.
func (o *operation) tryAbsent(ctx context.Context) error {
	select {
	case o.turn <- struct{}{}:
		defer func() { <-o.turn }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	h := o.board.acting().host
	before := h.absent()
	if len(before) == 0 {
		return nil // a reload has fetched them
	}
	callers, err := callersOf(h.cfg)
	if err != nil {
		return err
	}
	again := o.opening(h)
	again.whole = false
	next, err := again.open(ctx, h.cfg)
	if err != nil {
		return err
	}
	if err := next.unusable(); err != nil || len(next.absent()) >= len(before) {
		o.logger.Warn("plugins have not started yet", "providers", next.absent())
		return next.Close(ctx)
	}
	o.take(next, callers)
	o.logger.Info("plugins have started that had not before", "still_absent", next.absent())
	return nil
}

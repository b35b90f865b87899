package graph

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/sdk/reason"
)

// place is where work is done: whose events it emits, which log it writes and in what
// goroutine its nodes run.
type place struct {
	scope
	logger hclog.Logger
	worker *worker
}

// log is the log of the node, or of the graph outside of nodes.
func (p place) log() hclog.Logger {
	if p.node == "" {
		return p.logger
	}
	return p.logger.Named(p.node)
}

func (n Node[S]) name() string { return n.Name }

func (n Node[S]) run(ctx context.Context, at place, s S) (S, *reason.Error) {
	if ctx.Err() != nil && !n.Always {
		return s, ended(ctx).At(n.Name)
	}
	return track(at, n.Name, s, func(in place) (S, error) {
		update, err := n.await(ctx, in, s)
		return apply(in, update, s, err)
	})
}

// track runs work between the events that a step began and how it ended.
func track[S any](at place, name string, s S, work func(in place) (S, error)) (S, *reason.Error) {
	in := at
	in.scope = at.inNode(name)
	begin := at.emitter.now()
	in.emit(NodeStarted, "", nil)
	next, err := work(in)
	in.live.Store(false)

	after := at.scope
	after.node = name
	data := map[string]any{"ms": at.emitter.now().Sub(begin).Milliseconds()}
	if err == nil {
		after.emit(NodeCompleted, "", data)
		return next, nil
	}
	failure := stamped(err, name)
	if failure.Node == name { // else a step inside has written it already
		in.log().Log(level(failure), "node failed", "step", StepID(at.subQuery, name), "trace", at.emitter.traceID,
			"code", failure.Code, "reason", failure.Reason, "error", failure.Message)
	}
	data["code"], data["reason"], data["stage"] = failure.Code, failure.Reason, failure.Stage
	data["retryable"], data["message"] = failure.Retryable, failure.SafeMessage
	after.emit(NodeFailed, "", data)
	return next, failure
}

// level tells what an operator has to look at from a question that was refused,
// was not understood, or was taken back.
func level(e *reason.Error) hclog.Level {
	switch reason.ExitCode(e) {
	case reason.ExitRefused, reason.ExitCannotAnswer, reason.ExitCancelled:
		return hclog.Info
	}
	return hclog.Error
}

// apply makes the next state; a panicking update is the node's failure.
func apply[S any](in place, update Update[S], s S, err error) (next S, _ error) {
	if update == nil {
		return s, err
	}
	next = s
	if panicked := guard(in, func() { next = update(s) }); panicked != nil {
		return s, panicked
	}
	return next, err
}

type result[S any] struct {
	update Update[S]
	err    error
}

// await runs the node in another goroutine and waits for it until Grace has passed
// after the end of its context.
func (n Node[S]) await(ctx context.Context, in place, s S) (Update[S], error) {
	bounded, cancel := n.bounded(ctx)
	defer cancel()
	done := make(chan result[S], 1)
	in.worker.do(func() {
		var r result[S]
		returned := false
		defer func() {
			if !returned {
				r = result[S]{err: reason.New(reason.Internal, reason.ReasonInternal, "node %s ended its goroutine", n.Name)}
			}
			done <- r
		}()
		if err := guard(in, func() { r.update, r.err = n.Run(context.WithValue(bounded, scopeKey{}, in.scope), s) }); err != nil {
			r = result[S]{err: err}
		}
		returned = true
	})

	select {
	case r := <-done:
		return r.update, n.judge(ctx, bounded, r.err)
	case <-bounded.Done():
	}
	grace := time.NewTimer(n.grace())
	defer grace.Stop()
	select {
	case r := <-done:
		return r.update, n.judge(ctx, bounded, r.err)
	case <-grace.C:
		in.worker.abandon()
		in.log().Warn("node ignored the end of its context and was abandoned", "trace", in.emitter.traceID, "grace", n.grace())
		return nil, n.judge(ctx, bounded, bounded.Err())
	}
}

func (n Node[S]) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if n.Timeout <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, n.Timeout)
}

func (n Node[S]) grace() time.Duration {
	if n.Grace > 0 {
		return n.Grace
	}
	return DefaultGrace
}

// judge tells why a node failed. When the run has ended, that is why, whatever
// the node made of it; when the node's time is up, its own reason counts unless
// it only says that it was stopped.
func (n Node[S]) judge(ctx, bounded context.Context, err error) error {
	if err == nil {
		return nil
	}
	var own *reason.Error
	typed := errors.As(err, &own)
	switch {
	case ctx.Err() != nil && !(n.Always && typed):
		return ended(ctx)
	case bounded.Err() != nil && (!typed || own.Reason == reason.ReasonCancelled || stopped(err)):
		return n.overdue()
	}
	return err
}

func stopped(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) && errors.Is(err, &reason.Error{Code: reason.Internal})
}

func (n Node[S]) overdue() *reason.Error {
	if n.Overdue != nil {
		return n.Overdue(n.Timeout)
	}
	return reason.New(reason.RunTimeout, reason.ReasonTimeout, "node %s did not finish within %s", n.Name, n.Timeout).
		WithSafe("The step %s did not finish within its time limit of %s.", n.Name, n.Timeout).
		WithNext("Ask a narrower question, or raise settings.nodes.%s.timeout.", n.Name)
}

// ended is the error of a run whose context is over: the cause if it is one of
// ours, else RUN_TIMEOUT or CANCELLED.
func ended(ctx context.Context) *reason.Error {
	cause := context.Cause(ctx)
	var own *reason.Error
	switch {
	case errors.As(cause, &own):
		return stamped(own, own.Node)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return reason.New(reason.RunTimeout, reason.ReasonTimeout, "the run's deadline passed: %w", cause)
	}
	return reason.New(reason.CancelledCode, reason.ReasonCancelled, "the caller cancelled the run: %w", cause)
}

// stamped is err as a *reason.Error that names the node. It is a copy, since
// the error may be shared with other runs.
func stamped(err error, node string) *reason.Error {
	e := *reason.From(err)
	return e.At(node)
}

// guard calls f and turns a panic into an INTERNAL error. The stack goes to the
// log alone.
func guard(in place, f func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			in.log().Error("node panicked", "trace", in.emitter.traceID, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = reason.New(reason.Internal, reason.ReasonInternal, "panic: %v", p)
		}
	}()
	f()
	return nil
}

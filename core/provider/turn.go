package provider

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/cenkalti/backoff/v5"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// The waits between the calls of one provider. Each is up to half shorter or longer
// than its figure, so that those who failed together do not come back together.
const (
	// firstWait is what a server that restarts or sheds load needs at the least.
	firstWait = 500 * time.Millisecond
	// longestWait is what someone who waits for an answer bears.
	longestWait = 30 * time.Second
)

// exchange is a request of an agent on its way along the chain. Only one goroutine
// works on it.
type exchange struct {
	calls    int // so far
	attempts []Attempt
	hasRows  bool        // the prompt holds rows of the database
	stream   func(Piece) // gets the words while they are written; nil asks for the whole at once
	passed   bool        // words were handed to stream since it was last told of a failure
	shown    func() bool // whether the reader saw some of them; nil: whenever passed
	saw      bool        // the reader saw words of a model that failed
}

// passedOn reports whether the reader saw words of a model that is not done.
func (x *exchange) passedOn() bool { return x.saw || x.passed && (x.shown == nil || x.shown()) }

// takeBack says that what was streamed so far does not count.
func (x *exchange) takeBack(from config.ProviderName, why *reason.Error) {
	x.saw = x.passedOn()
	x.passed = false
	if x.stream != nil {
		x.stream(Piece{Provider: from, Failed: why})
	}
}

// turn is a provider's turn at a request: all the calls that it gets.
type turn struct {
	*exchange
	agent *Agent
	link
	first    int // the first of the exchange's attempts that is the turn's
	calls    int // of this provider
	waits    *backoff.ExponentialBackOff
	retried  []*reason.Error
	warnings []sdk.Warning
	model    string // as served
}

// order is a call to make: what for, at what expected cost, and how.
type order struct {
	purpose Purpose
	mode    sdk.OutputMode
	expect  tokens // none for a service without a model
	do      func(ctx context.Context) (sdk.GenerateResponse, error)
}

// make makes a call, and again while its failure may pass and the bounds leave
// room. The error is a *reason.Error.
func (t *turn) make(ctx context.Context, o order) (sdk.GenerateResponse, *reason.Error) {
	var waited time.Duration
	for {
		res, err := t.once(ctx, o, waited)
		if err == nil {
			return res, nil
		}
		wait, ok := t.again(ctx, err)
		if !ok {
			return res, err
		}
		t.replace(ctx, err, wait)
		if !sleep(ctx, wait) {
			return res, err
		}
		o.purpose, waited = PurposeRetry, wait
	}
}

// once makes a single call, past the breaker and the queue and within the budget.
func (t *turn) once(ctx context.Context, o order, waited time.Duration) (res sdk.GenerateResponse, own *reason.Error) {
	began := time.Now()
	done, err := t.admit(ctx, o)
	if err != nil {
		return res, t.agent.failure(ctx, t.link, err)
	}
	t.calls++
	t.exchange.calls++
	entered := time.Now()
	res, err = guarded(ctx, t.name, o.do)
	if err != nil {
		own = t.agent.failure(ctx, t.link, err)
	}
	spent := done(res.Usage, err, own)
	t.record(o, res, own, spent, times{waited: waited, queued: entered.Sub(began), took: time.Since(entered)})
	return res, own
}

// admit lets a call pass the breaker, the queue and the budget, or says which of
// them did not. What it returns takes back the slot and settles the cost.
func (t *turn) admit(ctx context.Context, o order) (func(sdk.Usage, error, *reason.Error) Spent, error) {
	if err := t.breakers.of(t.link.model).rests(); err != nil {
		return nil, err
	}
	leave, err := t.queue.enter(ctx)
	if err != nil {
		return nil, err
	}
	purse := budgetOf(ctx)
	if err := purse.reserve(o.expect, t.prices); err != nil {
		leave()
		return nil, t.overBudget(err)
	}
	report, err := t.breakers.of(t.link.model).enter()
	if err != nil {
		purse.settle(o.expect, tokens{}, t.prices)
		leave()
		return nil, err
	}
	return func(u sdk.Usage, err error, own *reason.Error) Spent {
		report(err, own)
		leave()
		used := o.expect.used(u, own)
		return purse.settle(o.expect, used, t.prices)
	}, nil
}

// guarded makes a panic of a call its error.
func guarded(ctx context.Context, name any, do func(context.Context) (sdk.GenerateResponse, error)) (res sdk.GenerateResponse, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in a call to provider %q: %v", name, p)
		}
	}()
	return do(ctx)
}

// repeated are the kinds of failure that may pass by waiting.
var repeated = []reason.Kind{reason.RateLimited, reason.Overloaded, reason.Unavailable, reason.Timeout, reason.Incomplete}

// again decides whether a failed call is made again, and after which wait. What a
// server asks for is waited in full, or not at all where the time limit is too
// short for it.
func (t *turn) again(ctx context.Context, err *reason.Error) (time.Duration, bool) {
	if !err.Retryable || !slices.Contains(repeated, reason.Kind(err.Reason)) || ourOwn(err) || !t.mayCallAgain(ctx) {
		return 0, false
	}
	if t.waits == nil {
		t.waits = backoff.NewExponentialBackOff()
		t.waits.InitialInterval, t.waits.Multiplier, t.waits.MaxInterval = firstWait, 2, longestWait
	}
	wait := t.waits.NextBackOff()
	var said *sdk.Error
	if errors.As(err, &said) {
		wait = max(wait, said.RetryAfter)
	}
	deadline, bounded := ctx.Deadline()
	return wait, !bounded || wait < time.Until(deadline)
}

// ourOwn reports whether a failure is the host's own: nobody was asked.
func ourOwn(err error) bool {
	var busy *busyError
	var rests *restError
	return errors.As(err, &busy) || errors.As(err, &rests)
}

// mayCallAgain reports whether the bounds leave room for another call.
func (t *turn) mayCallAgain(ctx context.Context) bool {
	return ctx.Err() == nil && t.calls < t.maxCalls && t.exchange.calls < t.agent.maxCalls() && !t.passedOn()
}

// replace notes that another call will make up for a failure.
func (t *turn) replace(ctx context.Context, err *reason.Error, wait time.Duration) {
	t.retried = append(t.retried, err)
	if t.passed {
		t.takeBack(t.name, err)
	}
	t.agent.logger.Info("provider is asked again", "provider", t.name, "code", err.Code, "wait", wait, "calls", t.calls)
	graph.Emit(ctx, graph.NodeRetrying, "", map[string]any{
		"step": string(t.agent.name), "provider": string(t.name), "attempt": t.calls, "of": t.maxCalls - 1,
		"code": err.Code, "reason": err.Reason, "wait_ms": wait.Milliseconds(),
	})
}

// answered is the call of a turn that brought the answer.
func (t *turn) answered(failed []*reason.Error) Call {
	c := Call{
		Provider: t.name, Plugin: t.Plugin, Model: firstOf(t.model, t.modelAsked()), Warnings: t.warnings,
		Failed: failed, Retried: t.retried, Attempts: t.attempts,
	}
	for _, a := range t.attempts[t.first:] {
		c.Usage = sum(c.Usage, a)
	}
	return c
}

func (t *turn) modelAsked() string {
	if t.Services.Model == nil {
		return ""
	}
	return t.link.model
}

// settle is the error of a turn that brought nothing, with the number of its calls.
func (t *turn) settle(err *reason.Error) *reason.Error {
	return err.WithEvidence(EvidenceCalls, strconv.Itoa(t.calls))
}

// sleep waits, and reports whether ctx outlived it.
func sleep(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// service makes a call of a service without a model. The error is a *reason.Error.
func (t *turn) service(ctx context.Context, do func(context.Context) error) error {
	_, err := t.make(ctx, order{purpose: PurposeAsk, do: func(ctx context.Context) (sdk.GenerateResponse, error) {
		return sdk.GenerateResponse{}, do(ctx)
	}})
	if err != nil {
		return err
	}
	return nil
}

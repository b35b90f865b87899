package provider

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/sony/gobreaker/v2"

	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk/reason"
)

// BreakerState says whether calls of a provider's model are let through.
type BreakerState string

// The states of a breaker.
const (
	BreakerClosed   BreakerState = "closed"    // they are
	BreakerOpen     BreakerState = "open"      // they are not: the last ones failed in a row
	BreakerHalfOpen BreakerState = "half_open" // one is, to see whether it works again
)

// broken are the failures that count: those of a provider that is down, or as good
// as that. A server that limits how often it is asked works.
var broken = []reason.Kind{reason.Unavailable, reason.Overloaded, reason.Timeout, reason.InternalProvider}

// breakers are those of one provider, one for each model. They are safe for
// concurrent use.
type breakers struct {
	provider config.ProviderName
	settings config.Breaker
	logger   hclog.Logger

	mu      sync.Mutex
	byModel map[string]*breaker
}

// breaker keeps calls from a model that fails, so that questions do not wait for it
// and it can recover.
type breaker struct {
	*gobreaker.TwoStepCircuitBreaker[struct{}]
	failures int // in a row that open it

	mu      sync.Mutex
	until   time.Time // when it is tried again, once open
	counted int       // failures so far
}

func (b *breakers) of(model string) *breaker {
	b.mu.Lock()
	defer b.mu.Unlock()
	if known, ok := b.byModel[model]; ok {
		return known
	}
	out := b.make(model)
	if b.byModel == nil {
		b.byModel = map[string]*breaker{}
	}
	b.byModel[model] = out
	return out
}

func (b *breakers) make(model string) *breaker {
	failures, pause := config.DefaultBreakerFailures, b.settings.Pause.Std()
	if b.settings.Failures != nil {
		failures = *b.settings.Failures
	}
	if pause <= 0 {
		pause = config.DefaultBreakerPause.Std()
	}
	out := &breaker{failures: failures}
	out.TwoStepCircuitBreaker = gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{
		MaxRequests: 1, Timeout: pause,
		ReadyToTrip:  func(c gobreaker.Counts) bool { return failures > 0 && int(c.ConsecutiveFailures) >= failures },
		IsSuccessful: func(err error) bool { return !slices.Contains(broken, kindIn(err)) },
		IsExcluded:   func(err error) bool { return kindIn(err) == reason.Cancelled },
		OnStateChange: func(_ string, _, to gobreaker.State) {
			if to == gobreaker.StateOpen {
				out.mu.Lock()
				out.until = time.Now().Add(pause)
				out.mu.Unlock()
			}
			b.logger.Warn("provider's breaker changed", "provider", b.provider, "model", model, "state", stateName(to))
		},
	})
	return out
}

// kindIn is the kind of a call's failure, "" for none.
func kindIn(err error) reason.Kind {
	var own *reason.Error
	if !errors.As(err, &own) {
		return ""
	}
	return reason.Kind(own.Reason)
}

// rests is the error of a call that is not let through now, nil for one that may be.
func (b *breaker) rests() error {
	if b.State() != gobreaker.StateOpen {
		return nil
	}
	return b.rest()
}

func (b *breaker) rest() *restError {
	b.mu.Lock()
	defer b.mu.Unlock()
	return &restError{failures: b.failures, until: b.until}
}

// enter lets a call through, whose end must be reported, or is a *restError.
func (b *breaker) enter() (report func(err error, own *reason.Error), _ error) {
	done, err := b.Allow()
	if err != nil {
		return nil, b.rest()
	}
	b.mu.Lock()
	before := b.counted
	b.mu.Unlock()
	return func(err error, own *reason.Error) { done(b.verdict(before, err, own)) }, nil
}

// notCounted is the verdict on a call that says nothing of the provider's health.
var notCounted = reason.Provider(reason.Cancelled, "not a call")

// verdict is a call's end as the breaker counts it; before is how many failures were
// counted when the call began. What the host itself fails with (a plugin that never
// started) is not counted, and neither is a failure of a call that was on its way
// when another failed: a plugin that dies, or a server that is restarted, takes all
// of them along and is one failure. Who waited in vain for the whole of its time is.
func (b *breaker) verdict(before int, err error, own *reason.Error) error {
	var host *reason.Error
	switch {
	case own == nil:
		return nil
	case errors.As(err, &host):
		return notCounted
	case !slices.Contains(broken, kindIn(own)):
		return own
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.counted != before && kindIn(own) != reason.Timeout {
		return notCounted
	}
	b.counted++
	return own
}

func stateName(s gobreaker.State) BreakerState {
	switch s {
	case gobreaker.StateOpen:
		return BreakerOpen
	case gobreaker.StateHalfOpen:
		return BreakerHalfOpen
	}
	return BreakerClosed
}

// restError says that a provider is left alone.
type restError struct {
	failures int
	until    time.Time
}

// Error implements error.
func (e *restError) Error() string {
	if !time.Now().Before(e.until) {
		return "another call is finding out whether it works again"
	}
	return fmt.Sprintf("its last %d calls failed, so it is left alone until %s", e.failures, e.until.UTC().Format("15:04:05 MST"))
}

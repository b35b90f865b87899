package provider

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// EvidenceRetryAfter is the key under which an error says how long the provider
// asks to be left alone, as a time.Duration writes itself.
const EvidenceRetryAfter = "retry_after"

// EvidenceStatus is the key under which an error holds the HTTP status of the
// provider's server.
const EvidenceStatus = "status"

// failure turns what a call returned into the run's error. It is of our own words
// alone: what the provider said is only logged, at debug, and is the error's cause.
func (a *Agent) failure(ctx context.Context, l link, err error) *reason.Error {
	var own *reason.Error
	if errors.As(err, &own) {
		// It may be the error of other calls as well, so it is not written to.
		copied := *own
		copied.Evidence = maps.Clone(own.Evidence)
		return l.stamp(&copied)
	}
	out := reason.Provider(kindOf(ctx, err), "agent %s, provider %q: %w", a.name, l.name, err)
	var said *sdk.Error
	if errors.As(err, &said) {
		out.Message = fmt.Sprintf("agent %s, provider %q: %s%s", a.name, l.name, out.SafeMessage, seeLog)
		a.logger.Debug("what a provider said", "provider", l.name, "code", out.Code, "text", said.Message)
	}
	out.WithSafe("%s %s", l.title(), out.SafeMessage)
	if out.Reason == reason.Reason(reason.ModelNotFound) && l.model != "" {
		out.WithNext("Make the model %q available to the provider %q, or name another in the configuration.", l.model, l.name)
	}
	explainOwn(out, err)
	if said != nil {
		explainSaid(out, l, said)
		addDetails(out, said)
	}
	return l.stamp(out)
}

// seeLog ends the operator's message of a failure that was put in words by others.
const seeLog = " (its own words are in the log, with --log-level debug)"

// explainOwn says why the host did not ask the provider.
func explainOwn(out *reason.Error, err error) {
	var busy *busyError
	var rests *restError
	switch {
	case errors.As(err, &rests):
		out.WithSafe("%s %s", out.SafeMessage, sentence(rests)).WithNext("Wait until then, or switch to another provider.")
	case errors.As(err, &busy) && errors.Is(busy.cause, errQueueFull):
		out.WithSafe("%s %s", out.SafeMessage, sentence(busy))
	}
}

// sentence is an error of the host's own words as one.
func sentence(err error) string {
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// kindOf is the kind of err. What the caller of the run did comes first: a
// cancelled run is no failure of the provider.
func kindOf(ctx context.Context, err error) reason.Kind {
	var busy *busyError
	var rests *restError
	var said *sdk.Error
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return reason.Cancelled
	case errors.As(err, &rests):
		return reason.Unavailable
	case errors.As(err, &busy):
		return reason.Overloaded
	case errors.As(err, &said):
		return said.Kind
	case errors.Is(err, context.DeadlineExceeded):
		return reason.Timeout
	case errors.Is(err, context.Canceled):
		return reason.Cancelled
	case errors.Is(err, sdk.ErrUnsupported):
		return reason.Misconfigured
	}
	return reason.InternalProvider
}

func addDetails(out *reason.Error, said *sdk.Error) {
	if said.RetryAfter > 0 {
		out.WithEvidence(EvidenceRetryAfter, said.RetryAfter.String())
	}
	if said.Status != 0 {
		out.WithEvidence(EvidenceStatus, strconv.Itoa(said.Status))
	}
	if said.ProviderRequestID != "" {
		out.WithEvidence("provider_request_id", said.ProviderRequestID)
	}
}

func (l link) stamp(err *reason.Error) *reason.Error {
	err.WithEvidence("provider", string(l.name))
	if l.model != "" {
		err.WithEvidence("model", l.model)
	}
	return err
}

// title names the provider in front of a safe message.
func (l link) title() string {
	if l.model == "" {
		return fmt.Sprintf("Provider %q:", l.name)
	}
	return fmt.Sprintf("Provider %q, model %q:", l.name, l.model)
}

// invalidOutput is the error of a text that is not what was asked for. Violation
// says exactly what is wrong; it may quote the model, so it is only logged. What it
// says by a method Safe is for the asker.
func (t *turn) invalidOutput(violation error) *reason.Error {
	err := reason.Provider(reason.InvalidOutput, "provider %q: %w", t.name, violation)
	err.Message = fmt.Sprintf("provider %q: %s%s", t.name, err.SafeMessage, seeLog)
	t.agent.logger.Debug("what is wrong with a provider's output", "provider", t.name, "text", violation)
	var own interface{ Safe() string }
	if errors.As(violation, &own) {
		return err.WithSafe("%s %s", t.title(), own.Safe())
	}
	return err.WithSafe("%s %s", t.title(), err.SafeMessage)
}

package answer

import (
	"errors"

	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk/reason"
)

// synthesisError is what kept a synthesizer from answering. An error that is no
// reason.Error is one of the synthesis itself.
func synthesisError(err error) *reason.Error {
	var known *reason.Error
	if errors.As(err, &known) {
		return known
	}
	return reason.New(reason.AggregatorFailed, reason.ReasonAggregatorFailed, "word the answer: %w", err).
		WithSafe("The answer could not be worded.")
}

// ungrounded is the error of a text that says what it must not.
func ungrounded(c provider.Call, violation error) *reason.Error {
	return reason.Provider(reason.InvalidOutput, "provider %q wrote an answer that is not shown: %w", c.Provider, violation).
		WithSafe("The wording by provider %q was not shown: it does not agree with the result.", c.Provider).
		WithEvidence("provider", string(c.Provider))
}

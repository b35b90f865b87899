package answer

import (
	"errors"

	"querent.dev/querent/core/notes"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
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
	err := reason.Provider(reason.InvalidOutput, "provider %q wrote an answer that is not shown: %w", c.Provider, violation).
		WithSafe("The wording by provider %q was not shown: it does not agree with the result.", c.Provider).
		WithEvidence("provider", string(c.Provider))
	if untraced(violation) {
		err.WithSafe("Provider %q: %s", c.Provider, notes.Untraced)
	}
	return err
}

// untraced reports whether a text was refused for what it says of the result.
func untraced(err error) bool {
	var found unproved
	return errors.As(err, &found)
}

// replacedNote says that another than the configured synthesizer wrote the answer, and
// why.
func replacedNote(language string, why *reason.Error) wire.Note {
	if untraced(why) {
		return notes.FallbackUntraced(language)
	}
	return notes.Fallback(language, why)
}

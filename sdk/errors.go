package sdk

import (
	"errors"
	"fmt"
	"time"

	"querent.dev/querent/sdk/reason"
)

// Error is a provider's failure. It crosses the wire as a gRPC status with
// details, never as a string to parse.
type Error struct {
	Kind       reason.Kind
	Message    string        // for the operator; must hold no secret
	RetryAfter time.Duration // 0: not said
	// OutputSent is set when part of the output was passed on already.
	OutputSent bool
	// Status is the HTTP status of the provider's server, 0 if there was none.
	Status int
	// ProviderRequestID is the server's id of the call, for support.
	ProviderRequestID string
	// Setting is the setting of the request that was refused, for invalid_request,
	// when the server or the plugin names it: one of the Setting… names, or the name
	// of an option of the provider's own. The host can ask again without it.
	Setting string

	cause error
}

// The settings of a GenerateRequest, as Error.Setting and Warning.Setting name them.
const (
	SettingOutputMode      = "output_mode" // the form of the output, or the schema of it
	SettingMaxOutputTokens = "max_output_tokens"
	SettingTemperature     = "temperature"
	SettingSeed            = "seed"
	SettingStop            = "stop"
	SettingThinking        = "thinking"
)

// Errorf makes an Error of kind k. A %w verb keeps the cause for errors.Is.
func Errorf(k reason.Kind, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Kind: k, Message: err.Error(), cause: errors.Unwrap(err)}
}

// Error is the kind and the message.
func (e *Error) Error() string { return string(e.Kind) + ": " + e.Message }

// Unwrap is the cause, or nil. It does not cross the wire.
func (e *Error) Unwrap() error { return e.cause }

// Is reports whether target is an Error of the same kind.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Kind == e.Kind
}

// KindOf is the kind of the Error in err, or internal when there is none.
func KindOf(err error) reason.Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return reason.InternalProvider
}

// ErrUnsupported is returned, wrapped or not, by a call that the plugin does not
// offer. The host sees it for a call that is missing in the plugin's protocol
// version, too.
var ErrUnsupported = errors.New("not supported by this plugin")

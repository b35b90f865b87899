// Package reason holds the one table of what can go wrong: codes, reasons, what
// is retried, exit codes and who may word the explanation. Codes and reasons
// are a contract: they are added, never renamed. The package is a leaf.
package reason

import (
	"errors"
	"fmt"
)

// Code says which step failed.
type Code string

// Reason is what programs switch on.
type Reason string

// Stage groups codes by the part of a run in which they arise.
type Stage string

// The stages, in the order of a run.
const (
	StageState     Stage = "state"
	StageAccess    Stage = "access"
	StageResolve   Stage = "resolve"
	StagePlan      Stage = "plan"
	StageValidate  Stage = "validate"
	StageExecute   Stage = "execute"
	StageAggregate Stage = "aggregate"
	StageProvider  Stage = "provider"
	StageRun       Stage = "run"
)

// Severity is how bad an error is for the run.
type Severity string

// The severities.
const (
	SeverityWarning Severity = "warning"
	SeverityError   Severity = "error"
)

// Error is a failure as every part of the engine reports it. It survives the
// wire: errors.As finds it after any wrapping. Message is for the operator's
// log; SafeMessage may be shown to the asker and to a model and never holds
// text of a database or a provider.
type Error struct {
	Stage       Stage             `json:"stage"`
	Node        string            `json:"node,omitempty"`
	Code        Code              `json:"code"`
	Reason      Reason            `json:"reason"`
	Severity    Severity          `json:"severity"`
	Retryable   bool              `json:"retryable"`
	Message     string            `json:"message"`
	SafeMessage string            `json:"safe_message"`
	Evidence    map[string]string `json:"evidence,omitempty"`
	NextAction  string            `json:"next_action,omitempty"`
	// Recovered is set when a later attempt replaced the one that failed.
	Recovered bool `json:"recovered,omitempty"`

	cause error
}

// New makes an error of a (code, reason) row of the table, with the row's
// stage, retry rule, safe message and next action. It panics on a pair that is
// not in the table: pairs are constants, so this is a mistake of the code.
func New(code Code, why Reason, format string, args ...any) *Error {
	row, ok := Lookup(code, why)
	if !ok {
		panic(fmt.Sprintf("reason: %s/%s is not in the table", code, why))
	}
	err := fmt.Errorf(format, args...)
	return &Error{
		Stage: row.Stage, Code: code, Reason: why, Severity: SeverityError, Retryable: row.Retryable,
		Message: err.Error(), SafeMessage: row.SafeMessage, NextAction: row.NextAction,
		cause: errors.Unwrap(err),
	}
}

// WithSafe replaces the safe message with one that says more. The text must
// hold nothing that the asker may not see.
func (e *Error) WithSafe(format string, args ...any) *Error {
	e.SafeMessage = fmt.Sprintf(format, args...)
	return e
}

// WithNext replaces the next action.
func (e *Error) WithNext(format string, args ...any) *Error {
	e.NextAction = fmt.Sprintf(format, args...)
	return e
}

// WithEvidence adds a named detail that programs may read.
func (e *Error) WithEvidence(key, value string) *Error {
	if e.Evidence == nil {
		e.Evidence = map[string]string{}
	}
	e.Evidence[key] = value
	return e
}

// At names the node in which the error arose, unless one is named already.
func (e *Error) At(node string) *Error {
	if e.Node == "" {
		e.Node = node
	}
	return e
}

// Error is the operator's message behind its code and reason.
func (e *Error) Error() string { return fmt.Sprintf("%s (%s): %s", e.Code, e.Reason, e.Message) }

// Unwrap is the error that the last %w of New named, or nil.
func (e *Error) Unwrap() error { return e.cause }

// Is reports whether target is an Error with the same code and reason; an empty
// field of target matches any.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && (t.Code == "" || t.Code == e.Code) && (t.Reason == "" || t.Reason == e.Reason)
}

// From finds the Error in err, or makes an INTERNAL one of it. It is nil for nil.
func From(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return New(Internal, ReasonInternal, "%w", err)
}

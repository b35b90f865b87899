package remote

import (
	"context"
	"errors"
	"io"
	"net"
	"syscall"
	"time"

	"querent.dev/querent/sdk/reason"
)

var (
	errClosed    = errors.New("the datasource was closed")
	errTimeLimit = errors.New("the time limit of the query passed")
	errConnect   = errors.New("no connection could be made")
)

// Failure is what kind of failure a server's own error is.
type Failure int

// The kinds of failure.
const (
	Failed      Failure = iota // of the query itself
	Unreachable                // of the server, or of the way to it
	AuthFailed                 // of the account
	NotPermitted
	SchemaChanged
	TimedOut
	OutOfRange // a number beyond its type
)

// Reason turns a failure of work under ctx into a reason. What ended the context
// counts first: the server's errors only follow from it. kindOf tells the kinds
// that the server's own errors have.
func (b *Base) Reason(ctx context.Context, err error, kindOf func(error) (Failure, bool)) error {
	if err == nil {
		return nil
	}
	if stopped := b.Stopped(ctx); stopped != nil {
		return stopped
	}
	var known *reason.Error
	if errors.As(err, &known) {
		return known
	}
	kind, ok := kindOf(err)
	if !ok && lost(err) {
		kind = Unreachable
	}
	return b.ofKind(kind, err)
}

func (b *Base) ofKind(kind Failure, err error) error {
	id := b.Options.ID
	switch kind {
	case Unreachable:
		return b.unreachable(err)
	case AuthFailed:
		return reason.New(reason.DatasourceAuthFailed, reason.ReasonAuthFailed,
			"datasource %s at %s: the database refuses the account; correct dsn: %w", id, b.Server, err)
	case NotPermitted:
		return reason.New(reason.DatasourceAuthFailed, reason.ReasonAuthFailed,
			"datasource %s at %s: the account may not do this; grant it SELECT on the tables that roles may read: %w", id, b.Server, err)
	case SchemaChanged:
		return reason.New(reason.SchemaChanged, reason.ReasonSchemaChanged, "datasource %s: %w", id, err)
	case TimedOut:
		return reason.New(reason.QueryTimeout, reason.ReasonTimeout, "datasource %s: %w", id, err)
	case OutOfRange:
		return reason.New(reason.ExecutionFailed, reason.ReasonExecutionFailed, "datasource %s: %w", id, err).
			WithSafe("A total, or another calculated number, is larger than its type can hold.").
			WithNext("Narrow the question so that less is added up, ask for the average, or add the numbers up as decimals or floats.")
	}
	return reason.New(reason.ExecutionFailed, reason.ReasonExecutionFailed, "datasource %s: %w", id, err)
}

func (b *Base) unreachable(err error) *reason.Error {
	return reason.New(reason.DatasourceUnreachable, reason.ReasonUnavailable,
		"datasource %s at %s: %w", b.Options.ID, b.Server, err)
}

// Stopped tells a time limit from a cancellation; nil when ctx has not ended.
func (b *Base) Stopped(ctx context.Context) error {
	cause := context.Cause(ctx)
	switch {
	case cause == nil:
		return nil
	case errors.Is(cause, errClosed):
		return b.unreachable(cause)
	case errors.Is(cause, errTimeLimit), errors.Is(cause, context.DeadlineExceeded):
		return reason.New(reason.QueryTimeout, reason.ReasonTimeout, "datasource %s: %w", b.Options.ID, cause)
	}
	return reason.New(reason.CancelledCode, reason.ReasonCancelled, "datasource %s: query stopped: %w", b.Options.ID, cause)
}

// busy is the error of a query that found no free connection in time.
func (b *Base) busy(waited time.Duration) error {
	return reason.New(reason.DatasourceUnreachable, reason.ReasonUnavailable,
		"datasource %s: all %d connections were busy for %s; raise max_parallel or ask less at once",
		b.Options.ID, b.MaxParallel, waited)
}

// Incomplete is the error of a result that the server cut without saying so in
// the result.
func (b *Base) Incomplete(code int) error {
	return reason.New(reason.ExecutionFailed, reason.ReasonExecutionFailed,
		"datasource %s: the database left out a part of the result (its warning %d)", b.Options.ID, code).
		WithSafe("The database left out a part of the result, so there is no complete answer.").
		WithNext("Narrow the question so that less is put together.")
}

// lost reports whether err is of the connection and not of what went over it.
func lost(err error) bool {
	var network net.Error
	return errors.Is(err, errConnect) || errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

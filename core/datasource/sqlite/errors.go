package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"querent.dev/querent/sdk/reason"
)

var (
	errClosed    = errors.New("the datasource was closed")
	errTimeLimit = errors.New("the time limit of the query passed")
)

// unreachable is the error of a file that cannot be used as a database.
func unreachable(path, format string, args ...any) *reason.Error {
	return reason.New(reason.DatasourceUnreachable, reason.ReasonUnavailable,
		"open database file %s: %w", path, fmt.Errorf(format, args...))
}

// explain turns a failure of work under ctx into a reason. What ended the
// context counts first, then the host's own findings, then what the authorizer
// refused: SQLite's own errors only follow from them.
func (d *database) explain(ctx context.Context, g *grants, err error) error {
	if err == nil {
		return nil
	}
	if stopped := d.stopped(ctx); stopped != nil {
		return stopped
	}
	var known *reason.Error
	if errors.As(err, &known) {
		return known
	}
	if g.refused != "" {
		return reason.New(reason.PolicyDenied, reason.ReasonNotPermitted,
			"datasource %s: SQLite was about to do what was not granted: %s", d.options.ID, g.refused)
	}
	return d.classify(err)
}

// stopped tells a time limit from a cancellation; nil when ctx has not ended.
func (d *database) stopped(ctx context.Context) error {
	cause := context.Cause(ctx)
	switch {
	case cause == nil:
		return nil
	case errors.Is(cause, errClosed):
		return unreachable(d.options.Path, "%w", cause)
	case errors.Is(cause, errTimeLimit), errors.Is(cause, context.DeadlineExceeded):
		return reason.New(reason.QueryTimeout, reason.ReasonTimeout, "datasource %s: %w", d.options.ID, cause)
	}
	return reason.New(reason.CancelledCode, reason.ReasonCancelled, "datasource %s: query stopped: %w", d.options.ID, cause)
}

// busy is the error of a query that found no free connection in time.
func (d *database) busy(waited time.Duration) error {
	return reason.New(reason.DatasourceUnreachable, reason.ReasonUnavailable,
		"datasource %s: all %d connections were busy for %s; raise max_parallel or ask less at once",
		d.options.ID, d.options.MaxParallel, waited)
}

// classify turns an error of SQLite into a reason.
func (d *database) classify(err error) error {
	const unreadable = "it cannot be read; give the host's user the right to, and in WAL mode to write in its folder: %w"
	switch kindOf(err) {
	case sqlite3.SQLITE_AUTH:
		return reason.New(reason.PolicyDenied, reason.ReasonNotPermitted, "datasource %s: %w", d.options.ID, err)
	case sqlite3.SQLITE_NOTADB:
		return unreachable(d.options.Path, "it is not an SQLite database, or it is encrypted: %w", err)
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY:
		return unreachable(d.options.Path, unreadable, err)
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CORRUPT:
		return unreachable(d.options.Path, "it is damaged, or its disk is: %w", err)
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL:
		return unreachable(d.options.Path, "another program is writing to it: %w", err)
	case sqlite3.SQLITE_SCHEMA:
		return reason.New(reason.SchemaChanged, reason.ReasonSchemaChanged, "datasource %s: %w", d.options.ID, err)
	case sqlite3.SQLITE_ERROR:
		// The statement names catalog objects alone, so one that is missing was
		// there when the catalog was read.
		if strings.Contains(err.Error(), "no such table") || strings.Contains(err.Error(), "no such column") {
			return reason.New(reason.SchemaChanged, reason.ReasonSchemaChanged, "datasource %s: %w", d.options.ID, err)
		}
	}
	if errors.Is(err, errBeyond64Bits) || kindOf(err) == sqlite3.SQLITE_ERROR && strings.Contains(err.Error(), "integer overflow") {
		return reason.New(reason.ExecutionFailed, reason.ReasonExecutionFailed, "datasource %s: %w", d.options.ID, err).
			WithSafe("A total, or another calculated number, is larger than a 64-bit integer can hold.").
			WithNext("Narrow the question so that less is added up, ask for the average, or add the numbers up as decimals or floats.")
	}
	return reason.New(reason.ExecutionFailed, reason.ReasonExecutionFailed, "datasource %s: %w", d.options.ID, err)
}

// kindOf is the kind of an error of SQLite, the low byte of its code; 0 for any
// other error.
func kindOf(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0
	}
	return e.Code() & 0xff
}

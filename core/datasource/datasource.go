// Package datasource is the seam to databases: what every adapter offers. The
// adapters are its sub-packages.
package datasource

import (
	"context"
	"time"

	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/wire"
)

// Datasource is an open database. All methods may be called concurrently.
// Errors are *reason.Error (datasource unreachable, auth failed, schema
// changed, query timeout, execution failed) whose safe message holds no text of
// the database.
type Datasource interface {
	ID() schema.DatasourceID
	Dialect() schema.Dialect
	// Introspect reads the structure anew. Of rows it reads at most a bounded
	// sample, and only where the declared types do not say what columns hold.
	Introspect(ctx context.Context) (*schema.Catalog, error)
	// Query runs a statement read-only. The caller closes the Rows. The query
	// is stopped in the database when ctx ends or the time limit passes.
	Query(ctx context.Context, s sqlgen.Statement, l Limits) (Rows, error)
	// Close releases the connections. Running queries are stopped.
	Close() error
}

// Explainer is implemented by datasources that can say what a statement would
// cost without running it.
type Explainer interface {
	// Explain asks the database for its plan, never running the statement. It is
	// safe for concurrent use and ends with ctx.
	Explain(ctx context.Context, s sqlgen.Statement) (Estimate, error)
}

// Estimate is what a database expects of a statement.
type Estimate struct {
	Rows          int64    // the most rows that one step of its plan is thought to yield; -1: not known
	Cost          float64  // in the database's own unit; 0: not known
	CrossProducts int      // joins without any condition between their two sides
	Scans         []string // tables read whole, as schema.table
}

// Pinger is implemented by datasources that can tell cheaply whether they can be
// asked now.
type Pinger interface {
	// Ping reaches the database, and reads next to nothing of it. It is safe for
	// concurrent use and ends with ctx.
	Ping(ctx context.Context) error
}

// AccountChecker is implemented by datasources that can tell what the account
// itself is allowed, whatever Querent asks of it.
type AccountChecker interface {
	// CanWrite reports whether the account could write, and says by what right.
	CanWrite(ctx context.Context) (bool, string, error)
}

// Limits bound one query. A zero field means no limit of its kind.
type Limits struct {
	Rows    int64         // rows handed out; one more is fetched to know whether the result was cut
	Bytes   int64         // bytes of cell text handed out
	Timeout time.Duration // time in the database, server side where it can be set
}

// Rows is a forward reader of a result. It is not safe for concurrent use.
type Rows interface {
	// Next reads a row into the slice that Row returns. It is false at the end,
	// at a limit, and on an error.
	Next() bool
	// Row is the current row. The slice is reused by Next; the values are not.
	Row() []wire.Value
	// Err is the error that ended reading, or nil.
	Err() error
	// Truncated reports, after Next was false, whether a limit cut the result.
	Truncated() bool
	// Close ends the query and frees its connection. It may be called twice.
	Close() error
}

// Cut is the limit that cut a result.
type Cut string

// The limits that can cut a result.
const (
	CutNone    Cut = ""
	CutByRows  Cut = "rows"
	CutByBytes Cut = "bytes"
)

// CutTeller is implemented by Rows that know which limit cut them.
type CutTeller interface {
	// CutBy is CutNone exactly when Truncated is false.
	CutBy() Cut
}

// CutOf tells, after Next was false, which limit cut r. Rows that do not know
// are taken to be cut by the row limit.
func CutOf(r Rows) Cut {
	if teller, ok := r.(CutTeller); ok {
		return teller.CutBy()
	}
	if r.Truncated() {
		return CutByRows
	}
	return CutNone
}

// Package remote holds what the adapters of databases behind a network share:
// their options, the bounded and ended use of connections, the reading of rows
// under limits, and the errors.
package remote

import (
	"context"
	"sync"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/reason"
)

const (
	// defaultMaxParallel keeps the load on a server that others use small.
	defaultMaxParallel = 4
	// defaultStatementTimeout is long for an interactive question, and short enough
	// that a forgotten cross join frees its server.
	defaultStatementTimeout = 20 * time.Second
	// ServerFirst is how much earlier than the client the server ends a query that
	// is out of time: the connection outlives an end by the server.
	ServerFirst = 500 * time.Millisecond
	// ConnectTimeout bounds the opening of one connection.
	ConnectTimeout = 10 * time.Second
	// IntrospectionTimeout bounds the reading of a whole database's structure.
	IntrospectionTimeout = 60 * time.Second
	// ReleaseTimeout bounds the work that returns a connection, which is done even
	// when its query's context has ended.
	ReleaseTimeout = 5 * time.Second
	// SmallProduct is how many pairs of rows make no cross product worth telling of:
	// servers choose them on purpose to join small tables.
	SmallProduct = 10_000
	// MaxSQL is the longest text that a server is given, in bytes. Rendered plans
	// have a few kB; the limit bounds the parser.
	MaxSQL = 1 << 20
)

// Options say which database to open and how.
type Options struct {
	ID  schema.DatasourceID
	DSN string // it may hold a password, and is never shown
	// Schemas are those that are read, in the adapter's own words; empty means its
	// default.
	Schemas     []string
	Description string
	// MaxParallel is the number of queries that run at once; 0 means 4.
	MaxParallel int
	// StatementTimeout bounds each query; 0 means 20 s. A shorter limit of the
	// caller counts instead.
	StatementTimeout time.Duration
	// Columns adds to what the database tells of its columns, by
	// schema.table.column.
	Columns map[string]config.ColumnConfig
}

// Base is the part of a datasource that counts its uses and ends them.
type Base struct {
	Options
	Server string // host, port and database, for the operator

	slots   chan struct{}
	mu      sync.Mutex
	closed  bool
	running map[*context.CancelCauseFunc]struct{}
}

// NewBase fills in the defaults of o.
func NewBase(o Options, server string) *Base {
	if o.MaxParallel <= 0 {
		o.MaxParallel = defaultMaxParallel
	}
	if o.StatementTimeout <= 0 {
		o.StatementTimeout = defaultStatementTimeout
	}
	return &Base{Options: o, Server: server, slots: make(chan struct{}, o.MaxParallel), running: map[*context.CancelCauseFunc]struct{}{}}
}

// ID implements datasource.Datasource.
func (b *Base) ID() schema.DatasourceID { return b.Options.ID }

// Limit is the time that a query may take in the server.
func (b *Base) Limit(l datasource.Limits) time.Duration {
	if l.Timeout > 0 {
		return min(b.StatementTimeout, l.Timeout)
	}
	return b.StatementTimeout
}

// Check refuses what is no statement of the dialect before a server sees it.
func (b *Base) Check(s sqlgen.Statement, d schema.Dialect) error {
	if !s.Valid() || s.Dialect() != d {
		return reason.New(reason.InvalidState, reason.ReasonInvalidState,
			"datasource %s: the statement was not rendered for %s", b.Options.ID, d)
	}
	if len(s.SQL()) > MaxSQL {
		return reason.New(reason.ExecutionFailed, reason.ReasonExecutionFailed,
			"datasource %s: the query has %d bytes of SQL, more than the %d that are accepted", b.Options.ID, len(s.SQL()), MaxSQL).
			WithSafe("The query is too long for the database.").WithNext("Ask for less at once.")
	}
	return nil
}

// Begin waits for a free place among the queries that run at once, as long as a
// query may take. The context that it returns ends with ctx, after limit, and when
// the datasource is closed; done must be called when the work under it is over.
func (b *Base) Begin(ctx context.Context, limit time.Duration) (_ context.Context, done func(), err error) {
	began := time.Now()
	ctx, unwatch, err := b.watch(ctx)
	if err != nil {
		return nil, nil, err
	}
	wait, cancel := context.WithTimeout(ctx, b.StatementTimeout)
	defer cancel()
	select {
	case b.slots <- struct{}{}:
	case <-wait.Done():
		err := b.Stopped(ctx)
		unwatch()
		if err == nil {
			err = b.busy(time.Since(began).Round(time.Millisecond))
		}
		return nil, nil, err
	}
	ctx, stop := context.WithTimeoutCause(ctx, limit+ServerFirst, errTimeLimit)
	return ctx, sync.OnceFunc(func() { stop(); <-b.slots; unwatch() }), nil
}

// watch makes ctx end when the datasource is closed.
func (b *Base) watch(ctx context.Context) (context.Context, func(), error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, nil, b.unreachable(errClosed)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	b.running[&cancel] = struct{}{}
	return ctx, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.running, &cancel)
		cancel(nil)
	}, nil
}

// Shut stops what runs and refuses what comes. It is true the first time.
func (b *Base) Shut() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	first := !b.closed
	b.closed = true
	for cancel := range b.running {
		(*cancel)(errClosed)
	}
	return first
}

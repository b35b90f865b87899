// Package sqlite is the adapter for SQLite files. A file is opened so that it
// cannot be written, and every connection carries an authorizer that refuses
// all but the columns of the statement it runs: what SQLite compiles is checked
// against what the policy granted, whatever the text of the statement says.
//
// Dates are text or numbers in SQLite. Introspect looks at a bounded sample of
// each column that may hold dates to tell how (see package content); a column's
// storage in the configuration overrides what the sample says, and must fit it.
package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/reason"
)

// defaultStatementTimeout bounds a query for which neither the datasource nor
// the caller says how long it may take: long for an interactive question, short
// enough that a forgotten cross join frees its core.
const defaultStatementTimeout = 20 * time.Second

// Options say which file to open and how.
type Options struct {
	ID          schema.DatasourceID
	Path        string
	Description string
	// MaxParallel is the number of queries that run at once; 0 means one per
	// core, beyond which SQLite gains nothing.
	MaxParallel int
	// StatementTimeout bounds each query; 0 means 20 s. A shorter limit of the
	// caller counts instead.
	StatementTimeout time.Duration
	// Columns adds to what the file tells of its columns, by schema.table.column.
	Columns map[string]config.ColumnConfig
}

// database is an open file. Its pool is replaced when the file is.
type database struct {
	options Options

	mu      sync.Mutex
	pool    *pool // nil until the first use, and after Close
	closed  bool
	running map[*context.CancelCauseFunc]struct{}
}

var _ datasource.Datasource = (*database)(nil)

// Open opens the SQLite file at o.Path read-only. It never creates a file: one
// that is missing, is a folder, cannot be read or holds no SQLite database is a
// DATASOURCE_UNREACHABLE error. Close must be called on what it returns.
func Open(o Options) (datasource.Datasource, error) {
	path, err := filepath.Abs(o.Path)
	if err != nil {
		return nil, unreachable(o.Path, "find the current folder: %w", err)
	}
	o.Path = path
	if o.MaxParallel <= 0 {
		o.MaxParallel = runtime.NumCPU()
	}
	if o.StatementTimeout <= 0 {
		o.StatementTimeout = defaultStatementTimeout
	}
	d := &database{options: o, running: map[*context.CancelCauseFunc]struct{}{}}
	if err := d.probe(); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// probeTimeout bounds the first look at a file, which a slow disk may delay.
const probeTimeout = 10 * time.Second

// probe looks whether the file can be asked at all.
func (d *database) probe() error {
	ctx, cancel := context.WithTimeoutCause(context.Background(), probeTimeout, errTimeLimit)
	defer cancel()
	return d.Ping(ctx)
}

// ID implements datasource.Datasource.
func (d *database) ID() schema.DatasourceID { return d.options.ID }

// Dialect implements datasource.Datasource.
func (d *database) Dialect() schema.Dialect { return schema.SQLite }

// Query implements datasource.Datasource.
func (d *database) Query(ctx context.Context, s sqlgen.Statement, l datasource.Limits) (datasource.Rows, error) {
	if !s.Valid() || s.Dialect() != schema.SQLite {
		return nil, reason.New(reason.InvalidState, reason.ReasonInvalidState,
			"datasource %s: the statement was not rendered for SQLite", d.options.ID)
	}
	r, err := d.run(ctx, queryOf(s), l)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Close implements datasource.Datasource.
func (d *database) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	for cancel := range d.running {
		(*cancel)(errClosed)
	}
	if d.pool == nil {
		return nil
	}
	p := d.pool
	d.pool = nil
	return p.db.Close()
}

// current is the pool for the file as it is on disk now. A file that was
// replaced gets a new pool; queries on the old file end undisturbed. A file that
// is gone is an error, though its open connections could still read it.
func (d *database) current() (*pool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, unreachable(d.options.Path, "%w", errClosed)
	}
	info, err := inspect(d.options.Path)
	if err == nil && d.pool != nil && os.SameFile(info, d.pool.file) {
		return d.pool, nil
	}
	if d.pool != nil {
		err = errors.Join(err, d.pool.db.Close())
		d.pool = nil
	}
	if err != nil {
		return nil, err
	}
	d.pool, err = newPool(d.options, info)
	return d.pool, err
}

// watch makes ctx end when the database is closed. The returned function must
// be called when the work under it is over.
func (d *database) watch(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		cancel(errClosed)
	}
	d.running[&cancel] = struct{}{}
	return ctx, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.running, &cancel)
		cancel(nil)
	}
}

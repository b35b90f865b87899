// Package postgres is the adapter for PostgreSQL 13 and later. Each query runs in
// a read-only transaction of its own over the extended protocol, which takes one
// statement, with every argument bound. Cells come as the server's text and are
// converted without loss; a type that the host does not know is text.
package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/datasource/internal/remote"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/reason"
)

// Options say which database to open and how. DSN is a URL or the key=value form
// of libpq, whose environment variables and password file count, too. Schemas are
// those of the database; empty means all that the account may use.
type Options = remote.Options

// database is an open database. Connections are made when they are needed.
type database struct {
	*remote.Base
	pool *pool
}

var (
	_ datasource.Datasource     = (*database)(nil)
	_ datasource.Explainer      = (*database)(nil)
	_ datasource.AccountChecker = (*database)(nil)
)

// Open opens a database without connecting to it. Close must be called on what it
// returns. A DSN that cannot be read is a DATASOURCE_UNREACHABLE error, which does
// not show it.
func Open(o Options) (datasource.Datasource, error) {
	config, err := pgconn.ParseConfig(o.DSN)
	if err != nil {
		// The error is left out: it quotes the DSN with what may be a password.
		return nil, reason.New(reason.DatasourceUnreachable, reason.ReasonUnavailable,
			"datasource %s: dsn cannot be read; expected postgres://USER:PASSWORD@HOST:PORT/DATABASE or host=… user=… dbname=…, with special characters in a URL escaped as %%XX, and files it names in place", o.ID)
	}
	config.ConnectTimeout = remote.ConnectTimeout
	server := fmt.Sprintf("%s:%d/%s", config.Host, config.Port, config.Database)
	return &database{Base: remote.NewBase(o, server), pool: newPool(config)}, nil
}

// Dialect implements datasource.Datasource.
func (d *database) Dialect() schema.Dialect { return schema.Postgres }

// Query implements datasource.Datasource.
func (d *database) Query(ctx context.Context, s sqlgen.Statement, l datasource.Limits) (datasource.Rows, error) {
	if err := d.Check(s, schema.Postgres); err != nil {
		return nil, err
	}
	args, err := encodeAll(s.Args())
	if err != nil {
		return nil, d.Reason(ctx, err, kindOf)
	}
	limit := d.Limit(l)
	ctx, done, err := d.Begin(ctx, limit)
	if err != nil {
		return nil, err
	}
	explain := func(err error) error { return d.Reason(ctx, err, kindOf) }
	c, err := start(ctx, d.pool, limit, s.SQL(), args)
	if err != nil {
		defer done()
		return nil, explain(err)
	}
	return remote.NewRows(c, s.Columns(), l, explain, done)
}

// Close implements datasource.Datasource.
func (d *database) Close() error {
	d.Shut()
	return d.pool.Close()
}

// Package mysql is the adapter for MariaDB 10.6 and later. MySQL 8 speaks the same
// protocol and is not tested. Each query runs in a read-only transaction of its own
// as a prepared statement, with every argument bound, and is read as the server
// sends it. A query that is stopped is killed in the server over a second
// connection, and its own connection is closed.
package mysql

import (
	"context"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/datasource/internal/remote"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/reason"
)

// Options say which database to open and how. DSN is a URL
// (mysql://USER:PASSWORD@HOST:PORT/DATABASE?tls=true) or the driver's own form
// (USER:PASSWORD@tcp(HOST:PORT)/DATABASE). Schemas are databases; empty means that
// of the DSN. In a URL tls-ca names the file of the authority that signed the
// server's certificate, and socket the server's Unix socket.
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
// returns. A DSN that cannot be read, or that names no database where Schemas are
// empty, is a DATASOURCE_UNREACHABLE error, which does not show it.
func Open(o Options) (datasource.Datasource, error) {
	config, err := parseDSN(o.DSN)
	if err != nil {
		return nil, reason.New(reason.DatasourceUnreachable, reason.ReasonUnavailable, "datasource %s: dsn cannot be read: %w", o.ID, err)
	}
	if len(o.Schemas) == 0 {
		if config.DBName == "" {
			return nil, reason.New(reason.DatasourceUnreachable, reason.ReasonUnavailable,
				"datasource %s: dsn names no database; add it, or list databases under schemas", o.ID)
		}
		o.Schemas = []string{config.DBName}
	}
	p, err := newPool(config)
	if err != nil {
		return nil, reason.New(reason.DatasourceUnreachable, reason.ReasonUnavailable, "datasource %s: dsn has contradictory options", o.ID)
	}
	return &database{Base: remote.NewBase(o, config.Addr+"/"+config.DBName), pool: p}, nil
}

// Dialect implements datasource.Datasource.
func (d *database) Dialect() schema.Dialect { return schema.MySQL }

// Query implements datasource.Datasource.
func (d *database) Query(ctx context.Context, s sqlgen.Statement, l datasource.Limits) (datasource.Rows, error) {
	if err := d.Check(s, schema.MySQL); err != nil {
		return nil, err
	}
	limit := d.Limit(l)
	ctx, done, err := d.Begin(ctx, limit)
	if err != nil {
		return nil, err
	}
	explain := func(err error) error { return d.Reason(ctx, err, kindOf) }
	c, err := d.start(ctx, limit, s.SQL(), s.Args())
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

package main

import (
	"context"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/datasource/mysql"
	"querent.dev/querent/core/datasource/postgres"
	"querent.dev/querent/core/datasource/sqlite"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
)

// openDatasource opens the datasource id of cfg. A database that cannot be opened
// fails when it is asked, so that the question is explained like any other.
func openDatasource(cfg *config.Config, id schema.DatasourceID) (datasource.Datasource, error) {
	d := cfg.Datasources[id]
	var source datasource.Datasource
	var opening error
	if dialect := schema.Dialect(d.Adapter); dialect == schema.SQLite {
		path, err := cfg.SQLitePath(id)
		if err != nil {
			return nil, err
		}
		source, opening = sqlite.Open(sqlite.Options{
			ID: id, Path: path, Description: d.Description, MaxParallel: d.MaxParallel,
			StatementTimeout: d.StatementTimeout.Std(), Columns: d.Columns,
		})
	} else {
		dsn, err := cfg.DSN(id)
		if err != nil {
			return nil, err
		}
		source, opening = openServer(dialect, postgres.Options{
			ID: id, DSN: dsn, Schemas: d.Schemas, Description: d.Description, MaxParallel: d.MaxParallel,
			StatementTimeout: d.StatementTimeout.Std(), Columns: d.Columns,
		})
	}
	if opening != nil {
		return unopened{id, schema.Dialect(d.Adapter), opening}, nil
	}
	return source, nil
}

func openServer(dialect schema.Dialect, o postgres.Options) (datasource.Datasource, error) {
	if dialect == schema.MySQL {
		return mysql.Open(o)
	}
	return postgres.Open(o)
}

// unopened is a datasource that could not be opened: every use is that error.
type unopened struct {
	id      schema.DatasourceID
	dialect schema.Dialect
	err     error
}

var _ datasource.Datasource = unopened{}

func (u unopened) ID() schema.DatasourceID { return u.id }

func (u unopened) Dialect() schema.Dialect { return u.dialect }

func (u unopened) Introspect(context.Context) (*schema.Catalog, error) { return nil, u.err }

func (u unopened) Query(context.Context, sqlgen.Statement, datasource.Limits) (datasource.Rows, error) {
	return nil, u.err
}

func (u unopened) Close() error { return nil }

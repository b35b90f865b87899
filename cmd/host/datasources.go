package main

import (
	"context"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/datasource/sqlite"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
)

// openSQLite opens the database at path. A database that cannot be opened fails
// when it is asked, so that the question is explained like any other.
func openSQLite(id schema.DatasourceID, path string, d config.Datasource) datasource.Datasource {
	source, err := sqlite.Open(sqlite.Options{
		ID: id, Path: path, Description: d.Description, MaxParallel: d.MaxParallel,
		StatementTimeout: d.StatementTimeout.Std(), Columns: d.Columns,
	})
	if err != nil {
		return unopened{id, err}
	}
	return source
}

// unopened is a datasource that could not be opened: every use is that error.
type unopened struct {
	id  schema.DatasourceID
	err error
}

var _ datasource.Datasource = unopened{}

func (u unopened) ID() schema.DatasourceID { return u.id }

func (u unopened) Dialect() schema.Dialect { return schema.SQLite }

func (u unopened) Introspect(context.Context) (*schema.Catalog, error) { return nil, u.err }

func (u unopened) Query(context.Context, sqlgen.Statement, datasource.Limits) (datasource.Rows, error) {
	return nil, u.err
}

func (u unopened) Close() error { return nil }

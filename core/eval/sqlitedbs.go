package eval

import (
	"context"

	"querent.dev/querent/core/datasource/sqlite"
	"querent.dev/querent/core/schema"
)

// SQLiteFiles opens the files of a suite themselves.
type SQLiteFiles struct{}

var _ Databases = SQLiteFiles{}

// suiteID is the id of a suite's database, whatever its name: plans do not hold it.
const suiteID schema.DatasourceID = "suite"

// Dialect implements Databases.
func (SQLiteFiles) Dialect() schema.Dialect { return schema.SQLite }

// Open implements Databases.
func (SQLiteFiles) Open(_ context.Context, path string) (*Database, error) {
	source, err := sqlite.Open(sqlite.Options{ID: suiteID, Path: path})
	if err != nil {
		return nil, err
	}
	return &Database{Source: source, Gold: func(ctx context.Context, query string) (*Gold, error) { return RunGold(ctx, path, query) }}, nil
}

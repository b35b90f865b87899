//go:build databases

package crossdialect_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/datasource/dbtest"
	"querent.dev/querent/core/datasource/mysql"
	"querent.dev/querent/core/datasource/postgres"
	"querent.dev/querent/core/datasource/sqlite"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// TestPlansThroughAdapters runs the plans of testdata/plans.txt as the product
// does: the adapters read the structure of the databases, and the values.
func TestPlansThroughAdapters(t *testing.T) {
	all := []*engine{sqliteFile(t), server(t, dbtest.Postgres(t)), server(t, dbtest.MariaDB(t))}
	for _, line := range planLines(t) {
		if strings.Contains(line.plan, "iso") && strings.Contains(line.plan, "max(") {
			continue // docs/dialects.md: SQLite gives text back as it is stored
		}
		out, err := run(all, line.plan, time.UTC)
		if err != nil {
			t.Errorf("line %d: %v\n%s", line.number, err, line.plan)
			continue
		}
		if d := differences(out, strings.Contains(line.plan, `"order"`)); d != "" {
			t.Errorf("line %d: %s\n%s", line.number, line.plan, d)
		}
	}
}

// storages are what the configuration says of the columns of the engine.
func (e *engine) storages(schemaName string) map[string]config.ColumnConfig {
	out := map[string]config.ColumnConfig{}
	for _, tab := range tables() {
		for _, f := range tab.fields {
			storage := f.storage
			if e.dialect == schema.SQLite && f.sqliteStorage != "" {
				storage = f.sqliteStorage
			}
			if storage != "" {
				out[schemaName+"."+tab.name+"."+f.name] = config.ColumnConfig{Storage: storage}
			}
		}
	}
	return out
}

func sqliteFile(t *testing.T) *engine {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cross.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	e := &engine{dialect: schema.SQLite, db: db}
	e.create(t)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	source, err := sqlite.Open(sqlite.Options{ID: "cross", Path: path, Columns: e.storages("main")})
	return e.through(t, source, err)
}

func server(t *testing.T, s *dbtest.Server) *engine {
	t.Helper()
	collation := "en-US"
	if s.Dialect == schema.MySQL {
		collation = "utf8mb4_general_ci"
	}
	d := s.DatabaseWith(t, dbtest.Options{Collation: collation})
	e := &engine{dialect: s.Dialect, db: d.DB}
	var source datasource.Datasource
	var err error
	if s.Dialect == schema.Postgres {
		e.create(t)
		source, err = postgres.Open(postgres.Options{ID: "cross", DSN: d.DSN, Columns: e.storages("public")})
	} else {
		e.db.SetMaxOpenConns(1)
		e.exec(t, "SET time_zone = '+00:00'")
		e.create(t)
		source, err = mysql.Open(mysql.Options{ID: "cross", DSN: d.DSN, Columns: e.storages(d.Name)})
	}
	return e.through(t, source, err)
}

// through makes the engine ask by the adapter, with the catalog that it reads.
func (e *engine) through(t *testing.T, source datasource.Datasource, err error) *engine {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { source.Close() })
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if e.catalog, err = source.Introspect(ctx); err != nil {
		t.Fatal(err)
	}
	for _, tab := range e.catalog.Tables {
		if tab.Name == "samples" {
			samplesFit(t, e, tab)
		}
	}
	e.source = source
	return e
}

// samplesFit compares what the adapter read with what was declared.
func samplesFit(t *testing.T, e *engine, tab *schema.Table) {
	t.Helper()
	for _, f := range samples().fields {
		c, ok := tab.Column(f.name)
		if !ok {
			t.Fatalf("%s has no column %s", e.dialect, f.name)
		}
		if kind := f.kind; c.Type.Kind != kind && c.Storage == "" {
			t.Errorf("%s takes %s for %s, not for %s", e.dialect, f.name, c.Type, kind)
		}
	}
}

// adapterRows reads a statement's rows by the adapter.
func (e *engine) adapterRows(rows datasource.Rows, err error) ([]string, error) {
	if err != nil {
		return nil, explained(err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		texts := make([]string, len(rows.Row()))
		for i, v := range rows.Row() {
			if texts[i], err = valueText(v); err != nil {
				return nil, err
			}
		}
		out = append(out, strings.Join(texts, " | "))
	}
	if rows.Truncated() {
		return nil, errors.New("the result is cut")
	}
	return out, explained(rows.Err())
}

// explained is the error with its cause, which the message leaves out.
func explained(err error) error {
	if err == nil {
		return nil
	}
	return errors.Join(err, errors.Unwrap(err))
}

func valueText(v wire.Value) (string, error) {
	switch kind := v.Kind(); {
	case v.IsNull():
		return "null", nil
	case kind == wire.KindBool:
		return v.String(), nil
	case kind == wire.KindInt:
		return cell(v.Int(), kind)
	default:
		return cell(v.String(), kind)
	}
}

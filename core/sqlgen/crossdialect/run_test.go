//go:build databases

package crossdialect_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/datasource/dbtest"
	_ "querent.dev/querent/core/datasource/sqlite" // it registers the functions that statements call
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/wire"
)

var reader = policy.Caller{Name: "kim", Roles: []string{"reader"}}

var now = time.Date(2024, time.March, 2, 15, 4, 5, 0, time.UTC)

// engines are the three databases, filled once for all tests of the binary.
func engines(t *testing.T) []*engine {
	t.Helper()
	once.Do(func() { shared = startEngines(t) })
	if len(shared) != 3 {
		t.Fatal("the databases could not be started")
	}
	return shared
}

var (
	once   sync.Once
	shared []*engine
)

func startEngines(t *testing.T) []*engine {
	lite, err := sql.Open("sqlite", "file:cross?mode=memory&cache=shared")
	if err != nil {
		t.Fatal(err)
	}
	lite.SetMaxOpenConns(1)
	all := []*engine{{dialect: schema.SQLite, db: lite}, startPostgres(t), startMariaDB(t)}
	all[0].build("main")
	for _, e := range all {
		e.create(t)
	}
	// The accents of PostgreSQL's language sort by its rules; plans must not.
	for _, e := range all {
		for _, statement := range sqlgen.Session(e.dialect) {
			e.exec(t, statement)
		}
	}
	return all
}

func startPostgres(t *testing.T) *engine {
	server := dbtest.Postgres(t)
	c, err := pgx.ParseConfig(server.DSN(dbtest.User, dbtest.Password, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	admin := stdlib.OpenDB(*c)
	defer admin.Close()
	if _, err := admin.Exec("CREATE DATABASE crossing TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'"); err != nil {
		t.Fatal(err)
	}
	c.Database = "crossing"
	e := &engine{dialect: schema.Postgres, db: stdlib.OpenDB(*c)}
	e.db.SetMaxOpenConns(1)
	e.build("public")
	for _, tab := range e.catalog.Tables {
		for _, c := range tab.Columns {
			if c.Type.Kind == wire.KindText && c.Collation == "" {
				c.Collation = "default"
			}
		}
	}
	return e
}

func startMariaDB(t *testing.T) *engine {
	server := dbtest.MariaDB(t)
	c := mysql.NewConfig()
	c.User, c.Passwd, c.DBName, c.Net = dbtest.User, dbtest.Password, "mysql", "tcp"
	c.Addr = fmt.Sprintf("%s:%d", server.Host, server.Port)
	connector, err := mysql.NewConnector(c)
	if err != nil {
		t.Fatal(err)
	}
	e := &engine{dialect: schema.MySQL, db: sql.OpenDB(connector)}
	e.db.SetMaxOpenConns(1)
	e.exec(t, "CREATE DATABASE crossing CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci")
	e.exec(t, "USE crossing")
	e.exec(t, "SET time_zone = '+00:00'")
	e.build("crossing")
	return e
}

// errPlan says that a plan was refused before any SQL was written.
var errPlan = errors.New("the plan is refused")

// render binds a plan to the engine's catalog and writes it.
func (e *engine) render(text string, zone *time.Location) (sqlgen.Statement, error) {
	var w wire.Plan
	if err := json.Unmarshal([]byte(text), &w); err != nil {
		return sqlgen.Statement{}, fmt.Errorf("%w: %w", errPlan, err)
	}
	q, err := plan.Bind(w, plan.Scope{Catalog: e.catalog, Clock: plan.Clock{Now: now.In(zone), WeekStart: time.Monday}})
	if err != nil {
		return sqlgen.Statement{}, fmt.Errorf("%w: %w", errPlan, err)
	}
	p, err := policy.Compile(map[config.RoleName]config.Role{"reader": {Tables: config.TableRules{Allow: []string{"*.*.*"}}}})
	if err != nil {
		return sqlgen.Statement{}, err
	}
	s, err := p.Secure(e.catalog, q, reader)
	if err != nil {
		return sqlgen.Statement{}, fmt.Errorf("%w: %w", errPlan, err)
	}
	return sqlgen.Render(s, e.dialect, sqlgen.Options{Zone: zone})
}

// rows runs a statement and gives its rows, a row a text, in order.
func (e *engine) rows(s sqlgen.Statement) ([]string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if e.source != nil {
		rows, err := e.source.Query(ctx, s, datasource.Limits{})
		return e.adapterRows(rows, err)
	}
	args := make([]any, len(s.Args()))
	for i, v := range s.Args() {
		args[i] = argument(v)
	}
	rows, err := e.db.QueryContext(ctx, s.SQL(), args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		cells, places := make([]any, len(s.Columns())), make([]any, len(s.Columns()))
		for i := range cells {
			places[i] = &cells[i]
		}
		if err := rows.Scan(places...); err != nil {
			return nil, err
		}
		texts := make([]string, len(cells))
		for i, c := range cells {
			if texts[i], err = cell(c, s.Columns()[i].Type.Kind); err != nil {
				return nil, fmt.Errorf("column %d: %w", i+1, err)
			}
		}
		out = append(out, strings.Join(texts, " | "))
	}
	return out, rows.Err()
}

func argument(v wire.Value) any {
	switch v.Kind() {
	case wire.KindNull:
		return nil
	case wire.KindBool:
		return v.Bool()
	case wire.KindInt:
		return v.Int()
	case wire.KindFloat:
		return v.Float()
	case wire.KindBytes:
		return v.Raw()
	}
	return v.String()
}

// cell writes a value as its kind has it, whatever the driver gave.
func cell(v any, kind wire.Kind) (string, error) {
	if b, ok := v.([]byte); ok {
		v = string(b)
	}
	switch {
	case v == nil:
		return "null", nil
	case kind == wire.KindBool:
		return truth(v)
	case kind == wire.KindInt:
		return wholeText(v)
	case kind.Numeric():
		return number(v)
	case kind.Temporal():
		return momentText(v, kind)
	case kind == wire.KindText:
		s, ok := v.(string)
		if !ok {
			return "", fmt.Errorf("%T is no text", v)
		}
		return strconv.Quote(s), nil
	}
	return fmt.Sprint(v), nil
}

func truth(v any) (string, error) {
	switch v := v.(type) {
	case bool:
		return strconv.FormatBool(v), nil
	case int64:
		return strconv.FormatBool(v != 0), nil
	case string:
		return strconv.FormatBool(v != "0"), nil
	}
	return "", fmt.Errorf("%T is no truth value", v)
}

func wholeText(v any) (string, error) {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10), nil
	case string:
		i, err := strconv.ParseInt(v, 10, 64)
		return strconv.FormatInt(i, 10), err
	}
	return "", fmt.Errorf("%T %v is no whole number", v, v)
}

// number writes all numbers alike.
func number(v any) (string, error) {
	f, err := strconv.ParseFloat(fmt.Sprint(v), 64)
	return strconv.FormatFloat(f+0, 'g', -1, 64), err
}

func momentText(v any, kind wire.Kind) (string, error) {
	t, ok := v.(time.Time)
	if !ok {
		var err error
		if t, err = parseMoment(fmt.Sprint(v)); err != nil {
			return "", err
		}
	}
	if kind == wire.KindDate {
		if h, m, s := t.Clock(); h+m+s != 0 {
			return "", fmt.Errorf("%v is no day", v)
		}
		return t.Format(time.DateOnly), nil
	}
	return t.UTC().Format("2006-01-02 15:04:05.000"), nil
}

func parseMoment(text string) (time.Time, error) {
	text = strings.Replace(text, "T", " ", 1)
	for _, layout := range []string{"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05", time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no moment", text)
}

// outcome is what a plan gave on an engine.
type outcome struct {
	engine *engine
	sql    string
	rows   []string
	err    error
}

// run runs a plan on every engine. It is false when the plan is refused by all.
func run(all []*engine, text string, zone *time.Location) ([]outcome, error) {
	var out []outcome
	for _, e := range all {
		s, err := e.render(text, zone)
		if errors.Is(err, errPlan) {
			return nil, err
		}
		o := outcome{engine: e, sql: s.SQL(), err: err}
		if err == nil {
			start := time.Now()
			o.rows, o.err = e.rows(s)
			e.spent += time.Since(start)
		}
		out = append(out, o)
	}
	return out, nil
}

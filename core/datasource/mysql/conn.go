package mysql

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	mysql "github.com/go-sql-driver/mysql"

	"querent.dev/querent/core/datasource/internal/remote"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
)

// settings is set on every connection beside those of the dialect: a reader that
// pauses keeps its result.
const settings = "SET SESSION net_write_timeout = 600"

// conn is a connection of the driver. It is used by one goroutine at a time.
type conn struct {
	driver.Conn
	id      string // by which the server knows it
	mariaDB bool
	limit   time.Duration // that is set in the session
}

type pool struct {
	remote.Pool[*conn]
	connector driver.Connector
}

func newPool(config *mysql.Config) (*pool, error) {
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return nil, err
	}
	p := &pool{connector: connector}
	p.Pool.Connect = p.connect
	p.Pool.Alive = func(ctx context.Context, c *conn) bool { return c.exec(ctx, "DO 0") == nil }
	p.Pool.Begin = begin
	p.Pool.Reset = func(ctx context.Context, c *conn) error { return c.exec(ctx, "ROLLBACK") }
	p.Pool.Discard = func(c *conn) error { return c.Close() }
	return p, nil
}

func (p *pool) connect(ctx context.Context) (*conn, error) {
	plain, err := p.connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: plain}
	if err := c.prepareSession(ctx); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

func (c *conn) prepareSession(ctx context.Context) error {
	err := c.each(ctx, "SELECT CONNECTION_ID(), VERSION()", func(cells []driver.Value) {
		c.id, c.mariaDB = text(cells[0]), strings.Contains(text(cells[1]), "MariaDB")
	})
	for _, statement := range append(sqlgen.Session(schema.MySQL), settings) {
		err = errors.Join(err, c.exec(ctx, statement))
	}
	return err
}

// begin tells the server how long a query may take, when that is not what it was.
func begin(ctx context.Context, c *conn, limit time.Duration) error {
	if limit != c.limit {
		statement := fmt.Sprintf("SET SESSION max_execution_time = %d", max(limit.Milliseconds(), 1))
		if c.mariaDB {
			statement = fmt.Sprintf("SET SESSION max_statement_time = %.3f", max(limit.Seconds(), 0.001))
		}
		if err := c.exec(ctx, statement); err != nil {
			return err
		}
		c.limit = limit
	}
	return c.exec(ctx, "START TRANSACTION READ ONLY")
}

// exec runs a statement of the host's own that gives no rows.
func (c *conn) exec(ctx context.Context, statement string) error {
	execer, ok := c.Conn.(driver.ExecerContext)
	if !ok {
		return fmt.Errorf("a connection of type %T runs no statement", c.Conn)
	}
	_, err := execer.ExecContext(ctx, statement, nil)
	return err
}

// query starts a statement as a prepared one. The driver closes it with the rows'
// connection, or when done is called.
func (c *conn) query(ctx context.Context, statement string, args []driver.NamedValue) (_ driver.Rows, done func() error, err error) {
	preparer, ok := c.Conn.(driver.ConnPrepareContext)
	if !ok {
		return nil, nil, fmt.Errorf("a connection of type %T prepares no statement", c.Conn)
	}
	prepared, err := preparer.PrepareContext(ctx, statement)
	if err != nil {
		return nil, nil, err
	}
	querier, ok := prepared.(driver.StmtQueryContext)
	if !ok {
		return nil, nil, fmt.Errorf("a statement of type %T takes no context", prepared)
	}
	rows, err := querier.QueryContext(ctx, args)
	if err != nil {
		return nil, nil, errors.Join(err, prepared.Close())
	}
	return rows, prepared.Close, nil
}

// each hands the cells of every row of a query of the host's own to add, which must
// not keep them.
func (c *conn) each(ctx context.Context, statement string, add func([]driver.Value), args ...string) error {
	named := make([]driver.NamedValue, len(args))
	for i, a := range args {
		named[i] = driver.NamedValue{Ordinal: i + 1, Value: a}
	}
	rows, done, err := c.query(ctx, statement, named)
	if err != nil {
		return err
	}
	cells := make([]driver.Value, len(rows.Columns()))
	for err == nil {
		if err = rows.Next(cells); err == nil {
			add(cells)
		}
	}
	if err == io.EOF {
		err = nil
	}
	return errors.Join(err, rows.Close(), done())
}

// text is a cell as the server writes it; a null is the empty text.
func text(cell driver.Value) string {
	switch x := cell.(type) {
	case nil:
		return ""
	case []byte:
		return string(x)
	case string:
		return x
	case int64:
		return strconv.FormatInt(x, 10)
	}
	return fmt.Sprint(cell)
}

// kill ends what runs on a connection, over another one.
func (p *pool) kill(id string) error {
	ctx, cancel := context.WithTimeout(context.Background(), remote.ReleaseTimeout)
	defer cancel()
	plain, err := p.connector.Connect(ctx)
	if err != nil {
		return fmt.Errorf("stop a query: %w", err)
	}
	c := &conn{Conn: plain}
	err = c.exec(ctx, "KILL "+id)
	var known *mysql.MySQLError
	if errors.As(err, &known) && known.Number == unknownThread {
		err = nil // it has ended by itself
	}
	return errors.Join(err, c.Close())
}

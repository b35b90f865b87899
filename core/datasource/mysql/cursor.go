package mysql

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"strings"
	"time"

	"querent.dev/querent/core/datasource/internal/remote"
	"querent.dev/querent/sdk/wire"
)

// cursor is a running query, read as the server sends it.
type cursor struct {
	database *database
	conn     *conn
	rows     driver.Rows
	ended    func() error // closes the statement
	kinds    []wire.Kind  // by column
	cells    []driver.Value
}

var _ remote.Cursor = (*cursor)(nil)

// start runs a statement in a read-only transaction up to its first row.
func (d *database) start(ctx context.Context, limit time.Duration, sql string, args []wire.Value) (*cursor, error) {
	named, err := bind(args)
	if err != nil {
		return nil, err
	}
	taken, err := d.pool.Take(ctx, limit)
	if err != nil {
		return nil, err
	}
	c := &cursor{database: d, conn: taken}
	c.rows, c.ended, err = taken.query(ctx, sql, named)
	if err != nil {
		c.release(ctx.Err() == nil && !broken(err))
		return nil, err
	}
	c.cells = make([]driver.Value, len(c.rows.Columns()))
	typed, ok := c.rows.(driver.RowsColumnTypeDatabaseTypeName)
	for i := range c.cells {
		c.kinds = append(c.kinds, wire.KindText)
		if ok {
			c.kinds[i] = kindOfType(strings.TrimPrefix(typed.ColumnTypeDatabaseTypeName(i), "UNSIGNED "))
		}
	}
	return c, nil
}

// Width implements remote.Cursor.
func (c *cursor) Width() int { return len(c.cells) }

// Next implements remote.Cursor.
func (c *cursor) Next() (bool, error) {
	err := c.rows.Next(c.cells)
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	return err == nil, err
}

// Cell implements remote.Cursor.
func (c *cursor) Cell(column int, t wire.Type) (wire.Value, int64, error) {
	cell := c.cells[column]
	size := int64(8)
	if b, ok := cell.([]byte); ok {
		size = int64(len(b))
	}
	return remote.Fit(convert(c.kinds[column], cell, t), t), size, nil
}

// Close implements remote.Cursor.
func (c *cursor) Close(complete bool) error {
	if !complete {
		c.release(false)
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), remote.ReleaseTimeout)
	defer cancel()
	err := errors.Join(c.rows.Close(), c.ended())
	if err == nil {
		err = c.lost(ctx)
	}
	return errors.Join(err, c.database.pool.Give(c.conn))
}

// release gives the connection back, or kills what runs on it and closes it. That
// it could not be killed is no longer the result's affair: the server's own time
// limit ends it.
func (c *cursor) release(usable bool) {
	if usable {
		_ = c.database.pool.Give(c.conn)
		return
	}
	_ = c.database.pool.kill(c.conn.id)
	_ = c.conn.Close()
}

// incomplete are the warnings by which the server says that it has left something
// out of a result.
var incomplete = map[string]int{
	"1260": 1260, // a string aggregate was cut
	"1931": 1931, // rows were not examined
	"4042": 4042, // a recursion was ended
}

// lost asks for such warnings.
func (c *cursor) lost(ctx context.Context) error {
	code := 0
	err := c.conn.each(ctx, "SHOW WARNINGS", func(cells []driver.Value) {
		if n, ok := incomplete[text(cells[1])]; ok {
			code = n
		}
	})
	if err == nil && code != 0 {
		return c.database.Incomplete(code)
	}
	return err
}

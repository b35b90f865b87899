package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"querent.dev/querent/core/datasource/internal/remote"
	"querent.dev/querent/sdk/wire"
)

// cursor is a running query. The server is as far ahead of the reader as the
// buffers of the connection allow.
type cursor struct {
	pool   *pool
	conn   *pgconn.PgConn
	reader *pgconn.ResultReader
	types  []uint32 // by column
	cancel func()   // stops the query in the server
}

var _ remote.Cursor = (*cursor)(nil)

// start runs a statement in a read-only transaction up to its first row.
func start(ctx context.Context, p *pool, limit time.Duration, sql string, args [][]byte) (*cursor, error) {
	conn, err := p.Take(ctx, limit)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	c := &cursor{pool: p, conn: conn, cancel: cancel}
	c.reader = conn.ExecParams(ctx, sql, args, nil, nil, nil)
	fields := c.reader.FieldDescriptions()
	if fields == nil {
		_, err := c.reader.Close()
		if err == nil {
			err = fmt.Errorf("the statement gives no result")
		}
		_ = c.Close(false)
		return nil, err
	}
	for _, f := range fields {
		c.types = append(c.types, f.DataTypeOID)
	}
	return c, nil
}

// Width implements remote.Cursor.
func (c *cursor) Width() int { return len(c.types) }

// Next implements remote.Cursor.
func (c *cursor) Next() (bool, error) {
	if c.reader.NextRow() {
		return true, nil
	}
	_, err := c.reader.Close()
	return false, err
}

// Cell implements remote.Cursor.
func (c *cursor) Cell(column int, t wire.Type) (wire.Value, int64, error) {
	text := c.reader.Values()[column]
	if text == nil {
		return wire.Null(), 0, nil
	}
	v := remote.Fit(convert(c.types[column], text, t), t)
	switch v.Kind() {
	case wire.KindInt, wire.KindFloat, wire.KindBool:
		return v, 8, nil
	}
	return v, int64(len(text)), nil
}

// Close implements remote.Cursor.
func (c *cursor) Close(complete bool) error {
	if !complete {
		c.cancel()
		_, _ = c.reader.Close() // it ends with the context that was just cancelled
		if c.conn.IsClosed() {
			return discard(c.conn)
		}
	}
	err := c.pool.Give(c.conn)
	c.cancel()
	return err
}

package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/sdk/wire"
)

// rows reads a result row by row. Cells count towards the byte limit with the
// length of their text or blob; numbers count as eight bytes.
type rows struct {
	columns []wire.Column
	limits  datasource.Limits
	session *session
	disarm  func()
	release func()            // ends the query's context
	explain func(error) error // must be asked before release

	rows   *sql.Rows
	raw    []any
	dest   []any // pointers to raw
	row    []wire.Value
	count  int64
	bytes  int64
	cutBy  datasource.Cut
	err    error
	closed bool
}

var (
	_ datasource.Rows      = (*rows)(nil)
	_ datasource.CutTeller = (*rows)(nil)
)

// start runs the statement up to its first row. After an error r is closed.
func (r *rows) start(ctx context.Context, g *grants, text string, args []any) error {
	err := r.session.grant(ctx, g)
	if err != nil {
		return r.end(err)
	}
	if r.disarm, err = r.session.arm(ctx); err != nil {
		return r.end(err)
	}
	r.rows, err = r.session.query(ctx, text, args...)
	if err != nil && g.refused != "" {
		if err := r.session.grantDefaults(ctx, g); err != nil {
			return r.end(err)
		}
		r.rows, err = r.session.query(ctx, text, args...)
	}
	if err != nil {
		return r.end(err)
	}
	names, err := r.rows.Columns()
	if err == nil && len(names) != len(r.columns) {
		err = fmt.Errorf("the result has %d columns where the statement declares %d", len(names), len(r.columns))
	}
	if err != nil {
		return r.end(err)
	}
	r.raw, r.dest, r.row = make([]any, len(names)), make([]any, len(names)), make([]wire.Value, len(names))
	for i := range r.raw {
		r.dest[i] = &r.raw[i]
	}
	return nil
}

// Next implements datasource.Rows.
func (r *rows) Next() bool {
	if r.closed {
		return false
	}
	if !r.rows.Next() {
		_ = r.end(r.rows.Err())
		return false
	}
	if r.limits.Rows > 0 && r.count == r.limits.Rows {
		return r.cut(datasource.CutByRows)
	}
	if err := r.rows.Scan(r.dest...); err != nil {
		_ = r.end(err)
		return false
	}
	for i, cell := range r.raw {
		v, size, err := convert(cell, r.columns[i].Type)
		if err != nil {
			_ = r.end(fmt.Errorf("row %d, column %q: %w", r.count+1, r.columns[i].Name, err))
			return false
		}
		r.row[i] = v
		r.bytes += size
	}
	if r.limits.Bytes > 0 && r.bytes > r.limits.Bytes {
		return r.cut(datasource.CutByBytes)
	}
	r.count++
	return true
}

// Row implements datasource.Rows.
func (r *rows) Row() []wire.Value { return r.row }

// Err implements datasource.Rows.
func (r *rows) Err() error { return r.err }

// Truncated implements datasource.Rows.
func (r *rows) Truncated() bool { return r.cutBy != datasource.CutNone }

// CutBy implements datasource.CutTeller.
func (r *rows) CutBy() datasource.Cut { return r.cutBy }

// Close implements datasource.Rows.
func (r *rows) Close() error {
	if r.closed {
		return nil
	}
	r.closed = true
	if r.rows != nil {
		// Its error is the reading's, which Err tells.
		_ = r.rows.Close()
	}
	if r.disarm != nil {
		r.disarm()
	}
	err := r.session.close()
	r.release()
	return err
}

func (r *rows) cut(by datasource.Cut) bool {
	r.cutBy = by
	_ = r.end(nil)
	return false
}

// end keeps why reading ended and closes. What fails in closing is no longer
// the result's affair.
func (r *rows) end(err error) error {
	r.err = r.explain(err)
	_ = r.Close()
	return r.err
}

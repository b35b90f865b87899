package remote

import (
	"fmt"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/sdk/wire"
)

// Cursor is a result as an adapter reads it from the wire.
type Cursor interface {
	// Width is the number of columns.
	Width() int
	// Next reads a row. It is false at the end and on an error.
	Next() (bool, error)
	// Cell is the value of a column of the current row, as what the plan says the
	// column is, and its size in bytes.
	Cell(column int, t wire.Type) (wire.Value, int64, error)
	// Close frees the connection. Unless the whole result was read without an
	// error, it first stops the query in the server.
	Close(complete bool) error
}

// NewRows makes Rows of a cursor, which it owns. explain turns the cursor's errors
// into reasons; done is called once, when the cursor is closed and its errors are
// explained.
func NewRows(c Cursor, columns []wire.Column, l datasource.Limits, explain func(error) error, done func()) (datasource.Rows, error) {
	r := &rows{cursor: c, columns: columns, limits: l, explain: explain, done: done, row: make([]wire.Value, len(columns))}
	if c.Width() != len(columns) {
		return nil, r.end(fmt.Errorf("the result has %d columns where the statement declares %d", c.Width(), len(columns)))
	}
	return r, nil
}

// rows counts cells towards the byte limit with the length of their text; numbers
// count as eight bytes.
type rows struct {
	cursor  Cursor
	columns []wire.Column
	limits  datasource.Limits
	explain func(error) error
	done    func()

	row      []wire.Value
	count    int64
	bytes    int64
	cutBy    datasource.Cut
	err      error
	complete bool
	closed   bool
}

var (
	_ datasource.Rows      = (*rows)(nil)
	_ datasource.CutTeller = (*rows)(nil)
)

// Next implements datasource.Rows.
func (r *rows) Next() bool {
	if r.closed {
		return false
	}
	more, err := r.cursor.Next()
	if err != nil || !more {
		r.complete = err == nil
		_ = r.end(err)
		return false
	}
	if r.limits.Rows > 0 && r.count == r.limits.Rows {
		return r.cut(datasource.CutByRows)
	}
	for i := range r.row {
		v, size, err := r.cursor.Cell(i, r.columns[i].Type)
		if err != nil {
			_ = r.end(fmt.Errorf("row %d, column %d: %w", r.count+1, i+1, err))
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
	defer r.done()
	return r.explain(r.cursor.Close(r.complete))
}

func (r *rows) cut(by datasource.Cut) bool {
	r.cutBy = by
	_ = r.end(nil)
	return false
}

// end keeps why reading ended and closes. What the server says of a complete
// result when it is closed counts: it may have left something out.
func (r *rows) end(err error) error {
	r.err = r.explain(err)
	if closing := r.Close(); r.err == nil && r.complete {
		r.err = closing
	}
	return r.err
}

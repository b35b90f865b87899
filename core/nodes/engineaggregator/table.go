package engineaggregator

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/result"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// table is an input of a step.
type table struct {
	step    Step
	id      string
	columns []wire.Column
	result  *result.Result
	repeats repeats
}

// column finds a column by its label: as it is written, or else without regard
// to letter case and to what stands between words, if that is one column.
func (t table) column(label string) (int, error) {
	found := -1
	for i, c := range t.columns {
		if c.Name == label {
			return i, nil
		}
		if folded(c.Name) == folded(label) {
			if found >= 0 {
				return 0, failed(t.step, "the column %q of %s can be two", label, t.id)
			}
			found = i
		}
	}
	if found < 0 {
		return 0, failed(t.step, "%s has no column %q; it has %s", t.id, label, t.labels())
	}
	return found, nil
}

// SameLabel reports whether a step that names the one finds a column with the other.
func SameLabel(a, b string) bool { return folded(a) == folded(b) }

// folded is a label as labels are compared: Total Sales is total_sales.
func folded(label string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, label)
}

// mostLabels is how many labels a message lists.
const mostLabels = 12

func (t table) labels() string {
	var out []string
	for i, c := range t.columns {
		if i == mostLabels {
			out = append(out, "…")
			break
		}
		out = append(out, fmt.Sprintf("%q", c.Name))
	}
	return strings.Join(out, ", ")
}

// cancelCheckRows is how many rows are read between two looks at the context: a
// fraction of a millisecond.
const cancelCheckRows = 256

// each calls do with every row. The row is reused; the values are not.
func (t table) each(ctx context.Context, do func(row []wire.Value) error) error {
	rows := t.result.Reader()
	defer rows.Close()
	for i := 0; rows.Next(); i++ {
		if i%cancelCheckRows == 0 && ctx.Err() != nil {
			return reason.New(reason.CancelledCode, reason.ReasonCancelled, "combine results: %w", context.Cause(ctx))
		}
		if err := do(rows.Row()); err != nil {
			return err
		}
	}
	return rows.Err()
}

// stream is the output of a step, row by row.
type stream struct {
	columns []wire.Column
	// next gives the next row, nil at the end. The row may be reused.
	next  func() ([]wire.Value, error)
	close func() error // nil: nothing to close
	// joined is the join that the rows come from, nil for none.
	joined *joining

	row    []wire.Value
	err    error
	limits datasource.Limits
	rows   int64
	bytes  int64
	cut    datasource.Cut
}

var (
	_ datasource.Rows      = (*stream)(nil)
	_ datasource.CutTeller = (*stream)(nil)
)

// bound sets the limits of the output. What is made of a result that was cut is
// itself as good as cut.
func (s *stream) bound(l datasource.Limits, inputs []table) {
	s.limits = l
	for _, t := range inputs {
		if s.cut == datasource.CutNone {
			s.cut = t.result.CutBy()
		}
	}
}

// Next implements datasource.Rows.
func (s *stream) Next() bool {
	if s.err != nil {
		return false
	}
	if s.row, s.err = s.next(); s.err != nil || s.row == nil {
		return false
	}
	if s.limits.Rows > 0 && s.rows == s.limits.Rows {
		s.cut = datasource.CutByRows
		return false
	}
	for _, v := range s.row {
		s.bytes += size(v)
	}
	if s.limits.Bytes > 0 && s.bytes > s.limits.Bytes {
		s.cut = datasource.CutByBytes
		return false
	}
	s.rows++
	return true
}

// size is about as many bytes as a cell takes.
func size(v wire.Value) int64 {
	switch v.Kind() {
	case wire.KindNull, wire.KindBool:
		return 1
	case wire.KindInt, wire.KindFloat:
		return 8
	}
	return int64(len(v.String()))
}

// Row implements datasource.Rows.
func (s *stream) Row() []wire.Value { return s.row }

// Err implements datasource.Rows.
func (s *stream) Err() error { return s.err }

// Truncated implements datasource.Rows.
func (s *stream) Truncated() bool { return s.cut != datasource.CutNone }

// CutBy implements datasource.CutTeller.
func (s *stream) CutBy() datasource.Cut { return s.cut }

// Close implements datasource.Rows.
func (s *stream) Close() error {
	if s.close == nil {
		return nil
	}
	return s.close()
}

// over is a stream over the rows of an input: pick makes an output row of each,
// nil for one that is left out.
func over(t table, columns []wire.Column, pick func(row []wire.Value) ([]wire.Value, error)) *stream {
	rows := t.result.Reader()
	return &stream{columns: columns, close: rows.Close, next: func() ([]wire.Value, error) {
		for rows.Next() {
			if row, err := pick(rows.Row()); row != nil || err != nil {
				return row, err
			}
		}
		return nil, rows.Err()
	}}
}

// listed is a stream of n rows that are at hand.
func listed(columns []wire.Column, n int, row func(i int) ([]wire.Value, error)) *stream {
	i := 0
	return &stream{columns: columns, next: func() ([]wire.Value, error) {
		if i == n {
			return nil, nil
		}
		i++
		return row(i - 1)
	}}
}

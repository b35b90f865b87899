package engineaggregator

import (
	"context"
	"fmt"
	"slices"

	"querent.dev/querent/sdk/wire"
)

// keys are the columns of two inputs by which their rows meet.
type keys struct{ left, right []int }

// match finds the columns of the pairs and checks that they compare.
func match(s Step, left, right table) (keys, error) {
	var k keys
	for _, p := range s.On {
		l, err := left.column(p.Left)
		if err != nil {
			return k, err
		}
		r, err := right.column(p.Right)
		if err != nil {
			return k, err
		}
		a, b := left.columns[l], right.columns[r]
		if !comparableKinds(a.Type.Kind, b.Type.Kind) {
			return k, failed(s, "the column %q of %s is %s and the column %q of %s is %s, which cannot be compared",
				a.Name, left.id, a.Type, b.Name, right.id, b.Type)
		}
		k.left, k.right = append(k.left, l), append(k.right, r)
	}
	return k, nil
}

// indexed are the rows of an input by their key.
type indexed struct {
	rows [][]wire.Value
	at   map[string][]int
}

// index reads an input. Rows with a null in their key are in no entry.
func index(ctx context.Context, t table, by []int) (indexed, error) {
	out := indexed{at: map[string][]int{}}
	err := t.each(ctx, func(row []wire.Value) error {
		key, null, err := keyOf(row, by)
		if err != nil {
			return failed(t.step, "a value in the key of %s is not of its type", t.id)
		}
		if !null {
			out.at[key] = append(out.at[key], len(out.rows))
		}
		out.rows = append(out.rows, slices.Clone(row))
		return nil
	})
	return out, err
}

// joinAll joins the inputs one after the other, the first with the second, that
// with the third.
func joinAll(ctx context.Context, s Step, in []table) (*stream, error) {
	if len(s.On) == 0 {
		return nil, failed(s, "it names no columns to join on")
	}
	left := over(in[0], in[0].columns, func(row []wire.Value) ([]wire.Value, error) { return row, nil })
	soFar := in[0]
	for _, right := range in[1:] {
		joined, err := join(ctx, s, soFar, left, right)
		if err != nil {
			return nil, closed(left, err)
		}
		left, soFar = joined, table{step: s, id: soFar.id + ", " + right.id, columns: joined.columns}
	}
	return left, nil
}

// closed closes a stream that nobody will read.
func closed(s *stream, err error) error {
	if closing := s.Close(); err == nil {
		return closing
	}
	return err
}

// join streams the left rows past the right ones, which it holds.
func join(ctx context.Context, s Step, left table, rows *stream, right table) (*stream, error) {
	k, err := match(s, left, right)
	if err != nil {
		return nil, err
	}
	held, err := index(ctx, right, k.right)
	if err != nil {
		return nil, err
	}
	var kept []int // the right columns that are no keys
	columns := slices.Clone(left.columns)
	for i, c := range right.columns {
		if !slices.Contains(k.right, i) {
			kept = append(kept, i)
			columns = append(columns, wire.Column{Name: unused(columns, c.Name, right.id), Type: c.Type, Tag: c.Tag})
		}
	}
	j := &joining{rows: rows, by: k.left, held: held, kept: kept, outer: s.Op == LeftJoin, width: len(columns), used: make([]bool, len(held.rows))}
	return &stream{columns: columns, close: rows.Close, joined: j, next: func() ([]wire.Value, error) {
		row, err := j.next()
		if err == errOddKey {
			err = failed(s, "a value in the key of %s is not of its type", left.id)
		}
		return row, err
	}}, nil
}

var errOddKey = fmt.Errorf("a value is not of its type")

// joining is a join on its way.
type joining struct {
	rows  *stream
	by    []int
	held  indexed
	kept  []int
	outer bool
	width int

	left     []wire.Value
	partners []int // of left, those to come

	used        []bool // of the rows of held, those that had a partner
	leftRepeats bool   // a left row had several partners
	heldRepeats bool   // a row of held had
}

func (j *joining) next() ([]wire.Value, error) {
	for len(j.partners) == 0 {
		left, err := j.rows.next()
		if err != nil || left == nil {
			return nil, err
		}
		key, null, err := keyOf(left, j.by)
		if err != nil {
			return nil, errOddKey
		}
		j.left = left
		if !null {
			j.partners = j.held.at[key]
			j.leftRepeats = j.leftRepeats || len(j.partners) > 1
		}
		if len(j.partners) == 0 && j.outer {
			return j.row(-1), nil
		}
	}
	partner := j.partners[0]
	j.partners = j.partners[1:]
	j.heldRepeats = j.heldRepeats || j.used[partner]
	j.used[partner] = true
	return j.row(partner), nil
}

// row is the left row with a partner's cells, nulls for no partner.
func (j *joining) row(partner int) []wire.Value {
	out := make([]wire.Value, 0, j.width)
	out = append(out, j.left...)
	for _, c := range j.kept {
		if partner < 0 {
			out = append(out, wire.Null())
		} else {
			out = append(out, j.held.rows[partner][c])
		}
	}
	return out
}

// unused is a label that no column has yet: with the input's id behind it where
// the label is taken.
func unused(columns []wire.Column, label, id string) string {
	taken := func(l string) bool {
		return slices.ContainsFunc(columns, func(c wire.Column) bool { return c.Name == l })
	}
	out := label
	for n := 1; taken(out); n++ {
		out = label + " " + id
		if n > 1 {
			out = fmt.Sprintf("%s %s %d", label, id, n)
		}
	}
	return out
}

// union is the rows of the inputs one after the other, under the labels of the
// first. Columns go together by their labels when all have the same, else by
// position.
func union(s Step, in []table) (*stream, error) {
	columns := slices.Clone(in[0].columns)
	places := make([][]int, len(in))
	for i, t := range in {
		if len(t.columns) != len(columns) {
			return nil, failed(s, "%s has %d columns and %s has %d", in[0].id, len(columns), t.id, len(t.columns))
		}
		places[i] = alignment(in[0].columns, t.columns)
		for c := range columns {
			other := t.columns[places[i][c]]
			unified, ok := common(columns[c].Type, other.Type)
			if !ok {
				return nil, failed(s, "the column %q of %s is %s and the column %q of %s is %s",
					columns[c].Name, in[0].id, columns[c].Type, other.Name, t.id, other.Type)
			}
			columns[c].Type = unified
			if columns[c].Tag == "" {
				columns[c].Tag = other.Tag
			}
		}
	}
	return chained(in, places, columns), nil
}

// alignment says which column of b goes under each of a.
func alignment(a, b []wire.Column) []int {
	byLabel, byPosition := make([]int, len(a)), make([]int, len(a))
	same := true
	for i := range a {
		byPosition[i] = i
		byLabel[i] = slices.IndexFunc(b, func(c wire.Column) bool { return folded(c.Name) == folded(a[i].Name) })
		same = same && byLabel[i] >= 0 && !slices.Contains(byLabel[:i], byLabel[i])
	}
	if same {
		return byLabel
	}
	return byPosition
}

// chained streams the inputs one after the other.
func chained(in []table, places [][]int, columns []wire.Column) *stream {
	current, at := (*stream)(nil), 0
	out := &stream{columns: columns}
	out.close = func() error {
		if current == nil {
			return nil
		}
		return current.Close()
	}
	out.next = func() ([]wire.Value, error) {
		for {
			if current == nil {
				if at == len(in) {
					return nil, nil
				}
				current = aligned(in[at], places[at], columns)
				at++
			}
			row, err := current.next()
			if row != nil || err != nil {
				return row, err
			}
			err = current.Close()
			if current = nil; err != nil {
				return nil, err
			}
		}
	}
	return out
}

func aligned(t table, places []int, columns []wire.Column) *stream {
	return over(t, columns, func(row []wire.Value) ([]wire.Value, error) {
		out := make([]wire.Value, len(columns))
		for c, from := range places {
			v, err := asType(row[from], columns[c].Type)
			if err != nil {
				return nil, failed(t.step, "a value of the column %q of %s is no number", t.columns[from].Name, t.id)
			}
			out[c] = v
		}
		return out, nil
	})
}

package engineaggregator

import (
	"context"
	"slices"
	"strings"
	"time"

	"querent.dev/querent/sdk/wire"
)

// test is a condition ready to be asked of rows.
type test struct {
	Condition
	column int
	value  wire.Value
}

func filter(s Step, t table) (*stream, error) {
	var tests []test
	for _, c := range s.Where {
		at, err := t.column(c.Column)
		if err != nil {
			return nil, err
		}
		ready := test{Condition: c, column: at}
		if c.Compare != IsNull && c.Compare != IsNotNull {
			if ready.value, err = literal(s, t.columns[at], c); err != nil {
				return nil, err
			}
		}
		tests = append(tests, ready)
	}
	return over(t, t.columns, func(row []wire.Value) ([]wire.Value, error) {
		for _, c := range tests {
			if holds, err := c.holds(row[c.column]); err != nil || !holds {
				if err != nil {
					err = failed(s, "a value of the column %q cannot be compared with %s", c.Column, c.value.Kind())
				}
				return nil, err
			}
		}
		return row, nil
	}), nil
}

// literal reads a condition's literal as a value of the column's type.
func literal(s Step, column wire.Column, c Condition) (wire.Value, error) {
	kind := column.Type.Kind
	mismatch := failed(s, "the column %q is %s, which cannot be compared with %s", column.Name, column.Type, written(c))
	switch {
	case kind.Numeric() && !c.Quoted:
		if v, err := wire.Decimal(c.Literal); err == nil {
			return v, nil
		}
		return wire.Null(), mismatch
	case kind == wire.KindBool && !c.Quoted:
	case kind.Numeric() || !c.Quoted || familyOf(kind) == unordered:
		return wire.Null(), mismatch
	}
	v, err := wire.Parse(kind, c.Literal)
	if err != nil && kind.Temporal() {
		// A day stands for its beginning. A zone is not guessed.
		if at, dayErr := time.Parse(time.DateOnly, c.Literal); dayErr == nil && kind != wire.KindTimestampTZ {
			return wire.Date(at), nil
		}
	}
	if err != nil {
		return wire.Null(), mismatch
	}
	return v, nil
}

func written(c Condition) string {
	if c.Quoted {
		return "'" + strings.ReplaceAll(c.Literal, "'", "''") + "'"
	}
	return c.Literal
}

func (c test) holds(v wire.Value) (bool, error) {
	switch {
	case c.Compare == IsNull || c.Compare == IsNotNull:
		return v.IsNull() == (c.Compare == IsNull), nil
	case v.IsNull():
		return false, nil
	}
	order, err := compare(v, c.value)
	if err != nil {
		return false, err
	}
	switch c.Compare {
	case Equal:
		return order == 0, nil
	case NotEqual:
		return order != 0, nil
	case Less:
		return order < 0, nil
	case AtMost:
		return order <= 0, nil
	case Greater:
		return order > 0, nil
	}
	return order >= 0, nil
}

func project(s Step, t table) (*stream, error) {
	columns, at, err := t.items(s.Columns)
	if err != nil {
		return nil, err
	}
	return over(t, columns, func(row []wire.Value) ([]wire.Value, error) {
		out := make([]wire.Value, len(at))
		for i, from := range at {
			out[i] = row[from]
		}
		return out, nil
	}), nil
}

// items finds the columns that are named, and gives them their labels.
func (t table) items(list []Item) ([]wire.Column, []int, error) {
	var columns []wire.Column
	var at []int
	for _, item := range list {
		i, err := t.column(item.Column)
		if err != nil {
			return nil, nil, err
		}
		label := item.Label
		if label == "" {
			label = t.columns[i].Name
		}
		columns = append(columns, wire.Column{Name: unused(columns, label, t.id), Type: t.columns[i].Type, Tag: t.columns[i].Tag})
		at = append(at, i)
	}
	return columns, at, nil
}

// sorted holds the rows and orders them; rows that are equal stay as they came.
func sorted(ctx context.Context, s Step, t table) (*stream, error) {
	at := make([]int, len(s.Order))
	for i, o := range s.Order {
		c, err := t.column(o.Column)
		if err != nil {
			return nil, err
		}
		if familyOf(t.columns[c].Type.Kind) == unordered {
			return nil, failed(s, "the column %q is %s, which has no order", t.columns[c].Name, t.columns[c].Type)
		}
		at[i] = c
	}
	var rows [][]wire.Value
	err := t.each(ctx, func(row []wire.Value) error {
		rows = append(rows, slices.Clone(row))
		return nil
	})
	if err != nil {
		return nil, err
	}
	var odd error
	slices.SortStableFunc(rows, func(a, b []wire.Value) int {
		for i, o := range s.Order {
			order, err := inOrder(a[at[i]], b[at[i]], o.Desc)
			if err != nil {
				odd = failed(s, "the column %q holds values that cannot be compared with each other", t.columns[at[i]].Name)
			}
			if order != 0 {
				return order
			}
		}
		return 0
	})
	return listed(t.columns, len(rows), func(i int) ([]wire.Value, error) { return rows[i], nil }), odd
}

// inOrder compares two cells, nulls last.
func inOrder(a, b wire.Value, desc bool) (int, error) {
	switch {
	case a.IsNull() && b.IsNull():
		return 0, nil
	case a.IsNull():
		return 1, nil
	case b.IsNull():
		return -1, nil
	}
	order, err := compare(a, b)
	if desc {
		order = -order
	}
	return order, err
}

func limit(s Step, t table) (*stream, error) {
	if s.N < 0 {
		return nil, failed(s, "it keeps %d rows", s.N)
	}
	left := s.N
	out := over(t, t.columns, func(row []wire.Value) ([]wire.Value, error) { return row, nil })
	all := out.next
	out.next = func() ([]wire.Value, error) {
		if left == 0 {
			return nil, nil
		}
		left--
		return all()
	}
	return out, nil
}

package engineaggregator

import (
	"context"
	"fmt"
	"slices"

	"querent.dev/querent/sdk/wire"
)

// compareSides puts two results side by side by their keys: the keys, then for
// each measure both values, their difference and their ratio. Keys that only one
// side has keep the other's cells null. Without keys each side is one row.
func compareSides(ctx context.Context, s Step, a, b table) (*stream, error) {
	k, err := match(s, a, b)
	if err != nil {
		return nil, err
	}
	left, err := unique(ctx, a, k.left)
	if err != nil {
		return nil, err
	}
	right, err := unique(ctx, b, k.right)
	if err != nil {
		return nil, err
	}
	c := comparison{a: a, b: b, keys: k, left: left.rows, right: right.rows}
	c.pair()
	c.meet(right)
	return listed(c.columns(), len(c.rows), c.row), nil
}

// unique reads a side whose keys must name one row each.
func unique(ctx context.Context, t table, by []int) (indexed, error) {
	out, err := index(ctx, t, by)
	if err != nil {
		return out, err
	}
	if len(by) == 0 && len(out.rows) > 1 {
		return out, failed(t.step, "%s has %d rows, and no columns are named to compare them by", t.id, len(out.rows))
	}
	for _, rows := range out.at {
		if len(rows) > 1 {
			return out, failed(t.step, "%s has several rows for the same %s", t.id, t.named(by))
		}
	}
	return out, nil
}

// named lists columns for a message.
func (t table) named(at []int) string {
	out := table{}
	for _, i := range at {
		out.columns = append(out.columns, t.columns[i])
	}
	return out.labels()
}

// comparison is two sides and what of them goes together.
type comparison struct {
	a, b        table
	keys        keys
	left, right [][]wire.Value
	pairs       []pairing
	rows        [][2]int // the rows that meet, -1 for none
}

// pairing is a column of each side, -1 where a side has none.
type pairing struct{ left, right int }

// pair finds the columns that go together: those with the same label, or the only
// one of each side.
func (c *comparison) pair() {
	left, right := rest(c.a.columns, c.keys.left), rest(c.b.columns, c.keys.right)
	if len(left) == 1 && len(right) == 1 {
		c.pairs = []pairing{{left[0], right[0]}}
		return
	}
	for _, l := range left {
		r := slices.IndexFunc(right, func(r int) bool { return folded(c.b.columns[r].Name) == folded(c.a.columns[l].Name) })
		if r < 0 {
			c.pairs = append(c.pairs, pairing{l, -1})
			continue
		}
		c.pairs = append(c.pairs, pairing{l, right[r]})
		right = slices.Delete(right, r, r+1)
	}
	for _, r := range right {
		c.pairs = append(c.pairs, pairing{-1, r})
	}
}

// rest are the columns that are no keys.
func rest(columns []wire.Column, keys []int) []int {
	var out []int
	for i := range columns {
		if !slices.Contains(keys, i) {
			out = append(out, i)
		}
	}
	return out
}

// meet finds the rows that go together, in the order of the left side and then of
// what the right side has beyond it.
func (c *comparison) meet(right indexed) {
	taken := map[int]bool{}
	for i, row := range c.left {
		partner := -1
		// The key was read once already, so it can be read.
		if key, null, _ := keyOf(row, c.keys.left); !null && len(right.at[key]) > 0 {
			partner = right.at[key][0]
			taken[partner] = true
		}
		c.rows = append(c.rows, [2]int{i, partner})
	}
	for i := range c.right {
		if !taken[i] {
			c.rows = append(c.rows, [2]int{-1, i})
		}
	}
}

// measured reports whether the columns of a pair are numbers on both sides.
func (c *comparison) measured(p pairing) (wire.Type, bool) {
	if p.left < 0 || p.right < 0 {
		return wire.Type{}, false
	}
	x, y := c.a.columns[p.left].Type, c.b.columns[p.right].Type
	return widest(x, y), x.Kind.Numeric() && y.Kind.Numeric()
}

func (c *comparison) columns() []wire.Column {
	var out []wire.Column
	add := func(label, id string, t wire.Type, tag string) {
		out = append(out, wire.Column{Name: unused(out, label, id), Type: t, Tag: tag})
	}
	for i, l := range c.keys.left {
		t, ok := common(c.a.columns[l].Type, c.b.columns[c.keys.right[i]].Type)
		if !ok {
			t = c.a.columns[l].Type
		}
		add(c.a.columns[l].Name, c.a.id, t, c.a.columns[l].Tag)
	}
	for _, p := range c.pairs {
		if p.left >= 0 {
			add(c.a.columns[p.left].Name+" "+c.a.id, c.a.id, c.a.columns[p.left].Type, c.a.columns[p.left].Tag)
		}
		if p.right >= 0 {
			add(c.b.columns[p.right].Name+" "+c.b.id, c.b.id, c.b.columns[p.right].Type, c.b.columns[p.right].Tag)
		}
		if t, ok := c.measured(p); ok {
			add(fmt.Sprintf("difference %s - %s", c.a.id, c.b.id), c.a.columns[p.left].Name, t, "")
			add(fmt.Sprintf("ratio %s / %s", c.a.id, c.b.id), c.a.columns[p.left].Name, wire.Type{Kind: wire.KindFloat}, "")
		}
	}
	return out
}

func (c *comparison) row(i int) ([]wire.Value, error) {
	left, right := cells(c.left, c.rows[i][0]), cells(c.right, c.rows[i][1])
	var out []wire.Value
	for k := range c.keys.left {
		key := left(c.keys.left[k])
		if c.rows[i][0] < 0 {
			key = right(c.keys.right[k])
		}
		out = append(out, key)
	}
	for _, p := range c.pairs {
		x, y := left(p.left), right(p.right)
		if p.left >= 0 {
			out = append(out, x)
		}
		if p.right >= 0 {
			out = append(out, y)
		}
		if t, ok := c.measured(p); ok {
			if !numeric(x) || !numeric(y) {
				return nil, failed(c.a.step, "a value of the column %q or %q is no number", c.a.columns[p.left].Name, c.b.columns[p.right].Name)
			}
			d, err := difference(x, y, t)
			if err != nil {
				return nil, failed(c.a.step, "the difference of %q is beyond 64 bits", c.a.columns[p.left].Name)
			}
			out = append(out, d, ratio(x, y))
		}
	}
	return out, nil
}

func numeric(v wire.Value) bool { return v.IsNull() || v.Kind().Numeric() }

// cells reads the cells of a row, null where there is no row or no column.
func cells(rows [][]wire.Value, row int) func(column int) wire.Value {
	return func(column int) wire.Value {
		if row < 0 || column < 0 {
			return wire.Null()
		}
		return rows[row][column]
	}
}

package engineaggregator

import (
	"context"
	"errors"
	"math/big"
	"slices"

	"github.com/cockroachdb/apd/v3"

	"querent.dev/querent/sdk/wire"
)

// measure is an aggregate with its column found.
type measure struct {
	Measure
	column int       // -1: rows
	typ    wire.Type // of the result
}

// group is the rows of one key.
type group struct {
	key   []wire.Value
	cells []aggregate // one a measure
}

// aggregate is what a measure knows of the rows so far.
type aggregate struct {
	count  int64 // of what is not null
	sum    apd.Decimal
	float  float64
	extent wire.Value // the least or greatest
}

// summarize groups rows and aggregates each group, in the order in which groups
// first occur. Without group columns all rows are one group, also none.
func summarize(ctx context.Context, s Step, t table) (*stream, error) {
	columns, by, err := t.items(s.Group)
	if err != nil {
		return nil, err
	}
	measures, columns, err := measuresOf(s, t, columns)
	if err != nil {
		return nil, err
	}
	var groups []*group
	found := map[string]*group{}
	if len(by) == 0 {
		found[""] = newGroup(nil, nil, len(measures))
		groups = append(groups, found[""])
	}
	err = t.each(ctx, func(row []wire.Value) error {
		key, _, err := keyOf(row, by)
		if err != nil {
			return failed(s, "a value of %s is not of its type", t.named(by))
		}
		g := found[key]
		if g == nil {
			g = newGroup(row, by, len(measures))
			found[key] = g
			groups = append(groups, g)
		}
		for i, m := range measures {
			if err := m.add(&g.cells[i], row); err != nil {
				return failed(s, "%s(%s): %v", m.Func, m.Column, err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return listed(columns, len(groups), func(i int) ([]wire.Value, error) { return groups[i].row(s, measures) }), nil
}

func newGroup(row []wire.Value, by []int, measures int) *group {
	g := &group{cells: make([]aggregate, measures)}
	for _, i := range by {
		g.key = append(g.key, row[i])
	}
	return g
}

func (g *group) row(s Step, measures []measure) ([]wire.Value, error) {
	out := slices.Clone(g.key)
	for i, m := range measures {
		v, err := m.value(&g.cells[i])
		if err != nil {
			return nil, failed(s, "%s(%s): %v", m.Func, m.Column, err)
		}
		out = append(out, v)
	}
	return out, nil
}

func measuresOf(s Step, t table, columns []wire.Column) ([]measure, []wire.Column, error) {
	var out []measure
	for _, m := range s.Measure {
		ready := measure{Measure: m, column: -1, typ: wire.Type{Kind: wire.KindInt}}
		if m.Column != countStar {
			at, err := t.column(m.Column)
			if err != nil {
				return nil, nil, err
			}
			ready.column = at
			if ready.typ, err = measuredType(s, m, t.columns[at]); err != nil {
				return nil, nil, err
			}
		} else if m.Func != funcCount {
			return nil, nil, failed(s, "%s needs a column", m.Func)
		}
		label := m.Label
		if label == "" {
			label = m.Func + "(" + m.Column + ")"
		}
		columns = append(columns, wire.Column{Name: unused(columns, label, t.id), Type: ready.typ, Tag: shownTag(m, t, ready.column)})
		out = append(out, ready)
	}
	if len(columns) == 0 {
		return nil, nil, failed(s, "it names neither groups nor measures")
	}
	return out, columns, nil
}

// measuredType is the type of a measure over a column.
func measuredType(s Step, m Measure, c wire.Column) (wire.Type, error) {
	number := c.Type.Kind.Numeric() || c.Type.Kind == wire.KindNull
	switch {
	case m.Func == funcCount:
		return wire.Type{Kind: wire.KindInt}, nil
	case m.Func == funcSum && number && c.Type.Precision > 0:
		return decimalOf(c.Type.Scale), nil
	case m.Func == funcSum && number:
		return c.Type, nil
	case m.Func == funcAvg && number:
		return wire.Type{Kind: wire.KindFloat}, nil
	case (m.Func == funcMin || m.Func == funcMax) && familyOf(c.Type.Kind) != unordered:
		return c.Type, nil
	}
	return wire.Type{}, failed(s, "%s does not take the column %q, which is %s", m.Func, c.Name, c.Type)
}

var errNoNumber = errors.New("a value is no number")

func (m measure) add(a *aggregate, row []wire.Value) error {
	if m.column < 0 {
		a.count++
		return nil
	}
	v := row[m.column]
	if v.IsNull() {
		return nil
	}
	a.count++
	switch m.Func {
	case funcSum, funcAvg:
		return a.add(v)
	case funcMin, funcMax:
		if a.count == 1 {
			a.extent = v
			return nil
		}
		order, err := compare(v, a.extent)
		if err == nil && (m.Func == funcMin && order < 0 || m.Func == funcMax && order > 0) {
			a.extent = v
		}
		return err
	}
	return nil
}

// add adds a number, an exact one exactly.
func (a *aggregate) add(v wire.Value) error {
	switch v.Kind() {
	case wire.KindFloat:
		a.float += v.Float()
		return nil
	case wire.KindInt, wire.KindDecimal:
		var d apd.Decimal
		if err := number(&d, v); err != nil {
			return errNoNumber
		}
		_, err := exact.Add(&a.sum, &a.sum, &d)
		return err
	}
	return errNoNumber
}

// value is the measure over all rows of the group.
func (m measure) value(a *aggregate) (wire.Value, error) {
	switch {
	case m.Func == funcCount:
		return wire.Int(a.count), nil
	case a.count == 0:
		return wire.Null(), nil
	case m.Func == funcMin || m.Func == funcMax:
		return a.extent, nil
	case m.Func == funcSum && m.typ.Kind != wire.KindFloat && a.float == 0:
		return plain(&a.sum, m.typ)
	}
	total, ok := new(big.Rat).SetString(a.sum.Text('f'))
	if !ok {
		return wire.Null(), errNoNumber
	}
	if m.Func == funcSum {
		f, _ := total.Float64()
		return wire.Float(f + a.float), nil
	}
	f, _ := total.Quo(total, new(big.Rat).SetInt64(a.count)).Float64()
	return wire.Float(f + a.float/float64(a.count)), nil
}

// shownTag is the tag of a measure that shows a value of its column.
func shownTag(m Measure, t table, column int) string {
	if column >= 0 && (m.Func == funcMin || m.Func == funcMax) {
		return t.columns[column].Tag
	}
	return ""
}

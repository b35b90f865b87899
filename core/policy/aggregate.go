package policy

import (
	"fmt"
	"slices"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// defaultMinGroup is the group below which an aggregate is taken to say something
// about single rows, where a role does not set its own.
const defaultMinGroup = 5

// summarising are the aggregates that give no value of a single row. Least and
// greatest values, medians and percentiles do.
var summarising = map[string]bool{"count": true, "sum": true, "avg": true, "stddev": true, "variance": true}

// summary is an aggregate over a column that is for aggregates only.
type summary struct {
	column *plan.Column
	filter plan.Expr
	min    int
}

// aggregates demands that the block reads columns that are for aggregates only in
// aggregates, over rows of their table that no join repeats, and leaves out the
// groups that are too small.
func (s *securing) aggregates(b *plan.Block) error {
	f := &finder{s: s}
	for _, src := range b.Sources {
		f.outside(src.On)
	}
	f.outside(b.Where)
	for _, e := range b.Group {
		f.outside(e)
	}
	for _, item := range b.Select {
		f.grouped(item.Expr)
	}
	f.grouped(b.Having)
	for _, o := range b.Order {
		f.grouped(o.Expr)
	}
	for _, e := range b.Per {
		f.grouped(e)
	}
	if f.err != nil || len(f.found) == 0 {
		return f.err
	}
	if !b.Aggregated {
		return invalid("block %d aggregates without saying so", b.Index)
	}
	return s.suppress(b, f.found)
}

// suppress adds the conditions on the size of groups.
func (s *securing) suppress(b *plan.Block, found []summary) error {
	seen := map[string]bool{}
	for _, x := range found {
		if repeated(b, x.column.Source) {
			return s.onlyAggregates(x.column.Column, "may not be repeated by a join that finds several rows for one of its own")
		}
		count := &plan.Call{Func: function("count"), Args: []plan.Expr{x.column}, Filter: x.filter, T: wire.Type{Kind: wire.KindInt}}
		enough := &plan.Binary{Op: plan.OpGe, L: count, R: number(x.min), T: wire.Type{Kind: wire.KindBool}}
		text := plan.Text(enough)
		if seen[text] {
			continue
		}
		seen[text] = true
		fmt.Fprintf(s.hash, "group\n%d\n%s\n", b.Index, text)
		b.Having = either(plan.OpAnd, b.Having, enough)
		s.minGroup = max(s.minGroup, x.min)
	}
	return nil
}

func (s *securing) onlyAggregates(c *schema.Column, why string) error {
	return reason.New(reason.PolicyDenied, reason.ReasonNotPermitted, "caller %q with roles %v: the column %s is for aggregates only and %s",
		s.caller.Name, s.caller.Roles, c.ID(), why).
		WithSafe("A column of the plan may only be counted, summed or averaged over groups, and %s.", why).
		WithNext("Ask for a total or an average of groups.")
}

// finder looks for columns that are for aggregates only.
type finder struct {
	s     *securing
	found []summary
	err   error
}

// limited is the smallest group of a column that is for aggregates only, else 0.
func (f *finder) limited(e plan.Expr) (*plan.Column, int) {
	c, ok := e.(*plan.Column)
	if !ok {
		return nil, 0
	}
	l := f.s.view.limit(c.Column)
	if l == nil {
		return c, 0
	}
	return c, l.minGroup
}

// outside walks an expression in which such columns may not stand.
func (f *finder) outside(e plan.Expr) {
	f.walk(e, func(e plan.Expr) bool {
		if c, n := f.limited(e); n > 0 {
			f.err = f.s.onlyAggregates(c.Column, "may not be shown, compared, grouped or ordered by itself")
		}
		return f.err == nil
	})
}

// grouped walks an expression in which they may stand as the whole argument of an
// aggregate.
func (f *finder) grouped(e plan.Expr) {
	f.walk(e, func(e plan.Expr) bool {
		switch e := e.(type) {
		case *plan.Call:
			return !f.summary(e)
		case *plan.Window:
			// The call of a window is no aggregate of the block; its arguments may be.
			for _, x := range slices.Concat(e.Call.Args, e.Partition, []plan.Expr{e.Call.Filter}) {
				f.grouped(x)
			}
			for _, o := range slices.Concat(e.Call.Order, e.Order) {
				f.grouped(o.Expr)
			}
			return false
		case *plan.Lookup, *plan.Exists, *plan.InBlock:
			f.outside(e)
			return false
		}
		if c, n := f.limited(e); n > 0 {
			f.err = f.s.onlyAggregates(c.Column, "may not be shown, compared, grouped or ordered by itself")
		}
		return f.err == nil
	})
}

// summary takes an aggregate over such a column; false for any other call.
func (f *finder) summary(c *plan.Call) bool {
	if c.Func.Kind != plan.AggregateFunction || len(c.Args) != 1 {
		return false
	}
	column, n := f.limited(c.Args[0])
	if n == 0 {
		return false
	}
	if !summarising[c.Func.Name] {
		f.err = f.s.onlyAggregates(column.Column, "not by an aggregate that gives the value of a row, such as min, max or median")
		return true
	}
	f.outside(c.Filter)
	for _, o := range c.Order {
		f.outside(o.Expr)
	}
	f.found = append(f.found, summary{column, c.Filter, n})
	return true
}

func (f *finder) walk(e plan.Expr, visit func(plan.Expr) bool) {
	if f.err != nil {
		return
	}
	if err := plan.Walk(e, visit); err != nil && f.err == nil {
		f.err = invalid("%s", err)
	}
}

// repeated reports whether a row of the source may stand in several rows of the
// block: whether a table is joined of which the row does not determine the row.
func repeated(b *plan.Block, s *plan.Source) bool {
	determined := map[*plan.Source]bool{s: true}
	for more := true; more; {
		more = false
		for _, other := range b.Sources {
			if !determined[other] && (filters(other) || hasKeyIn(b, other, determined)) {
				determined[other], more = true, true
			}
		}
	}
	return len(determined) < len(b.Sources)
}

// filters reports whether the join of s adds no rows.
func filters(s *plan.Source) bool { return s.Join == plan.JoinSemi || s.Join == plan.JoinAnti }

// hasKeyIn reports whether the joins make a whole key of other equal to columns of
// the determined sources.
func hasKeyIn(b *plan.Block, other *plan.Source, determined map[*plan.Source]bool) bool {
	if other.Table == nil {
		return false
	}
	equal := map[*schema.Column]bool{}
	for _, s := range b.Sources {
		if filters(s) {
			continue
		}
		for _, p := range equalities(s.On) {
			for _, side := range [][2]*plan.Column{{p[0], p[1]}, {p[1], p[0]}} {
				if side[0].Source == other && determined[side[1].Source] && other.Masked[side[0].Column] == nil {
					equal[side[0].Column] = true
				}
			}
		}
	}
	whole := func(key []*schema.Column) bool {
		return len(key) > 0 && !slices.ContainsFunc(key, func(c *schema.Column) bool { return !equal[c] })
	}
	return whole(other.Table.PrimaryKey) || slices.ContainsFunc(other.Table.Unique, whole)
}

// equalities lists the pairs of columns that a condition demands to be equal.
func equalities(condition plan.Expr) [][2]*plan.Column {
	e, ok := condition.(*plan.Binary)
	switch {
	case !ok:
		return nil
	case e.Op == plan.OpAnd:
		return append(equalities(e.L), equalities(e.R)...)
	case e.Op != plan.OpEq:
		return nil
	}
	l, left := e.L.(*plan.Column)
	r, right := e.R.(*plan.Column)
	if !left || !right {
		return nil
	}
	return [][2]*plan.Column{{l, r}}
}

package fanout

import (
	"slices"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
)

// ref is a column of a source: of its table, or of its block.
type ref struct {
	source *plan.Source
	column *schema.Column // nil for a column of a block
	item   int
}

// refOf is the column that an expression is, if it is nothing but one.
func refOf(e plan.Expr) (ref, bool) {
	switch e := e.(type) {
	case *plan.Column:
		return ref{source: e.Source, column: e.Column}, true
	case *plan.Output:
		return ref{source: e.Source, item: e.Item}, true
	}
	return ref{}, false
}

// closure is what follows from a row of some sources: the columns that have one
// value then, and the sources of which there is at most one row.
type closure struct {
	block *plan.Block
	rules []rule
	real  map[*plan.Source]bool // no outer join has filled their row with nulls
	known map[ref]bool          // true: it is also known not to be null
	fixed map[*plan.Source]bool
}

// rule says that a column's value determines another's. One with a condition
// holds only for rows of that source which no outer join has filled with nulls.
type rule struct {
	from, to ref
	real     *plan.Source
}

// newClosure collects what the block's conditions make equal.
func newClosure(b *plan.Block) *closure {
	c := &closure{block: b, real: map[*plan.Source]bool{}, known: map[ref]bool{}, fixed: map[*plan.Source]bool{}}
	for _, s := range joined(b) {
		if s.Join != plan.JoinFull && !filledLater(b, s) && (s.Join != plan.JoinLeft) {
			c.real[s] = true
		}
	}
	for _, s := range joined(b) {
		c.demand(s.On, s)
	}
	c.demand(b.Where, nil)
	return c
}

// filledLater reports whether a later join may fill the row of s with nulls.
func filledLater(b *plan.Block, s *plan.Source) bool {
	return slices.ContainsFunc(b.Sources[s.Index+1:], func(later *plan.Source) bool {
		return later.Join == plan.JoinRight || later.Join == plan.JoinFull
	})
}

// demand takes in the equalities of a condition: that of the join of s, or that
// on all rows if s is nil.
func (c *closure) demand(cond plan.Expr, s *plan.Source) {
	for _, e := range conjuncts(cond) {
		b, ok := e.(*plan.Binary)
		if !ok || b.Op != plan.OpEq {
			continue
		}
		left, isLeft := refOf(b.L)
		right, isRight := refOf(b.R)
		if s == nil || s.Join == plan.JoinInner && !filledLater(c.block, s) {
			c.real[left.source], c.real[right.source] = true, true
		}
		switch {
		case isLeft && isRight:
			c.pair(left, right, s)
			c.pair(right, left, s)
		case isLeft && constant(b.R) && holds(s, left):
			c.known[left] = true
		case isRight && constant(b.L) && holds(s, right):
			c.known[right] = true
		}
	}
}

// holds reports whether what the join of s demands of a column is so in every row,
// or the column's source has been filled with nulls there.
func holds(s *plan.Source, r ref) bool {
	return s == nil || s.Join == plan.JoinInner || s.Join == plan.JoinLeft && r.source == s
}

// pair takes in that a column determines another by the join of s. A row that an
// outer join has filled with nulls belongs to one row of the other side, so what
// may be filled is determined like in an inner join; the other way round it is so
// only from a row that is there.
func (c *closure) pair(from, to ref, s *plan.Source) {
	switch {
	case s == nil || s.Join == plan.JoinInner:
		c.rules = append(c.rules, rule{from: from, to: to})
	case from.source == to.source:
	case s.Join == plan.JoinLeft && to.source == s, s.Join == plan.JoinRight && from.source == s:
		c.rules = append(c.rules, rule{from: from, to: to})
	default:
		c.rules = append(c.rules, rule{from: from, to: to, real: from.source})
	}
}

// conjuncts are the conditions that a condition joins by "and".
func conjuncts(cond plan.Expr) []plan.Expr {
	if cond == nil {
		return nil
	}
	if b, ok := cond.(*plan.Binary); ok && b.Op == plan.OpAnd {
		return append(conjuncts(b.L), conjuncts(b.R)...)
	}
	return []plan.Expr{cond}
}

// constant reports whether e has the same value in every row.
func constant(e plan.Expr) bool {
	same := true
	_ = plan.Walk(e, func(x plan.Expr) bool {
		switch x.(type) {
		case *plan.Column, *plan.Output, *plan.Exists, *plan.InBlock, *plan.Lookup:
			same = false
		}
		return same
	})
	return same
}

// start begins with one row of each of the sources, in a group of which the
// expressions have one value, and follows what that determines.
func (c *closure) start(rows []*plan.Source, within []plan.Expr) {
	for _, s := range rows {
		c.fixed[s], c.real[s] = true, true
	}
	for _, e := range within {
		if r, ok := refOf(e); ok {
			c.know(r, r.column != nil && !r.column.Nullable)
		}
	}
	for c.spread() {
	}
}

func (c *closure) know(r ref, notNull bool) bool {
	was, known := c.known[r]
	if known && (was || !notNull) {
		return false
	}
	c.known[r] = notNull
	return true
}

// spread finds more that is determined; false when there is no more.
func (c *closure) spread() bool {
	more := false
	for _, r := range c.rules {
		if (r.real == nil || c.real[r.real]) && c.has(r.from) && c.know(r.to, true) {
			more = true
		}
	}
	for _, s := range joined(c.block) {
		if s.Join == plan.JoinLeft && c.real[s] && c.matched(s) {
			more = true
		}
		if !c.fixed[s] && c.single(s) {
			c.fixed[s], more = true, true
		}
	}
	return more
}

// matched makes the sources real which a left join compares with one whose row is
// real. It reports whether there was one that was not.
func (c *closure) matched(s *plan.Source) bool {
	more := false
	for _, e := range conjuncts(s.On) {
		b, ok := e.(*plan.Binary)
		if !ok || b.Op != plan.OpEq {
			continue
		}
		for _, side := range []plan.Expr{b.L, b.R} {
			if r, ok := refOf(side); ok && !c.real[r.source] {
				c.real[r.source], more = true, true
			}
		}
	}
	return more
}

func (c *closure) has(r ref) bool {
	_, known := c.known[r]
	return known || c.fixed[r.source]
}

// open are the sources that may still have several rows.
func (c *closure) open() []*plan.Source {
	return slices.DeleteFunc(joined(c.block), func(s *plan.Source) bool { return c.fixed[s] })
}

// single reports whether what is known leaves at most one row of the source.
func (c *closure) single(s *plan.Source) bool {
	if s.Block != nil {
		return c.singleOfBlock(s)
	}
	known := func(col *schema.Column) bool { return c.has(ref{source: s, column: col}) }
	notNull := func(col *schema.Column) bool { return !col.Nullable || c.known[ref{source: s, column: col}] }
	all := func(columns []*schema.Column, holds func(*schema.Column) bool) bool {
		return len(columns) > 0 && !slices.ContainsFunc(columns, func(col *schema.Column) bool { return !holds(col) })
	}
	if all(s.Table.PrimaryKey, known) {
		return true
	}
	return slices.ContainsFunc(s.Table.Unique, func(key []*schema.Column) bool { return all(key, known) && all(key, notNull) })
}

func (c *closure) singleOfBlock(s *plan.Source) bool {
	return single(s.Block, func(item int) bool { return c.has(ref{source: s, item: item}) })
}

// single reports whether a block has at most one row for given values of the
// items that are known.
func single(b *plan.Block, known func(item int) bool) bool {
	if b.Recursive {
		return false
	}
	switch b.Op {
	case plan.OpUnionAll:
		return false
	case plan.OpSelect:
		return singleSelect(b, known)
	}
	return allItems(b, known) // the rows of the other set operations are distinct
}

func singleSelect(b *plan.Block, known func(item int) bool) bool {
	if b.Limit == 1 && len(b.Per) == 0 || b.Aggregated && len(b.Group) == 0 || len(b.Sources) == 0 {
		return true
	}
	if b.Distinct && allItems(b, known) {
		return true
	}
	inside := newClosure(b)
	var given []plan.Expr
	for i, item := range b.Select {
		if known(i) {
			given = append(given, item.Expr)
		}
	}
	inside.start(nil, given)
	switch {
	case b.Limit == 1 && inside.determine(b.Per, given):
		return true
	case b.Aggregated:
		return inside.determine(b.Group, given)
	}
	return len(inside.open()) == 0
}

func allItems(b *plan.Block, known func(item int) bool) bool {
	for i := range b.Columns() {
		if !known(i) {
			return false
		}
	}
	return true
}

// determine reports whether each of the expressions has one value: it is given,
// or reads nothing but what is known.
func (c *closure) determine(list, given []plan.Expr) bool {
	return !slices.ContainsFunc(list, func(e plan.Expr) bool {
		if slices.ContainsFunc(given, func(g plan.Expr) bool { return plan.Same(g, e) }) {
			return false
		}
		open := false
		_ = plan.Walk(e, func(x plan.Expr) bool {
			if r, ok := refOf(x); ok && !c.has(r) || plan.Reads(x) != nil {
				open = true
			}
			return !open
		})
		return open
	})
}

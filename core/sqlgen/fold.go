package sqlgen

import (
	"slices"

	"querent.dev/querent/core/plan"
)

// fold is the part of a block's sources, up to a full join that the dialect
// cannot write, which a derived table takes the place of: the rows of a left
// join, and then the rows of the right side that found no other.
type fold struct {
	sources []*plan.Source // the last of them is joined fully
	last    int            // its index in the block
	columns []plan.Expr    // what is read of the sources
	alias   string
	outer   []swap // the swaps around it
}

// foldFullJoins makes ready the fold of a block, if it needs one: from then on its
// columns are read from the derived table, which from writes.
func (r *renderer) foldFullJoins(b *plan.Block) {
	last := lastFold(r.dialect, b.Sources)
	if last < 0 {
		return
	}
	if slices.ContainsFunc(b.Sources[:last], func(s *plan.Source) bool { return s.Join == plan.JoinSemi || s.Join == plan.JoinAnti }) {
		r.fail(joinAfterFilter())
		return
	}
	var columns []plan.Expr
	// The policy has walked the block: it is of known types.
	_ = b.Walk(func(e plan.Expr) bool {
		if readsAny(b.Sources[:last+1], e) && !contains(columns, e) {
			columns = append(columns, e)
		}
		return true
	})
	if keys, ok := r.primaryKeys(b); ok {
		for _, e := range keys {
			if readsAny(b.Sources[:last+1], e) && !contains(columns, e) {
				columns = append(columns, e)
			}
		}
	}
	r.folds[b] = r.fold(b.Sources[:last+1], columns)
}

// lastFold is the index of the last full join that the dialect cannot write, or
// -1.
func lastFold(d dialect, sources []*plan.Source) int {
	for i, s := range slices.Backward(sources) {
		if s.Join == plan.JoinFull && !d.fullJoin(s) {
			return i
		}
	}
	return -1
}

// readsAny reports whether e is a column of one of the sources.
func readsAny(sources []*plan.Source, e plan.Expr) bool {
	switch e := e.(type) {
	case *plan.Column:
		return slices.Contains(sources, e.Source)
	case *plan.Output:
		return slices.Contains(sources, e.Source)
	}
	return false
}

// fold swaps the columns of the sources for those of a derived table.
func (r *renderer) fold(sources []*plan.Source, columns []plan.Expr) *fold {
	f := &fold{sources: sources, last: len(sources) - 1, columns: columns, alias: r.alias(), outer: r.swaps}
	swaps := slices.Clone(r.swaps)
	for i, c := range columns {
		swaps = append(swaps, swap{c, f.alias + "." + passed(i)})
	}
	r.swaps = swaps
	return f
}

// foldedTable writes the derived table of a fold.
func (r *renderer) foldedTable(f *fold) {
	swaps := r.swaps
	before, right := f.sources[:f.last], f.sources[f.last]
	r.put("(")
	r.swaps = f.outer
	left := r.leftSide(before, f.columns, right)
	r.put("SELECT ", func() { r.foldColumns(f, nil) }, "\nFROM ", func() { r.joinedSources(left, before) }, "\nLEFT JOIN ")
	r.source(right)
	r.put(" ON ", right.On, "\nUNION ALL\nSELECT ")
	r.swaps = f.outer
	r.foldColumns(f, right)
	r.put("\nFROM ")
	r.source(right)
	left = r.leftSide(before, f.columns, right)
	r.put("\nWHERE NOT EXISTS (SELECT 1 FROM ", func() { r.joinedSources(left, before) }, " WHERE ", right.On, ")")
	r.put(") AS ", f.alias)
	r.swaps = swaps
}

// foldColumns writes the columns of a fold; where only one source has rows, those
// of the others are null.
func (r *renderer) foldColumns(f *fold, only *plan.Source) {
	r.list(len(f.columns), ", ", func(i int) {
		if only == nil || readsAny([]*plan.Source{only}, f.columns[i]) {
			r.raw(f.columns[i])
		} else {
			r.put("NULL")
		}
		r.put(" AS ", passed(i))
	})
	if len(f.columns) == 0 {
		r.put("1 AS ", rank)
	}
}

// leftSide makes ready the fold of the sources before a full join, if there is
// another among them, or gives nil.
func (r *renderer) leftSide(sources []*plan.Source, columns []plan.Expr, right *plan.Source) *fold {
	last := lastFold(r.dialect, sources)
	if last < 0 {
		return nil
	}
	inside := sources[:last+1]
	var needed []plan.Expr
	visit := func(e plan.Expr) bool {
		if readsAny(inside, e) && !contains(needed, e) {
			needed = append(needed, e)
		}
		return true
	}
	for _, e := range columns {
		visit(e)
	}
	for _, s := range append(slices.Clone(sources[last:]), right) {
		// The policy has walked the condition: it is of known types.
		_ = plan.Walk(s.On, visit)
	}
	return r.fold(inside, needed)
}

// joinedSources writes the sources of one side, of which the first may be folded.
func (r *renderer) joinedSources(left *fold, sources []*plan.Source) {
	first := 0
	if left != nil {
		r.foldedTable(left)
		first = left.last
	} else {
		r.source(sources[0])
	}
	for _, s := range sources[first+1:] {
		r.join(s)
	}
}

// computedBeside lists the aggregates of the block that the dialect computes by
// windows beside the rows.
func (r *renderer) computedBeside(b *plan.Block) []plan.Expr {
	var out []plan.Expr
	if !b.Aggregated {
		return nil
	}
	visit := func(e plan.Expr) bool {
		switch e := e.(type) {
		case *plan.Lookup:
			return false
		case *plan.Call:
			if r.dialect.beside(e) && !contains(out, e) {
				out = append(out, e)
			}
		}
		return true
	}
	for _, e := range above(b) {
		// The policy has walked the expression: it is of known types.
		_ = plan.Walk(e, visit)
	}
	return out
}

// besideName is the name of the i-th column that is computed beside the rows.
func besideName(i int) string { return "w" + itoa(int64(i)+1) }

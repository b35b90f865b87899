package sqlgen

import (
	"slices"
	"strconv"

	"querent.dev/querent/core/plan"
)

// selection writes a select block up to its HAVING: its items as c1, c2, …, then
// the extra expressions as e1, e2, …. The tail is written while the block's
// sources are in scope.
func (r *renderer) selection(b *plan.Block, extras []plan.Expr, tail func()) {
	r.current = b
	for _, s := range b.Sources {
		if s.Join != plan.JoinSemi && s.Join != plan.JoinAnti {
			r.aliases[s] = r.alias()
		}
	}
	swaps := r.swaps
	r.foldFullJoins(b)
	beside := r.computedBeside(b)
	keys := r.splitKeys(b)
	if len(beside) > 0 {
		// Columns are handed on as they are stored, and read above.
		keys = slices.DeleteFunc(slices.Clone(b.Group), isColumn)
	}
	if len(keys)+len(beside) > 0 {
		r.overDerived(b, keys, beside, extras, tail)
	} else {
		r.selectList(b, extras)
		r.from(b)
		r.where(b)
		r.grouping(b)
		tail()
	}
	r.swaps = swaps
	for _, s := range b.Sources {
		delete(r.aliases, s)
	}
}

func (r *renderer) selectList(b *plan.Block, extras []plan.Expr) {
	r.put("SELECT ")
	if b.Distinct {
		r.put("DISTINCT ")
	}
	r.list(len(b.Select), ", ", func(i int) {
		switch e := b.Select[i].Expr; {
		case b.Recursive:
			r.dialect.settle(r, e, b.Types()[i])
		case i == 0 && r.hidesAggregates(b):
			r.put("CASE WHEN count(*) IS NOT NULL THEN ", exact{e}, " END")
		default:
			r.keyed(b, e, false, func() { r.put(exact{e}) })
		}
		r.put(" AS ", output(i))
	})
	for i, e := range extras {
		r.put(", ", func() { r.keyed(b, e, false, func() { r.put(exact{e}) }) }, " AS ", extra(i))
	}
}

// hidesAggregates reports whether SQLite would not see that b aggregates: without
// groups it looks for an aggregate among the items, outside windows, and refuses
// those in HAVING and in the order when it finds none.
func (r *renderer) hidesAggregates(b *plan.Block) bool {
	if _, lite := r.dialect.(sqlite); !lite || !b.Aggregated || len(b.Group) > 0 {
		return false
	}
	seen := false
	for _, item := range b.Select {
		// The policy has walked the expression: it is of known types.
		_ = plan.Walk(item.Expr, func(e plan.Expr) bool {
			switch e := e.(type) {
			case *plan.Window, *plan.Lookup:
				return false
			case *plan.Call:
				seen = seen || e.Func.Kind == plan.AggregateFunction
			}
			return !seen
		})
	}
	return !seen
}

// extra is the name of the i-th extra column of a selection, from 0.
func extra(i int) string { return "e" + strconv.Itoa(i+1) }

func (r *renderer) grouping(b *plan.Block) {
	if len(b.Group) > 0 {
		r.put("\nGROUP BY ")
		r.list(len(b.Group), ", ", func(i int) { r.put(exact{b.Group[i]}) })
	}
	_, having := r.dialect.ofGroups(b)
	word := "\nHAVING "
	for _, e := range having {
		r.put(word)
		r.keyed(b, e, true, func() { r.put(e) })
		word = "\n  AND "
	}
}

// wholeHaving is the condition on the groups of a block as one, if there is one.
func wholeHaving(b *plan.Block) []plan.Expr {
	if b.Having == nil {
		return nil
	}
	return []plan.Expr{b.Having}
}

// splitKeys finds the group keys that must be computed in a derived table,
// because a database would not see that the key and its copy in the select are
// equal.
func (r *renderer) splitKeys(b *plan.Block) []plan.Expr {
	var keys []plan.Expr
	for _, g := range b.Group {
		if r.probe(g) {
			keys = append(keys, g)
		}
	}
	return keys
}

// overDerived writes an aggregated selection over a derived table that computes
// the keys and what stands beside the rows, and hands on the columns that the
// rest of the block uses.
func (r *renderer) overDerived(b *plan.Block, keys, beside, extras []plan.Expr, tail func()) {
	columns, err := outerColumns(b, append(keys[:len(keys):len(keys)], beside...))
	if err != nil {
		r.fail(malformed("%w", err))
		return
	}
	alias := r.alias()
	inner := func() {
		r.put("SELECT ")
		r.list(len(keys), ", ", func(i int) { r.put(exact{keys[i]}, " AS ", key(i)) })
		comma := func(first bool) {
			if !first {
				r.put(", ")
			}
		}
		r.besides = b
		for i, e := range beside {
			comma(len(keys)+i == 0)
			r.put(e, " AS ", besideName(i))
		}
		r.besides = nil
		for i, c := range columns {
			comma(len(keys)+len(beside)+i == 0)
			r.raw(c)
			r.put(" AS ", passed(i))
		}
		r.from(b)
		r.where(b)
	}
	outer := r.swaps
	defer func() { r.swaps = outer }()
	swaps := make([]swap, 0, len(keys)+len(columns))
	for i, k := range keys {
		swaps = append(swaps, swap{k, alias + "." + key(i)})
	}
	for i, e := range beside {
		swaps = append(swaps, swap{e, "MAX(" + alias + "." + besideName(i) + ")"})
	}
	for i, c := range columns {
		swaps = append(swaps, swap{c, alias + "." + passed(i)})
	}
	// The list is written before the derived table in the text, and so are its
	// arguments; only the swaps have to change between them.
	r.swaps = swaps
	r.selectList(b, extras)
	r.swaps = outer
	r.put("\nFROM (", inner, ") AS ", alias)
	r.swaps = swaps
	r.grouping(b)
	tail()
}

func key(i int) string    { return "k" + strconv.Itoa(i+1) }
func passed(i int) string { return "x" + strconv.Itoa(i+1) }

// outerColumns lists the columns of the block's sources that are used above the
// grouping and outside the keys, each once.
func outerColumns(b *plan.Block, keys []plan.Expr) ([]plan.Expr, error) {
	var out []plan.Expr
	visit := func(e plan.Expr) bool {
		if contains(keys, e) {
			return false
		}
		if ofBlock(e, b) && !contains(out, e) {
			out = append(out, e)
		}
		return true
	}
	for _, e := range above(b) {
		if err := plan.Walk(e, visit); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// above lists the expressions that are evaluated after the grouping, with the
// keys.
func above(b *plan.Block) []plan.Expr {
	out := append([]plan.Expr{b.Having}, b.Group...)
	for _, i := range b.Select {
		out = append(out, i.Expr)
	}
	for _, o := range b.Order {
		out = append(out, o.Expr)
	}
	return append(out, b.Per...)
}

// ofBlock reports whether e is a column of one of the block's own sources.
func ofBlock(e plan.Expr, b *plan.Block) bool {
	var source *plan.Source
	switch e := e.(type) {
	case *plan.Column:
		source = e.Source
	case *plan.Output:
		source = e.Source
	}
	for _, s := range b.Sources {
		if s == source {
			return true
		}
	}
	return false
}

func contains(list []plan.Expr, e plan.Expr) bool {
	for _, x := range list {
		if same(x, e) {
			return true
		}
	}
	return false
}

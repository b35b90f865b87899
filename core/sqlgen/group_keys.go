package sqlgen

import (
	"querent.dev/querent/core/plan"
)

// What is computed from the groups of a block reads their keys. SQLite takes any
// writing of a key for the key. PostgreSQL takes only the very text that it groups by,
// and MariaDB finds no column in HAVING that is grouped by as a part of a calculation;
// but a comparison, a test for null or a conversion writes a column as it is stored,
// and a group key is written in the form in which values are equal. So conditions on
// keys alone are tested on the rows, which share the keys of their group, and other
// calculations read a key as an aggregate: any value of it among the rows of the group.

// byKeys splits the conditions on the groups of b into those on keys alone, which hold
// for all rows of a group or for none, and the others.
func byKeys(b *plan.Block) (early, late []plan.Expr) {
	if len(b.Group) == 0 {
		return nil, wholeHaving(b)
	}
	for _, e := range conjuncts(b.Having) {
		if aggregates(e) {
			late = append(late, e)
		} else {
			early = append(early, e)
		}
	}
	return early, late
}

// aggregates reports whether an aggregate stands anywhere in e.
func aggregates(e plan.Expr) bool {
	found := false
	// The policy has walked the expression: it is of known types.
	_ = plan.Walk(e, func(x plan.Expr) bool {
		c, ok := x.(*plan.Call)
		found = found || ok && c.Func.Kind == plan.AggregateFunction
		return !found
	})
	return found
}

// keyed writes an expression over the groups of b, whose keys are read as aggregates
// if it calculates with them and the database would not see that they are keys.
func (r *renderer) keyed(b *plan.Block, e plan.Expr, having bool, write func()) {
	if len(b.Group) == 0 || r.grouped || r.dialect.seesKeys(having) || contains(b.Group, e) || !readsKeys(e, b.Group) {
		write()
		return
	}
	rows := r.swaps
	swaps := make([]swap, len(b.Group))
	for i, key := range b.Group {
		swaps[i] = swap{key, r.aside(func() { r.dialect.anyOf(r, key) })}
	}
	r.swaps, r.rowSwaps, r.grouped = append(swaps, rows...), rows, true
	write()
	r.swaps, r.rowSwaps, r.grouped = rows, nil, false
}

// anyBy writes a group key under an aggregate that takes one of its values.
func (r *renderer) anyBy(aggregate string, key plan.Expr) {
	r.put(aggregate, "(")
	if isColumn(key) {
		r.raw(key)
	} else {
		r.exact(key)
	}
	r.put(")")
}

// aside is what write writes, which has no arguments.
func (r *renderer) aside(write func()) string {
	start, args := len(r.text), len(r.args)
	write()
	if r.err != nil {
		return ""
	}
	if len(r.args) != args {
		r.fail(malformed("a group key has arguments that no derived table computes"))
		return ""
	}
	text := string(r.text[start:])
	r.text = r.text[:start]
	return text
}

// ofRows writes an aggregate of the groups, inside which keys are those of the rows.
func (r *renderer) ofRows(write func()) {
	if !r.grouped {
		write()
		return
	}
	groups := r.swaps
	r.swaps, r.grouped = r.rowSwaps, false
	write()
	r.swaps, r.grouped = groups, true
}

// readsKeys reports whether e calculates with a key of the groups or tests it,
// outside the aggregates. A window may stand over keys as they are.
func readsKeys(e plan.Expr, keys []plan.Expr) bool {
	found := false
	windowed := windowedCalls(e)
	overGroups(e, keys, windowed, func(x plan.Expr) {
		_, window := x.(*plan.Window)
		c, called := x.(*plan.Call)
		if window || called && c.Func.Kind == plan.WindowFunction || contains(keys, x) {
			return
		}
		overGroups(x, keys, windowed, func(y plan.Expr) { found = found || contains(keys, y) })
	})
	return found
}

// windowedCalls are the calls in e that run over groups, and not over their rows.
func windowedCalls(e plan.Expr) map[*plan.Call]bool {
	out := map[*plan.Call]bool{}
	// The policy has walked the expression: it is of known types.
	_ = plan.Walk(e, func(x plan.Expr) bool {
		if w, ok := x.(*plan.Window); ok {
			out[w.Call] = true
		}
		return true
	})
	return out
}

// overGroups visits what of e is computed from the groups: not what is inside of the
// keys, nor the aggregates of rows.
func overGroups(e plan.Expr, keys []plan.Expr, windowed map[*plan.Call]bool, visit func(plan.Expr)) {
	// The policy has walked the expression: it is of known types.
	_ = plan.Walk(e, func(x plan.Expr) bool {
		if c, ok := x.(*plan.Call); ok && c.Func.Kind == plan.AggregateFunction && !windowed[c] {
			return false
		}
		visit(x)
		return !contains(keys, x)
	})
}

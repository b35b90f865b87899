package sqlgen

import (
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// term is an ordering term of a block. item is the index of the select item that
// it repeats, or -1.
type term struct {
	plan.Order
	item int
}

// terms is the block's order. One that decides which rows a limit keeps is
// made total, so that the same plan keeps the same rows everywhere.
func (r *renderer) terms(b *plan.Block) []term {
	var out []term
	add := func(o plan.Order) {
		for _, t := range out {
			if same(t.Expr, o.Expr) {
				return
			}
		}
		out = append(out, term{o, itemOf(b, o.Expr)})
	}
	for _, o := range b.Order {
		add(o)
	}
	if b.Limit > 0 || b.Offset > 0 {
		for _, e := range r.tieBreak(b) {
			add(plan.Order{Expr: e})
		}
	}
	return out
}

// itemOf finds the select item that is the expression, or -1.
func itemOf(b *plan.Block, e plan.Expr) int {
	for i, item := range b.Select {
		if same(item.Expr, e) {
			return i
		}
	}
	return -1
}

// tieBreak is what tells the rows of a block apart: the group keys of a grouped
// block, else the primary keys of its tables. Where a table has no key, or the
// caller may not read it, it is every selected item: rows that tie in those are
// the same to a reader.
func (r *renderer) tieBreak(b *plan.Block) []plan.Expr {
	if !b.Distinct {
		if b.Aggregated {
			return b.Group
		}
		if keys, ok := r.primaryKeys(b); ok {
			return keys
		}
	}
	out := make([]plan.Expr, len(b.Select))
	for i, item := range b.Select {
		out[i] = item.Expr
	}
	return out
}

func (r *renderer) primaryKeys(b *plan.Block) ([]plan.Expr, bool) {
	var keys []plan.Expr
	var columns []*schema.Column
	for _, s := range b.Sources {
		if s.Join == plan.JoinSemi || s.Join == plan.JoinAnti {
			continue
		}
		if s.Table == nil || len(s.Table.PrimaryKey) == 0 {
			return nil, false
		}
		for _, c := range s.Table.PrimaryKey {
			if !r.secured.Permits(c) {
				return nil, false
			}
			keys = append(keys, &plan.Column{Source: s, Column: c})
			columns = append(columns, c)
		}
	}
	r.added = append(r.added, columns...)
	return keys, true
}

func (r *renderer) orderBy(b *plan.Block) {
	terms := r.terms(b)
	if len(terms) == 0 {
		return
	}
	r.put("\nORDER BY ")
	r.list(len(terms), ", ", func(i int) {
		t := terms[i]
		switch {
		case t.item >= 0:
			name, value := func() { r.put(output(t.item)) }, func() { r.put(exact{t.Expr}) }
			r.dialect.order(r, name, value, t.Desc, t.Nulls == plan.NullsFirst, nullable(t.Expr, b))
		case b.Distinct:
			r.fail(invalid("Distinct rows can only be ordered by what is selected. Add the ordering expression to select, or leave distinct out."))
		default:
			r.term(t, nullable(t.Expr, b), func() { r.keyed(b, t.Expr, false, func() { r.dialect.sortKey(r, t.Expr) }) })
		}
	})
}

func (r *renderer) term(t term, nullable bool, write func()) {
	r.dialect.order(r, write, write, t.Desc, t.Nulls == plan.NullsFirst, nullable)
}

// nullable reports whether e may be null in a row of b, so far as it is plain to
// see.
func nullable(e plan.Expr, b *plan.Block) bool {
	switch e := e.(type) {
	case *plan.Column:
		return e.Column.Nullable || masked(e) || b.Outer(e.Source)
	case *plan.Call:
		return e.Func.Name != "count"
	case *plan.Literal:
		return e.Value.IsNull()
	}
	return true
}

// rank is the column that numbers the rows of a group.
const rank = "n"

// perGroup writes a block whose limit counts in every group of b.Per. The rows
// of a group stand together, in the order that ranked them.
func (r *renderer) perGroup(b *plan.Block, result bool) {
	groups := make([]term, len(b.Per))
	for i, e := range b.Per {
		groups[i] = term{plan.Order{Expr: e}, itemOf(b, e)}
	}
	order := r.terms(b)
	extras, columns := r.rankColumns(b, groups, order)
	inner, outer := r.alias(), r.alias()
	r.put("SELECT ")
	r.list(len(b.Select), ", ", func(i int) { r.put(outer, ".", output(i), " AS ", output(i)) })
	r.put("\nFROM (SELECT ")
	r.list(len(b.Select), ", ", func(i int) { r.put(inner, ".", output(i), " AS ", output(i)) })
	r.list(len(extras), "", func(i int) { r.put(", ", inner, ".", extra(i), " AS ", extra(i)) })
	r.put(", row_number() OVER (PARTITION BY ")
	r.list(len(groups), ", ", func(i int) { r.put(inner, ".", columns[i]) })
	if len(order) > 0 {
		r.put(" ORDER BY ")
		r.list(len(order), ", ", func(i int) {
			r.term(order[i], true, func() { r.put(inner, ".", columns[len(groups)+i]) })
		})
	}
	r.put(") AS ", rank, "\nFROM (")
	r.selection(b, extras, func() {})
	r.put(") AS ", inner, ") AS ", outer)
	r.rankLimit(b, outer)
	if result {
		r.put("\nORDER BY ")
		r.list(len(groups), ", ", func(i int) {
			r.term(groups[i], true, func() { r.put(outer, ".", columns[i]) })
		})
		r.put(", ", outer, ".", rank)
	}
}

// rankColumns names the column of every group and order term, and lists the
// expressions that are not selected and must be handed up beside the items.
func (r *renderer) rankColumns(b *plan.Block, groups, order []term) (extras []plan.Expr, columns []string) {
	for _, t := range append(groups[:len(groups):len(groups)], order...) {
		switch {
		case t.item >= 0:
			columns = append(columns, output(t.item))
		case b.Distinct:
			r.fail(invalid("Distinct rows can only be limited per group by what is selected. Add the expression to select, or leave distinct out."))
		default:
			columns = append(columns, extra(len(extras)))
			extras = append(extras, t.Expr)
		}
	}
	return extras, columns
}

func (r *renderer) rankLimit(b *plan.Block, alias string) {
	word := "\nWHERE "
	if b.Offset > 0 {
		r.put(word, alias, ".", rank, " > ", wire.Int(b.Offset))
		word = " AND "
	}
	if b.Limit > 0 {
		r.put(word, alias, ".", rank, " <= ", wire.Int(b.Offset+b.Limit))
	}
}

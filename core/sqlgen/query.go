package sqlgen

import (
	"slices"
	"strconv"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/wire"
)

// query writes the result block, with the others in WITH.
func (r *renderer) query(q *plan.Query) {
	for i, b := range q.Blocks[:len(q.Blocks)-1] {
		name := "b" + strconv.Itoa(i+1)
		switch {
		case i > 0:
			r.put(",\n")
		case slices.ContainsFunc(q.Blocks, func(b *plan.Block) bool { return b.Recursive }):
			r.put("WITH RECURSIVE ")
		default:
			r.put("WITH ")
		}
		r.put(name, " AS (\n")
		if b.Recursive {
			r.names[b] = name // it reads itself
			r.recursive(b)
		} else {
			r.block(b, false)
		}
		r.put("\n)")
		r.names[b] = name
	}
	if len(r.names) > 0 {
		r.put("\n")
	}
	r.block(q.Result(), true)
}

// block writes a block. Its order counts where it is the result or has a limit;
// elsewhere databases do not keep it, and it is left out.
func (r *renderer) block(b *plan.Block, result bool) {
	ordered := result || b.Limit > 0 || b.Offset > 0
	switch {
	case b.Op != plan.OpSelect:
		r.setOperation(b)
	case b.Limit < 0 || b.Offset < 0:
		r.fail(malformed("a block has the limit %d and the offset %d", b.Limit, b.Offset))
	case len(b.Per) > 0:
		r.perGroup(b, result)
	default:
		r.selection(b, nil, func() {
			if ordered {
				r.orderBy(b)
			}
			if b.Limit > 0 || b.Offset > 0 {
				r.put("\n")
				r.dialect.page(r, b.Limit, b.Offset)
			}
		})
	}
}

// setOperators are the set operations as every dialect writes them.
var setOperators = map[plan.BlockOp]string{
	plan.OpUnion: "UNION", plan.OpUnionAll: "UNION ALL", plan.OpIntersect: "INTERSECT", plan.OpExcept: "EXCEPT",
}

// setOperation writes one operator between blocks that stand in WITH. Databases
// differ in which of two different operators binds first; here there is never
// more than one.
func (r *renderer) setOperation(b *plan.Block) {
	operator, ok := setOperators[b.Op]
	if !ok || len(b.Of) < 2 {
		r.fail(malformed("the set operation %q has %d inputs", b.Op, len(b.Of)))
		return
	}
	if b.Recursive || b.Where != nil || b.Having != nil || len(b.Sources)+len(b.Group)+len(b.Select)+len(b.Order)+len(b.Per) > 0 || b.Limit+b.Offset != 0 || b.Distinct {
		r.fail(malformed("a set operation has clauses of its own"))
		return
	}
	width := len(b.Columns())
	r.list(len(b.Of), "\n"+operator+"\n", func(i int) {
		input := b.Of[i]
		if len(input.Columns()) != width {
			r.fail(invalid("The blocks of a set operation must have the same number of columns."))
			return
		}
		alias := r.alias()
		r.put("SELECT ")
		r.list(width, ", ", func(c int) {
			from, to := columnType(input, c), columnType(b, c)
			r.dialect.conform(r, func() { r.put(alias, ".", output(c)) }, from, to)
			r.put(" AS ", output(c))
		})
		r.put("\nFROM ", r.names[input], " AS ", alias)
	})
}

// columnType is the type of a column of a block, for the blocks that read it.
func columnType(b *plan.Block, i int) wire.Type {
	if types := b.Types(); i < len(types) {
		return types[i]
	}
	return b.Columns()[i].Expr.Type()
}

// recursive writes a block that reads itself: the block that it starts from, and
// the step that finds more rows from those found before.
func (r *renderer) recursive(b *plan.Block) {
	operator, ok := setOperators[b.Op]
	if !ok || len(b.Of) != 1 || b.Op != plan.OpUnion && b.Op != plan.OpUnionAll {
		r.fail(malformed("the recursive operation %q has %d starts", b.Op, len(b.Of)))
		return
	}
	if b.Aggregated || b.Having != nil || len(b.Group)+len(b.Order)+len(b.Per) > 0 || b.Limit+b.Offset != 0 || b.Distinct {
		r.fail(malformed("the step of a recursive block groups, orders or limits"))
		return
	}
	start := b.Of[0]
	types := b.Types()
	if len(types) != len(start.Columns()) || len(types) != len(b.Select) {
		r.fail(malformed("the start and the step of a recursive block differ in their columns"))
		return
	}
	s := &plan.Source{Block: start}
	r.aliases[s] = r.alias()
	r.put("SELECT ")
	r.list(len(types), ", ", func(i int) {
		column := &plan.Output{Source: s, Item: i, T: start.Types()[i]}
		r.put(func() { r.dialect.settle(r, column, types[i]) }, " AS ", output(i))
	})
	r.put("\nFROM ")
	r.source(s)
	delete(r.aliases, s)
	r.put("\n", operator, "\n")
	r.selection(b, nil, func() {})
}

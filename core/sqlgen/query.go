package sqlgen

import (
	"strconv"

	"querent.dev/querent/core/plan"
)

// query writes the result block, with the others in WITH.
func (r *renderer) query(q *plan.Query) {
	for i, b := range q.Blocks[:len(q.Blocks)-1] {
		name := "b" + strconv.Itoa(i+1)
		if i == 0 {
			r.put("WITH ", name, " AS (\n")
		} else {
			r.put(",\n", name, " AS (\n")
		}
		r.block(b, false)
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
	if b.Where != nil || b.Having != nil || len(b.Sources)+len(b.Group)+len(b.Select)+len(b.Order)+len(b.Per) > 0 || b.Limit+b.Offset != 0 || b.Distinct {
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
		r.list(width, ", ", func(c int) { r.put(alias, ".", output(c), " AS ", output(c)) })
		r.put("\nFROM ", r.names[input], " AS ", alias)
	})
}

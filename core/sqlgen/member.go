package sqlgen

import (
	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/wire"
)

// pair is an equality between something outside a sub-query and something of
// its source.
type pair struct{ outside, inside plan.Expr }

// exists writes whether the source has a row for which the condition holds. A
// condition that is equalities, and tests of the source alone, becomes IN:
// SQLite runs NOT EXISTS without an index as a scan for every row outside, while
// it indexes the right side of IN by itself.
func (r *renderer) exists(s *plan.Source, condition plan.Expr, negate bool) {
	if pairs, rest := equalities(condition, s); len(pairs) > 0 && r.dialect.indexesIn(pairs) {
		r.member(s, pairs, rest, negate)
		return
	}
	r.aliases[s] = r.alias()
	if negate {
		r.put("(NOT ")
	}
	r.put("EXISTS (SELECT 1 FROM ")
	r.source(s)
	if condition != nil {
		r.put(" WHERE ", condition)
	}
	r.put(")")
	if negate {
		r.put(")")
	}
	delete(r.aliases, s)
}

// inBlock asks whether a row of the block is equal to x.
func (r *renderer) inBlock(x plan.Expr, block *plan.Block, negate bool) {
	items := block.Columns()
	if len(items) != 1 {
		r.fail(invalid("The block after in must select one column, not %d.", len(items)))
		return
	}
	s := &plan.Source{Index: -1, Block: block}
	item := &plan.Output{Source: s, T: items[0].Expr.Type()}
	pairs := []pair{{x, item}}
	if !r.dialect.indexesIn(pairs) {
		r.exists(s, &plan.Binary{Op: plan.OpEq, L: x, R: item, T: wire.Type{Kind: wire.KindBool}}, negate)
		return
	}
	r.member(s, pairs, nil, negate)
}

// member writes whether the source has a row that equals in every pair and for
// which the rest holds. It is true or false and never null: a null equals
// nothing, neither outside nor inside, so that a null inside does not empty a
// "not in".
func (r *renderer) member(s *plan.Source, pairs []pair, rest []plan.Expr, negate bool) {
	in, guard, join := " IN (SELECT ", " IS NOT NULL", " AND "
	if negate {
		in, guard, join = " NOT IN (SELECT ", " IS NULL", " OR "
	}
	r.put("(")
	for _, p := range pairs {
		if nullable(p.outside, r.current) {
			r.put(p.outside, guard, join)
		}
	}
	r.row(pairs, func(p pair) { r.dialect.comparable(r, p.outside, p.inside) })
	r.put(in)
	r.aliases[s] = r.alias()
	r.list(len(pairs), ", ", func(i int) { r.dialect.comparable(r, pairs[i].inside, pairs[i].outside) })
	r.put(" FROM ")
	r.source(s)
	word := " WHERE "
	for _, p := range pairs {
		if nullable(p.inside, r.current) {
			r.put(word, p.inside, " IS NOT NULL")
			word = " AND "
		}
	}
	for _, e := range rest {
		r.put(word, e)
		word = " AND "
	}
	r.put("))")
	delete(r.aliases, s)
}

// row writes one value bare and several as a row in parentheses.
func (r *renderer) row(pairs []pair, value func(pair)) {
	if len(pairs) > 1 {
		r.put("(")
	}
	r.list(len(pairs), ", ", func(i int) { value(pairs[i]) })
	if len(pairs) > 1 {
		r.put(")")
	}
}

// equalities splits a condition on a source into equalities with what is
// outside and tests of the source alone. A condition that has other parts gives
// no pairs.
func equalities(condition plan.Expr, s *plan.Source) (pairs []pair, rest []plan.Expr) {
	for _, part := range conjuncts(condition) {
		inside, outside := sides(part, s)
		if inside && !outside {
			rest = append(rest, part)
			continue
		}
		e, ok := part.(*plan.Binary)
		if !ok || e.Op != plan.OpEq {
			return nil, nil
		}
		leftIn, leftOut := sides(e.L, s)
		rightIn, rightOut := sides(e.R, s)
		switch {
		case leftIn && !leftOut && !rightIn:
			pairs = append(pairs, pair{outside: e.R, inside: e.L})
		case rightIn && !rightOut && !leftIn:
			pairs = append(pairs, pair{outside: e.L, inside: e.R})
		default:
			return nil, nil
		}
	}
	return pairs, rest
}

func conjuncts(e plan.Expr) []plan.Expr {
	if e == nil {
		return nil
	}
	if and, ok := e.(*plan.Binary); ok && and.Op == plan.OpAnd {
		return append(conjuncts(and.L), conjuncts(and.R)...)
	}
	return []plan.Expr{e}
}

// sides reports whether e reads the source, and whether it reads anything else.
func sides(e plan.Expr, s *plan.Source) (inside, outside bool) {
	// The policy has walked the expression: it is of known types.
	_ = plan.Walk(e, func(x plan.Expr) bool {
		switch x := x.(type) {
		case *plan.Column:
			inside, outside = inside || x.Source == s, outside || x.Source != s
		case *plan.Output:
			inside, outside = inside || x.Source == s, outside || x.Source != s
		case *plan.InBlock, *plan.Exists, *plan.Scalar, *plan.Lookup:
			outside = true
		}
		return true
	})
	return inside, outside
}

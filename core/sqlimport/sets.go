package sqlimport

import (
	"slices"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/sqlimport/internal/tree"
	"querent.dev/querent/sdk/wire"
)

// groupingSets translates a select with rollup, cube or grouping sets: one block a
// set, joined by union all. A key that a set does not have is null there.
func (t *translator) groupingSets(n *tree.Select, q *tree.Query, parent *scope) (wire.Clauses, []column, error) {
	wide, terms, err := t.withTerms(n, q)
	if err != nil {
		return wire.Clauses{}, nil, err
	}
	var rels []*relation
	for _, set := range n.Sets {
		rel, err := t.groupingSet(wide, set, parent)
		if err != nil {
			return wire.Clauses{}, nil, err
		}
		rels = append(rels, rel)
	}
	columns, err := t.alike(rels, &tree.SetOp{Pos: n.Pos})
	if err != nil {
		return wire.Clauses{}, nil, err
	}
	all := wire.Block{Name: t.blockName(""), Op: string(plan.OpUnionAll)}
	for _, r := range rels {
		all.Of = append(all.Of, r.block)
	}
	for i := range columns {
		columns[i].nullable = true
	}
	if len(rels) == 1 {
		all.Name = rels[0].block
	} else {
		t.blocks = append(t.blocks, all)
	}
	return t.readSets(&relation{block: all.Name, columns: columns}, n, q, terms, parent)
}

// withTerms is the select with what orders it among its items, and the place of
// each ordering term.
func (t *translator) withTerms(n *tree.Select, q *tree.Query) (*tree.Select, []int, error) {
	wide := *n
	wide.Items = slices.Clone(n.Items)
	for _, item := range n.Items {
		if _, star := item.Expr.(*tree.Star); star {
			return nil, nil, t.unsupported(item.Expr, "a star beside grouping sets", "name the columns")
		}
	}
	probe := &selecting{t: t, n: n}
	terms := make([]int, len(q.Order))
	for i, term := range q.Order {
		at, ok, err := t.ordinal(term.Expr, len(n.Items))
		if err != nil {
			return nil, nil, err
		}
		if !ok {
			at, ok = probe.named(term.Expr)
		}
		if !ok {
			at = len(wide.Items)
			wide.Items = append(wide.Items, tree.Item{Expr: term.Expr, Alias: "order " + itoa(i+1)})
		}
		terms[i] = at
	}
	for _, item := range wide.Items {
		if tree.Find(item.Expr, func(e tree.Expr) bool { c, ok := e.(*tree.Call); return ok && c.Over != nil }) {
			return nil, nil, t.unsupported(item.Expr, "a window beside grouping sets", "put the grouping sets into a derived table")
		}
	}
	return &wide, terms, nil
}

// groupingSet is the block of one set.
func (t *translator) groupingSet(n *tree.Select, set []tree.Expr, parent *scope) (*relation, error) {
	one := *n
	one.Distinct = false
	s := &selecting{t: t, n: &one, q: &tree.Query{Pos: n.Pos}, scope: &scope{parent: parent, items: n.Items, windows: n.Windows}}
	moved, err := t.from(n.From, s.scope, &s.c)
	if err != nil {
		return nil, err
	}
	if where := append(moved, conjuncts(n.Where)...); len(where) > 0 {
		if s.c.Where, err = t.condition(conjunction(where), s.scope); err != nil {
			return nil, err
		}
	}
	s.scope.absent = map[string]bool{}
	if err := s.list(); err != nil {
		return nil, err
	}
	for _, inSet := range []bool{false, true} {
		for _, e := range n.Group {
			if slices.Contains(set, e) != inSet {
				continue
			}
			k, err := s.key(e)
			if err != nil {
				return nil, err
			}
			s.scope.absent[k.text] = !inSet
		}
	}
	one.Group = set
	if err := s.group(); err != nil {
		return nil, err
	}
	s.names, s.items, s.exprs = nil, nil, nil
	s.scope.nulled = true
	for _, step := range []func() error{s.list, s.bare, s.having} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	if len(set) == 0 {
		// The rows are one group; MariaDB has none of it where there are no rows.
		s.c.Having = both(s.c.Having, map[bool]string{true: "count(*) > 0", false: "count(*) >= 0"}[t.mysql()])
	}
	columns := t.label(&s.c, s.names, s.items)
	return t.add("", s.c, columns), nil
}

// readSets selects the columns of the union in the order of the terms.
func (t *translator) readSets(rel *relation, n *tree.Select, q *tree.Query, terms []int, parent *scope) (wire.Clauses, []column, error) {
	shown := &relation{block: rel.block, columns: rel.columns[:len(n.Items)]}
	c, columns, err := t.readAll(shown, &tree.Query{Pos: q.Pos, Limit: q.Limit, Offset: q.Offset}, parent)
	if err != nil {
		return c, nil, err
	}
	c.Distinct = n.Distinct
	for i, at := range terms {
		if at >= len(n.Items) && n.Distinct {
			return c, nil, t.fault(NotPortable, n, "distinct with this order", "its rows are ordered by what they do not show")
		}
		src := &source{relation: rel, alias: "r"}
		v := t.sorted(src.value(rel.columns[at]))
		c.Order = append(c.Order, v.text+t.direction(q.Order[i], v))
	}
	return c, columns, nil
}

// absentKey is null where e is a key that the grouping set does not have.
func (t *translator) absentKey(v value, s *scope) value {
	for at := s; at != nil && !at.barrier; at = at.parent {
		if at.absent == nil {
			continue
		}
		if at.nulled && !at.inside && at.absent[v.text] {
			return nullValue()
		}
		return v
	}
	return v
}

// grouping is grouping(key, …): a bit for each key, set where the row's set does
// not have it.
func (t *translator) grouping(n *tree.Call, s *scope) (value, error) {
	at := s
	for at != nil && at.absent == nil && !at.barrier {
		at = at.parent
	}
	if at == nil || at.absent == nil {
		if len(n.Args) > 0 && t.mysql() {
			return intValue(0), nil
		}
		return value{}, t.unsupported(n, "grouping", "the query has no grouping sets")
	}
	bits := int64(0)
	for _, e := range n.Args {
		v, err := t.inside(at, func() (value, error) { return t.expr(e, s) })
		if err != nil {
			return v, err
		}
		absent, known := at.absent[v.text]
		if !known && at.nulled {
			return v, t.fault(Syntax, n, "grouping", "its arguments must be keys of the query")
		}
		bits <<= 1
		if absent {
			bits |= 1
		}
	}
	return intValue(bits), nil
}

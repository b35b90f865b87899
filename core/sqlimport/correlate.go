package sqlimport

import (
	"errors"

	"querent.dev/querent/core/sqlimport/internal/tree"
	"querent.dev/querent/sdk/wire"
)

// correlating is a query that reads the one around it, on its way into a block of
// its own and the conditions that tie the two.
type correlating struct {
	t       *translator
	n       *tree.Select
	q       *tree.Query
	use     use
	barrier *scope
	scope   *scope // of the select
	c       wire.Clauses
	tied    []tree.Expr // the conditions that read the query around
	out     *tested
}

// correlated translates a query whose conditions read the query around it. The
// block holds the rows that meet its own conditions, with the columns that the
// others need.
func (t *translator) correlated(q *tree.Query, barrier *scope, u use) (*tested, error) {
	sel, ok := q.Body.(*tree.Select)
	if ok && len(sel.Sets) > 0 {
		return nil, t.unsupported(q, "grouping sets in a sub-query that reads the query around it", "plans correlate plain groups")
	}
	if !ok {
		return nil, t.unsupported(q, "a set operation that reads the query around it", "plans correlate single selects")
	}
	with, err := t.with(q.With, barrier)
	if err != nil {
		return nil, err
	}
	r := &correlating{t: t, n: sel, q: q, use: u, barrier: barrier, scope: &scope{parent: with, items: sel.Items, windows: sel.Windows}}
	if err := r.conditions(); err != nil {
		return nil, err
	}
	r.out = &tested{block: t.blockName("")}
	switch {
	case q.Offset != nil || q.Limit != nil && u != useExists && !(u == useValue && isOne(q.Limit)):
		return nil, t.unsupported(q, "a limit in a sub-query that reads the query around it", "plans cut such a query to its first row only")
	case len(sel.Group) > 0, sel.Having != nil:
		err = r.grouped()
	case hasAggregate(conjunctionOf(sel.Items)):
		err = r.total()
	case u == useValue && q.Limit != nil && len(q.Order) > 0:
		err = r.first()
	default:
		err = r.rows()
	}
	return r.out, err
}

func isOne(e tree.Expr) bool {
	l, ok := e.(*tree.Literal)
	return ok && l.Text == "1"
}

// conditions reads from and where, and keeps what reads the query around apart.
func (r *correlating) conditions() error {
	moved, err := r.t.from(r.n.From, r.scope, &r.c)
	if err != nil {
		return err
	}
	var own []value
	for _, e := range append(moved, conjuncts(r.n.Where)...) {
		m := r.t.mark()
		v, err := r.t.cond(e, r.scope)
		if r.crosses(err) {
			r.t.back(m)
			r.tied = append(r.tied, e)
			continue
		}
		if err != nil {
			return err
		}
		own = append(own, v)
	}
	if len(own) > 0 {
		r.c.Where = allOf(own...).text
	}
	return nil
}

func (r *correlating) crosses(err error) bool {
	var c *crossing
	return errors.As(err, &c) && c.scope == r.barrier
}

// outside translates with the names of the select read through the block.
func (r *correlating) outside(e *export, do func() error) error {
	r.scope.export, r.barrier.allowed = e, true
	defer func() { r.scope.export, r.barrier.allowed = nil, false }()
	return do()
}

// tie translates the conditions that read the query around.
func (r *correlating) tie() error {
	for _, e := range r.tied {
		v, err := r.t.cond(e, r.scope)
		if err != nil {
			return err
		}
		r.out.conds = append(r.out.conds, v)
	}
	return nil
}

func (r *correlating) add(e *export) {
	r.c.Select = e.selects()
	r.t.blocks = append(r.t.blocks, wire.Block{Name: e.name, Op: "select", Clauses: r.c})
}

// total reads aggregates over the rows that the conditions leave.
func (r *correlating) total() error {
	if r.use == useExists {
		r.out.never = true
		return nil
	}
	e := &export{name: r.out.block}
	err := r.outside(e, func() error {
		for _, item := range r.n.Items {
			v, err := r.t.expr(item.Expr, r.scope)
			if err != nil {
				return err
			}
			r.out.outputs = append(r.out.outputs, v)
		}
		return r.tie()
	})
	if err != nil {
		return err
	}
	r.add(e)
	if r.use != useIn {
		return nil
	}
	v := r.out.outputs[0]
	v.text = "scalar(" + r.out.block + ", " + v.text + ", " + allOf(append([]value{}, r.out.conds...)...).text + ")"
	v.power = atom
	one := r.t.add("", wire.Clauses{Select: []string{"1 as `c1`"}}, nil)
	*r.out = tested{block: one.block, outputs: []value{v}}
	return nil
}

// rows reads single rows: to test them, or for the value of the one that there is.
func (r *correlating) rows() error {
	e := &export{name: r.out.block}
	err := r.outside(e, func() error {
		if r.use != useExists {
			if err := r.values(); err != nil {
				return err
			}
		}
		return r.tie()
	})
	if err != nil {
		return err
	}
	if r.use == useValue {
		for i, v := range r.out.outputs {
			one := r.t.one(v)
			one.affinity, one.collation = v.affinity, v.collation
			r.out.outputs[i] = one
		}
		r.t.note("A sub-query gives the greatest of its values where it finds more than one row for a row around it; SQL takes any, or fails.")
	}
	r.add(e)
	return nil
}

func (r *correlating) values() error {
	for _, item := range r.n.Items {
		if _, star := item.Expr.(*tree.Star); star {
			return r.t.unsupported(item.Expr, "a star in a sub-query that reads the query around it", "name the column")
		}
		v, err := r.t.expr(item.Expr, r.scope)
		if err != nil {
			return err
		}
		if v.constant {
			v = r.scope.export.column(v)
		}
		r.out.outputs = append(r.out.outputs, v)
	}
	return nil
}

// keys reads the tied conditions as equalities of something of the select with
// something around it.
func (r *correlating) keys() (inner []value, outer []tree.Expr, err error) {
	for _, e := range r.tied {
		b, ok := e.(*tree.Binary)
		if !ok || b.Op != "=" {
			return nil, nil, r.notEqual(e)
		}
		mine, theirs := b.L, b.R
		v, err := r.t.trial(mine, r.scope)
		if r.crosses(err) {
			mine, theirs = b.R, b.L
			v, err = r.t.trial(mine, r.scope)
		}
		if r.crosses(err) || v.constant {
			return nil, nil, r.notEqual(e)
		}
		if err != nil {
			return nil, nil, err
		}
		inner, outer = append(inner, v), append(outer, theirs)
	}
	return inner, outer, nil
}

func (r *correlating) notEqual(e tree.Expr) error {
	return r.t.unsupported(e, "this condition of a sub-query that groups or takes a first row",
		"plans tie such a query to the one around it by equalities of its own columns only")
}

// grouped reads groups: those of the query, kept apart for each value around.
func (r *correlating) grouped() error {
	inner, outer, err := r.keys()
	if err != nil {
		return err
	}
	sel := *r.n
	sel.Where, sel.From = nil, nil
	s := &selecting{t: r.t, n: &sel, q: &tree.Query{Pos: r.q.Pos}, scope: r.scope, c: r.c}
	for _, step := range []func() error{s.list, s.group, s.bareIn(inner), s.having} {
		if err := step(); err != nil {
			return err
		}
	}
	r.c = s.c
	return r.keyed(inner, outer, s.items)
}

// bareIn adds the keys of the query around to the groups before bare columns are
// looked at.
func (s *selecting) bareIn(keys []value) func() error {
	return func() error {
		for _, k := range keys {
			s.c.Group = append(s.c.Group, k.text)
		}
		return s.bare()
	}
}

// first reads the first row in an order, for each value around.
func (r *correlating) first() error {
	inner, outer, err := r.keys()
	if err != nil {
		return err
	}
	s := &selecting{t: r.t, n: r.n, q: r.q, scope: r.scope, c: r.c}
	if err := s.list(); err != nil {
		return err
	}
	if err := s.order(); err != nil {
		return err
	}
	r.c = s.c
	r.c.Limit = 1
	for _, k := range inner {
		r.c.Per = append(r.c.Per, k.text)
	}
	return r.keyed(inner, outer, s.items)
}

// keyed makes the block of items and keys, and the conditions on the keys.
func (r *correlating) keyed(inner []value, outer []tree.Expr, items []value) error {
	e := &export{name: r.out.block}
	for _, v := range items {
		v.constant = false
		got := e.column(v)
		if r.use == useValue {
			got = r.t.one(got)
		}
		r.out.outputs = append(r.out.outputs, got)
	}
	around := r.barrier.parent
	for i, k := range inner {
		o, err := r.t.expr(outer[i], around)
		if err != nil {
			return err
		}
		eq, err := r.t.compare("=", e.column(k), o, outer[i])
		if err != nil {
			return err
		}
		r.out.conds = append(r.out.conds, eq)
	}
	r.add(e)
	return nil
}

package sqlimport

import (
	"errors"
	"strings"

	"querent.dev/querent/core/sqlimport/internal/tree"
)

// lateral adds a derived table that may read the tables before it. What reads them
// is taken out of its query: conditions become those of the join, values are
// computed beside it, and aggregates over all of its rows are looked up.
func (r *reading) lateral(f *tree.Derived, kind string, on tree.Expr) error {
	t := r.t
	barrier := &scope{parent: r.scope, barrier: true}
	m := t.mark()
	rel, err := t.relation(f.Query, barrier, "")
	if err == nil {
		return r.join(&source{relation: renamed(rel, f.Columns), name: f.Alias}, kind, on, nil)
	}
	var c *crossing
	if !errors.As(err, &c) || c.scope != barrier {
		return err
	}
	t.back(m)
	if kind != "inner" && kind != "cross" && kind != "left" {
		return t.unsupported(f, "a lateral derived table", "plans join it by inner, cross or left join")
	}
	sel, ok := f.Query.Body.(*tree.Select)
	if !ok {
		return t.unsupported(f, "a set operation that reads the tables before it", "plans correlate single selects")
	}
	with, err := t.with(f.Query.With, barrier)
	if err != nil {
		return err
	}
	side := &correlating{t: t, n: sel, q: f.Query, use: useRows, barrier: barrier, scope: &scope{parent: with, items: sel.Items, windows: sel.Windows}}
	if err := side.conditions(); err != nil {
		return err
	}
	side.n = side.spelled()
	side.out = &tested{block: t.blockName("")}
	src := &source{relation: &relation{block: side.out.block}, name: f.Alias, alias: side.out.block}
	if err := side.lateral(src, f.Columns); err != nil {
		return err
	}
	return r.joinLateral(side, src, kind, on)
}

// lateral makes the block and gives src its columns.
func (r *correlating) lateral(src *source, names []string) error {
	bare := len(r.n.Group) == 0 && r.n.Having == nil
	var err error
	switch {
	case len(r.n.Sets) > 0 || len(r.n.DistinctOn) > 0 || r.q.Offset != nil:
		return r.t.unsupported(r.q, "a lateral derived table with an offset, distinct on or grouping sets", "plans have limits for each group of rows only")
	case bare && hasAggregate(conjunctionOf(r.n.Items)):
		err = r.lookups()
	case !bare && (r.q.Limit != nil || len(r.n.Group) == 0):
		return r.t.unsupported(r.q, "a lateral derived table with a limit of groups, or with having alone", "plans cut rows that are not grouped")
	case !bare:
		err = r.grouped()
	case r.q.Limit != nil:
		err = r.top()
	case r.n.Distinct:
		err = r.distinct()
	case len(r.n.From) == 0:
		err = r.computed()
	default:
		err = r.all()
	}
	if err != nil {
		return err
	}
	for i, v := range r.out.outputs {
		name := r.n.Items[i].Alias
		if name == "" {
			name = itemName(r.n.Items[i])
		}
		own := v
		src.columns = append(src.columns, column{name: name, value: v, computed: &own})
	}
	src.relation = renamed(src.relation, names)
	return nil
}

// lookups reads aggregates over the rows that the conditions leave, for each row
// around.
func (r *correlating) lookups() error {
	if err := r.total(); err != nil {
		return err
	}
	conds := r.out.conds
	if len(conds) == 0 {
		conds = []value{boolValue(true)}
	}
	for i, v := range r.out.outputs {
		if !v.constant {
			r.out.outputs[i].text = "scalar(" + r.out.block + ", " + v.text + ", " + allOf(conds...).text + ")"
			r.out.outputs[i].power = atom
		}
	}
	return nil
}

// distinct reads rows that differ, for each value around.
func (r *correlating) distinct() error {
	inner, outer, err := r.keys()
	if err != nil {
		return err
	}
	s := &selecting{t: r.t, n: r.n, q: r.q, scope: r.scope, c: r.c}
	if err := s.list(); err != nil {
		return err
	}
	r.c = s.c
	r.c.Distinct = true
	return r.keyed(inner, outer, s.items)
}

// all reads rows, with values that may be computed of both sides.
func (r *correlating) all() error {
	e := &export{name: r.out.block}
	err := r.outside(e, func() error {
		if err := r.values(); err != nil {
			return err
		}
		return r.tie()
	})
	if err != nil {
		return err
	}
	r.add(e)
	return nil
}

// spelled is the select with its stars written as columns.
func (r *correlating) spelled() *tree.Select {
	out := *r.n
	out.Items = nil
	for _, item := range r.n.Items {
		star, ok := item.Expr.(*tree.Star)
		if !ok {
			out.Items = append(out.Items, item)
			continue
		}
		for _, src := range r.scope.sources {
			if star.Table != "" && !strings.EqualFold(src.name, star.Table) {
				continue
			}
			for _, c := range src.columns {
				name := &tree.Name{Pos: star.Pos, Parts: []string{src.name, c.name}}
				if src.name == "" {
					name.Parts = name.Parts[1:]
				}
				if !c.hidden {
					out.Items = append(out.Items, tree.Item{Expr: name})
				}
			}
		}
	}
	return &out
}

// computed reads a select without tables: values of the tables before it.
func (r *correlating) computed() error {
	if len(r.tied) > 0 || r.c.Where != "" {
		return r.t.unsupported(r.q, "a condition in a lateral derived table without tables", "write it in where")
	}
	r.barrier.allowed = true
	defer func() { r.barrier.allowed = false }()
	for _, item := range r.n.Items {
		v, err := r.t.expr(item.Expr, r.scope)
		if err != nil {
			return err
		}
		r.out.outputs = append(r.out.outputs, v)
	}
	return nil
}

// top reads the first rows in an order, for each value around.
func (r *correlating) top() error {
	n, err := r.t.expr(r.q.Limit, &scope{})
	if err != nil {
		return err
	}
	limit, ok := wholeNumber(n)
	if !ok || limit < 1 {
		return r.t.unsupported(r.q.Limit, "this limit", "plans take a whole number there")
	}
	inner, outer, err := r.keys()
	if err != nil {
		return err
	}
	if r.n.Distinct {
		return r.t.unsupported(r.q, "distinct with a limit in a lateral derived table", "plans cut rows before they are told apart")
	}
	s := &selecting{t: r.t, n: r.n, q: r.q, scope: r.scope, c: r.c}
	for _, step := range []func() error{s.list, s.order} {
		if err := step(); err != nil {
			return err
		}
	}
	r.c = s.c
	r.c.Limit = limit
	for _, k := range inner {
		r.c.Per = append(r.c.Per, k.text)
	}
	return r.keyed(inner, outer, s.items)
}

// joinLateral joins the block, unless its columns are computed or looked up.
func (r *reading) joinLateral(side *correlating, src *source, kind string, on tree.Expr) error {
	joined := len(side.n.From) > 0 && !side.looked()
	if kind == "left" {
		for _, c := range src.columns {
			if joined && !c.plain(src.alias) {
				return r.t.unsupported(side.q, "a left join of a lateral derived table that computes with the tables before it", "compute the value outside of it")
			}
		}
		if _, always := on.(*tree.Literal); !joined && on != nil && !always {
			return r.t.unsupported(on, "this condition of a left join of a lateral derived table", "plans join it on true")
		}
	}
	if joined {
		return r.joinOn(src, kind, on, side.out.conds)
	}
	r.scope.sources = append(append([]*source(nil), r.scope.sources...), src)
	if on != nil && kind != "left" {
		r.moved = append(r.moved, on)
	}
	return nil
}

// looked reports whether the columns are lookups in the block.
func (r *correlating) looked() bool {
	return len(r.n.Group) == 0 && r.n.Having == nil && hasAggregate(conjunctionOf(r.n.Items))
}

// plain reports whether a column is one of the block, and computes nothing.
func (c column) plain(alias string) bool {
	return c.computed == nil || c.computed.power == atom && len(c.computed.text) > len(alias)+2 && c.computed.text[:len(alias)+2] == quoteName(alias)
}

// joinOn joins a block of which conditions are known already.
func (r *reading) joinOn(src *source, kind string, on tree.Expr, conds []value) error {
	before := r.scope.sources
	r.scope.sources = append(append([]*source(nil), before...), src)
	more, err := r.conditions(src, before, kind, on, nil, nil)
	if err != nil {
		return err
	}
	conds = append(append([]value(nil), conds...), more...)
	src.outer = kind == "left"
	text := quoteName(src.block) + " " + quoteName(src.alias)
	switch {
	case len(conds) == 0 && kind == "left":
		text += " on true"
	case len(conds) == 0:
		kind = "cross"
	default:
		if kind == "cross" {
			kind = "inner"
		}
		text += " on " + allOf(conds...).text
	}
	r.c.Joins = append(r.c.Joins, kind+" "+text)
	return nil
}

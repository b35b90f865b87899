package sqlimport

import (
	"strings"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/sqlimport/internal/tree"
	"querent.dev/querent/sdk/wire"
)

// recursive translates a query that reads itself: what it starts from, and the
// step.
func (t *translator) recursive(c tree.CTE, s *scope) (*relation, error) {
	set, ok := c.Query.Body.(*tree.SetOp)
	if !ok || set.Op != "union" || len(c.Query.Order) > 0 || c.Query.Limit != nil || c.Query.Offset != nil || mentions(set.L, c.Name) {
		return nil, t.unsupported(c, "the recursive query "+c.Name, "plans have a start and one step, joined by union or union all")
	}
	step, ok := set.R.Body.(*tree.Select)
	if !ok || len(set.R.With) > 0 {
		return nil, t.unsupported(c, "the recursive query "+c.Name, "its step must be a single select")
	}
	inner, err := t.with(c.Query.With, s)
	if err != nil {
		return nil, err
	}
	seed, err := t.relation(set.L, inner, "")
	if err != nil {
		return nil, err
	}
	seed = renamed(seed, c.Columns)
	for i := range seed.columns {
		seed.columns[i].nullable = true
	}
	clauses, own, err := t.step(c, step, set, seed, inner)
	if err != nil {
		return nil, err
	}
	name := own.block
	clauses.Distinct = false
	op := plan.OpUnion
	if set.All {
		op = plan.OpUnionAll
	}
	t.blocks = append(t.blocks, wire.Block{Name: name, Op: string(op), Of: []string{seed.block}, Recursive: true, Clauses: clauses})
	return own, nil
}

// step translates the step of a recursive query. A text that the step makes a moment
// of is one from the start.
func (t *translator) step(c tree.CTE, step *tree.Select, set *tree.SetOp, seed *relation, inner *scope) (wire.Clauses, *relation, error) {
	name := t.blockName(c.Name)
	for first := true; ; first = false {
		m := t.mark()
		own := &relation{block: name, columns: seed.columns}
		around := &scope{parent: inner, ctes: map[string]*relation{strings.ToLower(c.Name): own}}
		clauses, columns, err := t.selectClauses(step, &tree.Query{Pos: set.R.Pos}, around)
		if err != nil {
			return clauses, nil, err
		}
		if len(columns) != len(own.columns) {
			return clauses, nil, t.fault(Syntax, c, "the recursive query "+c.Name, "its start and its step differ in their number of columns")
		}
		types := make([]wire.Type, len(columns))
		differs := false
		for i, own := range own.columns {
			types[i] = own.typ
			if own.typ.Kind == wire.KindText && columns[i].typ.Kind.Temporal() {
				types[i], differs = columns[i].typ, true
			}
		}
		if !differs || !first {
			return clauses, own, nil
		}
		t.back(m)
		if err := t.moments(seed, types, set); err != nil {
			return clauses, nil, err
		}
	}
}

// moments makes moments of the texts of a relation where the types say so.
func (t *translator) moments(r *relation, types []wire.Type, at positioned) error {
	src := &source{relation: r, alias: "x"}
	c := wire.Clauses{From: quoteName(r.block) + " `x`"}
	out := make([]column, len(r.columns))
	for i, col := range r.columns {
		v := src.value(col)
		var err error
		switch {
		case v.typ.Kind == types[i].Kind || !types[i].Kind.Temporal():
		case types[i].Kind == wire.KindDate:
			v, err = t.toDate(v, at)
		default:
			v, err = t.toStamp(v, at)
		}
		if err != nil {
			return err
		}
		v.nullable = true
		c.Select = append(c.Select, v.text+" as "+quoteName(col.label))
		out[i] = column{name: col.name, label: col.label, value: v}
	}
	*r = *t.add("", c, out)
	return nil
}

// mentions reports whether a query reads a table of the name.
func mentions(q *tree.Query, name string) bool {
	if q == nil {
		return false
	}
	for _, c := range q.With {
		if mentions(c.Query, name) {
			return true
		}
	}
	switch b := q.Body.(type) {
	case *tree.SetOp:
		return mentions(b.L, name) || mentions(b.R, name)
	case *tree.Select:
		for _, f := range b.From {
			if fromMentions(f, name) {
				return true
			}
		}
		list := []tree.Expr{conjunctionOf(b.Items), b.Where, b.Having}
		for _, e := range list {
			if tree.Find(e, func(x tree.Expr) bool { return queryMentions(x, name) }) {
				return true
			}
		}
	}
	return false
}

func queryMentions(x tree.Expr, name string) bool {
	switch x := x.(type) {
	case *tree.Subquery:
		return mentions(x.Query, name)
	case *tree.Exists:
		return mentions(x.Query, name)
	case *tree.In:
		return mentions(x.Query, name)
	case *tree.Quantified:
		return mentions(x.Query, name)
	}
	return false
}

func fromMentions(f tree.From, name string) bool {
	switch f := f.(type) {
	case *tree.Table:
		return f.Schema == "" && strings.EqualFold(f.Name, name)
	case *tree.Derived:
		return mentions(f.Query, name)
	case *tree.Join:
		return fromMentions(f.L, name) || fromMentions(f.R, name)
	}
	return false
}

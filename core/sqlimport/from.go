package sqlimport

import (
	"strings"

	"querent.dev/querent/core/sqlimport/internal/tree"
	"querent.dev/querent/sdk/wire"
)

// reading is a from clause on its way into a block.
type reading struct {
	t     *translator
	scope *scope
	c     *wire.Clauses
	moved []tree.Expr // conditions of inner joins that read the query around
}

// from translates the from clause: its first table, and a join for each further.
func (t *translator) from(list []tree.From, s *scope, c *wire.Clauses) ([]tree.Expr, error) {
	r := &reading{t: t, scope: s, c: c}
	for i, f := range list {
		kind := "cross"
		if i == 0 {
			kind = ""
		}
		if err := r.add(f, kind, nil, nil); err != nil {
			return nil, err
		}
	}
	return r.moved, nil
}

// add adds a table expression behind those before it.
func (r *reading) add(f tree.From, kind string, on tree.Expr, using []string) error {
	if j, ok := f.(*tree.Join); ok {
		inner := kind == "" || kind == "cross" || kind == "inner" && using == nil
		if inner && (kind == "" || flat(j)) {
			return r.flatten(j, kind, on)
		}
		return r.nested(j, kind, on, using)
	}
	if d, ok := f.(*tree.Derived); ok && d.Lateral && using == nil {
		return r.lateral(d, kind, on)
	}
	src, err := r.source(f)
	if err != nil {
		return err
	}
	return r.join(src, kind, on, using)
}

// flat reports whether the tables of a join can as well be joined one by one to
// what stands before it.
func flat(j *tree.Join) bool {
	ok := (j.Kind == "inner" || j.Kind == "cross" || j.Kind == "left") && j.Using == nil && !j.Natural
	if left, is := j.L.(*tree.Join); is {
		ok = ok && flat(left)
	}
	return ok
}

// flatten adds the two sides of a join one after the other.
func (r *reading) flatten(j *tree.Join, kind string, on tree.Expr) error {
	if err := r.add(j.L, kind, nil, nil); err != nil {
		return err
	}
	using := j.Using
	if j.Natural {
		using = []string{}
	}
	if err := r.add(j.R, j.Kind, j.On, using); err != nil {
		return err
	}
	if on == nil {
		return nil
	}
	r.moved = append(r.moved, on)
	return nil
}

// nested makes a block of a join that stands on the right side of another.
func (r *reading) nested(j *tree.Join, kind string, on tree.Expr, using []string) error {
	inner := &scope{parent: r.scope.parent}
	c := wire.Clauses{}
	moved, err := r.t.from([]tree.From{j}, inner, &c)
	if err != nil {
		return err
	}
	if len(moved) > 0 {
		if c.Where, err = r.t.condition(conjunction(moved), inner); err != nil {
			return err
		}
	}
	rel := &relation{}
	offsets := make([]int, 0, len(inner.sources))
	for _, s := range inner.sources {
		offsets = append(offsets, len(rel.columns))
		for _, col := range s.columns {
			v := s.value(col)
			label := "c" + itoa(len(rel.columns)+1)
			c.Select = append(c.Select, v.text+" as "+quoteName(label))
			rel.columns = append(rel.columns, column{name: col.name, label: label, value: v, hidden: col.hidden})
		}
	}
	block := r.t.add("", c, rel.columns)
	joined := &source{relation: block, alias: r.t.alias1(r.scope, block.block)}
	if err := r.join(joined, kind, on, using, inner.sources...); err != nil {
		return err
	}
	r.split(joined, inner.sources, offsets)
	return nil
}

// split gives the tables of a nested join their own names again: each is a view of
// the block.
func (r *reading) split(joined *source, parts []*source, offsets []int) {
	at := len(r.scope.sources) - 1
	list := append([]*source(nil), r.scope.sources[:at]...)
	for i, p := range parts {
		end := len(joined.columns)
		if i+1 < len(offsets) {
			end = offsets[i+1]
		}
		view := &relation{block: joined.block, columns: joined.columns[offsets[i]:end]}
		list = append(list, &source{relation: view, name: p.name, schema: p.schema, alias: joined.alias, outer: joined.outer})
	}
	r.scope.sources = list
}

// source is a table, a query of a with clause or a derived table.
func (r *reading) source(f tree.From) (*source, error) {
	switch f := f.(type) {
	case *tree.Table:
		rel, err := r.t.table(f, r.scope)
		if err != nil {
			return nil, err
		}
		s := &source{relation: rel, name: f.Name, schema: f.Schema}
		if rel.table != nil {
			s.schema = rel.table.Schema
		}
		if f.Alias != "" {
			s.name, s.schema = f.Alias, ""
		}
		s.relation = renamed(rel, f.Columns)
		return s, nil
	case *tree.Derived:
		read := func(q *tree.Query, s *scope) (*relation, error) { return r.t.relation(q, s, "") }
		if joinsTexts(r.scope.items) {
			read = r.t.ordered
		}
		rel, err := read(f.Query, &scope{parent: r.scope.parent})
		if err != nil {
			return nil, err
		}
		return &source{relation: renamed(rel, f.Columns), name: f.Alias}, nil
	case *tree.Function:
		return r.t.series(f, r.scope)
	case *tree.Unsupported:
		return nil, r.t.unsupported(f, f.Construct, "plans read tables and blocks")
	}
	return nil, r.t.unsupported(f, "this table expression", "plans read tables and blocks")
}

func renamed(rel *relation, names []string) *relation {
	if len(names) == 0 {
		return rel
	}
	out := &relation{table: rel.table, block: rel.block, order: rel.order, columns: append([]column(nil), rel.columns...)}
	for i := range out.columns {
		if i < len(names) {
			out.columns[i].name = names[i]
		}
	}
	return out
}

// table finds what a name in a from clause stands for.
func (t *translator) table(f *tree.Table, s *scope) (*relation, error) {
	if f.Schema == "" {
		if rel, ok := s.cte(f.Name); ok {
			return rel, nil
		}
	}
	name := f.Name
	if f.Schema != "" {
		name = f.Schema + "." + f.Name
	}
	table, ok := t.o.Catalog.Table(name)
	if !ok && f.Schema == "" && t.postgres() {
		table, ok = t.o.Catalog.Table("public." + f.Name)
	}
	if !ok {
		return nil, t.fault(UnknownName, f, "the table "+name, "there is no such table")
	}
	return t.tableRelation(table), nil
}

// alias1 is a free name for a source in the plan.
func (t *translator) alias1(s *scope, wish string) string {
	free := func(name string) bool {
		for _, other := range s.sources {
			if strings.EqualFold(other.alias, name) {
				return false
			}
		}
		return true
	}
	if wish != "" && len(wish) <= 60 && free(wish) && strings.TrimFunc(wish, shows) == "" {
		return wish
	}
	for i := len(s.sources) + 1; ; i++ {
		if name := "t" + itoa(i); free(name) {
			return name
		}
	}
}

func shows(r rune) bool {
	return r >= ' ' && r != 0x7f && (r < 0x2028 || r > 0x202e) && (r < 0x2066 || r > 0x2069)
}

// join adds a source with its condition.
func (r *reading) join(src *source, kind string, on tree.Expr, using []string, views ...*source) error {
	t, s := r.t, r.scope
	if src.alias == "" {
		wish := src.name
		if t.blockTaken(wish) && src.table == nil {
			wish = ""
		}
		src.alias = t.alias1(s, wish)
	}
	text := quoteName(src.block)
	if src.table != nil {
		text = quoteName(src.table.Schema) + "." + quoteName(src.table.Name)
	}
	text += " " + quoteName(src.alias)
	before := s.sources
	s.sources = append(append([]*source(nil), before...), src)
	if kind == "" {
		r.c.From = text
		return nil
	}
	conds, err := r.conditions(src, before, kind, on, using, views)
	if err != nil {
		return err
	}
	if kind == "left" || kind == "full" {
		src.outer = true
	}
	if kind == "right" || kind == "full" {
		for _, b := range before {
			b.outer = true
		}
	}
	switch {
	case len(conds) > 0:
		text += " on " + allOf(conds...).text
	case kind == "inner" || kind == "cross":
		kind = "cross"
	default:
		text += " on true"
	}
	r.c.Joins = append(r.c.Joins, kind+" "+text)
	return nil
}

func (t *translator) blockTaken(name string) bool {
	for _, b := range t.blocks {
		if strings.EqualFold(b.Name, name) {
			return true
		}
	}
	return false
}

// conditions are the equalities of using and what stands in on.
func (r *reading) conditions(src *source, before []*source, kind string, on tree.Expr, using []string, views []*source) ([]value, error) {
	var out []value
	if using != nil {
		eqs, err := r.using(src, before, kind, using)
		if err != nil {
			return nil, err
		}
		out = append(out, eqs...)
	}
	if len(views) > 0 && on != nil {
		offsets, n := []int{}, 0
		for _, v := range views {
			offsets = append(offsets, n)
			n += len(v.columns)
		}
		whole := r.scope.sources
		r.split(src, views, offsets)
		defer func() { r.scope.sources = whole }()
	}
	for _, e := range conjuncts(on) {
		v, err := r.t.cond(e, r.scope)
		if r.later(err) && (kind == "inner" || kind == "cross") {
			r.moved = append(r.moved, e)
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

package sqlimport

import (
	"strings"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/sqlimport/internal/tree"
	"querent.dev/querent/sdk/wire"
)

// clauses translates a query to a select and the blocks that it reads. parent is
// the scope around it.
func (t *translator) clauses(q *tree.Query, parent *scope) (wire.Clauses, []column, error) {
	s, err := t.with(q.With, parent)
	if err != nil {
		return wire.Clauses{}, nil, err
	}
	if sel, ok := q.Body.(*tree.Select); ok {
		return t.selectClauses(sel, q, s)
	}
	rel, err := t.bodyRelation(q.Body, s, "")
	if err != nil {
		return wire.Clauses{}, nil, err
	}
	return t.readAll(rel, q, s)
}

// relation translates a query to a block.
func (t *translator) relation(q *tree.Query, parent *scope, wish string) (*relation, error) {
	if _, isSelect := q.Body.(*tree.Select); !isSelect && len(q.Order) == 0 && q.Limit == nil && q.Offset == nil {
		s, err := t.with(q.With, parent)
		if err != nil {
			return nil, err
		}
		return t.bodyRelation(q.Body, s, wish)
	}
	c, columns, err := t.clauses(q, parent)
	if err != nil {
		return nil, err
	}
	if q.Limit == nil && q.Offset == nil && len(c.Per) == 0 {
		c.Order = nil
	}
	return t.add(wish, c, columns), nil
}

// with translates the queries of a with clause into blocks, in a scope of their
// own.
func (t *translator) with(list []tree.CTE, parent *scope) (*scope, error) {
	s := &scope{parent: parent, ctes: map[string]*relation{}}
	for _, c := range list {
		var rel *relation
		var err error
		if c.Recursive && mentions(c.Query, c.Name) {
			rel, err = t.recursive(c, s)
		} else {
			rel, err = t.relation(c.Query, s, c.Name)
		}
		if err != nil {
			return nil, err
		}
		s.ctes[strings.ToLower(c.Name)] = renamed(rel, c.Columns)
	}
	return s, nil
}

// bodyRelation translates a set operation or a list of rows to a block.
func (t *translator) bodyRelation(b tree.Body, s *scope, wish string) (*relation, error) {
	switch b := b.(type) {
	case *tree.SetOp:
		return t.setOp(b, s, wish)
	case *tree.Values:
		return t.values(b, s, wish)
	}
	return t.relation(&tree.Query{Pos: -1, Body: b}, s, wish)
}

// setOp joins two queries. A chain of one operation that can be taken in any order
// becomes one block.
func (t *translator) setOp(n *tree.SetOp, s *scope, wish string) (*relation, error) {
	op := plan.BlockOp(n.Op)
	if n.All && n.Op == "union" {
		op = plan.OpUnionAll
	}
	inputs := []*tree.Query{n.L, n.R}
	if !n.All || n.Op == "union" {
		inputs = t.operands(n, n)
	}
	rels := make([]*relation, len(inputs))
	for i, q := range inputs {
		var err error
		if rels[i], err = t.relation(q, s, ""); err != nil {
			return nil, err
		}
		if len(rels[i].columns) != len(rels[0].columns) {
			return nil, t.fault(Syntax, n, n.Op, "its queries differ in their number of columns")
		}
	}
	columns, err := t.alike(rels, n)
	if err != nil {
		return nil, err
	}
	if n.All && n.Op != "union" {
		return t.counted(rels, columns, op, wish)
	}
	block := wire.Block{Name: t.blockName(wish), Op: string(op)}
	for _, r := range rels {
		block.Of = append(block.Of, r.block)
	}
	t.blocks = append(t.blocks, block)
	return &relation{block: block.Name, columns: columns}, nil
}

// counted is a difference or an intersection that keeps equal rows apart: the rows
// are numbered among those that equal them.
func (t *translator) counted(rels []*relation, columns []column, op plan.BlockOp, wish string) (*relation, error) {
	block := wire.Block{Name: t.blockName(""), Op: string(op)}
	const number = "row number"
	for _, r := range rels {
		src := &source{relation: r, alias: "x"}
		c := wire.Clauses{From: quoteName(r.block) + " `x`"}
		var keys []string
		for i, col := range r.columns {
			v := src.value(col)
			c.Select = append(c.Select, v.text+" as "+quoteName(columns[i].label))
			keys = append(keys, v.text)
		}
		over := "partition by " + strings.Join(keys, ", ") + " order by " + keys[0]
		c.Select = append(c.Select, "row_number() over ("+over+") as "+quoteName(number))
		block.Of = append(block.Of, t.add("", c, nil).block)
	}
	t.blocks = append(t.blocks, block)
	c := wire.Clauses{From: quoteName(block.Name) + " `x`"}
	for _, col := range columns {
		c.Select = append(c.Select, "`x`."+quoteName(col.label)+" as "+quoteName(col.label))
	}
	return t.add(wish, c, columns), nil
}

// operands lists the queries of a chain of the same union or intersection.
func (t *translator) operands(n, like *tree.SetOp) []*tree.Query {
	same := func(q *tree.Query) (*tree.SetOp, bool) {
		inner, ok := q.Body.(*tree.SetOp)
		return inner, ok && inner.Op == like.Op && inner.All == like.All && len(q.With) == 0 && len(q.Order) == 0 && q.Limit == nil && q.Offset == nil
	}
	out := []*tree.Query{n.L}
	if inner, ok := same(n.L); ok {
		out = t.operands(inner, like)
	}
	if inner, ok := same(n.R); ok && like.Op != "except" {
		return append(out, t.operands(inner, like)...)
	}
	return append(out, n.R)
}

// alike gives the inputs of a set operation columns of one type each, with a block
// around those that differ.
func (t *translator) alike(rels []*relation, n *tree.SetOp) ([]column, error) {
	width := len(rels[0].columns)
	types := make([]wire.Type, width)
	columns := append([]column(nil), rels[0].columns...)
	for i := range width {
		list := make([]value, len(rels))
		for j, r := range rels {
			list[j] = r.columns[i].value
			columns[i].nullable = columns[i].nullable || list[j].nullable
		}
		types[i] = common(list)
		columns[i].typ = types[i]
		columns[i].constant, columns[i].number, columns[i].span = false, nil, nil
	}
	for j, r := range rels {
		converted, err := t.converted(r, types, n)
		if err != nil {
			return nil, err
		}
		rels[j] = converted
	}
	for i := range columns {
		columns[i].label = rels[0].columns[i].label
	}
	return columns, nil
}

// converted is the relation with columns of the types.
func (t *translator) converted(r *relation, types []wire.Type, n *tree.SetOp) (*relation, error) {
	same := r.table == nil
	for i, c := range r.columns {
		same = same && (c.typ.Kind == types[i].Kind || c.isNull() || c.typ.Kind.Numeric() && types[i].Kind.Numeric())
	}
	if same {
		return r, nil
	}
	src := &source{relation: r, alias: "x"}
	c := wire.Clauses{From: quoteName(r.block) + " `x`"}
	out := make([]column, len(r.columns))
	for i, col := range r.columns {
		v, err := t.as(src.value(col), types[i], n)
		if err != nil {
			return nil, err
		}
		c.Select = append(c.Select, v.text+" as "+quoteName(col.label))
		out[i] = column{name: col.name, label: col.label, value: v}
	}
	return t.add("", c, out), nil
}

// values translates rows of constants to a union of selects.
func (t *translator) values(n *tree.Values, s *scope, wish string) (*relation, error) {
	var body tree.Body
	for _, row := range n.Rows {
		sel := &tree.Select{Pos: n.Pos}
		for i, x := range row {
			sel.Items = append(sel.Items, tree.Item{Expr: x, Alias: "column" + itoa(i+1)})
		}
		if body == nil {
			body = sel
			continue
		}
		body = &tree.SetOp{Pos: n.Pos, Op: "union", All: true, L: &tree.Query{Pos: n.Pos, Body: body}, R: &tree.Query{Pos: n.Pos, Body: sel}}
	}
	return t.bodyRelation(body, s, wish)
}

// readAll selects all of a block, in the order and within the limit of the query.
func (t *translator) readAll(rel *relation, q *tree.Query, parent *scope) (wire.Clauses, []column, error) {
	s := &scope{parent: parent}
	src := &source{relation: rel, alias: "r"}
	s.sources = []*source{src}
	c := wire.Clauses{From: quoteName(rel.block) + " `r`"}
	var items []value
	for _, col := range rel.columns {
		items = append(items, src.value(col))
	}
	columns := t.label(&c, rel.columns, items)
	for _, term := range q.Order {
		text, err := t.outputTerm(term, columns, items, s)
		if err != nil {
			return c, nil, err
		}
		c.Order = append(c.Order, text)
	}
	return c, columns, t.limits(q, &c)
}

// outputTerm orders by a column of the result: by its place or by its name.
func (t *translator) outputTerm(term tree.Term, columns []column, items []value, s *scope) (string, error) {
	if i, ok, err := t.ordinal(term.Expr, len(items)); err != nil {
		return "", err
	} else if ok {
		return itoa(i+1) + t.direction(term, items[i]), nil
	}
	v, err := t.expr(term.Expr, s)
	if err != nil {
		return "", err
	}
	v = t.sorted(v)
	return v.text + t.direction(term, v), nil
}

// ordinal reads a term that is the place of an item.
func (t *translator) ordinal(e tree.Expr, items int) (int, bool, error) {
	l, ok := e.(*tree.Literal)
	if !ok || l.Kind != tree.Number {
		return 0, false, nil
	}
	n := 0
	for _, d := range l.Text {
		if d < '0' || d > '9' || n > items {
			return 0, false, nil
		}
		n = 10*n + int(d-'0')
	}
	if n < 1 || n > items {
		return 0, false, t.fault(UnknownName, l, "the place "+l.Text, "there are %d columns", items)
	}
	return n - 1, true, nil
}

// direction is what stands behind an ordering term. Plans put nulls last unless
// they say otherwise.
func (t *translator) direction(term tree.Term, v value) string {
	out := ""
	if term.Desc {
		out = " desc"
	}
	first := term.Nulls == "first"
	if term.Nulls == "" {
		first = term.Desc == t.postgres()
	}
	if first && v.nullable {
		out += " nulls first"
	}
	return out
}

// limits reads limit and offset, which plans hold as constants.
func (t *translator) limits(q *tree.Query, c *wire.Clauses) error {
	for _, part := range []struct {
		expr tree.Expr
		name string
		to   *int64
	}{{q.Limit, "limit", &c.Limit}, {q.Offset, "offset", &c.Offset}} {
		if part.expr == nil {
			continue
		}
		v, err := t.expr(part.expr, &scope{})
		if err != nil {
			return err
		}
		n, ok := wholeNumber(v)
		if !ok {
			return t.unsupported(part.expr, "this "+part.name, "plans take a whole number there")
		}
		*part.to = max(n, 0)
		if part.name == "limit" && n == 0 {
			c.Limit = 1
			c.Having, c.Where = noRows(c)
		}
	}
	return nil
}

// noRows adds a condition that is never true.
func noRows(c *wire.Clauses) (having, where string) {
	if c.Having != "" {
		return "(" + c.Having + ") and false", c.Where
	}
	if c.Where == "" {
		return c.Having, "false"
	}
	return c.Having, "(" + c.Where + ") and false"
}

func wholeNumber(v value) (int64, bool) {
	if !v.constant || v.typ.Kind != wire.KindInt {
		return 0, false
	}
	w, err := wire.Parse(wire.KindInt, v.literal)
	return w.Int(), err == nil
}

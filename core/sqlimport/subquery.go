package sqlimport

import (
	"errors"

	"querent.dev/querent/core/sqlimport/internal/tree"
	"querent.dev/querent/sdk/wire"
)

// tested is a query that a condition or a value reads: a block, or, when the
// query reads the one around it, a block with the condition that ties them.
type tested struct {
	block   string
	rel     *relation
	conds   []value // of a correlated one
	outputs []value // of a correlated one: its items, as the block's columns
	never   bool    // a correlated one that always has its one row
}

// subquery translates a query inside an expression.
func (t *translator) subquery(q *tree.Query, s *scope, u use) (*tested, error) {
	barrier := &scope{parent: s, barrier: true}
	m := t.mark()
	rel, err := t.relation(u.trimmed(t, q), barrier, "")
	var c *crossing
	if errors.As(err, &c) && c.scope == barrier {
		t.back(m)
		return t.correlated(q, barrier, u)
	}
	if err != nil {
		return nil, err
	}
	if rel.table != nil || rel.block == "" {
		return nil, t.unsupported(q, "this sub-query", "it is no block")
	}
	return &tested{block: rel.block, rel: rel}, nil
}

// use is what a sub-query is for.
type use string

const (
	useExists use = "exists"
	useIn     use = "in"
	useValue  use = "value"
	useRows   use = "rows" // of a lateral derived table
)

// trimmed is the query without what its use does not look at.
func (u use) trimmed(t *translator, q *tree.Query) *tree.Query {
	out := *q
	if q.Limit == nil && q.Offset == nil {
		out.Order = nil
	}
	sel, ok := q.Body.(*tree.Select)
	if u != useExists || !ok || len(sel.DistinctOn) > 0 {
		return &out
	}
	body := *sel
	body.Distinct = false
	if len(sel.Group) == 0 && !hasAggregate(conjunctionOf(sel.Items)) && sel.Having == nil {
		body.Items = []tree.Item{{Expr: &tree.Literal{Pos: sel.Pos, Kind: tree.Number, Text: "1"}, Alias: "one"}}
		if n, ok := q.Limit.(*tree.Literal); ok && n.Text != "0" && q.Offset == nil {
			out.Limit, out.Order = nil, nil
		}
	}
	out.Body = &body
	return &out
}

// conjunctionOf is one expression that holds those of the items.
func conjunctionOf(items []tree.Item) tree.Expr {
	row := &tree.Row{Pos: -1}
	for _, i := range items {
		row.List = append(row.List, i.Expr)
	}
	return row
}

// exists tests whether a query has rows.
func (t *translator) exists(n *tree.Exists, s *scope) (value, error) {
	q, err := t.subquery(n.Query, s, useExists)
	if err != nil {
		return value{}, err
	}
	if q.never {
		return boolValue(true), nil
	}
	return q.exists(q.conds...), nil
}

// exists is the test whether the block has a row for which the conditions hold.
func (q *tested) exists(conds ...value) value {
	if len(conds) == 0 {
		return made("exists("+q.block+")", atom, tBool, false)
	}
	return made("exists("+q.block+", "+allOf(conds...).text+")", atom, tBool, false)
}

// output is the i-th column of the query as a condition in exists reads it.
func (q *tested) output(i int) value {
	if q.outputs != nil {
		return q.outputs[i]
	}
	src := &source{relation: q.rel, alias: q.block}
	return src.value(q.rel.columns[i])
}

func (q *tested) width() int {
	if q.outputs != nil {
		return len(q.outputs)
	}
	return len(q.rel.columns)
}

// inQuery tests membership of the rows of a query. SQL's not in is unknown when a
// null is compared, which hides the row; plans say so in full.
func (t *translator) inQuery(n *tree.In, s *scope) (value, error) {
	left := []tree.Expr{n.X}
	if row, ok := n.X.(*tree.Row); ok {
		left = row.List
	}
	q, err := t.subquery(n.Query, s, useIn)
	if err != nil {
		return value{}, err
	}
	if q.width() != len(left) {
		return value{}, t.fault(Syntax, n, "in", "its query has %d columns, but %d are compared", q.width(), len(left))
	}
	pairs := make([]pair, len(left))
	for i, e := range left {
		x, err := t.expr(e, s)
		if err != nil {
			return value{}, err
		}
		if pairs[i].eq, err = t.compare("=", x, q.output(i), n); err != nil {
			return value{}, err
		}
		pairs[i].l, pairs[i].r = x, q.output(i)
	}
	if len(pairs) == 1 && q.outputs == nil {
		if v, ok := q.member(pairs[0], n.Not); ok {
			return v, nil
		}
	}
	conds := append([]value(nil), q.conds...)
	for _, p := range pairs {
		conds = append(conds, p.test(n.Not))
	}
	if n.Not {
		return negate(q.exists(conds...)), nil
	}
	return q.exists(conds...), nil
}

// pair is a comparison of a value with a column of a query.
type pair struct{ l, r, eq value }

// test is the equality, or, for not in, that it is not known to be false.
func (p pair) test(not bool) value {
	if !not {
		return p.eq
	}
	list := []value{p.eq}
	for _, v := range []value{p.l, p.r} {
		if v.nullable {
			list = append(list, isNull(v))
		}
	}
	return anyOf(list...)
}

// member is in(x, block), where both sides are of one type.
func (q *tested) member(p pair, not bool) (value, bool) {
	if p.l.typ.Kind != p.r.typ.Kind && !(p.l.typ.Kind.Numeric() && p.r.typ.Kind.Numeric()) || p.eq.constant || p.eq.text != binary(p.l, "=", p.r, powCompare, tBool).text {
		return value{}, false
	}
	in := made("in("+p.l.text+", "+q.block+")", atom, tBool, false)
	if !not {
		return in, true
	}
	list := []value{made("not "+in.text, powNot, tBool, false)}
	if p.l.nullable {
		list = append(list, anyOf(notNull(p.l), negate(q.exists())))
	}
	if p.r.nullable {
		list = append(list, negate(q.exists(isNull(p.r))))
	}
	return allOf(list...), true
}

// quantified is x op any (…) and x op all (…).
func (t *translator) quantified(n *tree.Quantified, s *scope) (value, error) {
	q, err := t.subquery(n.Query, s, useIn)
	if err != nil {
		return value{}, err
	}
	x, err := t.expr(n.X, s)
	if err != nil {
		return value{}, err
	}
	op := n.Op
	if n.All {
		op = map[string]string{"=": "<>", "<>": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}[op]
	}
	y := q.output(0)
	test, err := t.compare(op, x, y, n)
	if err != nil {
		return value{}, err
	}
	conds := append([]value(nil), q.conds...)
	if !n.All {
		return q.exists(append(conds, test)...), nil
	}
	return negate(q.exists(append(conds, pair{x, y, test}.test(true))...)), nil
}

// scalar is a query as a value.
func (t *translator) scalar(n *tree.Subquery, s *scope) (value, error) {
	q, err := t.subquery(n.Query, s, useValue)
	if err != nil {
		return value{}, err
	}
	if q.width() != 1 {
		return value{}, t.fault(Syntax, n, "a sub-query as a value", "it has %d columns", q.width())
	}
	if q.outputs != nil {
		v := q.outputs[0]
		if len(q.conds) == 0 {
			q.conds = []value{boolValue(true)}
		}
		v.text = "scalar(" + q.block + ", " + v.text + ", " + allOf(q.conds...).text + ")"
		v.power, v.nullable = atom, v.nullable || !isCount(n.Query)
		return v, nil
	}
	v := q.rel.columns[0].value
	v.nullable = !isCount(n.Query) || v.nullable
	v.power, v.constant = atom, false
	v.text = "scalar(" + t.single(q, n.Query) + ")"
	return v, nil
}

// isCount reports whether a query gives one count, which is never null.
func isCount(q *tree.Query) bool {
	sel, ok := q.Body.(*tree.Select)
	if !ok || len(sel.Group) > 0 || sel.Having != nil || len(sel.Items) != 1 {
		return false
	}
	c, ok := sel.Items[0].Expr.(*tree.Call)
	return ok && c.Name == "count" && c.Over == nil
}

// single is a block with one row: that of the query, or one that takes its first.
func (t *translator) single(q *tested, n *tree.Query) string {
	last := t.blocks[len(t.blocks)-1]
	if last.Name == q.block {
		sel, ok := n.Body.(*tree.Select)
		if ok && last.Limit == 1 && len(last.Per) == 0 || ok && len(sel.Group) == 0 && hasAggregate(conjunctionOf(sel.Items)) {
			return q.block
		}
		if ok && last.Limit == 0 && last.Offset == 0 {
			t.blocks[len(t.blocks)-1].Limit = 1
			return q.block
		}
	}
	c := q.rel.columns[0]
	return t.add("", wire.Clauses{From: quoteName(q.block), Select: []string{quoteName(c.label)}, Limit: 1}, q.rel.columns[:1]).block
}

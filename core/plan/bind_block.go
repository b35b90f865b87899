package plan

import (
	"fmt"
	"strconv"
	"strings"

	"querent.dev/querent/sdk/wire"
)

// blockBinder binds one select.
type blockBinder struct {
	*binder
	block *Block
	// visible are the sources whose columns the clauses can use: all but those of
	// semi and anti joins.
	visible []*Source
	// compared is set when groups are compared by share, running or prior, and priors
	// when by prior; running are the totals that wait for the keys of the block.
	compared, priors bool
	running          []*Window
}

// selectBlock binds the clauses of a select. The order is that in which names
// come to be known: sources, labels, and the clauses that may use labels or must
// be told that they may not.
func (b *binder) selectBlock(c wire.Clauses) (*Block, error) {
	bb := &blockBinder{binder: b, block: &Block{Op: OpSelect, Distinct: c.Distinct}}
	return bb.block, bb.clauses(c)
}

// clauses binds all clauses of the block.
func (bb *blockBinder) clauses(c wire.Clauses) error {
	steps := []func(wire.Clauses) error{
		bb.from, bb.joins, bb.items, bb.where, bb.group, bb.having, bb.order, bb.per, bb.limits, bb.finish,
	}
	for _, step := range steps {
		if err := step(c); err != nil {
			return err
		}
	}
	return nil
}

func (bb *blockBinder) where(c wire.Clauses) error {
	if blank(c.Where) {
		return nil
	}
	cond, err := bb.clause(c.Where, "an aggregate cannot stand in \"where\"; put the condition into \"having\"").condition()
	bb.block.Where = cond
	return in(err, "where", 0)
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

// clause prepares the binding of an expression. noAggregates says why an
// aggregate cannot stand in it, or is empty.
func (bb *blockBinder) clause(src, noAggregates string) *exprBinder {
	return &exprBinder{blockBinder: bb, src: src, scopes: [][]*Source{bb.visible}, noAggregates: noAggregates, noWindows: noWindow}
}

// withLabels lets names that are no column stand for labels of select.
func (e *exprBinder) withLabels() *exprBinder {
	e.labels = true
	return e
}

// items binds the select list and gives every item its label.
func (bb *blockBinder) items(c wire.Clauses) error {
	var list []labelled
	for i, src := range c.Select {
		if blank(src) {
			continue
		}
		found, err := bb.item(src)
		if err != nil {
			return in(err, "select", i+1)
		}
		for _, l := range found {
			l.index = i + 1
			list = append(list, l)
		}
		if len(list) > maxColumns {
			return &Error{Field: "select", Message: fmt.Sprintf("more than %d columns are selected", maxColumns)}
		}
	}
	if len(list) == 0 {
		return &Error{Field: "select", Message: "nothing is selected", Suggestion: "list the columns and calculations to show"}
	}
	var err error
	bb.block.Select, err = label(list)
	return err
}

func (bb *blockBinder) item(src string) ([]labelled, error) {
	it, err := parseItem(src)
	if err != nil {
		return nil, err
	}
	bb.block.Distinct = bb.block.Distinct || it.distinct
	if it.star {
		return bb.star(src, it.table)
	}
	x, err := bb.clause(src, "").withWindows().value(it.expr)
	if err != nil {
		return nil, err
	}
	if it.label == "" && comparesGroups(it.expr) {
		it.label = cutLabel(src) // which is shorter than what it is spelled out to
	}
	return []labelled{{expr: x, label: it.label}}, nil
}

// star spells out * and t.*: every visible column of the sources.
func (bb *blockBinder) star(src, table string) ([]labelled, error) {
	var out []labelled
	known := false
	for _, s := range bb.visible {
		if table != "" && !strings.EqualFold(s.Alias, table) && (s.Table == nil || !strings.EqualFold(s.Table.Name, table)) {
			continue
		}
		known = true
		if s.Block != nil {
			for i, t := range s.Block.types {
				out = append(out, labelled{expr: &Output{Source: s, Item: i, T: t}})
			}
			continue
		}
		for _, col := range s.Table.Columns {
			if bb.seesColumn(col) {
				out = append(out, labelled{expr: &Column{Source: s, Column: col}})
			}
		}
	}
	if len(bb.block.Sources) == 0 {
		return nil, errNoFrom()
	}
	if !known {
		return nil, fault(src, 0, "there is no table %s in \"from\" or \"joins\"", quote(table)).hint("%s", suggest(table, aliases(bb.visible)))
	}
	if len(out) == 0 {
		bb.denied = true
		return nil, fault(src, 0, "* stands for no column here")
	}
	return out, nil
}

func aliases(sources []*Source) []string {
	out := make([]string, len(sources))
	for i, s := range sources {
		out[i] = s.Alias
	}
	return out
}

// group binds the keys that the plan names.
func (bb *blockBinder) group(c wire.Clauses) error {
	seen := map[string]bool{}
	for i, src := range c.Group {
		if blank(src) {
			continue
		}
		x, err := bb.key(src, "an aggregate cannot stand in \"group\"")
		if err != nil {
			return in(err, "group", i+1)
		}
		if k := key(x); !seen[k] {
			seen[k] = true
			bb.block.Group = append(bb.block.Group, x)
		}
	}
	return nil
}

// key binds an entry of group or per: a column, a label, the position of an
// item, or an expression.
func (bb *blockBinder) key(src, noAggregates string) (Expr, error) {
	e := bb.clause(src, noAggregates).withLabels()
	if noAggregates == "" {
		e = e.withWindows()
	}
	if x, ok, err := bb.positioned(src); err != nil {
		return nil, err
	} else if ok {
		return x, e.forbidAggregates(x, 0)
	}
	x, err := e.parse()
	if err != nil {
		return bb.labelInstead(e, err)
	}
	if _, isConstant := x.(*Literal); isConstant {
		return nil, fault(src, 0, "a constant makes no groups").hint("name a column or a label of select")
	}
	return x, groupable(x)
}

// labelInstead is the item whose label a clause is that is no expression, such
// as a label of several words.
func (bb *blockBinder) labelInstead(e *exprBinder, err error) (Expr, error) {
	x, ok := bb.labelled(e.src)
	if !ok {
		return nil, err
	}
	return x, e.forbidAggregates(x, 0)
}

func groupable(x Expr) error {
	if k := x.Type().Kind; k == wire.KindJSON || k == wire.KindArray {
		return &Error{Message: "rows cannot be grouped by " + typeName(x.Type())}
	}
	return nil
}

// positioned reads an entry that is the number of a select item, as SQL has it.
func (bb *blockBinder) positioned(src string) (Expr, bool, error) {
	n, err := strconv.Atoi(strings.TrimSpace(src))
	if err != nil {
		return nil, false, nil
	}
	if n < 1 || n > len(bb.block.Select) {
		return nil, false, fault(src, 0, "there is no select item %d", n)
	}
	return bb.block.Select[n-1].Expr, true, nil
}

// labelled finds a select item by its label, with or without quotes.
func (bb *blockBinder) labelled(src string) (Expr, bool) {
	name := strings.TrimSpace(src)
	if inner, ok := enclosed(name, "`"); ok {
		name = inner
	}
	for _, item := range bb.block.Select {
		if strings.EqualFold(item.Label, name) {
			return item.Expr, true
		}
	}
	return nil, false
}

// isColumn reports whether a name is that of a visible column of the sources.
func (bb *blockBinder) isColumn(name string) bool {
	for _, s := range bb.visible {
		if x, ok := bb.column(s, name); ok && bb.sees(x) {
			return true
		}
	}
	return false
}

// oneName reports whether a clause is a single name.
func oneName(src string) bool {
	name := strings.TrimSpace(src)
	_, quoted := enclosed(name, "`")
	return quoted || plainName(name)
}

func (bb *blockBinder) having(c wire.Clauses) error {
	if blank(c.Having) {
		return nil
	}
	cond, err := bb.clause(c.Having, "").withLabels().condition()
	bb.block.Having = cond
	return in(err, "having", 0)
}

func (bb *blockBinder) order(c wire.Clauses) error {
	for i, src := range c.Order {
		if blank(src) {
			continue
		}
		t := parseTerm(src)
		x, err := bb.sortKey(t.text)
		if err != nil {
			return in(err, "order", i+1)
		}
		bb.block.Order = append(bb.block.Order, Order{Expr: x, Desc: t.desc, Nulls: t.nulls})
	}
	return nil
}

// sortKey binds what is ordered by: a label before a column of the same name.
func (bb *blockBinder) sortKey(src string) (Expr, error) {
	if x, ok, err := bb.positioned(src); ok || err != nil {
		return x, err
	}
	x, ok := bb.labelled(src)
	if !ok || !oneName(src) {
		e := bb.clause(src, "").withLabels().withWindows()
		var err error
		if x, err = e.parse(); err != nil {
			if x, err = bb.labelInstead(e, err); err != nil {
				return nil, err
			}
		}
	}
	if !sorts(x.Type().Kind) {
		return nil, fault(src, 0, "rows cannot be ordered by %s", typeName(x.Type()))
	}
	return x, nil
}

func (bb *blockBinder) per(c wire.Clauses) error {
	for i, src := range c.Per {
		if blank(src) {
			continue
		}
		x, err := bb.key(src, "")
		if err != nil {
			return in(err, "per", i+1)
		}
		bb.block.Per = append(bb.block.Per, x)
	}
	return nil
}

package plan

import (
	"strings"

	"querent.dev/querent/sdk/wire"
)

// namedBlock finds the block that an argument names.
func (e *exprBinder) namedBlock(n *callNode, i int) (*Block, error) {
	if i >= len(n.args) || n.star || n.distinct || n.filter != nil {
		return nil, e.fault(n, "%s takes the name of a block", n.name).
			hint("write in(x, block), exists(block, condition) or scalar(block)")
	}
	name, ok := n.args[i].(*nameNode)
	if !ok || len(name.parts) != 1 {
		return nil, e.fault(n.args[i], "%s takes the name of an earlier block here", n.name).hint("%s", suggest("", e.blockNames()))
	}
	if block, ok := e.binder.block(name.parts[0]); ok {
		return block, nil
	}
	err := e.fault(name, "there is no earlier block %s", quote(name.parts[0]))
	if len(e.blocks) == 0 {
		return nil, err.hint("define it in \"with\"")
	}
	return nil, err.hint("%s", suggest(name.parts[0], e.blockNames()))
}

// listedBlock is the block that "x in (name)" means, if name is no column.
func (e *exprBinder) listedBlock(n *inNode) *Block {
	if len(n.list) != 1 {
		return nil
	}
	name, ok := n.list[0].(*nameNode)
	if !ok || len(name.parts) != 1 {
		return nil
	}
	block, ok := e.binder.block(name.parts[0])
	if !ok || e.isColumn(name.parts[0]) {
		return nil
	}
	return block
}

// inCall binds in(x, block).
func (e *exprBinder) inCall(n *callNode) (Expr, error) {
	block, err := e.namedBlock(n, 1)
	if err != nil {
		return nil, err
	}
	if len(n.args) != 2 {
		return nil, e.fault(n, "in takes a value and a block: in(x, block)")
	}
	return e.inBlock(n, n.args[0], block, false)
}

func (e *exprBinder) inBlock(n, value node, block *Block, negate bool) (Expr, error) {
	if err := e.oneColumn(n, block); err != nil {
		return nil, err
	}
	x, err := e.side(value)
	if err != nil {
		return nil, err
	}
	of := block.types[0]
	if x.expr, err = e.take(x, of); err != nil {
		return nil, err
	}
	a := x.expr.Type()
	if a.Kind.Temporal() && of.Kind == wire.KindDate && a.Kind != wire.KindDate {
		x.expr = dayOf(x.expr)
		a = x.expr.Type()
	}
	if _, ok := unify(a, of); !ok {
		return nil, e.fault(n, "%s cannot be found among values that are %s", typeName(a), typeName(of)).
			hint("convert one of them with text(x), number(x) or date(x)")
	}
	return &InBlock{X: x.expr, Block: block, Negate: negate}, nil
}

func (e *exprBinder) oneColumn(n node, block *Block) error {
	if len(block.types) == 1 {
		return nil
	}
	return e.fault(n, "the block %s has %d columns, but one is needed", quote(block.Name), len(block.types)).
		hint("select one column in it")
}

// existsCall binds exists(block [, condition]). The condition sees the block by
// its name, and the tables around.
func (e *exprBinder) existsCall(n *callNode) (Expr, error) {
	block, err := e.namedBlock(n, 0)
	if err != nil {
		return nil, err
	}
	out := &Exists{Source: &Source{Index: -1, Alias: block.Name, Block: block}}
	if len(n.args) == 1 {
		return out, nil
	}
	if len(n.args) > 2 {
		return nil, e.fault(n, "exists takes a block and a condition: exists(block, condition)")
	}
	inner, err := e.within(n, out.Source)
	if err != nil {
		return nil, err
	}
	out.Cond, err = inner.isCondition(n.args[1])
	return out, err
}

// within binds a condition on a block that a call reads, and on what is around.
func (e *exprBinder) within(n *callNode, s *Source) (*exprBinder, error) {
	for _, sources := range e.scopes {
		for _, other := range sources {
			if strings.EqualFold(other.Alias, s.Alias) {
				return nil, e.fault(n, "%s is the name of a joined table and of the block in %s", quote(s.Alias), n.name).
					hint("give the table an alias")
			}
		}
	}
	inner := *e
	inner.scopes = append([][]*Source{{s}}, e.scopes...)
	inner.noAggregates = "an aggregate cannot stand in the condition of " + n.name
	inner.noWindows = "a window cannot stand in the condition of " + n.name
	return &inner, nil
}

// lookup binds scalar(block, value, condition): an aggregate over the rows of the
// block for which the condition holds.
func (e *exprBinder) lookup(n *callNode, block *Block) (Expr, error) {
	s := &Source{Index: -1, Alias: block.Name, Block: block}
	inner, err := e.within(n, s)
	if err != nil {
		return nil, err
	}
	ofRows := *inner
	ofRows.scopes, ofRows.noAggregates, ofRows.labels = [][]*Source{{s}}, "", false
	value, err := ofRows.value(n.args[1])
	if err != nil {
		return nil, err
	}
	if !hasAggregate(value) || bare(value) {
		return nil, e.fault(n.args[1], "the value of scalar is an aggregate of the block's rows, since there may be several").
			hint("write max(x), or another aggregate")
	}
	cond, err := inner.isCondition(n.args[2])
	return &Lookup{Source: s, Value: value, Cond: cond, T: value.Type()}, err
}

// bare reports whether e reads a column outside of aggregates.
func bare(e Expr) bool {
	found := false
	walkRow(e, func(x Expr) bool {
		found = found || sourceOf(x) != nil
		return !found && !isAggregate(x)
	})
	return found
}

// scalarBlock binds scalar(block), which must be known to have one row at most.
func (e *exprBinder) scalarBlock(n *callNode) (Expr, error) {
	block, err := e.namedBlock(n, 0)
	if err != nil {
		return nil, err
	}
	if len(n.args) == 3 {
		return e.lookup(n, block)
	}
	if len(n.args) != 1 {
		return nil, e.fault(n, "scalar takes one block: scalar(block), or scalar(block, aggregate, condition)")
	}
	if err := e.oneColumn(n, block); err != nil {
		return nil, err
	}
	total := block.Op == OpSelect && block.Aggregated && len(block.Group) == 0
	first := block.Op == OpSelect && block.Limit == 1 && len(block.Per) == 0
	if !total && !first {
		return nil, e.fault(n, "the block %s can have more than one row", quote(block.Name)).
			hint("aggregate it without a group, or set its \"limit\" to 1")
	}
	return &Scalar{Block: block, T: block.types[0]}, nil
}

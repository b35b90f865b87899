package sanity

import (
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// demand is a value that a column must have for a row to be in the result.
type demand struct {
	column *schema.Column
	value  string
}

// demanded lists what the query demands of columns of text, each once, in the
// order in which it is come to from the result. A condition counts that stands by
// itself or beside others behind "and", in a block whose rows the result needs:
// behind "or", "not" and an anti join a missing value leaves no result empty.
func demanded(q *plan.Query) []demand {
	c := &collector{blocks: map[*plan.Block]bool{}, seen: map[demand]bool{}}
	c.block(q.Result())
	return c.out
}

type collector struct {
	blocks map[*plan.Block]bool
	seen   map[demand]bool
	out    []demand
}

func (c *collector) block(b *plan.Block) {
	if c.blocks[b] {
		return
	}
	c.blocks[b] = true
	needed := b.Of
	if b.Op == plan.OpExcept {
		needed = b.Of[:1]
	}
	for _, of := range needed {
		c.block(of)
	}
	if b.Op != plan.OpSelect {
		return
	}
	c.sources(b)
	c.condition(b.Where)
	c.condition(b.Having)
	for _, item := range b.Select {
		c.item(item.Expr)
	}
}

// sources takes in the sources without which the block has no row.
func (c *collector) sources(b *plan.Block) {
	for _, s := range b.Sources {
		if s.Join == plan.JoinRight || s.Join == plan.JoinFull {
			return
		}
	}
	for _, s := range b.Sources {
		if s.Join == plan.JoinLeft || s.Join == plan.JoinAnti {
			continue
		}
		c.condition(s.On)
		if s.Block != nil {
			c.block(s.Block)
		}
	}
}

// condition takes in what a condition demands of each row.
func (c *collector) condition(cond plan.Expr) {
	switch e := cond.(type) {
	case *plan.Binary:
		switch e.Op {
		case plan.OpAnd:
			c.condition(e.L)
			c.condition(e.R)
		case plan.OpEq:
			c.equal(e.L, e.R)
			c.equal(e.R, e.L)
		}
	case *plan.InList:
		for _, x := range e.List {
			if !e.Negate {
				c.equal(e.X, x)
			}
		}
	case *plan.InBlock:
		if !e.Negate {
			c.block(e.Block)
		}
	case *plan.Exists:
		if !e.Negate {
			c.condition(e.Cond)
			c.block(e.Source.Block)
		}
	}
}

// item takes in what a selected value is made of where it is an aggregate: an
// aggregate's own condition, and the block of a single value.
func (c *collector) item(e plan.Expr) {
	_ = plan.Walk(e, func(x plan.Expr) bool {
		switch x := x.(type) {
		case *plan.Call:
			c.condition(x.Filter)
		case *plan.Scalar:
			c.block(x.Block)
		case *plan.Lookup:
			c.condition(x.Cond)
			c.block(x.Source.Block)
			return false
		}
		return true
	})
}

func (c *collector) equal(x, constant plan.Expr) {
	literal, ok := constant.(*plan.Literal)
	column := columnOf(x)
	if !ok || column == nil || literal.Relative != "" || literal.Value.Kind() != wire.KindText {
		return
	}
	d := demand{column, literal.Value.String()}
	if !c.seen[d] {
		c.seen[d] = true
		c.out = append(c.out, d)
	}
}

// columnOf is the column of text that the expression is, also by way of blocks
// that hand it on; nil for anything else.
func columnOf(e plan.Expr) *schema.Column {
	switch e := e.(type) {
	case *plan.Column:
		if e.Column.Type.Kind == wire.KindText {
			return e.Column
		}
	case *plan.Output:
		if b := e.Source.Block; b.Op == plan.OpSelect {
			return columnOf(b.Select[e.Item].Expr)
		}
	}
	return nil
}

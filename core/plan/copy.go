package plan

import (
	"fmt"
	"slices"

	"querent.dev/querent/core/schema"
)

// Clock is the clock that the query was bound with, for conditions that are added
// to it.
func (q *Query) Clock() Clock { return q.clock }

// Copy is the query with blocks, sources and expressions of its own, so that a
// policy can change them; columns, functions and constants are shared. The error
// says that an expression is of a type that this package does not define, or that
// something is read that is no block of the query.
func (q *Query) Copy() (*Query, error) {
	c := &copier{blocks: map[*Block]*Block{}, sources: map[*Source]*Source{}}
	out := &Query{catalog: q.catalog, clock: q.clock}
	for _, b := range q.Blocks {
		twin := *b
		c.blocks[b] = &twin
		out.Blocks = append(out.Blocks, &twin)
	}
	for i, b := range q.Blocks {
		c.block(b, out.Blocks[i])
	}
	if c.err != nil {
		return nil, c.err
	}
	return out, nil
}

// copier copies one query. After the first error what it makes is of no use.
type copier struct {
	// swap gives what stands for an expression in the copy; nil, or false: its copy.
	swap func(Expr) (Expr, bool)
	// Where there are none of these, blocks and sources are shared.
	blocks  map[*Block]*Block
	sources map[*Source]*Source
	err     error
}

func (c *copier) block(b, out *Block) {
	out.Of = make([]*Block, len(b.Of))
	for i, input := range b.Of {
		out.Of[i] = c.read(input)
	}
	out.Sources = make([]*Source, len(b.Sources))
	for i, s := range b.Sources {
		out.Sources[i] = c.source(s)
	}
	for i, s := range b.Sources {
		out.Sources[i].On = c.expr(s.On)
	}
	out.Where, out.Having = c.expr(b.Where), c.expr(b.Having)
	out.Group, out.Per, out.Order = c.exprs(b.Group), c.exprs(b.Per), c.order(b.Order)
	out.Select = slices.Clone(b.Select)
	for i := range out.Select {
		out.Select[i].Expr = c.expr(out.Select[i].Expr)
	}
	out.types = slices.Clone(b.types)
}

// read is the copy of a block that something reads.
func (c *copier) read(b *Block) *Block {
	if b == nil || c.blocks == nil {
		return b
	}
	out, ok := c.blocks[b]
	if !ok && c.err == nil {
		c.err = fmt.Errorf("the block %q is read, which is not of the query", b.Name)
	}
	return out
}

// source is the copy of a source without its condition, the same one whenever it
// is asked for.
func (c *copier) source(s *Source) *Source {
	if s == nil || c.sources == nil {
		return s
	}
	if out, ok := c.sources[s]; ok {
		return out
	}
	out := *s
	c.sources[s] = &out
	out.Block, out.Stored = c.read(s.Block), c.source(s.Stored)
	out.Filter = c.expr(s.Filter)
	if s.Masked != nil {
		out.Masked = make(map[*schema.Column]Expr, len(s.Masked))
		for column, mask := range s.Masked {
			out.Masked[column] = c.expr(mask)
		}
	}
	return &out
}

func (c *copier) exprs(list []Expr) []Expr {
	if list == nil {
		return nil
	}
	out := make([]Expr, len(list))
	for i, e := range list {
		out[i] = c.expr(e)
	}
	return out
}

func (c *copier) order(list []Order) []Order {
	out := slices.Clone(list)
	for i := range out {
		out[i].Expr = c.expr(out[i].Expr)
	}
	return out
}

func (c *copier) expr(e Expr) Expr {
	if c.swap != nil && e != nil {
		if instead, ok := c.swap(e); ok {
			return instead
		}
	}
	switch e := e.(type) {
	case nil:
		return nil
	case *Column:
		return &Column{Source: c.source(e.Source), Column: e.Column}
	case *Output:
		return &Output{Source: c.source(e.Source), Item: e.Item, T: e.T}
	case *Literal:
		return e
	case *Call:
		return c.call(e)
	case *Window:
		out := *e
		out.Call, out.Partition, out.Order = c.call(e.Call), c.exprs(e.Partition), c.order(e.Order)
		return &out
	case *Case:
		out := *e
		out.Whens = make([]When, len(e.Whens))
		for i, w := range e.Whens {
			out.Whens[i] = When{Cond: c.expr(w.Cond), Then: c.expr(w.Then)}
		}
		out.Else = c.expr(e.Else)
		return &out
	case *Cast:
		return &Cast{X: c.expr(e.X), T: e.T}
	case *Neg:
		return &Neg{X: c.expr(e.X)}
	case *Binary:
		return &Binary{Op: e.Op, L: c.expr(e.L), R: c.expr(e.R), T: e.T}
	}
	return c.test(e)
}

func (c *copier) call(e *Call) *Call {
	out := *e
	out.Args, out.Filter, out.Order = c.exprs(e.Args), c.expr(e.Filter), c.order(e.Order)
	return &out
}

// test copies conditions and what reads blocks.
func (c *copier) test(e Expr) Expr {
	switch e := e.(type) {
	case *Not:
		return &Not{X: c.expr(e.X)}
	case *IsNull:
		return &IsNull{X: c.expr(e.X), Negate: e.Negate}
	case *InList:
		return &InList{X: c.expr(e.X), List: c.exprs(e.List), Negate: e.Negate}
	case *Between:
		return &Between{X: c.expr(e.X), Low: c.expr(e.Low), High: c.expr(e.High), Negate: e.Negate}
	case *Like:
		return &Like{X: c.expr(e.X), Pattern: c.expr(e.Pattern), Negate: e.Negate}
	case *During:
		out := *e
		out.X = c.expr(e.X)
		return &out
	case *InBlock:
		return &InBlock{X: c.expr(e.X), Block: c.read(e.Block), Negate: e.Negate}
	case *Exists:
		return &Exists{Source: c.source(e.Source), Cond: c.expr(e.Cond), Negate: e.Negate}
	case *Scalar:
		return &Scalar{Block: c.read(e.Block), T: e.T}
	case *Lookup:
		return &Lookup{Source: c.source(e.Source), Value: c.expr(e.Value), Cond: c.expr(e.Cond), T: e.T}
	}
	if c.err == nil {
		c.err = fmt.Errorf("an expression of type %T is none of the plan's", e)
	}
	return nil
}

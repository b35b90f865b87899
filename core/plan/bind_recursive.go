package plan

import (
	"slices"
	"strings"

	"querent.dev/querent/sdk/wire"
)

// recursiveBlock binds a block that reads itself: "of" names the one block that it
// starts from, and its own clauses are the step.
func (b *binder) recursiveBlock(op BlockOp, w wire.Block) (*Block, error) {
	if op != OpUnion && op != OpUnionAll {
		return nil, &Error{Field: "op", Message: "a recursive block is a union or a union_all", Suggestion: "union leaves out rows that were found before"}
	}
	if len(w.Of) != 1 {
		return nil, &Error{Field: "of", Message: "a recursive block names the one earlier block that it starts from"}
	}
	start, ok := b.block(strings.TrimSpace(w.Of[0]))
	if !ok {
		return nil, (&Error{Field: "of", Index: 1, Message: "there is no earlier block " + quote(w.Of[0])}).hint("%s", suggest(w.Of[0], b.blockNames()))
	}
	types := start.types
	for {
		out, err := b.step(op, w, start, types)
		if err != nil {
			return nil, err
		}
		if slices.Equal(out.types, types) {
			return out, nil
		}
		// The step made a type wider, which its own reading of itself has to know. That
		// ends: an integer becomes a decimal, a decimal a float.
		types = out.types
	}
}

// step binds the clauses of a recursive block whose columns are of the types.
func (b *binder) step(op BlockOp, w wire.Block, start *Block, types []wire.Type) (*Block, error) {
	out := &Block{Name: w.Name, Op: op, Of: []*Block{start}, Recursive: true, Distinct: w.Distinct, types: types}
	b.blocks = append(b.blocks, out)
	bb := &blockBinder{binder: b, block: out}
	err := bb.clauses(w.Clauses)
	b.blocks = b.blocks[:len(b.blocks)-1]
	if err == nil {
		err = out.checkStep()
	}
	if err != nil {
		return nil, err
	}
	own := &Block{Op: OpUnion, Of: []*Block{start}, types: slices.Clone(types)}
	if err := own.takeInput(&Block{Name: w.Name, Op: OpSelect, Select: out.Select, types: out.types}); err != nil {
		return nil, in(err, "select", 0)
	}
	out.types = own.types
	return out, nil
}

// checkStep refuses what databases do not compute step by step.
func (b *Block) checkStep() error {
	for _, clause := range []struct {
		field string
		found bool
	}{{"group", b.Aggregated}, {"distinct", b.Distinct}, {"order", len(b.Order) > 0}, {"limit", b.Limit+b.Offset > 0}, {"per", len(b.Per) > 0}} {
		if clause.found {
			return &Error{Field: clause.field, Message: "the step of a recursive block neither groups nor orders nor limits",
				Suggestion: "do it in a block that reads this one"}
		}
	}
	own := 0
	for _, s := range b.Sources {
		if s.Block != b {
			continue
		}
		if own++; own > 1 || b.Outer(s) || s.Join == JoinSemi || s.Join == JoinAnti {
			return &Error{Field: "joins", Message: "the step of a recursive block reads itself once, in \"from\" or an inner join"}
		}
	}
	if own == 0 {
		return &Error{Field: "from", Message: "the step of a recursive block does not read " + quote(b.Name),
			Suggestion: "name it in \"from\" or \"joins\", or leave out \"recursive\""}
	}
	inner := false
	_ = b.Walk(func(e Expr) bool { // the binder makes no expression that Walk does not know
		_, window := e.(*Window)
		inner = inner || window || Reads(e) == b
		return !inner
	})
	if inner {
		return &Error{Message: "the step of a recursive block reads itself as a table, and has no window"}
	}
	return nil
}

package plan

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// Visibility tells which objects the caller may see. It must be safe for
// concurrent use.
type Visibility interface {
	Table(*schema.Table) bool
	Column(*schema.Column) bool
}

// Scope is what a plan is bound to. Visible decides which of two readings of a
// name is preferred and which names a message may suggest; nil means that all
// is visible. It does not decide over rights: policy.Secure does.
type Scope struct {
	Catalog *schema.Catalog
	Visible Visibility
	Clock   Clock
}

// Bind parses a plan and checks it against a catalog. The query it returns holds
// objects of the catalog, constants and labels, and no other text of the plan.
//
// A name of an object that exists but is not visible is bound, so that the
// policy refuses the query; no message names such an object unless the plan does.
// The error is a *reason.Error: PLAN_INVALID around an *Error, or POLICY_DENIED
// when the faulty plan had named an object that is not visible, since what is
// wrong with such a plan may not be told. Bind is pure and safe for concurrent use.
func Bind(p wire.Plan, s Scope) (*Query, error) {
	b := &binder{scope: s}
	q, err := b.plan(p)
	if err == nil {
		return q, nil
	}
	if b.denied {
		return nil, reason.New(reason.PolicyDenied, reason.ReasonNotPermitted, "a plan that names what the caller may not read: %w", err)
	}
	return nil, refuse(err)
}

// binder binds one plan.
type binder struct {
	scope  Scope
	blocks []*Block // the helper blocks bound so far
	taken  []string // the names of all blocks of the plan
	denied bool     // an object that is not visible was named
}

func (b *binder) plan(p wire.Plan) (*Query, error) {
	if err := checkSize(p); err != nil {
		return nil, err
	}
	for i := range p.With {
		b.taken = append(b.taken, p.With[i].Name)
	}
	for i := range p.With {
		if p.With[i].Name == "" {
			return nil, &Error{Field: "with", Index: i + 1, Message: "a block needs a name"}
		}
		block, err := b.helper(p.With[i])
		if err != nil {
			return nil, inBlock(err, p.With[i].Name)
		}
		b.blocks = append(b.blocks, block)
	}
	result, err := b.selectBlock(p.Clauses)
	if err != nil {
		return nil, err
	}
	q := assemble(b.blocks, result)
	q.catalog, q.clock = b.scope.Catalog, b.scope.Clock
	return q, nil
}

func inBlock(err error, name string) error {
	var e *Error
	if errors.As(err, &e) && e.Block == "" {
		e.Block = name
	}
	return err
}

// helper binds a block of "with".
func (b *binder) helper(w wire.Block) (*Block, error) {
	if err := b.checkName(w.Name); err != nil {
		return nil, in(err, "name", 0)
	}
	op := BlockOp(strings.ToLower(strings.TrimSpace(w.Op)))
	if w.Recursive {
		return b.recursiveBlock(op, w)
	}
	var block *Block
	var err error
	switch op {
	case "", OpSelect:
		if len(w.Of) > 0 {
			return nil, &Error{Field: "of", Message: "a select reads \"from\", not \"of\""}
		}
		block, err = b.selectBlock(w.Clauses)
	case OpUnion, OpUnionAll, OpIntersect, OpExcept:
		block, err = b.setBlock(op, w)
	default:
		err = &Error{Field: "op", Message: "there is no operation " + quote(w.Op), Suggestion: "use select, union, union_all, intersect or except"}
	}
	if err != nil {
		return nil, err
	}
	block.Name = w.Name
	return block, nil
}

// checkName refuses a block's name that could not be written in a clause.
func (b *binder) checkName(name string) error {
	switch {
	case !plainName(name):
		return &Error{Message: quote(name) + " is no name for a block", Suggestion: "use a word of letters, digits and _"}
	case utf8.RuneCountInString(name) > maxName:
		return &Error{Message: "the name is too long"}
	}
	if _, ok := b.block(name); ok {
		return &Error{Message: "two blocks are named " + quote(name)}
	}
	return nil
}

// plainName reports whether a name needs no backticks.
func plainName(name string) bool {
	for i, r := range name {
		if i == 0 && !startsName(r) || !inName(r) {
			return false
		}
	}
	word := strings.ToLower(name)
	return name != "" && !reserved[word] && !joinWords[word]
}

// block finds an earlier block by name.
func (b *binder) block(name string) (*Block, bool) {
	for _, block := range b.blocks {
		if strings.EqualFold(block.Name, name) {
			return block, true
		}
	}
	return nil, false
}

func (b *binder) blockNames() []string {
	out := make([]string, len(b.blocks))
	for i, block := range b.blocks {
		out[i] = block.Name
	}
	return out
}

// setBlock binds a union, an intersection or a difference.
func (b *binder) setBlock(op BlockOp, w wire.Block) (*Block, error) {
	for _, list := range clauseLists(w.Clauses, "", nil) {
		if strings.Join(list.items, "") != "" {
			if list.field == "from" && len(w.Of) == 1 {
				return nil, &Error{Field: "recursive", Message: "a block of one input with clauses of its own reads itself", Suggestion: "set \"recursive\" to true"}
			}
			return nil, &Error{Field: list.field, Message: "a block with op " + string(op) + " has no other clause than \"of\"",
				Suggestion: "put it into the blocks that it reads, or into a block that reads it"}
		}
	}
	if w.Limit != 0 || w.Offset != 0 || w.Distinct {
		return nil, &Error{Field: "op", Message: "a block with op " + string(op) + " has no limit, offset or distinct",
			Suggestion: "put them into a block that reads it"}
	}
	if len(w.Of) < 2 {
		return nil, &Error{Field: "of", Message: string(op) + " needs the names of at least two earlier blocks"}
	}
	out := &Block{Op: op}
	for i, name := range w.Of {
		input, ok := b.block(strings.TrimSpace(name))
		if !ok {
			return nil, (&Error{Field: "of", Index: i + 1, Message: "there is no earlier block " + quote(name)}).hint("%s", suggest(name, b.blockNames()))
		}
		if err := out.takeInput(input); err != nil {
			return nil, in(err, "of", i+1)
		}
	}
	return out, nil
}

// takeInput adds an input to a set operation. Columns go together by position,
// and have the type that all inputs have in common.
func (b *Block) takeInput(input *Block) error {
	b.Of = append(b.Of, input)
	if len(b.Of) == 1 {
		b.types = slices.Clone(input.types)
	}
	if len(b.types) != len(input.types) {
		return (&Error{Message: quote(b.Of[0].Name) + " and " + quote(input.Name) + " differ in their number of columns"}).
			hint("select as many columns in each")
	}
	for i, t := range input.types {
		common, ok := unify(b.types[i], t)
		if !ok {
			return (&Error{Message: "column " + quote(input.Columns()[i].Label) + " is " + typeName(t) + ", but " +
				quote(b.Columns()[i].Label) + " is " + typeName(b.types[i])}).hint("convert one of them with text(x), number(x) or date(x)")
		}
		b.types[i] = common
	}
	return nil
}

// assemble makes the query of the result and the blocks that it reads, directly
// or through others; a block that nothing reads is left out.
func assemble(blocks []*Block, result *Block) *Query {
	needed := map[*Block]bool{result: true}
	for _, b := range slices.Backward(append(slices.Clone(blocks), result)) {
		if needed[b] {
			for _, read := range reads(b) {
				needed[read] = true
			}
		}
	}
	q := &Query{}
	for _, b := range append(slices.Clone(blocks), result) {
		if needed[b] {
			b.Index = len(q.Blocks)
			q.Blocks = append(q.Blocks, b)
		}
	}
	return q
}

// reads lists the blocks that b itself reads.
func reads(b *Block) []*Block {
	out := slices.Clone(b.Of)
	for _, s := range b.Sources {
		if s.Block != nil {
			out = append(out, s.Block)
		}
	}
	// The binder makes no expression that Walk does not know.
	_ = b.Walk(func(e Expr) bool {
		if r := Reads(e); r != nil {
			out = append(out, r)
		}
		return true
	})
	return out
}

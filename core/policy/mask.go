package policy

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// mask is how a role sees a column, with its place in the configuration.
type mask struct {
	at string
	config.Mask
}

// hideAll is the mask under which nothing is seen.
var hideAll = mask{Mask: config.Mask{Kind: config.MaskNull}}

// strictness orders the kinds of masks by how much they hide.
var strictness = map[config.MaskKind]int{config.MaskBucket: 1, config.MaskPartial: 2, config.MaskHash: 3, config.MaskNull: 4}

// maskOf is the mask that a role puts on a column: that of the most specific
// pattern, and of several as specific the one that hides most.
func (r *role) maskOf(column []string) (mask, bool) {
	found := r.masks.find(column)
	if len(found) == 0 {
		return mask{}, false
	}
	return slices.MaxFunc(found[0], func(a, b mask) int {
		return cmp.Or(cmp.Compare(strictness[a.Kind], strictness[b.Kind]), cmp.Compare(b.at, a.at))
	}), true
}

// check says whether the mask can hide a column: the type of a masked column is
// that of the column.
func (m mask) check(c *schema.Column) error {
	kind := (&plan.Column{Column: c}).Type().Kind
	fits := true
	switch {
	case m.Kind == config.MaskHash, m.Kind == config.MaskPartial:
		fits = kind == wire.KindText
	case m.Kind == config.MaskBucket && m.Size > 0:
		fits = kind.Numeric()
	case m.Kind == config.MaskBucket:
		fits = kind == wire.KindDate || kind == wire.KindTimestamp
	}
	if !fits {
		return fmt.Errorf("%s: a mask of the kind %s%s cannot hide the column %s, which is %s; use the kind null", m.at, m.Kind, m.unit(), c.ID(), kind)
	}
	return nil
}

func (m mask) unit() string {
	switch {
	case m.Kind == config.MaskBucket && m.Size > 0:
		return " with a size"
	case m.Kind == config.MaskBucket:
		return " with a unit"
	}
	return ""
}

// expr is the masked value of a stored column.
func (m mask) expr(x *plan.Column) plan.Expr {
	switch m.Kind {
	case config.MaskHash:
		return &plan.Call{Func: plan.MaskHash(), Args: []plan.Expr{x, text(hashKey(m.HashKey))}, T: wire.Type{Kind: wire.KindText}}
	case config.MaskPartial:
		return partial(x, m.KeepFirst, m.KeepLast)
	case config.MaskBucket:
		if m.Size > 0 {
			return bucket(x, m.Size)
		}
		return period(x, m.Unit)
	}
	return hidden(x)
}

// hashKey is the key as it is sent to the database: of one length and of plain
// characters, whatever was configured. It is written before the text, and all but
// half of the digest is thrown away, so it cannot be extended.
func hashKey(configured string) string {
	sum := sha256.Sum256([]byte("querent mask\x00" + configured))
	return hex.EncodeToString(sum[:])
}

// hidden is null with the type of the column.
func hidden(x *plan.Column) plan.Expr {
	never := &plan.InList{X: x}
	return &plan.Case{Whens: []plan.When{{Cond: never, Then: x}}, T: x.Type()}
}

// stars stand for what partial hides. Their number says nothing about the text.
const stars = "***"

// partial keeps the ends of a text that is longer than both together.
func partial(x *plan.Column, first, last int) plan.Expr {
	kept := text(stars)
	if first > 0 {
		kept = join(call("left", wire.KindText, x, number(first)), kept)
	}
	if last > 0 {
		kept = join(kept, call("right", wire.KindText, x, number(last)))
	}
	longer := &plan.Binary{Op: plan.OpGt, L: call("length", wire.KindInt, x), R: number(first + last), T: wire.Type{Kind: wire.KindBool}}
	return &plan.Case{
		Whens: []plan.When{{Cond: longer, Then: kept}, {Cond: &plan.IsNull{X: x, Negate: true}, Then: text(stars)}},
		T:     x.Type(),
	}
}

// bucket is the largest multiple of the size that is not above the number. What is
// taken off a number with a fraction would leave its last digits there, by which the
// numbers of a range could be told apart: it is counted in whole sizes.
func bucket(x *plan.Column, size int) plan.Expr {
	t := x.Type()
	calculate := func(op plan.BinaryOp, l, r plan.Expr, t wire.Type) plan.Expr {
		return &plan.Binary{Op: op, L: l, R: r, T: t}
	}
	if t.Kind != wire.KindInt {
		sizes := call("floor", wire.KindInt, calculate(plan.OpDiv, x, number(size), wire.Type{Kind: wire.KindFloat}))
		return &plan.Cast{X: calculate(plan.OpMul, sizes, number(size), wire.Type{Kind: wire.KindInt}), T: t}
	}
	rest := calculate(plan.OpMod, calculate(plan.OpAdd, calculate(plan.OpMod, x, number(size), t), number(size), t), number(size), t)
	return calculate(plan.OpSub, x, rest, t)
}

// period is the first day of the period.
func period(x *plan.Column, unit string) plan.Expr {
	day := wire.Type{Kind: wire.KindDate}
	first := &plan.Call{Func: function("date_trunc"), Args: []plan.Expr{text(unit), x}, T: day}
	if x.Type() == day {
		return first
	}
	return &plan.Cast{X: first, T: x.Type()}
}

func text(s string) plan.Expr {
	return &plan.Literal{Value: wire.Text(s), T: wire.Type{Kind: wire.KindText}}
}

func number(n int) plan.Expr {
	return &plan.Literal{Value: wire.Int(int64(n)), T: wire.Type{Kind: wire.KindInt}}
}

func join(l, r plan.Expr) plan.Expr {
	return &plan.Binary{Op: plan.OpConcat, L: l, R: r, T: wire.Type{Kind: wire.KindText}}
}

func call(name string, kind wire.Kind, args ...plan.Expr) plan.Expr {
	return &plan.Call{Func: function(name), Args: args, T: wire.Type{Kind: kind}}
}

// function finds a function that the table is known to have.
func function(name string) *plan.Function {
	f, ok := plan.FindFunction(name)
	if !ok {
		panic("policy: the plan language has no function " + name)
	}
	return f
}

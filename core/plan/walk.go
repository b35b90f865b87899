package plan

import (
	"fmt"
	"maps"
	"slices"

	"querent.dev/querent/core/schema"
)

// Walk calls visit for e and, while visit returns true, for everything inside
// it, from left to right. A nil e is nothing to walk. It does not enter the
// blocks that an expression reads: Reads names them. The error says that an
// expression is of a type that this package does not define; what decides over
// rights must refuse such a plan.
func Walk(e Expr, visit func(Expr) bool) error {
	inside, err := parts(e)
	if err != nil || e == nil || !visit(e) {
		return err
	}
	for _, x := range inside {
		if x == nil {
			continue
		}
		if err := Walk(x, visit); err != nil {
			return err
		}
	}
	return nil
}

// parts lists the expressions directly inside e; optional ones may be nil.
func parts(e Expr) ([]Expr, error) {
	switch e := e.(type) {
	case nil, *Column, *Output, *Literal, *Scalar:
		return nil, nil
	case *Call:
		return callParts(e), nil
	case *Window:
		return windowParts(e), nil
	case *Lookup:
		return []Expr{e.Value, e.Cond}, nil
	case *Binary:
		return []Expr{e.L, e.R}, nil
	case *Not:
		return []Expr{e.X}, nil
	case *Neg:
		return []Expr{e.X}, nil
	case *IsNull:
		return []Expr{e.X}, nil
	case *InList:
		return append([]Expr{e.X}, e.List...), nil
	case *InBlock:
		return []Expr{e.X}, nil
	case *Exists:
		return []Expr{e.Cond}, nil
	case *Between:
		return []Expr{e.X, e.Low, e.High}, nil
	case *Like:
		return []Expr{e.X, e.Pattern}, nil
	case *Case:
		return caseParts(e), nil
	case *Cast:
		return []Expr{e.X}, nil
	case *During:
		return []Expr{e.X}, nil
	default:
		return nil, fmt.Errorf("an expression of type %T is none of the plan's", e)
	}
}

func callParts(e *Call) []Expr {
	if e.Filter == nil && len(e.Order) == 0 {
		return e.Args
	}
	return append(append(append([]Expr(nil), e.Args...), e.Filter), terms(e.Order)...)
}

func windowParts(e *Window) []Expr {
	out := append([]Expr{e.Call}, e.Partition...)
	return append(out, terms(e.Order)...)
}

func terms(order []Order) []Expr {
	out := make([]Expr, len(order))
	for i, o := range order {
		out[i] = o.Expr
	}
	return out
}

func caseParts(e *Case) []Expr {
	out := make([]Expr, 0, 2*len(e.Whens)+1)
	for _, w := range e.Whens {
		out = append(out, w.Cond, w.Then)
	}
	return append(out, e.Else)
}

// Reads is the block that e itself reads, or nil.
func Reads(e Expr) *Block {
	switch e := e.(type) {
	case *InBlock:
		return e.Block
	case *Exists:
		return e.Source.Block
	case *Scalar:
		return e.Block
	case *Lookup:
		return e.Source.Block
	}
	return nil
}

// Walk calls visit as the function Walk does, for every expression of the
// block: what policy put on its sources, the conditions of its joins, where,
// group, select, having, order, per.
func (b *Block) Walk(visit func(Expr) bool) error {
	for _, root := range b.roots() {
		if err := Walk(root, visit); err != nil {
			return err
		}
	}
	return nil
}

func (b *Block) roots() []Expr {
	var out []Expr
	for _, s := range b.Sources {
		out = append(out, s.Filter, s.On)
		for _, c := range slices.SortedFunc(maps.Keys(s.Masked), func(a, b *schema.Column) int { return a.Position - b.Position }) {
			out = append(out, s.Masked[c])
		}
	}
	out = append(out, b.Where)
	out = append(out, b.Group...)
	for _, i := range b.Select {
		out = append(out, i.Expr)
	}
	out = append(out, b.Having)
	out = append(out, terms(b.Order)...)
	return append(out, b.Per...)
}

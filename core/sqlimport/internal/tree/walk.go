package tree

// Children lists the expressions directly inside x. Queries inside it are none.
func Children(x Expr) []Expr {
	switch x := x.(type) {
	case *Unary:
		return some(x.X)
	case *Binary:
		return some(x.L, x.R)
	case *IsNull:
		return some(x.X)
	case *IsBool:
		return some(x.X)
	case *Between:
		return some(x.X, x.Low, x.High)
	case *Like:
		return some(x.X, x.Pattern)
	case *In:
		return append(some(x.X), x.List...)
	case *Quantified:
		return some(x.X)
	case *Case:
		out := some(x.Operand)
		for _, w := range x.Whens {
			out = append(out, w.Cond, w.Then)
		}
		return append(out, some(x.Else)...)
	case *Cast:
		return some(x.X)
	case *Call:
		return callChildren(x)
	case *Row:
		return x.List
	case *Collate:
		return some(x.X)
	case *Interval:
		return some(x.Count)
	}
	return nil
}

func callChildren(x *Call) []Expr {
	out := append([]Expr(nil), x.Args...)
	for _, t := range x.Order {
		out = append(out, t.Expr)
	}
	out = append(out, some(x.Filter)...)
	if x.Over != nil {
		out = append(out, x.Over.Partition...)
		for _, t := range x.Over.Order {
			out = append(out, t.Expr)
		}
	}
	return out
}

func some(list ...Expr) []Expr {
	out := list[:0]
	for _, x := range list {
		if x != nil {
			out = append(out, x)
		}
	}
	return out
}

// Find reports whether is holds for x or an expression inside it.
func Find(x Expr, is func(Expr) bool) bool {
	if x == nil {
		return false
	}
	if is(x) {
		return true
	}
	for _, c := range Children(x) {
		if Find(c, is) {
			return true
		}
	}
	return false
}

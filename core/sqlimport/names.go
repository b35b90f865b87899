package sqlimport

import (
	"strings"

	"querent.dev/querent/core/sqlimport/internal/tree"
)

// reserve takes the names of the query's tables and aliases, which no block is
// named by but the query of a with clause that has the name.
func (t *translator) reserve(q *tree.Query) {
	if q == nil {
		return
	}
	for _, c := range q.With {
		t.reserve(c.Query)
	}
	switch b := q.Body.(type) {
	case *tree.SetOp:
		t.reserve(b.L)
		t.reserve(b.R)
	case *tree.Select:
		for _, f := range b.From {
			t.reserveFrom(f)
		}
		for _, e := range append([]tree.Expr{conjunctionOf(b.Items), b.Where, b.Having}, b.Group...) {
			t.reserveExpr(e)
		}
	}
	for _, o := range q.Order {
		t.reserveExpr(o.Expr)
	}
}

func (t *translator) reserveFrom(f tree.From) {
	alias := ""
	switch f := f.(type) {
	case *tree.Table:
		alias = f.Alias
	case *tree.Derived:
		alias = f.Alias
		t.reserve(f.Query)
	case *tree.Function:
		alias = f.Alias
	case *tree.Join:
		t.reserveFrom(f.L)
		t.reserveFrom(f.R)
		t.reserveExpr(f.On)
	}
	if alias != "" {
		t.taken[strings.ToLower(alias)] = true
	}
}

func (t *translator) reserveExpr(e tree.Expr) {
	tree.Find(e, func(x tree.Expr) bool {
		switch x := x.(type) {
		case *tree.Subquery:
			t.reserve(x.Query)
		case *tree.Exists:
			t.reserve(x.Query)
		case *tree.In:
			t.reserve(x.Query)
		case *tree.Quantified:
			t.reserve(x.Query)
		}
		return false
	})
}

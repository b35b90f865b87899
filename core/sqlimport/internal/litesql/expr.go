package litesql

import (
	"strings"

	"github.com/sqlc-dev/meyer/ast"

	"querent.dev/querent/core/sqlimport/internal/tree"
)

func (r *reader) exprs(list []ast.Expr) []tree.Expr {
	var out []tree.Expr
	for _, n := range list {
		out = append(out, r.expr(n))
	}
	return out
}

// expr reads an expression; nil stays nil.
func (r *reader) expr(n ast.Expr) tree.Expr {
	switch n := n.(type) {
	case nil:
		return nil
	case *ast.ParenExpr:
		return r.expr(n.X)
	case *ast.Ident:
		return r.ident(n)
	case *ast.QualifiedRef:
		last := n.Parts[len(n.Parts)-1]
		return &tree.Name{Pos: pos(n), Parts: names(n.Parts), Quoted: byte(last.Quote)}
	case *ast.Star:
		star := &tree.Star{Pos: pos(n)}
		if n.Table != nil {
			star.Table = n.Table.Name
		}
		return star
	case *ast.Literal:
		return literal(n)
	case *ast.UnaryExpr:
		return &tree.Unary{Pos: pos(n), Op: strings.ToLower(n.Op.String()), X: r.expr(n.X)}
	case *ast.BinaryExpr:
		return &tree.Binary{Pos: pos(n), Op: strings.ToLower(n.Op.String()), L: r.expr(n.X), R: r.expr(n.Y)}
	case *ast.NullCheckExpr:
		return &tree.IsNull{Pos: pos(n), X: r.expr(n.X), Not: n.Test != ast.TestIsNull}
	case *ast.BetweenExpr:
		return &tree.Between{Pos: pos(n), X: r.expr(n.X), Low: r.expr(n.Lo), High: r.expr(n.Hi), Not: n.Not}
	case *ast.VectorExpr:
		return &tree.Row{Pos: pos(n), List: r.exprs(n.List)}
	case *ast.CollateExpr:
		return &tree.Collate{Pos: pos(n), X: r.expr(n.X), Name: n.Name.Name}
	case *ast.ExistsExpr:
		return &tree.Exists{Pos: pos(n), Query: r.query(n.Select)}
	case *ast.SubqueryExpr:
		return &tree.Subquery{Pos: pos(n), Query: r.query(n.Select)}
	}
	return r.more(n)
}

func (r *reader) more(n ast.Expr) tree.Expr {
	switch n := n.(type) {
	case *ast.LikeExpr:
		return &tree.Like{Pos: pos(n), Op: strings.ToLower(n.Op.Name), X: r.expr(n.X), Pattern: r.expr(n.Y), Escape: r.expr(n.Escape), Not: n.Not}
	case *ast.IsExpr:
		return r.is(n)
	case *ast.InExpr:
		return r.in(n)
	case *ast.CaseExpr:
		out := &tree.Case{Pos: pos(n), Operand: r.expr(n.Operand), Else: r.expr(n.Else)}
		for _, w := range n.Whens {
			out.Whens = append(out.Whens, tree.When{Cond: r.expr(w.When), Then: r.expr(w.Then)})
		}
		return out
	case *ast.CastExpr:
		return &tree.Cast{Pos: pos(n), X: r.expr(n.X), Type: strings.ToLower(n.Type.Name)}
	case *ast.FuncCall:
		out := &tree.Call{Pos: pos(n), Name: strings.ToLower(n.Name.Name), Args: r.exprs(n.Args), Star: n.Star,
			Distinct: n.Distinct, Order: r.terms(n.OrderBy), Filter: r.expr(n.Filter)}
		if n.Over != nil {
			out.Over = r.window(n.Over)
		}
		return out
	case *ast.BindParam:
		return &tree.Unsupported{Pos: pos(n), Construct: "a parameter"}
	}
	return &tree.Unsupported{Pos: pos(n), Construct: "this expression"}
}

func (r *reader) ident(n *ast.Ident) tree.Expr {
	if n.Quote == ast.QuoteNone {
		switch strings.ToLower(n.Name) {
		case "true", "false":
			return &tree.Literal{Pos: pos(n), Kind: tree.Bool, Text: strings.ToLower(n.Name)}
		}
	}
	return &tree.Name{Pos: pos(n), Parts: []string{n.Name}, Quoted: byte(n.Quote)}
}

func literal(n *ast.Literal) tree.Expr {
	switch n.Kind {
	case ast.LitNull:
		return &tree.Literal{Pos: pos(n), Kind: tree.Null}
	case ast.LitInteger, ast.LitFloat:
		return &tree.Literal{Pos: pos(n), Kind: tree.Number, Text: strings.ReplaceAll(n.Value, "_", "")}
	case ast.LitString:
		return &tree.Literal{Pos: pos(n), Kind: tree.Text, Text: n.Value}
	case ast.LitCurrentDate:
		return &tree.Call{Pos: pos(n), Name: "current_date"}
	case ast.LitCurrentTimestamp:
		return &tree.Call{Pos: pos(n), Name: "current_timestamp"}
	case ast.LitCurrentTime:
		return &tree.Call{Pos: pos(n), Name: "current_time"}
	}
	return &tree.Literal{Pos: pos(n), Kind: tree.Unknown, Text: n.Raw}
}

// is reads x is y, which compares with nulls as values. Beside null and the truth
// values it has forms of its own.
func (r *reader) is(n *ast.IsExpr) tree.Expr {
	x, y := r.expr(n.X), r.expr(n.Y)
	not := n.Not != n.Distinct
	if l, ok := y.(*tree.Literal); ok && l.Kind == tree.Null {
		return &tree.IsNull{Pos: pos(n), X: x, Not: not}
	}
	if l, ok := y.(*tree.Literal); ok && l.Kind == tree.Bool && !n.Distinct {
		return &tree.IsBool{Pos: pos(n), X: x, Want: l.Text == "true", Not: not}
	}
	op := "is"
	if not {
		op = "is not"
	}
	return &tree.Binary{Pos: pos(n), Op: op, L: x, R: y}
}

func (r *reader) in(n *ast.InExpr) tree.Expr {
	out := &tree.In{Pos: pos(n), X: r.expr(n.X), List: r.exprs(n.List), Not: n.Not}
	switch {
	case n.Select != nil:
		out.Query = r.query(n.Select)
	case n.Table != nil && n.HasArgs:
		return &tree.Unsupported{Pos: pos(n), Construct: "in with a table function"}
	case n.Table != nil:
		t := &tree.Table{Pos: pos(n), Name: n.Table.Name.Name}
		if n.Table.Schema != nil {
			t.Schema = n.Table.Schema.Name
		}
		out.Query = &tree.Query{Pos: pos(n), Body: &tree.Select{Pos: pos(n), Items: []tree.Item{{Expr: &tree.Star{Pos: pos(n)}}}, From: []tree.From{t}}}
	}
	return out
}

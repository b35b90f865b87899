package mysql

import (
	"strings"

	"github.com/sqlc-dev/marino/ast"
	"github.com/sqlc-dev/marino/format"
	mode "github.com/sqlc-dev/marino/mysql"
	"github.com/sqlc-dev/marino/parser"

	"querent.dev/querent/core/sqlimport/internal/tree"
)

// Open takes the limit off a query. It is false for one that has neither an order
// nor a limit, or whose terms cannot stand among its columns.
func Open(sql string) (tree.Open, bool) {
	p := parser.New()
	p.SetSQLMode(mode.ModeIgnoreSpace)
	stmts, _, err := p.ParseSQL(sql)
	if err != nil || len(stmts) != 1 {
		return tree.Open{}, false
	}
	out := tree.Open{}
	ok := false
	switch n := stmts[0].(type) {
	case *ast.SelectStmt:
		ok = openSelect(n, &out)
	case *ast.SetOprStmt:
		ok = openSet(n, &out)
	}
	if !ok {
		return out, false
	}
	var b strings.Builder
	err = stmts[0].Restore(format.NewRestoreCtx(format.DefaultRestoreFlags|format.RestoreStringWithoutCharset, &b))
	out.SQL = b.String()
	return out, err == nil
}

func openSelect(n *ast.SelectStmt, out *tree.Open) bool {
	if n.OrderBy == nil && n.Limit == nil {
		return false
	}
	n.Limit = nil
	if n.OrderBy == nil {
		return true
	}
	var added []*ast.SelectField
	for _, item := range n.OrderBy.Items {
		at, ok := place(item.Expr, n.Fields.Fields)
		if ok {
			out.Keys = append(out.Keys, at)
			continue
		}
		if n.Distinct {
			return false
		}
		added = append(added, &ast.SelectField{Expr: item.Expr})
		out.Keys = append(out.Keys, -len(added))
	}
	for i, k := range out.Keys {
		if k < 0 {
			out.Keys[i] = -(len(added) + k + 1)
		}
	}
	n.Fields.Fields = append(n.Fields.Fields, added...)
	out.Added = len(added)
	return true
}

func openSet(n *ast.SetOprStmt, out *tree.Open) bool {
	if n.OrderBy == nil && n.Limit == nil {
		return false
	}
	n.Limit = nil
	first, ok := n.SelectList.Selects[0].(*ast.SelectStmt)
	if n.OrderBy == nil || !ok {
		return n.OrderBy == nil
	}
	for _, item := range n.OrderBy.Items {
		at, ok := place(item.Expr, first.Fields.Fields)
		if !ok {
			return false
		}
		out.Keys = append(out.Keys, at)
	}
	return true
}

// place is the column that a term names by its place or its name.
func place(term ast.ExprNode, fields []*ast.SelectField) (int, bool) {
	if p, ok := term.(*ast.PositionExpr); ok {
		return p.N - 1, true
	}
	ref, ok := term.(*ast.ColumnNameExpr)
	if !ok || ref.Name.Table.L != "" {
		return 0, false
	}
	for i, f := range fields {
		if f.WildCard != nil {
			return 0, false
		}
		inner, plain := f.Expr.(*ast.ColumnNameExpr)
		if f.AsName.L == ref.Name.Name.L || f.AsName.L == "" && plain && inner.Name.Name.L == ref.Name.Name.L {
			return i, true
		}
	}
	return 0, false
}

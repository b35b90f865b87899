package pgsql

import (
	"github.com/sqlc-dev/oliphant/ast"
	"github.com/sqlc-dev/oliphant/parser"
	"google.golang.org/protobuf/proto"

	"querent.dev/querent/core/sqlimport/internal/tree"
)

// Open takes the limit off a query. It is false for one that has neither an order
// nor a limit, or whose terms cannot stand among its columns.
func Open(sql string) (tree.Open, bool) {
	parsed, err := parser.ParseToTree(sql)
	if err != nil || len(parsed.Stmts) != 1 {
		return tree.Open{}, false
	}
	n := parsed.Stmts[0].Stmt.GetSelectStmt()
	if n == nil || len(n.SortClause) == 0 && n.LimitCount == nil && n.LimitOffset == nil {
		return tree.Open{}, false
	}
	n.LimitCount, n.LimitOffset, n.LimitOption = nil, nil, ast.LimitOption_LIMIT_OPTION_DEFAULT
	out := tree.Open{}
	var added []*ast.Node
	for _, s := range n.SortClause {
		at, ok := place(s.GetSortBy().GetNode(), n.TargetList)
		if ok {
			out.Keys = append(out.Keys, at)
			continue
		}
		if len(n.DistinctClause) > 0 || n.Larg != nil {
			return out, false
		}
		added = append(added, &ast.Node{Node: &ast.Node_ResTarget{ResTarget: &ast.ResTarget{Val: s.GetSortBy().GetNode()}}})
		out.Keys = append(out.Keys, -len(added))
	}
	for i, k := range out.Keys {
		if k < 0 {
			out.Keys[i] = -(len(added) + k + 1)
		}
	}
	n.TargetList = append(n.TargetList, added...)
	out.Added = len(added)
	binary, err := proto.Marshal(parsed)
	if err != nil {
		return out, false
	}
	out.SQL, err = parser.DeparseFromProtobuf(binary)
	return out, err == nil
}

// place is the column that a term names by its place or its name.
func place(term *ast.Node, targets []*ast.Node) (int, bool) {
	if n := term.GetAConst(); n != nil {
		return int(n.GetIval().GetIval()) - 1, n.GetIval() != nil
	}
	ref := term.GetColumnRef()
	if ref == nil || len(ref.Fields) != 1 {
		return 0, false
	}
	name := ref.Fields[0].GetString_().GetSval()
	for i, t := range targets {
		rt := t.GetResTarget()
		if fields := rt.GetVal().GetColumnRef().GetFields(); len(fields) > 0 && fields[len(fields)-1].GetAStar() != nil {
			return 0, false
		} else if rt.Name == name || rt.Name == "" && len(fields) > 0 && fields[len(fields)-1].GetString_().GetSval() == name {
			return i, true
		}
	}
	return 0, false
}

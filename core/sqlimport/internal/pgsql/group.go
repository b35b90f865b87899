package pgsql

import (
	"github.com/sqlc-dev/oliphant/ast"

	"querent.dev/querent/core/sqlimport/internal/tree"
)

// group reads group by. Its elements multiply: group by a, rollup (b) has the sets
// (a, b) and (a).
func (r *reader) group(n *ast.SelectStmt, out *tree.Select) {
	special := false
	sets := tree.Sets{{}}
	for _, g := range n.GroupClause {
		if set := g.GetGroupingSet(); set != nil {
			special = true
			sets = sets.Times(r.groupingSet(set))
			continue
		}
		sets = sets.Times(tree.Sets{{r.expr(g)}})
	}
	if len(sets) > tree.MaxSets {
		r.fail(-1, "there are more than %d grouping sets", tree.MaxSets)
		sets = sets[:1]
	}
	out.Group = sets.All()
	if special {
		out.Sets = sets
	}
}

// groupingSet lists the sets of rollup, cube, grouping sets or a list in parentheses.
func (r *reader) groupingSet(n *ast.GroupingSet) tree.Sets {
	var parts []tree.Sets
	for _, c := range n.Content {
		if inner := c.GetGroupingSet(); inner != nil {
			parts = append(parts, r.groupingSet(inner))
			continue
		}
		parts = append(parts, tree.Sets{r.unit(c)})
	}
	switch n.Kind {
	case ast.GroupingSetKind_GROUPING_SET_ROLLUP:
		return tree.Rollup(parts)
	case ast.GroupingSetKind_GROUPING_SET_CUBE:
		return tree.Cube(parts)
	case ast.GroupingSetKind_GROUPING_SET_SETS:
		var out tree.Sets
		for _, p := range parts {
			out = append(out, p...)
		}
		return out
	case ast.GroupingSetKind_GROUPING_SET_SIMPLE:
		out := tree.Sets{{}}
		for _, p := range parts {
			out = out.Times(p)
		}
		return out
	}
	return tree.Sets{{}} // ()
}

// unit is a key, or the keys of a row in parentheses.
func (r *reader) unit(n *ast.Node) []tree.Expr {
	if row := n.GetRowExpr(); row != nil && row.RowFormat == ast.CoercionForm_COERCE_IMPLICIT_CAST {
		return r.exprs(row.Args)
	}
	return []tree.Expr{r.expr(n)}
}

// function reads a call in from.
func (r *reader) function(n *ast.RangeFunction) tree.From {
	odd := &tree.Unsupported{Pos: -1, Construct: "this function in from"}
	if n.Ordinality || n.IsRowsfrom || len(n.Functions) != 1 || len(n.Coldeflist) > 0 {
		return odd
	}
	items := n.Functions[0].GetList().GetItems()
	if len(items) == 0 {
		return odd
	}
	call, ok := r.expr(items[0]).(*tree.Call)
	if !ok {
		return odd
	}
	return &tree.Function{Pos: call.Pos, Call: call, Alias: n.Alias.GetAliasname(), Columns: texts(n.Alias.GetColnames())}
}

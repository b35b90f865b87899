// Package litesql reads SQL of SQLite's flavour.
package litesql

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sqlc-dev/meyer/ast"
	"github.com/sqlc-dev/meyer/parser"

	"querent.dev/querent/core/sqlimport/internal/tree"
)

// Parse reads one select. The position is that of a syntax error, -1 if it is not
// known.
func Parse(sql string) (q *tree.Query, at int, err error) {
	stmts, err := parser.ParseString(sql)
	if err != nil {
		var syntax *parser.Error
		if errors.As(err, &syntax) {
			return nil, syntax.Offset, errors.New(syntax.Message)
		}
		return nil, -1, err
	}
	if len(stmts) != 1 {
		return nil, -1, fmt.Errorf("there are %d statements; expected one select", len(stmts))
	}
	stmt, ok := stmts[0].(*ast.SelectStmt)
	if !ok {
		return nil, stmts[0].Pos(), errors.New("it is no select")
	}
	r := &reader{sql: sql}
	return r.query(stmt), -1, nil
}

type reader struct{ sql string }

func pos(n ast.Node) tree.Pos { return tree.Pos(n.Pos()) }

// query reads a statement. The operators of a compound go from left to right, and
// its order and limit stand on its last core.
func (r *reader) query(n *ast.SelectStmt) *tree.Query {
	out := &tree.Query{Pos: pos(n)}
	if n.With != nil {
		for _, c := range n.With.CTEs {
			out.With = append(out.With, tree.CTE{Pos: pos(c), Name: c.Name.Name, Columns: names(c.Columns), Recursive: true, Query: r.query(c.Select)})
		}
	}
	for i, core := range n.Cores {
		body := r.core(core)
		if i == 0 {
			out.Body = body
			continue
		}
		op := n.Ops[i-1]
		out.Body = &tree.SetOp{Pos: pos(&op), Op: strings.ToLower(op.Op), All: op.All,
			L: &tree.Query{Pos: pos(n), Body: out.Body}, R: &tree.Query{Pos: pos(core), Body: body}}
	}
	if last, ok := n.Cores[len(n.Cores)-1].(*ast.SelectQuery); ok {
		out.Order = r.terms(last.OrderBy)
		if last.Limit != nil {
			out.Limit, out.Offset = r.expr(last.Limit.Count), r.expr(last.Limit.Offset)
		}
	}
	return out
}

func names(list []*ast.Ident) []string {
	var out []string
	for _, n := range list {
		out = append(out, n.Name)
	}
	return out
}

func (r *reader) core(core ast.SelectCore) tree.Body {
	if v, ok := core.(*ast.ValuesClause); ok {
		out := &tree.Values{Pos: pos(v)}
		for _, row := range v.Rows {
			out.Rows = append(out.Rows, r.exprs(row))
		}
		return out
	}
	n := core.(*ast.SelectQuery)
	out := &tree.Select{Pos: pos(n), Distinct: n.Distinct == ast.DistinctDistinct, Where: r.expr(n.Where),
		Group: r.exprs(n.GroupBy), Having: r.expr(n.Having), Windows: map[string]*tree.Window{}}
	for _, c := range n.Columns {
		item := tree.Item{Expr: r.expr(c.Expr)}
		if c.Expr != nil {
			item.Text = r.sql[c.Expr.Pos():c.Expr.End()]
		}
		if c.Alias != nil {
			item.Alias = c.Alias.Name
		}
		out.Items = append(out.Items, item)
	}
	if from := r.from(n.From); from != nil {
		out.From = []tree.From{from}
	}
	for _, w := range n.Windows {
		out.Windows[strings.ToLower(w.Name.Name)] = r.window(w)
	}
	return out
}

// from joins the flat list of tables from left to right. A comma binds as every
// other join does.
func (r *reader) from(list []*ast.TableRef) tree.From {
	var out tree.From
	for i, ref := range list {
		right := r.tableRef(ref)
		if i == 0 {
			out = right
			continue
		}
		j := &tree.Join{Pos: pos(ref), Kind: joinKind(ref.Join.Type), Natural: ref.Join.Type&ast.JoinNatural != 0,
			L: out, R: right, On: r.expr(ref.On), Using: names(ref.Using)}
		out = j
	}
	return out
}

func joinKind(t ast.JoinType) string {
	switch {
	case t&ast.JoinLeft != 0 && t&ast.JoinRight != 0:
		return "full"
	case t&ast.JoinLeft != 0:
		return "left"
	case t&ast.JoinRight != 0:
		return "right"
	}
	return "inner"
}

func (r *reader) tableRef(n *ast.TableRef) tree.From {
	alias := ""
	if n.Alias != nil {
		alias = n.Alias.Name
	}
	switch {
	case n.Select != nil:
		return &tree.Derived{Pos: pos(n), Query: r.query(n.Select), Alias: alias}
	case n.List != nil:
		inner := r.from(n.List)
		if alias == "" {
			return inner
		}
		star := &tree.Select{Pos: pos(n), Items: []tree.Item{{Expr: &tree.Star{Pos: pos(n)}}}, From: []tree.From{inner}}
		return &tree.Derived{Pos: pos(n), Query: &tree.Query{Pos: pos(n), Body: star}, Alias: alias}
	case n.HasArgs:
		return &tree.Unsupported{Pos: pos(n), Construct: "the table function " + n.Name.Name.Name}
	}
	t := &tree.Table{Pos: pos(n), Name: n.Name.Name.Name, Alias: alias}
	if n.Name.Schema != nil {
		t.Schema = n.Name.Schema.Name
	}
	return t
}

func (r *reader) terms(list []*ast.OrderingTerm) []tree.Term {
	var out []tree.Term
	for _, n := range list {
		t := tree.Term{Expr: r.expr(n.Expr), Desc: n.Order == ast.SortDesc}
		switch n.Nulls {
		case ast.NullsFirst:
			t.Nulls = "first"
		case ast.NullsLast:
			t.Nulls = "last"
		}
		out = append(out, t)
	}
	return out
}

func (r *reader) window(n *ast.WindowDef) *tree.Window {
	out := &tree.Window{Pos: pos(n), Partition: r.exprs(n.Partition), Order: r.terms(n.OrderBy)}
	if n.Base != nil {
		out.Base = n.Base.Name
	}
	if n.Frame == ast.FrameNone {
		return out
	}
	unit := map[ast.FrameType]string{ast.FrameRange: "range", ast.FrameRows: "rows", ast.FrameGroups: "groups"}[n.Frame]
	out.Frame = &tree.Frame{Unit: unit, From: r.bound(n.StartBound), To: tree.Bound{Kind: "current row"},
		Exclude: n.Exclude != ast.ExcludeNone && n.Exclude != ast.ExcludeNoOthers}
	if n.EndBound != nil {
		out.Frame.To = r.bound(n.EndBound)
	}
	return out
}

var bounds = map[ast.FrameBoundType]string{
	ast.BoundUnboundedPreceding: "unbounded preceding", ast.BoundPreceding: "preceding", ast.BoundCurrentRow: "current row",
	ast.BoundFollowing: "following", ast.BoundUnboundedFollowing: "unbounded following",
}

func (r *reader) bound(n *ast.FrameBound) tree.Bound {
	return tree.Bound{Kind: bounds[n.Type], Offset: r.expr(n.Expr)}
}

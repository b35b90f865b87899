// Package pgsql reads SQL of PostgreSQL's flavour.
package pgsql

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sqlc-dev/oliphant/ast"
	"github.com/sqlc-dev/oliphant/parser"

	"querent.dev/querent/core/sqlimport/internal/tree"
)

// Parse reads one select. The position is that of a syntax error, -1 if it is not
// known.
func Parse(sql string) (q *tree.Query, at int, err error) {
	parsed, err := parser.ParseToTree(sql)
	if err != nil {
		var syntax *parser.Error
		if errors.As(err, &syntax) {
			return nil, syntax.Cursorpos - 1, errors.New(syntax.Message)
		}
		return nil, -1, err
	}
	if len(parsed.Stmts) != 1 {
		return nil, -1, fmt.Errorf("there are %d statements; expected one select", len(parsed.Stmts))
	}
	stmt := parsed.Stmts[0].Stmt.GetSelectStmt()
	if stmt == nil {
		return nil, -1, errors.New("it is no select")
	}
	r := &reader{sql: sql}
	out := r.query(stmt)
	return out, r.at, r.err
}

type reader struct {
	sql string
	at  int // of err
	err error
}

// fail remembers the first thing that the tree has no place for.
func (r *reader) fail(at int32, format string, args ...any) {
	if r.err == nil {
		r.err, r.at = fmt.Errorf(format, args...), int(at)
	}
}

func (r *reader) query(n *ast.SelectStmt) *tree.Query {
	out := &tree.Query{Pos: -1}
	if n.WithClause != nil {
		out.With = r.with(n.WithClause)
	}
	switch {
	case len(n.LockingClause) > 0:
		r.fail(-1, "locking rows is no question")
	case n.IntoClause != nil:
		r.fail(-1, "select into writes a table")
	}
	switch {
	case n.Op != ast.SetOperation_SETOP_NONE && n.Op != ast.SetOperation_SET_OPERATION_UNDEFINED:
		op := map[ast.SetOperation]string{ast.SetOperation_SETOP_UNION: "union", ast.SetOperation_SETOP_INTERSECT: "intersect", ast.SetOperation_SETOP_EXCEPT: "except"}[n.Op]
		out.Body = &tree.SetOp{Pos: -1, Op: op, All: n.All, L: r.query(n.Larg), R: r.query(n.Rarg)}
	case len(n.ValuesLists) > 0:
		v := &tree.Values{Pos: -1}
		for _, l := range n.ValuesLists {
			v.Rows = append(v.Rows, r.exprs(l.GetList().GetItems()))
		}
		out.Body = v
	default:
		out.Body = r.selectOf(n)
	}
	out.Order = r.terms(n.SortClause)
	out.Limit, out.Offset = r.expr(n.LimitCount), r.expr(n.LimitOffset)
	if l, ok := out.Limit.(*tree.Literal); ok && l.Kind == tree.Null {
		out.Limit = nil
	}
	if n.LimitOption == ast.LimitOption_LIMIT_OPTION_WITH_TIES {
		out.Limit = &tree.Unsupported{Pos: -1, Construct: "fetch with ties"}
	}
	return out
}

func (r *reader) with(n *ast.WithClause) []tree.CTE {
	var out []tree.CTE
	for _, c := range n.Ctes {
		cte := c.GetCommonTableExpr()
		q := cte.GetCtequery().GetSelectStmt()
		if q == nil {
			r.fail(cte.GetLocation(), "a with query that writes is no question")
			continue
		}
		out = append(out, tree.CTE{Pos: tree.Pos(cte.Location), Name: cte.Ctename, Columns: texts(cte.Aliascolnames), Recursive: n.Recursive, Query: r.query(q)})
	}
	return out
}

func texts(list []*ast.Node) []string {
	var out []string
	for _, n := range list {
		out = append(out, n.GetString_().GetSval())
	}
	return out
}

func (r *reader) selectOf(n *ast.SelectStmt) *tree.Select {
	out := &tree.Select{Pos: -1, Where: r.expr(n.WhereClause), Having: r.expr(n.HavingClause), Windows: map[string]*tree.Window{}}
	r.group(n, out)
	for _, d := range n.DistinctClause {
		if d.GetNode() == nil {
			out.Distinct = true
			continue
		}
		out.DistinctOn = append(out.DistinctOn, r.expr(d))
	}
	for _, t := range n.TargetList {
		rt := t.GetResTarget()
		item := tree.Item{Expr: r.expr(rt.GetVal()), Alias: rt.GetName()}
		if call, ok := item.Expr.(*tree.Call); ok && item.Alias == "" {
			item.Text = call.Name
		}
		out.Items = append(out.Items, item)
	}
	for _, f := range n.FromClause {
		out.From = append(out.From, r.from(f))
	}
	for _, w := range n.WindowClause {
		def := w.GetWindowDef()
		out.Windows[strings.ToLower(def.GetName())] = r.window(def)
	}
	return out
}

func (r *reader) from(n *ast.Node) tree.From {
	switch {
	case n.GetRangeVar() != nil:
		v := n.GetRangeVar()
		return &tree.Table{Pos: tree.Pos(v.Location), Schema: v.Schemaname, Name: v.Relname, Alias: v.Alias.GetAliasname(), Columns: texts(v.Alias.GetColnames())}
	case n.GetRangeSubselect() != nil:
		v := n.GetRangeSubselect()
		return &tree.Derived{Pos: -1, Query: r.query(v.Subquery.GetSelectStmt()), Alias: v.Alias.GetAliasname(), Columns: texts(v.Alias.GetColnames()), Lateral: v.Lateral}
	case n.GetJoinExpr() != nil:
		return r.join(n.GetJoinExpr())
	case n.GetRangeFunction() != nil:
		return r.function(n.GetRangeFunction())
	}
	return &tree.Unsupported{Pos: -1, Construct: "this table expression"}
}

func (r *reader) join(n *ast.JoinExpr) tree.From {
	kind := map[ast.JoinType]string{ast.JoinType_JOIN_INNER: "inner", ast.JoinType_JOIN_LEFT: "left", ast.JoinType_JOIN_RIGHT: "right", ast.JoinType_JOIN_FULL: "full"}[n.Jointype]
	j := &tree.Join{Pos: -1, Kind: kind, Natural: n.IsNatural, L: r.from(n.Larg), R: r.from(n.Rarg), On: r.expr(n.Quals), Using: texts(n.UsingClause)}
	if n.Alias == nil {
		return j
	}
	star := &tree.Select{Pos: -1, Items: []tree.Item{{Expr: &tree.Star{Pos: -1}}}, From: []tree.From{j}}
	return &tree.Derived{Pos: -1, Query: &tree.Query{Pos: -1, Body: star}, Alias: n.Alias.Aliasname, Columns: texts(n.Alias.Colnames)}
}

func (r *reader) terms(list []*ast.Node) []tree.Term {
	var out []tree.Term
	for _, n := range list {
		s := n.GetSortBy()
		t := tree.Term{Expr: r.expr(s.GetNode()), Desc: s.GetSortbyDir() == ast.SortByDir_SORTBY_DESC}
		switch s.GetSortbyNulls() {
		case ast.SortByNulls_SORTBY_NULLS_FIRST:
			t.Nulls = "first"
		case ast.SortByNulls_SORTBY_NULLS_LAST:
			t.Nulls = "last"
		}
		if len(s.GetUseOp()) > 0 {
			t.Expr = &tree.Unsupported{Pos: tree.Pos(s.GetLocation()), Construct: "order by using an operator"}
		}
		out = append(out, t)
	}
	return out
}

// The bits of a window's frame, as PostgreSQL numbers them.
const (
	frameNonDefault = 0x1
	frameRange      = 0x2
	frameRows       = 0x4
	frameGroups     = 0x8
	startUnbounded  = 0x20
	endUnbounded    = 0x100
	startCurrent    = 0x200
	endCurrent      = 0x400
	startPreceding  = 0x800
	endPreceding    = 0x1000
	startFollowing  = 0x2000
	endFollowing    = 0x4000
	frameExclusion  = 0x8000 | 0x10000 | 0x20000
)

func (r *reader) window(n *ast.WindowDef) *tree.Window {
	out := &tree.Window{Pos: tree.Pos(n.Location), Base: n.Refname, Partition: r.exprs(n.PartitionClause), Order: r.terms(n.OrderClause)}
	o := n.FrameOptions
	if o&frameNonDefault == 0 {
		return out
	}
	out.Frame = &tree.Frame{Unit: "range", Exclude: o&frameExclusion != 0}
	switch {
	case o&frameRows != 0:
		out.Frame.Unit = "rows"
	case o&frameGroups != 0:
		out.Frame.Unit = "groups"
	}
	out.Frame.From = r.bound(o, startUnbounded, startCurrent, startPreceding, startFollowing, "unbounded preceding", n.StartOffset)
	out.Frame.To = r.bound(o, endUnbounded, endCurrent, endPreceding, endFollowing, "unbounded following", n.EndOffset)
	return out
}

func (r *reader) bound(o, unbounded, current, preceding, following int32, all string, offset *ast.Node) tree.Bound {
	switch {
	case o&unbounded != 0:
		return tree.Bound{Kind: all}
	case o&current != 0:
		return tree.Bound{Kind: "current row"}
	case o&preceding != 0:
		return tree.Bound{Kind: "preceding", Offset: r.expr(offset)}
	case o&following != 0:
		return tree.Bound{Kind: "following", Offset: r.expr(offset)}
	}
	return tree.Bound{Kind: "current row"}
}

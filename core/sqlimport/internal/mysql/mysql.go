// Package mysql reads SQL of the flavour of MariaDB and MySQL.
package mysql

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/sqlc-dev/marino/ast"
	mode "github.com/sqlc-dev/marino/mysql"
	"github.com/sqlc-dev/marino/parser"

	"querent.dev/querent/core/sqlimport/internal/tree"
)

// syntaxError is how the parser words an error: its place, and what follows.
var syntaxError = regexp.MustCompile(`^line (\d+) column (\d+) near "`)

// Parse reads one select. The position is that of a syntax error, -1 if it is not
// known.
func Parse(sql string) (q *tree.Query, at int, err error) {
	p := parser.New()
	p.SetSQLMode(mode.ModeIgnoreSpace)
	stmts, _, err := p.ParseSQL(sql)
	if err != nil {
		m := syntaxError.FindStringSubmatch(err.Error())
		if m == nil {
			return nil, -1, errors.New("a syntax error")
		}
		line, _ := strconv.Atoi(m[1])
		column, _ := strconv.Atoi(m[2])
		return nil, offset(sql, line, column), errors.New("a syntax error near here")
	}
	if len(stmts) != 1 {
		return nil, -1, fmt.Errorf("there are %d statements; expected one select", len(stmts))
	}
	node, ok := stmts[0].(ast.ResultSetNode)
	if !ok {
		return nil, -1, errors.New("it is no select")
	}
	r := &reader{sql: sql}
	out := r.query(node)
	return out, -1, r.err
}

// offset is the byte of a line and a column.
func offset(sql string, line, column int) int {
	at := 0
	for ; line > 1; line-- {
		next := strings.IndexByte(sql[at:], '\n')
		if next < 0 {
			return -1
		}
		at += next + 1
	}
	return min(at+max(column-1, 0), len(sql))
}

type reader struct {
	sql string
	err error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

func pos(n ast.Node) tree.Pos {
	if at := n.OriginTextPosition(); at > 0 {
		return tree.Pos(at)
	}
	return -1
}

func (r *reader) query(n ast.Node) *tree.Query {
	out := &tree.Query{Pos: -1}
	switch n := n.(type) {
	case *ast.SelectStmt:
		r.selectQuery(n, out)
	case *ast.SetOprStmt:
		out.With = r.with(n.With)
		out.Body = r.setOps(n.SelectList.Selects)
		out.Order, out.Limit, out.Offset = r.ordered(n.OrderBy, n.Limit)
	case *ast.SetOprSelectList:
		out.With = r.with(n.With)
		out.Body = r.setOps(n.Selects)
		out.Order, out.Limit, out.Offset = r.ordered(n.OrderBy, n.Limit)
	case *ast.SubqueryExpr:
		return r.query(n.Query)
	default:
		r.fail("it is no select")
		out.Body = &tree.Select{Pos: -1}
	}
	return out
}

func (r *reader) ordered(o *ast.OrderByClause, l *ast.Limit) (order []tree.Term, limit, offset tree.Expr) {
	if o != nil {
		order = r.terms(o.Items)
	}
	if l != nil {
		limit, offset = r.expr(l.Count), r.expr(l.Offset)
	}
	return order, limit, offset
}

// setOps joins selects by the operator that stands before each. An intersection
// binds tighter than the others.
func (r *reader) setOps(list []ast.Node) tree.Body {
	var operands []*tree.Query
	var ops []ast.SetOprType
	for i, n := range list {
		q := r.query(n)
		op := operatorOf(n)
		if i > 0 && (op == ast.Intersect || op == ast.IntersectAll) {
			last := operands[len(operands)-1]
			operands[len(operands)-1] = &tree.Query{Pos: -1, Body: &tree.SetOp{Pos: -1, Op: "intersect", All: op == ast.IntersectAll, L: last, R: q}}
			continue
		}
		operands = append(operands, q)
		ops = append(ops, op)
	}
	out := operands[0]
	for i, q := range operands[1:] {
		op := ops[i+1]
		set := &tree.SetOp{Pos: -1, Op: "union", All: op == ast.UnionAll || op == ast.ExceptAll, L: out, R: q}
		if op == ast.Except || op == ast.ExceptAll {
			set.Op = "except"
		}
		out = &tree.Query{Pos: -1, Body: set}
	}
	if len(out.With) > 0 || len(out.Order) > 0 || out.Limit != nil {
		star := &tree.Select{Pos: -1, Items: []tree.Item{{Expr: &tree.Star{Pos: -1}}}, From: []tree.From{&tree.Derived{Pos: -1, Query: out}}}
		return star
	}
	return out.Body
}

func operatorOf(n ast.Node) ast.SetOprType {
	var op *ast.SetOprType
	switch n := n.(type) {
	case *ast.SelectStmt:
		op = n.AfterSetOperator
	case *ast.SetOprSelectList:
		op = n.AfterSetOperator
	}
	if op == nil {
		return ast.Union
	}
	return *op
}

func (r *reader) with(n *ast.WithClause) []tree.CTE {
	if n == nil {
		return nil
	}
	var out []tree.CTE
	for _, c := range n.CTEs {
		cte := tree.CTE{Pos: pos(c), Name: c.Name.O, Recursive: n.IsRecursive, Query: r.query(c.Query)}
		for _, name := range c.ColNameList {
			cte.Columns = append(cte.Columns, name.O)
		}
		out = append(out, cte)
	}
	return out
}

func (r *reader) selectQuery(n *ast.SelectStmt, out *tree.Query) {
	out.With = r.with(n.With)
	out.Order, out.Limit, out.Offset = r.ordered(n.OrderBy, n.Limit)
	if n.LockInfo != nil && n.LockInfo.LockType != ast.SelectLockNone {
		r.fail("locking rows is no question")
	}
	if n.SelectIntoOpt != nil {
		r.fail("select into writes")
	}
	if n.Kind == ast.SelectStmtKindValues {
		v := &tree.Values{Pos: -1}
		for _, row := range n.Lists {
			v.Rows = append(v.Rows, r.exprs(row.Values))
		}
		out.Body = v
		return
	}
	s := &tree.Select{Pos: pos(n), Distinct: n.Distinct, Where: r.expr(n.Where), Windows: map[string]*tree.Window{}}
	out.Body = s
	if n.Fields != nil {
		s.Items = r.items(n.Fields.Fields)
	}
	if n.From != nil {
		s.From = []tree.From{r.from(n.From.TableRefs)}
	}
	if n.GroupBy != nil {
		for _, g := range n.GroupBy.Items {
			s.Group = append(s.Group, r.expr(g.Expr))
		}
		if n.GroupBy.Rollup {
			s.Sets = r.rollup(s.Group)
		}
	}
	if n.Having != nil {
		s.Having = r.expr(n.Having.Expr)
	}
	for i := range n.WindowSpecs {
		w := &n.WindowSpecs[i]
		s.Windows[w.Name.L] = r.window(w)
	}
}

func (r *reader) rollup(keys []tree.Expr) tree.Sets {
	var parts []tree.Sets
	for _, k := range keys {
		parts = append(parts, tree.Sets{{k}})
	}
	if len(parts) >= tree.MaxSets {
		r.fail("there are more than %d grouping sets", tree.MaxSets)
		return nil
	}
	return tree.Rollup(parts)
}

func (r *reader) items(fields []*ast.SelectField) []tree.Item {
	var out []tree.Item
	for _, f := range fields {
		if f.WildCard != nil {
			out = append(out, tree.Item{Expr: &tree.Star{Pos: -1, Table: f.WildCard.Table.O}})
			continue
		}
		text := strings.TrimSpace(f.Text())
		if text == "" && f.Expr != nil {
			text = strings.TrimSpace(f.Expr.Text())
		}
		out = append(out, tree.Item{Expr: r.expr(f.Expr), Alias: f.AsName.O, Text: text})
	}
	return out
}

func (r *reader) from(n ast.ResultSetNode) tree.From {
	switch n := n.(type) {
	case *ast.Join:
		if n.Right == nil {
			return r.from(n.Left)
		}
		return r.join(n)
	case *ast.TableSource:
		return r.tableSource(n)
	case *ast.TableName:
		return &tree.Table{Pos: pos(n), Schema: n.Schema.O, Name: n.Name.O}
	}
	return &tree.Derived{Pos: -1, Query: r.query(n)}
}

func (r *reader) tableSource(n *ast.TableSource) tree.From {
	var columns []string
	for _, c := range n.ColumnNames {
		columns = append(columns, c.O)
	}
	switch src := n.Source.(type) {
	case *ast.TableName:
		return &tree.Table{Pos: pos(src), Schema: src.Schema.O, Name: src.Name.O, Alias: n.AsName.O, Columns: columns}
	case *ast.Join:
		return r.from(src)
	}
	return &tree.Derived{Pos: pos(n), Query: r.query(n.Source), Alias: n.AsName.O, Columns: columns, Lateral: n.Lateral}
}

func (r *reader) join(n *ast.Join) tree.From {
	j := &tree.Join{Pos: -1, Kind: "inner", Natural: n.NaturalJoin, L: r.from(n.Left), R: r.from(n.Right)}
	switch n.Tp {
	case ast.LeftJoin:
		j.Kind = "left"
	case ast.RightJoin:
		j.Kind = "right"
	}
	if n.On != nil {
		j.On = r.expr(n.On.Expr)
	}
	for _, c := range n.Using {
		j.Using = append(j.Using, c.Name.O)
	}
	return j
}

func (r *reader) terms(items []*ast.ByItem) []tree.Term {
	var out []tree.Term
	for _, i := range items {
		out = append(out, tree.Term{Expr: r.expr(i.Expr), Desc: i.Desc})
	}
	return out
}

func (r *reader) window(n *ast.WindowSpec) *tree.Window {
	out := &tree.Window{Pos: -1, Base: n.Ref.O}
	if n.OnlyAlias {
		out.Base = n.Name.O
	}
	if n.PartitionBy != nil {
		for _, i := range n.PartitionBy.Items {
			out.Partition = append(out.Partition, r.expr(i.Expr))
		}
	}
	if n.OrderBy != nil {
		out.Order = r.terms(n.OrderBy.Items)
	}
	if n.Frame != nil {
		unit := map[ast.FrameType]string{ast.Rows: "rows", ast.Ranges: "range", ast.Groups: "groups"}[n.Frame.Type]
		out.Frame = &tree.Frame{Unit: unit, From: r.bound(n.Frame.Extent.Start), To: r.bound(n.Frame.Extent.End)}
	}
	return out
}

func (r *reader) bound(b ast.FrameBound) tree.Bound {
	kind := map[ast.BoundType]string{ast.Following: "following", ast.Preceding: "preceding", ast.CurrentRow: "current row"}[b.Type]
	if b.UnBounded {
		return tree.Bound{Kind: "unbounded " + kind}
	}
	return tree.Bound{Kind: kind, Offset: r.expr(b.Expr)}
}

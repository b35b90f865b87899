package pgsql

import (
	"strconv"
	"strings"

	"github.com/sqlc-dev/oliphant/ast"

	"querent.dev/querent/core/sqlimport/internal/tree"
)

func (r *reader) exprs(list []*ast.Node) []tree.Expr {
	var out []tree.Expr
	for _, n := range list {
		out = append(out, r.expr(n))
	}
	return out
}

// expr reads an expression; nil stays nil.
func (r *reader) expr(n *ast.Node) tree.Expr {
	if n == nil || n.GetNode() == nil {
		return nil
	}
	switch v := n.GetNode().(type) {
	case *ast.Node_ColumnRef:
		return columnRef(v.ColumnRef)
	case *ast.Node_AConst:
		return constant(v.AConst)
	case *ast.Node_AExpr:
		return r.operator(v.AExpr)
	case *ast.Node_BoolExpr:
		return r.boolean(v.BoolExpr)
	case *ast.Node_NullTest:
		return &tree.IsNull{Pos: tree.Pos(v.NullTest.Location), X: r.expr(v.NullTest.Arg), Not: v.NullTest.Nulltesttype == ast.NullTestType_IS_NOT_NULL}
	case *ast.Node_BooleanTest:
		return r.booleanTest(v.BooleanTest)
	case *ast.Node_FuncCall:
		return r.call(v.FuncCall)
	case *ast.Node_CoalesceExpr:
		return &tree.Call{Pos: tree.Pos(v.CoalesceExpr.Location), Name: "coalesce", Args: r.exprs(v.CoalesceExpr.Args)}
	case *ast.Node_MinMaxExpr:
		name := "greatest"
		if v.MinMaxExpr.Op == ast.MinMaxOp_IS_LEAST {
			name = "least"
		}
		return &tree.Call{Pos: tree.Pos(v.MinMaxExpr.Location), Name: name, Args: r.exprs(v.MinMaxExpr.Args)}
	case *ast.Node_SubLink:
		return r.subLink(v.SubLink)
	case *ast.Node_CaseExpr:
		return r.caseOf(v.CaseExpr)
	case *ast.Node_TypeCast:
		return r.cast(v.TypeCast)
	case *ast.Node_RowExpr:
		return &tree.Row{Pos: tree.Pos(v.RowExpr.Location), List: r.exprs(v.RowExpr.Args)}
	case *ast.Node_CollateClause:
		names := texts(v.CollateClause.Collname)
		return &tree.Collate{Pos: tree.Pos(v.CollateClause.Location), X: r.expr(v.CollateClause.Arg), Name: names[len(names)-1]}
	case *ast.Node_SqlvalueFunction:
		return valueFunction(v.SqlvalueFunction)
	case *ast.Node_GroupingFunc:
		return &tree.Call{Pos: tree.Pos(v.GroupingFunc.Location), Name: "grouping", Args: r.exprs(v.GroupingFunc.Args)}
	}
	return r.odd(n)
}

// odd names what plans have nothing for.
func (r *reader) odd(n *ast.Node) tree.Expr {
	out := &tree.Unsupported{Pos: -1, Construct: "this expression"}
	switch v := n.GetNode().(type) {
	case *ast.Node_ParamRef:
		out.Pos, out.Construct = tree.Pos(v.ParamRef.Location), "a parameter"
	case *ast.Node_AArrayExpr:
		out.Pos, out.Construct = tree.Pos(v.AArrayExpr.Location), "an array"
	case *ast.Node_GroupingSet:
		out.Pos, out.Construct = tree.Pos(v.GroupingSet.Location), "rollup, cube or grouping sets"
	case *ast.Node_AIndirection:
		out.Construct = "an element or a field of a value"
	}
	return out
}

func columnRef(n *ast.ColumnRef) tree.Expr {
	var parts []string
	for _, f := range n.Fields {
		if f.GetAStar() != nil {
			star := &tree.Star{Pos: tree.Pos(n.Location)}
			if len(parts) > 0 {
				star.Table = parts[len(parts)-1]
			}
			return star
		}
		parts = append(parts, f.GetString_().GetSval())
	}
	return &tree.Name{Pos: tree.Pos(n.Location), Parts: parts}
}

func constant(n *ast.A_Const) tree.Expr {
	pos := tree.Pos(n.Location)
	switch v := n.GetVal().(type) {
	case *ast.A_Const_Ival:
		return &tree.Literal{Pos: pos, Kind: tree.Number, Text: strconv.Itoa(int(v.Ival.GetIval()))}
	case *ast.A_Const_Fval:
		return &tree.Literal{Pos: pos, Kind: tree.Number, Text: strings.ReplaceAll(v.Fval.GetFval(), "_", "")}
	case *ast.A_Const_Sval:
		return &tree.Literal{Pos: pos, Kind: tree.Text, Text: v.Sval.GetSval()}
	case *ast.A_Const_Boolval:
		return &tree.Literal{Pos: pos, Kind: tree.Bool, Text: strconv.FormatBool(v.Boolval.GetBoolval())}
	case *ast.A_Const_Bsval:
		return &tree.Literal{Pos: pos, Kind: tree.Unknown, Text: v.Bsval.GetBsval()}
	}
	return &tree.Literal{Pos: pos, Kind: tree.Null}
}

func (r *reader) operator(n *ast.A_Expr) tree.Expr {
	pos := tree.Pos(n.Location)
	names := texts(n.Name)
	op := strings.ToLower(names[len(names)-1])
	not := strings.HasPrefix(op, "!") || op == "<>"
	switch n.Kind {
	case ast.A_Expr_Kind_AEXPR_OP:
		return r.infix(n, pos, op)
	case ast.A_Expr_Kind_AEXPR_DISTINCT:
		return &tree.Binary{Pos: pos, Op: "is not", L: r.expr(n.Lexpr), R: r.expr(n.Rexpr)}
	case ast.A_Expr_Kind_AEXPR_NOT_DISTINCT:
		return &tree.Binary{Pos: pos, Op: "is", L: r.expr(n.Lexpr), R: r.expr(n.Rexpr)}
	case ast.A_Expr_Kind_AEXPR_NULLIF:
		return &tree.Call{Pos: pos, Name: "nullif", Args: []tree.Expr{r.expr(n.Lexpr), r.expr(n.Rexpr)}}
	case ast.A_Expr_Kind_AEXPR_IN:
		return &tree.In{Pos: pos, X: r.expr(n.Lexpr), List: r.exprs(n.Rexpr.GetList().GetItems()), Not: not}
	case ast.A_Expr_Kind_AEXPR_LIKE, ast.A_Expr_Kind_AEXPR_ILIKE:
		return r.like(n, pos, not)
	case ast.A_Expr_Kind_AEXPR_BETWEEN, ast.A_Expr_Kind_AEXPR_NOT_BETWEEN:
		ends := n.Rexpr.GetList().GetItems()
		return &tree.Between{Pos: pos, X: r.expr(n.Lexpr), Low: r.expr(ends[0]), High: r.expr(ends[1]), Not: n.Kind == ast.A_Expr_Kind_AEXPR_NOT_BETWEEN}
	case ast.A_Expr_Kind_AEXPR_OP_ANY:
		if list := n.Rexpr.GetAArrayExpr(); list != nil && op == "=" {
			return &tree.In{Pos: pos, X: r.expr(n.Lexpr), List: r.exprs(list.Elements)}
		}
	}
	return &tree.Unsupported{Pos: pos, Construct: "the operator " + op}
}

func (r *reader) infix(n *ast.A_Expr, pos tree.Pos, op string) tree.Expr {
	if n.Lexpr == nil {
		if l, ok := r.expr(n.Rexpr).(*tree.Literal); ok && l.Kind == tree.Number && op == "-" {
			return &tree.Unary{Pos: pos, Op: "-", X: l}
		}
		return &tree.Unary{Pos: pos, Op: op, X: r.expr(n.Rexpr)}
	}
	l, right := r.expr(n.Lexpr), r.expr(n.Rexpr)
	switch op {
	case "~~", "!~~":
		return &tree.Like{Pos: pos, Op: "like", X: l, Pattern: right, Not: op == "!~~"}
	case "~", "~*", "!~", "!~*":
		return &tree.Like{Pos: pos, Op: "regexp", X: l, Pattern: right, Not: op[0] == '!'}
	case "^":
		return &tree.Call{Pos: pos, Name: "power", Args: []tree.Expr{l, right}}
	case "!=":
		op = "<>"
	}
	return &tree.Binary{Pos: pos, Op: op, L: l, R: right}
}

func (r *reader) like(n *ast.A_Expr, pos tree.Pos, not bool) tree.Expr {
	out := &tree.Like{Pos: pos, Op: "like", X: r.expr(n.Lexpr), Pattern: r.expr(n.Rexpr), Not: not}
	if n.Kind == ast.A_Expr_Kind_AEXPR_ILIKE {
		out.Op = "ilike"
	}
	if c, ok := out.Pattern.(*tree.Call); ok && c.Name == "like_escape" && len(c.Args) == 2 {
		out.Pattern, out.Escape = c.Args[0], c.Args[1]
	}
	return out
}

func (r *reader) boolean(n *ast.BoolExpr) tree.Expr {
	pos := tree.Pos(n.Location)
	args := r.exprs(n.Args)
	if n.Boolop == ast.BoolExprType_NOT_EXPR {
		return &tree.Unary{Pos: pos, Op: "not", X: args[0]}
	}
	op := "and"
	if n.Boolop == ast.BoolExprType_OR_EXPR {
		op = "or"
	}
	out := args[0]
	for _, a := range args[1:] {
		out = &tree.Binary{Pos: pos, Op: op, L: out, R: a}
	}
	return out
}

func (r *reader) booleanTest(n *ast.BooleanTest) tree.Expr {
	pos, x := tree.Pos(n.Location), r.expr(n.Arg)
	switch n.Booltesttype {
	case ast.BoolTestType_IS_TRUE:
		return &tree.IsBool{Pos: pos, X: x, Want: true}
	case ast.BoolTestType_IS_NOT_TRUE:
		return &tree.IsBool{Pos: pos, X: x, Want: true, Not: true}
	case ast.BoolTestType_IS_FALSE:
		return &tree.IsBool{Pos: pos, X: x}
	case ast.BoolTestType_IS_NOT_FALSE:
		return &tree.IsBool{Pos: pos, X: x, Not: true}
	}
	return &tree.IsNull{Pos: pos, X: x, Not: n.Booltesttype == ast.BoolTestType_IS_NOT_UNKNOWN}
}

func (r *reader) call(n *ast.FuncCall) tree.Expr {
	names := texts(n.Funcname)
	out := &tree.Call{Pos: tree.Pos(n.Location), Name: strings.ToLower(names[len(names)-1]), Args: r.exprs(n.Args), Star: n.AggStar,
		Distinct: n.AggDistinct, Order: r.terms(n.AggOrder), Within: n.AggWithinGroup, Filter: r.expr(n.AggFilter)}
	if n.Over != nil {
		out.Over = r.window(n.Over)
		if n.Over.Name != "" {
			out.Over.Base = n.Over.Name
		}
	}
	return out
}

func (r *reader) subLink(n *ast.SubLink) tree.Expr {
	pos := tree.Pos(n.Location)
	q := r.query(n.Subselect.GetSelectStmt())
	switch n.SubLinkType {
	case ast.SubLinkType_EXISTS_SUBLINK:
		return &tree.Exists{Pos: pos, Query: q}
	case ast.SubLinkType_EXPR_SUBLINK:
		return &tree.Subquery{Pos: pos, Query: q}
	case ast.SubLinkType_ANY_SUBLINK, ast.SubLinkType_ALL_SUBLINK:
		if len(n.OperName) == 0 {
			return &tree.In{Pos: pos, X: r.expr(n.Testexpr), Query: q}
		}
		op := texts(n.OperName)[0]
		if op == "!=" {
			op = "<>"
		}
		return &tree.Quantified{Pos: pos, X: r.expr(n.Testexpr), Op: op, All: n.SubLinkType == ast.SubLinkType_ALL_SUBLINK, Query: q}
	}
	return &tree.Unsupported{Pos: pos, Construct: "an array of a sub-query"}
}

func (r *reader) caseOf(n *ast.CaseExpr) tree.Expr {
	out := &tree.Case{Pos: tree.Pos(n.Location), Operand: r.expr(n.Arg), Else: r.expr(n.Defresult)}
	for _, w := range n.Args {
		out.Whens = append(out.Whens, tree.When{Cond: r.expr(w.GetCaseWhen().GetExpr()), Then: r.expr(w.GetCaseWhen().GetResult())})
	}
	return out
}

// cast reads x::type and type 'text'. An array type is none of plans'.
func (r *reader) cast(n *ast.TypeCast) tree.Expr {
	pos := tree.Pos(n.Location)
	names := texts(n.TypeName.GetNames())
	name := names[len(names)-1]
	x := r.expr(n.Arg)
	if len(n.TypeName.GetArrayBounds()) > 0 {
		return &tree.Unsupported{Pos: pos, Construct: "a cast to an array"}
	}
	out := &tree.Cast{Pos: pos, X: x, Type: name}
	for _, m := range n.TypeName.GetTypmods() {
		out.Sizes = append(out.Sizes, int(m.GetAConst().GetIval().GetIval()))
	}
	l, ok := x.(*tree.Literal)
	switch {
	case name == "bool" && ok && l.Kind == tree.Text && (l.Text == "t" || l.Text == "f"):
		return &tree.Literal{Pos: pos, Kind: tree.Bool, Text: strconv.FormatBool(l.Text == "t")}
	case name == "interval" && ok && l.Kind == tree.Text:
		return &tree.Interval{Pos: pos, Text: l.Text}
	}
	return out
}

func valueFunction(n *ast.SQLValueFunction) tree.Expr {
	names := map[ast.SQLValueFunctionOp]string{
		ast.SQLValueFunctionOp_SVFOP_CURRENT_DATE: "current_date", ast.SQLValueFunctionOp_SVFOP_CURRENT_TIMESTAMP: "current_timestamp",
		ast.SQLValueFunctionOp_SVFOP_CURRENT_TIMESTAMP_N: "current_timestamp", ast.SQLValueFunctionOp_SVFOP_LOCALTIMESTAMP: "localtimestamp",
		ast.SQLValueFunctionOp_SVFOP_LOCALTIMESTAMP_N: "localtimestamp",
	}
	if name := names[n.Op]; name != "" {
		return &tree.Call{Pos: tree.Pos(n.Location), Name: name}
	}
	return &tree.Unsupported{Pos: tree.Pos(n.Location), Construct: "this value of the session"}
}

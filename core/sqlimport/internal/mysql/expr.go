package mysql

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sqlc-dev/marino/ast"
	"github.com/sqlc-dev/marino/mysql"
	"github.com/sqlc-dev/marino/opcode"

	"querent.dev/querent/core/sqlimport/internal/tree"
)

func (r *reader) exprs(list []ast.ExprNode) []tree.Expr {
	var out []tree.Expr
	for _, n := range list {
		out = append(out, r.expr(n))
	}
	return out
}

// expr reads an expression; nil stays nil.
func (r *reader) expr(n ast.ExprNode) tree.Expr {
	switch n := n.(type) {
	case nil:
		return nil
	case *ast.ParenthesesExpr:
		return r.expr(n.Expr)
	case *ast.ColumnNameExpr:
		var parts []string
		for _, p := range []string{n.Name.Schema.O, n.Name.Table.O, n.Name.Name.O} {
			if p != "" {
				parts = append(parts, p)
			}
		}
		return &tree.Name{Pos: pos(n), Parts: parts}
	case *ast.PositionExpr:
		return &tree.Literal{Pos: pos(n), Kind: tree.Number, Text: strconv.Itoa(n.N)}
	case *ast.BinaryOperationExpr:
		return r.infix(n)
	case *ast.UnaryOperationExpr:
		return r.unary(n)
	case *ast.IsNullExpr:
		return &tree.IsNull{Pos: pos(n), X: r.expr(n.Expr), Not: n.Not}
	case *ast.IsTruthExpr:
		return &tree.IsBool{Pos: pos(n), X: r.expr(n.Expr), Want: n.True > 0, Not: n.Not}
	case *ast.BetweenExpr:
		return &tree.Between{Pos: pos(n), X: r.expr(n.Expr), Low: r.expr(n.Left), High: r.expr(n.Right), Not: n.Not}
	case *ast.RowExpr:
		return &tree.Row{Pos: pos(n), List: r.exprs(n.Values)}
	case *ast.SetCollationExpr:
		return &tree.Collate{Pos: pos(n), X: r.expr(n.Expr), Name: n.Collate}
	case ast.ValueExpr:
		return literal(n)
	}
	return r.more(n)
}

func (r *reader) more(n ast.ExprNode) tree.Expr {
	switch n := n.(type) {
	case *ast.PatternLikeOrIlikeExpr:
		return r.like(n)
	case *ast.PatternRegexpExpr:
		return &tree.Like{Pos: pos(n), Op: "regexp", X: r.expr(n.Expr), Pattern: r.expr(n.Pattern), Not: n.Not}
	case *ast.PatternInExpr:
		out := &tree.In{Pos: pos(n), X: r.expr(n.Expr), List: r.exprs(n.List), Not: n.Not}
		if n.Sel != nil {
			out.Query = r.query(n.Sel)
		}
		return out
	case *ast.ExistsSubqueryExpr:
		var out tree.Expr = &tree.Exists{Pos: pos(n), Query: r.query(n.Sel)}
		if n.Not {
			out = &tree.Unary{Pos: pos(n), Op: "not", X: out}
		}
		return out
	case *ast.SubqueryExpr:
		return &tree.Subquery{Pos: pos(n), Query: r.query(n)}
	case *ast.CompareSubqueryExpr:
		return &tree.Quantified{Pos: pos(n), X: r.expr(n.L), Op: operators[n.Op], All: n.All, Query: r.query(n.R)}
	case *ast.CaseExpr:
		out := &tree.Case{Pos: pos(n), Operand: r.expr(n.Value), Else: r.expr(n.ElseClause)}
		for _, w := range n.WhenClauses {
			out.Whens = append(out.Whens, tree.When{Cond: r.expr(w.Expr), Then: r.expr(w.Result)})
		}
		return out
	case *ast.FuncCastExpr:
		return r.cast(n)
	case *ast.FuncCallExpr:
		return r.call(n)
	case *ast.AggregateFuncExpr:
		return r.aggregate(n)
	case *ast.WindowFuncExpr:
		return r.windowCall(n)
	case *ast.ParamMarkerExprBase:
		return &tree.Unsupported{Pos: pos(n), Construct: "a parameter"}
	case *ast.VariableExpr:
		return &tree.Unsupported{Pos: pos(n), Construct: "a variable"}
	}
	return &tree.Unsupported{Pos: -1, Construct: "this expression"}
}

// operators are the operators of the tree. PIPES are "or" on MariaDB.
var operators = map[opcode.Op]string{
	opcode.LogicAnd: "and", opcode.LogicOr: "or", opcode.LogicXor: "xor", opcode.EQ: "=", opcode.NE: "<>", opcode.LT: "<", opcode.LE: "<=",
	opcode.GT: ">", opcode.GE: ">=", opcode.Plus: "+", opcode.Minus: "-", opcode.Mul: "*", opcode.Div: "/", opcode.Mod: "%", opcode.IntDiv: "div",
	opcode.NullEQ: "is", opcode.And: "&", opcode.Or: "|", opcode.Xor: "^", opcode.LeftShift: "<<", opcode.RightShift: ">>",
}

func (r *reader) infix(n *ast.BinaryOperationExpr) tree.Expr {
	return &tree.Binary{Pos: pos(n), Op: operators[n.Op], L: r.expr(n.L), R: r.expr(n.R)}
}

func (r *reader) unary(n *ast.UnaryOperationExpr) tree.Expr {
	op := map[opcode.Op]string{opcode.Not: "not", opcode.Not2: "not", opcode.Minus: "-", opcode.Plus: "+", opcode.BitNeg: "~"}[n.Op]
	return &tree.Unary{Pos: pos(n), Op: op, X: r.expr(n.V)}
}

func literal(n ast.ValueExpr) tree.Expr {
	out := &tree.Literal{Pos: pos(n), Kind: tree.Number}
	switch v := n.GetValue().(type) {
	case nil:
		out.Kind = tree.Null
	case int64:
		out.Text = strconv.FormatInt(v, 10)
		if n.GetType().GetFlag()&mysql.IsBooleanFlag != 0 {
			out.Kind, out.Text = tree.Bool, strconv.FormatBool(v != 0)
		}
	case uint64:
		out.Text = strconv.FormatUint(v, 10)
	case float64:
		out.Text = strconv.FormatFloat(v, 'e', -1, 64)
	case string:
		out.Kind, out.Text = tree.Text, v
	case fmt.Stringer:
		out.Text = v.String()
		if !strings.ContainsAny(out.Text, "0123456789") || strings.Trim(out.Text, "0123456789.-+eE") != "" {
			out.Kind = tree.Unknown
		}
	default:
		out.Kind, out.Text = tree.Unknown, fmt.Sprint(v)
	}
	return out
}

func (r *reader) like(n *ast.PatternLikeOrIlikeExpr) tree.Expr {
	out := &tree.Like{Pos: pos(n), Op: "like", X: r.expr(n.Expr), Pattern: r.expr(n.Pattern), Not: n.Not}
	if n.EscapeExplicit {
		escape := ""
		if n.Escape != 0 {
			escape = string(rune(n.Escape))
		}
		out.Escape = &tree.Literal{Pos: -1, Kind: tree.Text, Text: escape}
	}
	return out
}

func (r *reader) cast(n *ast.FuncCastExpr) tree.Expr {
	if n.FunctionType == ast.CastBinaryOperator {
		return &tree.Collate{Pos: pos(n), X: r.expr(n.Expr), Name: "binary"}
	}
	out := &tree.Cast{Pos: pos(n), X: r.expr(n.Expr), Type: castType(n.Tp.GetType())}
	if out.Type == "decimal" {
		out.Sizes = []int{max(n.Tp.GetFlen(), 0), max(n.Tp.GetDecimal(), 0)}
	}
	return out
}

func castType(t byte) string {
	switch t {
	case mysql.TypeLonglong, mysql.TypeLong:
		return "signed"
	case mysql.TypeNewDecimal:
		return "decimal"
	case mysql.TypeDouble, mysql.TypeFloat:
		return "double"
	case mysql.TypeVarString, mysql.TypeString, mysql.TypeVarchar:
		return "char"
	case mysql.TypeDate:
		return "date"
	case mysql.TypeDatetime:
		return "datetime"
	case mysql.TypeDuration:
		return "time"
	}
	return "this type"
}

// literals are the types of date '…' and timestamp '…' by the functions that the
// parser makes of them.
var literals = map[string]string{ast.DateLiteral: "date", ast.TimestampLiteral: "datetime"}

func (r *reader) call(n *ast.FuncCallExpr) tree.Expr {
	out := &tree.Call{Pos: pos(n), Name: n.FnName.L}
	for _, a := range n.Args {
		switch a := a.(type) {
		case *ast.TimeUnitExpr:
			out.Args = append(out.Args, &tree.Literal{Pos: -1, Kind: tree.Text, Text: strings.ToLower(a.Unit.String())})
		case *ast.TrimDirectionExpr:
			switch a.Direction {
			case ast.TrimLeading:
				out.Name = "ltrim"
			case ast.TrimTrailing:
				out.Name = "rtrim"
			}
		default:
			out.Args = append(out.Args, r.expr(a))
		}
	}
	if kind := literals[out.Name]; kind != "" && len(out.Args) == 1 {
		return &tree.Cast{Pos: out.Pos, X: out.Args[0], Type: kind}
	}
	switch out.Name {
	case "date_add", "date_sub", "adddate", "subdate":
		if len(out.Args) == 3 {
			unit := out.Args[2].(*tree.Literal).Text
			out.Args = []tree.Expr{out.Args[0], &tree.Interval{Pos: out.Pos, Count: out.Args[1], Unit: unit}}
		}
	case "locate":
		if len(out.Args) == 2 {
			return out
		}
	}
	return out
}

func (r *reader) aggregate(n *ast.AggregateFuncExpr) tree.Expr {
	out := &tree.Call{Pos: pos(n), Name: strings.ToLower(n.F), Args: r.exprs(n.Args), Distinct: n.Distinct}
	if n.Order != nil {
		out.Order = r.terms(n.Order.Items)
	}
	switch out.Name {
	case "count":
		if l, ok := n.Args[0].(ast.ValueExpr); ok && len(n.Args) == 1 && l.GetValue() != nil && !n.Distinct {
			out.Args, out.Star = nil, true
		}
	case "group_concat":
		if last := len(out.Args) - 1; last > 1 {
			// Several texts are joined before they are joined with those of other rows.
			out.Args = []tree.Expr{&tree.Call{Pos: out.Pos, Name: "concat", Args: out.Args[:last]}, out.Args[last]}
		}
	case "std", "stddev_pop":
		out.Name = "stddev_pop"
	}
	return out
}

func (r *reader) windowCall(n *ast.WindowFuncExpr) tree.Expr {
	out := &tree.Call{Pos: pos(n), Name: strings.ToLower(n.Name), Args: r.exprs(n.Args), Distinct: n.Distinct, Over: r.window(&n.Spec)}
	if n.IgnoreNull || n.FromLast {
		return &tree.Unsupported{Pos: pos(n), Construct: "ignore nulls or from last"}
	}
	if l, ok := out.Args0(); ok && out.Name == "count" && l.Kind != tree.Null {
		out.Args, out.Star = nil, true
	}
	return out
}

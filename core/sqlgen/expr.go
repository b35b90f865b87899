package sqlgen

import (
	"strings"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// value writes the value of an expression. Every operator stands in parentheses,
// so that no dialect's precedence matters.
func (r *renderer) value(e plan.Expr) {
	if r.err != nil {
		return
	}
	switch e := e.(type) {
	case *plan.Column:
		if masked(e) {
			r.raw(e)
		} else {
			r.dialect.column(r, e)
		}
		return
	case *plan.Output:
		r.raw(e)
		return
	}
	if name, ok := r.swapped(e); ok {
		r.write(name)
		return
	}
	switch e := e.(type) {
	case *plan.Literal:
		r.dialect.literal(r, e)
	case *plan.Call:
		r.call(e)
	case *plan.Case:
		r.caseOf(e)
	case *plan.Cast:
		r.dialect.cast(r, e)
	case *plan.Neg:
		r.put("(-", e.X, ")")
	case *plan.Window:
		r.window(e)
	case *plan.Scalar:
		r.scalar(e)
	case *plan.Lookup:
		r.lookup(e)
	case *plan.Binary:
		r.binary(e)
	default:
		r.condition(e)
	}
}

// textOfDate reports whether c holds text though it is declared as a date, which
// only SQLite allows. Its driver would turn such text into times and lose how it
// was written; with a plus before it the column has no declaration.
func textOfDate(c *schema.Column) bool {
	if c.Type.Kind != wire.KindText {
		return false
	}
	switch strings.ToUpper(c.Native) {
	case "DATE", "DATETIME", "TIMESTAMP":
		return true
	}
	return false
}

// raw writes a column of a source as it is stored.
func (r *renderer) raw(e plan.Expr) {
	if name, ok := r.swapped(e); ok {
		r.write(name)
		return
	}
	switch e := e.(type) {
	case *plan.Column:
		if _, lite := r.dialect.(sqlite); lite && textOfDate(e.Column) && !masked(e) {
			r.write("+")
		}
		r.qualifier(e.Source)
		r.columnName(e.Column)
	case *plan.Output:
		r.qualifier(e.Source)
		r.write(output(e.Item))
	default:
		r.fail(malformed("an expression of type %T is no column", e))
	}
}

func (r *renderer) qualifier(s *plan.Source) {
	alias, ok := r.aliases[s]
	if !ok {
		r.fail(malformed("a column is read outside the block that its source belongs to"))
		return
	}
	r.put(alias, ".")
}

func (r *renderer) call(c *plan.Call) {
	write, ok := r.dialect.function(c.Func.Name)
	if !ok || c.Func.Kind == plan.WindowFunction {
		r.fail(malformed("the function %q is not in the table", c.Func.Name))
		return
	}
	if len(c.Args) < c.Func.MinArgs || c.Func.MaxArgs >= 0 && len(c.Args) > c.Func.MaxArgs {
		r.fail(malformed("the function %q is called with %d arguments", c.Func.Name, len(c.Args)))
		return
	}
	if c.Func.Kind != plan.AggregateFunction && (c.Distinct || c.Filter != nil || len(c.Order) > 0) {
		r.fail(malformed("the function %q is no aggregate", c.Func.Name))
		return
	}
	if c.Func.Kind == plan.AggregateFunction && (r.over == nil || r.over.Call != c) {
		r.ofRows(func() { write(r, c) })
		return
	}
	write(r, c)
}

// aggregate writes an aggregate by its name in SQL. A filter becomes a case,
// which every dialect has.
func (r *renderer) aggregate(name string, c *plan.Call) { r.aggregateOf(name, c, nil) }

// aggregateOf does so with more arguments behind the first.
func (r *renderer) aggregateOf(name string, c *plan.Call, more func()) {
	r.put(name, "(")
	if c.Distinct {
		r.put("DISTINCT ")
	}
	r.filtered(c, func() {
		switch {
		case len(c.Args) == 0 && c.Filter != nil:
			r.put("1")
		case len(c.Args) == 0:
			r.put("*")
		case c.Distinct || name == "min" || name == "max":
			r.put(exact{c.Args[0]})
		default:
			r.put(c.Args[0])
		}
	})
	if more != nil {
		more()
	}
	r.aggregateOrder(c)
	r.put(")")
	r.overRows(c)
}

// filtered writes the argument of an aggregate, which is null where its filter does
// not hold.
func (r *renderer) filtered(c *plan.Call, argument func()) {
	if c.Filter == nil {
		argument()
		return
	}
	r.put("CASE WHEN ", c.Filter, " THEN ", argument, " END")
}

// aggregateOrder writes the order in which an aggregate takes its rows.
func (r *renderer) aggregateOrder(c *plan.Call) {
	if len(c.Order) == 0 {
		return
	}
	r.put(" ORDER BY ")
	r.list(len(c.Order), ", ", func(i int) {
		o := c.Order[i]
		r.term(term{o, -1}, nullable(o.Expr, r.current), func() { r.dialect.sortKey(r, o.Expr) })
	})
}

func (r *renderer) caseOf(e *plan.Case) {
	r.put("CASE")
	for _, w := range e.Whens {
		r.put(" WHEN ", w.Cond, " THEN ", exact{w.Then})
	}
	if e.Else != nil {
		r.put(" ELSE ", exact{e.Else})
	}
	r.put(" END")
}

func (r *renderer) binary(e *plan.Binary) {
	switch e.Op {
	case plan.OpAnd, plan.OpOr:
		r.put("(", e.L, " ", strings.ToUpper(string(e.Op)), " ", e.R, ")")
	case plan.OpEq, plan.OpNe, plan.OpLt, plan.OpLe, plan.OpGt, plan.OpGe:
		r.dialect.compare(r, e.Op, e.L, e.R)
	case plan.OpAdd, plan.OpSub, plan.OpMul, plan.OpDiv, plan.OpMod, plan.OpConcat:
		r.dialect.calculate(r, e)
	default:
		r.fail(malformed("the operator %q is unknown", e.Op))
	}
}

// condition writes what is true, false or null.
func (r *renderer) condition(e plan.Expr) {
	switch e := e.(type) {
	case *plan.Not:
		r.not(e.X)
	case *plan.IsNull:
		r.isNull(e)
	case *plan.InList:
		r.inList(e)
	case *plan.InBlock:
		r.inBlock(e.X, e.Block, e.Negate)
	case *plan.Exists:
		r.exists(e.Source, e.Cond, e.Negate)
	case *plan.Between:
		r.between(e)
	case *plan.Like:
		r.dialect.like(r, e)
	case *plan.During:
		r.dialect.during(r, e)
	default:
		r.fail(malformed("an expression of type %T is none of the plan's", e))
	}
}

// not turns tests of membership into their opposites, which have a form of
// their own that databases run faster.
func (r *renderer) not(x plan.Expr) {
	switch x := x.(type) {
	case *plan.InBlock:
		r.inBlock(x.X, x.Block, !x.Negate)
	case *plan.Exists:
		r.exists(x.Source, x.Cond, !x.Negate)
	default:
		r.negated++
		r.put("(NOT ", x, ")")
		r.negated--
	}
}

func (r *renderer) isNull(e *plan.IsNull) {
	r.put("(")
	switch e.X.(type) {
	case *plan.Column, *plan.Output:
		r.dialect.stored(r, e.X)
	default:
		r.put(e.X)
	}
	if e.Negate {
		r.put(" IS NOT NULL)")
		return
	}
	r.put(" IS NULL)")
}

// inList leaves nulls out of the list: no value is equal to one, and in "not in"
// it would hide every row.
func (r *renderer) inList(e *plan.InList) {
	var list []plan.Expr
	for _, x := range e.List {
		if l, ok := x.(*plan.Literal); !ok || !l.Value.IsNull() {
			list = append(list, x)
		}
	}
	switch {
	case len(list) > 0:
		r.membership(e.X, list, e.Negate)
	case e.Negate:
		r.put("(1=1)")
	default:
		r.put("(1=0)")
	}
}

func (r *renderer) membership(x plan.Expr, list []plan.Expr, negate bool) {
	r.put("(")
	if !negate {
		r.dialect.narrow(r, x, list)
	}
	r.dialect.comparable(r, x, list[0])
	if negate {
		r.put(" NOT")
	}
	r.put(" IN (")
	r.list(len(list), ", ", func(i int) { r.dialect.comparable(r, list[i], x) })
	r.put("))")
}

// between is written as two comparisons, since those know about dates.
func (r *renderer) between(e *plan.Between) {
	if e.Negate {
		r.put("(NOT ")
	}
	r.put("(")
	r.dialect.compare(r, plan.OpGe, e.X, e.Low)
	r.put(" AND ")
	r.dialect.compare(r, plan.OpLe, e.X, e.High)
	r.put(")")
	if e.Negate {
		r.put(")")
	}
}

// scalar reads the one value of a block. A database that met several rows would
// take any, so the block must show that it has one at most.
func (r *renderer) scalar(e *plan.Scalar) {
	if len(e.Block.Columns()) != 1 || !oneRow(e.Block) {
		r.fail(invalid("The block in scalar must have one column and one row: an aggregate without group, or limit 1."))
		return
	}
	alias := r.alias()
	r.put("(SELECT ", alias, ".", output(0), " FROM ")
	r.blockName(e.Block)
	r.put(" AS ", alias, ")")
}

// lookup writes an aggregate over the rows of a block for which the condition
// holds. The block stands in the sub-query itself: inside a derived table MariaDB
// does not see what is outside.
func (r *renderer) lookup(e *plan.Lookup) {
	r.aliases[e.Source] = r.alias()
	r.put("(SELECT ", exact{e.Value}, " FROM ")
	r.source(e.Source)
	if e.Cond != nil {
		r.put(" WHERE ", e.Cond)
	}
	r.put(")")
	delete(r.aliases, e.Source)
}

func oneRow(b *plan.Block) bool {
	if b.Op != plan.OpSelect {
		return false
	}
	return b.Aggregated && len(b.Group) == 0 || b.Limit == 1 && len(b.Per) == 0
}

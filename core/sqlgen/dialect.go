package sqlgen

import (
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// dialect is what differs between databases. Its methods write to the renderer;
// everything else about a query is common. An implementation has no state.
type dialect interface {
	// quote makes an identifier of a name of the catalog.
	quote(name string) string
	// longest is the length in bytes that a name can have. PostgreSQL would cut a
	// longer one, which then names something else.
	longest() int
	// bind is the value as the driver gets it, or an error if it has none.
	bind(v wire.Value) (wire.Value, error)
	// placeholder is the text that stands for the n-th argument, from 1; v is the
	// value before bind.
	placeholder(n int, v wire.Value) string
	// marker is the byte with which every placeholder begins.
	marker() byte
	// literal writes a constant of the plan.
	literal(r *renderer, l *plan.Literal)
	// column writes the value of a column, whatever it is stored as.
	column(r *renderer, c *plan.Column)
	// stored writes a column so that it is null exactly when its value is.
	stored(r *renderer, e plan.Expr)
	// sortKey writes something that sorts as e does, cheaper where there is an index.
	sortKey(r *renderer, e plan.Expr)
	// exact writes e free of the rounding errors of its calculation.
	exact(r *renderer, e plan.Expr)
	// calculate writes + - * / % and ||.
	calculate(r *renderer, e *plan.Binary)
	// compare writes a comparison as a condition.
	compare(r *renderer, op plan.BinaryOp, left, right plan.Expr)
	// comparable writes e in a form that is equal to the other's exactly when
	// their values are.
	comparable(r *renderer, e, other plan.Expr)
	// narrow may write a condition that holds wherever x is in the list, with AND
	// behind it, so that an index serves.
	narrow(r *renderer, x plan.Expr, list []plan.Expr)
	// indexesIn reports whether x IN (SELECT …) runs faster than EXISTS with the
	// equalities of the pairs.
	indexesIn(pairs []pair) bool
	// ofGroups splits the conditions on the groups of a block into those that the
	// database must test on the rows before they are grouped, and the others.
	ofGroups(b *plan.Block) (early, late []plan.Expr)
	// seesKeys reports whether the database knows a group key, also where it is
	// written in another way than in GROUP BY: in HAVING, or outside it.
	seesKeys(having bool) bool
	// anyOf writes a group key as an aggregate: a column as it is stored, else its
	// value.
	anyOf(r *renderer, key plan.Expr)
	// fullJoin reports whether a full join on the condition can be written as such.
	fullJoin(s *plan.Source) bool
	// conform writes the column of an input of a set operation or of a recursion as
	// one of the type that the result has.
	conform(r *renderer, write func(), from, to wire.Type)
	// beside reports whether an aggregate has to be computed by a window beside the
	// rows, since the dialect has no such aggregate.
	beside(c *plan.Call) bool
	during(r *renderer, e *plan.During)
	like(r *renderer, e *plan.Like)
	cast(r *renderer, e *plan.Cast)
	// order writes an ordering term; nulls go last unless nullsFirst. A term that
	// cannot be null needs no word about it. In a calculation value stands for the
	// term, which may be the name of a selected item.
	order(r *renderer, term, value func(), desc, nullsFirst, nullable bool)
	// page writes the limit (0: none) and the offset, which are not both 0.
	page(r *renderer, limit, offset int64)
	// whole writes a number of rows, of a window function or a frame, that is not
	// negative: as an argument where the database takes one.
	whole(r *renderer, n int64)
	// partition writes PARTITION BY for a window, if it is needed, and reports it.
	partition(r *renderer, by []plan.Expr) bool
	// settle writes e as a column of type t of a recursive block, in its start and
	// in its step alike, so that the database gives both the one type.
	settle(r *renderer, e plan.Expr, t wire.Type)
	// function finds how a function of the plan is written.
	function(name string) (callWriter, bool)
}

// callWriter writes the call of a function.
type callWriter func(r *renderer, c *plan.Call)

// dialects are those that can be rendered for.
var dialects = map[schema.Dialect]dialect{
	schema.SQLite: sqlite{}, schema.Postgres: postgres{}, schema.MySQL: mysql{},
}

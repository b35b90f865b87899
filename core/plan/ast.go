// Package plan is the plan language: the parser of wire plans, the typed AST,
// the function table, and the checks that bind a plan to a catalog.
//
// A plan goes one way: wire.Plan -> Bind -> *Query -> policy.Secure -> SQL. A
// *Query that Bind returned holds no name that is not of the catalog and no text
// of a model outside labels and literals.
package plan

import (
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// Query is a bound plan. Blocks read earlier blocks only; the last is the
// result. A Query is immutable once Bind has returned it.
type Query struct {
	Blocks []*Block

	catalog *schema.Catalog // in which table names are written; nil: with their schema
	clock   Clock           // that it was bound with
}

// Result is the block whose rows answer the question.
func (q *Query) Result() *Block { return q.Blocks[len(q.Blocks)-1] }

// BlockOp is what a block does.
type BlockOp string

// The block operations, as they stand in wire plans.
const (
	OpSelect    BlockOp = "select"
	OpUnion     BlockOp = "union"
	OpUnionAll  BlockOp = "union_all"
	OpIntersect BlockOp = "intersect"
	OpExcept    BlockOp = "except"
)

// Block is one query of a plan.
type Block struct {
	Index    int    // its place in Query.Blocks
	Name     string // "" for the result
	Op       BlockOp
	Of       []*Block // what a set operation reads; nil for a select
	Sources  []*Source
	Where    Expr // nil: none
	Group    []Expr
	Select   []Item
	Having   Expr
	Order    []Order
	Per      []Expr
	Limit    int64 // 0: none
	Offset   int64
	Distinct bool
	// Aggregated is set when the block groups or aggregates, also over no group.
	Aggregated bool
	// Recursive is set on a union or union_all that reads itself: Of holds the one
	// block that it starts from, and its own clauses are the step, which has a
	// Source whose Block is this block. Its columns are those of Of[0].
	Recursive bool

	types []wire.Type // of its columns, for the blocks that read it
}

// Item is a selected expression. The label is a header for people and a name
// for later blocks; it never reaches SQL.
type Item struct {
	Label string
	Expr  Expr
}

// Order is an ordering term.
type Order struct {
	Expr  Expr
	Desc  bool
	Nulls NullOrder
}

// NullOrder is where nulls sort. The default is last, on every dialect and in
// both directions.
type NullOrder string

// The null orders.
const (
	NullsDefault NullOrder = ""
	NullsFirst   NullOrder = "first"
	NullsLast    NullOrder = "last"
)

// JoinKind is how a source is joined to those before it.
type JoinKind string

// The kinds of joins. The first source of a block has none.
const (
	JoinNone  JoinKind = ""
	JoinInner JoinKind = "inner"
	JoinLeft  JoinKind = "left"
	JoinRight JoinKind = "right"
	JoinFull  JoinKind = "full"
	JoinCross JoinKind = "cross"
	JoinSemi  JoinKind = "semi"
	JoinAnti  JoinKind = "anti"
)

// Source is one occurrence of a table or block in a from or a join. Exactly one
// of Table and Block is set. Expressions point at the occurrence, so a self join
// has two Sources.
type Source struct {
	Index int    // its place in Block.Sources
	Alias string // as the plan names it, for messages and the normal form
	Join  JoinKind
	Table *schema.Table
	Block *Block
	On    Expr // nil for the first source and for a cross join

	// Filter and Masked are set by policy alone, on occurrences of tables. The
	// occurrence holds only the rows for which Filter is true, before anything is
	// joined to it, and a column of Masked has the value of its expression wherever
	// the plan reads it. Columns inside the two point at Stored, an occurrence of
	// the same table that is theirs alone, and mean the stored values.
	Filter Expr
	Masked map[*schema.Column]Expr
	Stored *Source
}

// Expr is a typed expression. The types below are all there are.
type Expr interface {
	// Type is the expression's type; KindNull for the literal null alone.
	Type() wire.Type
}

// Column is a column of a table. Its type is what it means, not how it is
// stored: a column whose Storage keeps moments in text or numbers is a date or a
// timestamp, and one of seconds or milliseconds since 1970 a timestamp with zone.
type Column struct {
	Source *Source // its Table is Column.Table
	Column *schema.Column
}

// Output is a column of an earlier block.
type Output struct {
	Source *Source // its Block is the block that is read
	Item   int     // index into Source.Block's columns
	T      wire.Type
}

// Literal is a constant. It is always rendered as a bound argument. Relative is
// the call of the clock that gave it, such as "today()", or "": the plan id
// hashes the call and not its value, so that it is the same from day to day.
type Literal struct {
	Value    wire.Value
	T        wire.Type
	Relative string
}

// Call is a call of a function of the table. Distinct and Filter belong to
// aggregates alone, and Order to string_agg. A window function is called inside a
// Window only.
type Call struct {
	Func     *Function
	Args     []Expr // empty for count(*)
	Distinct bool
	Filter   Expr
	Order    []Order
	T        wire.Type
}

// Window is a call over the rows around the current one: a window function, or
// an aggregate without Distinct. It stands in the select, order and per of a
// block, where an aggregated block's windows run over its groups.
type Window struct {
	Call      *Call
	Partition []Expr
	Order     []Order
	Frame     *Frame // nil: to the current row with its peers when ordered, else all
}

// Frame is the part of a partition over which a window runs, from one bound to
// the other, both included.
type Frame struct {
	Unit     FrameUnit
	From, To Bound
}

// FrameUnit is what a frame counts: rows, or rows with their peers in the order.
type FrameUnit string

// The frame units. A range has no bound with an offset.
const (
	FrameRows  FrameUnit = "rows"
	FrameRange FrameUnit = "range"
)

// BoundKind is a side of a frame.
type BoundKind string

// The bounds.
const (
	UnboundedPreceding BoundKind = "unbounded preceding"
	Preceding          BoundKind = "preceding"
	CurrentRow         BoundKind = "current row"
	Following          BoundKind = "following"
	UnboundedFollowing BoundKind = "unbounded following"
)

// Bound is where a frame begins or ends.
type Bound struct {
	Kind   BoundKind
	Offset int64 // rows, of Preceding and Following
}

// BinaryOp is an operator between two operands.
type BinaryOp string

// The binary operators. Division is true division; / by zero is null.
const (
	OpAdd    BinaryOp = "+"
	OpSub    BinaryOp = "-"
	OpMul    BinaryOp = "*"
	OpDiv    BinaryOp = "/"
	OpMod    BinaryOp = "%"
	OpConcat BinaryOp = "||"
	OpEq     BinaryOp = "="
	OpNe     BinaryOp = "<>"
	OpLt     BinaryOp = "<"
	OpLe     BinaryOp = "<="
	OpGt     BinaryOp = ">"
	OpGe     BinaryOp = ">="
	OpAnd    BinaryOp = "and"
	OpOr     BinaryOp = "or"
)

// Binary is an operator with two operands.
type Binary struct {
	Op   BinaryOp
	L, R Expr
	T    wire.Type
}

// Not negates a condition.
type Not struct{ X Expr }

// Neg negates a number.
type Neg struct{ X Expr }

// IsNull tests for null.
type IsNull struct {
	X      Expr
	Negate bool
}

// InList tests membership of a list of constants or expressions.
type InList struct {
	X      Expr
	List   []Expr
	Negate bool
}

// InBlock tests membership of the one column of an earlier block. "not in"
// means that no row is equal: nulls in the block do not empty the result.
type InBlock struct {
	X      Expr
	Block  *Block
	Negate bool
}

// Exists tests whether an earlier block has a row for which Cond holds. Cond
// may point at Source, whose Block is the block tested and whose Index is -1; nil
// means any row.
type Exists struct {
	Source *Source
	Cond   Expr
	Negate bool
}

// Scalar is the one value of an earlier block that has one row and one column.
type Scalar struct {
	Block *Block
	T     wire.Type
}

// Lookup is an aggregate over those rows of an earlier block for which Cond
// holds: a correlated scalar sub-query. Value is one aggregate call, or an
// expression of such calls; Value and Cond may point at Source, whose Block is the
// block read and whose Index is -1, and Cond also at the sources around it. In a
// plan it is scalar(block, value, cond).
type Lookup struct {
	Source *Source
	Value  Expr
	Cond   Expr
	T      wire.Type
}

// Between tests an inclusive range.
type Between struct {
	X, Low, High Expr
	Negate       bool
}

// Like matches a pattern with % and _, ignoring ASCII case.
type Like struct {
	X       Expr
	Pattern Expr
	Negate  bool
}

// When is a branch of a Case.
type When struct{ Cond, Then Expr }

// Case is a searched case; Else may be nil.
type Case struct {
	Whens []When
	Else  Expr
	T     wire.Type
}

// Cast converts; text that is not of the type becomes null.
type Cast struct {
	X Expr
	T wire.Type
}

// During tests a half-open period: From <= X < To. Text is the period in normal
// form ("2025-Q1", "last_months(3)") and is what the plan id hashes, so a
// relative period keeps its id from day to day.
type During struct {
	X        Expr
	Text     string
	From, To wire.Value // dates or timestamps; null: open
}

// Columns is what the block gives to its readers: its own items, or those of
// the first input of a set operation, also where it is recursive.
func (b *Block) Columns() []Item {
	if b.Op == OpSelect {
		return b.Select
	}

	return b.Of[0].Columns()
}

// Types are the types of the block's columns, as its readers see them: those that
// all inputs of a set operation have in common.
func (b *Block) Types() []wire.Type { return b.types }

package tree

// Expr is an expression.
type Expr interface{ At() int }

// Name is a column by its name and qualifiers. Quoted is the mark around its last
// part, or 0.
type Name struct {
	Pos
	Parts  []string
	Quoted byte
}

// Star is * or t.*.
type Star struct {
	Pos
	Table string
}

// LiteralKind says what a literal is.
type LiteralKind string

// The kinds of literals.
const (
	Null    LiteralKind = "null"
	Number  LiteralKind = "number"
	Text    LiteralKind = "text"
	Bool    LiteralKind = "bool"
	Unknown LiteralKind = "unknown" // one that plans have no word for, such as a blob
)

// Literal is a constant. Text is its digits, its characters, or true and false.
type Literal struct {
	Pos
	Kind LiteralKind
	Text string
}

// Interval is a span of time, as interval '3 months' or interval 3 month.
type Interval struct {
	Pos
	Count Expr // nil when the text says all
	Text  string
	Unit  string // "" when the text says it
}

// Unary is -x, +x, ~x or not x.
type Unary struct {
	Pos
	Op string
	X  Expr
}

// Binary is an operator between two operands, in lower case: or and = <> < <= >
// >= + - * / % || & | << >>, is and is not (null-safe), div, xor, -> and ->>.
type Binary struct {
	Pos
	Op   string
	L, R Expr
}

// IsNull tests for null.
type IsNull struct {
	Pos
	X   Expr
	Not bool
}

// IsBool is x is [not] true or false.
type IsBool struct {
	Pos
	X    Expr
	Want bool
	Not  bool
}

// Between tests a range.
type Between struct {
	Pos
	X, Low, High Expr
	Not          bool
}

// Like matches a pattern. Op is like, ilike, glob, regexp or match.
type Like struct {
	Pos
	Op         string
	X, Pattern Expr
	Escape     Expr // nil: the flavour's own
	Not        bool
}

// In tests membership of a list or of a query.
type In struct {
	Pos
	X     Expr
	List  []Expr
	Query *Query
	Not   bool
}

// Quantified is x op any (query) or x op all (query).
type Quantified struct {
	Pos
	X     Expr
	Op    string
	All   bool
	Query *Query
}

// Exists tests whether a query has rows.
type Exists struct {
	Pos
	Query *Query
}

// Subquery is a query as a value.
type Subquery struct {
	Pos
	Query *Query
}

// Case is a case with or without an operand.
type Case struct {
	Pos
	Operand Expr
	Whens   []When
	Else    Expr
}

// When is a branch of a case.
type When struct{ Cond, Then Expr }

// Cast converts. Type is in lower case, without its sizes.
type Cast struct {
	Pos
	X     Expr
	Type  string
	Sizes []int
}

// Call calls a function. Name is in lower case.
type Call struct {
	Pos
	Name     string
	Args     []Expr
	Star     bool
	Distinct bool
	Order    []Term
	Within   bool // the order stands in within group
	Filter   Expr
	Over     *Window
}

// Row is a row of values.
type Row struct {
	Pos
	List []Expr
}

// Collate compares by a collation.
type Collate struct {
	Pos
	X    Expr
	Name string
}

// Unsupported is what no plan can say; Construct names it.
type Unsupported struct {
	Pos
	Construct string
}

// Args0 is the one argument of a call, if it is a literal.
func (c *Call) Args0() (*Literal, bool) {
	if len(c.Args) != 1 {
		return nil, false
	}
	l, ok := c.Args[0].(*Literal)
	return l, ok
}

// Package tree is a query as SQL writes it, whatever the flavour: what the front
// ends make of the trees of their parsers, and all that the translator reads.
// Names are not looked up, and nothing is typed.
package tree

// Pos is the byte of the SQL at which a node stands, or -1.
type Pos int

// At is the position itself; nodes embed Pos.
func (p Pos) At() int { return int(p) }

// Query is a select with what may stand around it.
type Query struct {
	Pos
	With   []CTE
	Body   Body
	Order  []Term
	Limit  Expr // nil: none
	Offset Expr
}

// CTE is a named query of a with clause.
type CTE struct {
	Pos
	Name      string
	Columns   []string // nil: those of the query
	Recursive bool     // it may read itself
	Query     *Query
}

// Body is what a query returns before it is ordered and cut.
type Body interface{ body() }

// Select is one select.
type Select struct {
	Pos
	Distinct   bool
	DistinctOn []Expr
	Items      []Item
	From       []From // one entry a comma
	Where      Expr
	Group      []Expr
	// Sets are the grouping sets, each some of Group; nil for a plain group by.
	Sets    Sets
	Having  Expr
	Windows map[string]*Window // by lower-case name
}

// SetOp is a union, an intersection or a difference of two queries.
type SetOp struct {
	Pos
	Op   string // union, intersect or except
	All  bool
	L, R *Query
}

// Values is a list of rows.
type Values struct {
	Pos
	Rows [][]Expr
}

func (*Select) body() {}
func (*SetOp) body()  {}
func (*Values) body() {}

// Item is an entry of a select list.
type Item struct {
	Expr  Expr // a *Star for a star
	Alias string
	Text  string // as the SQL writes it, for a header
}

// From is a table expression.
type From interface{ At() int }

// Table is a table or a CTE by name.
type Table struct {
	Pos
	Schema, Name, Alias string
	Columns             []string // renamed; nil: as they are
}

// Derived is a query in parentheses.
type Derived struct {
	Pos
	Query   *Query
	Alias   string
	Columns []string
	Lateral bool
}

// Function is a call in from, as generate_series(1, 10) as g(n).
type Function struct {
	Pos
	Call    *Call
	Alias   string
	Columns []string
}

// Join joins two table expressions.
type Join struct {
	Pos
	Kind    string // inner, left, right, full or cross
	Natural bool
	L, R    From
	On      Expr
	Using   []string
}

// Term is an ordering term. Nulls is first, last or "" for the flavour's own.
type Term struct {
	Expr  Expr
	Desc  bool
	Nulls string
}

// Window is what stands in over (…) or behind a name in a window clause.
type Window struct {
	Pos
	Base      string // the name of the window it builds on
	Partition []Expr
	Order     []Term
	Frame     *Frame
}

// Frame is the part of a partition that a window runs over.
type Frame struct {
	Unit     string // rows, range or groups
	From, To Bound
	Exclude  bool
}

// Bound is an end of a frame: unbounded preceding, preceding, current row,
// following or unbounded following.
type Bound struct {
	Kind   string
	Offset Expr
}

package engineaggregator

import "slices"

// Op is what a step does.
type Op string

// The operations, a closed set. The first five combine results, the others work
// on one.
const (
	Standalone Op = "standalone" // each input answers by itself
	Compare    Op = "compare"    // two results side by side, with difference and ratio
	Join       Op = "join"       // rows that agree on the columns of On
	LeftJoin   Op = "left_join"  // the same, and the left rows without a partner
	Union      Op = "union"      // the rows of all, one result after the other, none dropped
	Filter     Op = "filter"
	Summarize  Op = "aggregate"
	Project    Op = "project"
	Sort       Op = "sort"
	Limit      Op = "limit"
)

// CombineOps lists the operations that take several results.
func CombineOps() []Op { return []Op{Standalone, Compare, Join, LeftJoin, Union} }

// Combines reports whether the operation takes several results.
func (o Op) Combines() bool { return slices.Contains(CombineOps(), o) }

// Step is one operation over results that sub-queries or earlier steps gave.
// Which of the lists count depends on Op.
type Step struct {
	ID      string      `json:"id"`
	Op      Op          `json:"op"`
	Inputs  []string    `json:"inputs"`
	On      []Pair      `json:"on,omitempty"`       // compare, join
	Where   []Condition `json:"where,omitempty"`    // filter: all of them hold
	Group   []Item      `json:"group,omitempty"`    // aggregate
	Measure []Measure   `json:"measures,omitempty"` // aggregate
	Columns []Item      `json:"columns,omitempty"`  // project
	Order   []Order     `json:"order,omitempty"`    // sort
	N       int64       `json:"n,omitempty"`        // limit
}

// Names are the columns that the step names, as it spells them.
func (s Step) Names() []string {
	var out []string
	for _, p := range s.On {
		out = append(out, p.Left, p.Right)
	}
	for _, c := range s.Where {
		out = append(out, c.Column)
	}
	for _, i := range slices.Concat(s.Group, s.Columns) {
		out = append(out, i.Column)
	}
	for _, m := range s.Measure {
		out = append(out, m.Column)
	}
	for _, o := range s.Order {
		out = append(out, o.Column)
	}
	return out
}

// Pair is two columns that must be equal: of what is joined so far, and of the
// input that is joined to it.
type Pair struct {
	Left  string `json:"left"`
	Right string `json:"right"`
}

// Item is a column under a label, "" for its own.
type Item struct {
	Column string `json:"column"`
	Label  string `json:"label,omitempty"`
}

// Measure is an aggregate of a column, "*" for rows, under a label.
type Measure struct {
	Func   string `json:"func"` // count, sum, avg, min or max
	Column string `json:"column"`
	Label  string `json:"label,omitempty"`
}

// Order is a column to sort by. Nulls come last either way.
type Order struct {
	Column string `json:"column"`
	Desc   bool   `json:"desc,omitempty"`
}

// Comparison is how a condition compares.
type Comparison string

// The comparisons. Nothing but the last two holds for null.
const (
	Equal     Comparison = "="
	NotEqual  Comparison = "<>"
	Less      Comparison = "<"
	AtMost    Comparison = "<="
	Greater   Comparison = ">"
	AtLeast   Comparison = ">="
	IsNull    Comparison = "is null"
	IsNotNull Comparison = "is not null"
)

// The functions of measures, and the column that stands for rows.
const (
	funcCount = "count"
	funcSum   = "sum"
	funcAvg   = "avg"
	funcMin   = "min"
	funcMax   = "max"
	countStar = "*"
)

// Condition compares a column with a literal, which is read as a value of the
// column's type.
type Condition struct {
	Column  string     `json:"column"`
	Compare Comparison `json:"compare"`
	Literal string     `json:"literal,omitempty"`
	// Quoted is set when the literal is text, as dates are too.
	Quoted bool `json:"quoted,omitempty"`
}

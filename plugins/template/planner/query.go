package planner

import (
	"math/big"
	"slices"

	"querent.dev/querent/sdk"
)

// verb is what a question asks for.
type verb string

const (
	count         verb = "count"
	countDistinct verb = "count distinct"
	list          verb = "list"
	aggregate     verb = "aggregate"
	top           verb = "top"
)

// ref is a column as a question reaches it: of the table itself, or of one to
// which a key leads.
type ref struct {
	via    *key // nil: the table's own
	column *column
}

func (r ref) distance() int {
	if r.via == nil {
		return 0
	}
	return 1
}

// group is what a question groups by: a column, a row of another table, or a
// unit of time of the column.
type group struct {
	ref
	entity *table // with via: the other table
	unit   string // year, quarter, month, week or day
}

// filter is a condition on a column.
type filter struct {
	ref
	op      string // a comparison, or during
	literal string // in the plan language
	shown   string // in the reading
	asked   string // in a question
}

// consistent reports whether no column has two conditions that a value would
// hardly be asked to meet both. Who says "in 2024, in 2025" means either year,
// which is a condition that the grammar does not have. Two bounds are fine.
func (q query) consistent() bool {
	for i, f := range q.filters {
		for _, other := range q.filters[:i] {
			if f.ref == other.ref && !bounds(f, other) && !bounds(other, f) {
				return false
			}
		}
	}
	return true
}

// bounds reports whether the conditions bound a number from below and from above.
func bounds(below, above filter) bool {
	low, lowIsNumber := new(big.Rat).SetString(below.literal)
	high, highIsNumber := new(big.Rat).SetString(above.literal)
	return lowIsNumber && highIsNumber && below.op[0] == '>' && above.op[0] == '<' && low.Cmp(high) < 0
}

type order struct {
	ref
	desc bool
}

// query is a question that was understood, up to the token at. It is a value:
// what is appended to a copy never shows in another.
type query struct {
	at       int
	verb     verb
	function string // of an aggregate
	subject  ref    // what is aggregated, or ordered by in a top
	compared ref    // the column of a condition that is being read
	items    []ref
	distinct bool
	groups   []group
	filters  []filter
	order    []order
	limit    int64
	used     []sdk.Coverage
	distance int
	korean   bool
	closed   bool // a tail such as "are there" has been said
	// unnamed are the tokens at which a column of another table stands alone, by a
	// word that might as well be meant of the table itself.
	unnamed []int
	// unsure is set when the words have another meaning that no plan here has.
	unsure bool
	item   []token // the words of the last of the items
}

// certain reports whether the reading may be answered without asking back.
func (q query) certain() bool { return len(q.unnamed) == 0 && !q.unsure }

// take is q past n tokens that stand for used.
func (q query) take(tokens []token, n int, used string) query {
	for _, t := range tokens[q.at : q.at+n] {
		q.used = append(slices.Clip(q.used), sdk.Coverage{Word: t.text, Used: used})
	}
	q.at += n
	return q
}

// measured is the column that the question is about so far, nil if there is none.
func (q query) measured() *column {
	if n := len(q.items); n > 0 {
		return q.items[n-1].column
	}
	return q.subject.column
}

func (q query) reach(r ref) query {
	q.distance += r.distance()
	return q
}

func (q query) withItem(r ref) query {
	q.items = append(slices.Clip(q.items), r)
	return q.reach(r)
}

func (q query) withGroup(g group) query {
	q.groups = append(slices.Clip(q.groups), g)
	return q.reach(g.ref)
}

func (q query) withUnnamed(at int) query {
	q.unnamed = append(slices.Clip(q.unnamed), at)
	return q
}

func (q query) withFilter(f filter) query {
	q.filters = append(slices.Clip(q.filters), f)
	return q.reach(f.ref)
}

func (q query) withOrder(o order) query {
	q.order = append(slices.Clip(q.order), o)
	return q.reach(o.ref)
}

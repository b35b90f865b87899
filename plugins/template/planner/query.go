package planner

import (
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
}

// take is q past n tokens that stand for used.
func (q query) take(tokens []token, n int, used string) query {
	for _, t := range tokens[q.at : q.at+n] {
		q.used = append(slices.Clip(q.used), sdk.Coverage{Word: t.text, Used: used})
	}
	q.at += n
	return q
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

func (q query) withFilter(f filter) query {
	q.filters = append(slices.Clip(q.filters), f)
	return q.reach(f.ref)
}

func (q query) withOrder(o order) query {
	q.order = append(slices.Clip(q.order), o)
	return q.reach(o.ref)
}

// Package fanout finds aggregates that a join makes count rows more than once,
// and rewrites plans where it is certain what was meant.
//
// What it knows comes from keys alone: primary and unique keys of tables, groups
// and distinct rows of blocks, and the equalities of joins and conditions. It
// reads no data.
package fanout

import (
	"slices"

	"querent.dev/querent/core/plan"
)

// Finding is an aggregate whose argument's rows a join may repeat.
type Finding struct {
	Block *plan.Block
	Call  *plan.Call
	// Of are the sources whose values are aggregated, By those that may hold
	// several rows for one of theirs. Both are in the order of the block.
	Of, By []*plan.Source
}

// Find lists the aggregates of the query that may count rows more than once, in
// the order of the blocks and of their clauses. count(*), min, max, distinct
// aggregates and conditions over all rows are never among them: repeated rows are
// what the first counts, and the others do not notice them.
func Find(q *plan.Query) []Finding {
	var out []Finding
	for _, b := range q.Blocks {
		if b.Op == plan.OpSelect && len(joined(b)) > 1 {
			out = append(out, findIn(b)...)
		}
	}
	return out
}

func findIn(b *plan.Block) []Finding {
	var out []Finding
	for _, use := range aggregates(b) {
		if !sensitive(use.call) {
			continue
		}
		of := valueSources(b, use.call)
		if len(of) == 0 {
			continue
		}
		c := newClosure(b)
		c.start(of, use.within)
		if by := c.open(); len(by) > 0 {
			out = append(out, Finding{Block: b, Call: use.call, Of: of, By: by})
		}
	}
	return out
}

// joined are the sources whose rows stand beside each other in the block's rows:
// those of semi and anti joins only filter.
func joined(b *plan.Block) []*plan.Source {
	var out []*plan.Source
	for _, s := range b.Sources {
		if s.Join != plan.JoinSemi && s.Join != plan.JoinAnti {
			out = append(out, s)
		}
	}
	return out
}

// aggregate is a call with the expressions of which its rows share the values:
// the group, or the partition of a window.
type aggregate struct {
	call   *plan.Call
	within []plan.Expr
}

// aggregates lists the calls of aggregates in the block.
func aggregates(b *plan.Block) []aggregate {
	var out []aggregate
	// Binding makes no expression that Walk does not know.
	_ = b.Walk(func(e plan.Expr) bool {
		switch e := e.(type) {
		case *plan.Lookup:
			return false // its aggregate runs over the rows of another block
		case *plan.Window:
			if e.Call.Func.Kind == plan.AggregateFunction && !b.Aggregated {
				out = append(out, aggregate{e.Call, e.Partition})
			}
			return b.Aggregated // over groups only what they aggregate counts
		case *plan.Call:
			if e.Func.Kind == plan.AggregateFunction {
				out = append(out, aggregate{e, b.Group})
				return false
			}
		}
		return true
	})
	return out
}

// insensitive are the aggregates for which a row counts as much as twice the row.
var insensitive = []string{"min", "max", "bool_and", "bool_or"}

// sensitive reports whether repeated rows change what the call gives.
func sensitive(c *plan.Call) bool {
	return len(c.Args) > 0 && !c.Distinct && !slices.Contains(insensitive, c.Func.Name)
}

// valueSources are the sources whose values are aggregated, in the block's order.
// What only decides whether a value counts, as the conditions of case do, is not
// among them.
func valueSources(b *plan.Block, c *plan.Call) []*plan.Source {
	seen := map[*plan.Source]bool{}
	var visit func(e plan.Expr) bool
	visit = func(e plan.Expr) bool {
		switch e := e.(type) {
		case *plan.Case:
			for _, w := range e.Whens {
				_ = plan.Walk(w.Then, visit)
			}
			_ = plan.Walk(e.Else, visit)
			return false
		case *plan.Column:
			seen[e.Source] = true
		case *plan.Output:
			seen[e.Source] = true
		}
		return true
	}
	_ = plan.Walk(c.Args[0], visit)
	var out []*plan.Source
	for _, s := range joined(b) {
		if seen[s] {
			out = append(out, s)
		}
	}
	return out
}

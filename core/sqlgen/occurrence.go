package sqlgen

import (
	"slices"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
)

// limited reports whether the policy put something on the occurrence of a table.
func limited(s *plan.Source) bool { return s.Filter != nil || len(s.Masked) > 0 }

// masked reports whether e is a column that the occurrence of its table gives as
// what a mask made of it: a value as the plan means it, however it is stored.
func masked(e plan.Expr) bool {
	c, ok := e.(*plan.Column)
	return ok && c.Source != nil && c.Source.Masked[c.Column] != nil
}

// occurrence writes a table of which the policy withholds rows or values as a
// table of what is left, so that the joins around it stay as they are. It has the
// columns that the query reads, under their own names.
func (r *renderer) occurrence(s *plan.Source) {
	if s.Stored == nil || s.Stored.Table != s.Table {
		r.fail(malformed("an occurrence is limited without saying what is stored"))
		return
	}
	swaps := r.swaps
	r.swaps = nil
	alias := r.alias()
	r.aliases[s.Stored] = alias
	columns := r.columnsOf(s)
	r.put("(SELECT ")
	r.list(len(columns), ", ", func(i int) {
		c := columns[i]
		if mask := s.Masked[c]; mask != nil {
			r.policy(exact{mask})
		} else {
			r.put(alias, ".")
			r.identifier(c.Name)
		}
		r.put(" AS ")
		r.identifier(c.Name)
	})
	if len(columns) == 0 {
		r.put("1 AS ", rank)
	}
	r.put(" FROM ")
	r.table(s.Table)
	r.put(" AS ", alias)
	if s.Filter != nil {
		r.put(" WHERE ")
		r.policy(s.Filter)
	}
	r.put(")")
	delete(r.aliases, s.Stored)
	r.swaps = swaps
}

// table writes the name of a table with its schema.
func (r *renderer) table(t *schema.Table) {
	r.identifier(t.Schema)
	r.put(".")
	r.identifier(t.Name)
}

// columnsOf lists the columns of an occurrence that the plan reads, and the key
// that may be added to make an order total.
func (r *renderer) columnsOf(s *plan.Source) []*schema.Column {
	if r.used == nil {
		r.used = usedColumns(r.secured.Query())
	}
	out := slices.Clone(r.used[s])
	if !slices.ContainsFunc(s.Table.PrimaryKey, func(c *schema.Column) bool { return !r.secured.Permits(c) }) {
		for _, c := range s.Table.PrimaryKey {
			if !slices.Contains(out, c) {
				out = append(out, c)
				r.added = append(r.added, c)
			}
		}
	}
	slices.SortFunc(out, func(a, b *schema.Column) int { return a.Position - b.Position })
	return out
}

// usedColumns lists the columns that a query reads of every source, each once.
func usedColumns(q *plan.Query) map[*plan.Source][]*schema.Column {
	out := map[*plan.Source][]*schema.Column{}
	for _, b := range q.Blocks {
		// The policy has walked the query: it is of known types.
		_ = b.Walk(func(e plan.Expr) bool {
			if c, ok := e.(*plan.Column); ok && !slices.Contains(out[c.Source], c.Column) {
				out[c.Source] = append(out[c.Source], c.Column)
			}
			return true
		})
	}
	return out
}

// policy writes what the policy put on an occurrence: its constants are not shown,
// nor the names that the caller may not see.
func (r *renderer) policy(e plan.Expr) {
	r.byPolicy = true
	r.put(e)
	r.byPolicy = false
}

// columnName writes the name of a column.
func (r *renderer) columnName(c *schema.Column) {
	start := len(r.text)
	r.identifier(c.Name)
	if r.byPolicy && !r.secured.Names(c) {
		r.concealed.names = append(r.concealed.names, span{start, len(r.text)})
	}
}

// concealment is what of a statement is not shown: arguments by their index, and
// parts of the text, in their order.
type concealment struct {
	args  []int
	names []span
}

type span struct{ from, to int }

// maskHash writes the digest of a key and a text behind it.
func maskHash(before, between, after string) callWriter {
	return func(r *renderer, c *plan.Call) {
		r.put(before, c.Args[1], between, exact{c.Args[0]}, after)
	}
}

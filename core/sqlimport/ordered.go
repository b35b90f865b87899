package sqlimport

import (
	"slices"

	"querent.dev/querent/core/sqlimport/internal/tree"
)

// joinsTexts reports whether a select joins texts in the order in which it finds
// them.
func joinsTexts(items []tree.Item) bool {
	return tree.Find(conjunctionOf(items), func(e tree.Expr) bool {
		c, ok := e.(*tree.Call)
		return ok && planAggregates[c.Name] == "string_agg" && len(c.Order) == 0
	})
}

// ordered translates a derived table whose rows are read in its order.
func (t *translator) ordered(q *tree.Query, parent *scope) (*relation, error) {
	sel, ok := q.Body.(*tree.Select)
	if !ok || len(q.Order) == 0 || sel.Distinct || len(sel.Group)+len(sel.DistinctOn) > 0 || hasAggregate(conjunctionOf(sel.Items)) {
		return t.relation(q, parent, "")
	}
	wide, query := *sel, *q
	wide.Items = slices.Clone(sel.Items)
	for i, term := range q.Order {
		e := term.Expr
		if at, ok, _ := t.ordinal(e, len(sel.Items)); ok {
			e = sel.Items[at].Expr
		}
		if _, star := e.(*tree.Star); star {
			return t.relation(q, parent, "")
		}
		wide.Items = append(wide.Items, tree.Item{Expr: e, Alias: "order " + itoa(i+1)})
	}
	query.Body = &wide
	rel, err := t.relation(&query, parent, "")
	if err != nil {
		return nil, err
	}
	own := len(rel.columns) - len(q.Order)
	out := &relation{block: rel.block, columns: rel.columns[:own]}
	for i, term := range q.Order {
		c := rel.columns[own+i]
		out.order = append(out.order, order{c, t.direction(term, c.value)})
	}
	return out, nil
}

// order is a column by which the rows of a relation are ordered, and its direction.
type order struct {
	column    column
	direction string
}

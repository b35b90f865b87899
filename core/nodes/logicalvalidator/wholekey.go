package logicalvalidator

import (
	"slices"
	"strings"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
)

// place is a column of a source.
type place struct {
	source *plan.Source
	column *schema.Column
}

// link is a declared key between two sources of a block, with its pairs of columns.
type link struct{ pairs [][2]place }

// wholeKeys refuses a join along a part of a declared key: it pairs rows that do not
// belong together. A join that compares the other columns of the key too, in
// whatever way, says that it means what it does.
func wholeKeys(query *plan.Query, visible plan.Visibility) error {
	for _, b := range query.Blocks {
		conditions := conditionsOf(b)
		for i, s := range b.Sources {
			if err := wholeKey(s, b.Sources[:i], conditions, visible); err != nil {
				return err
			}
		}
	}
	return nil
}

func wholeKey(s *plan.Source, before []*plan.Source, conditions []plan.Expr, visible plan.Visibility) error {
	var partial *link
	for _, other := range before {
		for _, l := range links(s, other, visible) {
			missing := slices.IndexFunc(l.pairs, func(p [2]place) bool { return !compared(p, conditions) })
			if missing < 0 {
				return nil
			}
			if slices.ContainsFunc(l.pairs, func(p [2]place) bool { return equated(p, conditions) }) {
				partial = &l
			}
		}
	}
	if partial == nil {
		return nil
	}
	var there, missing []string
	for _, p := range partial.pairs {
		list := &missing
		if compared(p, conditions) {
			list = &there
		}
		*list = append(*list, p[0].text()+" = "+p[1].text())
	}
	return reason.New(reason.PlanInvalid, reason.ReasonPlanInvalid, "%s is joined along a part of its key", s.Alias).
		WithSafe("joins: %s is joined along a part of its key: %s is there, %s is missing. Add it, or leave the condition out to join along the whole key.",
			s.Alias, strings.Join(there, " and "), strings.Join(missing, " and ")).
		WithEvidence("field", "joins")
}

func (p place) text() string { return plan.Written(&plan.Column{Source: p.source, Column: p.column}) }

// conditionsOf lists what a block demands of its rows, joins and where alike.
func conditionsOf(b *plan.Block) []plan.Expr {
	out := conjuncts(b.Where)
	for _, s := range b.Sources {
		out = append(out, conjuncts(s.On)...)
	}
	return out
}

func conjuncts(cond plan.Expr) []plan.Expr {
	if cond == nil {
		return nil
	}
	if b, ok := cond.(*plan.Binary); ok && b.Op == plan.OpAnd {
		return append(conjuncts(b.L), conjuncts(b.R)...)
	}
	return []plan.Expr{cond}
}

// links lists the declared keys of several columns between two sources, in both
// directions. One with a column that the caller may not see is none.
func links(s, other *plan.Source, visible plan.Visibility) []link {
	var out []link
	for _, ends := range [][2]*plan.Source{{s, other}, {other, s}} {
		from, to := ends[0], ends[1]
		if from.Table == nil || to.Table == nil {
			continue
		}
		for _, k := range from.Table.ForeignKeys {
			if k.RefTable != to.Table {
				continue
			}
			var l link
			seen := true
			for i, c := range k.Columns {
				seen = seen && visible.Column(c) && visible.Column(k.RefColumns[i])
				l.pairs = append(l.pairs, [2]place{{from, c}, {to, k.RefColumns[i]}})
			}
			if seen {
				out = append(out, l)
			}
		}
	}
	return out
}

// equated reports whether a condition says that the two are equal.
func equated(p [2]place, conditions []plan.Expr) bool {
	return slices.ContainsFunc(conditions, func(e plan.Expr) bool {
		b, ok := e.(*plan.Binary)
		return ok && b.Op == plan.OpEq && (p[0].is(b.L) && p[1].is(b.R) || p[1].is(b.L) && p[0].is(b.R))
	})
}

func (p place) is(e plan.Expr) bool {
	c, ok := e.(*plan.Column)
	return ok && c.Source == p.source && c.Column == p.column
}

// compared reports whether the conditions say anything about how the two go
// together: they are equal, also by way of third columns, or both stand in one
// condition, or one of them has a fixed value.
func compared(p [2]place, conditions []plan.Expr) bool {
	equal := []place{p[0]}
	for i := 0; i < len(equal); i++ {
		for _, e := range conditions {
			b, ok := e.(*plan.Binary)
			if !ok || b.Op != plan.OpEq {
				continue
			}
			for _, sides := range [][2]plan.Expr{{b.L, b.R}, {b.R, b.L}} {
				c, isColumn := sides[1].(*plan.Column)
				if !equal[i].is(sides[0]) || !isColumn {
					continue
				}
				if next := (place{c.Source, c.Column}); !slices.Contains(equal, next) {
					equal = append(equal, next)
				}
			}
		}
	}
	return slices.Contains(equal, p[1]) || slices.ContainsFunc(conditions, func(e plan.Expr) bool {
		return reads(e, p[0]) && reads(e, p[1]) || fixes(e, p[0]) || fixes(e, p[1])
	})
}

func reads(e plan.Expr, p place) bool {
	found := false
	_ = plan.Walk(e, func(x plan.Expr) bool {
		found = found || p.is(x)
		return !found
	})
	return found
}

// fixes reports whether a condition gives a column one value.
func fixes(e plan.Expr, p place) bool {
	b, ok := e.(*plan.Binary)
	if !ok || b.Op != plan.OpEq {
		return false
	}
	_, left := b.L.(*plan.Literal)
	_, right := b.R.(*plan.Literal)
	return left && p.is(b.R) || right && p.is(b.L)
}

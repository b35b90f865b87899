package sqlgen

import "querent.dev/querent/core/plan"

var joinWords = map[plan.JoinKind]string{
	plan.JoinInner: "JOIN", plan.JoinLeft: "LEFT JOIN", plan.JoinRight: "RIGHT JOIN", plan.JoinFull: "FULL JOIN", plan.JoinCross: "CROSS JOIN",
}

// from writes the FROM clause with its joins. Semi and anti joins are conditions
// and stand in WHERE.
func (r *renderer) from(b *plan.Block) {
	filtered := false
	folded := r.folds[b]
	if folded != nil {
		r.put("\nFROM ")
		r.foldedTable(folded)
	}
	for i, s := range b.Sources {
		switch {
		case folded != nil && i <= folded.last:
		case i == 0 && s.Join == plan.JoinNone:
			r.put("\nFROM ")
			r.source(s)
		case i == 0:
			r.fail(malformed("the first source of a block is joined"))
		case s.Join == plan.JoinSemi || s.Join == plan.JoinAnti:
			filtered = true
		case filtered && (s.Join == plan.JoinRight || s.Join == plan.JoinFull):
			r.fail(joinAfterFilter())
		default:
			r.join(s)
		}
	}
}

// joinAfterFilter is the error of a join that would bring rows back.
func joinAfterFilter() error {
	return invalid("A right or full join cannot come after a semi or anti join. Put the semi or anti join last.")
}

func (r *renderer) join(s *plan.Source) {
	word, ok := joinWords[s.Join]
	if !ok || (s.On == nil) != (s.Join == plan.JoinCross) {
		r.fail(malformed("a join of the kind %q is unknown or lacks its condition", s.Join))
		return
	}
	r.put("\n", word, " ")
	r.source(s)
	if s.On != nil {
		r.put(" ON ", s.On)
	}
}

// source writes a table, qualified by its schema, or a block, under its alias.
func (r *renderer) source(s *plan.Source) {
	alias, ok := r.aliases[s]
	if !ok {
		r.fail(malformed("a source is read outside the block that it belongs to"))
		return
	}
	switch {
	case s.Table == nil:
		r.blockName(s.Block)
	case limited(s):
		r.occurrence(s)
	default:
		r.table(s.Table)
	}
	r.put(" AS ", alias)
}

// blockName writes the name of a block that stands in WITH.
func (r *renderer) blockName(b *plan.Block) {
	name, ok := r.names[b]
	if !ok {
		r.fail(malformed("a block is read before it is written"))
		return
	}
	r.write(name)
}

// where writes the conditions on rows, with the semi and anti joins among them.
func (r *renderer) where(b *plan.Block) {
	word := "\nWHERE "
	if b.Where != nil {
		r.put(word, b.Where)
		word = "\n  AND "
	}
	for _, s := range b.Sources {
		if s.Join == plan.JoinSemi || s.Join == plan.JoinAnti {
			r.put(word)
			r.exists(s, s.On, s.Join == plan.JoinAnti)
			word = "\n  AND "
		}
	}
	early, _ := r.dialect.ofGroups(b)
	for _, e := range early {
		r.put(word, e)
		word = "\n  AND "
	}
}

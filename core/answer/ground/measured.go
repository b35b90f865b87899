package ground

import (
	"math/big"
	"slices"
)

// measured is what a figure measures by what: one name by another, or by the row in a place.
type measured struct {
	a, b  *referent
	place int // of the row that stands for b, where it has no name
}

// measuredBy finds the two names of "A는 B의 약 두 배", "A는 1위의 4분의 1" and "A has a third
// of B's customers"; false where no such words measure one by the other.
func (s *sentence) measuredBy(f *figure) (measured, bool) {
	i := f.at - 1
	for i > 0 && (hedgesBefore[s.foldAt(i)] != exact || hasPrefix(s.foldAt(i), "약", "거의", "무려")) {
		i--
	}
	if i < 0 || !s.tokens[i].hangul {
		return s.measuredBehind(f)
	}
	if !hasSuffix(s.tokens[i].text, "의") {
		return measured{}, false
	}
	m := measured{place: s.placeAt(i)}
	for k := len(s.referents) - 1; k >= 0; k-- {
		switch r := &s.referents[k]; {
		case r.to > f.at:
		case m.place == 0 && m.b == nil && !s.onlyAmounts(r.to, i):
			return measured{}, false
		case m.place == 0 && m.b == nil:
			m.b = r
		default:
			m.a = r
			return m, true
		}
	}
	return measured{}, false
}

// measuredBehind finds them where the one stands before the figure, the other behind it.
func (s *sentence) measuredBehind(f *figure) (measured, bool) {
	if w := s.foldAt(f.to); w != "of" && w != "as" && w != "that" {
		return measured{}, false
	}
	var m measured
	from, to := s.span(f.at)
	if len(s.namesAround(from, f.at)) == 0 {
		from, _ = s.clauseSpan(f.at)
	}
	for k := range s.referents {
		switch r := &s.referents[k]; {
		case r.to <= f.at && r.at >= from:
			m.a = r
		case m.b == nil && r.at >= f.to && r.at < min(to, f.to+6+3*boolInt(s.hasFigureIn(f.to, r.at))):
			m.b = r
		}
	}
	return m, m.a != nil && m.b != nil
}

// hasFigureIn reports whether a figure stands in tokens from..to.
func (s *sentence) hasFigureIn(from, to int) bool {
	return slices.ContainsFunc(s.figures, func(g figure) bool { return g.at >= from && g.at < to })
}

// isPartOfTold reports whether a figure is a part of what is told of the name behind it: "two
// thirds of the 1.5 million of B".
func (s *sentence) isPartOfTold(f *figure) bool {
	m, ok := s.measuredBy(f)
	return ok && f.percent && m.b != nil && m.a != nil && m.b.at > f.at && s.hasFigureIn(f.to, m.b.at)
}

// placeAt is the place that a Korean word behind a number says at token i, 0 for none.
func (s *sentence) placeAt(i int) int {
	for k := range s.figures {
		if f := &s.figures[k]; f.ordinal && f.to == i && len(f.amounts) == 1 && f.amounts[0].value.IsInt() {
			return int(f.amounts[0].value.Num().Int64())
		}
	}
	return 0
}

// placesBase reports whether a place only says by what another figure measures, which holds:
// the first of "1위의 4분의 1".
func (s *sentence) placesBase(i int) bool {
	for k := i + 1; k < len(s.figures); k++ {
		g := &s.figures[k]
		if m, ok := s.measuredBy(g); ok && m.place > 0 && s.placeAt(s.figures[i].to) == m.place {
			return g.percent && s.isPartOfOther(g) || g.ratio && s.isRatio(g)
		}
	}
	return false
}

// onlyAmounts reports whether nothing stands in tokens from..to but figures and brackets:
// what a name has may be told between it and its ending.
func (s *sentence) onlyAmounts(from, to int) bool {
	if to-from <= 2 {
		return true
	}
	for i := from; i < to; i++ {
		if s.is(i, word) && !s.figureEndsAt(i) && !s.inBrackets(i) {
			return false
		}
	}
	return true
}

// quotient is how many times as much the one has in a column as the other; nil for none.
func (m measured) quotient(t *table, index int, c *column) *big.Rat {
	rows := []int{}
	switch {
	case m.b != nil:
		rows = m.b.rows[index]
	case t.whole && c.placed(m.place, 1) >= 0:
		rows = []int{c.placed(m.place, 1)}
	}
	a, b := c.valueOf(m.a.rows[index]), c.valueOf(rows)
	if a == nil || b == nil || b.Sign() == 0 {
		return nil
	}
	return new(big.Rat).Quo(a, b)
}

// isPartOfOther checks "A는 B의 3분의 1에도 못 미칩니다" and "A has half of B's customers".
func (s *sentence) isPartOfOther(f *figure) bool {
	m, ok := s.measuredBy(f)
	return ok && s.each(f, func(t *table, index int, c *column) bool {
		q := m.quotient(t, index, c)
		return q != nil && f.derivedShare(q.Mul(q, rat(100)))
	})
}

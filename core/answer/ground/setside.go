package ground

import (
	"math/big"
	"slices"
)

// perOne are the two names of "for every A there are two B": how many of the first there are
// to one of the second. ok is false where a figure stands in no such words.
func (s *sentence) perOne(f *figure) (of, to *referent, ok bool) {
	if f.percent || f.ordinal || len(f.amounts) == 0 {
		return nil, nil, false
	}
	for i := range s.referents {
		switch r := &s.referents[i]; {
		case r.to <= f.at && s.foldAt(r.at-2) == "for" && s.hasAny(r.at-1, r.at, "every", "each"), r.to <= f.at && s.foldAt(r.at-2) == "for" && s.foldAt(r.at-1) == "one":
			to = r
		case r.at >= f.to && r.at <= f.to+2 && of == nil:
			of = r
		}
	}
	return of, to, of != nil && to != nil
}

// isPerOne checks "for every A there are two B".
func (s *sentence) isPerOne(f *figure, of, to *referent) bool {
	return s.each(f, func(_ *table, index int, c *column) bool {
		a, b := c.valueOf(of.rows[index]), c.valueOf(to.rows[index])
		return a != nil && b != nil && b.Sign() > 0 && f.isFactor(new(big.Rat).Quo(a, b))
	})
}

// isSetSide checks the figures of two names that stand side by side behind the words that
// compare these: "A was used more often than B, 48 to 36 times", "A leads in orders: 48 versus
// 36", "for every A there are two B (36 to 18)". The first is that of what is compared, the
// second that of another name of the sentence, or of the one before it.
func (s *sentence) isSetSide(i int) bool {
	x, y := s.besides(i)
	return x != nil && s.areOfSides(x, y, x)
}

// swapsSides reports whether two figures side by side are those of the names in the other order,
// where their clause names only what is compared.
func (s *sentence) swapsSides(i int) bool {
	x, y := s.besides(i)
	return x != nil && len(s.groupIn(x)) == 1 && s.areOfSides(y, x, x) && !s.areOfSides(x, y, x)
}

// besides are the two figures that stand side by side, of which figure i is one; nil for none.
func (s *sentence) besides(i int) (x, y *figure) {
	if i+1 >= len(s.figures) || !s.standBeside(i) {
		i--
	}
	if i < 0 || i+1 >= len(s.figures) || !s.standBeside(i) {
		return nil, nil
	}
	return &s.figures[i], &s.figures[i+1]
}

// areOfSides reports whether a figure is that of what is compared before token first.at, and
// another that of one by which it is measured.
func (s *sentence) areOfSides(x, y, first *figure) bool {
	own, others := s.comparedBefore(first)
	if own == nil {
		return false
	}
	return s.each(first, func(_ *table, index int, c *column) bool {
		if !c.measure() || len(own.single()[index]) != 1 || !c.cells[own.single()[index][0]].equal(x, nil) {
			return false
		}
		return slices.ContainsFunc(others, func(o *referent) bool {
			rows := o.single()[index]
			return len(rows) == 1 && rows[0] != own.single()[index][0] && c.cells[rows[0]].equal(y, nil)
		})
	})
}

// standBeside reports whether nothing but a word that compares stands between a figure and the
// next one, and no name behind that claims it.
func (s *sentence) standBeside(i int) bool {
	x, y := &s.figures[i], &s.figures[i+1]
	if y.at-x.to > 3 || x.percent != y.percent || !s.maySayCell(x) || !s.maySayCell(y) || s.foldAt(x.at-1) == "from" || s.foldAt(x.at-1) == "between" {
		return false
	}
	for k := x.to; k < y.at; k++ {
		if s.isNameToken(k) {
			return false
		}
	}
	return s.hasAny(x.to, y.at, "to", "against", "versus", "vs", "compared")
}

// comparedBefore are the name whose figure stands first of two side by side, and those that may have
// the second.
func (s *sentence) comparedBefore(x *figure) (own *referent, others []*referent) {
	for k := range s.figures {
		if of, to, ok := s.perOne(&s.figures[k]); ok && of.to <= x.at {
			return of, []*referent{to}
		}
	}
	first, _ := s.clauseSpan(x.at)
	for i := range s.referents {
		r := &s.referents[i]
		if r.to <= x.at && r.at >= first && !s.isComparand(r) && !s.isMeasuredAgainst(r) && !s.hasAny(r.at-2, r.at, "as") {
			own = r
		}
	}
	for i := range s.referents {
		if r := &s.referents[i]; r != own && r.to <= x.at {
			others = append(others, r)
		}
	}
	if len(others) == 0 {
		others = s.namesBefore()
	}
	return own, others
}

// isMeasuredAgainst reports whether a verb that compares stands right before a name: "A
// outnumbers B", "A beats B".
func (s *sentence) isMeasuredAgainst(r *referent) bool {
	for i := r.at - 1; i >= max(0, r.at-3); i-- {
		if w := s.foldAt(i); gapVerbs[w] {
			return true
		}
	}
	return false
}

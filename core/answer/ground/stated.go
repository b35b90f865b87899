package ground

import (
	"math/big"
	"slices"
)

// statedBy are the columns of which the sentence says that it speaks of them: in brackets,
// "(by number of payments)", or at its beginning, "In terms of revenue, A has 40". It is nil
// where it says nothing, or where the noun of the figure itself names a column.
func (s *sentence) statedBy(f *figure) map[int]bool {
	if s.namedBy(koreanStem(s.foldAt(f.to)), nil) != nil {
		return nil
	}
	for i := range s.tokens {
		at := i + 1
		switch {
		case s.foldAt(i) == "(" && s.foldAt(at) == "by" && !(i < f.at && s.inBrackets(f.at)):
			at++
		case i == 0 && s.clause[0] == s.clause[f.at] && s.foldAt(0) == "in" && s.foldAt(1) == "terms" && s.foldAt(2) == "of":
			at = 3
		default:
			continue
		}
		return s.phraseNames(at)
	}
	return nil
}

// phraseNames are the columns that the nouns of tokens from at on name together, up to a mark or a conjunction.
func (s *sentence) phraseNames(at int) map[int]bool {
	var named map[int]bool
	for i := at; i < len(s.tokens) && s.is(i, word) && !s.isNameToken(i) && !hardBreaks[s.foldAt(i)] && !softBreaks[s.foldAt(i)]; i++ {
		here := s.namedBy(koreanStem(s.foldAt(i)), nil)
		switch {
		case here == nil:
		case named == nil:
			named = here
		default:
			named = s.alsoNamed(named, i)
		}
	}
	return named
}

// endOfMove is the column of a figure that is an end of a change which like columns of two
// times tell: the earlier one behind "from", the later one behind "to".
func (s *sentence) endOfMove(f *figure) map[int]bool {
	first, last := s.clauseSpan(f.at)
	from, to := s.hasAny(f.at-1, f.at, "from"), s.hasAny(f.at-1, f.at, "to")
	if !from && !to || f.percent || f.ratio || !s.anyCue(first, last, riseWords) && !s.anyCue(first, last, fallWords) {
		return nil
	}
	if _, end := s.span(f.at); s.yearAhead(f, nil) != nil || s.nearest(f.to, min(end, f.to+5), 1, nil) != nil {
		return nil
	}
	for index, t := range s.checker.tables {
		for col := range t.columns {
			group := t.siblings(col)
			if len(group) != 2 || t.columns[group[0]].year == t.columns[group[1]].year {
				continue
			}
			if (t.columns[group[0]].year < t.columns[group[1]].year) == from {
				return map[int]bool{index*columnStride + group[0]: true}
			}
			return map[int]bool{index*columnStride + group[1]: true}
		}
	}
	return nil
}

// isSumInBrackets checks what several names have together whose figures stand in brackets behind
// them: "Parcels that were too heavy (21) or too light (16) came back 37 times".
func (s *sentence) isSumInBrackets(i int) bool {
	f := &s.figures[i]
	first, _ := s.clauseSpan(f.at)
	if f.percent || f.ordinal || f.ratio || s.isGap(f) || s.inBrackets(f.at) {
		return false
	}
	sum, n := new(big.Rat), 0
	for k := i - 1; k >= 0 && s.figures[k].at >= first; k-- {
		g := &s.figures[k]
		if !s.inBrackets(g.at) || !s.proved[k] || g.percent || g.hedge != exact || len(g.amounts) != 1 {
			return false
		}
		sum.Add(sum, g.amounts[0].value)
		n++
	}
	names := s.namesAround(first, f.at)
	if n < 2 || len(names) != n {
		return false
	}
	for k := 1; k < n; k++ {
		if !s.areJoined(names[k-1].to, names[k].at) {
			return false
		}
	}
	return f.derived(sum)
}

// areJoined reports whether nothing but brackets and a conjunction stands between two names.
func (s *sentence) areJoined(from, to int) bool {
	for i := from; i < to; i++ {
		if !s.inBrackets(i) && s.foldAt(i) != "\"" && s.foldAt(i) != "plus" && !s.coordinated(i, i+1) {
			return false
		}
	}
	return true
}

// isListedShare checks the parts of a list of all rows that say no more: "Web 72%, phone 28%".
func (s *sentence) isListedShare(f *figure, r *referent) bool {
	if r == nil || !f.percent || f.hedge != exact || s.isChange(f) {
		return false
	}
	var parts []*figure
	for i := range s.figures {
		if s.figures[i].percent {
			parts = append(parts, &s.figures[i])
		}
	}
	return s.each(f, func(t *table, index int, c *column) bool {
		if !t.whole || len(parts) != t.rows || len(s.referents) != t.rows || t.rows < 2 || !c.adds() || c.change || t.hasShares() {
			return false
		}
		return !slices.ContainsFunc(parts, func(g *figure) bool {
			of, _ := s.referentOf(g)
			return of == nil || len(of.rows[index]) != 1 || !g.derivedShare(percent(c.sum(of.rows[index]), c.sum(t.all())))
		})
	})
}

// isOffBase checks how far the row of a figure is from what it is measured by, where the result
// has that and the difference: "5% less than its list price", "sells at 779.00" of a list price
// and a price difference.
func (s *sentence) isOffBase(f *figure, r *referent) bool {
	if f.ratio || f.ordinal || f.points {
		return false
	}
	for index, t := range s.checker.tables {
		row := s.rowOf(t, index, r)
		if row < 0 {
			continue
		}
		base, gap := t.baseAndGap()
		if base == nil {
			continue
		}
		b, d := base.cells[row].exactly(), gap.cells[row].exactly()
		if b == nil || d == nil || b.Sign() <= 0 {
			continue
		}
		if f.percent && s.saysSide(f, d.Sign()) && f.derivedShare(percent(new(big.Rat).Abs(d), b)) || !f.percent && s.hasAny(f.at-2, f.at, "for", "at", "costs", "is") && f.derived(new(big.Rat).Add(b, d)) {
			return true
		}
	}
	return false
}

// baseAndGap are the only two measures of a table where one is a difference and the other what
// it is a difference from; nil elsewhere.
func (t *table) baseAndGap() (base, gap *column) {
	for i := range t.columns {
		switch c := &t.columns[i]; {
		case !c.measure():
		case c.change && gap == nil && !c.share:
			gap = c
		case !c.change && base == nil && c.amount:
			base = c
		default:
			return nil, nil
		}
	}
	if base == nil || gap == nil || slices.ContainsFunc(t.columns, func(c column) bool { return c.temporal }) || !sharesWord(base.words, gap.words) {
		return nil, nil
	}
	return base, gap
}

// saysSide reports whether the clause of a figure, or the sentence before, says on which side a
// difference is, and that it is on this side.
func (s *sentence) saysSide(f *figure, sign int) bool {
	from, to := s.clauseSpan(f.at)
	up, down := s.directions(f, from, to)
	down = down || s.hasAny(from, to, "discount", "off", "cheaper")
	if up == down && s.before != nil && s.hasAny(0, len(s.tokens), "it", "that", "this") {
		return s.before.saysSide(&figure{at: 0, to: 1}, sign)
	}
	return up != down && (sign > 0) == up
}

package ground

import (
	"math/big"
	"slices"
)

// isPercentage checks a percentage: a cell of a column of shares, the share of the
// named rows in all, or of one in another.
func (s *sentence) isPercentage(f *figure, r *referent, group []*referent) bool {
	if r == nil && s.sharesAll(f) || s.isPartOfOther(f) {
		return true
	}
	rows := make([][]int, len(s.checker.tables))
	switch {
	case len(group) >= 2:
		for i := range rows {
			for _, g := range group {
				rows[i] = union(rows[i], g.rows[i])
			}
		}
	case r != nil:
		rows = r.rows
	default:
		for i, t := range s.checker.tables {
			if t.rows == 1 && t.count == 1 && !s.strangerBefore(f) {
				rows[i] = []int{0}
			}
		}
	}
	if len(group) >= 2 && f.hedge != exact && s.each(f, func(t *table, index int, c *column) bool {
		return c.share && len(rows[index]) >= 2 && f.boundsNear(c, rows[index])
	}) {
		return true
	}
	if len(group) >= 2 && s.saysEach(f) && !slices.ContainsFunc(group, func(g *referent) bool { return !s.isShareOf(f, g.rows) }) {
		return true
	}
	if names := s.groupIn(f); len(group) < 2 && len(names) >= 2 {
		if from, to := s.clauseSpan(f.at); s.anyCue(from, to, totalWords, totalKorean...) {
			together := make([][]int, len(rows))
			for i := range rows {
				for _, g := range names {
					together[i] = union(together[i], g.rows[i])
				}
			}
			if s.isShareOf(f, together) {
				return true
			}
		}
	}
	return s.isShareCell(f, rows) || r != nil && (s.isShareOf(f, rows) || s.isShareBound(f, rows)) || s.isGap(f) && s.isDifference(f, r)
}

// isShareCell is a cell that is a percentage, or a fraction, told in percent.
func (s *sentence) isShareCell(f *figure, rows [][]int) bool {
	hundred := rat(100)
	named := s.columnsFor(f, rows)
	asked := shareName.MatchString(s.checker.asked.text)
	for i, t := range s.checker.tables {
		if len(rows[i]) == 0 || len(rows[i]) > 1 && t.dimensions() > 1 {
			continue
		}
		for col := range t.columns {
			c := &t.columns[col]
			if !c.measure() || !c.share && (!asked || t.hasShares()) || !named(i, col) && (!c.share || t.namesShare(i, named)) {
				continue
			}
			equal := func(f *figure, v cell) bool {
				fraction := v.number != nil && new(big.Rat).Abs(v.number).Cmp(rat(1)) <= 0
				return v.equal(f, nil) || fraction && f.derivedShare(new(big.Rat).Mul(v.exactly(), hundred))
			}
			for _, row := range rows[i] {
				if s.saysCell(f, c, c.cells[row], equal) {
					return true
				}
			}
		}
	}
	return false
}

// namesShare reports whether one of the columns that are named has parts of a whole.
func (t *table) namesShare(index int, named func(table, col int) bool) bool {
	for col := range t.columns {
		if c := &t.columns[col]; c.share && c.measure() && named(index, col) {
			return true
		}
	}
	return false
}

func (t *table) hasShares() bool {
	return slices.ContainsFunc(t.columns, func(c column) bool { return c.share && c.measure() })
}

// says reports whether the figure stands for a cell of a column, as a percentage where
// it is one.
func (f *figure) says(c *column, v cell) bool {
	if !f.percent || v.number == nil {
		return v.equal(f, nil)
	}
	fraction := new(big.Rat).Abs(v.number).Cmp(rat(1)) <= 0
	return c.share && (v.equal(f, nil) || fraction && f.derivedShare(new(big.Rat).Mul(v.exactly(), rat(100))))
}

// derivedShare reports whether the figure is a percentage, rounded to the places that
// are written.
func (f *figure) derivedShare(n *big.Rat) bool {
	return n != nil && (f.stands(n, nil) || f.allows(n) && slices.ContainsFunc(f.amounts, func(a amount) bool { return a.rounds(n) }))
}

// isShareOf is the part of the rows in the total of a column.
func (s *sentence) isShareOf(f *figure, rows [][]int) bool {
	from, to := s.clauseSpan(f.at)
	bare := len(s.figures) == 1 && !s.isChange(f) && !slices.ContainsFunc(s.checker.tables, func(t *table) bool { return t.hasShares() })
	if !bare && !f.amounts[0].rough && !s.inBrackets(f.at) && !s.anyCue(from, to, shareWords, shareKorean...) && !hasSuffix(s.foldAt(f.at-1), "의", "중", "률", "율", "률은", "율은") {
		return false
	}
	return s.each(f, func(t *table, index int, c *column) bool {
		if !t.whole || t.rows < 2 || len(rows[index]) == 0 || c.share || c.average {
			return false
		}
		return f.derivedShare(percent(c.sum(rows[index]), c.sum(t.all())))
	})
}

// isShareBound checks "more than half of all tickets are resolved": on its side of the part
// that rows have in the total of each column of which the words may speak.
func (s *sentence) isShareBound(f *figure, rows [][]int) bool {
	if !f.isBound() || s.isChange(f) {
		return false
	}
	some, every := false, true
	s.each(f, func(t *table, index int, c *column) bool {
		if !t.whole || t.rows < 2 || len(rows[index]) == 0 || !c.measure() || !c.adds() || c.change || t.hasShares() {
			return false
		}
		part := percent(c.sum(rows[index]), c.sum(t.all()))
		some, every = some || part != nil, every && part != nil && f.bounds(part)
		return false
	})
	return some && every
}

// sharesAll is the part of the top rows in the total, or 100 % of all.
func (s *sentence) sharesAll(f *figure) bool {
	return s.each(f, func(t *table, _ int, c *column) bool {
		if !t.whole || t.rows < 2 || c.share || c.average || c.key {
			return false
		}
		top := s.topRows(f, t, c)
		if s.saysEach(f) {
			return !slices.ContainsFunc(top, func(row int) bool { return !f.derivedShare(percent(c.sum([]int{row}), c.sum(t.all()))) })
		}
		if len(top) == t.rows {
			direction, _ := s.ordering(0, f.at)
			best := c.extreme(top, direction)
			if direction == 0 || best < 0 {
				return false
			}
			top = []int{best}
		}
		return f.derivedShare(percent(c.sum(top), c.sum(t.all())))
	})
}

// percent is a of b in percent; nil when that has no meaning.
func percent(a, b *big.Rat) *big.Rat {
	if a == nil || b == nil || b.Sign() == 0 {
		return nil
	}
	out := new(big.Rat).Quo(a, b)
	return out.Mul(out, rat(100))
}

// isChange tells growth from a share: "grew by 20%", "20% more than".
func (s *sentence) isChange(f *figure) bool {
	from, to := s.span(f.at)
	if pace, _ := s.paceOf(s.clauseSpan(f.at)); pace != 0 || s.isGap(f) || s.foldAt(f.at-1) == "+" || f.minus {
		return true
	}
	if s.foldAt(f.to) == "of" && s.fallsWithin(f.to, to) {
		return false
	}
	return s.anyCue(from, to, riseWords, riseKorean...) || s.anyCue(from, to, fallWords, fallKorean...)
}

// fallsWithin reports whether what a part is of "fell in May": it was then, and was no less.
func (s *sentence) fallsWithin(from, to int) bool {
	for i := from; i < to; i++ {
		if w := s.foldAt(i); w == "fell" || w == "fall" || w == "falls" {
			return s.hasAny(i+1, i+2, "in", "under", "between")
		}
	}
	return false
}

// isGrowth checks growth: of one named row over another, or over the row before it.
func (s *sentence) isGrowth(f *figure, r *referent) bool {
	if r != nil && s.isShareCell(f, r.rows) && s.changes() {
		return true
	}
	pairs := s.pairs(f, r)
	from, to := s.clauseSpan(f.at)
	return s.each(f, func(t *table, index int, c *column) bool {
		for _, p := range s.operands(f, r, t, index, c, pairs[index]) {
			a, b := p[0], p[1]
			if b.Sign() == 0 {
				continue
			}
			gap := percent(new(big.Rat).Sub(a, b), new(big.Rat).Abs(b))
			if f.points && c.share {
				gap = new(big.Rat).Sub(a, b)
				if new(big.Rat).Abs(a).Cmp(rat(1)) <= 0 {
					gap.Mul(gap, rat(100))
				}
			}
			if s.isGrowthOf(f, gap, from, to) {
				return true
			}
		}
		return false
	})
}

// changes reports whether a column speaks of growth in percent.
func (s *sentence) changes() bool {
	return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(c column) bool { return c.change })
	})
}

func (s *sentence) isGrowthOf(f *figure, gap *big.Rat, from, to int) bool {
	up, down := s.directions(f, from, to)
	if pace, _ := s.paceOf(from, to); pace != 0 {
		return f.derivedShare(gap)
	}
	switch {
	case up && !down && gap.Sign() < 0, down && !up && gap.Sign() > 0, f.plus && gap.Sign() < 0:
		return false
	case f.minus:
		return f.derivedShare(gap)
	}
	return f.derivedShare(gap) || (down || !up) && f.derivedShare(new(big.Rat).Abs(gap))
}

// isRatio checks how many times as much one named row has than another.
func (s *sentence) isRatio(f *figure) bool {
	if f.spoken && s.hasAny(f.at-3, f.at, "appears", "appear", "listed", "occurs") && !s.checker.partial() {
		return slices.ContainsFunc(s.refs, func(r ref) bool { return s.countsIn(r, f.amounts[0].value.Num().Int64()) })
	}
	r, _ := s.referentOf(f)
	pairs := s.pairs(f, r)
	m, measured := s.measuredBy(f)
	return s.each(f, func(t *table, index int, c *column) bool {
		if measured {
			q := m.quotient(t, index, c)
			return q != nil && f.isFactor(q)
		}
		for _, p := range s.operands(f, r, t, index, c, pairs[index]) {
			a, b := p[0], p[1]
			if b.Sign() == 0 {
				continue
			}
			if f.isFactor(new(big.Rat).Quo(a, b)) {
				return true
			}
		}
		return false
	})
}

// isFactor reports whether the figure is a factor, rounded to the places that are
// written. A whole number without a hedge is one that is nearly that.
func (f *figure) isFactor(n *big.Rat) bool {
	if f.stands(n, nil) {
		return true
	}
	return slices.ContainsFunc(f.amounts, func(a amount) bool {
		if a.place.Cmp(rat(1)) < 0 {
			return a.rounds(n)
		}
		off := new(big.Rat).Sub(n, a.value)
		switch {
		case (f.hedge == over || f.hedge == atLeast) && off.Sign() > 0, (f.hedge == under || f.hedge == atMost) && off.Sign() < 0:
			return !f.near || f.isNear(n)
		}
		limit := big.NewRat(1, 25)
		if f.hedge == about {
			limit = big.NewRat(1, 8)
		}
		return off.Abs(off).Cmp(limit.Mul(limit, n)) <= 0
	})
}

// isRanked checks the place of the named row in a column, over all rows.
func (s *sentence) isRanked(f *figure, r *referent) bool {
	if len(f.amounts) == 0 || !f.amounts[0].value.IsInt() {
		return false
	}
	if s.foldAt(f.to) == "only" && s.foldAt(f.to+1) == "to" {
		return s.isSecondTo(f)
	}
	place := int(f.amounts[0].value.Num().Int64())
	if r == nil {
		if r = s.placedInTurn(f); r == nil && len(s.referents) == 1 && s.referents[0].at > f.to && s.hasAny(0, f.at, "although", "though", "while") && s.hasAny(0, f.at, "it") {
			r = &s.referents[0] // "although it is only third, A"
		}
		if r == nil {
			return s.namesPlaces(f) || s.isRunOfPlaces(f)
		}
	}
	for i, t := range s.checker.tables {
		if len(r.rows[i]) == 0 {
			continue
		}
		for col := range t.columns {
			c := &t.columns[col]
			if c.place && slices.ContainsFunc(r.rows[i], func(row int) bool { return c.cells[row].equal(f, nil) }) {
				return true
			}
		}
		if s.listsOnly() && (t.whole || s.ordersMoments(t)) && slices.Equal(r.own()[i], []int{place - 1}) {
			return true // the order in which the rows stand
		}
	}
	if age := s.ageNear(f); age != 0 && s.checker.hasMoments() {
		return s.ranksInTime(r, place, age)
	}
	from, to := s.span(f.at)
	direction, _ := s.ordering(from, to)
	for direction == 0 && from > 0 && len(s.namesAround(from, to)) == 0 && s.clause[from-1] == s.clause[f.at] {
		from, to = s.span(from - 1)
		direction, _ = s.ordering(from, to)
	}
	if next := ordersUp[s.foldAt(f.to)]; next != 0 {
		direction = next
	} else if s.foldAt(f.to) == "-" && ordersUp[s.foldAt(f.to+1)] != 0 {
		direction = ordersUp[s.foldAt(f.to+1)]
	} else if next := s.countedFrom(f); next != 0 {
		direction = next
	}
	if direction == 0 {
		direction = 1
	}
	return direction > 0 && s.ranksByBrackets(f, r, place) || s.ranksWorkedOut(f, r, place, direction) || s.each(f, func(t *table, index int, c *column) bool {
		return s.checker.knowsPlaces(t, c, direction) && slices.ContainsFunc(r.rows[index], func(row int) bool {
			return !s.ranksElsewhere(f, t, c, row) && c.ranks(row, place, direction) && !(s.isSole() && c.ranks(row, place+1, direction))
		})
	})
}

// isSecondTo checks "A is second only to B": in the order of one column B comes first, and A
// next, over all rows.
func (s *sentence) isSecondTo(f *figure) bool {
	from, to := s.clauseSpan(f.at)
	names := s.namesOf(from, to)
	at := slices.IndexFunc(names, func(r *referent) bool { return r.at >= f.to })
	if at < 1 || f.amounts[0].value.Cmp(rat(2)) != 0 || s.denied(f.at) {
		return false
	}
	first, second := names[at], names[at-1]
	direction, _ := s.ordering(f.to, to)
	if direction == 0 {
		direction = 1
	}
	return s.each(f, func(t *table, index int, c *column) bool {
		return c.measure() && s.checker.knowsPlaces(t, c, direction) &&
			slices.ContainsFunc(first.rows[index], func(row int) bool { return c.ranks(row, 1, direction) }) &&
			slices.ContainsFunc(second.rows[index], func(row int) bool { return c.ranks(row, 2, direction) })
	})
}

// countedFrom is the end from which a Korean place is counted, as the word behind it says:
// 1 for "두 번째로 많은", -1 for "두 번째로 고객이 적은", 0 where none does.
func (s *sentence) countedFrom(f *figure) int {
	for i := f.to; i < min(f.to+4, len(s.tokens)); i++ {
		switch w := s.foldAt(i); {
		case !s.tokens[i].hangul || s.isNameToken(i) || s.figureAtToken(i):
			return 0
		case hasPrefix(w, downKorean...):
			return -1
		case hasPrefix(w, upKorean...):
			return 1
		}
	}
	return 0
}

// isRunOfPlaces reports whether a place is an end of a run of them, without a name: "1위~10위",
// "2~5위".
func (s *sentence) isRunOfPlaces(f *figure) bool {
	for i := 0; i+1 < len(s.figures); i++ {
		a, b := &s.figures[i], &s.figures[i+1]
		if (f == a || f == b) && a.ordinal && b.ordinal && s.joins(a, b) && len(s.referents) == 0 {
			return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
				return b.amounts[0].value.Cmp(a.amounts[0].value) > 0 && b.amounts[0].value.Cmp(rat(t.count)) <= 0
			})
		}
	}
	return false
}

// isSole reports whether a place is said to be of one alone.
func (s *sentence) isSole() bool {
	return s.hasAny(0, len(s.tokens), "sole", "outright", "alone", "undisputed") || s.anyCue(0, len(s.tokens), nil, "단독")
}

// ranks reports whether a row has a place in a column: ties share their places.
func (c *column) ranks(row, place, up int) bool {
	if c.cells[row].number == nil {
		return false
	}
	better, same := 0, 0
	for i := range c.cells {
		switch n := c.cells[i].number; {
		case n == nil:
		case n.Cmp(c.cells[row].number) == up:
			better++
		case n.Cmp(c.cells[row].number) == 0:
			same++
		}
	}
	return better < place && place <= better+same
}

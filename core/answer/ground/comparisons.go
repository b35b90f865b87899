package ground

import (
	"slices"
)

// checkComparisons checks "A has more than B", "A is ahead of B", "A is followed by B".
func (s *sentence) checkComparisons() {
	for i := 0; i+1 < len(s.referents); i++ {
		a, b := s.subjectOver(i), &s.referents[i+1]
		if s.clause[a.at] != s.clause[b.at] {
			continue
		}
		if i+2 < len(s.referents) && s.inOwnTime(b, &s.referents[i+2]) {
			b = &s.referents[i+2]
		}
		direction, at := s.comparison(a, b)
		if direction == 0 || s.tokens[at].fold == "followed" && a.isDate() && b.isDate() {
			continue
		}
		if s.tokens[at].fold == "followed" {
			if ok, known := s.followsOther(a, b, at); known {
				if !ok {
					s.violate(at, at+1, "the rows say the contrary")
				}
				continue
			}
		}
		from, to := s.clauseSpan(at)
		falls := s.anyCue(from, to, fallWords, fallKorean...)
		f := &figure{at: at, to: at + 1}
		if group := s.groupOf(a); len(group) > 1 && !slices.ContainsFunc(group, func(r *referent) bool { return r.at == b.at }) && s.anyCue(from, at, totalWords) {
			if ok, known := s.isMoreTogether(f, group, b, direction); known && ok == s.denied(at) {
				s.violate(at, at+1, "the rows say the contrary")
			}
			continue
		}
		if ok, known := s.isMoreThanGroup(f, a, b, direction); known {
			if ok == s.denied(at) {
				s.violate(at, at+1, "the rows say the contrary")
			}
			continue
		}
		if s.alsoOtherwise(a, b, at, direction) {
			s.violate(at, at+1, "the rows say the contrary of one measure")
			continue
		}
		if ok, known := s.comparesTwo(a, b, at, direction); known {
			if ok == s.denied(at) {
				s.violate(at, at+1, "the rows say the contrary")
			}
			continue
		}
		if ok, known := s.comparesByGap(a, b, at, direction); known {
			if ok == s.denied(at) {
				s.violate(at, at+1, "the rows say the contrary")
			}
			continue
		}
		if slices.EqualFunc(a.rows, b.rows, slices.Equal[[]int]) {
			if s.excepts() && !s.othersCompare(f, b, direction) {
				s.violate(at, at+1, "the rows say the contrary")
			}
			continue
		}
		any := false
		own, told, moves := s.comparedIn(at), s.measuresOfBoth(a, b), s.comparesMoves(a.to, b.at)
		ok := s.each(f, func(t *table, index int, c *column) bool {
			if own != nil && !own(c) || told != nil && !told(index, c) || moves && !c.change {
				return false
			}
			if pairs := s.crossedPairs(t, index, a, b); c.measure() && len(pairs) > 0 {
				any = true
				return !slices.ContainsFunc(pairs, func(p [2]int) bool { return !s.compares(t, c, p[0], p[1], direction, at) })
			}
			for _, x := range a.rows[index] {
				for _, y := range b.rows[index] {
					if m, n := c.cells[x].number, c.cells[y].number; m != nil && n != nil {
						any = true
						if s.compares(t, c, x, y, direction*(1-2*boolInt(c.change && falls)), at) {
							return true
						}
					}
				}
			}
			return false
		})
		if any && ok == s.denied(at) {
			s.violate(at, at+1, "the rows say the contrary")
		}
	}
}

// followsOther checks what follows the least, "the cheapest is A, followed by B", or the first or the
// last in time, "the newest is A, followed by B": it comes next in that order. It is unknown where no
// such superlative stands before.
func (s *sentence) followsOther(a, b *referent, at int) (ok, known bool) {
	from, _ := s.clauseSpan(at)
	age := 0
	for i := from; i < at && age == 0; i++ {
		age = s.ageAt(i)
	}
	if age == 0 && s.checker.hasMoments() && s.hasAny(from, from+1, "newest", "latest", "oldest", "earliest", "first") {
		age = 1 - 2*boolInt(s.hasAny(from, from+1, "oldest", "earliest", "first"))
	}
	least, _ := s.ordering(from, at)
	if age == 0 && least >= 0 {
		return false, false
	}
	next := func(t *table, index int, c *column) bool {
		if len(a.own()[index]) != 1 || len(b.own()[index]) != 1 {
			return false
		}
		x, y, way := a.own()[index][0], b.own()[index][0], least
		if age != 0 {
			way = age
		}
		order, given := c.compare(x, y)
		known = known || given
		return given && order != -way && !slices.ContainsFunc(t.all(), func(row int) bool {
			p, one := c.compare(x, row)
			q, two := c.compare(row, y)
			return one && two && p == way && q == way
		})
	}
	if age != 0 {
		return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
			index := slices.Index(s.checker.tables, t)
			return slices.ContainsFunc(t.columns, func(c column) bool { return c.temporal && s.mayMean(&c, t) && next(t, index, &c) })
		}), known
	}
	ok = s.each(&figure{at: at, to: at + 1}, func(t *table, index int, c *column) bool { return c.measure() && !c.key && next(t, index, c) })
	return ok, known
}

// isMoreThanGroup checks "A has more than B and C combined", in the measure of a figure that stands
// with A, else in one of which the words may speak; it is unknown where nothing is put together.
func (s *sentence) isMoreThanGroup(f *figure, a, b *referent, direction int) (ok, known bool) {
	group := s.groupOf(b)
	_, to := s.clauseSpan(b.at)
	if len(group) < 2 || slices.ContainsFunc(group, func(r *referent) bool { return r.at == a.at }) || !s.hasAny(b.to, to, "combined", "together") {
		return false, false
	}
	told := s.measuresTold(f.at, a)
	ok = s.each(f, func(t *table, index int, c *column) bool {
		if told != nil && !told[index*columnStride+t.indexOf(c)] || !c.adds() || !c.measure() {
			return false
		}
		x, y := c.sum(a.rows[index]), c.sum(joinedRows(group, index))
		known = known || x != nil && y != nil
		return x != nil && y != nil && x.Cmp(y) == direction
	})
	return ok, known
}

// alsoOtherwise reports whether a Korean comparison of several measures, each with 도, is wrong in one
// of them: "A는 방문자도 매출도 B보다 많습니다".
func (s *sentence) alsoOtherwise(a, b *referent, at, direction int) bool {
	from, to := s.clauseSpan(at)
	var each []map[int]bool
	for i := from; i < to; i++ {
		if t := s.tokens[i]; t.hangul && hasSuffix(t.text, "도") && !s.isNameToken(i) {
			if named := s.namedBy(koreanStem(t.text), nil); named != nil {
				each = append(each, named)
			}
		}
	}
	if len(each) < 2 || s.denied(at) {
		return false
	}
	return slices.ContainsFunc(each, func(named map[int]bool) bool {
		for id := range named {
			c, index := s.columnOf(id), id/columnStride
			if len(a.rows[index]) != 1 || len(b.rows[index]) != 1 {
				return false
			}
			if order, given := c.compare(a.rows[index][0], b.rows[index][0]); !given || order == direction {
				return false
			}
		}
		return true
	})
}

// measuresOfBoth tells the measures of which figures right behind two names are their cells: "A
// (5), followed by B (3)"; nil where there are none.
func (s *sentence) measuresOfBoth(a, b *referent) func(index int, c *column) bool {
	x, y := s.figureBehind(a), s.figureBehind(b)
	if x == nil || y == nil {
		return nil
	}
	of, also := s.measuresOf(x, a), s.measuresOf(y, b)
	both := func(index int, c *column) bool {
		col := s.checker.tables[index].indexOf(c)
		return of[index*columnStride+col] && also[index*columnStride+col]
	}
	if !s.anyMeasure(func(index, col int) bool { return both(index, &s.checker.tables[index].columns[col]) }) {
		return nil
	}
	return both
}

// indexOf is the place of a column in its table.
func (t *table) indexOf(c *column) int {
	return slices.IndexFunc(t.columns, func(o column) bool { return o.name == c.name })
}

// figureBehind is the figure in brackets, or alone, right behind a name; nil for none.
func (s *sentence) figureBehind(r *referent) *figure {
	for i := range s.figures {
		if f := &s.figures[i]; f.at >= r.to && f.at-r.to <= 1+boolInt(s.foldAt(r.to) != "(") && len(f.amounts) > 0 && !f.ordinal && !f.percent {
			if s.foldAt(r.to) == "(" || s.hasAny(r.to, f.at, "at", "with") {
				return f
			}
		}
	}
	return nil
}

// comparesMoves reports whether the words between two names say that one moved more than the other,
// where a column holds how much: "grew by more than".
func (s *sentence) comparesMoves(from, to int) bool {
	return (s.anyCue(from, to, riseWords) || s.anyCue(from, to, fallWords)) && s.hasAny(from, to, "than") && slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(c column) bool { return c.change && c.measure() && !c.share })
	})
}

// inOwnTime reports whether a name is the one before it in a time of its own: "more A in 2023 than B
// in 2025".
func (s *sentence) inOwnTime(r, next *referent) bool {
	return next.at-r.to <= 3 && slices.ContainsFunc(next.parts, func(p ref) bool { return p.date && p.at == next.at }) && s.hasAny(next.at-1, next.at, "in", "during") && s.hasAny(0, r.at, "than")
}

// compares reports whether two cells stand to each other as a word says: what follows
// another comes next.
func (s *sentence) compares(t *table, c *column, x, y, direction, at int) bool {
	order := c.cells[x].number.Cmp(c.cells[y].number)
	if s.tokens[at].fold == "followed" {
		return order >= 0 && (!t.whole || t.dimensions() > 1 || c.follows(x, y))
	}
	return order == direction
}

// leadsComparison is the direction of a word that compares before two names: "revenue is
// higher for A than for B".
func (s *sentence) leadsComparison(a *referent) (direction, at int) {
	if w := s.foldAt(a.at - 1); w == "more" || w == "fewer" {
		return 2*boolInt(w == "more") - 1, a.at - 1 // "there are more A than B"
	}
	if !s.hasAny(a.at-1, a.at, "for", "in", "at", "of", "from", "by") && !s.hasAny(a.at-2, a.at-1, "for", "in", "at", "of", "from", "by") {
		return 0, 0
	}
	for i := a.at - 1; i >= max(0, a.at-5); i-- {
		switch w := s.foldAt(i); {
		case s.taken[i] || w == "than":
			return 0, 0
		case moreWords[w] && w != "up" && w != "ahead" && w != "additional" && w != "extra" && w != "better":
			return 1, i
		case lessWords[w] && w != "down" && w != "behind" && w != "short" && w != "worse":
			return -1, i
		}
	}
	return 0, 0
}

// byDimension are the comparatives that have a column of their own, and are no words for more or
// less of any.
var byDimension = map[string]int{"pricier": 1, "dearer": 1, "costlier": 1, "taller": 1, "heavier": 1, "faster": 1, "cheaper": -1, "lighter": -1, "slower": -1}

// comparison is the direction in which the words between two names compare them: 1 when
// the first has more.
func (s *sentence) comparison(a, b *referent) (direction, at int) {
	if s.setsAgainst(a, b.at) || s.setsAgainst(b, len(s.tokens)) || s.comparesKorean(a.at, min(b.to+1, len(s.tokens))) {
		return s.koreanComparison(a, b)
	}
	if direction, at := s.koreanLead(b); direction != 0 {
		return direction, at
	}
	if s.hasAny(a.at-2, a.at, "with", "to") && s.hasAny(a.at-3, a.at, "compared", "relative") {
		return s.comparedWith(b)
	}
	if s.hasAny(a.to, b.at, "than") {
		if direction, at := s.leadsComparison(a); direction != 0 {
			return direction, at
		}
	}
	sign := 0
	if s.foldAt(a.to) == "than" && s.hasAny(a.at-2, a.at, "for", "at", "in", "with", "on") { // "is higher for A than for B"
		for i := max(0, a.at-4); i < a.at; i++ {
			if w := s.foldAt(i); !s.taken[i] && (moreWords[w] || lessWords[w]) {
				sign, at = boolInt(moreWords[w])-boolInt(lessWords[w]), i
			}
		}
	}
	for i := a.to; i < b.at; i++ {
		switch w := s.tokens[i].fold; {
		case s.taken[i]:
		case w == "followed", w == "beats", w == "beat", w == "exceeds", w == "exceed", w == "exceeded", w == "surpasses", w == "surpassed", w == "outpaces", w == "outsells", w == "outnumbers", w == "outnumber", w == "outsell", w == "surpass", w == "tops":
			return 1, i
		case s.leadsName(i) && i+1 == b.at:
			return 1, i
		case (w == "trails" || w == "trailed" || w == "follows") && b.at-i <= 3 && !s.hasAny(i, b.at, "at", "with", ","):
			return -1, i
		case (w == "ahead" || w == "behind") && s.hasAny(i, b.at, "of") == (w == "ahead"):
			return map[string]int{"ahead": 1, "behind": -1}[w], i
		case w == "short" && s.foldAt(i+1) == "of" && hasPrefix(s.foldAt(i-1), "fall", "fell", "come", "came"):
			return -1, i
		case (w == "above" || w == "below") && s.hasAny(i+1, i+2, "that", "those") && s.foldAt(i+2) == "of" && b.at-i <= 4:
			return boolInt(w == "above") - boolInt(w == "below"), i
		case (w == "stronger" || w == "weaker") && s.foldAt(i+1) == "than":
			return boolInt(w == "stronger") - boolInt(w == "weaker"), i
		case byDimension[w] != 0 && s.comparedIn(i) != nil:
			sign, at = byDimension[w], i
		case moreWords[w]:
			sign, at = 1, i
		case lessWords[w]:
			sign, at = -1, i
		case w == "than" && sign == 0 && b.at-i <= 3 && s.hasAny(a.at-1, a.at, "in", "at", "for", "during") && s.hasAny(i+1, b.at, "in", "at", "for", "during") && (moreWords[s.foldAt(a.at-2)] || lessWords[s.foldAt(a.at-2)]):
			return boolInt(moreWords[s.foldAt(a.at-2)]) - boolInt(lessWords[s.foldAt(a.at-2)]), a.at - 2
		case w == "than" && sign != 0 && b.at-i <= 4:
			return sign, at
		}
	}
	return 0, 0
}

// comparedWith is the direction of "compared with A, B is lower": 1 when A has more.
func (s *sentence) comparedWith(b *referent) (direction, at int) {
	_, to := s.clauseSpan(b.at)
	for i := b.to; i < to; i++ {
		switch w := s.foldAt(i); {
		case s.taken[i]:
		case w == "than":
			return 0, 0
		case moreWords[w]:
			return -1, i
		case lessWords[w]:
			return 1, i
		}
	}
	return 0, 0
}

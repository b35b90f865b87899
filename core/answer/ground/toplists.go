package ground

import "slices"

// checkTopLists checks that "the top five are A, B, C, D and E" names some of them.
func (s *sentence) checkTopLists() {
	for i := range s.figures {
		f := &s.figures[i]
		n, ok := f.count()
		direction := max(ordersUp[s.foldAt(f.at-1)], boolInt(s.foldAt(f.at-1) == "상위"))
		if ordersUp[s.foldAt(f.at-1)] < 0 || s.foldAt(f.at-1) == "하위" {
			direction = -1
		} else if next := ordersUp[s.foldAt(f.to)]; next != 0 {
			direction = next
		}
		_, to := s.clauseSpan(f.at)
		names := s.namesAround(f.to, to)
		if len(names) == 0 {
			from, _ := s.clauseSpan(f.at)
			names = s.namesAround(from, f.at)
		}
		names = s.checker.ranked(names)
		age := s.topInTime(f)
		if !ok || n < 1 || direction == 0 && age == 0 || len(names) == 0 || s.hasAny(f.at-3, f.at, "after", "outside", "below", "behind", "beyond") {
			continue
		}
		if age != 0 {
			if !s.amongFirstInTime(names, int(n), age) {
				s.violate(f.at, f.to, "not all that are named are among these")
			}
			continue
		}
		if !s.eachRanking(f, func(t *table, index int, c *column) bool { return s.amongFirst(t, c, index, names, int(n), direction) }) {
			s.violate(f.at, f.to, "not all that are named are among these")
		}
	}
}

// ranked leaves out the dates beside names, of which something is told in a time, "the top three
// of 2024 are A, B and C", where rows have other names than their moments.
func (c *Checker) ranked(names []*referent) []*referent {
	if !slices.ContainsFunc(c.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(of column) bool { return !of.numeric && !of.temporal })
	}) {
		return names
	}
	return slices.DeleteFunc(slices.Clone(names), (*referent).isOnlyDate)
}

// eachRanking calls use with the columns by which the first n are taken, until one holds: those
// that the sentence names for that, else those of the figure.
func (s *sentence) eachRanking(f *figure, use func(t *table, index int, c *column) bool) bool {
	by := s.orderedBy(f)
	if by == nil {
		return s.each(&figure{at: f.at, to: f.at + 1}, use)
	}
	for id := range by {
		index := id / columnStride
		if use(s.checker.tables[index], index, s.columnOf(id)) {
			return true
		}
	}
	return false
}

// orderedBy are the columns that a sentence names for an order: "by total amount, the top three",
// "총 금액 상위 3개"; nil for none.
func (s *sentence) orderedBy(f *figure) map[int]bool {
	at := f.at - 1 // the word for the end from which it is counted
	if s.is(at, word) && s.tokens[at].hangul {
		at--
		if s.is(at, word) && hasPrefix(s.tokens[at].text, "기준") {
			at--
		}
		return s.narrowTo(s.namedBy(koreanStem(s.foldAt(at)), nil), at-1)
	}
	for i := range s.tokens {
		if !s.taken[i] && s.hasAny(i, i+1, "by", "in", "for") {
			if named := s.phraseNames(i + 1); named != nil {
				return named
			}
		}
	}
	return nil
}

// topInTime is the direction of a superlative of time that goes with a count: "the three most
// recent", "the latest three", "가장 최근에 가입한 3명"; 0 for none.
func (s *sentence) topInTime(f *figure) int {
	if !s.checker.hasMoments() {
		return 0
	}
	for i := max(0, f.at-3); i < min(f.to+2, len(s.tokens)); i++ {
		if age := s.ageAt(i); age != 0 && !(i < f.at && len(s.namesOf(i, f.at)) > 0) {
			return age
		}
	}
	return 0
}

// amongFirstInTime reports whether all names are among the first n rows of a column of moments of
// which the sentence may speak, or the last for direction > 0; values of several rows are what all
// of these n have.
func (s *sentence) amongFirstInTime(names []*referent, n, direction int) bool {
	return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		index := slices.Index(s.checker.tables, t)
		return slices.ContainsFunc(t.columns, func(c column) bool {
			if !c.temporal || !s.mayMean(&c, t) || !s.checker.knowsPlaces(t, &c, direction) {
				return false
			}
			first := slices.DeleteFunc(t.all(), func(row int) bool { return c.cells[row].period == nil || c.later(row, direction) >= n })
			var named []int
			for _, r := range names {
				rows := r.own()[index]
				if len(rows) == 1 && !slices.Contains(first, rows[0]) || len(rows) == 0 {
					return false
				}
				named = union(named, rows)
			}
			return len(named) == len(names) || !slices.ContainsFunc(first, func(row int) bool { return !slices.Contains(named, row) })
		})
	})
}

// amongFirst reports whether all names are among the first n rows of a column.
func (s *sentence) amongFirst(t *table, c *column, index int, names []*referent, n, direction int) bool {
	if c.key && !c.place {
		return false
	}
	for _, r := range names {
		if !slices.ContainsFunc(r.rows[index], func(row int) bool {
			if c.place {
				return c.cells[row].number != nil && direction > 0 && c.cells[row].number.Cmp(rat(int64(n))) <= 0
			}
			return s.checker.knowsPlaces(t, c, direction) && c.beaten(row, t.all(), direction) < n
		}) {
			return false
		}
	}
	return true
}

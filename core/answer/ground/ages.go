package ground

import "slices"

// checkAges checks that what is said to be the oldest or the latest is it, where the
// question does not speak of that itself.
func (s *sentence) checkAges() {
	for i, t := range s.tokens {
		direction := s.ageAt(i)
		if direction == 0 {
			continue
		}
		ofEach := s.checker.partial() && !s.checker.ordersAges(direction) || s.checker.asks(ofEachWords, "각", "마다") || slices.ContainsFunc(s.checker.asked.tokens, func(t token) bool { return hasSuffix(t.text, "별", "마다", "별로") })
		placed := slices.ContainsFunc(s.figures, func(f figure) bool { return f.ordinal && f.to <= i && i-f.to <= 1 })
		if placed || ofEach && (s.checker.isAsked(t.fold) && t.fold != "first" && t.fold != "last" || s.checker.asksAge(direction)) {
			continue
		}
		r, group := s.whoIs(i)
		if r != nil && !s.checker.hasMoments() && s.isOtherAge(r, -direction) {
			s.violate(i, i+1, "another row has more")
			continue
		}
		if r == nil || slices.ContainsFunc(s.figures, func(f figure) bool { return f.ordinal && f.to <= i && i-f.to <= 2 && !s.hasAny(f.to, i, ",", "and") }) {
			continue // a figure says which place, and was checked
		}
		if c, rows := s.endColumn(i, r); c != nil {
			if len(rows) != 1 || c.cells[rows[0]].period == nil || c.later(rows[0], direction) >= max(1, len(group)) {
				s.violate(i, i+1, "another row is earlier or later, or not all rows were seen")
			}
			continue
		}
		ok, known := s.endOfRow(r, direction)
		if known && ok {
			continue
		}
		other := known || s.checker.isLoneRow(r) && s.checker.asksAge(-direction) && !s.checker.asksAge(direction)
		if other || !s.isExtremeInTime(r, direction, max(1, len(group)), s.saysAge(i)) {
			s.violate(i, i+1, "another row is earlier or later, or not all rows were seen")
		}
	}
}

// isOtherAge reports whether a row is not the most in a measure of ages, or the least for up < 0, where
// there is one.
func (s *sentence) isOtherAge(r *referent, up int) bool {
	known, ok := false, false
	for index, t := range s.checker.tables {
		for col := range t.columns {
			c := &t.columns[col]
			if t.whole && t.rows > 1 && c.measure() && slices.ContainsFunc(c.words, func(w string) bool { return concept(w) == "age" }) {
				known, ok = true, ok || s.leads(t, c, index, []*referent{r}, up)
			}
		}
	}
	return known && !ok
}

// endColumn is the column of first or last moments of each row, which the words right behind a
// superlative of time name, "the earliest last order", and the rows of a name in it; nil for none.
func (s *sentence) endColumn(i int, r *referent) (*column, []int) {
	if s.tokens[i].hangul || !s.is(i+1, word) {
		return nil, nil
	}
	want := s.aggregateAt(i + 1)
	if want != "first" && want != "last" {
		return nil, nil
	}
	for index, t := range s.checker.tables {
		for col := range t.columns {
			if c := &t.columns[col]; t.whole && c.temporal && c.aggregateOf() == want {
				return c, r.own()[index]
			}
		}
	}
	return nil, nil
}

// ordersAges reports whether the rows that were seen begin the order in time for which the
// question asks.
func (c *Checker) ordersAges(direction int) bool {
	return slices.ContainsFunc(c.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(of column) bool { return of.temporal && c.beginsOrder(t, &of, direction) })
	})
}

// asksAge reports whether the question asks for the oldest, or the latest.
func (c *Checker) asksAge(direction int) bool {
	q := &sentence{checker: c, tokens: c.asked.tokens, taken: make([]bool, len(c.asked.tokens))}
	for i := range q.tokens {
		if q.ageAt(i) == direction {
			return true
		}
	}
	return false
}

// isExtremeInTime reports whether the row is the first, or the last, of a column of
// moments. It is true where no table with the row has one.
func (s *sentence) isExtremeInTime(r *referent, direction, among int, age bool) bool {
	known := false
	for index, t := range s.checker.tables {
		births := slices.ContainsFunc(t.columns, func(c column) bool { return c.birth() })
		for i := range t.columns {
			c := &t.columns[i]
			if !c.temporal || len(r.own()[index]) == 0 || births && c.birth() != age || !s.mayMean(c, t) {
				continue
			}
			known = true
			if s.checker.knowsPlaces(t, c, direction) && slices.ContainsFunc(r.own()[index], func(row int) bool {
				return c.cells[row].period != nil && c.later(row, direction) < among
			}) || t.whole && s.endsPart(t, index, c, r, direction, among) {
				return true
			}
		}
	}
	return !known
}

// endsPart reports whether a row is the first, or the last, in a column of moments among those of
// another name that goes with its own: "the longest-serving manager, A".
func (s *sentence) endsPart(t *table, index int, c *column, r *referent, direction, among int) bool {
	for _, p := range r.parts {
		rows := p.rows[index]
		if len(rows) < 2 || len(rows) == t.rows || p.date || !s.isScopeOfAge(p) {
			continue
		}
		if part := c.among(rows); slices.ContainsFunc(r.rows[index], func(row int) bool {
			at := slices.Index(rows, row)
			return at >= 0 && c.cells[row].period != nil && part.later(at, direction) < among
		}) {
			return true
		}
	}
	return false
}

// isScopeOfAge reports whether a superlative of time is told among those of a name: "the oldest
// manager", "of the managers", "점장 중".
func (s *sentence) isScopeOfAge(p ref) bool {
	if p.at >= len(s.tokens) {
		return false
	}
	for k := max(0, p.at-3); k < p.at; k++ {
		if s.ageAt(k) != 0 || s.hasAny(k, k+1, "of", "among") && s.hasAny(0, p.at, "the", "all") {
			return true
		}
	}
	return s.anyCue(p.to, p.to+3, nil, "중", "가운데")
}

// mayMean reports whether a sentence may speak of a column of moments: no word of it names
// another one and not this one.
func (s *sentence) mayMean(c *column, t *table) bool {
	if s.saysColumn(c, t, 0, len(s.tokens)) {
		return true
	}
	return !slices.ContainsFunc(t.columns, func(o column) bool {
		return o.temporal && o.name != c.name && s.saysColumn(&o, t, 0, len(s.tokens))
	})
}

// birth reports whether a column has the days on which people were born.
func (c *column) birth() bool {
	return c.temporal && (slices.ContainsFunc(c.words, func(w string) bool { return w == "birth" || w == "born" || w == "birthday" || w == "dob" }) || hasPrefix(c.name, "생년", "생일", "출생"))
}

// saysAge reports whether a superlative of time is one of how old somebody is.
func (s *sentence) saysAge(i int) bool {
	w := s.tokens[i].fold
	if s.hasAny(0, len(s.tokens), "born", "birth", "birthday") || s.anyCue(0, len(s.tokens), nil, "태어", "생년", "생일", "출생") {
		return true
	}
	return w == "oldest" || w == "youngest" || hasPrefix(w, "나이", "연령", "젊", "어린", "어리", "어립", "최고령", "최연장", "최연소")
}

// later is how many moments of a column are later than that of a row, or earlier for
// direction < 0.
func (c *column) later(row, direction int) int {
	n := 0
	for _, v := range c.cells {
		n += boolInt(v.period != nil && comparePeriods(v.period, c.cells[row].period) == direction)
	}
	return n
}

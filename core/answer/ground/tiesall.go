package ground

import "slices"

// tiesAllFalsely checks "all of them have the same age", "급여는 모두 같습니다": of the columns that the
// noun names, else of all, one has the same in every row.
func (s *sentence) tiesAllFalsely(i int) bool {
	from, to := s.clauseSpan(i)
	at := -1
	for k := from; k < to; k++ {
		t := s.tokens[k]
		if !s.taken[k] && (k > i && s.hasAny(k, k+1, "same", "identical") || k > i && t.hangul && hasPrefix(t.text, "같습", "같다", "같아", "동일", "똑같")) {
			at = k
			break
		}
	}
	if at < 0 || !s.countsAllOnly() || len(s.namesOf(from, to)) > 0 || s.checker.empty || s.anyCue(from, to, otherWords, "나머지", "다른") || s.excepts() {
		return false
	}
	said := s.tiedBy(i, at, to)
	known := false
	for _, t := range s.checker.tables {
		for col := range t.columns {
			c := &t.columns[col]
			if t.rows == 1 && c.aggregateOf() != "" && len(t.columns) > 1 && !t.twoAlike() {
				return true // the least and the most are told apart
			}
			if !t.whole || t.rows < 2 || len(said) > 0 && !slices.ContainsFunc(said, c.saysColumn) {
				continue
			}
			known = true
			if c.hasOneValue() {
				return false
			}
		}
	}
	return known
}

// twoAlike reports whether the one row of a table has the same number in two columns.
func (t *table) twoAlike() bool {
	return t.anyMeasure(func(a *column) bool {
		return t.anyMeasure(func(b *column) bool {
			return a != b && a.cells[0].number != nil && b.cells[0].number != nil && a.cells[0].number.Cmp(b.cells[0].number) == 0
		})
	})
}

// tiedBy are the nouns that say in what all have the same: behind an English word for it, before a
// Korean one.
func (s *sentence) tiedBy(i, at, to int) []string {
	first, last := at+1, to
	if s.tokens[at].hangul {
		first, last = s.clauseStart(i), at
	}
	var said []string
	for k := first; k < last; k++ {
		if w := koreanStem(s.foldAt(k)); s.is(k, word) && !s.taken[k] && s.isOfColumn(w) {
			said = append(said, w)
		}
	}
	return said
}

// isOfColumn reports whether a word is one of a column's name.
func (s *sentence) isOfColumn(w string) bool {
	return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(c column) bool { return c.saysColumn(w) })
	})
}

// hasOneValue reports whether all rows have the same in a column.
func (c *column) hasOneValue() bool {
	return !slices.ContainsFunc(c.cells, func(v cell) bool {
		first := c.cells[0]
		return v.null != first.null || v.text != first.text || (v.number == nil) != (first.number == nil) || v.number != nil && v.number.Cmp(first.number) != 0 ||
			(v.period == nil) != (first.period == nil) || v.period != nil && comparePeriods(v.period, first.period) != 0
	})
}

package ground

import "slices"

// checkParallel refuses figures that stand alike behind the names of one list and are of no
// column in common: "Germany (435), Italy (423)" of 435 customers and 423 orders. The lines
// of a list that tell one figure each are such a list, too.
func (s *sentence) checkParallel() {
	var shared []int
	var last *referent
	for i := range s.figures {
		f := &s.figures[i]
		r := s.besideName(f)
		if r == nil {
			shared, last = nil, nil
			continue
		}
		listed := last != nil && s.inList(last.to, r.at)
		if last = r; !listed && (i+1 == len(s.figures) || !s.hasAny(f.to, s.figures[i+1].at, ",", "and", "·", "및")) {
			shared = nil
			continue
		}
		if !listed {
			shared = nil
		}
		columns := s.columnsWith(f, r)
		if both := intersect(shared, columns); shared != nil && len(columns) > 0 && len(both) == 0 {
			s.violate(f.at, f.to, "the figures of this list are not of one column")
			return
		} else if shared == nil || len(both) > 0 {
			shared = columns
			if len(both) > 0 {
				shared = both
			}
		}
	}
	s.checkParallelLines()
}

// checkParallelLines refuses a line of a list whose one figure is of no column that those of
// the lines before are of.
func (s *sentence) checkParallelLines() {
	if !s.line.item || len(s.line.heads) > 0 || len(s.figures) != 1 || len(s.referents) != 1 {
		return
	}
	f, r := &s.figures[0], &s.referents[0]
	if r.at != 0 || r.to > f.at || s.measuresSpoken(nil) != nil || f.percent || f.plus || f.ordinal {
		return
	}
	s.alike = s.columnsWith(f, r)
	if s.last == nil || !s.last.line.item || s.last.alike == nil || len(s.alike) == 0 {
		return
	}
	s.alike = intersect(s.last.alike, s.alike)
	if len(s.alike) == 0 {
		s.violate(f.at, f.to, "the figures of this list are not of one column")
	}
}

// inList reports whether nothing but the figure of one name, in brackets or without them,
// and conjunctions stand between it and the next.
func (s *sentence) inList(from, to int) bool {
	for i := from; i < to; i++ {
		t := s.tokens[i]
		if !s.inBrackets(i) && !s.figureAtToken(i) && !s.coordinated(i, i+1) && !(t.hangul && (i == from || !t.gap)) {
			return false
		}
	}
	return from < to
}

// besideName is the name of one row that a figure stands right behind, with brackets or
// without, as all that is told of it; nil for none.
func (s *sentence) besideName(f *figure) *referent {
	if f.ordinal || f.ratio || f.percent || f.plus || len(f.amounts) == 0 || f.amounts[0].end != nil || f.hedge != exact && f.hedge != about {
		return nil
	}
	i := f.at
	if s.foldAt(i-1) == "(" {
		i--
	}
	if s.is(i-1, word) && s.tokens[i-1].hangul && !s.isNameToken(i-1) && s.isNameToken(i-2) {
		i--
	}
	if s.foldAt(i-1) == `"` {
		i--
	}
	after := f.to
	if s.gluedAt(after) != "" {
		after++
	}
	if s.is(after, word) && !s.hasAny(after, after+1, "and", "및", "그리고") {
		return nil // a noun says what it is
	}
	for k := range s.referents {
		if r := &s.referents[k]; r.to == i && !slices.ContainsFunc(r.rows, func(rows []int) bool { return len(rows) > 1 }) {
			return r
		}
	}
	return nil
}

// columnsWith are the measures in which the row of a name has a figure.
func (s *sentence) columnsWith(f *figure, r *referent) []int {
	var out []int
	for index, t := range s.checker.tables {
		for col := range t.columns {
			if c := &t.columns[col]; c.measure() && slices.ContainsFunc(r.rows[index], func(row int) bool { return c.cells[row].equal(f, nil) }) {
				out = append(out, index*columnStride+col)
			}
		}
	}
	return out
}

// leadsValue reports whether a figure stands where what a row has does, and no count of rows:
// "A with 3, B (4)", "the change at A was 1", "A의 증감은 1건", "+1", "A 4명, B 3명".
func (s *sentence) leadsValue(f *figure) bool {
	if f.plus || s.leadsPeople(f) || s.measuresRow(f) || s.listsValue(f) {
		return true
	}
	return s.isNameToken(f.at-2) && s.hasAny(f.at-1, f.at, "with", "at", "has", "had", ":", "(") && (!s.is(f.to, word) || s.foldAt(f.to) == "and") && f.rest == "" &&
		slices.ContainsFunc(s.referents, func(r referent) bool { return r.to == f.at-1 && r.isOneRow() })
}

// isOneRow reports whether a name is of one row, and not of several in any table.
func (r *referent) isOneRow() bool {
	one := false
	for _, rows := range r.rows {
		if len(rows) > 1 {
			return false
		}
		one = one || len(rows) == 1
	}
	return one
}

// measuresRow reports whether the noun of a measure and a verb, or its Korean ending, say
// that a figure is what the one row that the figure's part of the sentence names has.
func (s *sentence) measuresRow(f *figure) bool {
	if !s.hasAny(f.at-1, f.at, "was", "is", "were", "are", "of") && !(s.is(f.at-1, word) && s.tokens[f.at-1].hangul) {
		return false
	}
	from, _ := s.span(f.at)
	names := s.namesOf(from, f.at)
	if len(names) == 0 && s.foldAt(from) == "with" && s.foldAt(f.to) == "," {
		names = s.namesOf(f.to+1, min(f.to+3, len(s.tokens))) // "With a change of 1, A"
	}
	if len(names) != 1 || !names[0].isOneRow() {
		return false
	}
	i := f.at - 1
	if !s.hasAny(i, f.at, "was", "is", "were", "are", "of") {
		return s.is(i, word) && s.tokens[i].hangul && hasSuffix(s.tokens[i].text, "은", "는", "이", "가") && !s.isNameToken(i) && s.measuresAt(i)
	}
	for i--; i >= from; i-- {
		if s.measuresAt(i) {
			return true
		}
	}
	return false
}

// measuresAt reports whether a word is the noun of a measure.
func (s *sentence) measuresAt(i int) bool {
	if s.tokens[i].kind != word || s.taken[i] || s.isNameToken(i) {
		return false
	}
	for id := range s.namedBy(koreanStem(s.foldAt(i)), nil) {
		if s.columnOf(id).measure() {
			return true
		}
	}
	return false
}

// listsValue reports whether a figure stands right behind a name as the one before in its
// list stands behind its own.
func (s *sentence) listsValue(f *figure) bool {
	r := s.besideName(f)
	if r == nil || f.spoken {
		return false
	}
	return slices.ContainsFunc(s.figures, func(g figure) bool {
		before := s.besideName(&g)
		return g.to <= f.at && before != nil && before.to <= r.at && s.inList(before.to, r.at) && len(s.columnsWith(&g, before)) > 0
	})
}

// checkBracketed refuses a figure with the name of another row in brackets behind it: "from
// 5 (B) to 9 (A)" where 5 is A's.
func (s *sentence) checkBracketed() {
	for i := range s.figures {
		f := &s.figures[i]
		open := f.to + boolInt(s.gluedAt(f.to) != "")
		if s.foldAt(open) != "(" || !s.maySayCell(f) || f.percent || f.plus || f.minus {
			continue
		}
		for k := range s.referents {
			r := &s.referents[k]
			if r.at != open+1 || !r.isOneRow() || s.foldAt(r.to) != ")" && s.foldAt(r.to+1) != ")" || len(s.columnsWith(f, r)) > 0 {
				continue
			}
			if s.isOfOtherRow(f, r) {
				s.violate(f.at, f.to, "this is not what the result has for "+s.nameOf(r))
			}
		}
	}
}

// isOfOtherRow reports whether a figure is the cell of a row that a name does not name, in a
// table that has rows of the name, too.
func (s *sentence) isOfOtherRow(f *figure, r *referent) bool {
	for index, t := range s.checker.tables {
		if len(r.rows[index]) == 0 {
			continue
		}
		for col := range t.columns {
			if c := &t.columns[col]; c.measure() && slices.ContainsFunc(c.cells, func(v cell) bool { return v.equal(f, nil) }) {
				return true
			}
		}
	}
	return false
}

package ground

import (
	"slices"
)

// nameByNumber makes names of the numbers of a first column that tells rows apart, where
// no text does: how many orders have 1, 2 and 3 lines.
func (t *table) nameByNumber() {
	if len(t.columns) < 2 || t.rows < 2 {
		return
	}
	for i := range t.columns {
		if c := &t.columns[i]; !c.numeric || c.temporal || c.key && i > 0 || c.place || i == 0 && (c.share || c.average || c.change) {
			return
		}
	}
	seen := map[string]bool{}
	for _, v := range t.columns[0].cells {
		if v.number == nil || !v.number.IsInt() || v.number.Cmp(rat(100)) > 0 || seen[v.number.RatString()] {
			return
		}
		seen[v.number.RatString()] = true
	}
	t.columns[0].key, t.columns[0].id, t.columns[0].bucket = true, true, true
}

// nameByFirst makes names of the whole numbers of a first column that tells rows apart where
// texts stand that do not: tickets with their priority.
func (t *table) nameByFirst() {
	if len(t.columns) < 2 || t.rows < 2 {
		return
	}
	first, texts := &t.columns[0], 0
	for i := range t.columns[1:] {
		if c := &t.columns[i+1]; !c.numeric && !c.temporal {
			texts++
			if c.values() == int64(t.rows) {
				return
			}
		}
	}
	whole := !slices.ContainsFunc(first.cells, func(v cell) bool { return v.number == nil || !v.number.IsInt() })
	if texts > 0 && whole && !first.amount && !first.key && first.values() == int64(t.rows) {
		first.key, first.id = true, true
	}
}

// countsInKey reports whether the noun behind a number is that of a column that names its
// rows by such numbers: "orders with 3 lines".
func (s *sentence) countsInKey(i int) bool {
	w := concept(koreanStem(s.foldAt(i + 1)))
	return s.is(i+1, word) && slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		c := &t.columns[0]
		return len(t.columns) > 0 && c.bucket && slices.ContainsFunc(c.words, func(have string) bool { return concept(have) == w })
	})
}

// namesStep reports whether a noun is that of a column that names its rows by numbers.
func (s *sentence) namesStep(w string) bool {
	return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return len(t.columns) > 0 && t.columns[0].bucket && slices.ContainsFunc(t.columns[0].words, func(have string) bool { return concept(have) == concept(w) })
	})
}

// speaksOfTwo reports whether a sentence goes on about the two of the one before.
func (s *sentence) speaksOfTwo() bool {
	for i, t := range s.tokens {
		if t.fold == "two" || t.fold == "both" || t.fold == "them" || t.text == "두" || hasPrefix(t.text, "둘") && i < 4 {
			return true
		}
	}
	return false
}

// within reports whether all that a text says figures of are rows of a name.
func (t *told) within(r *referent) bool {
	for _, f := range t.figures {
		if f.rows == nil {
			return false
		}
		for i := range f.rows {
			if len(intersect(f.rows[i], r.rows[i])) != len(f.rows[i]) {
				return false
			}
		}
	}
	return len(t.figures) > 0
}

// isScalar reports whether all that was found is one number.
func (c *Checker) isScalar() bool {
	return len(c.tables) == 1 && c.tables[0].count == 1 && len(c.tables[0].columns) == 1 && c.tables[0].columns[0].numeric
}

// ranksElsewhere reports whether a figure beside a place is a cell of another column: of
// "fifth with 8,154" the place is that of the 8,154.
func (s *sentence) ranksElsewhere(f *figure, t *table, c *column, row int) bool {
	from, to := s.clauseSpan(f.at)
	if closesPart(f.rest + s.gluedAt(f.to)) {
		from, to = s.span(f.at) // what follows has another place: "5위지만 환불액은 14,290으로 1위"
	}
	elsewhere := false
	for _, g := range s.figuresIn(max(from, f.at-6), min(to, f.to+6)) {
		if c.says(g, row) {
			return false
		}
		elsewhere = elsewhere || slices.ContainsFunc(t.columns, func(o column) bool { return o.measure() && o.says(g, row) })
	}
	return elsewhere
}

// datesAll reports whether a date is said of several names in one breath of which one has
// another.
func (s *sentence) datesAll(d ref) bool {
	from, to := s.clauseSpan(d.at)
	dates := 0
	for _, r := range s.refs {
		dates += boolInt(r.date && r.at >= from && r.at < to)
	}
	if dates != 1 {
		return false
	}
	for i := range s.referents {
		r := &s.referents[i]
		group := s.groupOf(r)
		if r.isDate() || r.at < from || r.at >= to || r.to > d.at && !s.isSubjectOf(d, r) || len(group) < 2 {
			continue
		}
		for index := range d.rows {
			if len(d.rows[index]) > 0 && slices.ContainsFunc(group, func(g *referent) bool {
				return len(g.rows[index]) > 0 && len(g.parts) == 1 && len(intersect(g.rows[index], d.rows[index])) == 0
			}) {
				return true
			}
		}
	}
	return false
}

// isSubjectOf reports whether names behind a date are said to be those that have it: "those
// hired in May are A and B", "5월에 입사한 사람은 A와 B".
func (s *sentence) isSubjectOf(d ref, r *referent) bool {
	for i := d.to; i < r.at; i++ {
		t := s.tokens[i]
		if t.hangul && hasSuffix(t.text, "은", "는") && i >= d.to+1 || t.fold == "are" || t.fold == "were" || t.text == ":" {
			return true
		}
	}
	return false
}

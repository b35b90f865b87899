package ground

import (
	"slices"
	"strings"
)

// saidPart are the rows of a part of a table of which a sentence speaks by a column that not all
// rows have, or by one of true and false: "of the closed stores", "폐점한 매장 중"; nil for none.
func (s *sentence) saidPart(t *table) []int {
	for i := range s.tokens {
		if s.tokens[i].kind != word || s.taken[i] && !s.tokens[i].hangul || s.isNameToken(i) || !s.scopedAt(i) {
			continue
		}
		w := koreanStem(s.foldAt(i))
		denied := s.hasAny(i-3, i, "not", "never", "without", "no") || s.anyCue(i+1, i+3, nil, "않", "없") || s.anyCue(i-1, i, nil, "아직")
		for col := range t.columns {
			c := &t.columns[col]
			lacks := slices.ContainsFunc(c.cells, func(v cell) bool { return v.null })
			if none := c.without(); c.measure() && len(none) > 0 && s.hasAny(i-3, i, "with", "have", "without") && s.namedBy(w, nil)[s.idOf(t, col)] {
				return slices.DeleteFunc(t.all(), func(row int) bool { return slices.Contains(none, row) != denied })
			}
			if lacks && !c.numeric && s.tellsProperty(c, w) {
				return slices.DeleteFunc(t.all(), func(row int) bool { return c.cells[row].null != denied })
			}
		}
		for n := range s.checker.bools {
			b := &s.checker.bools[n]
			spoken, not := b.says(s.foldAt(i))
			if !spoken || s.checker.tables[b.table] != t {
				continue
			}
			want := [2]string{"true", "false"}[boolInt(not != denied)]
			return slices.DeleteFunc(t.all(), func(row int) bool { return t.columns[b.column].cells[row].text != want })
		}
	}
	return nil
}

// tellsProperty reports whether a word says that a row has something in a column of moments or of
// texts: "closed" of closed_on, 폐점한 of 폐점일.
func (s *sentence) tellsProperty(c *column, w string) bool {
	if len(w) < len("가나") || stopWords[w] {
		return false
	}
	noun := c.columnNoun()
	if isHangul(w) {
		return isHangul(noun) && len(noun) >= len("가나") && strings.HasPrefix(w, noun)
	}
	return c.temporal && slices.ContainsFunc(c.words, func(have string) bool { return !stopWords[have] && sameRoot(stem(w), have) }) || c.saysColumn(w) && !isHangul(noun)
}

// scopedAt reports whether a word stands where a sentence says of which rows it speaks: behind "of"
// or "among", or before 중.
func (s *sentence) scopedAt(i int) bool {
	if s.tokens[i].hangul {
		return s.anyCue(i+1, i+4, nil, "중", "가운데") || slices.ContainsFunc(s.tokens[i:min(i+3, len(s.tokens))], func(t token) bool { return t.hangul && hasSuffix(t.text, "중에서는", "중에서", "에서는") })
	}
	return s.hasAny(i-5, i, "of", "among") && s.hasAny(max(0, i-4), i, "the", "that", "those", "have", "has", "all")
}

// pair is the row beside a name of which a sentence speaks as one of two: of all rows, of those of
// another name ("of the two in Norway"), or of a part that its words say; -1 for none.
func (s *sentence) pair(t *table, index int, r *referent) int {
	if !t.whole || len(r.rows[index]) != 1 {
		return -1
	}
	row := r.rows[index][0]
	parts := [][]int{t.all(), s.saidPart(t)}
	for _, p := range r.parts {
		parts = append(parts, p.rows[index])
	}
	for _, rows := range parts {
		if len(rows) == 2 && slices.Contains(rows, row) {
			return rows[0] + rows[1] - row
		}
	}
	return -1
}

// checkOnlyHaving refuses that names are the only ones that have something, or lack it, where the
// rows say otherwise: "폐점일이 있는 곳은 A뿐입니다".
func (s *sentence) checkOnlyHaving() {
	for i := range s.tokens {
		if !s.closesAt(i) && !s.saysNoOther(i) || len(s.figures) > 0 || s.excepts() {
			continue
		}
		from, to := s.clauseSpan(i)
		at := slices.IndexFunc(s.tokens[from:i], func(t token) bool { return t.hangul && (hasPrefix(t.text, "있는") || hasPrefix(t.text, "없는")) }) + from
		if at <= from {
			continue
		}
		w, lacking := koreanStem(s.foldAt(at-1)), hasPrefix(s.foldAt(at), "없는")
		for index, t := range s.checker.tables {
			col := slices.IndexFunc(t.columns, func(c column) bool { return c.saysColumn(w) && len(c.without()) > 0 })
			if col < 0 || !t.whole || t.dimensions() > 1 && t.columns[col].key {
				continue
			}
			var named []int
			for _, r := range s.namesOf(from, to) {
				named = union(named, r.rows[index])
			}
			without := t.columns[col].without()
			have := slices.DeleteFunc(t.all(), func(row int) bool { return slices.Contains(without, row) != lacking })
			if len(named) > 0 && !slices.Equal(named, have) {
				s.violate(i, i+1, "other rows have this, too")
				return
			}
		}
	}
}

// checkOnlyBeyond refuses that names are the only ones that lie beyond another one, where the rows say
// otherwise: "A보다 연봉이 높은 사람은 B뿐입니다".
func (s *sentence) checkOnlyBeyond() {
	for i := range s.tokens {
		if !s.closesAt(i) && !s.saysNoOther(i) || s.checker.partial() {
			continue
		}
		from, to := s.clauseSpan(i)
		names := s.namesOf(from, to)
		if len(names) < 2 || len(s.figuresIn(from, to)) > 0 {
			continue
		}
		at := s.comparesAhead(names[0], names[1])
		if at == 0 {
			continue
		}
		direction := boolInt(hasPrefix(s.foldAt(at), upKorean...)) - boolInt(hasPrefix(s.foldAt(at), downKorean...))
		by, known := s.rankedBy(at, names[0]), false
		ok := direction == 0 || slices.ContainsFunc(s.checker.tables, func(t *table) bool {
			index := slices.Index(s.checker.tables, t)
			return t.anyMeasure(func(c *column) bool {
				if len(names[0].rows[index]) != 1 || !by(index, t.indexOf(c)) {
					return false
				}
				known = true
				beyond := slices.DeleteFunc(t.all(), func(row int) bool {
					order, given := c.compare(row, names[0].rows[index][0])
					return !given || order != direction
				})
				return slices.Equal(beyond, joinedRows(names[1:], index))
			})
		})
		if known && !ok {
			s.violate(i, i+1, "other rows have this, too")
		}
	}
}

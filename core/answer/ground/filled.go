package ground

import "slices"

// keptWords say that something is recorded.
var (
	keptWords  = set("has have had recorded known given stated entered available listed")
	keptKorean = []string{"있", "기록", "기재", "적혀", "입력", "확인"}
)

// checkFilled checks what is said of the cells of a column of texts or moments in which some are
// empty: "A's birth date is not recorded", "all have a birth date", "it is recorded for 5 of the 6".
func (s *sentence) checkFilled() {
	lacks := slices.IndexFunc(s.tokens, func(t token) bool { return t.kind == word && s.lacksAt(s.placeOf(t)) })
	keeps := s.anyCue(0, len(s.tokens), keptWords, keptKorean...)
	if lacks < 0 && (!keeps || s.denies()) || len(s.dates) > 0 {
		return
	}
	for index, t := range s.checker.tables {
		for col := range t.columns {
			c := &t.columns[col]
			if c.numeric || !t.whole || t.rows < 2 || c.nulls(t.all()) == 0 || !s.speaksOfCells(c, t, col) {
				continue
			}
			if at := s.filledFalsely(c, t, index, lacks >= 0); at >= 0 {
				s.violate(at, at+1, "the rows say the contrary")
				return
			}
		}
	}
}

// checkFlagged checks how many of all rows a column of true and false is said to hold for: "10개 중 10개는
// 단종되지 않은 제품", "단종된 제품은 하나도 없습니다".
func (s *sentence) checkFlagged() {
	if len(s.referents) > 0 || len(s.checker.bools) != 1 {
		return
	}
	b := &s.checker.bools[0]
	t := s.checker.tables[b.table]
	at := slices.IndexFunc(s.tokens, func(w token) bool { of, _ := s.boolAt(s.placeOf(w)); return of != nil })
	if at < 0 || !t.whole || t.rows < 3 || t.isCrossed() {
		return
	}
	_, truth := s.boolAt(at)
	holds := int64(0)
	for _, v := range t.columns[b.column].cells {
		holds += int64(boolInt(!v.null && (v.text == "true") == truth))
	}
	for i := 0; i+1 < len(s.figures); i++ {
		if part, of := s.ofAll(i, t); of && part != holds && at > s.figures[i].at {
			s.violate(s.figures[i].at, s.figures[i+1].to, "the rows say the contrary")
			return
		}
	}
	if holds > 0 && len(s.figures) == 0 && s.anyCue(at, len(s.tokens), nil, "하나도", "전혀") && s.anyCue(at, len(s.tokens), nil, "없") {
		s.violate(at, at+1, "the rows say the contrary")
	}
}

// placeOf is the index of a token of the sentence.
func (s *sentence) placeOf(t token) int {
	return slices.IndexFunc(s.tokens, func(o token) bool { return o.begin == t.begin })
}

// speaksOfCells reports whether the sentence names a column by a word, or by one for its moments.
func (s *sentence) speaksOfCells(c *column, t *table, col int) bool {
	if c.temporal && s.saysColumn(c, t, 0, len(s.tokens)) {
		return true
	}
	return slices.ContainsFunc(s.tokens, func(w token) bool {
		return w.kind == word && !stopWords[w.fold] && (c.saysColumn(koreanStem(w.fold)) || c.temporal && sameState(w.fold, c.first()))
	})
}

// countsFilled reports whether a figure tells in how many of all rows a column is filled, or is not.
func (s *sentence) countsFilled(i int) bool {
	lacks := slices.ContainsFunc(s.tokens, func(t token) bool { return t.kind == word && s.lacksAt(s.placeOf(t)) })
	if !lacks && (s.denies() || !s.anyCue(0, len(s.tokens), keptWords, keptKorean...)) {
		return false
	}
	for _, t := range s.checker.tables {
		for col := range t.columns {
			c := &t.columns[col]
			empty := c.nulls(t.all())
			if c.numeric || !t.whole || t.rows < 2 || empty == 0 || !s.speaksOfCells(c, t, col) {
				continue
			}
			want := int64(t.rows - empty)
			if lacks {
				want = int64(empty)
			}
			for k := max(0, i-1); k < min(i+1, len(s.figures)-1); k++ {
				if part, of := s.ofAll(k, t); of && part == want {
					return true
				}
			}
		}
	}
	return false
}

// filledFalsely is the token of a claim about the cells of a column that is false: of one name, of
// all, or of how many of all rows; -1 for none.
func (s *sentence) filledFalsely(c *column, t *table, index int, lacks bool) int {
	if len(s.referents) == 1 && len(s.figures) == 0 && len(s.referents[0].rows[index]) == 1 {
		if lacks != c.cells[s.referents[0].rows[index][0]].null && lacks {
			return s.referents[0].at
		}
		return -1
	}
	if len(s.referents) > 0 {
		return -1
	}
	for i := range s.tokens {
		if !lacks && s.universalAt(i) && s.countsAllOnly() && !s.excepts() {
			return i
		}
	}
	for i := 0; i+1 < len(s.figures); i++ {
		part, of := s.ofAll(i, t)
		if of && part != int64(t.rows-c.nulls(t.all())) && !lacks || of && part != int64(c.nulls(t.all())) && lacks {
			return s.figures[i].at
		}
	}
	return -1
}

// ofAll is how many of all rows two figures tell of, "5 of the 6", "6명 중 5명".
func (s *sentence) ofAll(i int, t *table) (part int64, ok bool) {
	a, b := &s.figures[i], &s.figures[i+1]
	n, first := a.count()
	m, second := b.count()
	switch {
	case !first || !second:
		return 0, false
	case m == int64(t.rows) && b.at-a.to <= 2 && s.hasAny(a.to, b.at, "of"):
		return n, true
	case n == int64(t.rows) && (hasPrefix(s.foldAt(b.at-1), "중") || hasSuffix(a.rest, "중")):
		return m, true
	}
	return 0, false
}

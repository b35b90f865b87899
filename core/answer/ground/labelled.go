package ground

import "slices"

// checkLabelled refuses words that no row has behind the name of a column of texts and a
// colon: "Category: Garden". Only whole parts of plain words are looked at, so that what
// is said of the values ("Status: not recorded") is left to the other checks.
func (s *sentence) checkLabelled(colon int) {
	if s.foldAt(colon) != ":" || s.taken[colon] || colon == 0 {
		return
	}
	to := colon + 1
	for ; to < len(s.tokens) && s.is(to, word); to++ {
		t := s.tokens[to]
		if s.taken[to] || t.hangul && !(s.isStrangeName(to) && s.labelsKorean(colon)) || stopWords[t.fold] || s.checker.known[t.fold] || s.checker.isNoun(t.fold) {
			return
		}
	}
	ends := to == len(s.tokens) || s.hasAny(to, to+1, ";", ",", "|", ".")
	if n := to - colon - 1; n == 0 || n > 3 || !ends || !s.labels(colon) {
		return
	}
	s.violate(colon+1, to, "this value stands in no row that is shown, nor in the question")
}

// labels reports whether the words before a colon, from the beginning of their part, are
// the name of a column of texts that were all seen.
func (s *sentence) labels(colon int) bool {
	from, _ := s.span(colon - 1)
	return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return t.whole && slices.ContainsFunc(t.columns, func(c column) bool {
			if c.numeric || c.temporal {
				return false
			}
			said := 0
			for i := from; i < colon; i++ {
				switch w := s.tokens[i]; {
				case w.kind != word:
				case !slices.ContainsFunc(c.words, func(have string) bool { return concept(have) == concept(stem(w.fold)) }) && !c.isCalled(koreanStem(w.fold)):
					return false
				default:
					said++
				}
			}
			return said > 0
		})
	})
}

// labelsKorean reports whether the words before a colon are the name of a column whose texts
// are Korean, so that a Korean word behind it translates none.
func (s *sentence) labelsKorean(colon int) bool {
	for i := colon - 1; i >= 0 && s.is(i, word); i-- {
		for _, t := range s.checker.tables {
			if slices.ContainsFunc(t.columns, func(c column) bool {
				return c.isText() && c.isCalled(koreanStem(s.foldAt(i))) && slices.ContainsFunc(c.cells, func(v cell) bool { return isHangul(v.text) })
			}) {
				return true
			}
		}
	}
	return false
}

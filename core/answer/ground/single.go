package ground

import (
	"math/big"
	"slices"
	"strings"
)

// someWords say that there is one at least, and no more than that.
var someWords = set("some several few many various multiple numerous")

// checkOneNumber refuses what a result of numbers alone does not tell: that some are there
// where it is zero, and that all are so, where it only counts those that are.
func (s *sentence) checkOneNumber() {
	if !s.checker.isOneRow() || len(s.referents) > 0 {
		return
	}
	t := s.checker.tables[0]
	for i, w := range s.tokens {
		if s.taken[i] || w.kind != word || s.checker.asks(set(w.fold), w.fold) || s.denied(i) {
			continue
		}
		switch {
		case someWords[w.fold] || w.hangul && hasPrefix(w.text, "일부", "여러", "다수"):
			if s.checker.isScalar() && t.columns[0].isZeroAt(0) && s.speaksOfAsked(i) && s.foldAt(i-1) != "how" {
				s.violate(i, i+1, "the result is zero")
			}
		case s.universalAt(i) && s.foldAt(i+1) != "of" && s.speaksOfAsked(i) && !s.anyCue(0, len(s.tokens), totalWords, totalKorean[:6]...):
			if s.checker.isScalar() && len(s.figures) == 0 && !s.denies() || s.isPartOfWhole(i, t) {
				s.violate(i, i+1, "the result does not say this of all")
			}
		}
	}
}

func (c *column) isZeroAt(row int) bool {
	return c.cells[row].number != nil && c.cells[row].number.Sign() == 0
}

// speaksOfAsked reports whether a word stands before a noun of the question.
func (s *sentence) speaksOfAsked(i int) bool {
	for k := i + 1; k < min(i+5, len(s.tokens)); k++ {
		if s.is(k, word) && !s.figureAtToken(k) && !stopWords[s.foldAt(k)] && s.checker.isNoun(koreanStem(s.foldAt(k))) {
			return true
		}
	}
	return false
}

// isPartOfWhole reports whether "all N" is told with the word for another column of the row, which
// is less: "all 435 get the newsletter" of 182 who do.
func (s *sentence) isPartOfWhole(i int, t *table) bool {
	f := s.oneFigure(0, len(s.tokens))
	if f == nil || f.at != i+1 || f.hedge != exact {
		return false
	}
	whole := slices.IndexFunc(t.columns, func(c column) bool { return c.measure() && c.cells[0].equal(f, nil) })
	if whole < 0 {
		return false
	}
	for k := f.to; k < len(s.tokens); k++ {
		for id := range s.namedBy(koreanStem(s.foldAt(k)), nil) {
			c := s.columnOf(id)
			if of := &t.columns[whole]; c != of && c.measure() && c.adds() && !of.saysColumn(koreanStem(s.foldAt(k))) && c.wholes && c.cells[0].number != nil && c.cells[0].number.Cmp(of.cells[0].number) < 0 {
				return true
			}
		}
	}
	return false
}

// checkKinds refuses another value of a kind than a row has, right behind the noun for its
// column: "its status is shipped" of a delivered order.
func (s *sentence) checkKinds() {
	for i := range s.tokens {
		if !s.is(i, word) || s.taken[i] {
			continue
		}
		end := i + 1
		if s.foldAt(end) == "of" {
			for end++; end < min(i+6, len(s.tokens)) && s.foldAt(end) != ":" && !clauseVerbs[s.foldAt(end)]; {
				end++
			}
		}
		verb := s.hasAny(end, end+1, "is", "was", ":", "=") || s.tokens[i].hangul && hasSuffix(s.tokens[i].text, "는", "은")
		if !verb {
			continue
		}
		at := end
		if !s.tokens[i].hangul || s.foldAt(end) == ":" {
			at++
		}
		s.checkKindAt(at, koreanStem(s.foldAt(i)))
	}
}

// checkKindAt refuses a value at a token that is of the kind of the values in the column of a
// noun, and that the row does not have.
func (s *sentence) checkKindAt(at int, noun string) {
	if !s.is(at, word) || s.taken[at] || s.denied(at) {
		return
	}
	said := s.kindSaid(at)
	if said == nil {
		return
	}
	for index, t := range s.checker.tables {
		row := 0
		if t.rows != 1 {
			r, _ := s.referentOf(&figure{at: at, to: at + 1})
			if r == nil || len(r.rows[index]) != 1 {
				continue
			}
			row = r.rows[index][0]
		}
		for col := range t.columns {
			c := &t.columns[col]
			if c.numeric || c.temporal || !c.saysColumn(noun) || c.cells[row].null {
				continue
			}
			if have := valueNamed(c.cells[row].text); have != nil && !slices.Contains(have, said[0]) && sameKind(have[0], said[0]) {
				s.violate(at, at+1, "the row says the contrary")
			}
		}
	}
}

// kindSaid are the words for the value of a kind that a token says, nil for none.
func (s *sentence) kindSaid(at int) []string {
	w := s.foldAt(at)
	if out := valueNamed(w); out != nil {
		return out
	}
	return valueNamed(koreanStem(w))
}

// checkDeniedOfAll refuses that a word for all denies what a column of moments has for some, or
// affirms what it lacks for some: "모두 퇴사하지 않고" of rows of which one has a day of leaving.
func (s *sentence) checkDeniedOfAll() {
	none := s.hasAny(0, len(s.tokens), "none", "nobody") || s.anyCue(0, len(s.tokens), nil, "아무도")
	all := none || s.hasAny(0, len(s.tokens), "all", "everyone", "each", "every") || s.anyCue(0, len(s.tokens), nil, "모두", "전부", "전원")
	if !all || s.speaksOfShown() || len(s.referents) > 0 || s.hasAny(0, len(s.tokens), "except", "but", "not") || s.anyCue(0, len(s.tokens), nil, "제외", "빼", "날짜", "기준") {
		return
	}
	for i, t := range s.tokens {
		if t.kind != word || s.taken[i] || len(s.figures) > 1 {
			continue
		}
		denied := none || t.hangul && (strings.HasSuffix(t.text, "지") && hasPrefix(s.foldAt(i+1), "않") || strings.Contains(t.text, "지않"))
		for _, table := range s.checker.tables {
			for col := range table.columns {
				c := &table.columns[col]
				filled := table.rows - c.nulls(table.all())
				if !c.temporal || !table.whole || table.rows < 2 || !c.saysMoment(t) {
					continue
				}
				if denied && filled > 0 && (t.hangul || s.isParticiple(i)) || !denied && filled < table.rows && s.isParticiple(i) {
					s.violate(i, i+1, "the rows say the contrary of some")
					return
				}
			}
		}
	}
}

// checkFirstTo checks "A was the first to be closed" and "the last to be closed": in the column
// of moments that the verb names.
func (s *sentence) checkFirstTo() {
	for i, t := range s.tokens {
		direction := boolInt(t.fold == "last") - boolInt(t.fold == "first")
		noun := s.is(i+1, word) && !s.isNameToken(i+1) && s.foldAt(i-1) == "the" && s.foldAt(i+2) == "to" && !s.figureBetween(i, i+8) // "the first project to start"
		if s.foldAt(i+1) == "of" && s.foldAt(i-1) == "the" && s.hasAny(i+3, i+6, "to") && !s.figureBetween(i+4, i+9) && s.namesFree(i, i+6) {
			noun = true // "the first of the four to order"
		}
		if direction == 0 || s.foldAt(i+1) != "to" && !noun {
			continue
		}
		r, group := s.whoIs(i)
		if r != nil && s.checker.hasMoments() && !s.denied(i) && !s.isExtremeInTime(r, direction, max(1, len(group)), false) {
			s.violate(i, i+1, "another row is earlier or later, or not all rows were seen")
		}
	}
}

// checkAllMove refuses that all rose, or fell, where a column of changes, or of two years, says
// the contrary of some; and that one did that did not.
func (s *sentence) checkAllMove() {
	up := boolInt(s.anyCue(0, len(s.tokens), riseWords, riseKorean...)) - boolInt(s.anyCue(0, len(s.tokens), fallWords, fallKorean...))
	if up == 0 || len(s.referents) > 1 || s.denies() {
		return
	}
	all := slices.IndexFunc(s.tokens, func(t token) bool {
		return t.fold == "all" || t.fold == "every" || t.fold == "each" || t.hangul && hasPrefix(t.text, "모든", "모두", "전부")
	})
	for index, t := range s.checker.tables {
		var rows []int
		switch {
		case !t.whole:
			continue
		case len(s.referents) == 1:
			rows = s.referents[0].rows[index]
		case all >= 0 && s.universalAt(all) && !s.saysExcept() && !s.hasAny(all-1, all, "over", "across"):
			rows = t.all()
		}
		c := t.changes()
		if c == nil || len(rows) == 0 || len(s.referents) == 1 && (c.change || len(rows) != 1) {
			continue
		}
		if slices.ContainsFunc(rows, func(row int) bool { n := c.cells[row].number; return n != nil && n.Sign() != up }) {
			s.violate(0, 1, "the rows say the contrary")
			return
		}
	}
}

func (s *sentence) saysExcept() bool {
	return s.hasAny(0, len(s.tokens), "except", "but", "other", "others", "together") || s.anyCue(0, len(s.tokens), nil, "제외", "나머지", "합")
}

// changes is the one column of changes of a table without moments, or what its two measures of
// two years give; nil where there is neither.
func (t *table) changes() *column {
	var found, years []*column
	for i := range t.columns {
		switch c := &t.columns[i]; {
		case c.temporal:
			return nil
		case !c.measure():
		case c.change:
			found = append(found, c)
		case c.year != 0:
			years = append(years, c)
		default:
			return nil
		}
	}
	switch {
	case len(found) == 1 && (len(years) == 0 || len(years) == 2):
		return found[0]
	case len(found) > 0 || len(years) != 2:
		return nil
	case years[0].year > years[1].year:
		years[0], years[1] = years[1], years[0]
	}
	return years[1].with(years[0], func(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) })
}

// isParticiple reports whether a word says that something has happened: "were closed", 폐점했.
func (s *sentence) isParticiple(i int) bool {
	t := s.tokens[i]
	if t.hangul {
		return strings.Contains(t.text, "했") || strings.Contains(t.text, "됐") || strings.Contains(t.text, "되었")
	}
	return s.hasAny(i-2, i, "were", "are", "been", "have", "has", "is", "was")
}

// saysMoment reports whether a word is one for what happens at the moments of a column.
func (c *column) saysMoment(t token) bool {
	return slices.ContainsFunc(c.words, func(w string) bool {
		return w == t.fold || sameRoot(w, stem(t.fold)) || t.hangul && slices.ContainsFunc(happens[w], func(k string) bool { return strings.HasPrefix(t.text, k) })
	})
}

// happens are the Korean words for what English names of columns say to have happened.
var happens = map[string][]string{"left": {"퇴사", "퇴직", "그만"}, "closed": {"폐점", "폐업", "종료"}, "ended": {"종료"}, "cancelled": {"취소"}, "shipped": {"발송", "출고"}, "delivered": {"배송"}, "paid": {"결제", "납부"}, "returned": {"반납", "반환"}, "resigned": {"퇴사"}}

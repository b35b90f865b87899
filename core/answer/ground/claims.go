package ground

import (
	"slices"
)

// checkClaims checks what the sentence says without figures: that something is the
// most, more than another, all, only or none.
func (s *sentence) checkClaims() {
	s.checkNone()
	s.checkSuperlatives()
	s.checkComparisons()
	s.checkTopLists()
	s.checkAges()
	s.checkTrends()
	s.checkMoves()
	s.checkSigns()
	s.checkSequels()
	s.checkSequences()
	s.checkDateColumns()
	s.checkStates()
	s.checkAbsent()
	s.checkStrays()
	s.checkExistence()
	s.checkPartOf()
	s.checkMoreOfTwo()
	s.checkItems()
	s.checkAffirmed()
	s.checkBools()
	s.checkNulls()
	s.checkFilled()
	s.checkFlagged()
	s.checkSaidOfResult()
	s.checkColumns()
	s.checkExtremes()
	s.checkScaleEnds()
	s.checkDateWords()
	s.checkDateOfAll()
	s.checkWeekdays()
	s.checkPartial()
	s.checkDatesOfNames()
	s.checkModifiers()
	s.checkExcuses()
	s.checkCauses()
	s.checkPlaces()
	s.checkTies()
	s.checkMajorities()
	s.checkOnly()
	s.checkEach()
	s.checkWhole()
	s.checkHeads()
	s.checkDateHeads()
	s.checkCells()
	s.checkPrefixes()
	s.checkStrangers()
	s.checkParallel()
	s.checkRuns()
	s.checkBracketed()
	s.checkCrossed()
	s.checkDatesBeside()
	s.checkValues()
	s.checkDirections()
	s.checkPolarity()
	s.checkWidened()
	s.checkOneNumber()
	s.checkKinds()
	s.checkDeniedOfAll()
	s.checkFirstTo()
	s.checkAllMove()
	s.checkExceptedValue()
	s.checkOtherEnd()
	s.checkShortened()
	s.checkRangeOfPart()
	s.checkRangeOfAll()
	s.checkListedCount()
	s.checkTopOnly()
	s.checkOnlyOfValue()
	s.checkOnlyHaving()
	s.checkOnlyBeyond()
	s.checkEveryRespect()
	s.checkLeadsApart()
	s.checkLeadsEach()
	s.checkShared()
	s.checkThanOthers()
	s.checkLastTo()
	s.checkBetweenNames()
	s.checkBackwards()
	s.checkHeadedDates()
	s.checkFirstOfAll()
	s.checkRangeEnds()
}

// partial reports whether a table is there of which rows were left out.
func (c *Checker) partial() bool {
	return slices.ContainsFunc(c.tables, func(t *table) bool { return !t.whole })
}

// checkPartial refuses claims about all rows where only some were seen, unless they
// are the question's own words or about what is shown.
func (s *sentence) checkPartial() {
	if s.checker.incomplete {
		return
	}
	if !s.checker.partial() {
		s.checkUniversal()
		return
	}
	for i, t := range s.tokens {
		if s.countsPart(i) && !s.speaksOfShown() {
			s.violate(i, i+2, "not all rows were seen, so this cannot be said")
			continue
		}
		if s.taken[i] && !s.closesAt(i) || !claimsAll[t.fold] && !(t.hangul && hasPrefix(t.text, "모든", "모두", "전부", "전원", "유일", "오직", "아무도", "항상", "하나도")) && !s.closesAt(i) {
			continue
		}
		if age := s.ageAt(i + min(1, len(s.tokens)-1-i)); t.fold == "most" && age != 0 && s.checker.ordersAges(age) {
			continue // checkAges looks at these
		}
		if b := s.noneBeyond(i); nounsOfNone[t.fold] && b.direction != 0 && s.isUnbeaten(b) {
			continue
		}
		if s.checker.isAsked(t.fold) && !((t.fold == "all" || t.hangul) && s.valueBehind(i)) || s.speaksOfTheResult(i) {
			continue
		}
		s.violate(i, i+1, "not all rows were seen, so this cannot be said")
	}
}

// checkNulls refuses that all have what some rows lack: "every return has a reason".
func (s *sentence) checkNulls() {
	from, to := 0, len(s.tokens)
	if s.denies() {
		return
	}
	if !s.hasAny(from, to, "all", "every", "each", "everyone", "everybody") && !s.anyCue(from, to, nil, "모든", "모두", "전부") || !s.hasAny(from, to, "has", "have", "carry", "carries", "had", "collected", "made", "received", "recorded", "got") && !s.anyCue(from, to, nil, "있", "적혀", "기재") {
		return
	}
	others := s.excepts() || s.anyCue(from, to, otherWords) || s.anyCue(from, to, nil, "나머지", "다른")
	for i := range s.tokens {
		w := concept(koreanStem(s.tokens[i].fold))
		if s.taken[i] || s.tokens[i].kind != word || stopWords[w] || i > 0 && (s.foldAt(i-1) == "every" || s.foldAt(i-1) == "all" || s.foldAt(i-1) == "each") {
			continue
		}
		for index, t := range s.checker.tables {
			rows := t.all()
			if others && s.earlierRows != nil {
				rows = s.others(t, index)
			}
			if slices.ContainsFunc(t.columns, func(c column) bool {
				return slices.ContainsFunc(c.words, func(have string) bool {
					return concept(have) == w || isHangul(w) && concept(have) == concept(s.wordBehind(i))
				}) && (slices.ContainsFunc(rows, func(row int) bool { return c.cells[row].null }) || len(s.figures) == 0 && !s.excepts() && c.adds() && !c.change && t.whole && len(c.without()) > 0)
			}) {
				s.violate(i, i+1, "some rows have none")
				return
			}
		}
	}
}

var claimsAll = set("most all every everyone everything only none nobody always never entire whole")

// speaksOfTheResult tells "all 344 rows are in the table" and "only the first 20 are
// shown", which the reader can see.
func (s *sentence) speaksOfTheResult(at int) bool {
	if slices.ContainsFunc(s.figures, func(f figure) bool {
		return f.at > at && f.at-at <= 4 && !(s.foldAt(at) == "all" && s.countsAll(&f) && s.valueBehind(f.to))
	}) {
		return true
	}
	before := s.foldAt(at - 1)
	if before == "in" || before == "at" || s.tokens[at].fold == "all" && (before == "of" && (s.figureEndsAt(at-1) || s.hasAny(at+1, at+2, "the", "these", "those", "of")) || before == "above" || before == "is" && !s.is(at+1, word) || s.foldAt(at+1) == "in" && s.foldAt(at+2) == "all") {
		return true
	}
	return s.hasAny(0, len(s.tokens), "table", "rows", "row", "result", "results", "shown", "displayed", "listed", "preview", "limit", "list", "records", "visible", "see") ||
		s.anyCue(0, len(s.tokens), nil, "표", "화면", "보여", "보이", "보입", "결과", "행", "미리보기", "표시", "목록")
}

// valueBehind reports whether a value of rows that the question does not name stands behind
// a token: "all 344 are open" of the first eight.
func (s *sentence) valueBehind(at int) bool {
	return slices.ContainsFunc(s.refs, func(r ref) bool { return r.at >= at && !s.checker.asks(set(s.foldAt(r.at)), s.foldAt(r.at)) })
}

// checkSuperlatives checks that what is said to be the most is it.
func (s *sentence) checkSuperlatives() {
	for clause := 0; clause < len(s.tokens); {
		begin := clause
		_, to := s.clauseSpan(begin)
		direction, at := s.ordering(begin, to)
		if direction == 0 {
			clause = to
			continue
		}
		clause = at + 1
		if s.checker.hasMoments() && (s.ageAt(at) != 0 || at+1 < to && s.ageAt(at+1) != 0) {
			continue // checkAges looks at these
		}
		if s.isColumnName(at) || s.isPartOfName(at) || s.leadsName(at) || s.onlyMeasures(at) {
			continue
		}
		if !s.changes() && s.anyCue(at+1, at+3, fallWords, fallKorean...) {
			direction = -direction // the largest drop is the smallest change
		}
		if s.checkSuperlativeInTime(at) {
			continue
		}
		of := s.apposed(at)
		switch r, group := s.whoIs(at); {
		case of != nil:
			s.checkSuperlative(direction, at, of, s.run(of, s.coordinated))
		case r != nil && r.at < begin && begin > s.clauseStart(begin):
			// A second superlative of a clause is of a name between the two.
			if names := s.namesAround(begin, at); len(names) > 0 {
				last := names[len(names)-1]
				s.checkSuperlative(direction, at, last, s.run(last, s.listed))
			} else if _, last := s.clauseSpan(at); s.sharesVerb(begin, at) || s.goesOnByPronoun(at) || s.tokens[at].hangul && len(s.namesOf(begin, last)) == 0 && !s.figureBetween(begin, last) {
				s.checkSuperlative(direction, at, r, group)
			}
		case r != nil:
			s.checkSuperlative(direction, at, r, group)
		case s.isLone() && !s.checker.seeks(direction) && !s.namesOwnColumn(at):
			s.violate(at, at+1, "the result has nothing to compare it with")
		}
	}
}

// goesOnByPronoun reports whether the part of a sentence around a token goes on about the name before it
// by a pronoun: "A is the most used, and its average is the lowest".
func (s *sentence) goesOnByPronoun(at int) bool {
	from, to := s.span(at)
	return s.hasAny(from, from+2, "its", "it", "their", "they", "his", "her") && s.namesFree(from, to)
}

// sharesVerb reports whether a superlative goes on with the one before it, in tokens from..at, that
// has the same subject and verb: "has the most flats and the lowest rent".
func (s *sentence) sharesVerb(from, at int) bool {
	if s.tokens[at].hangul || !s.hasAny(from, at, "and", ",") || s.figureBetween(from, at) {
		return false
	}
	_, last := s.clauseSpan(at)
	for i := from; i < at; i++ {
		if clauseVerbs[s.foldAt(i)] || s.hasAny(i, i+1, "while", "of", "in") {
			return false
		}
	}
	return len(s.namesOf(at, last)) == 0
}

// clauseStart is the first token of the clause around a token.
func (s *sentence) clauseStart(i int) int {
	from, _ := s.clauseSpan(i)
	return from
}

// isPartOfName tells "maximum price" from a superlative where that is a column.
func (s *sentence) isPartOfName(at int) bool {
	w := s.foldAt(at)
	return (w == "maximum" || w == "minimum" || w == "max" || w == "min") && s.foldAt(at-1) != "the" && s.namesOwnColumn(at)
}

// checkSuperlativeInTime checks a Korean superlative of a column of moments: "입사일이 가장
// 빠른".
func (s *sentence) checkSuperlativeInTime(at int) bool {
	if !s.tokens[at].hangul || !hasPrefix(s.tokens[at].text, mostKorean...) {
		return false
	}
	direction := boolInt(hasPrefix(s.foldAt(at+1), "늦", "나중")) - boolInt(hasPrefix(s.foldAt(at+1), "빠", "빨", "이르", "이른", "일찍"))
	from, _ := s.clauseSpan(at)
	moments := slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(c column) bool { return c.temporal && s.saysColumn(&c, t, from, at) })
	})
	if direction == 0 || !moments {
		return false
	}
	if r, group := s.whoIs(at); r != nil && !s.isExtremeInTime(r, direction, max(1, len(group)), s.saysAge(at)) && !s.denied(at) {
		s.violate(at, at+1, "another row is earlier or later, or not all rows were seen")
	}
	return true
}

// leadsName tells "A leads B", which compares two names, from a superlative.
func (s *sentence) leadsName(at int) bool {
	w := s.foldAt(at)
	return (w == "leads" || w == "lead" || w == "led" || w == "tops") && s.isNameToken(at+1) && at > 0 && len(s.namesOf(0, at)) > 0
}

// topsList tells "tops the list", which is of the order of the rows.
func (s *sentence) topsList(at int, r *referent) bool {
	return s.hasAny(at, at+1, "tops", "heads", "leads") && s.hasAny(at+1, at+3, "list", "table") && slices.ContainsFunc(r.rows, func(rows []int) bool { return slices.Contains(rows, 0) })
}

// isColumnName reports whether a Korean word is the whole name of a column: 최고기온.
func (s *sentence) isColumnName(at int) bool {
	w := koreanStem(s.tokens[at].text)
	return s.tokens[at].hangul && len(w) > len("최고") && slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(c column) bool { return c.name == w })
	})
}

// whoIs is what a superlative is said of: the name in its part of the sentence, else the
// next one behind it, else the one before.
func (s *sentence) whoIs(at int) (*referent, []*referent) {
	f := &figure{at: at, to: at + 1}
	from, to := s.span(at)
	for i := range s.referents {
		if r := &s.referents[i]; r.at >= from && r.at < to {
			return r, s.run(r, s.listed)
		}
	}
	for _, g := range s.figuresIn(from, to) { // "the lowest is 26.66 (order 3311)"
		for k := range s.referents {
			if r := &s.referents[k]; s.foldAt(g.to) == "(" && r.at > g.to && r.at <= g.to+2 {
				return r, nil
			}
		}
	}
	first, last := s.clauseSpan(at)
	for i := range s.referents {
		r := &s.referents[i]
		if r.at >= first && r.at < last && (r.at > at || i+1 == len(s.referents) || s.referents[i+1].at > at) {
			return r, s.run(r, s.listed)
		}
	}
	if r := s.subjectBefore(first); r != nil {
		return r, s.run(r, s.listed)
	}
	return s.carried(f), nil
}

// subjectBefore is the name with which the clause before one begins that goes on about it
// with a verb: "A comes second but has the lowest price".
func (s *sentence) subjectBefore(first int) *referent {
	its := first > 0 && s.foldAt(first) == "," && s.hasAny(first+1, first+2, "its", "it", "their", "they", "he", "she", "his", "her")
	if first == 0 || !its && (!hardBreaks[s.foldAt(first)] || !s.hasAny(first+1, first+2, "has", "have", "had", "is", "was", "are", "were", "also", "only", "not", "still", "shows", "ranks", "comes", "with", "posted", "recorded", "its", "it", "their", "they")) {
		return nil
	}
	begin, _ := s.clauseSpan(first - 1)
	for i := range s.referents {
		if r := &s.referents[i]; r.at >= begin && r.at < first {
			return r
		}
	}
	return nil
}

func (s *sentence) checkSuperlative(direction, at int, r *referent, group []*referent) {
	ranked := slices.ContainsFunc(s.figures, func(f figure) bool { return f.ordinal && f.at >= at-4 && f.at <= at+3 })
	if ranked {
		return // its figure says which place, and was checked
	}
	if group == nil {
		group = []*referent{r}
	}
	ok, partial := s.isMost(direction, at, r, group)
	ok = ok || direction > 0 && s.isFirst(r) || s.topsList(at, r)
	if leads, said := s.leadsOnScale(direction, at, r); said {
		ok = leads
	}
	ok = ok || s.checker.isLoneRow(r) && s.checker.seeks(direction) && !s.seeksAnother(at)
	if s.denied(at) {
		ok = !ok && !partial
	} else if s.leadsInTime(direction, at, r, len(group)) {
		return
	}
	if ok {
		return
	}
	why := "another row has more"
	switch {
	case partial:
		why = "not all rows were seen, so nothing can be said to be the most or the least"
	case direction < 0:
		why = "another row has less"
	}
	s.violate(at, at+1, why)
}

// namesOwnColumn reports whether a superlative is what the one column holds.
func (s *sentence) namesOwnColumn(at int) bool {
	a := s.aggregateAt(at)
	return a != "" && slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(c column) bool { return c.aggregateOf() == a })
	})
}

// isLone reports whether all that was found is one row.
func (s *sentence) isLone() bool {
	return len(s.checker.tables) > 0 && !slices.ContainsFunc(s.checker.tables, func(t *table) bool { return t.count != 1 || len(t.columns) > 1 })
}

// isFirst reports whether a column of ranks has the row in the first place.
func (s *sentence) isFirst(r *referent) bool {
	for i, t := range s.checker.tables {
		for col := range t.columns {
			c := &t.columns[col]
			if c.place && slices.ContainsFunc(r.rows[i], func(row int) bool {
				return c.cells[row].number != nil && c.cells[row].number.Cmp(rat(1)) == 0
			}) {
				return true
			}
		}
	}
	return false
}

// leadsInTime lets superlatives pass that order moments, where the question asks for
// them in the same words: of the first or the last moment of a column.
func (s *sentence) leadsInTime(_, at int, r *referent, among int) bool {
	numeric := slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(c column) bool { return c.measure() })
	})
	return !numeric && s.checker.asks(set(s.tokens[at].fold), s.tokens[at].fold) && (s.isExtremeInTime(r, 1, among, s.saysAge(at)) || s.isExtremeInTime(r, -1, among, s.saysAge(at)))
}

// seeks reports whether the question asks for the most, or the least.
func (c *Checker) seeks(direction int) bool {
	q := &sentence{checker: c, tokens: c.asked.tokens, taken: make([]bool, len(c.asked.tokens))}
	found, _ := q.ordering(0, len(q.tokens))
	return found == direction
}

// leads reports whether the rows of the group are the first of a column, over all rows
// or over those that share another name of the clause.
func (s *sentence) leads(t *table, c *column, index int, group []*referent, direction int) bool {
	scopes := [][]int{t.all()}
	if s.hasAny(0, len(s.tokens), "recorded", "known", "stated", "specified", "named", "given") || s.anyCue(0, len(s.tokens), nil, "적힌", "기재된", "기록된", "알려진", "명시된", "있는") {
		for col := range t.columns {
			if o := &t.columns[col]; !o.numeric && !o.temporal {
				scopes = append(scopes, slices.DeleteFunc(t.all(), func(row int) bool { return o.cells[row].null }))
			}
		}
	}
	if s.hasAny(0, len(s.tokens), "rest", "others", "other", "remaining") || s.anyCue(0, len(s.tokens), nil, "나머지", "그 외", "그외") {
		named := slices.DeleteFunc(t.all(), func(row int) bool { return slices.Contains(s.earlierRows[index], row) })
		scopes = append(scopes, named)
	}
	scopes = append(scopes, s.scopesOf(t, c, index)...)
	if rows := s.saidPart(t); len(rows) > 1 {
		scopes = append(scopes, rows)
	}
	if s.hasAny(0, len(s.tokens), "these", "them", "those") && s.hasAny(0, len(s.tokens), "of", "among") || s.anyCue(0, len(s.tokens), nil, "그중", "이중") {
		if rows := s.rowsSoFar(group[0], index); len(rows) > len(group) {
			scopes = append(scopes, rows)
		}
	}
	for _, p := range group[0].parts {
		if rows := p.rows[index]; len(rows) > 1 && !s.standsInScope(group[0], p) {
			scopes = append(scopes, rows)
		}
	}
	return slices.ContainsFunc(scopes, func(rows []int) bool {
		for _, g := range group {
			if !slices.ContainsFunc(g.rows[index], func(row int) bool {
				return slices.Contains(rows, row) && c.beaten(row, rows, direction) < len(group)
			}) {
				return false
			}
		}
		return true
	})
}

// standsInScope reports whether the sentence begins with another part of a name, among whose rows
// it speaks of this one: of "in 2026, A had the most" the rows of A in other years are no scope.
func (s *sentence) standsInScope(r *referent, p ref) bool {
	return slices.ContainsFunc(r.parts, func(o ref) bool {
		if o.to > len(s.tokens) {
			return false // it is a name of another sentence
		}
		opens := o.at <= 1 && s.foldAt(o.to) == "," && s.hasAny(o.at-1, o.at, "in", "for", "during", "within")
		return o.at != p.at && (opens || o.at == 0 && hasSuffix(s.tokens[o.to-1].text+s.gluedAt(o.to), "에는", "에서는", "에", "에서"))
	})
}

// rowsSoFar are the rows of the names that a sentence has told up to one, or the sentence
// before: those of which "of these" speaks.
func (s *sentence) rowsSoFar(r *referent, index int) []int {
	var rows []int
	for _, o := range s.namesOf(0, r.at) {
		rows = union(rows, o.rows[index])
	}
	if len(rows) < 2 && s.last != nil && s.last.checker == s.checker {
		for _, o := range s.last.referents {
			rows = union(rows, o.rows[index])
		}
	}
	if len(intersect(rows, r.rows[index])) == 0 {
		return nil
	}
	return rows
}

// beaten is how many rows have more than one of them, or less for up < 0.
func (c *column) beaten(row int, rows []int, up int) int {
	if c.cells[row].number == nil {
		return len(rows)
	}
	n := 0
	for _, other := range rows {
		if v := c.cells[other].number; v != nil && v.Cmp(c.cells[row].number) == up {
			n++
		}
	}
	return n
}

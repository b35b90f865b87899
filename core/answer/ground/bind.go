package ground

import (
	"slices"
	"strings"
)

// check finds what nothing proves in the sentence.
func (s *sentence) check() []Violation {
	s.checkQuotes()
	s.checkAddresses()
	s.checkProperNames()
	for i := range s.figures {
		if s.proved[i] {
			continue
		}
		f := &s.figures[i]
		if len(f.amounts) == 0 {
			s.violate(f.at, f.to, "this number cannot be read")
			continue
		}
		if s.prove(i) {
			s.proved[i] = true
			continue
		}
		s.violate(f.at, f.to, s.whyNot(f))
	}
	s.checkClaims()
	return s.bad
}

// whyNot says in plain words what a figure lacks.
func (s *sentence) whyNot(f *figure) string {
	r, _ := s.referentOf(f)
	switch {
	case r != nil:
		return "this is not what the result has for " + s.nameOf(r)
	case slices.ContainsFunc(s.checker.tables, func(t *table) bool { return !t.whole }):
		return "this number belongs to no row that the sentence names, and nothing can be computed over a partial preview"
	}
	return "this number belongs to no row that the sentence names, and no derivation that it names gives it"
}

func (s *sentence) nameOf(r *referent) string {
	if r.to <= len(s.tokens) && r.at < r.to {
		return s.text[s.tokens[r.at].begin:s.tokens[r.to-1].end]
	}
	return "that row"
}

// prove reports whether the figure is what the sentence says it is.
func (s *sentence) prove(i int) bool {
	f := &s.figures[i]
	if s.echoes(f) || s.isReckonedCell(f) {
		return true
	}
	if s.isOtherPart(f) || s.swapsSides(i) {
		return false
	}
	if s.countsWhole(f) && !s.isWholeCount(f) || s.miscountsOthers(f) {
		return false
	}
	if of, to, ok := s.perOne(f); ok {
		return s.isPerOne(f, of, to)
	}
	if s.isPartOfTold(f) {
		return s.isPartOfOther(f)
	}
	if end := s.firstBeyond(f); end != 0 {
		return s.isFirstBeyond(f, end)
	}
	switch {
	case s.isStale(f):
		return false
	case s.isStreak(f):
		return s.holdsStreak(f)
	case s.countsSteps(f):
		return s.holdsSteps(f)
	case f.at == s.stepAt() && slices.ContainsFunc(s.figures, func(g figure) bool { return s.countsSteps(&g) }), s.isLargestStep(f):
		return true
	case s.spanUnit(f) != "" && s.comesLater(i) != 0 && s.checker.hasMoments():
		r, _ := s.referentOf(f)
		return s.isOfMoments(i, r) || s.isHeld(i)
	}
	if s.countsStrangers(f) || s.isDenied(f) || s.isNoCount(f) || s.exceedsWhole(i) || s.countsAllAsRest(f) {
		return false
	}
	r, group := s.referentOf(f)
	if s.dropsSign(f, r) || s.isMislabelled(f, r) {
		return false
	}
	if f.ordinal && (s.placesBase(i) || s.isPlaceAgainst(f) || s.standsForRow(f)) {
		return true
	}
	if f.amounts[0].end != nil && len(group) > 1 && r.at < f.at && !s.isGap(f) {
		return s.isBounded(f, r, group)
	}
	if s.isOneOfEnds(f) && !s.checker.partial() && s.saysSpread(f) {
		return s.isEnd(f, nil)
	}
	if s.goesOnWithGap(f) {
		return s.isSaid(i, r, group)
	}
	if s.saysTogether(f) {
		return s.isDerived(f, r, group) || s.isReckoned(f) || s.isShared(f)
	}
	if s.isBetween(i) || s.isProportion(i) || s.isShortOf(i) || s.isBounded(f, r, group) || s.isCountedBound(f) {
		return true
	}
	if f.isBound() && s.boundIsOfNone(f) && !s.namesIn(f) && !s.checker.partial() && !s.checker.empty {
		return s.isNoneBeyond(f) || s.boundsCounted(i) || s.isDuration(i, r) // one row that has it proves the contrary
	}
	if s.isSumOfPart(f, r) {
		return true
	}
	if s.isPlaceWithValue(i) || !f.ratio && !f.ordinal && s.isRange(i) {
		return true
	}
	return s.isWorkedOut(i) || s.isBefore(f, r) || s.boundsCounted(i) || s.isTold(f) || s.isSaid(i, r, group) || s.isOfMoments(i, r) ||
		r == nil && (s.isAllSame(f) || s.isShared(f)) || !f.ordinal && s.isAcross(f, r) || s.isOfSiblings(f, r) || s.isRemainder(f) || s.isOfLines(f, r) ||
		!s.namesIn(f) && s.isMeanStep(f) || s.isSumInBrackets(i) || s.isListedShare(f, r) || s.isOffBase(f, r) ||
		s.isReckoned(f) || s.isVersus(f) || s.isFromTold(i) ||
		i > 0 && s.isRange(i-1) || s.isSumOfSaid(i) || s.isTally(i) || s.isOfCounted(i) || s.isHeld(i) || s.isToldTwice(i) || s.countsFilled(i)
}

// saysTogether reports whether "together" stands between the last of several names and a
// figure: it is then what none of them has alone.
func (s *sentence) saysTogether(f *figure) bool {
	from, _ := s.clauseSpan(f.at)
	names := s.namesOf(from, f.at)
	if len(names) < 2 || f.percent || f.ratio || f.ordinal {
		return false
	}
	last := names[len(names)-1].to
	for _, g := range s.figures {
		if g.to <= f.at && g.to > last && !s.inBrackets(g.at) {
			return false
		}
	}
	return s.hasAny(last, f.at, "together", "combined") || s.anyCue(last, f.at, nil, "합쳐", "합치", "합하", "합산", "더하")
}

// exceedsWhole reports whether a figure is told as a part of a smaller one: "9 of 3 orders".
func (s *sentence) exceedsWhole(i int) bool {
	if i+1 >= len(s.figures) {
		return false
	}
	f, g := &s.figures[i], &s.figures[i+1]
	return s.foldAt(f.to) == "of" && (g.at == f.to+1 || g.at == f.to+2 && s.hasAny(f.to+1, f.to+2, "the", "our", "its", "their", "all")) && !f.percent && !f.ratio && !f.ordinal && !g.percent && len(g.amounts) > 0 && f.amounts[0].value.Cmp(g.amounts[0].value) > 0
}

// isSaid reports whether a figure is what its form says: a ratio, a rank, a percentage,
// a difference, a count, a cell or a derivation.
func (s *sentence) isSaid(i int, r *referent, group []*referent) bool {
	f := &s.figures[i]
	switch {
	case f.ratio && f.spoken && s.countsTimes(f):
		g := *f
		g.ratio = false
		return s.isCell(&g, s.rowsFor(r))
	case f.ratio:
		return s.isRatio(f)
	case f.ordinal:
		return s.isRanked(f, r)
	case s.isRange(i):
		return true
	case f.percent && (s.isChange(f) || s.isAsideOfGap(f)):
		return s.isGrowth(f, r) || s.isMove(f, r)
	case f.percent:
		return s.isPercentage(f, r, group) || s.isMove(f, r) || s.isOfTwo(f, r)
	case s.isGap(f) && !(f.spoken && s.counts(f) == countsRows && !s.saysMoreThan(f)):
		return s.isDifference(f, r) || s.isMove(f, r) || r == nil && s.isTotalChange(f)
	}
	if s.isCounted(i, r) || s.isMove(f, r) || s.isOfTwo(f, r) {
		return true
	}
	if r != nil && len(group) < 2 && !s.saysWhole(f) && s.isCell(f, r.single()) {
		return !s.misnamed(f, r)
	}
	if s.isDerived(f, r, group) || s.isOfOthers(f) || r == nil && s.isMedian(f) {
		return true
	}
	return r == nil && (s.isAlone(f) || s.changes() && s.isTotalChange(f))
}

// saysMoreThan reports whether "more than" another stands behind a figure: "one more product
// than B".
func (s *sentence) saysMoreThan(f *figure) bool {
	return s.hasAny(f.to, f.to+1, "more", "fewer", "less") && s.hasAny(f.to+2, f.to+6, "than")
}

// countsTimes tells "was rated twice" from "twice as many".
func (s *sentence) countsTimes(f *figure) bool {
	w := s.foldAt(f.at)
	return (w == "twice" || w == "thrice") && hasSuffix(s.foldAt(f.at-1), "ed") && !timesOf[s.foldAt(f.to)]
}

// rowsFor are the rows of a referent; without one, those of which the sentence before spoke.
func (s *sentence) rowsFor(r *referent) [][]int {
	if r != nil {
		return r.rows
	}
	rows := make([][]int, len(s.checker.tables))
	for _, of := range carriedNames(s) {
		for i := range rows {
			rows[i] = union(rows[i], of.rows[i])
		}
	}
	return rows
}

// countsStrangers reports whether the noun behind a figure is another than those of which
// the question and the columns speak: "435 stores" of customers.
func (s *sentence) countsStrangers(f *figure) bool {
	if s.strangeTopic(f) {
		return true
	}
	_, to := s.span(f.at)
	for i := f.to; i < min(to, f.to+3); i++ {
		t := s.tokens[i]
		if t.kind != word || s.taken[i] || clauseVerbs[t.fold] || stopWords[t.fold] || s.endsFigure(i, f) || t.hangul && i > f.to+boolInt(s.gluedAt(f.to) != "") {
			return false
		}
		w := koreanStem(t.fold)
		of, known := synonyms[stem(w)]
		switch {
		case spanUnits[w] != "", w == "points" && (s.isGap(f) || moreWords[s.foldAt(f.to+1)] || lessWords[s.foldAt(f.to+1)]):
			return false
		case genericNouns[w] || genericNouns[stem(w)] || s.namedBy(w, nil) != nil || s.checker.concepts[concept(w)] || s.checker.isNoun(w):
			return false
		case known && !periodConcepts[of] && w != "people" && w != "person" && w != "사람":
			return true
		case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss"):
			return false // a noun in the plural: what follows is its verb
		}
	}
	return false
}

// endsFigure reports whether the Korean ending that is glued to a figure closes it, so that what
// follows is told of something else: "원가 19.18로 마진이".
func (s *sentence) endsFigure(i int, f *figure) bool {
	return i == f.to && i < len(s.tokens) && s.gluedAt(i) != "" && hasSuffix(s.tokens[i].text, "로", "고", "며", "이", "은", "는", "에", "서", "다", "요", "보다")
}

// strangeTopic reports whether the Korean noun right before a figure is a known one of
// which neither the question nor the columns speak: "고객은 120명" of orders.
func (s *sentence) strangeTopic(f *figure) bool {
	i := f.at - 1
	if i < 0 || !s.tokens[i].hangul || s.taken[i] {
		return false
	}
	if glued := s.gluedAt(f.to); glued != "" && !beginsWithCounter(glued) && !isEnding(glued) {
		return false // what the figure counts is said behind it: "대회만 2라운드"
	}
	w := koreanStem(s.tokens[i].text)
	if w == "수" && i > 0 {
		i--
		w = s.tokens[i].text
	}
	of, known := synonyms[w]
	if s.namedBy(w, nil) != nil {
		return false
	}
	return known && !periodConcepts[of] && !s.checker.concepts[of] && !s.checker.nouns[w] && !genericNouns[w] && w != "해" && w != "위치" && w != "폭" && w != "마진" && !(s.checker.isScalar() && (w == "인원" || w == "사람")) && !(w == "금액" && s.checker.hasAmounts())
}

// periodConcepts are nouns of time, which stand behind figures of all kinds.
var periodConcepts = set("month year quarter method status category")

// single are the rows of a referent without those of a time that holds several: what is
// said of a quarter is not what one of its months has.
func (r *referent) single() [][]int {
	if len(r.parts) == 1 && r.parts[0].primary != nil {
		return r.parts[0].primary
	}
	if !slices.ContainsFunc(r.parts, func(p ref) bool { return p.date || p.spans }) {
		return r.rows
	}
	out := make([][]int, len(r.rows))
	for i, rows := range r.rows {
		if len(rows) == 1 {
			out[i] = rows
		}
	}
	return out
}

// misnamed reports whether a cell is called an average that is none, or the one average that there
// is a total.
func (s *sentence) misnamed(f *figure, _ *referent) bool {
	from, to := s.span(f.at)
	if s.callsMeanTotal(f, from) {
		return true
	}
	for i := range s.figures {
		if g := &s.figures[i]; g.at >= f.to && g.at < to && s.gluedAt(f.to)+f.rest != "" {
			to = f.to // a Korean word behind it is told of the next figure: "12건에 평균 927.58"
		}
	}
	if !s.anyCue(from, to, meanWords, meanKorean...) || s.checker.asks(meanWords, meanKorean...) {
		return false
	}
	for _, t := range s.checker.tables {
		if slices.ContainsFunc(t.columns, func(c column) bool { return c.average }) {
			return false
		}
	}
	return true
}

// callsMeanTotal reports whether words before a figure call it a total where the result is one
// average, of which the question asks: "총 주문 금액은" of an average one.
func (s *sentence) callsMeanTotal(f *figure, from int) bool {
	if len(s.checker.tables) != 1 || len(s.checker.tables[0].columns) != 1 || !s.checker.tables[0].columns[0].average || s.checker.asks(totalWords, "총", "합계") {
		return false
	}
	return s.hasAny(from, f.at, "total", "sum", "combined") && !s.anyCue(from, f.at, meanWords) || s.anyCue(from, f.at, nil, "총", "합계") && !s.anyCue(from, f.at, nil, meanKorean...)
}

// asks reports whether the question has one of the words.
func (c *Checker) asks(words map[string]bool, korean ...string) bool {
	return slices.ContainsFunc(c.asked.tokens, func(t token) bool {
		return words[t.fold] || t.hangul && hasPrefix(t.text, korean...)
	})
}

// isAsked reports whether the question has a word, in Korean also with an ending.
func (c *Checker) isAsked(w string) bool {
	return slices.ContainsFunc(c.asked.tokens, func(t token) bool {
		return t.fold == w || t.hangul && strings.HasPrefix(t.text, w)
	})
}

// onlyNouns reports whether tokens from..to name nothing but columns: no subject of
// their own.
func (s *sentence) onlyNouns(from, to int) bool {
	nouns := 0
	for i := from; i < to; i++ {
		t := s.tokens[i]
		if t.kind != word || s.taken[i] {
			continue
		}
		w := koreanStem(t.fold)
		switch {
		case s.checker.isNoun(w) || s.checker.isNoun(concept(w)):
			nouns++
		case otherWords[t.fold]:
			return false
		case stopWords[t.fold], koreanWords[w]:
		default:
			return false
		}
	}
	return nouns > 0
}

// isAlone reports whether the figure is a cell of a result of one row, which needs no
// name.
func (s *sentence) isAlone(f *figure) bool {
	first, last := s.clauseSpan(f.at)
	if len(s.referents) > 0 || s.anyCue(first, last, otherWords) || s.strangerBefore(f) {
		return false
	}
	rows := make([][]int, len(s.checker.tables))
	for i, t := range s.checker.tables {
		if t.rows == 1 && t.count == 1 {
			rows[i] = []int{0}
		}
	}
	return s.isCell(f, rows) && !s.misnamed(f, nil) && !s.isRate(f)
}

// isRate reports whether a figure is told as that of each of something of which neither
// the question nor a column speaks: "1,234 a month".
func (s *sentence) isRate(f *figure) bool {
	_, to := s.clauseSpan(f.at)
	for i := f.to; i < min(to, f.to+4) && s.tokens[i].kind == word; i++ {
		if w := s.foldAt(i); (w == "a" || w == "per" || w == "each" || w == "every") && s.is(i+1, word) {
			return !s.checker.concepts[concept(s.foldAt(i+1))]
		}
	}
	return f.at > 0 && hasPrefix(s.foldAt(f.at-1), "매달", "매월", "매년", "매일", "하루") && !s.checker.known[s.foldAt(f.at-1)]
}

// strangerBefore reports whether a Korean subject that nobody knows stands before the
// figure.
func (s *sentence) strangerBefore(f *figure) bool {
	for i := 0; i < f.at; i++ {
		t := s.tokens[i]
		if !t.hangul || s.taken[i] || s.consumed(i) || s.bindsBound(i, f.at) || hasSuffix(t.text, "하는", "되는", "넘는", "때는") {
			continue
		}
		if s.isStrangeModifier(i) {
			return true
		}
		if s.namesForeign(i, f) {
			continue
		}
		if w := koreanStem(t.text); w != t.text && len(w) > len("가") && s.isStranger(w) && slices.ContainsFunc([]string{"은", "는", "이", "가", "의", "에서", "에는"}, func(e string) bool { return t.text == w+e }) {
			return true
		}
	}
	return false
}

// namesForeign reports whether a word is the noun right before a figure that names its column
// in Korean, where the question does so in another language: nothing there tells its word.
func (s *sentence) namesForeign(i int, f *figure) bool {
	asked := s.checker.asked.tokens
	if len(asked) == 0 || slices.ContainsFunc(asked, func(t token) bool { return t.hangul }) || !hasSuffix(s.tokens[i].text, "은", "는", "이", "가") || hasPrefix(s.foldAt(i-1), totalKorean...) {
		return false
	}
	for k := i + 1; k < f.at; k++ {
		if hedgesBefore[s.foldAt(k)] == exact && !hasPrefix(s.foldAt(k), meanKorean...) && !hasPrefix(s.foldAt(k), "총", "모두") {
			return false
		}
	}
	return true
}

// bindsBound reports whether a token stands between a bound and the figure that it bounds:
// "30을 웃도는 34.36".
func (s *sentence) bindsBound(i, at int) bool {
	return slices.ContainsFunc(s.figures, func(g figure) bool { return g.to <= i && i < at && g.hedge != exact && at-g.to <= 5 })
}

// isStrangeModifier reports whether a Korean word that nobody knows stands before a noun
// that is known, as a name does, and is no form of a verb.
func (s *sentence) isStrangeModifier(i int) bool {
	const shortest = 3 * len("가")
	t := s.tokens[i]
	if len(t.text) < shortest || !s.is(i+1, word) || !s.tokens[i+1].hangul || !s.isStranger(t.text) || !s.isStranger(koreanStem(t.text)) {
		return false
	}
	if hasSuffix(t.text, "된", "한", "는", "은", "인", "던", "할", "신", "운", "린", "진", "난", "온", "간", "적", "로", "히", "게", "면", "서", "고", "며", "지", "에", "상") {
		return false
	}
	next := koreanStem(s.tokens[i+1].text)
	return next != s.tokens[i+1].text && s.checker.nouns[next] || s.checker.concepts[concept(next)]
}

func (s *sentence) isStranger(w string) bool {
	if hasSuffix(w, "히", "하는", "하지", "률", "액", "평균", "합계", "퇴사자", "상태", "여부", "블", "자수", "건수", "량", "료", "비", "금", "율") || koreanWords[w] || s.checker.known[w] || s.checker.nouns[w] || synonyms[w] != "" {
		return false
	}
	if rest, ok := strings.CutSuffix(w, "자"); ok && koreanWords[rest] {
		return false
	}
	if rest, ok := strings.CutPrefix(w, "미"); ok && koreanWords[rest] || hasPrefix(w, "않", "없", "있", "같", "많") {
		return false
	}
	// A word that is made of known ones, or is one with more glued to it.
	for k := range w {
		if k > 0 && (koreanWords[w[:k]] || s.checker.nouns[w[:k]]) && (koreanWords[w[k:]] || s.checker.nouns[w[k:]]) {
			return false
		}
	}
	return !strings.Contains(s.checker.quotable, w)
}

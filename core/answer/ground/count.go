package ground

import (
	"math/big"
	"slices"
	"strings"
)

// count is the whole number of a figure; false when it is none.
func (f *figure) count() (int64, bool) {
	if f.percent || f.ratio || len(f.amounts) == 0 || !f.amounts[0].value.IsInt() || !f.amounts[0].value.Num().IsInt64() || f.amounts[0].value.Sign() < 0 {
		return 0, false
	}
	return f.amounts[0].value.Num().Int64(), true
}

// isCounted reports whether the figure counts rows: of a result, of those that are
// shown, of those that the sentence names, or of those with a property.
func (s *sentence) isCounted(i int, r *referent) bool {
	f := &s.figures[i]
	n, ok := f.count()
	if !ok || s.leadsValue(f) || s.isMiscounted(i) || s.changesIn(f) || s.saysMoreThan(f) || s.tellsColumn(f) {
		return false
	}
	if s.isShown(i, n) || s.countsTime(f, n) || s.isPartOf(i, n) || s.isTied(f, n) || s.countsValue(i, n) || s.countsOver(f, n) || s.countsNulls(f, n) || s.countsTrue(f, n) {
		return true
	}
	if s.countsMoves(f, n) {
		return true
	}
	inside := s.namesIn(f) && !s.isOutOf(f)
	if f.hedge != exact && s.hasAny(0, f.at, "no", "none", "nobody") && !s.namesIn(f) && s.isNoneBeyond(f) {
		return true
	}
	if f.hedge != exact && (s.boundsSome(f) || s.boundsCounted(i)) {
		return true
	}
	if s.koreanCounter(f) && !(s.checker.partial() && s.closes(f)) && (s.isNamedCount(f, n) || n == 1 && f.spoken && len(s.referents) == 1 && s.referents[0].to >= f.at-1 && !slices.ContainsFunc(s.referents[0].rows, func(rows []int) bool { return len(rows) > 1 })) {
		return true
	}
	if (s.foldAt(f.at-1) == "the" || s.foldAt(f.at-1) == "these" || s.foldAt(f.at-1) == "all") && (s.isOutOf(f) || s.hasAny(f.at-3, f.at, "across", "over")) && (!s.is(f.to, word) || clauseVerbs[s.foldAt(f.to)]) && s.isRowCount(f, n) {
		return true
	}
	if s.hasAny(f.at-1, f.at, "in", "across", "over", "among") && !inside && s.counts(f) == countsUnknown && s.spanUnit(f) == "" && !s.checker.partial() && s.isRowCount(f, n) && n > 2 {
		return true
	}
	if s.koreanCounter(f) && s.people(nil) == nil && s.isCountWithin(f, n, r) {
		return true // "스웨덴 선수는 두 명"
	}
	switch s.counts(f) {
	case countsOther:
		return false
	case countsRows:
		if s.isConditional(i, n) || !inside && s.isRowCount(f, n) || s.isNamedCount(f, n) || s.isRest(f, n) || inside && s.isCountWithin(f, n, r) {
			return true
		}
		return false
	}
	return !inside && s.isRowCount(f, n) && s.listsOnly()
}

// tellsColumn reports whether the Korean noun for a number right before a figure, 수, says that
// it is that of a column, and so counts no rows: "주문 수는 1건".
func (s *sentence) tellsColumn(f *figure) bool {
	if f.at == 0 || !s.tokens[f.at-1].hangul || s.taken[f.at-1] || hasSuffix(s.tokens[f.at-1].text, "보다", "와", "과") {
		return false
	}
	w := koreanStem(s.tokens[f.at-1].text)
	if w == "수" && f.at > 1 {
		w = s.tokens[f.at-2].text
	} else if !strings.HasSuffix(w, "수") {
		return false
	}
	return s.measuresNamed(w) > 0
}

// changesIn reports whether a figure is how much a moment or a name that is named beside it
// rose or fell, as a column of changes tells: it counts no rows.
func (s *sentence) changesIn(f *figure) bool {
	from, to := s.span(f.at)
	up, at := s.trend(from, to)
	if up == 0 || at < f.to || at-f.to > 2 || !s.changes() {
		return false
	}
	r, group := s.referentOf(f)
	return r != nil && r.to <= f.at && len(group) < 2 && slices.ContainsFunc(r.rows, func(rows []int) bool { return len(rows) == 1 })
}

// countsMoves checks "three went down", "감소한 달은 3개", "unchanged in two": how many numbers
// of a column of changes are on a side of zero, or zero, as the figure's part of the sentence
// says.
func (s *sentence) countsMoves(f *figure, n int64) bool {
	from, to := s.span(f.at)
	if f.hedge != exact || s.namesIn(f) || s.counts(f) == countsOther || slices.ContainsFunc(s.figures, func(g figure) bool { return g.at != f.at && g.at >= from && g.at < to }) {
		return false
	}
	up, _ := s.trend(from, to)
	flat := s.anyCue(from, to, flatWords) || s.hasAny(from, to, "same") || s.hasAny(from, to, "no") && s.hasAny(from, to, "change") || s.anyCue(from, to, nil, "변동", "변화", "그대로") && s.anyCue(from, to, nil, "없", "그대로")
	if up == 0 && !flat || flat && up != 0 {
		return false
	}
	return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return t.whole && t.rows > 1 && slices.ContainsFunc(t.columns, func(c column) bool { return c.change && c.measure() && c.signed(up) == n })
	})
}

// closes reports whether a count is said to be of all that there are.
func (s *sentence) closes(f *figure) bool {
	return strings.Contains(f.rest+s.gluedAt(f.to), "뿐") || s.anyCue(0, len(s.tokens), nil, "모두", "전부", "총", "뿐", "유일", "밖에")
}

// isOutOf tells "first of the 19 countries" from what a name has.
func (s *sentence) isOutOf(f *figure) bool {
	return s.hasAny(f.at-3, f.at, "of", "among") || s.anyCue(f.to, f.to+4, nil, "중", "가운데")
}

// isNoneBeyond checks "none of the regions has more than 120": 120 is the most.
func (s *sentence) isNoneBeyond(f *figure) bool {
	return s.each(f, func(t *table, _ int, c *column) bool {
		return t.whole && t.rows > 1 && c.countOf(f) == 0 && slices.ContainsFunc(c.cells, func(v cell) bool { return v.number != nil && v.number.Cmp(f.amounts[0].value) == 0 })
	})
}

// boundsSome checks "some countries have fewer than 100".
func (s *sentence) boundsSome(f *figure) bool {
	from, to := s.span(f.at)
	if s.namesIn(f) || !s.hasAny(from, f.at, "some", "several") && !s.anyCue(f.to, to, nil, "있") {
		return false
	}
	return s.each(f, func(t *table, _ int, c *column) bool {
		n := c.countOf(f)
		return t.whole && t.rows > 1 && n > 0 && n < int64(t.rows)
	})
}

// boundsCounted checks "above 100 in three months", whose count stands behind: so many rows
// are on its side, or have it.
func (s *sentence) boundsCounted(i int) bool {
	f := &s.figures[i]
	_, to := s.clauseSpan(f.at)
	for k := i + 1; k < len(s.figures) && s.figures[k].at < to; k++ {
		g := &s.figures[k]
		n, ok := g.count()
		if !ok || g.ordinal || f.ordinal || f.ratio || f.percent || s.counts(g) != countsRows || s.isListedWith(f, g) || s.leadsValue(g) {
			continue
		}
		if s.each(f, func(t *table, _ int, c *column) bool {
			return t.whole && t.rows > 1 && c.measure() && c.countOf(f) == n
		}) {
			s.proved[k] = true
			return true
		}
	}
	return false
}

// namesIn reports whether a row is named in the figure's part of the sentence.
func (s *sentence) namesIn(f *figure) bool {
	from, to := s.span(f.at)
	return slices.ContainsFunc(s.referents, func(r referent) bool { return r.at >= from && r.at < to })
}

type counted uint8

const (
	countsUnknown counted = iota
	countsRows
	countsOther // a measure
)

// counts is what the noun at a figure says that it counts.
func (s *sentence) counts(f *figure) counted {
	from, to := s.span(f.at)
	if f.rest != "" {
		if k := s.kindOf(f.rest); k != countsUnknown {
			return k
		}
	}
	if i := f.at - 1; i >= from && s.koreanCounter(f) && s.tokens[i].hangul && !s.isNameToken(i) {
		if k := s.kindOf(s.tokens[i].fold); k != countsUnknown {
			return k
		}
	}
	for i := f.to; i < min(to, f.to+5); i++ {
		t := s.tokens[i]
		if t.kind != word || s.isNameToken(i) {
			if t.kind == mark && t.text != "-" || s.isNameToken(i) {
				break
			}
			continue
		}
		if k := s.kindOf(t.fold); k != countsUnknown {
			return s.headKind(i, k)
		}
		if clauseVerbs[t.fold] && !(t.fold == "of" && i == f.to) {
			break
		}
	}
	if from > 0 && s.tokens[from].text == ":" {
		from, _ = s.span(from - 1)
	}
	for i := f.at - 1; i >= from && i >= f.at-6; i-- {
		t := s.tokens[i]
		if t.kind != word || s.isNameToken(i) {
			continue
		}
		if k := s.kindOf(t.fold); k != countsUnknown {
			return k
		}
	}
	return countsUnknown
}

// headAt is the last noun of the Korean compound that begins at i, which says what it is:
// 방식 of "결제 방식의".
func (s *sentence) headAt(i int) int {
	for s.is(i, word) && s.tokens[i].hangul && s.is(i+1, word) && s.tokens[i+1].hangul && !s.isNameToken(i+1) && !s.figureAtToken(i+1) {
		w, next := s.tokens[i].text, koreanStem(s.tokens[i+1].text)
		if synonyms[w] == "" && !s.checker.nouns[w] || synonyms[next] == "" && !s.checker.nouns[next] {
			break
		}
		i++
	}
	return i
}

// clauseVerbs end the noun behind a number.
var clauseVerbs = set("have has had with in is are was were who that which from for of at on by where")

// moneyWords are the units of money, which count no rows.
var moneyWords = set("원 달러 유로 엔 euro euros dollar dollars pound pounds won yen eur usd gbp krw")

// kindOf is what a noun counts: the rows of a result, or what their numbers measure.
func (s *sentence) kindOf(w string) counted {
	if isHangul(w) {
		for _, c := range []string{"개국", "국가", "나라"} {
			if strings.HasPrefix(w, c) {
				w = "국가"
			}
		}
		switch {
		case strings.HasPrefix(w, "개월"), strings.HasPrefix(w, "달"):
			w = "월"
		case strings.HasPrefix(w, "년"):
			w = "연도"
		}
		w = koreanStem(w)
	}
	if genericNouns[w] || genericNouns[stem(w)] {
		return countsRows
	}
	if stopWords[w] || moneyWords[w] {
		return countsUnknown
	}
	of := concept(w)
	named := func(c *column) bool {
		return slices.ContainsFunc(c.head(), func(have string) bool {
			return !stopWords[have] && (have == of || concept(have) == of || sameRoot(have, of) || isHangul(have) && isHangul(w) && strings.HasPrefix(have, w))
		})
	}
	measured, listed := false, false
	for _, t := range s.checker.tables {
		for i := range t.columns {
			c := &t.columns[i]
			if named(c) {
				measured, listed = measured || c.measure(), listed || !c.measure()
			}
		}
	}
	switch {
	case listed:
		return countsRows
	case measured || s.checker.measures(of):
		return countsOther
	case s.checker.isNoun(w) || s.checker.isNoun(of):
		return countsRows
	}
	return countsUnknown
}

// head are the words of a column's name that say what it counts: of pair_price the price.
func (c *column) head() []string {
	last := len(c.words)
	if at := slices.Index(c.words, "per"); at > 0 {
		last = at
	}
	for i := last - 1; i > 0; i-- {
		if w := c.words[i]; !stopWords[w] && !metricWords[w] && !isHangul(w) {
			return c.words[i : i+1]
		}
	}
	return c.words
}

// measures reports whether the question asks for numbers of this noun: "how many
// customers, by country".
func (c *Checker) measures(of string) bool {
	list := c.asked.tokens
	grouped := slices.ContainsFunc(c.tables, func(t *table) bool {
		return t.dimensions() > 0 && slices.ContainsFunc(t.columns, func(c column) bool { return c.measure() })
	})
	for i, t := range list {
		if !grouped || concept(koreanStem(t.fold)) != of {
			continue
		}
		before := func(k int) string {
			if i-k < 0 {
				return ""
			}
			return list[i-k].fold
		}
		after := ""
		if i+1 < len(list) {
			after = list[i+1].fold
		}
		if before(1) == "many" || before(2) == "many" || before(1) == "of" && before(2) == "number" || hasPrefix(after, "수", "건수", "개수") {
			return true
		}
	}
	return false
}

// listsOnly reports whether no result has a measure: whatever is counted is a row.
func (s *sentence) listsOnly() bool {
	for _, t := range s.checker.tables {
		if slices.ContainsFunc(t.columns, func(c column) bool { return c.measure() }) {
			return false
		}
	}
	return len(s.checker.tables) > 0
}

// isRowCount reports whether a result has so many rows.
func (s *sentence) isRowCount(f *figure, n int64) bool {
	return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		if t.truncated && !s.saysCut && f.hedge != atLeast && f.hedge != over {
			return false
		}
		if s.checker.isScalar() && !s.countsLines(f) {
			return false // it is the answer that counts, not the row in which it stands
		}
		return t.count == n || t.cap == n && t.cap > 0 || f.hedge != exact && f.stands(rat(t.count), nil)
	})
}

// countsLines reports whether the noun at a figure is that for the rows of any result.
func (s *sentence) countsLines(f *figure) bool {
	w := f.rest + s.gluedAt(f.to)
	if hasPrefix(w, "행", "건의 결과", "개의 행") || f.spoken && hasPrefix(w+s.foldAt(f.to), "번") {
		return true
	}
	for i := f.to; i < min(f.to+3, len(s.tokens)); i++ {
		if g := koreanStem(s.foldAt(i)); genericNouns[g] || genericNouns[stem(g)] {
			return true
		}
	}
	return s.anyCue(0, len(s.tokens), nil, "행", "결과", "조회") || s.hasAny(0, len(s.tokens), "row", "rows", "result", "results", "query")
}

// isShown reports whether a figure is that of the rows a reader sees, said as that:
// "the first 20", "20 of 500".
func (s *sentence) isShown(i int, n int64) bool {
	f := &s.figures[i]
	before := s.foldAt(f.at - 1)
	from, to := s.span(f.at)
	shown := s.hasAny(from, to, "shown", "displayed", "listed", "preview", "below", "visible", "see") || s.anyCue(from, to, nil, "미리보기", "표시", "보여", "보이", "보입", "화면")
	for _, t := range s.checker.tables {
		if n != int64(t.rows) {
			continue
		}
		if next := i + 1; next < len(s.figures) && s.figures[next].at-f.to <= 4 && s.hasAny(f.to, s.figures[next].at, "of") {
			if m, ok := s.figures[next].count(); ok && m == t.count {
				s.proved[next] = true
				return true
			}
		}
		if before == "first" || before == "처음" || shown && (s.counts(f) != countsOther || s.isOutOf(f)) {
			return true
		}
		if i > 0 && s.anyCue(s.figures[i-1].to, f.at, nil, "중", "가운데", "그중") {
			if m, ok := s.figures[i-1].count(); ok && m == t.count {
				return true
			}
		}
	}
	if s.isTop(f) && s.isNamedCount(f, n) {
		return true
	}
	if s.isTop(f) && slices.ContainsFunc(s.checker.tables, func(t *table) bool { return t.whole && n == t.count }) {
		return true
	}
	return s.isTop(f) && !s.namesIn(f) && slices.ContainsFunc(s.checker.tables, func(t *table) bool { return t.whole && n <= t.count && n > 1 })
}

// isTop tells "the top 5" and "the 5 largest".
func (s *sentence) isTop(f *figure) bool {
	switch before := s.foldAt(f.at - 1); {
	case before == "top", before == "bottom", before == "leading", before == "first", before == "상위", before == "하위":
		return true
	}
	return ordersUp[s.foldAt(f.to)] != 0
}

// isNamedCount reports whether the sentence names so many rows: "two countries, A and
// B".
func (s *sentence) isNamedCount(f *figure, n int64) bool {
	if n < 2 || !slices.ContainsFunc(s.checker.tables, func(t *table) bool { return t.count >= n }) {
		return false
	}
	if hasPrefix(s.foldAt(f.at-1), "외") || s.hasAny(f.to, f.to+2, "other", "others", "more") && s.foldAt(f.at-1) == "and" {
		return false // those that are not named
	}
	if int64(len(s.referents)) == n && !s.namesIn(f) || len(s.referents) == 0 && n == 2 && s.before != nil && len(s.before.referents) == 2 && s.speaksOfTwo() {
		return true
	}
	return slices.ContainsFunc(s.referents, func(r referent) bool { return int64(len(s.groupOf(&r))) == n || int64(len(s.run(&r, s.listed))) == n })
}

// isRest reports whether so many rows are left beside those that were named or shown.
func (s *sentence) isRest(f *figure, n int64) bool {
	from, to := s.span(f.at)
	if !s.hasAny(from, to, "other", "others", "remaining", "rest", "more", "further", "additional") && !s.anyCue(from, to, nil, "나머지", "다른", "추가") && !(s.anyCue(from, to, nil, "표시", "보이") && s.anyCue(from, to, nil, "않", "안")) && !s.hasAny(from, to, "hidden", "omitted") && !s.saysUnseen(f.to, to) {
		return false
	}
	named := int64(len(s.referents) + s.earlier)
	return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return n == t.count-int64(t.rows) && !t.truncated || n == t.count-named && named > 0 && !t.truncated
	})
}

// saysUnseen reports whether words say that rows are not shown: "are not displayed".
func (s *sentence) saysUnseen(from, to int) bool {
	for i := from; i < to; i++ {
		if s.foldAt(i) == "not" && s.hasAny(i+1, i+2, "shown", "displayed", "listed", "visible", "included") && s.hasAny(i-1, i, "are", "is", "were", "n't") {
			return true
		}
	}
	return false
}

// isCountWithin is how many rows a name has: "Kitchen has 3 products".
func (s *sentence) isCountWithin(f *figure, n int64, r *referent) bool {
	return r != nil && slices.ContainsFunc(s.checker.tables, func(t *table) bool { return t.whole }) &&
		slices.ContainsFunc(r.rows, func(rows []int) bool { return len(rows) > 1 && int64(len(rows)) == n })
}

// isListedWith reports whether two figures are those of a list of names: "Oslo 2, Rome 3".
func (s *sentence) isListedWith(f, g *figure) bool {
	if g.at < f.at {
		f, g = g, f
	}
	from, _ := s.span(f.at)
	return len(s.namesAround(from, f.at)) > 0 && len(s.namesAround(f.to, g.at)) > 0
}

// isConditional checks "3 countries have more than 10 customers" and "2 categories have
// no returns".
func (s *sentence) isConditional(i int, n int64) bool {
	f := &s.figures[i]
	from, to := s.clauseSpan(f.at)
	if s.isScoped(i) {
		return false // of some rows only, which the wider look knows
	}
	none := s.anyCue(f.to, to, set("no zero none without"), "없") || s.anyCue(from, f.at, set("empty"), "없", "빈", "비어")
	for k := range s.figures {
		g := &s.figures[k]
		if k == i || g.at < from || g.at >= to || s.isListedWith(f, g) || !s.relates(f, g) || len(g.amounts) == 0 || g.percent || g.ordinal || g.ratio || s.countsAll(g) || s.inBrackets(g.at) && !s.inBrackets(f.at) {
			continue
		}
		if s.each(g, func(t *table, _ int, c *column) bool { return t.whole && t.rows > 1 && c.countOf(g) == n }) {
			s.proved[k] = true
			return true
		}
		return false
	}
	for k := f.to; k < to; k++ {
		if sign := s.signAt(k); sign != 0 {
			return s.each(&figure{at: k, to: k + 1}, func(t *table, _ int, c *column) bool { return t.whole && !c.key && c.signed(sign) == n })
		}
	}
	if moves, up := s.movesIn(f, to); up != 0 && moves {
		return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
			return t.whole && slices.ContainsFunc(t.columns, func(c column) bool { return c.change && c.measure() && c.signed(up) == n })
		})
	}
	if !none {
		return false
	}
	zero := &figure{at: f.at, to: to, amounts: whole(0)}
	return s.each(zero, func(t *table, _ int, c *column) bool { return t.whole && t.rows > 1 && c.countOf(zero) == n })
}

// relates reports whether words say that what the first figure counts has the second.
func (s *sentence) relates(f, g *figure) bool {
	a, b := min(f.to, g.to), max(f.at, g.at)
	if s.anyCue(a, b, totalWords, totalKorean...) || s.anyCue(a, b, meanWords, meanKorean...) {
		return false
	}
	return s.hasAny(a, b, "have", "has", "had", "with", "are", "were", "is", "exceed", "exceeds", "exceeded", "reach", "reached", "recorded", "saw", "made", "in") || s.tokens[max(0, b-1)].hangul || s.tokens[min(a, len(s.tokens)-1)].hangul
}

// countOf is how many cells are as the figure bounds them.
func (c *column) countOf(f *figure) int64 {
	var n int64
	for _, v := range c.cells {
		if v.number != nil && f.bounds(v.number) {
			n++
		}
	}
	return n
}

// isNear reports whether a number is close to the figure: within an eighth of it.
func (f *figure) isNear(n *big.Rat) bool {
	off := new(big.Rat).Sub(n, f.amounts[0].value)
	return off.Abs(off).Cmp(new(big.Rat).Mul(new(big.Rat).Abs(n), farShare)) <= 0
}

// bounds reports whether a number is on the side of the figure that its hedge says.
func (f *figure) bounds(n *big.Rat) bool {
	order := n.Cmp(f.amounts[0].value)
	if end := f.amounts[0].end; end != nil {
		return order >= 0 && n.Cmp(end) < 0
	}
	if f.near && !f.isNear(n) {
		return false
	}
	switch f.hedge {
	case over:
		return order > 0
	case under:
		return order < 0
	case atLeast:
		return order >= 0
	case atMost:
		return order <= 0
	}
	return order == 0
}

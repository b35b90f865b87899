package ground

import (
	"regexp"
	"slices"
	"strings"
)

// lackNames finds the names of columns that count what lacks something.
var lackNames = regexp.MustCompile(`(?i)^(?:no|not|without|missing|lacking)_`)

// columnsFor is which columns a figure may be in: those that are named right behind
// it, else before it, else in its clause, else all measures.
func (s *sentence) columnsFor(f *figure, rows [][]int) func(table, col int) bool {
	if chosen := s.aggregated(f); chosen != nil {
		return chosen
	}
	return s.columnsByNoun(f, rows)
}

// columnsByNoun is which columns the nouns around a figure, or a word that compares, name.
func (s *sentence) columnsByNoun(f *figure, rows [][]int) func(table, col int) bool {
	from, to := s.span(f.at)
	first, last := s.clauseSpan(f.at)
	counted := s.addLacking(s.narrow(s.countedBy(f, rows), f), f, rows)
	if counted != nil && s.yearBehind(f, from, rows) == nil {
		return func(t, c int) bool { return counted[t*columnStride+c] }
	}
	if named := s.statedBy(f); named != nil {
		return func(t, c int) bool { return named[t*columnStride+c] }
	}
	if named := s.endOfMove(f); named != nil {
		return func(t, c int) bool { return named[t*columnStride+c] }
	}
	if f.rest != "" {
		if named := s.namedBy(koreanStem(f.rest), rows); named != nil {
			return func(t, c int) bool { return named[t*columnStride+c] }
		}
	}
	if of := s.answered(f, rows); of != nil {
		return func(t, c int) bool { return of[t*columnStride+c] }
	}
	look := []func() map[int]bool{
		func() map[int]bool { return s.yearAhead(f, rows) },
		func() map[int]bool { return s.yearBehind(f, from, rows) },
		func() map[int]bool {
			if glued := f.rest + s.gluedAt(f.to); hasSuffix(glued, "의", "에") && !s.koreanCounter(f) || hasSuffix(glued, "인") {
				return nil // what follows is another measure of the same, or what has it
			}
			return s.nearest(f.to, min(to, f.to+5), 1, rows)
		},
		func() map[int]bool {
			if s.is(f.at-1, word) && s.isNameToken(f.at-2) && s.segment[f.at-2] == s.segment[f.at] {
				if named := s.basis(f, rows); named != nil {
					return named // the noun right behind a name is a part of it: "wallet 결제 619.64"
				}
			}
			return s.nearest(f.at-1, from-1, -1, rows)
		},
		func() map[int]bool { return s.basis(f, rows) },
	}
	if !s.inBrackets(f.at) {
		look = append(look, func() map[int]bool { return s.nearest(f.at-1, first-1, -1, rows) })
	}
	if open := f.at - 1; s.foldAt(open) == "(" && s.is(open-1, word) && !s.isNameToken(open-1) && !s.figureAtToken(open-1) {
		look = append(look, func() map[int]bool { return s.nearest(open-1, open-2, -1, rows) })
	}
	if g := s.bracketBefore(f); g != nil {
		look = append(look, func() map[int]bool { return s.nearest(g.to, g.to+3, 1, rows) })
	}
	if !slices.ContainsFunc(s.figures, func(g figure) bool { return g.at >= f.to && g.at < last }) {
		look = append(look, func() map[int]bool { return s.nearest(f.to, last, 1, rows) })
	}
	if g := s.likeBefore(f); g != nil {
		look = append(look, func() map[int]bool { return s.nearest(g.to, g.to+2, 1, rows) })
	}
	for _, find := range look {
		if named := s.comparable(f, s.countable(f, s.narrow(s.narrowBehind(find(), f, to), f))); named != nil {
			s.addTotals(named, f, rows)
			s.addAmounts(named, f, rows)
			return func(t, c int) bool { return named[t*columnStride+c] }
		}
	}
	if about := s.topic(f, rows); about != nil {
		return func(t, c int) bool { return about[t*columnStride+c] }
	}
	things := s.koreanCounter(f) && !f.ordinal
	return func(t, c int) bool {
		return s.checker.tables[t].speaks(c) && !(things && s.checker.tables[t].isOfParts(c))
	}
}

// countedBy are the columns that the noun of a Korean counter names: the one right before the
// figure, "주문 9천 건에서", "구독자는 115명", else for 명 the columns that count people.
func (s *sentence) countedBy(f *figure, rows [][]int) map[int]bool {
	if !s.koreanCounter(f) || f.percent {
		return nil
	}
	if i := s.beforeNumberOf(f.at - 1); i >= 0 && s.tokens[i].hangul && !s.taken[i] {
		if counts := s.inState(i, rows); counts != nil {
			return counts
		}
		var counts map[int]bool
		for id := range s.namedBy(koreanStem(s.tokens[i].fold), rows) {
			if c := s.columnOf(id); c.measure() && c.wholes && !c.share && !c.change {
				counts = with(counts, id)
			}
		}
		if counts != nil {
			return counts
		}
	}
	if !strings.HasPrefix(f.rest+s.gluedAt(f.to), "명") {
		return nil
	}
	return s.people(rows)
}

// addLacking adds the columns that count what lacks something, where a Korean sentence says so
// of the same: no_email for "이메일이 없는 고객은 160명".
func (s *sentence) addLacking(named map[int]bool, f *figure, rows [][]int) map[int]bool {
	from, to := s.clauseSpan(f.at)
	if len(named) == 0 || !slices.ContainsFunc(s.tokens[from:to], deniesWord) {
		return named
	}
	for i, t := range s.checker.tables {
		for col := range t.columns {
			c := &t.columns[col]
			if !lackNames.MatchString(c.name) || !c.measure() || !c.wholes || c.share || c.change || rows != nil && len(rows[i]) == 0 {
				continue
			}
			if slices.ContainsFunc(s.tokens[from:to], func(t token) bool { return t.hangul && c.saysColumn(koreanStem(t.text)) }) {
				named = with(named, i*columnStride+col)
			}
		}
	}
	return named
}

// countable keeps those of the named columns that may hold what a Korean counter counts: no
// part in percent, and no amount with a fraction beside columns that have none.
func (s *sentence) countable(f *figure, named map[int]bool) map[int]bool {
	if !s.koreanCounter(f) || f.percent || f.ratio {
		return named
	}
	var kept map[int]bool
	for id := range named {
		if !s.columnOf(id).share && !s.checker.tables[id/columnStride].isOfParts(id%columnStride) {
			kept = with(kept, id)
		}
	}
	return kept
}

// comparable leaves out the keys of rows where a word, and no figure, compares: the noun of "has a
// higher order value" is that of the rows.
func (s *sentence) comparable(f *figure, named map[int]bool) map[int]bool {
	if len(f.amounts) > 0 {
		return named
	}
	var kept map[int]bool
	for id := range named {
		if c := s.columnOf(id); !c.id || !c.key {
			kept = with(kept, id)
		}
	}
	return s.saidInFull(kept, f)
}

// basis are the columns by which the sentence says that it tells its figures: "가격 기준으로 A(77)는".
func (s *sentence) basis(f *figure, rows [][]int) map[int]bool {
	for i := f.at - 1; i > 0; i-- {
		if s.tokens[i].hangul && hasPrefix(s.tokens[i].text, "기준") && s.is(i-1, word) && !s.isNameToken(i-1) {
			return s.narrowTo(s.namedBy(koreanStem(s.tokens[i-1].fold), rows), i-2)
		}
	}
	return nil
}

// narrowTo keeps those of the columns that the noun at i names, too.
func (s *sentence) narrowTo(named map[int]bool, i int) map[int]bool {
	if len(named) < 2 || !s.is(i, word) || s.isNameToken(i) {
		return named
	}
	return s.alsoNamed(named, i)
}

// isOfParts reports whether a column, unlike another of the table, has numbers with
// fractions: no counter of things is said of it.
func (t *table) isOfParts(col int) bool {
	return !t.columns[col].wholes && t.columns[col].worth == nil && slices.ContainsFunc(t.columns, func(c column) bool { return c.measure() && c.wholes })
}

// addTotals adds the columns that are totals by their name, where the words before a figure
// say that it is one: "all payments come to 3,738,583.44".
func (s *sentence) addTotals(named map[int]bool, f *figure, rows [][]int) {
	from, _ := s.span(f.at)
	if s.hasAny(from, f.at, "number", "count") || !s.anyCue(from, f.at, totalWords, totalKorean...) && !s.comesTo(from-1, f.at-1) {
		return
	}
	for i, t := range s.checker.tables {
		for col := range t.columns {
			if c := &t.columns[col]; c.measure() && !(s.koreanCounter(f) && t.isOfParts(col)) && (rows == nil || len(rows[i]) > 0) && slices.ContainsFunc(c.words, func(w string) bool { return totalWords[w] || hasPrefix(w, "총", "합계") }) {
				named[i*columnStride+col] = true
			}
		}
	}
}

// addAmounts adds the columns of money where a figure is told "in" what another column counts:
// "412,300 in payments".
func (s *sentence) addAmounts(named map[int]bool, f *figure, rows [][]int) {
	if s.foldAt(f.to) != "in" || f.percent || len(f.amounts) == 0 || stopWords[s.foldAt(f.to+1)] || s.namedBy(koreanStem(s.foldAt(f.to+1)), rows) == nil {
		return
	}
	for id := range named {
		if s.columnOf(id).amount {
			return
		}
	}
	for i, t := range s.checker.tables {
		for col := range t.columns {
			if c := &t.columns[col]; c.measure() && c.amount && c.adds() && !c.change && (rows == nil || len(rows[i]) > 0) {
				named[i*columnStride+col] = true
			}
		}
	}
}

// bracketBefore is the figure of the brackets before those of f, whose noun holds on: "A
// (187 points) and B (5)".
func (s *sentence) bracketBefore(f *figure) *figure {
	if !s.inBrackets(f.at) {
		return nil
	}
	for i := len(s.figures) - 1; i >= 0; i-- {
		if g := &s.figures[i]; g.to <= f.at && s.clause[g.at] == s.clause[f.at] {
			if s.inBrackets(g.at) && s.hasAny(g.to, f.at, ")") && s.foldAt(f.at-1) == "(" && s.isNameToken(f.at-2) {
				return g
			}
			return nil
		}
	}
	return nil
}

// likeBefore is the figure before in the clause that the same word leads in, whose noun
// holds on: "A with 233 returns, followed by B with 200".
func (s *sentence) likeBefore(f *figure) *figure {
	lead := s.foldAt(f.at - 1)
	if lead != "with" && lead != "has" && lead != "had" && lead != "at" && lead != "made" && lead != "got" {
		return nil
	}
	for i := len(s.figures) - 1; i >= 0; i-- {
		if g := &s.figures[i]; g.to <= f.at && s.clause[g.at] == s.clause[f.at] && g.percent == f.percent && s.foldAt(g.at-1) == lead {
			return g
		}
	}
	return nil
}

// speaks reports whether a column may be meant that nobody names: a measure, or any
// where there is none.
func (t *table) speaks(col int) bool {
	return t.columns[col].measure() || !slices.ContainsFunc(t.columns, func(c column) bool { return c.measure() })
}

// nearest are the numeric columns that the first word on the way from..to names.
func (s *sentence) nearest(from, to, step int, rows [][]int) map[int]bool {
	for i := from; i != to && i >= 0 && i < len(s.tokens); i += step {
		if named := s.yearsAt(i, rows); named != nil && !(step > 0 && s.foldAt(i-1) == "on") {
			return named
		}
		if step > 0 && s.figureAtToken(i) {
			return nil
		}
		if s.leadsFigure(i, from) || step < 0 && s.foldAt(i-1) == "per" || s.foldAt(i-1) == "no" {
			continue
		}
		if step < 0 && (s.consumed(i) || s.tokens[i].kind == word && !s.tokens[i].hangul && s.consumedAlike(i)) {
			continue
		}
		if step < 0 && s.countedElsewhere(i, from+1) {
			continue
		}
		if step < 0 && (s.isScope(i) || s.inBrackets(i) && !s.inBrackets(from+1)) {
			continue
		}
		if s.tokens[i].kind != word || s.isNameToken(i) {
			if step > 0 && slices.ContainsFunc(s.figures, func(g figure) bool { return g.at == i }) {
				return nil
			}
			continue
		}
		if step > 0 && (s.tokens[i].hangul && hasSuffix(s.tokens[i].text, "해", "하여") && verbNoun(s.tokens[i].text) == s.tokens[i].text || s.foldAt(i) == "per") {
			return nil // what follows is told of something else: "다시 구매해 비율은", "per order"
		}
		if step > 0 && s.tokens[i].hangul && hasSuffix(s.tokens[i].text, "보다") {
			return nil // "451.47로 전년보다 15.33 떨어져"
		}
		if step < 0 && i > 0 && s.isNameToken(i-1) && (s.comesTo(i, from) || s.anotherNamed(i-1, rows)) {
			continue
		}
		if moved := s.movedAt(i, rows); moved != nil && (step > 0 || from-i < 2) {
			return moved
		}
		if named := s.qualified(i, step, rows); named != nil {
			return named
		}
		if named := s.inState(i, rows); step < 0 && named != nil {
			return named
		}
		if step > 0 && i == from {
			if named := s.becameBehind(i, rows); named != nil {
				return named
			}
		}
		both := s.namedBy(koreanStem(s.tokens[i].fold), rows)
		if step > 0 && both != nil && s.joinsNext(i) {
			both = joinSets(both, s.namedBy(koreanStem(s.tokens[i+1].fold), rows)) // "건수와 금액 모두"
		}
		if named := s.withoutKeys(i, from, both); named != nil && !(step < 0 && i < from && s.spent(named, from+1, rows)) {
			return named
		}
	}
	return nil
}

// countedElsewhere reports whether the noun at i is what the counter of another figure counts,
// and the figure at token at has none: "직원 8명에게 265,040".
func (s *sentence) countedElsewhere(i, at int) bool {
	if !s.tokens[i].hangul || !s.figureAtToken(at) {
		return false
	}
	counts := func(at int) bool {
		k := slices.IndexFunc(s.figures, func(g figure) bool { return g.at == at })
		return k >= 0 && s.koreanCounter(&s.figures[k])
	}
	return i+1 < at && counts(i+1) && !counts(at)
}

// qualified are the columns whose whole name is the word right before the noun at i, on the way
// back from a figure: of "the number of discontinued products" that of the discontinued, and
// not of the products.
func (s *sentence) qualified(i, step int, rows [][]int) map[int]bool {
	if step > 0 || !s.is(i, word) || s.tokens[i].hangul || !s.is(i-1, word) || s.isNameToken(i-1) || s.figureAtToken(i-1) {
		return nil
	}
	var out map[int]bool
	for id := range s.namedBy(s.foldAt(i-1), rows) {
		if c := s.columnOf(id); c.measure() && len(c.words) == 1 && c.words[0] == stem(s.foldAt(i-1)) && hasSuffix(s.foldAt(i-1), "ed") {
			out = with(out, id)
		}
	}
	if counts := s.namedBy(s.foldAt(i), rows); out == nil && counts != nil && becomes[s.foldAt(i-1)] {
		return s.stateColumns(s.foldAt(i-1), counts, rows)
	}
	return out
}

// leadsFigure reports whether the noun at i, on the way from a figure, is that of the next
// one, "1,074.60 against a cost of 623.26", "14건에 매출 77.24", or a part of one.
func (s *sentence) leadsFigure(i, from int) bool {
	if slices.ContainsFunc(s.figures, func(g figure) bool { return g.at < i && i < g.to }) {
		return true
	}
	if i <= from {
		return false
	}
	return s.foldAt(i+1) == "of" && s.figureAtToken(i+2) || s.tokens[i].hangul && (koreanStem(s.tokens[i].text) == s.tokens[i].text || hasSuffix(s.foldAt(i-1), "에")) && s.figureAtToken(i+1)
}

// comesTo reports whether a verb of amounts stands between the noun behind a name and a
// figure: "Wallet payments came to 222".
func (s *sentence) comesTo(i, to int) bool {
	return s.hasAny(i+1, to+1, "came", "come", "comes", "amount", "amounted", "totalled", "totaled", "worth", "brought")
}

// anotherNamed reports whether a noun before a name and its noun says of which column the
// clause speaks: "평균 금액은 온라인 주문이 459".
func (s *sentence) anotherNamed(i int, rows [][]int) bool {
	for first, _ := s.clauseSpan(i); i >= first; i-- {
		if s.tokens[i].kind == word && s.tokens[i].hangul && !s.isNameToken(i) && !s.isNameToken(i-1) && hasSuffix(s.tokens[i].text, "은", "는", "이", "가") && s.namedBy(koreanStem(s.tokens[i].fold), rows) != nil {
			return true
		}
	}
	return false
}

// hasAmounts reports whether a column is of money.
func (c *Checker) hasAmounts() bool {
	return slices.ContainsFunc(c.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(of column) bool {
			return of.measure() && (of.amount && !of.share || hasSuffix(of.name, "액", "금", "amount", "revenue"))
		})
	})
}

// withoutKeys takes out the columns of keys where the noun at i only names a row: of
// "order 3 was paid with 9.99" and "3번 주문은 9.99" the order is no number.
func (s *sentence) withoutKeys(i, next int, named map[int]bool) map[int]bool {
	w := koreanStem(s.tokens[i].fold)
	if w == "id" || w == "번호" || w == "number" {
		return named
	}
	naming := i != next || s.isNameToken(i-1) || s.isNameToken(i+1) || s.isNameToken(i-2) && hasPrefix(s.foldAt(i-1), "번")
	var kept map[int]bool
	for id := range named {
		if naming && s.checker.tables[id/columnStride].columns[id%columnStride].id {
			continue
		}
		if kept == nil {
			kept = map[int]bool{}
		}
		kept[id] = true
	}
	return kept
}

// spent reports whether other figures before token at are the cells of all these columns
// for the rows of which the sentence speaks.
func (s *sentence) spent(named map[int]bool, at int, rows [][]int) bool {
	if rows == nil {
		return false
	}
	for id := range named {
		index, col := id/columnStride, id%columnStride
		if !slices.ContainsFunc(rows[index], func(row int) bool {
			return slices.ContainsFunc(s.figures, func(g figure) bool {
				return g.at < at && g.at+6 > at-6 && s.clause[g.at] == s.clause[min(at, len(s.clause)-1)] && len(g.amounts) > 0 && s.checker.tables[index].columns[col].cells[row].equal(&g, nil)
			})
		}) {
			return false
		}
	}
	return true
}

// narrow keeps those of several columns that the words before a figure name, too: of
// "재구매 고객" and "전체 고객" the one that is meant. A label before a colon goes with what
// stands behind it: "Night trains: 40".
func (s *sentence) narrow(named map[int]bool, f *figure) map[int]bool {
	from, _ := s.span(f.at)
	if from > 0 && from == f.at-1 && s.foldAt(from) == ":" {
		from, _ = s.span(from - 1)
	}
	from = s.wordsBefore(f.at, from)
	named = s.ofKind(named, from, f.at)
	for i := f.at - 1; i >= from && len(named) > 1; i-- {
		if s.tokens[i].kind != word || s.isNameToken(i) || s.figureAtToken(i) || s.tokens[i].hangul && i+1 < f.at && slices.ContainsFunc(s.figures, func(g figure) bool { return g.at == i+1 && s.koreanCounter(&g) }) {
			continue // what the counter of another figure took: "고객 319명 중 137명이 구독해"
		}
		named = s.alsoNamed(named, i)
	}
	return s.plainest(named, f)
}

// wordsBefore is where the few words before a token begin that may narrow its noun down; a name
// among them is none.
func (s *sentence) wordsBefore(at, from int) int {
	const few = 5
	i := at
	for n := 0; i > from && n < few; i-- {
		n += boolInt(!s.isNameToken(i - 1))
	}
	return i
}

// narrowBehind keeps those of several columns that the words behind a figure name, too:
// "17% of the amount claimed".
func (s *sentence) narrowBehind(named map[int]bool, f *figure, to int) map[int]bool {
	if s.foldAt(f.at-1) == "of" && s.figureEndsAt(f.at-1) {
		return named // "3 of 9 passengers were international": this is of the 3
	}
	for i := f.to; i < min(to, f.to+6) && len(named) > 1; i++ {
		if s.figureAtToken(i) || s.tokens[i].kind != word && s.tokens[i].text != "-" {
			break
		}
		if s.joinsNext(i) {
			break
		}
		if s.isNameToken(i) {
			continue
		}
		named = s.alsoNamed(named, i)
	}
	return named
}

// joinsNext reports whether a Korean noun is joined to the next word: "건수와 금액".
func (s *sentence) joinsNext(i int) bool {
	return s.tokens[i].hangul && hasSuffix(s.tokens[i].text, "와", "과") && s.is(i+1, word)
}

// alsoNamed are those of the columns that the word at i names, or all of them if it names
// none.
func (s *sentence) alsoNamed(named map[int]bool, i int) map[int]bool {
	also := s.namedBy(koreanStem(s.tokens[i].fold), nil)
	kept := map[int]bool{}
	for id := range named {
		if also[id] {
			kept[id] = true
		}
	}
	if len(kept) == 0 {
		return named
	}
	return kept
}

// consumedAlike reports whether the noun at i stands behind another figure of the clause:
// "Payments peaked in July: 6,711 payments worth 28,373.89".
func (s *sentence) consumedAlike(i int) bool {
	w := stem(s.tokens[i].fold)
	return !stopWords[w] && slices.ContainsFunc(s.figures, func(g figure) bool {
		return g.to < len(s.tokens) && g.to != i && g.at > i && s.clause[g.at] == s.clause[i] && stem(s.foldAt(g.to)) == w
	})
}

// persons are the concepts that Korean counts with 명.
var persons = set("customer employee artist user member manager person student passenger actor author visitor subscriber guest patient teacher player driver voter applicant participant")

// people are the numeric columns that count people, and where there are some, those whose noun
// may: 구독자수 beside 고객수.
func (s *sentence) people(rows [][]int) map[int]bool {
	var named, may map[int]bool
	for i, t := range s.checker.tables {
		if rows != nil && len(rows[i]) == 0 {
			continue
		}
		for col := range t.columns {
			c := &t.columns[col]
			switch {
			case !c.measure():
			case slices.ContainsFunc(c.head(), func(w string) bool { return persons[concept(w)] }):
				named = with(named, i*columnStride+col)
			case c.wholes && slices.ContainsFunc(c.head(), func(w string) bool { return hasSuffix(w, "자수", "자", "원수", "인원") }):
				may = with(may, i*columnStride+col)
			}
		}
	}
	for id := range may {
		named = with(named, id)
	}
	return named
}

// gluedAt is the Korean word that is glued to what stands before it.
func (s *sentence) gluedAt(i int) string {
	if i < len(s.tokens) && s.tokens[i].hangul && !s.tokens[i].gap {
		return s.tokens[i].text
	}
	return ""
}

// consumed reports whether a noun stands right behind another figure, of which it says
// what it counts: "91 invoices worth 523.06".
func (s *sentence) consumed(i int) bool {
	return slices.ContainsFunc(s.figures, func(g figure) bool { return g.to == i && !g.percent && !g.ordinal })
}

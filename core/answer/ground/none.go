package ground

import (
	"slices"
	"strings"
)

// checkNone refuses "no customers" where there are some, and an empty result about
// which something is said to be there.
func (s *sentence) checkNone() {
	if s.checker.incomplete || len(s.checker.tables) == 0 {
		return
	}
	for i, t := range s.tokens {
		if s.taken[i] || !s.deniesAt(i) {
			continue
		}
		if s.checker.empty || s.mayDeny(i) {
			continue
		}
		s.violate(i, min(i+2, len(s.tokens)), "the result has rows, and none that is named says this")
		_ = t
		return
	}
}

// deniesAt reports whether a word says that there is nothing.
func (s *sentence) deniesAt(i int) bool {
	t := s.tokens[i]
	next := s.foldAt(i + 1)
	switch {
	case nounsOfNone[t.fold]:
		return true
	case t.fold == "no":
		return next != "longer" && next != "more" && next != "less" && next != "fewer" && next != "matter" && next != "doubt" && next != "." && s.is(i+1, word) && !s.is(i+1, number)
	case t.fold == "zero":
		return true
	case t.fold == "empty" && !t.hangul:
		return s.hasAny(0, i, "is", "are", "was", "came")
	case t.fold == "not" && (next == "any" || next == "one" || next == "a" && s.foldAt(i+2) == "single"), t.fold == "n't" && next == "any":
		return true
	case t.hangul && s.isNotFound(i):
		return true
	case t.hangul && (s.foldAt(i-1) == "수" || strings.Contains(t.text, "수 없")):
		return false
	case t.hangul && strings.HasPrefix(t.text, "않"):
		return hasPrefix(s.foldAt(i-1), "존재하지") || s.foldAt(i-1) == "있지" && hasPrefix(s.foldAt(i-2), "등록", "존재")
	case t.hangul && (strings.HasPrefix(t.text, "없") || strings.HasSuffix(t.text, "없습니다") || strings.HasSuffix(t.text, "없음")):
		return true
	}
	return strings.HasSuffix(t.fold, "n't") && next == "any"
}

// isNotFound reports whether a Korean word ends a sentence that says of what was looked for
// that it is not there: "찾을 수 없습니다", "조회되지 않았습니다".
func (s *sentence) isNotFound(i int) bool {
	text, before := s.tokens[i].text, s.foldAt(i-1)
	if !strings.HasSuffix(text, "다") && !strings.HasSuffix(text, "음") && !strings.HasSuffix(text, "요") {
		return false
	}
	if before == "수" && strings.HasPrefix(text, "없") {
		return hasPrefix(s.foldAt(i-2), "찾을", "조회할", "검색할")
	}
	return hasPrefix(text, "않", "못") && hasPrefix(before, "찾지", "조회되지", "검색되지", "발견되지")
}

// deniesTheRows reports whether a denial is of what the rows are, right behind or before a name
// of theirs or nothing: "서울에는 매장이 없습니다", "조건에 맞는 매장이 없습니다", "no store in Seoul".
func (s *sentence) deniesTheRows(i int) bool {
	if s.questionDenies() || len(s.figures) > 0 || len(s.referents) > 1 || s.checker.isScalar() || !slices.ContainsFunc(s.checker.tables, func(t *table) bool { return t.rows > 0 }) {
		return false
	}
	if !s.tokens[i].hangul {
		return s.tokens[i].fold == "no" && s.checker.asksFor(s.foldAt(i+1)) && s.hasAny(i+2, i+3, "in", "at", "for") && s.isNameToken(i+3) && len(s.tokens) <= i+6+boolInt(len(s.referents) > 0)
	}
	k := i - 1
	for k >= 0 && (s.foldAt(k) == "수" || hasPrefix(s.foldAt(k), "찾", "조회", "검색", "발견", "있")) {
		k--
	}
	if k < 0 || !s.checker.asksFor(koreanStem(s.foldAt(k))) {
		return false
	}
	return k == 0 || s.isNameToken(k-1) || k > 1 && s.isNameToken(k-2) && hasPrefix(s.foldAt(k-1), "에", "의") || hasPrefix(s.foldAt(k-1), "맞는", "해당하는", "일치하는")
}

// mayDeny reports whether the denial is that of a named row without a number, of a
// column whose cells have none, or the question's own.
func (s *sentence) mayDeny(i int) bool {
	if b := s.noneBeyond(i); b.direction != 0 {
		return s.isUnbeaten(b)
	}
	if s.deniesTheRows(i) || s.deniesUnasked(i) {
		return false
	}
	if s.questionDenies() && s.denials() < 2 && (s.sharesNounWithQuestion() || len(s.referents) > 0) && s.listsOnly() || s.hostDenies(i) {
		return true
	}
	if s.exceptedBeyond(i) || s.provesNone(i) || s.isAboutResult(i) || s.lacksTruly(i) || s.noneIsTrue(i) || s.hasNullAlone(i) || s.namesTheAsked(i) || s.saysNoOthers(i) {
		return true
	}
	r, group := s.referentOf(&figure{at: i, to: i + 1})
	if first, last := s.clauseSpan(i); r != nil && r.at >= len(s.tokens) || r != nil && len(s.namesOf(0, len(s.tokens))) == 0 && s.isUniversal(i, first, last) {
		r = nil // it is carried from the sentence before, and this one is about all rows
	}
	if r == nil {
		return s.countsZeros(i) && !s.checker.partial() || s.isZeroColumn(i)
	}
	if group == nil {
		group = []*referent{r}
	}
	for _, g := range group {
		if !s.isZero(i, g) {
			return false
		}
	}
	return true
}

// namesTheAsked tells "출고일이 없는 주문은 55건", which repeats what was asked for, from an answer
// that there are none: it denies the question's own noun, and nothing else.
func (s *sentence) namesTheAsked(i int) bool {
	var of []string
	switch {
	case hasPrefix(s.tokens[i].text, "없는", "없이"):
		of = []string{koreanStem(s.foldAt(i - 1)), koreanStem(s.foldAt(i - 2))} // "환불 이력 없는"
	case s.tokens[i].fold == "no" && s.foldAt(i-1) == "with":
		of = []string{s.foldAt(i + 1)}
	}
	return s.questionDenies() && s.denials() < 2 && s.sharesNounWithQuestion() && slices.ContainsFunc(s.checker.asked.tokens, func(q token) bool {
		w := koreanStem(q.fold)
		return !stopWords[w] && slices.ContainsFunc(of, func(o string) bool { return o != "" && concept(w) == concept(o) })
	})
}

// deniesUnasked reports whether a Korean sentence denies another noun than the question, which
// denies one in the same words: "결제일이 없는" of orders without a ship date.
func (s *sentence) deniesUnasked(i int) bool {
	asked := s.checker.asked.tokens
	at := slices.IndexFunc(asked, func(q token) bool { return q.hangul && strings.HasPrefix(q.text, "없") })
	if !strings.HasPrefix(s.tokens[i].text, "없는") || i == 0 || at < 1 || !s.is(i-1, word) {
		return false
	}
	of := koreanStem(s.foldAt(i - 1))
	return of != s.foldAt(i-1) && concept(of) != concept(koreanStem(asked[at-1].fold)) && !strings.Contains(s.checker.asked.text, koreanStem(s.foldAt(i-1)))
}

// saysNoOthers checks "no other branch has closed": the names so far are those of all rows.
func (s *sentence) saysNoOthers(i int) bool {
	if s.foldAt(i+1) != "other" && !s.anyCue(i-3, i, nil, "다른", "외에", "밖에", "외의") {
		return false
	}
	return len(s.checker.tables) == 1 && s.checker.tables[0].whole && s.checker.tables[0].rows > 0 && len(s.others(s.checker.tables[0], 0)) == 0
}

// denials is how many words of the sentence deny something.
func (s *sentence) denials() int {
	n := 0
	for i, t := range s.tokens {
		n += boolInt(!s.isNameToken(i) && (s.deniesAt(i) || t.fold == "without" || t.fold == "never" || t.fold == "not" || t.fold == "lack" || strings.HasSuffix(t.fold, "n't") || t.hangul && (strings.Contains(t.text, "않") || strings.Contains(t.text, "없"))))
	}
	return n
}

// isAboutResult tells "no currency is given", which says what the result lacks, from what
// is said of its rows.
func (s *sentence) isAboutResult(i int) bool {
	for k := i + 1; k < min(i+4, len(s.tokens)); k++ {
		if t := s.tokens[k]; t.kind == word && s.checker.isNoun(t.fold) {
			return false
		}
	}
	return s.hasAny(i, i+6, "given", "shown", "specified", "provided", "available", "stated", "included")
}

// hasNullAlone reports whether a result of one row has an empty cell, and what is denied is
// not the row itself: "no store in Seoul".
func (s *sentence) hasNullAlone(i int) bool {
	k := i + 1
	if s.tokens[i].hangul {
		k = i - 1
	}
	if k >= 0 && s.is(k, word) && !s.taken[k] && s.checker.asksFor(koreanStem(s.foldAt(k))) {
		return false
	}
	return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return t.count == 1 && t.rows == 1 && slices.ContainsFunc(t.columns, func(c column) bool { return c.cells[0].null })
	})
}

// asksFor reports whether a noun is one of the question's, and of no column's name.
func (c *Checker) asksFor(w string) bool {
	return c.isNoun(w) && slices.ContainsFunc(c.asked.tokens, func(q token) bool { return concept(koreanStem(q.fold)) == concept(w) }) && !slices.ContainsFunc(c.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(of column) bool { return of.saysColumn(w) })
	})
}

// isLoneRow reports whether a name's row is all that was found.
func (c *Checker) isLoneRow(r *referent) bool {
	for i, t := range c.tables {
		if t.rows == 1 && t.count == 1 && len(r.rows[i]) == 1 {
			return true
		}
	}
	return false
}

// isZeroColumn reports whether a column that the sentence names is zero in all rows.
func (s *sentence) isZeroColumn(at int) bool {
	for i, t := range s.checker.tables {
		for col := range t.columns {
			c := &t.columns[col]
			if !t.whole || !c.measure() || !slices.ContainsFunc(s.words(), func(w string) bool { return s.namedBy(w, nil)[i*columnStride+col] }) {
				continue
			}
			if !slices.ContainsFunc(c.cells, func(v cell) bool { return v.number == nil || v.number.Sign() != 0 }) {
				return true
			}
		}
	}
	return false
}

func (s *sentence) isZero(at int, r *referent) bool {
	f := &figure{at: at, to: at + 1, amounts: whole(0)}
	return s.each(f, func(t *table, index int, c *column) bool {
		return slices.ContainsFunc(r.rows[index], func(row int) bool { return c.cells[row].null || c.cells[row].equal(f, nil) })
	}) || s.hasEmptyCell(r) && !(s.foldAt(at) == "nobody" && len(r.parts) == 1 && r.parts[0].primary != nil)
}

func (s *sentence) hasEmptyCell(r *referent) bool {
	for i, t := range s.checker.tables {
		for col := range t.columns {
			if c := &t.columns[col]; slices.ContainsFunc(r.rows[i], func(row int) bool { return c.cells[row].null }) && !s.deniesAnother(t, c) {
				return true
			}
		}
	}
	return false
}

// deniesAnother reports whether the noun before a Korean denial is that of another column:
// "학년이 없습니다" of a row without a guardian.
func (s *sentence) deniesAnother(t *table, c *column) bool {
	for i := 1; i < len(s.tokens); i++ {
		if !s.deniesAt(i) || !s.tokens[i].hangul {
			continue
		}
		w := koreanStem(s.foldAt(i - 1))
		return !c.saysColumn(w) && slices.ContainsFunc(t.columns, func(o column) bool { return o.saysColumn(w) })
	}
	return false
}

// countsZeros lets "3 categories have no returns" pass, whose number was checked, and
// "no country has fewer than 66".
func (s *sentence) countsZeros(i int) bool {
	from, to := s.clauseSpan(i)
	for k := range s.figures {
		f := &s.figures[k]
		asked := f.hedge != exact && (f.at > i || s.tokens[i].hangul) && s.listsOnly() // a bound that only the question has
		if f.at >= from && f.at < to && s.proved[k] && !asked && !s.countsAll(f) {
			return true
		}
		if n, ok := f.count(); ok && n > 0 && f.at > i && f.at < to && s.hasAny(i, f.at, "in", "for") {
			zero := &figure{at: i, to: i + 1, amounts: whole(0)}
			if s.each(zero, func(t *table, _ int, c *column) bool { return t.whole && c.countOf(zero) == n }) {
				return true
			}
		}
	}
	return s.isUniversal(i, from, to)
}

// countsAll reports whether a figure is the number of all rows.
func (s *sentence) countsAll(f *figure) bool {
	n, ok := f.count()
	return ok && slices.ContainsFunc(s.checker.tables, func(t *table) bool { return t.count == n })
}

// isUniversal checks "no country has fewer than 66 customers".
func (s *sentence) isUniversal(i, from, to int) bool {
	for k := range s.figures {
		f := &s.figures[k]
		korean := s.tokens[i].hangul
		if !korean && f.at <= i || korean && (f.at > i || f.at < from) || f.at >= to || !f.isBound() || len(f.amounts) == 0 {
			continue
		}
		return s.each(f, func(t *table, _ int, c *column) bool { return t.whole && t.rows > 1 && c.countOf(f) == 0 })
	}
	return false
}

// questionDenies reports whether the question asks for what is not there.
func (s *sentence) questionDenies() bool { return s.checker.questionDenies() }

func (c *Checker) questionDenies() bool {
	for _, t := range c.asked.tokens {
		switch {
		case t.fold == "no", t.fold == "not", t.fold == "never", t.fold == "without", t.fold == "none", t.fold == "lacks", t.fold == "missing", strings.HasSuffix(t.fold, "n't"), t.hangul && (strings.Contains(t.text, "없") || strings.HasPrefix(t.text, "안") || strings.Contains(t.text, "않")):
			return true
		}
	}
	return false
}

func (s *sentence) sharesNounWithQuestion() bool {
	for i, t := range s.tokens {
		w := koreanStem(t.fold)
		if t.kind == word && !s.taken[i] && !stopWords[w] && slices.ContainsFunc(s.checker.asked.tokens, func(q token) bool { return !stopWords[q.fold] && concept(koreanStem(q.fold)) == concept(w) }) {
			return true
		}
	}
	return false
}

// hostDenies reports whether a note of the host says it in the same words.
func (s *sentence) hostDenies(i int) bool {
	next := s.foldAt(i + 1)
	for _, src := range s.checker.said {
		if strings.Contains(src.text, strings.TrimSpace(s.tokens[i].fold+" "+next)) {
			return true
		}
	}
	return false
}

package ground

import "slices"

// isOwnMost reports whether a superlative with its noun is the name of a column that holds the
// most, or the least, of each row, and is told of a row like any other of its numbers: "A has a
// highest salary of 5", "A's highest salary is 5", "the highest salary is 5 for A and 7 for B". That
// of "A has the highest salary" is one over all rows.
func (s *sentence) isOwnMost(at int) bool {
	end := s.mostNoun(at)
	if end == 0 {
		return s.isOwnAlone(at)
	}
	if s.tokens[at].hangul {
		return s.isOwnMostKorean(at, end)
	}
	switch before := s.foldAt(at - 1); {
	case before == "a", before == "an", before == "its", before == "their", before == "higher", before == "lower", before == "'s", before == "'":
		return true
	case before == "(":
		return s.foldAt(end) == ")" && s.is(at-2, number)
	case at > 0 && s.isNameToken(at-1) && hasSuffix(s.tokens[at-1].text, "'s", "’s", "s'", "s’"):
		return true
	case s.foldAt(end) == ":", s.figureAtToken(end):
		return s.is(end+boolInt(s.foldAt(end) == ":"), number) && (s.isNamed(0, at) || s.line.item && at == 0)
	}
	return s.tiesName(end) || s.leadsFor(at) && s.hasAny(end, end+1, "is", "was", "stands", "comes", "amounts", "stood", "came") || s.isCompared(end) || s.givesEach(end)
}

// isOwnAlone reports whether a superlative without the noun of its column is a number of the row
// that is named before it: "A's cheapest item", "for A the maximum is 5", "A: 평균 4, 최고 9", or
// goes on with one that is: "in A, the lowest rent is 6 and the highest 15".
func (s *sentence) isOwnAlone(at int) bool {
	a := s.aggregateAt(at)
	if a != "min" && a != "max" || !slices.ContainsFunc(s.checker.tables, func(t *table) bool { return t.holdsMost(a) }) {
		return false
	}
	from, _ := s.clauseSpan(at)
	next := at + 1 + boolInt(s.foldAt(at+1) == ":")
	if s.tokens[at].hangul {
		return hasPrefix(s.foldAt(at), aggregatesKorean...) && s.figureAtToken(next) && (s.isNamed(from, at) || s.before != nil && len(s.before.referents) == 1)
	}
	switch {
	case at > 0 && s.isNameToken(at-1) && hasSuffix(s.tokens[at-1].text, "'s", "’s", "s'", "s’"), s.foldAt(at-1) == "'s" && s.isNameToken(at-2):
		return true
	case s.leadsFor(at) && s.hasAny(at+1, at+2, "is", "was"):
		return true
	}
	if noun := at + 1 + boolInt(s.foldAt(at+1) == "expensive"); s.is(noun, word) && !s.isNameToken(noun) && s.foldAt(at-1) == "the" && s.tiesName(noun+1) && s.hasAny(noun+2, len(s.tokens), "costs", "cost", "is", "was", "has", "had", "at") {
		return true // "the cheapest flat in A costs 620"
	}
	if !s.figureAtToken(next) && !s.figureAtToken(next+1) || !s.hasAny(at-1, at, "the") || !s.hasAny(at-2, at-1, "and", ",") {
		return false
	}
	for i := from; i < at; i++ {
		if s.aggregateAt(i) != "" && s.mostNoun(i) > 0 && s.isNamed(from, i) && s.isOwnMost(i) {
			return true
		}
	}
	return false
}

// isOwnMostKorean reports whether a Korean superlative with its noun, up to token end, is a number
// of the row that is named before it, "A의 최고 급여는", "A: 최고 급여 5", "A는 B보다 최고 급여가", or
// that of several names with their own: "최고 급여는 A 5, B 7".
func (s *sentence) isOwnMostKorean(at, end int) bool {
	from, _ := s.clauseSpan(at)
	if s.isAmongMost(at, end) {
		return false
	}
	if hasPrefix(s.foldAt(end), "변화", "추이", "증감", "합계", "범위", "순위") || slices.ContainsFunc(s.figures, func(f figure) bool { return f.at == end && f.hedge != exact && f.hedge != about }) {
		return true // "최고 급여 변화", "최고 급여가 50,000 미만인 곳은"
	}
	for i := at - 1; i >= from; i-- {
		switch w := s.tokens[i].text; {
		case s.isNameToken(i) && !s.is(i+1, word) || s.isRowNoun(koreanStem(w)):
			if hasSuffix(w, "의", "보다") {
				return true
			}
		case s.tokens[i].hangul && !s.tokens[i].gap && (w == "의" || w == "보다") || s.isNameToken(i) && hasSuffix(w, "의", "보다"):
			return true
		}
	}
	told := hasPrefix(s.foldAt(end), mostKorean...) || s.figureAtToken(end) || hedgesBefore[s.foldAt(end)] != exact && s.figureAtToken(end+1)
	return told && s.isNamed(from, at) || s.comparesKorean(end, len(s.tokens)) || s.givesEach(end)
}

// isAmongMost reports whether a Korean sentence says of the name of a column that it is the most
// of all: "A의 최고 급여가 가장 높고", "다섯 곳 중 최고 급여는".
func (s *sentence) isAmongMost(at, end int) bool {
	return s.anyCue(0, at, nil, "중", "가운데", "통틀어", "전체") && !s.anyCue(end, len(s.tokens), nil, mostKorean...)
}

// givesEach reports whether figures with names of their own follow a token: "is 5 for A and 7
// for B", "A 5, B 7", "A(5), B(7)".
func (s *sentence) givesEach(at int) bool {
	_, to := s.clauseSpan(at - 1)
	names, figures := 0, 0
	for i := range s.referents {
		names += boolInt(s.referents[i].at >= at && s.referents[i].at < to)
	}
	for i := range s.figures {
		figures += boolInt(s.figures[i].at >= at && s.figures[i].at < to && !s.figures[i].ordinal)
	}
	return names > 1 && figures == names && !s.isNamed(0, at)
}

// mostNoun is where the noun ends that a superlative and the name of a column have in common, or
// that the question has with the same superlative of such a column; 0 where there is none.
func (s *sentence) mostNoun(at int) int {
	a := s.aggregateAt(at)
	if a != "min" && a != "max" || !slices.ContainsFunc(s.checker.tables, func(t *table) bool { return t.holdsMost(a) }) {
		return 0
	}
	end := at + 1
	if s.tokens[at].hangul && hasPrefix(s.foldAt(at), mostKorean...) {
		end++ // "가장 높은 급여"
	}
	if noun := koreanStem(s.foldAt(at)); s.tokens[at].hangul && len(noun) > len("최고") && s.nounOfMost(a, noun[len("최고"):]) {
		return end // "최고급여"
	}
	first := end
	for s.is(end, word) && (!s.taken[end] || s.tokens[end].hangul) && !s.isNameToken(end) && s.nounOfMost(a, koreanStem(s.foldAt(end))) {
		end++
	}
	if end == first {
		return 0
	}
	return end
}

// holdsMost reports whether a table of several rows has a column for the most, or the least, of
// each.
func (t *table) holdsMost(a string) bool {
	return t.rows > 1 && slices.ContainsFunc(t.columns, func(c column) bool { return c.measure() && c.aggregateOf() == a })
}

// nounOfMost reports whether a noun is one of a column's name that holds an aggregate, or stands
// in the question behind a word for this aggregate.
func (s *sentence) nounOfMost(a, w string) bool {
	if w == "" || stopWords[w] {
		return false
	}
	of := concept(w)
	return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return t.rows > 1 && slices.ContainsFunc(t.columns, func(c column) bool {
			return c.measure() && c.aggregateOf() == a && slices.ContainsFunc(c.words, func(have string) bool {
				return have == stem(w) || concept(have) == of || isHangul(w) && len(w) > len("가") && hasSuffix(have, w)
			})
		})
	}) || s.checker.asksMost(a, of) || isHangul(w) && s.namedBy(w, nil) == nil && !koreanWords[w] && len(w) > len("가")
}

// asksMost reports whether the question has a noun right behind a word for an aggregate, or one
// noun further: "the largest card payment".
func (c *Checker) asksMost(a, of string) bool {
	list := c.asked.tokens
	for i := range list {
		if aggregates[koreanStem(list[i].fold)] != a {
			continue
		}
		for k := i + 1; k < min(i+3, len(list)) && list[k].kind == word; k++ {
			if concept(koreanStem(list[k].fold)) == of {
				return true
			}
		}
	}
	return false
}

// isNamed reports whether a name stands in tokens from..to.
func (s *sentence) isNamed(from, to int) bool {
	return slices.ContainsFunc(s.refs, func(r ref) bool { return r.at >= from && r.to <= to })
}

// tiesName reports whether a preposition binds what stands before a token to a name behind it:
// "for A", "at the store A".
func (s *sentence) tiesName(at int) bool {
	if !s.hasAny(at, at+1, "for", "at", "in", "of") {
		return false
	}
	for at++; at < len(s.tokens) && !s.isNameToken(at); at++ {
		if w := s.foldAt(at); w != "the" && w != "\"" && !(s.is(at, word) && s.isRowNoun(w)) {
			return false
		}
	}
	return at < len(s.tokens)
}

// leadsFor reports whether nothing but names stands before a token, which "for" or "at" leads in:
// "for A and B, the".
func (s *sentence) leadsFor(at int) bool {
	from, _ := s.clauseSpan(at)
	if !s.hasAny(from, from+1, "for", "at", "in") || !s.isNamed(from, at) {
		return false
	}
	for i := from + 1; i < at; i++ {
		if !s.isNameToken(i) && !s.coordinated(i, i+1) && !s.isRowNoun(s.foldAt(i)) {
			return false
		}
	}
	return true
}

// isCompared reports whether words right behind a noun compare two rows or moments in it: "is
// higher for A than for B", "fell from 5 in 2015 to 4 in 2016".
func (s *sentence) isCompared(at int) bool {
	if s.hasAny(at, at+1, "is", "was") {
		at++
	}
	return s.anyCue(at, at+1, moreWords) && s.hasAny(at, len(s.tokens), "than") || s.anyCue(at, at+1, lessWords) && s.hasAny(at, len(s.tokens), "than") ||
		s.anyCue(at, at+1, riseWords) || s.anyCue(at, at+1, fallWords) || s.hasAny(at, at+1, "went")
}

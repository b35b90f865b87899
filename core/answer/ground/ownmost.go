package ground

import "slices"

// isOwnMost reports whether a superlative with its noun is the name of a column that holds the
// most, or the least, of each row, and is told of a row like any other of its numbers: "A has a
// highest salary of 5", "the highest salary for A is 5", "for A, the highest salary is 5". That
// of "A has the highest salary" is one over all rows.
func (s *sentence) isOwnMost(at int) bool {
	end := s.mostNoun(at)
	if end == 0 {
		return false
	}
	switch before := s.foldAt(at - 1); {
	case before == "a", before == "an", before == "its", before == "their", before == "higher", before == "lower":
		return true
	case before == "(":
		return s.foldAt(end) == ")" && s.is(at-2, number)
	case s.foldAt(end) == ":":
		return s.is(end+1, number) && (s.isNamed(0, at) || s.line.item && at == 0)
	}
	return s.tiesName(end) || s.leadsFor(at) && s.hasAny(end, end+1, "is", "was", "stands", "comes", "amounts", "stood", "came") || s.isCompared(end)
}

// mostNoun is where the noun ends that a superlative and the name of a column have in common;
// 0 where there is none.
func (s *sentence) mostNoun(at int) int {
	a := s.aggregateAt(at)
	if a != "min" && a != "max" || s.tokens[at].hangul {
		return 0
	}
	end := at + 1
	for s.is(end, word) && !s.taken[end] && slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return t.rows > 1 && slices.ContainsFunc(t.columns, func(c column) bool {
			return c.measure() && c.aggregateOf() == a && slices.Contains(c.words, stem(s.foldAt(end)))
		})
	}) {
		end++
	}
	if end == at+1 {
		return 0
	}
	return end
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

package ground

import (
	"slices"
	"strings"
)

// plainModifiers are words before a noun that narrow nothing down.
var plainModifiers = set("recorded such individual distinct unique different separate registered existing current resulting corresponding matching relevant exact precise final single actual combined full")

// checkModifiers refuses another word before the noun of a question that asks for one
// number: "wallet payments" where card payments were asked for.
func (s *sentence) checkModifiers() {
	if !s.checker.isScalar() || len(s.figures) == 0 {
		return
	}
	for i := 1; i < len(s.tokens); i++ {
		t, m := s.tokens[i], s.tokens[i-1]
		if t.kind != word || t.hangul || stopWords[t.fold] || clauseVerbs[t.fold] || m.kind != word || !t.gap || s.taken[i] || s.taken[i-1] || s.mayModify(m) {
			continue
		}
		if want := s.checker.modifierOf(t.fold); want != "" && !slices.ContainsFunc(s.tokens, func(o token) bool { return sameRoot(stem(o.fold), stem(want)) }) {
			s.violate(i-1, i, "the question asks for another")
		}
	}
}

// mayModify reports whether a word may stand before a noun of the question.
func (s *sentence) mayModify(m token) bool {
	return stopWords[m.fold] || s.checker.known[m.fold] || s.checker.isNoun(m.fold) || plainModifiers[m.fold] || totalWords[m.fold] || meanWords[m.fold] || clauseVerbs[m.fold] ||
		hasSuffix(m.fold, "ly", "ing") || strings.HasSuffix(m.text, "'s")
}

// modifierOf is the word that stands before a noun in the question, "" for none.
func (c *Checker) modifierOf(noun string) string {
	for i := 1; i < len(c.asked.tokens); i++ {
		if m := c.asked.tokens[i-1]; stem(c.asked.tokens[i].fold) == stem(noun) && m.kind == word && !stopWords[m.fold] && !totalWords[m.fold] && !meanWords[m.fold] && !plainModifiers[m.fold] && !clauseVerbs[m.fold] {
			return m.fold
		}
	}
	return ""
}

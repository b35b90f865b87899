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
		if want := s.checker.modifierOf(t.fold); want != "" && !(ordersUp[want] != 0 && ordersUp[want] == ordersUp[m.fold]) && !slices.ContainsFunc(s.tokens, func(o token) bool { return sameRoot(stem(o.fold), stem(want)) }) {
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

// isNoCount reports whether a figure cannot be what its Korean counter says: a part of a
// thing that is counted, or the key of no row.
func (s *sentence) isNoCount(f *figure) bool {
	if len(f.amounts) == 0 {
		return false
	}
	from, to := s.clauseSpan(f.at)
	if !f.scaled && !f.amounts[0].value.IsInt() && s.koreanCounter(f) && (f.rest != "" || s.gluedAt(f.to) != "") {
		return !s.anyCue(from, to, meanWords, meanKorean...) && !s.tellsRate(from, to) && !slices.ContainsFunc(s.checker.tables, func(t *table) bool {
			return slices.ContainsFunc(t.columns, func(c column) bool { return c.average })
		})
	}
	if !f.amounts[0].value.IsInt() && s.foldAt(f.to) == "times" && !f.ratio {
		return true
	}
	w := f.rest + s.gluedAt(f.to)
	return strings.HasPrefix(w, "번") && !strings.HasPrefix(w, "번째") && !f.ordinal && len(s.referents) == 0 && slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(c column) bool { return c.id })
	})
}

// tellsRate reports whether a Korean word says that something is told of each of something: "1인당".
func (s *sentence) tellsRate(from, to int) bool {
	return slices.ContainsFunc(s.tokens[from:to], func(t token) bool {
		return t.hangul && strings.HasSuffix(t.text, "당") && len(t.text) > len("당")
	})
}

// saysWhole reports whether a figure is said to be all among which something stands, which
// is no cell of the name behind: "전체 9,000건 가운데 delivered는".
func (s *sentence) saysWhole(f *figure) bool {
	return s.foldAt(f.at-1) == "전체" && s.anyCue(f.to, f.to+3, nil, "중", "가운데") && !slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(c column) bool { return hasPrefix(c.name, "전체", "총", "total") })
	})
}

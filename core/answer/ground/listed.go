package ground

import (
	"slices"
	"strings"
)

// countsWhole reports whether a figure is told as how many rows there are at all: "the list
// has 4 entries", "모두 네 곳입니다", "목록은 A부터 D까지 4개". No part of them will do.
func (s *sentence) countsWhole(f *figure) bool {
	n, ok := f.count()
	if !ok || n < 1 || f.hedge != exact || f.ordinal || s.checker.isScalar() || len(s.figures) > 1 {
		return false
	}
	if s.tokens[f.at].hangul || s.counter(f) {
		return s.countsWholeKorean(f)
	}
	if !s.hasAny(f.at-1, f.at, "has", "have", "contains", "holds", "comprises", "lists", "includes", "shows") || !s.hasAny(max(0, f.at-3), f.at-1, "list", "result", "results", "table", "answer") {
		return false
	}
	w := s.foldAt(f.to)
	return (genericNouns[w] || genericNouns[stem(w)] || s.kindOf(w) == countsRows) && !s.hasAny(f.to, len(s.tokens), "with", "that", "which", "of", "in", "whose", "above", "below")
}

// countsWholeKorean is countsWhole of a Korean counter.
func (s *sentence) countsWholeKorean(f *figure) bool {
	if len(s.referents) > 0 {
		a, b := &s.referents[0], &s.referents[len(s.referents)-1]
		return hasPrefix(s.foldAt(0), "목록", "명단") && len(s.referents) == 2 && s.endsWith(a, "부터") && s.endsWith(b, "까지") && b.to <= f.at
	}
	if !hasPrefix(s.foldAt(f.at-1), "모두", "총", "전부") || f.at < 2 || s.before == nil && s.told == nil || s.counts(f) == countsOther {
		return false
	}
	topic := s.tokens[f.at-2]
	return topic.hangul && hasSuffix(topic.text, "은", "는") && s.checker.isNoun(koreanStem(topic.text)) && (f.at == 2 || f.at == 3 && hasPrefix(s.foldAt(0), "해당", "이런", "그런"))
}

// miscountsOthers reports whether a figure tells how many there are beside the names right
// before it, and there are not so many: "A, B 외 1곳" of four, "A and two others".
func (s *sentence) miscountsOthers(f *figure) bool {
	n, ok := f.count()
	korean := hasPrefix(s.foldAt(f.at-1), "외", "이외")
	english := s.foldAt(f.at-1) == "and" && s.hasAny(f.to, f.to+1, "other", "others", "more") && !s.is(f.to+1, word)
	if !ok || f.hedge != exact || len(s.referents) == 0 || !korean && !english {
		return false
	}
	last := s.nearestName(f.at)
	if last == nil || f.at-last.to > 3 {
		return false
	}
	names := s.namesAround(0, f.at)
	return !slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		index := slices.Index(s.checker.tables, t)
		rows := joinedRows(names, index)
		return len(rows) == 0 || len(s.checker.tables) > 1 || n == t.count-int64(len(rows)) || n == t.cap-int64(len(rows)) || slices.ContainsFunc(names, func(r *referent) bool { return len(r.rows[index]) > 1 })
	})
}

// isWholeCount reports whether a result has so many rows, or as many are shown of it.
func (s *sentence) isWholeCount(f *figure) bool {
	n, _ := f.count()
	return slices.ContainsFunc(s.checker.tables, func(t *table) bool { return t.count == n || t.cap == n || !t.whole && int64(t.rows) == n })
}

// checkShortened refuses that a list of names ends earlier than the result does: "only A and B"
// of four that are all that was asked for.
func (s *sentence) checkShortened() {
	if len(s.checker.tables) != 1 || len(s.figures) > 0 || len(s.referents) == 0 {
		return
	}
	t := s.checker.tables[0]
	if len(t.columns) != 1 || !t.whole || s.excepts() {
		return
	}
	var rows []int
	for _, r := range s.referents {
		rows = union(rows, r.rows[0])
	}
	if len(rows) == t.rows {
		return
	}
	for i, w := range s.tokens {
		only := (w.fold == "only" || w.fold == "just" || w.fold == "solely") && !s.taken[i] || s.closesAt(i) || s.saysNoOther(i) || w.hangul && hasPrefix(w.text, "유일", "오직")
		if only && !s.denied(i) && !s.hasAny(i-1, i, "not") {
			s.violate(i, i+1, "the result has other rows, too")
			return
		}
	}
}

// isBareCount tells a title that only says how many there are, "직원 2명", "Four bakeries
// found", from one that says of which it speaks.
func (s *sentence) isBareCount(f *figure) bool {
	if _, ok := f.count(); !ok || f.hedge != exact || f.ordinal || len(s.figures) != 1 || len(s.referents) > 0 {
		return false
	}
	nouns := 0
	for i, t := range s.tokens {
		w := koreanStem(t.fold)
		switch {
		case t.kind != word || i >= f.at && i < f.to || i == f.to && beginsWithCounter(t.text):
		case s.kindOf(w) == countsRows || s.checker.concepts[concept(w)] && !s.checker.measures(concept(w)), genericNouns[w], genericNouns[stem(w)]:
			nouns++
		case w == "found" || w == "in" || w == "all" || hasPrefix(w, "총", "모두", "전체", "조회", "검색", "해당"):
		default:
			return false
		}
	}
	return nouns > 0 && !slices.ContainsFunc(s.checker.tables, func(t *table) bool { return !t.whole || strings.Contains(s.checker.asked.text, "상위") })
}

package ground

import (
	"slices"
	"strings"
)

// koreanPlaces are the native Korean words for places that stand without a counter.
var koreanPlaces = map[string]int64{"첫째": 1, "둘째": 2, "셋째": 3, "넷째": 4, "다섯째": 5}

// koreanPlaceAt reads a place in native words that is no number before a counter: "첫 번째로
// 많은", "둘째로 높은", "첫째는 A". "첫 번째 행" and "첫째, 매출이" name no place in an order.
func (s *sentence) koreanPlaceAt(i int) (figure, bool) {
	text := s.tokens[i].text
	f := figure{at: i, to: i + 1, spoken: true, ordinal: true, amounts: whole(1)}
	if text == "첫" && strings.HasPrefix(s.foldAt(i+1), "번째로") || strings.HasPrefix(text, "첫번째로") {
		return f, s.countedFrom(&f) != 0
	}
	for word, n := range koreanPlaces {
		if rest, ok := strings.CutPrefix(text, word); ok && (rest == "로" && s.countedFrom(&f) != 0 || rest == "는" || rest == "가") {
			f.amounts = whole(n)
			return f, true
		}
	}
	return figure{}, false
}

// endSaid is the end of time that a word names: 1 for the last, -1 for the first, 0 for
// neither.
func (s *sentence) endSaid(i int) int {
	t := s.tokens[i]
	if s.taken[i] || t.kind != word {
		return 0
	}
	if d := s.ageAt(i); d != 0 {
		return d
	}
	next := s.foldAt(i + 1)
	switch {
	case timeUnits[next] || next == "name" || next == "names" || s.is(i+1, number) || s.hasAny(i-1, i, "at", "the") && next == "half":
		return 0
	case t.fold == "last", t.fold == "lastly", t.hangul && hasPrefix(t.text, "마지막"), hasPrefix(t.text, "최신"):
		return 1
	case t.fold == "first", t.hangul && hasPrefix(t.text, "최초", "처음"):
		return -1
	case t.hangul && hasPrefix(t.text, "새로", "새롭") && hasPrefix(s.foldAt(i-1), mostKorean...):
		return 1
	}
	return 0
}

// asksEnd is the end of time that the question asks for, 0 for neither or both.
func (c *Checker) asksEnd() int {
	q := &sentence{checker: c, tokens: c.asked.tokens, taken: make([]bool, len(c.asked.tokens))}
	end := 0
	for i := range q.tokens {
		switch d := q.endSaid(i); {
		case d == 0:
		case end == -d:
			return 0
		default:
			end = d
		}
	}
	return end
}

// checkOtherEnd refuses that the one row that was found stands at the other end of time than
// the question asks for: a result of one row does not tell what is the first where it is
// asked which is the last.
func (s *sentence) checkOtherEnd() {
	several := slices.ContainsFunc(s.checker.tables, func(t *table) bool { return t.count != 1 || t.moments() > 1 })
	end := 0
	if !several && s.checker.hasMoments() {
		end = s.checker.asksEnd()
	}
	for i := range s.tokens {
		if end != 0 && s.endSaid(i) == -end && !s.checker.known[s.foldAt(i)] && !s.checker.isNoun(s.foldAt(i)) && !s.denied(i) {
			s.violate(i, i+1, "the question asks for the other end of time")
			return
		}
	}
}

// moments is how many columns of moments a table has.
func (t *table) moments() int {
	n := 0
	for _, c := range t.columns {
		n += boolInt(c.temporal)
	}
	return n
}

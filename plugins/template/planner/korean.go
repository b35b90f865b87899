package planner

import (
	"slices"
	"strings"
	"unicode"
)

// The fixed words of the Korean form: [C별] T 수, T는 몇 명인가요.
var (
	koreanCounts  = phrases("수", "개수", "건수", "총 수", "전체 수")
	koreanHowMany = phrases("몇")
	koreanTails   = phrases("수", "개수", "건수", "총", "전체", "몇", "있나요", "있습니까", "있어", "있어요", "되나요", "됩니까", "알려줘", "알려주세요",
		"보여줘", "보여주세요", "알려", "보여", "주세요", "줘", "인가요", "인가", "입니까", "이야", "야")
)

// particles end Korean words without adding to what is asked. 만 (only) and 도
// (also) do add, so they are not among them.
var particles = []string{"에서", "으로", "은", "는", "이", "가", "을", "를", "의", "에", "로"}

// counterWords are the words in which Korean counts things, before the verb.
var counterWords = []string{"명", "개", "건", "대", "곳", "분", "마리", "가지", "권"}

// copulas end a question of how many.
var copulas = []string{"", "인가요", "인가", "이야", "야", "입니까", "이에요", "예요", "이나", "인지"}

// splitKorean cuts the particles off Hangul words that the lexicon knows only
// without them, and 별 (for each).
func splitKorean(tokens []token, known func(token) bool) []token {
	var out []token
	for i, t := range tokens {
		if t.kind != wordToken || !hangul(t.word) || known(t) {
			out = append(out, t)
			continue
		}
		out = append(out, splitParticle(t, known, i > 0 && !hangul(tokens[i-1].word))...)
	}
	return out
}

// splitParticle cuts one token. A particle behind a word of another script
// stands alone already.
func splitParticle(t token, known func(token) bool, behindForeign bool) []token {
	if behindForeign && slices.Contains(particles, t.word) {
		t.kind = particleToken
		return []token{t}
	}
	for _, ending := range append([]string{"별로", "별"}, particles...) {
		stem, ok := strings.CutSuffix(t.word, ending)
		if !ok || stem == "" || !known(newWord(stem)) {
			continue
		}
		tail := newWord(ending)
		if !strings.HasPrefix(ending, "별") {
			tail.kind = particleToken
		}
		return []token{newWord(stem), tail}
	}
	return []token{t}
}

func hangul(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool { return unicode.Is(unicode.Hangul, r) }) >= 0
}

// koreanCounting: [C별] T 수; [C별] T는 몇 명인가요.
func (p *parser) koreanCounting() rule {
	grouping := seq(
		p.column(func(q query, r ref) (query, bool) { return q.withGroup(group{ref: r}), groupable(r.column) }),
		p.said(phrases("별로", "별"), "group"), maybe(p.particle))
	amount := either(
		seq(p.said(koreanCounts, "function count"), maybe(p.particle)),
		seq(p.said(koreanHowMany, "function count"), p.counterWord),
	)
	return seq(func(q query) []query {
		q.verb, q.korean = count, true
		return []query{q}
	}, many(grouping), p.subjectTable, maybe(p.particle), many(grouping), amount, many(p.said(koreanTails, "")))
}

func (p *parser) particle(q query) []query {
	if q.at < len(p.tokens) && p.tokens[q.at].kind == particleToken && p.step(q) {
		return []query{q.take(p.tokens, 1, "")}
	}
	return nil
}

// counterWord: 명인가요, 개, 건입니까.
func (p *parser) counterWord(q query) []query {
	if q.at >= len(p.tokens) || !counterForm(p.tokens[q.at].word) || !p.step(q) {
		return nil
	}
	return []query{q.take(p.tokens, 1, "function count")}
}

func counterForm(word string) bool {
	for _, c := range counterWords {
		if rest, ok := strings.CutPrefix(word, c); ok && slices.Contains(copulas, rest) {
			return true
		}
	}
	return false
}

func koreanReading(t *table, q query) string {
	var s strings.Builder
	for _, g := range q.groups {
		s.WriteString(t.say(g.ref) + "별 ")
	}
	s.WriteString(t.Name + "의 행 수.")
	return s.String()
}

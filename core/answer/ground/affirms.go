package ground

import (
	"slices"
	"strings"
)

var (
	assents     = set("yes yep yeah correct indeed 네 예 응 맞습니다 그렇습니다")
	severals    = set("several handful few couple plenty numerous various 몇몇 여러 다수 일부")
	conditions  = set("below above over under more less fewer negative positive never without before after since exceed exceeds exceeding beyond between not no")
	koreanSides = []string{"미만", "초과", "이상", "이하", "넘", "이전", "이후", "음수", "양수"}
)

// checkAffirmed refuses what an answer about an empty result affirms: "yes", that several are
// so, and that all are as the question asks.
func (s *sentence) checkAffirmed() {
	if !s.checker.empty || s.checker.incomplete {
		return
	}
	if len(s.tokens) > 0 && assents[s.foldAt(0)] && !s.saysNothingIs() {
		s.violate(0, 1, "the result is empty")
		return
	}
	for i, t := range s.tokens {
		switch {
		case s.taken[i]:
		case severals[t.fold] && !s.saysNothingIs() && !s.hasAny(0, i, "no", "not", "if", "whether"),
			(t.fold == "every" || t.fold == "all" && s.foldAt(i-1) != "at" || t.fold == "each" || t.hangul && hasPrefix(t.text, "모든", "모두", "전부")) && s.repeatsCondition():
			s.violate(i, i+1, "the result is empty")
			return
		}
	}
}

// saysNothingIs reports whether a word of the sentence says that something is not.
func (s *sentence) saysNothingIs() bool {
	return slices.ContainsFunc(s.tokens, func(t token) bool {
		return deniesWord(t) || t.fold == "empty" || t.fold == "none" || t.text == "0" || t.fold == "zero" || t.hangul && hasPrefix(t.text, "영", "0")
	})
}

// repeatsCondition reports whether a claim about all has each word of the question that says
// of which rows it asks, so that it says the same of them: "every product has a negative
// margin".
func (s *sentence) repeatsCondition() bool {
	if !s.sharesNounWithQuestion() {
		return false
	}
	for _, q := range s.checker.asked.tokens {
		if limits(q) && !slices.ContainsFunc(s.tokens, func(t token) bool { return sameCondition(q, t) }) {
			return false
		}
	}
	return s.checker.questionDenies() || !slices.ContainsFunc(s.tokens, deniesWord)
}

// limits reports whether a word of a question says of which rows it asks.
func limits(t token) bool {
	return t.kind == number || conditions[t.fold] || t.hangul && (hasPrefix(t.text, koreanSides...) || strings.Contains(t.text, "않") || strings.Contains(t.text, "없"))
}

func sameCondition(q, t token) bool {
	if q.hangul && deniesWord(q) {
		return deniesWord(t)
	}
	return q.fold == t.fold || q.hangul && t.hangul && slices.ContainsFunc(koreanSides, func(w string) bool { return strings.HasPrefix(q.text, w) && strings.HasPrefix(t.text, w) })
}

package ground

import (
	"regexp"
	"slices"
	"strings"
)

// deniers say in English that something is not, or is not there.
var deniers = set("no not never without lack lacks lacking missing none neither nor unsold unpaid zero")

// deniesWord reports whether a token denies something.
func deniesWord(t token) bool {
	return deniers[t.fold] || strings.HasSuffix(t.fold, "n't") || t.hangul && (strings.Contains(t.text, "없") || strings.Contains(t.text, "않") || t.text == "안" || t.text == "못" || hasPrefix(t.text, "미", "비어", "빈", "빠", "아니", "아닌", "못"))
}

// deniedWords are the words of the question that it denies: "email" of "have no email", 구독
// of "구독하지 않는".
func (c *Checker) deniedWords() []string {
	var out []string
	list := c.asked.tokens
	for i, t := range list {
		if !deniesWord(t) || t.hangul && !strings.Contains(t.text, "없") && !strings.Contains(t.text, "않") {
			continue
		}
		if t.hangul {
			for k := i - 1; k >= max(0, i-2); k-- {
				if w := rootOf(list[k].text); w != "" && list[k].hangul {
					out = append(out, w)
					break
				}
			}
			continue
		}
		for k := i + 1; k < min(i+3, len(list)); k++ {
			if w := list[k]; w.kind == word && !stopWords[w.fold] && !genericNouns[w.fold] {
				out = append(out, stem(w.fold))
				break
			}
		}
	}
	return out
}

// rootOf is a Korean word without the endings of nouns and of "…지 않은".
func rootOf(w string) string {
	if rest, ok := strings.CutSuffix(w, "지"); ok {
		w = strings.TrimSuffix(strings.TrimSuffix(rest, "하"), "되")
	}
	return koreanStem(w)
}

// checkPolarity refuses the answer to a question for one number that denies what the
// question affirms, or affirms what it denies: "160 have an email" of those without.
func (s *sentence) checkPolarity() {
	if !s.checker.isScalar() || len(s.figures) != 1 || s.figures[0].hedge != exact {
		return
	}
	if s.hasAny(0, len(s.tokens), "other", "others", "rest", "remaining") || s.anyCue(0, len(s.tokens), nil, "나머지", "그 외") {
		return
	}
	denied := s.checker.deniedWords()
	says := slices.ContainsFunc(s.tokens, deniesWord)
	for i, t := range s.tokens {
		if t.kind != word || s.figureAtToken(i) {
			continue
		}
		for _, w := range denied {
			if !says && s.isWord(i, w) {
				s.violate(i, i+1, "the question asks for those without")
				return
			}
		}
		if len(denied) == 0 && !s.checker.questionDenies() && (t.fold == "not" || strings.HasSuffix(t.fold, "n't") || t.hangul && hasPrefix(t.text, "않는", "않은")) && s.deniesAsked(i) {
			s.violate(i, i+1, "the question asks for those with it")
			return
		}
	}
}

// isWord reports whether a token is a form of a word of the question.
func (s *sentence) isWord(i int, w string) bool {
	t := s.tokens[i]
	if isHangul(w) {
		return t.hangul && len(w) >= len("가나") && strings.HasPrefix(t.text, w)
	}
	return sameRoot(stem(t.fold), w)
}

// deniesAsked reports whether what a token denies is a word of the question.
func (s *sentence) deniesAsked(i int) bool {
	k := i + 1
	if s.tokens[i].hangul {
		k = i - 1
	}
	if k < 0 || k >= len(s.tokens) || s.figureAtToken(k) {
		return false
	}
	w := s.tokens[k].fold
	if s.tokens[k].hangul {
		w = rootOf(s.tokens[k].text)
	}
	return !stopWords[w] && slices.ContainsFunc(s.checker.asked.tokens, func(q token) bool {
		return q.kind == word && (q.fold == w || isHangul(w) && len(w) >= len("가나") && strings.HasPrefix(q.text, w) || !isHangul(w) && sameRoot(stem(q.fold), stem(w)))
	})
}

// widens finds the words that say of an empty result more than its question asked for.
var widens = regexp.MustCompile(`(?i)\bin the (?:database|data|system|dataset|data set)\b|\bat all\b|\banywhere\b|\bwhatsoever\b|\bever\b|데이터베이스|전혀|아예`)

// everywhere finds the places of all things of a kind: "in all stores", "모든 매장에서".
var everywhere = regexp.MustCompile(`(?i)\b(?:in|at|across|for|from) (?:all|any|every|each)(?: of)?(?: our| the)? (\pL+)|(?:모든|어느|어떤) (\pL+?)(?:에서|에서는|에서도|에도|에는)(?:\PL|$)`)

// widensPlace reports whether a sentence speaks of all things of a kind of which the question
// names one.
func (s *sentence) widensPlace() bool {
	at := everywhere.FindStringSubmatch(s.text)
	if at == nil || s.checker.asks(set("all any every each"), "모든", "어느", "어떤", "전체") {
		return false
	}
	w := concept(koreanStem(fold(at[1] + at[2])))
	if at[2] != "" && !slices.ContainsFunc(s.checker.asked.tokens, func(q token) bool { return q.hangul }) {
		return true
	}
	return slices.ContainsFunc(s.checker.asked.tokens, func(q token) bool { return concept(koreanStem(q.fold)) == w })
}

// checkWidened refuses that there is nothing at all where the question asked for what meets
// a condition that the sentence leaves out: "no customers in the database".
func (s *sentence) checkWidened() {
	if s.checker.empty && s.widensPlace() {
		s.violate(0, 1, "the question asks for less than this")
		return
	}
	if !s.checker.empty || !widens.MatchString(s.text) || widens.MatchString(s.checker.asked.text) || len(s.dates) > 0 || len(s.figures) > 1 {
		return
	}
	if len(s.checker.asked.dates) > 0 && !s.hasAny(0, len(s.tokens), "such", "matching", "match", "those") && !s.anyCue(0, len(s.tokens), nil, "해당", "그런", "조건", "이런") {
		s.violate(0, 1, "the question asks for less than this")
	}
}

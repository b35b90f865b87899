package ground

import "strings"

// checkStrangers refuses Korean names that nobody knows: before 님 and 씨, and in lists of
// names; and a word at the head of an English list that is no name of a row.
func (s *sentence) checkStrangers() {
	for i := 1; i < len(s.tokens); i++ {
		if w := s.tokens[i]; w.hangul && w.gap && (hasPrefix(w.text, "님") || w.text == "씨" || strings.HasPrefix(w.text, "씨") && isEnding(w.text[len("씨"):])) && s.isStrangeName(i-1) {
			s.violate(i-1, i, "this name is in no row that is shown, nor in the question")
		}
	}
	s.checkElements()
	s.checkListHead()
	s.checkNameLines()
}

// isStrangeName reports whether a token is a Korean word that nobody knows.
func (s *sentence) isStrangeName(i int) bool {
	t := s.tokens[i]
	return t.hangul && !hasSuffix(t.text, "합니다", "됩니다", "습니다", "한다", "된다", "했다", "해요", "돼요") && !s.taken[i] && !s.isNameToken(i) && s.isStranger(t.text) && s.isStranger(koreanStem(t.text))
}

// element is a part between commas, without what it has in brackets.
type element struct {
	part
	words int
	named bool // it begins with the name of a row, and has at most a noun behind it
	clear bool // it has no figure
}

// elements are the parts of the sentence between commas outside of brackets.
func (s *sentence) elements() []element {
	var out []element
	from := 0
	for i := range len(s.tokens) + 1 {
		if i < len(s.tokens) && (s.tokens[i].text != "," || s.inBrackets(i)) {
			continue
		}
		e := element{part: part{from, i}, clear: true}
		beyond := 0
		for k := from; k < i; k++ {
			switch {
			case s.inBrackets(k):
			case s.figureAtToken(k):
				e.clear = false
			case s.tokens[k].kind == word:
				e.words++
				beyond += boolInt(!s.isNameToken(k))
			}
		}
		e.named = e.clear && from < i && s.isNameToken(from) && !s.dateAt(from) && beyond <= 1
		out, from = append(out, e), i+1
	}
	return out
}

// checkElements refuses an element of a Korean list of names that is none: "A(5일), B(6일),
// 조은별(7일)".
func (s *sentence) checkElements() {
	if !s.hasKorean() || !strings.Contains(s.text, ",") {
		return
	}
	list := s.elements()
	named := func(k int) bool { return k >= 0 && k < len(list) && list[k].named }
	for k, e := range list {
		if e.named || !e.clear || e.words == 0 || e.words > 3 || !(named(k-1) && (named(k-2) || named(k+1))) {
			continue
		}
		for i := e.at; i < e.to; i++ {
			if s.isStrangeName(i) && s.tokens[i].gap && !s.inBrackets(i) && !hasPrefix(s.tokens[i].text, "이외", "그외", "기타", "나머지", "순") {
				s.violate(i, i+1, "this name is in no row that is shown, nor in the question")
				break
			}
		}
	}
}

// openers are the words with a capital that stand before a list of names without being one.
var openers = set("overall together combined altogether besides instead next finally meanwhile additionally moreover furthermore otherwise elsewhere conversely likewise again still indeed hence thus")

// checkListHead refuses a word with a capital at the head of a list of names: "Stationery,
// Kitchen and Lighting".
func (s *sentence) checkListHead() {
	if len(s.tokens) < 5 || s.foldAt(1) != "," || !s.isNameToken(2) || s.dateAt(2) || s.taken[0] {
		return
	}
	t := s.tokens[0]
	r := s.refFrom(2)
	if t.kind != word || t.hangul || !t.capital || stopWords[t.fold] || openers[t.fold] || strings.HasSuffix(t.fold, "ly") || s.checker.knows(t) || r == nil {
		return
	}
	next := r.to
	for s.hasAny(next, next+1, ",", "and", "&") {
		next++
	}
	if other := s.refFrom(next); next > r.to && other != nil && !other.date {
		s.violate(0, 1, "this name is in no row that is shown, nor in the question")
	}
}

// refFrom is the name that begins at a token, nil for none.
func (s *sentence) refFrom(at int) *ref {
	for i := range s.refs {
		if s.refs[i].at == at {
			return &s.refs[i]
		}
	}
	return nil
}

// checkNameLines refuses a line of a list that is a name which no row has, where the result
// has nothing but names, or the line before is one.
func (s *sentence) checkNameLines() {
	if !s.line.item || len(s.line.heads) > 0 || s.line.head || len(s.tokens) == 0 || len(s.tokens) > 3 || s.heading == nil && s.last == nil {
		return
	}
	for i, t := range s.tokens {
		if t.kind != word || s.taken[i] || stopWords[t.fold] || s.checker.knows(t) || t.hangul && !s.isStrangeName(i) || !t.hangul && !t.capital {
			return
		}
	}
	if after := s.last; after != nil && after.line.item && len(after.refs) == 1 && after.refs[0].at == 0 && after.refs[0].to == len(after.tokens) && !after.refs[0].date {
		s.violate(0, len(s.tokens), "this name is in no row that is shown, nor in the question")
	}
}

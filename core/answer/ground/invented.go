package ground

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// surnames are the first syllables of most Korean names of people. Source: the order of family
// names by how many bear them, Statistics Korea.
const surnames = "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민나진지엄채원천방공현함변염여추도석선설"

// isSurname reports whether a Korean text is one of them.
func isSurname(text string) bool {
	return utf8.RuneCountInString(text) == 1 && strings.Contains(surnames, text)
}

// checkInventedPeople refuses Korean names of people that no row has, where a column has some:
// of the same form, and with a particle or a title behind them.
func (s *sentence) checkInventedPeople() {
	apart, other := s.checker.peopleNamed()
	for i, t := range s.tokens {
		switch {
		case !t.hangul || s.taken[i] || s.isNameToken(i):
		case apart && isSurname(t.text) && s.is(i+1, word) && !s.taken[i+1] && s.tokens[i+1].gap && s.isGivenName(i+1):
			s.violate(i, i+2, "this name is in no row that is shown, nor in the question")
			return
		case (apart || other) && isSurname(t.text[:len("가")]) && s.isFullName(i):
			s.violate(i, i+1, "this name is in no row that is shown, nor in the question")
			return
		}
	}
}

// namesPeople reports whether a column has names of people, in Korean with a gap behind the
// family's name, or in any other form.
func (c *Checker) namesPeople() (apart, other bool) {
	const given = 2 // syllables
	asked := slices.ContainsFunc(c.asked.tokens, func(q token) bool { return persons[concept(koreanStem(q.fold))] })
	for _, t := range c.tables {
		for i := range t.columns {
			people := t.columns[i].namesPersons() || asked && slices.Contains(t.columns[i].words, "name")
			for _, v := range t.columns[i].cells {
				first, rest, gap := strings.Cut(v.text, " ")
				apart = apart || gap && isSurname(first) && isHangul(rest) && utf8.RuneCountInString(rest) == given
				other = other || people && v.text != "" && v.period == nil
			}
		}
	}
	return apart, other
}

// namesPersons reports whether the name of a column says that it names people.
func (c *column) namesPersons() bool {
	return slices.ContainsFunc(c.words, func(w string) bool { return persons[concept(w)] || hasSuffix(w, "이름", "성명") })
}

// isGivenName reports whether the token behind a family's name is a given one.
func (s *sentence) isGivenName(i int) bool {
	given, ok := s.bearer(i)
	return ok && utf8.RuneCountInString(given) == 2 && !s.checker.knownKorean(given) && s.isStranger(given) && !hasSuffix(given, "밖", "외", "상", "하", "중")
}

// isFullName reports whether a token is a name in three syllables.
func (s *sentence) isFullName(i int) bool {
	name, ok := s.bearer(i)
	return ok && utf8.RuneCountInString(name) == 3 && !s.checker.knownKorean(name) && s.isStranger(name) &&
		!s.checker.knownKorean(name[:2*len("가")]) && !s.checker.knownKorean(name[len("가"):])
}

// bearer is a token without the particle of a subject, and whether it has one, or a title or
// the end of a part of a list behind it.
func (s *sentence) bearer(i int) (name string, ok bool) {
	text := s.tokens[i].text
	if next := s.foldAt(i + 1); next == "님" || hasPrefix(next, "님", "씨") && len(next) <= len("님가나") {
		return text, true
	}
	for _, p := range []string{"에게는", "에게", "이며", "이고", "입니다", "이다", "은", "는", "이", "가", "의", "와", "과", "도"} {
		if rest, cut := strings.CutSuffix(text, p); cut && utf8.RuneCountInString(rest) >= 2 {
			return rest, true
		}
	}
	return text, false
}

// checkBrands refuses a Korean word behind the first word of several names, with which no
// name goes on: "Alma 대구" beside "Alma 서울".
func (s *sentence) checkBrands() {
	for i := 1; i < len(s.tokens); i++ {
		t := s.tokens[i]
		if t.hangul && !s.taken[i] && t.gap && !s.taken[i-1] && !s.tokens[i-1].hangul && s.tokens[i-1].kind == word && s.checker.opensNames(s.tokens[i-1].text) &&
			!s.checker.knownKorean(t.text) && s.isStranger(koreanStem(t.text)) && utf8.RuneCountInString(koreanStem(t.text)) >= 2 {
			s.violate(i-1, i+1, "this name is in no row that is shown, nor in the question")
			return
		}
	}
}

// opensNames reports whether several names begin with a word.
func (c *Checker) opensNames(w string) bool {
	for _, t := range c.tables {
		for i := range t.columns {
			n := 0
			for _, v := range t.columns[i].cells {
				n += boolInt(strings.HasPrefix(v.text, w+" "))
			}
			if n > 1 {
				return true
			}
		}
	}
	return false
}

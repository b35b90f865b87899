package ground

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

var quoted = regexp.MustCompile(`"([^"\n]{1,200})"|(?:^|[\s(])'([^'\n]{1,200})'(?:[\s.,;:!?)]|$)`)

// checkQuotes refuses quoted values that stand nowhere.
func (s *sentence) checkQuotes() {
	for _, at := range quoted.FindAllStringSubmatchIndex(s.text, -1) {
		begin, end := at[2], at[3]
		if begin < 0 {
			begin, end = at[4], at[5]
		}
		inside := strings.TrimSpace(strings.Trim(fold(s.text[begin:end]), ".,;:!?"))
		if inside == "" || strings.Contains(s.checker.quotable, inside) || strings.Contains(strings.ReplaceAll(s.checker.quotable, "_", " "), inside) || s.isFigureText(begin, end) || stopWords[inside] {
			continue
		}
		from, to := s.tokensOf(begin, end)
		s.violate(from, to, "this value stands in no row that is shown, nor in the question")
	}
}

var address = regexp.MustCompile(`[\w.+-]+@[\w-]+\.[\w.-]*\w|https?://[^\s)"]+`)

// checkAddresses refuses addresses that stand nowhere.
func (s *sentence) checkAddresses() {
	if !strings.ContainsAny(s.text, "@/") {
		return
	}
	for _, at := range address.FindAllStringIndex(s.text, -1) {
		if !strings.Contains(s.checker.quotable, fold(s.text[at[0]:at[1]])) {
			from, to := s.tokensOf(at[0], at[1])
			s.violate(from, to, "this address is in no row that is shown, nor in the question")
		}
	}
}

// isFigureText reports whether all that is quoted is numbers, dates and names, which
// are checked as such.
func (s *sentence) isFigureText(begin, end int) bool {
	from, to := s.tokensOf(begin, end)
	for i := from; i < to; i++ {
		if !s.taken[i] {
			return false
		}
	}
	return from < to
}

// languages whose nouns have capitals, and those whose script has none or that is
// not read.
var (
	capitalNouns = set("de lb")
	readable     = set("en ko")
)

// checkProperNames refuses names that are no row's, no column's and not in the
// question. A word with a capital is a name unless English has it as a common word;
// in the middle of a sentence, two such words in a row are one.
func (s *sentence) checkProperNames() {
	if capitalNouns[s.checker.lang] {
		return
	}
	other := !readable[s.checker.lang] && s.checker.lang != ""
	for i := 0; i < len(s.tokens); i++ {
		t := s.tokens[i]
		if s.taken[i] || t.kind != word || !s.isForeign(t) && (t.hangul || !s.isNameLike(i) || s.checker.knows(t)) {
			continue
		}
		if other && (s.opens(i) || isCommon(t.fold)) {
			continue
		}
		s.violate(i, i+1, "this name is in no row that is shown, nor in the question")
	}
	s.checkListedNames()
	s.checkInventedPeople()
	s.checkBrands()
	s.checkCountries()
}

// checkListedNames refuses a Korean word that nobody knows and that stands alone between two
// names of a list, as only another name does: "A, 정하늘, C".
func (s *sentence) checkListedNames() {
	for i := 2; i+2 < len(s.tokens); i++ {
		t := s.tokens[i]
		if t.hangul && !s.taken[i] && s.foldAt(i-1) == "," && s.foldAt(i+1) == "," && s.isNameToken(i-2) && s.isNameToken(i+2) && s.isStranger(t.text) {
			s.violate(i, i+1, "this name is in no row that is shown, nor in the question")
		}
	}
}

// isForeign reports whether a word of an English sentence is of another script, as only
// names are, and stands nowhere. A sentence in Korean is read as such, whatever language
// was asked for.
func (s *sentence) isForeign(t token) bool {
	return s.checker.lang == "en" && !(t.hangul && s.isKorean()) && strings.IndexFunc(t.fold, unicode.IsLetter) >= 0 && strings.IndexFunc(t.fold, func(r rune) bool { return unicode.Is(unicode.Latin, r) }) < 0 &&
		!strings.Contains(s.checker.quotable, t.fold)
}

// isKorean reports whether half of the words of a sentence, or more, are Korean, names of rows
// aside.
func (s *sentence) isKorean() bool {
	korean, all := 0, 0
	for i, t := range s.tokens {
		if t.kind == word && !s.isNameToken(i) {
			korean, all = korean+boolInt(t.hangul), all+1
		}
	}
	return 2*korean >= all
}

// knows reports whether a word stands in the question, in a note, in a column's name
// or in a row.
func (c *Checker) knows(t token) bool {
	return c.known[t.fold] || c.known[stem(t.fold)] || c.known[t.fold+"s"] || c.belongs(t.fold)
}

// belongs reports whether a word is made of a row's name, as German and Brazilian are.
func (c *Checker) belongs(w string) bool {
	const root = 4 // letters that are enough to tell names apart
	if hasSuffix(w, "an", "ish", "ese", "ans") {
		for name := range c.known {
			n := 0
			for n < len(w) && n < len(name) && w[n] == name[n] {
				n++
			}
			if n >= root && len(w)-n <= 5 && len(name)-n <= 2 {
				return true
			}
		}
	}
	for first := range c.phrases {
		n := 0
		for n < len(w) && n < len(first) && w[n] == first[n] {
			n++
		}
		if n >= root && n+3 >= len(w) && n+2 >= len(first) {
			return true
		}
	}
	return false
}

// isNameLike reports whether a word is written as a name, and is none of the common
// words.
func (s *sentence) isNameLike(i int) bool {
	t := s.tokens[i]
	if !t.capital {
		return s.checker.smallNames && len(t.text) > 3 && !isCommon(t.fold) && !isCommon(stem(t.fold)) && !s.line.head
	}
	if len(t.text) == 1 {
		return false
	}
	if !isCommon(t.fold) && !isCommon(stem(t.fold)) && synonyms[t.fold] == "" {
		return true
	}
	if s.inKorean(i) || s.namesListed(i) || s.beginsOtherName(i) {
		return true
	}
	if s.line.head || s.line.item && strings.Contains(s.text, "|") || s.opens(i) {
		return false
	}
	if s.endsOtherName(i) || s.followsColumn(i) {
		return true
	}
	if s.isCapitalInside(i) {
		return true
	}
	next := func(k int) bool {
		return s.is(k, word) && !s.taken[k] && s.tokens[k].capital && len(s.tokens[k].text) > 1 && !s.checker.knows(s.tokens[k]) && !s.opens(k)
	}
	return next(i-1) || next(i+1)
}

// isCapitalInside reports whether a word of everyday English has a capital in the middle of
// a sentence: it is then the name of something, as Fitness is in "the most expensive of
// Fitness". It is none where it translates the question, or where all words around it have
// capitals, as in a title.
func (s *sentence) isCapitalInside(i int) bool {
	const short = 3 // letters that abbreviations have at most
	t := s.tokens[i]
	if stopWords[t.fold] || extraWords[t.fold] {
		return false
	}
	if s.checker.lang == "en" && plain(s.checker.asked.text) && s.is(i-1, word) {
		return true
	}
	if len(t.text) <= short || !readable[s.checker.lang] || s.hasKorean() || s.checker.isNoun(t.fold) {
		return false
	}
	for k, w := range s.tokens {
		if w.kind == word && !w.capital && !s.taken[k] && len(w.text) > short {
			return true
		}
	}
	return false
}

// hasSmallNames reports whether the names of rows, in a first column that has none twice, are
// written without a capital, in words that English does not have.
func (c *Checker) hasSmallNames() bool {
	return slices.ContainsFunc(c.tables, func(t *table) bool {
		if len(t.columns) == 0 || t.columns[0].numeric || t.columns[0].temporal || int(t.columns[0].values()) != t.rows {
			return false
		}
		return slices.ContainsFunc(t.columns[0].cells, func(v cell) bool {
			list := scan(v.text)
			return len(list) == 1 && list[0].kind == word && !list[0].capital && !list[0].hangul && len(v.text) > 3 && !isCommon(list[0].fold)
		})
	})
}

// inKorean reports whether a word with a capital stands in a Korean sentence: that has
// English words only as names.
func (s *sentence) inKorean(i int) bool {
	const foreign = 3 // letters that abbreviations have at most
	return len(s.tokens[i].text) > foreign && !extraWords[s.tokens[i].fold] && !stopWords[s.tokens[i].fold] && s.hasKorean() && s.isKorean()
}

func (s *sentence) hasKorean() bool {
	return slices.ContainsFunc(s.tokens, func(t token) bool { return t.hangul })
}

// namesListed reports whether a word with a capital goes on with a list of names: "Women,
// Men, Shoes and Kids".
func (s *sentence) namesListed(i int) bool {
	k := i - 1
	for k > 0 && (s.foldAt(k) == "," || s.foldAt(k) == "and" || s.foldAt(k) == "or" || s.foldAt(k) == "&" || s.foldAt(k) == "the") {
		k--
	}
	return k < i-1 && k >= 0 && s.isNameToken(k) && !s.dateAt(k) && !s.is(i+1, word)
}

func (s *sentence) dateAt(i int) bool {
	return slices.ContainsFunc(s.refs, func(r ref) bool { return r.date && r.at <= i && i < r.to })
}

// followsColumn reports whether a word with a capital stands right behind the noun of a
// column of names, whose value it is: "the category Fitness".
func (s *sentence) followsColumn(i int) bool {
	w := s.foldAt(i - 1)
	return s.is(i-1, word) && !s.tokens[i-1].hangul && !s.tokens[i-1].capital && !stopWords[w] && slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(of column) bool {
			return !of.numeric && !of.temporal && slices.ContainsFunc(of.words, func(have string) bool { return concept(have) == concept(w) })
		})
	})
}

// endsOtherName reports whether a word makes another name of a part of a row's: "Ann
// Smith" of Ann Lee.
func (s *sentence) endsOtherName(i int) bool {
	if !s.tokens[i].gap || s.checker.knows(s.tokens[i]) {
		return false
	}
	for _, r := range s.refs {
		if r.to != i || r.date || r.to-r.at != 1 || strings.HasSuffix(s.tokens[r.at].text, "'s") {
			continue
		}
		for _, id := range r.columns {
			t := s.checker.tables[id/columnStride]
			for _, row := range r.rows[id/columnStride] {
				if words := strings.Fields(clean(t.columns[id%columnStride].cells[row].text)); len(words) == 2 && words[0] == s.tokens[r.at].text {
					return true
				}
			}
		}
	}
	return false
}

// beginsOtherName reports whether a word makes another name of the last part of a row's:
// "Bell Canada" of Rogers Canada.
func (s *sentence) beginsOtherName(i int) bool {
	if w := s.tokens[i].fold; s.checker.knows(s.tokens[i]) || stopWords[w] || clauseVerbs[w] || totalWords[w] || meanWords[w] || strings.HasSuffix(w, "ly") || !s.is(i+1, word) || !s.tokens[i+1].capital || s.dateAt(i+1) ||
		s.taken[i+1] && !slices.ContainsFunc(s.refs, func(r ref) bool { return r.at == i+1 && r.to == i+2 }) {
		return false
	}
	last := s.tokens[i+1].text
	return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(c column) bool {
			return slices.ContainsFunc(c.cells, func(v cell) bool {
				rest, ok := strings.CutSuffix(clean(v.text), " "+last)
				return ok && rest != "" && !v.null
			})
		})
	})
}

// opens reports whether a word begins a sentence, a part behind a colon, or a list
// entry, and so may have a capital.
func (s *sentence) opens(i int) bool {
	return i == 0 || s.is(i-1, mark) && strings.Contains(`":(|–-*'`, s.tokens[i-1].text) || s.is(i-1, mark) && i == 1
}

// checkCountries refuses countries of which neither the question nor a row speaks.
func (s *sentence) checkCountries() {
	for i, t := range s.tokens {
		if s.taken[i] || t.kind != word || !t.capital && !t.hangul || t.capital && s.checker.knows(t) {
			continue
		}
		if of := countryIn(t); of != nil && !slices.ContainsFunc(of.names, s.checker.saysName) {
			s.violate(i, i+1, "this country is in no row that is shown, nor in the question")
		}
	}
}

// wordsAndCountries are the Korean names of countries that are also words or endings.
var wordsAndCountries = set("수단 이란 가나 오만 말리 인도 피지 차드 기니 모나코 조지아 도미니카 페로 바레인 토고 쿡")

// countryIn is the country that a word names, with a Korean ending or without; nil for
// none.
func countryIn(t token) *country {
	if !t.hangul {
		if len(t.fold) < 4 {
			return nil
		}
		return regions(t.fold)
	}
	if wordsAndCountries[t.text] || wordsAndCountries[koreanStem(t.text)] {
		return nil
	}
	if of := regions(t.text); of != nil {
		return of
	}
	for at := range t.text {
		if at > len("가") && isEnding(t.text[at:]) {
			if of := regions(t.text[:at]); of != nil {
				return of
			}
		}
	}
	return nil
}

// saysName reports whether the question, a note or a row has all words of a name.
func (c *Checker) saysName(name string) bool {
	for _, w := range scan(clean(name)) {
		if w.kind == word && !c.known[w.fold] {
			return false
		}
	}
	return true
}

package ground

import (
	"slices"
	"strings"
)

// isBool reports whether a column holds nothing but true and false.
func (c *column) isBool() bool {
	any := false
	for _, v := range c.cells {
		if v.null {
			continue
		}
		if v.text != "true" && v.text != "false" {
			return false
		}
		any = true
	}
	return any
}

// addBools keeps the words for what a column of true and false is about: those of its
// name, and in the question the noun before 여부.
func (c *Checker) addBools() {
	for i, t := range c.tables {
		for col := range t.columns {
			of := &t.columns[col]
			if !of.isBool() {
				continue
			}
			b := boolColumn{table: i, column: col}
			for _, w := range of.words {
				if w != "is" && w != "has" && !stopWords[w] {
					b.words = append(b.words, w)
				}
			}
			for k, w := range c.asked.tokens {
				if k > 0 && strings.HasPrefix(w.text, "여부") {
					b.words = append(b.words, c.asked.tokens[k-1].text)
				}
			}
			c.bools = append(c.bools, b)
		}
	}
}

// boolColumn is a column of true and false with the words for it.
type boolColumn struct {
	table, column int
	words         []string
}

// says reports whether a word speaks of the column, and whether it denies it.
func (b boolColumn) says(w string) (spoken, denied bool) {
	for _, p := range []string{"미", "비", "non", "un", "in"} {
		if rest, ok := strings.CutPrefix(w, p); ok && len(rest) > 2 {
			if spoken, _ := b.says(rest); spoken {
				return true, true
			}
		}
	}
	for _, pair := range opposites {
		for side, words := range pair {
			if !slices.ContainsFunc(b.words, func(have string) bool { return slices.Contains(words, have) }) {
				continue
			}
			if saysOne(words, w) {
				return true, false
			}
			if saysOne(pair[1-side], w) {
				return true, true
			}
		}
	}
	groups := stateOf(w)
	return slices.ContainsFunc(b.words, func(have string) bool {
		return sameRoot(stem(w), have) || isHangul(w) && isHangul(have) && strings.HasPrefix(w, have) ||
			slices.ContainsFunc(stateOf(have), func(g string) bool { return slices.Contains(groups, g) })
	}), false
}

// opposites are the words for what is so and for what is not.
var opposites = func() [][2][]string {
	var out [][2][]string
	for _, line := range []string{
		"discontinued 단종 : active current available selling 판매중 현행", "active 활성 : inactive dormant 비활성 휴면 탈퇴", "paid 납부 결제 완납 : unpaid open 미납 미결제",
		"closed 폐점 폐업 종료 : open operating 영업중 운영중 운영", "newsletter subscribed subscriber 뉴스레터 구독 수신 : unsubscribed 미구독 미수신", "member registered 회원 가입 : guest 비회원",
		"stock available 재고 : soldout 품절", "married 기혼 : single unmarried 미혼", "verified confirmed 인증 : unverified unconfirmed 미인증", "enabled on : disabled off", "returning repeat 재구매 기존 : new 신규",
	} {
		yes, no, _ := strings.Cut(line, " : ")
		out = append(out, [2][]string{strings.Fields(yes), strings.Fields(no)})
	}
	return out
}()

// saysOne reports whether a word is one of a list, with a Korean ending or without.
func saysOne(list []string, w string) bool {
	return slices.ContainsFunc(list, func(have string) bool {
		return w == have || stem(w) == have || isHangul(have) && strings.HasPrefix(w, have) && (isEnding(w[len(have):]) || isVerbEnding(w[len(have):]))
	})
}

// boolAt is the column of true and false of which a token speaks, and what it says.
func (s *sentence) boolAt(i int) (b *boolColumn, truth bool) {
	t := s.tokens[i]
	if t.kind != word || s.taken[i] {
		return nil, false
	}
	w := t.fold
	if t.hangul && hasPrefix(s.foldAt(i+1), "중") {
		w += "중" // 판매 중인
	}
	for k := range s.checker.bools {
		b := &s.checker.bools[k]
		if answer := s.answers(i); answer != 0 && len(s.checker.bools) == 1 {
			return b, answer > 0
		}
		if spoken, denied := b.says(w); spoken {
			return b, !denied && !s.deniedHere(i)
		}
	}
	return nil, false
}

// answers tells "yes: 12" and "no 30", which speak for themselves: 1, -1, 0 for neither.
func (s *sentence) answers(i int) int {
	next := i + 1
	if w := s.foldAt(next); w == ":" || w == "(" || w == "|" || w == "=" {
		next++
	}
	if !s.is(next, number) {
		return 0
	}
	switch s.tokens[i].fold {
	case "yes", "예", "네":
		return 1
	case "no", "아니오", "아니요":
		return -1
	}
	return 0
}

// deniedHere reports whether a word right beside a token denies it.
func (s *sentence) deniedHere(i int) bool {
	for k := max(0, i-3); k < i; k++ {
		w := s.foldAt(k)
		if w == "," || s.figureAtToken(k) {
			continue
		}
		if w == "not" || w == "no" || w == "non" || w == "without" || w == "never" || w == "out" && s.foldAt(k+1) == "of" || strings.HasSuffix(w, "n't") {
			return true
		}
	}
	for k := i; k < min(i+3, len(s.tokens)); k++ {
		if t := s.tokens[k]; t.hangul && (hasPrefix(t.text, "않", "안", "없") || k > i && strings.Contains(t.text, "않")) {
			return true
		}
		if s.is(k, number) || s.tokens[k].text == "," {
			break
		}
	}
	return false
}

// findBools takes what is said of a column of true and false as the name of its rows,
// where these are groups.
func (s *sentence) findBools() {
	if len(s.checker.bools) == 0 {
		return
	}
	last := -9
	for i := range s.tokens {
		b, truth := s.boolAt(i)
		if b == nil && i-last > 2 {
			b, truth = s.boolGoesOn(i)
		}
		if b == nil {
			continue
		}
		t := s.checker.tables[b.table]
		want := "false"
		if truth {
			want = "true"
		}
		r := ref{at: i, to: i + 1, rows: make([][]int, len(s.checker.tables)), columns: []int{b.table*columnStride + b.column}}
		for row, v := range t.columns[b.column].cells {
			if v.text == want {
				r.rows[b.table] = append(r.rows[b.table], row)
			}
		}
		if len(r.rows[b.table]) == 0 && t.rows > 1 || t.rows > 2 && !t.isCrossed() {
			continue
		}
		apart := i-last == 2 && s.tokens[i-1].hangul && hasSuffix(s.tokens[i-1].text, "이", "가", "은", "는", "과", "와", "보다")
		if i-last <= 2 && len(s.refs) > 0 && !apart { // the noun and its verb are one
			s.refs = s.refs[:len(s.refs)-1]
		}
		last = i
		if t.rows > 1 {
			s.refs, s.taken[i] = append(s.refs, r), true
		}
	}
	slices.SortStableFunc(s.refs, func(a, b ref) int { return a.at - b.at })
}

// boolGoesOn is the column of true and false of which a verb speaks without its noun, which
// stands in the sentence before it or in the question: "뉴스레터를 받는 고객은 5명, 받지 않는
// 고객은 3명", "5 get the newsletter, 3 do not".
func (s *sentence) boolGoesOn(i int) (b *boolColumn, truth bool) {
	t := s.tokens[i]
	if s.taken[i] || t.kind != word || len(s.checker.bools) != 1 {
		return nil, false
	}
	b = &s.checker.bools[0]
	if !t.hangul {
		denied := strings.HasSuffix(t.fold, "n't") || t.fold == "not" && auxiliaries[s.foldAt(i-1)]
		if !denied && !(auxiliaries[t.fold] && s.foldAt(i-1) == "who" && !s.is(i+1, word)) || s.speaksOfBool(b, i+1, i+6) || !s.speaksOfBool(b, 0, i) && !s.askedForBool(b) {
			return nil, false
		}
		return b, !denied
	}
	for _, src := range [][]token{s.tokens[:i], s.checker.asked.tokens} {
		for k := 0; k+1 < len(src); k++ {
			spoken, denied := b.says(koreanStem(src[k].fold))
			if !spoken || denied || !hasSuffix(src[k].text, "를", "을", "에") || !src[k+1].hangul || k+1 == i {
				continue
			}
			stem := string([]rune(src[k+1].text)[:1])
			if rest, same := strings.CutPrefix(t.text, stem); same && hasPrefix(rest, "지", "는", "은", "고", "습", "아", "어", "으", "았", "었", "하", "한", "했") {
				return b, !s.deniedHere(i)
			}
		}
	}
	return nil, false
}

var auxiliaries = set("do does did are is have has")

// speaksOfBool reports whether a word of tokens from..to speaks of a column of true and false.
func (s *sentence) speaksOfBool(b *boolColumn, from, to int) bool {
	for i := max(0, from); i < min(to, len(s.tokens)); i++ {
		if s.is(i, word) {
			if spoken, _ := b.says(s.tokens[i].fold); spoken {
				return true
			}
		}
	}
	return false
}

// askedForBool reports whether the question speaks of a column of true and false.
func (s *sentence) askedForBool(b *boolColumn) bool {
	return slices.ContainsFunc(s.checker.asked.tokens, func(t token) bool {
		spoken, _ := b.says(t.fold)
		return spoken && t.kind == word
	})
}

// isCrossed reports whether each name of a column stands in two rows, so that another
// column must tell them apart: subscribers and others of each country.
func (t *table) isCrossed() bool {
	return slices.ContainsFunc(t.columns, func(c column) bool {
		return !c.numeric && !c.temporal && !c.isBool() && c.nulls(t.all()) == 0 && 2*c.distinct(t.all()) == t.rows
	})
}

// checkBools refuses what a column of true and false has otherwise for the row of which
// the sentence speaks.
func (s *sentence) checkBools() {
	for i := 0; i < len(s.tokens); i++ {
		b, truth := s.boolAt(i)
		if b == nil {
			continue
		}
		for k, last := i+1, i+2; k <= last && k < len(s.tokens); k++ { // the noun and its verb are one
			last += boolInt(stopWords[s.foldAt(k)])
			if o, more := s.boolAt(k); o != nil {
				i, truth = k, truth && more
			}
		}
		t := s.checker.tables[b.table]
		rows := t.all()
		if t.rows != 1 {
			r, group := s.referentOf(&figure{at: i, to: i + 1})
			if r == nil || len(group) > 1 || len(r.rows[b.table]) != 1 {
				continue
			}
			rows = r.rows[b.table]
		}
		if v := t.columns[b.column].cells[rows[0]]; !v.null && (v.text == "true") != truth && s.affirms(i) {
			s.violate(i, i+1, "the row says the contrary")
		}
	}
}

// affirms tells what is said of a thing from its name before a value: "newsletter: no".
func (s *sentence) affirms(i int) bool {
	next := s.foldAt(i + 1)
	return next != ":" && next != "|" && next != "=" && !s.hasAny(i+1, len(s.tokens), "no", "false", "not") && !strings.HasPrefix(next, "여부") && !strings.Contains(s.tokens[i].text, "여부") && !hasPrefix(next, "아니", "아님", "예", "네")
}

package ground

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// figure is a number of a text, in figures or in words, with what is said of it.
type figure struct {
	at, to  int // tokens
	amounts []amount
	percent bool
	points  bool // percentage points
	ordinal bool
	ratio   bool // "three times", "3배"
	minus   bool
	plus    bool // "+5"
	spoken  bool
	hedge   hedge
	near    bool   // the words say that the bound is close: "just under"
	rest    string // what is glued to it in the last token, as a Korean counter is
	scaled  bool   // its scale stands behind it: "1.2 million", "9천"
	factor  int64  // that scale, where it is one word
}

// scaleWords are the words that make another number of one before them.
var scaleWords = map[string]int64{
	"hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "dozen": 12, "lakh": 1e5, "crore": 1e7,
	"tsd": 1e3, "mn": 1e6, "mio": 1e6, "bn": 1e9, "mrd": 1e9, "tausend": 1e3, "millionen": 1e6, "milliarden": 1e9,
	"mil": 1e3, "millones": 1e6, "mille": 1e3,
}

// scaleLetters stand right behind a number.
var scaleLetters = map[string]int64{"k": 1e3, "m": 1e6, "b": 1e9, "bn": 1e9, "mn": 1e6, "t": 1e12}

var koreanUnits = map[rune]int64{'십': 10, '백': 100, '천': 1e3, '만': 1e4, '억': 1e8, '조': 1e12}

var koreanDigits = map[rune]int64{'일': 1, '이': 2, '삼': 3, '사': 4, '오': 5, '육': 6, '칠': 7, '팔': 8, '구': 9}

// figures finds the numbers of a sentence. Tokens for which taken is true are
// part of a name or a date.
func (s *sentence) findFigures() {
	for i := 0; i < len(s.tokens); {
		if s.taken[i] {
			i++
			continue
		}
		f, ok := s.figureAt(i)
		if ok && s.isUnitOfRate(&f) {
			i = f.to
			continue
		}
		if !ok {
			i++
			continue
		}
		s.qualify(&f)
		s.figures = append(s.figures, f)
		for k := f.at; k < f.to; k++ {
			s.taken[k] = true
		}
		i = f.to
	}
	s.findHan()
	s.shareUnits()
	s.toldIn()
}

// han finds numbers in Chinese characters before what they count.
var han = regexp.MustCompile(`([〇一二三四五六七八九十百千万億亿兆]+)(?:人|个|個|件|名|次|円|元|%|社|国|か国|カ国|家|位|回|店|本|つ)`)

var hanDigits = map[rune]int64{'〇': 0, '一': 1, '二': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9}

var hanUnits = map[rune]int64{'十': 10, '百': 100, '千': 1e3, '万': 1e4, '億': 1e8, '亿': 1e8, '兆': 1e12}

func (s *sentence) findHan() {
	if plain(s.text) {
		return
	}
	for _, at := range han.FindAllStringSubmatchIndex(s.text, -1) {
		from, to := s.tokensOf(at[2], at[3])
		if from < len(s.tokens) && !s.taken[from] {
			s.figures = append(s.figures, figure{at: from, to: to, spoken: true, amounts: whole(hanNumber(s.text[at[2]:at[3]]))})
		}
	}
	slices.SortStableFunc(s.figures, func(a, b figure) int { return a.at - b.at })
}

func hanNumber(text string) int64 {
	var total, section, digit int64
	for _, r := range text {
		u := hanUnits[r]
		switch {
		case u >= 1e4:
			total += max(1, section+digit) * u
			section, digit = 0, 0
		case u > 0:
			section += max(1, digit) * u
			digit = 0
		default:
			digit = hanDigits[r]
		}
	}
	return total + section + digit
}

func (s *sentence) figureAt(i int) (figure, bool) {
	switch t := s.tokens[i]; {
	case t.kind == number:
		return s.writtenAt(i), true
	case t.kind != word:
		return figure{}, false
	case t.hangul:
		return s.koreanAt(i)
	default:
		return s.englishAt(i)
	}
}

// writtenAt reads a number in figures with its scale.
func (s *sentence) writtenAt(i int) figure {
	if f, ok := s.koreanFraction(i); ok {
		return f
	}
	text, to := s.groupedAt(i)
	f := figure{at: i, to: to, amounts: readings(text, s.decimalComma)}
	if to > i+1 {
		return f
	}
	if s.is(i+1, word) && s.tokens[i+1].hangul && !s.tokens[i+1].gap {
		if total, to, rest, ok := s.koreanScale(i); ok {
			return figure{at: i, to: to, amounts: []amount{total}, rest: rest, scaled: true, factor: onlyUnit(s.tokens[i+1].text, to-i)}
		}
		return f
	}
	if !s.is(i+1, word) {
		return f
	}
	next := s.tokens[i+1]
	factor, ok := scaleWords[next.fold]
	if !ok && !next.gap {
		if factor, ok = scaleLetters[next.fold]; !ok {
			r, _ := utf8.DecodeRuneInString(next.text)
			factor, ok = hanUnits[r]
		}
	}
	if !ok {
		factor, ok = scaleWords[strings.TrimSuffix(next.fold, "s")]
	}
	if ok {
		f.to++
		f.scaleUp(factor)
		f.factor = factor
		s.goOnInHan(&f)
	}
	return f
}

// goOnInHan adds what follows a number in units of 万: "18万4512", "9万6千".
func (s *sentence) goOnInHan(f *figure) {
	for len(f.amounts) == 1 && f.factor > 1 && s.is(f.to, number) && !s.tokens[f.to].gap && !s.taken[f.to] {
		last, _ := utf8.DecodeRuneInString(s.tokens[f.to-1].text)
		list := readings(s.tokens[f.to].text, false)
		if hanUnits[last] == 0 || len(list) != 1 {
			return
		}
		more := list[0]
		factor := int64(1)
		if s.is(f.to+1, word) && !s.tokens[f.to+1].gap {
			r, _ := utf8.DecodeRuneInString(s.tokens[f.to+1].text)
			factor = max(1, hanUnits[r])
		}
		more = more.times(rat(factor))
		if more.value.Cmp(f.amounts[0].place) >= 0 {
			return
		}
		more.value = new(big.Rat).Add(more.value, f.amounts[0].value)
		f.amounts[0], f.to = more, f.to+1+boolInt(factor > 1)
		if factor == 1 {
			return
		}
	}
}

// onlyUnit is the scale of a number in figures with one Korean word of units, else 0.
func onlyUnit(text string, tokens int) int64 {
	units, _ := splitUnits(text)
	if tokens != 2 {
		return 0
	}
	factor := int64(1)
	for _, u := range units {
		factor *= koreanUnits[u]
	}
	return factor
}

// koreanFraction reads "3분의 2" and "4분의1".
func (s *sentence) koreanFraction(i int) (figure, bool) {
	if i+2 >= len(s.tokens) || !strings.HasPrefix(s.tokens[i+1].text, "분의") || !s.is(i+2, number) {
		return figure{}, false
	}
	of, part := readings(s.tokens[i].text, false), readings(s.tokens[i+2].text, false)
	if len(of) != 1 || len(part) != 1 || !of[0].value.IsInt() || !part[0].value.IsInt() || of[0].value.Sign() == 0 {
		return figure{}, false
	}
	return s.fraction(i, i+3, part[0].value.Num().Int64(), of[0].value.Num().Int64()), true
}

// koreanScale reads numbers with Korean units: "1만 2천", "2천3백만명".
func (s *sentence) koreanScale(i int) (total amount, to int, rest string, ok bool) {
	sum, section := new(big.Rat), new(big.Rat)
	place, smallest := rat(1), int64(0)
	for s.is(i, number) {
		list := readings(s.tokens[i].text, false)
		if len(list) != 1 {
			return amount{}, 0, "", false
		}
		n := list[0].value
		if !s.is(i+1, word) || !s.tokens[i+1].hangul || s.tokens[i+1].gap {
			if smallest == 0 {
				return amount{}, 0, "", false
			}
			section.Add(section, n)
			return amount{value: sum.Add(sum, section), place: list[0].place, round: list[0].round}, i + 1, "", true
		}
		units, after := splitUnits(s.tokens[i+1].text)
		if units == "" {
			if smallest == 0 {
				return amount{}, 0, "", false
			}
			section.Add(section, n)
			return amount{value: sum.Add(sum, section), place: list[0].place, round: list[0].round}, i + 1, "", true
		}
		smallest = 1
		for _, u := range units {
			factor := koreanUnits[u]
			smallest *= factor
			if factor >= 1e4 {
				section.Add(section, n)
				sum.Add(sum, new(big.Rat).Mul(section, rat(factor)))
				section, n = new(big.Rat), new(big.Rat)
			} else {
				section.Add(section, new(big.Rat).Mul(n, rat(factor)))
				n = new(big.Rat)
			}
		}
		place = new(big.Rat).Mul(list[0].round, rat(smallest))
		i, rest, ok = i+2, after, true
		if after != "" || !s.is(i, number) {
			break
		}
	}
	return amount{value: sum.Add(sum, section), place: place, round: place}, i, rest, ok
}

// splitUnits splits the units off a Korean word.
func splitUnits(text string) (units, rest string) {
	for i, r := range text {
		if _, ok := koreanUnits[r]; !ok {
			return text[:i], text[i:]
		}
	}
	return text, ""
}

// natives are the native Korean numbers in front of what they count, the longer
// ones first.
var natives = []struct {
	text  string
	value int64
}{
	{"다섯", 5}, {"여섯", 6}, {"일곱", 7}, {"여덟", 8}, {"아홉", 9}, {"하나", 1}, {"한", 1}, {"두", 2}, {"둘", 2}, {"세", 3}, {"셋", 3}, {"석", 3}, {"넉", 4},
	{"네", 4}, {"넷", 4}, {"열", 10}, {"스물", 20}, {"스무", 20}, {"서른", 30}, {"마흔", 40}, {"쉰", 50}, {"예순", 60}, {"일흔", 70}, {"여든", 80}, {"아흔", 90},
}

// nativeDays are the native Korean words for numbers of days.
var nativeDays = map[string]int64{"이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "이레": 7, "여드레": 8, "아흐레": 9, "열흘": 10, "보름": 15}

// counters are the words for what Korean numbers count.
var counters = []string{"명", "개", "건", "곳", "대", "가지", "나라", "국가", "배", "위", "번", "원", "달러", "퍼센트", "점", "권", "장", "마리", "사람", "분기", "행", "줄", "종", "군데", "시간", "일", "주", "달", "년", "팀", "차례", "회", "품목", "도시", "매장", "고객", "제품", "상품", "주문", "곡", "편", "통", "쪽", "층", "채", "벌", "쌍", "잔", "병", "세트", "종류", "앨범", "트랙", "직원", "지점", "지역", "카테고리"}

func beginsWithCounter(text string) bool {
	return slices.ContainsFunc(counters, func(c string) bool { return strings.HasPrefix(text, c) })
}

// countPronouns are the numbers that stand without a noun: "둘뿐입니다".
var countPronouns = []string{"둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉"}

// koreanAt reads a Korean number in words before a counter.
func (s *sentence) koreanAt(i int) (figure, bool) {
	text := s.tokens[i].text
	if !s.tokens[i].gap && i > 0 && s.tokens[i-1].kind != mark {
		return figure{}, false // an ending
	}
	if strings.HasPrefix(text, "절반") && (isEnding(text[len("절반"):]) || hasPrefix(text[len("절반"):], "가량", "정도", "쯤", "씩")) {
		return s.fraction(i, i+1, 1, 2), true
	}
	for w, n := range nativeDays {
		if strings.HasPrefix(text, w) && (isEnding(text[len(w):]) || hasPrefix(text[len(w):], "간", "만", "이", "씩", "정도", "가량")) {
			return figure{at: i, to: i + 1, spoken: true, rest: "일", amounts: whole(n)}, true
		}
	}
	if f, ok := s.koreanAhead(i); ok {
		return f, true
	}
	if f, ok := s.koreanPlaceAt(i); ok {
		return f, true
	}
	value, rest := nativeNumber(text)
	scaled := false
	if rest == text {
		value, rest = sinoNumber(text)
		scaled = rest != text
	}
	if rest == text {
		return figure{}, false
	}
	at := i
	for scaled && rest == "" && value%1e4 == 0 && s.is(i+1, word) && s.tokens[i+1].hangul {
		more, after := sinoNumber(s.tokens[i+1].text)
		if after == s.tokens[i+1].text || more >= value {
			break
		}
		value, rest, i = value+more, after, i+1
	}
	f := figure{at: at, to: i + 1, spoken: true, rest: rest, amounts: whole(value), scaled: scaled && value >= 100}
	text, next := s.tokens[i].text, s.foldAt(i+1)
	switch {
	case hasPrefix(text, "조건", "조명", "만점", "천장", "만나", "만족", "백화", "조회", "조사"):
		return figure{}, false
	case value == 1 && (strings.HasSuffix(rest, "도") || rest == "" && strings.HasSuffix(next, "도")):
		return figure{}, false // not even one
	case rest == "" && s.is(i+1, word) && s.tokens[i+1].hangul && beginsWithCounter(s.tokens[i+1].text):
		return f, true
	case value > 1 && value < 10 && slices.Contains(countPronouns, strings.TrimSuffix(text, rest)) && hasPrefix(rest, "입니다", "이다", "이에요", "예요", "뿐", "임", "이며", "이고"):
		return f, true
	case rest == "" && value > 1 && s.is(i+1, word) && s.tokens[i+1].hangul && s.checker != nil && (s.checker.nouns[koreanStem(next)] || synonyms[koreanStem(next)] != ""):
		return f, true
	case rest != "" && slices.ContainsFunc(counters[:19], func(c string) bool { return strings.HasPrefix(rest, c) && (rest == c || isEnding(rest[len(c):])) }):
		return f, true
	}
	return figure{}, false
}

// koreanAhead reads what begins with a word that another number goes on with: "만 5천",
// "열에 아홉".
func (s *sentence) koreanAhead(i int) (figure, bool) {
	text := s.tokens[i].text
	if unit := koreanUnits[[]rune(text)[0]]; unit >= 100 && len(text) == len("만") && s.is(i+1, number) && !s.taken[i+1] {
		if total, to, rest, ok := s.koreanScale(i + 1); ok && total.value.Cmp(rat(unit)) < 0 {
			total.value = new(big.Rat).Add(total.value, rat(unit))
			return figure{at: i, to: to, amounts: []amount{total}, rest: rest, scaled: true}, true
		}
	}
	of, rest := nativeNumber(text)
	if rest == "에" && of > 1 && s.is(i+1, word) {
		if n, after := nativeNumber(s.tokens[i+1].text); n > 0 && n < of && isEnding(after) {
			return s.fraction(i, i+2, n, of), true
		}
	}
	return figure{}, false
}

// whole is a whole number in words: what is rounded in it are its trailing zeros.
func whole(value int64) []amount {
	round := int64(1)
	for value != 0 && value%(10*round) == 0 && value/(10*round) > 0 {
		round *= 10
	}
	return []amount{{value: rat(value), place: rat(1), round: rat(round)}}
}

// nativeNumber reads a number such as 스물네.
func nativeNumber(text string) (value int64, rest string) {
	for rest = text; ; {
		found := false
		for _, n := range natives {
			if after, ok := strings.CutPrefix(rest, n.text); ok && (value == 0 || value%10 == 0 && n.value < 10) {
				value, rest, found = value+n.value, after, true
				break
			}
		}
		if !found {
			return value, rest
		}
	}
}

// sinoNumber reads a number such as 이천삼백, which has a unit at least.
func sinoNumber(text string) (value int64, rest string) {
	var total, section, digit int64
	units := false
	end := len(text)
	for i, r := range text {
		d, isDigit := koreanDigits[r]
		u, isUnit := koreanUnits[r]
		switch {
		case isDigit:
			digit = d
		case isUnit && u >= 1e4:
			total += max(1, section+digit) * u
			section, digit, units = 0, 0, true
		case isUnit:
			section += max(1, digit) * u
			digit, units = 0, true
		default:
			end = i
		}
		if end < len(text) {
			break
		}
	}
	if !units {
		return 0, text
	}
	return total + section + digit, text[end:]
}

// is reports whether there is a token of a kind at i.
func (s *sentence) is(i int, k kind) bool {
	return i >= 0 && i < len(s.tokens) && s.tokens[i].kind == k
}

// foldAt is the folded token at i, "" outside.
func (s *sentence) foldAt(i int) string {
	if i < 0 || i >= len(s.tokens) {
		return ""
	}
	return s.tokens[i].fold
}

package ground

import (
	"math/big"
	"slices"
	"strings"
)

// hedgesBefore and hedgesAfter are the words that bound a number.
var hedgesBefore = map[string]hedge{
	"about": about, "around": about, "roughly": about, "approximately": about, "approx": about, "some": about, "circa": about, "ca": about, "~": about, "≈": about, "nearabout": about,
	"over": over, "above": over, "exceeding": over, "exceeds": over, "exceed": over, "more than": over, "greater than": over, "higher than": over, "longer than": over, "larger than": over, "bigger than": over, "heavier than": over, "shorter than": under, "smaller than": under, "lighter than": under, "upwards of": over, "upward of": over, "a good": over, "just over": over,
	"exceeded": over, "beyond": over, "past": over, "passes": over, "passed": over, "surpasses": over, "surpassed": over, "surpassing": over, "topping": over, "topped": over, "crossed": over, "crosses": over, "north of": over,
	"shy of": under, "short of": under, "not quite": under, "south of": under, "at or below": atMost, "at or under": atMost, "at or above": atLeast, "at or over": atLeast, "within": atMost,
	"nearly": under, "almost": under, "under": under, "below": under, "less than": under, "fewer than": under, "lower than": under, "close to": about, "up to": atMost,
	"at least": atLeast, "at most": atMost, "no more than": atMost, "no fewer than": atLeast, "no less than": atLeast, "not more than": atMost, "minimum of": atLeast, "maximum of": atMost,
	">": over, "<": under, "≥": atLeast, "≤": atMost,
	"약": about, "대략": about, "어림잡아": about, "대충": about, "얼추": about, "거의": about, "최소": atLeast, "적어도": atLeast, "최대": atMost, "무려": exact,
	"etwa": about, "rund": about, "ungefahr": about, "zirka": about, "uber": over, "mehr als": over, "weniger als": under, "unter": under, "fast": under, "knapp": under, "beinahe": under, "mindestens": atLeast, "hochstens": atMost,
	"environ": about, "plus de": over, "moins de": under, "pres de": under, "presque": under, "au moins": atLeast, "au plus": atMost,
	"unos": about, "unas": about, "mas de": over, "menos de": under, "casi": under, "al menos": atLeast, "cerca de": about, "mais de": over, "quase": under,
	"piu di": over, "meno di": under, "quasi": under, "meer dan": over, "minder dan": under, "ongeveer": about, "bijna": under, "約": about,
}

var hedgesAfter = map[string]hedge{"이상": atLeast, "이하": atMost, "초과": over, "미만": under, "넘": over, "가량": about, "정도": about, "쯤": about, "안팎": about, "가까": under, "육박": under, "남짓": over, "여": over,
	"웃": over, "돌파": over, "상회": over, "밑": under, "못": under, "하회": under, "이내": atMost, "미치": atLeast}

// qualify finds what is said of a figure around it: sign, percent, order, hedge.
func (s *sentence) qualify(f *figure) {
	if s.foldAt(f.to) == "and" && s.foldAt(f.to+1) == "a" && s.foldAt(f.to+2) == "half" {
		for i, a := range f.amounts {
			f.amounts[i] = amount{value: new(big.Rat).Add(a.value, half), place: half, round: half}
		}
		f.to += 3
	}
	s.takeSuffix(f)
	s.takeOdds(f)
	s.takeSpan(f)
	s.takeSign(f)
	if h := s.hedgeOf(f); s.isOneOfEnds(f) {
		f.hedge = exact
	} else if f.hedge == exact || h != exact {
		f.hedge = h
	}
	f.near = s.saysNear(f)
	for i := range f.amounts {
		if f.minus {
			f.amounts[i].value = new(big.Rat).Neg(f.amounts[i].value)
		}
	}
}

func (s *sentence) takeSuffix(f *figure) {
	next, glued := s.foldAt(f.to), f.to < len(s.tokens) && !s.tokens[f.to].gap
	if f.rest != "" {
		next, glued = f.rest, false
	}
	switch {
	case next == "per" && s.foldAt(f.to+1) == "cent":
		f.percent, f.to = true, f.to+2
	case next == "%", next == "percent", next == "pct", next == "percentage", strings.HasPrefix(next, "퍼센트"), strings.HasPrefix(next, "프로") && !strings.HasPrefix(next, "프로그"), next == "prozent":
		f.percent, f.to = true, f.to+1
		if p := s.foldAt(f.to); p == "p" || p == "points" || p == "point" || strings.HasPrefix(p, "포인트") {
			f.points, f.to = true, f.to+1
		}
		f.points = f.points || strings.Contains(next, "포인트")
	case next == "pp" && glued:
		f.percent, f.points, f.to = true, true, f.to+1
	case glued && (next == "st" || next == "nd" || next == "rd" || next == "th"):
		f.ordinal, f.to = true, f.to+1
	case (next == "·" || next == "~" || next == "," || next == "/") && s.is(f.to+1, number) && f.to+2 < len(s.tokens) && !s.tokens[f.to+2].gap && hasPrefix(s.tokens[f.to+2].text, "위", "번째") && s.countsOnTo(f, f.to+1):
		f.ordinal = true
	case s.foldAt(f.at-1) == "상위" || s.foldAt(f.at-1) == "하위":
	case strings.HasPrefix(next, "번째"), isPlace(next):
		f.ordinal = true
	case next == "times":
		f.ratio = timesOf[s.foldAt(f.to+1)] || s.isNameToken(f.to+1) || s.hasAny(f.to+1, f.to+2, "a", "an", "our") && s.isNameToken(f.to+2)
	case next == "x" && glued, next == "×", strings.HasPrefix(next, "배") && (next == "배" || isEnding(next[len("배"):])), next == "fold":
		f.ratio = true
	case next == "-" && s.foldAt(f.to+1) == "fold":
		f.ratio = true
	}
	switch before := s.foldAt(f.at - 1); {
	case before == "#", before == "." && s.foldAt(f.at-2) == "no", before == "no" && s.is(f.at, number), before == "number" && (s.is(f.at, number) && s.hasAny(f.at-3, f.at-1, "is", "at", "the", "as", "ranked", "was") || f.spoken && (s.foldAt(f.to) == "," || s.isNameToken(f.to))), before == "rank", before == "순위":
		f.ordinal = true
	}
}

// isPlace reports whether a Korean word behind a number makes a place of it: "5위지만".
func isPlace(w string) bool {
	rest, ok := strings.CutPrefix(w, "위")
	return ok && !hasPrefix(rest, "안", "원", "치", "반", "험", "성")
}

// currencies may stand between a sign or a hedge and its number.
const currencies = "$€£¥₩"

func (s *sentence) takeSign(f *figure) {
	i := f.at - 1
	for s.is(i, mark) && strings.Contains(currencies, s.tokens[i].text) {
		i--
	}
	if sign := s.foldAt(i - 1); hedgesBefore[s.foldAt(i)] == about && (sign == "minus" || sign == "마이너스") {
		i--
	}
	switch s.foldAt(i) {
	case "+":
		f.plus = true
	case "-":
		f.minus = s.tokens[i].gap && !s.tokens[f.at].gap || s.is(i-1, mark) && s.tokens[i-1].text != ")" && s.tokens[i-1].text != "%"
	case "–":
		f.minus = s.tokens[i].gap && !s.tokens[f.at].gap && s.is(i-1, mark)
	case "△":
		f.minus = !s.tokens[f.at].gap
	case "minus", "negative", "마이너스", "영하":
		f.minus = true
	}
}

func (s *sentence) hedgeOf(f *figure) hedge {
	i := f.at - 1
	for i >= 0 && (s.is(i, mark) && strings.Contains(currencies, s.tokens[i].text) || s.foldAt(i) == "a" || s.foldAt(i) == "the") {
		i--
	}
	one := s.foldAt(i)
	if one == "." && (s.foldAt(i-1) == "c" || s.foldAt(i-1) == "ca" || s.foldAt(i-1) == "approx") {
		return about
	}
	if hasPrefix(one, "reach") && s.hasAny(i-3, i, "not", "never") {
		return under
	}
	two := s.foldAt(i-1) + " " + one
	three := s.foldAt(i-2) + " " + two
	for _, words := range []string{three, two, one} {
		if h, ok := hedgesBefore[words]; ok && !(words == "up to" && (addsUp[s.foldAt(i-2)] || s.hasAny(i-9, i-2, "from"))) {
			if one == "over" && (slices.ContainsFunc(s.figures, func(g figure) bool { return g.to == i }) || s.hasAny(i-1, i, "spread", "distributed", "split", "summed", "averaged")) {
				return exact // "1,649.04 over 294 invoices"
			}
			if (h == over || strings.HasSuffix(words, " than")) && s.foldAt(f.at-1) == "the" && !s.hasAny(f.to, f.to+1, "mark", "threshold", "level", "line", "limit") {
				return exact // "over the four quarters"
			}
			if one == "than" && (s.foldAt(i-2) == "no" || s.foldAt(i-2) == "not") {
				return map[hedge]hedge{over: atMost, under: atLeast}[h]
			}
			if s.hasAny(i-4, i, "not", "never", "n't") && !s.hasAny(i-4, i, "only", "quite") && !strings.HasPrefix(words, "not ") || strings.HasSuffix(s.foldAt(i-1), "n't") {
				return contrary[h]
			}
			if behind := s.hedgeBehind(f); behind != exact && (one == "최소" || one == "최대") {
				return behind // they say of which number the bound is
			}
			return h
		}
	}
	return s.hedgeBehind(f)
}

// isOneOfEnds tells "최소 7건, 최대 34건", which are the least and the most, from a bound.
func (s *sentence) isOneOfEnds(f *figure) bool {
	before := s.foldAt(f.at - 1)
	return (before == "최소" || before == "최대") && s.hasAny(0, len(s.tokens), "최소") && s.hasAny(0, len(s.tokens), "최대")
}

// saysSpread reports whether the words behind a figure say of the least and the most that all
// lies between them.
func (s *sentence) saysSpread(f *figure) bool {
	return s.anyCue(f.to, len(s.tokens), nil, "분포", "사이", "까지", "범위")
}

// nearWords say of a bound that it is close.
var nearWords = set("just slightly barely narrowly marginally nearly almost shy little bit touch shade hair")

// saysNear reports whether the words of a bound say that it is close: "just under", "a little
// above", "조금 넘는", "30여 개".
func (s *sentence) saysNear(f *figure) bool {
	if f.hedge == exact || f.hedge == about {
		return false
	}
	behind := f.rest + s.gluedAt(f.to)
	return s.anyCue(f.at-4, f.at, nearWords) || s.hasAny(f.at-3, f.at, "quite") && s.hasAny(f.at-4, f.at, "not") || f.hedge == over && hasPrefix(behind, "여") ||
		s.anyCue(f.to, f.to+4, nil, "조금", "약간", "살짝", "간신히", "겨우", "가까", "육박", "남짓") || hasPrefix(behind, "남짓")
}

// hedgeBehind is the bound that the words behind a figure say: "or more", "이상", "에는
// 조금 못 미칩니다".
func (s *sentence) hedgeBehind(f *figure) hedge {
	switch {
	case s.foldAt(f.to) == "+" && !s.is(f.to+1, number):
		return atLeast
	case s.foldAt(f.to) == "-" && (s.foldAt(f.to+1) == "odd" || s.foldAt(f.to+1) == "ish"):
		return about
	}
	for k := f.to; k < min(f.to+4, len(s.tokens)-1); k++ {
		if s.foldAt(k) == "or" || s.foldAt(k) == "and" {
			return boundsBehind[s.foldAt(k+1)]
		}
		if s.tokens[k].kind != word {
			break
		}
	}
	if h, compared := s.comparedBehind(f); compared {
		return h
	}
	after := []string{f.rest}
	for k := f.to; k < min(f.to+5, len(s.tokens)); k++ {
		if s.tokens[k].kind == number || s.tokens[k].kind == mark && !strings.Contains("%)", s.tokens[k].text) {
			break
		}
		if s.tokens[k].hangul && k > f.to {
			if _, other := s.koreanAt(k); other {
				break
			}
		}
		if k < f.to+3 || s.tokens[k].hangul {
			after = append(after, s.tokens[k].fold)
		}
	}
	for k, w := range after {
		if w == "안" && k+1 < len(after) && hasPrefix(after[k+1], "되", "된", "됩", "돼") {
			return under
		}
		for words, h := range hedgesAfter {
			if at := strings.Index(w, words); at == 0 && words != "여" || at == 0 && w == words || words == "이상" && at > 0 {
				if strings.HasSuffix(w, "지") && k+1 < len(after) && hasPrefix(after[k+1], "않", "못") {
					return contrary[h]
				}
				return h
			}
		}
		if closesPart(w) {
			break
		}
	}
	return exact
}

// comparedBehind is the bound of a number that something is compared with: "50명보다 적습니다".
// That of a name, of a place or of the average is told exactly.
func (s *sentence) comparedBehind(f *figure) (h hedge, compared bool) {
	if !hasSuffix(f.rest+s.gluedAt(f.to), "보다", "보다는", "보다도") {
		return exact, false
	}
	if before := f.at - 1; before >= 0 && (s.isNameToken(before) || s.tokens[before].hangul && (hasPrefix(s.tokens[before].text, meanKorean...) || hasSuffix(s.tokens[before].text, "인", "의"))) {
		return exact, true
	}
	for k := f.to + boolInt(f.rest == ""); k < min(f.to+4, len(s.tokens)) && s.tokens[k].hangul; k++ {
		if _, other := s.koreanAt(k); other {
			break
		}
		switch text := s.tokens[k].text; {
		case hasPrefix(text, upKorean...):
			return over, true
		case hasPrefix(text, downKorean...):
			return under, true
		}
	}
	return exact, true
}

// boundsBehind are the words behind "or" that bound the number before it.
var boundsBehind = map[string]hedge{"more": atLeast, "above": atLeast, "over": atLeast, "higher": atLeast, "up": atLeast, "greater": atLeast, "fewer": atMost, "less": atMost, "below": atMost, "under": atMost, "lower": atMost, "so": about, "older": atLeast, "younger": atMost}

// countsOnTo reports whether the number at a token is higher than a figure: of "1, 2위" both
// are places, of "132, 3위는" only one.
func (s *sentence) countsOnTo(f *figure, i int) bool {
	list := readings(s.tokens[i].text, s.decimalComma)
	return len(list) > 0 && len(f.amounts) > 0 && f.amounts[0].value.Cmp(list[0].value) < 0
}

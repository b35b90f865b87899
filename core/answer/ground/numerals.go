package ground

import (
	"math/big"
	"strings"
)

// groupedAt is the number that begins at i, with the groups of three digits behind it that
// only a space parts from it: "3 738 583.44".
func (s *sentence) groupedAt(i int) (text string, to int) {
	text, to = s.tokens[i].text, i+1
	if len(text) > 3 || digits(text) != len(text) || text[0] == '0' {
		return text, to
	}
	for s.is(to, number) && !s.taken[to] && s.tokens[to].begin == s.tokens[to-1].end+1 {
		group := s.tokens[to].text
		n := digits(group)
		if n != 3 || len(group) > n && (digits(group[n+1:]) != len(group)-n-1 || len(group)-n-1 == 3) {
			break
		}
		text, to = text+group, to+1
		if len(group) > n {
			break
		}
	}
	return text, to
}

// scaleUp multiplies what is written by a scale that is told apart from it.
func (f *figure) scaleUp(factor int64) {
	f.scaled = true
	for i, a := range f.amounts {
		f.amounts[i] = a.times(rat(factor))
	}
}

// spanWords divide the span that a rounded Korean number has: of "4백 중반" the middle.
var spanWords = []struct {
	text     string
	low, end int64 // tenths of the span
}{{"초반", 0, 4}, {"중반", 3, 8}, {"후반", 6, 10}}

// takeSpan makes a span of a rounded number that says one: "9천대", "40%대", "4백 중반",
// "the 400s".
func (s *sentence) takeSpan(f *figure) {
	if len(f.amounts) != 1 || !f.scaled && !f.percent && f.amounts[0].round.Cmp(f.amounts[0].place) == 0 {
		return
	}
	w := f.rest
	if w == "" {
		w = s.foldAt(f.to)
	}
	if w == "s" && s.is(f.to, word) && !s.tokens[f.to].gap && !f.scaled {
		f.spanOver(0, 10)
		f.to++
		return
	}
	next := s.foldAt(f.to + 1)
	if f.rest != "" {
		next = s.foldAt(f.to)
	}
	for _, counter := range []string{"", "원", "명", "건", "달러", "유로", "점", "시간", "도", "세"} {
		rest, ok := strings.CutPrefix(w, counter)
		tail, is := strings.CutPrefix(rest, "대")
		is = ok && is && isEnding(tail) && (f.scaled || f.percent || counter != "")
		for _, part := range spanWords {
			if ok && strings.HasPrefix(rest, part.text) || is && strings.HasPrefix(next, part.text) {
				f.spanOver(part.low, part.end)
				return
			}
		}
		if is {
			f.spanOver(0, 10)
			return
		}
	}
}

// spanOver makes the figure a span from so many tenths of its last place to so many.
func (f *figure) spanOver(low, end int64) {
	a := &f.amounts[0]
	at := func(tenths int64) *big.Rat {
		out := new(big.Rat).Mul(a.round, big.NewRat(tenths, 10))
		return out.Add(out, a.value)
	}
	a.value, a.end = at(low), at(end)
}

// takeOdds makes a ratio of "1.5 to 1", "6 대 1" and "ratio of 3:1".
func (s *sentence) takeOdds(f *figure) {
	one := func(i int) bool { return s.foldAt(i) == "1" || s.foldAt(i) == "one" }
	at := f.to
	if f.rest != "" {
		return
	}
	switch w := s.foldAt(at); {
	case (w == "to" || w == "대") && one(at+1) && !s.hasAny(f.at-2, f.at, "from", "between"):
	case w == ":" && one(at+1) && (s.hasAny(0, f.at, "ratio") || s.anyCue(0, len(s.tokens), nil, "비율")):
	default:
		return
	}
	if at+2 < len(s.tokens) && !s.tokens[at+2].gap && s.is(at+2, number) || powers[s.foldAt(at+2)] > 0 {
		return
	}
	f.ratio, f.to = true, at+2
}

// isUnitOfRate tells the one of "1인당", "한 건당", "한 건의 평균" and "one order brought
// in 451 on average" from a number.
func (s *sentence) isUnitOfRate(f *figure) bool {
	if len(f.amounts) != 1 || f.amounts[0].value.Cmp(unit) != 0 || f.percent || f.ordinal {
		return false
	}
	w := f.rest + s.gluedAt(f.to)
	if w == "" && f.spoken && s.is(f.to, word) && s.tokens[f.to].hangul {
		w = s.tokens[f.to].text
	}
	switch {
	case strings.Contains(w, "당") && !strings.Contains(w, "당시"):
		return true
	case w != "" && f.spoken && hasSuffix(w, "의", "에", "마다"):
		return s.anyCue(f.to, f.to+3, nil, meanKorean...)
	case f.spoken && hasPrefix(w, "달", "해", "주", "시간", "분기"):
		return s.anyCue(f.to, f.to+3, nil, meanKorean...)
	case f.spoken && w == "":
		return s.foldAt(f.at-1) == "per" || s.saysOnAverage(f)
	}
	return false
}

func (s *sentence) saysOnAverage(f *figure) bool {
	if s.hasAny(f.at-1, f.at, "only", "just", "exactly", "least") {
		return false
	}
	for i := f.to; i < len(s.tokens); i++ {
		if s.foldAt(i) == "average" && s.foldAt(i-1) == "on" {
			return true
		}
	}
	return false
}

// shareUnits gives the first end of a range the percent or the scale that only the second
// one has: "44~47%", "between 3 and 4 million".
func (s *sentence) shareUnits() {
	for i := 0; i+1 < len(s.figures); i++ {
		a, b := &s.figures[i], &s.figures[i+1]
		if len(a.amounts) != 1 || len(b.amounts) != 1 || a.percent || a.scaled || a.ordinal || a.rest != "" || b.at-a.to != 1 || !s.joins(a, b) {
			continue
		}
		if b.percent {
			a.percent, a.points = true, b.points
		}
		if b.factor > 1 && new(big.Rat).Mul(a.amounts[0].value, rat(b.factor)).Cmp(b.amounts[0].value) < 0 {
			a.scaleUp(b.factor)
		}
	}
}

// toldIn scales the figures of a sentence that says once in what they are: "in thousands".
func (s *sentence) toldIn() {
	for i := range s.figures {
		if at := strings.Count(s.text[s.tokens[s.figures[i].to-1].end:], "|"); at < len(s.line.worths) && s.line.worths[at] > 1 && !s.figures[i].percent && !s.figures[i].scaled {
			s.figures[i].scaleUp(s.line.worths[at])
		}
	}
	factor := int64(0)
	for i := range s.tokens {
		if s.isUnitWord(i) {
			factor = powers[s.tokens[i].fold]
		}
	}
	for i := range s.figures {
		if f := &s.figures[i]; factor > 1 && !f.percent && !f.ordinal && !f.ratio && !f.spoken && !f.scaled {
			f.scaleUp(factor)
		}
	}
}

// isUnitWord reports whether a word says in what all figures are told.
func (s *sentence) isUnitWord(i int) bool {
	w := s.tokens[i].fold
	return powers[w] >= 1e3 && strings.HasSuffix(w, "s") && (s.foldAt(i-1) == "in" && s.foldAt(i+1) != "of" || s.foldAt(i-1) == "(" && s.foldAt(i+1) == ")")
}

// isProportion checks "two in five", "1 out of every 18" and "18개 중 1개꼴": the part that
// the first number is in the second.
func (s *sentence) isProportion(i int) bool {
	if i+1 >= len(s.figures) {
		return false
	}
	a, b := &s.figures[i], &s.figures[i+1]
	n, ok := a.count()
	m, of := b.count()
	if !ok || !of || a.ordinal || b.ordinal || b.at-a.to > 4 {
		return false
	}
	switch between := s.wordsBetween(a.to, b.at); {
	case between == "in" || between == "in every" || between == "out of" || between == "out of every" || between == "of every":
	case hasSuffix(between, "중", "중에", "가운데") || a.rest == "에" || between == "에" || hasSuffix(between, "에"):
		n, m = m, n
	default:
		return false
	}
	const mostOf = 100
	if n < 1 || n >= m || m > mostOf {
		return false
	}
	g := s.fraction(a.at, b.to, n, m)
	if h := a.hedge; h != exact {
		g.hedge = h
	} else if h := s.hedgeBehind(b); h != exact {
		g.hedge = h
	}
	r, group := s.referentOf(&g)
	if !s.isPercentage(&g, r, group) && !s.isReckoned(&g) {
		return false
	}
	s.proved[i+1] = true
	return true
}

// wordsBetween are the folded words of tokens from..to.
func (s *sentence) wordsBetween(from, to int) string {
	var out []string
	for i := from; i < to; i++ {
		out = append(out, s.tokens[i].fold)
	}
	return strings.Join(out, " ")
}

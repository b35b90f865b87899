package ground

import (
	"slices"
	"strings"
)

// signs are the words that say on which side of zero a number is.
var signs = map[string]int{"positive": 1, "profitable": 1, "negative": -1, "unprofitable": -1}

var signsKorean = []struct {
	text string
	sign int
}{{"양수", 1}, {"흑자", 1}, {"플러스", 1}, {"음수", -1}, {"적자", -1}, {"마이너스", -1}}

// Words that make a number below zero of the one that they stand with.
var (
	lossWords  = set("loss losses lost lose loses deficit negative minus")
	lossKorean = []string{"적자", "손실", "마이너스", "음수"}
)

// signAt is the sign that a word says, 0 for none. A word of a row or of the question,
// such as a status, says none.
func (s *sentence) signAt(i int) int {
	t := s.tokens[i]
	if s.taken[i] || s.is(i+1, number) || s.checker.known[t.fold] {
		return 0
	}
	if !t.hangul {
		return signs[t.fold]
	}
	for _, w := range signsKorean {
		if strings.HasPrefix(t.text, w.text) && !s.figureAtToken(i+1) {
			return w.sign
		}
	}
	return 0
}

// checkSigns checks that what is said to be positive or negative is: the names of the
// clause, or all rows, or none of them.
func (s *sentence) checkSigns() {
	if s.checker.empty {
		return
	}
	for i := range s.tokens {
		sign := s.signAt(i)
		if sign == 0 {
			continue
		}
		from, to := s.clauseSpan(i)
		r, group := s.whoIs(i)
		if r != nil && group == nil {
			group = []*referent{r}
		}
		all := s.hasAny(from, to, "all", "every", "each") || s.anyCue(from, to, nil, "모든", "모두", "전부")
		none := s.hasAny(from, i, "no", "none") || s.anyCue(i, to, nil, "없")
		if r == nil && !all && !none {
			continue
		}
		if s.excepts() && all {
			all, none, sign = false, false, -sign
		}
		f := &figure{at: i, to: i + 1}
		if ok := s.each(f, func(t *table, index int, c *column) bool {
			return !c.key && s.haveSign(t, c, index, group, sign, all, none)
		}); ok == s.denied(i) {
			s.violate(i, i+1, "the rows say the contrary")
		}
	}
}

// haveSign reports whether the numbers of a column have a sign: those of the names, or
// all, or none.
func (s *sentence) haveSign(t *table, c *column, index int, group []*referent, sign int, all, none bool) bool {
	has := func(row int) bool { return c.cells[row].number != nil && c.cells[row].number.Sign() == sign }
	switch {
	case none && group == nil:
		return t.whole && !slices.ContainsFunc(t.all(), has)
	case all && group == nil:
		return t.whole && !slices.ContainsFunc(t.all(), func(row int) bool { return !has(row) })
	}
	for _, g := range group {
		if !slices.ContainsFunc(g.rows[index], has) {
			return false
		}
	}
	return true
}

// signed is how many numbers of a column have a sign.
func (c *column) signed(sign int) int64 {
	var n int64
	for _, v := range c.cells {
		n += int64(boolInt(v.number != nil && v.number.Sign() == sign))
	}
	return n
}

// movesIn reports whether what a figure counts is said to have grown, or fallen: "ten
// months grew, two fell".
func (s *sentence) movesIn(f *figure, to int) (moves bool, up int) {
	from, end := s.span(f.at)
	up, _ = s.trend(from, min(to, end))
	return s.changes() && up != 0, up
}

// excepts reports whether the sentence leaves out what it names.
func (s *sentence) excepts() bool {
	for i := range s.tokens {
		if s.exceptsAt(i) {
			return true
		}
	}
	return s.hasAny(0, len(s.tokens), "except", "excluding", "besides", "apart", "without") || s.anyCue(0, len(s.tokens), nil, "제외", "빼")
}

// exceptsAt reports whether a "but" leaves out what is named behind it: "all clubs but A".
func (s *sentence) exceptsAt(i int) bool {
	return s.tokens[i].fold == "but" && s.hasAny(i-3, i, "all", "every", "everyone", "everybody", "any")
}

// denied reports whether a word before token at, or behind it in Korean, denies it.
func (s *sentence) denied(at int) bool {
	from, to := s.clauseSpan(at)
	for i := max(from, at-5); i < at; i++ {
		if s.taken[i] {
			continue
		}
		switch w := s.foldAt(i); {
		case w == "not" && s.foldAt(i+1) == "only":
		case w == "not", w == "never", w == "neither", w == "nor", w == "cannot", strings.HasSuffix(w, "n't"):
			return true
		}
	}
	for i := at; i < min(to, at+5); i++ {
		t := s.tokens[i]
		if t.hangul && (hasPrefix(t.text, "않", "아니", "아닙", "아닌") || strings.HasSuffix(t.text, "않습니다") || strings.HasSuffix(t.text, "않다")) {
			return true
		}
	}
	return false
}

// isDenied reports whether the sentence says that a figure is not so: "does not have
// 120 orders".
func (s *sentence) isDenied(f *figure) bool {
	if f.hedge != exact || f.ordinal || s.questionDenies() {
		return false
	}
	from, to := s.span(f.at)
	for i := max(from, f.at-4); i < f.at; i++ {
		w := s.foldAt(i)
		if !s.taken[i] && (w == "not" && s.foldAt(i+1) != "only" || strings.HasSuffix(w, "n't")) && !s.hasAny(i, f.at, "exceed", "reach", "include", "including", "more", "less") {
			return true
		}
	}
	for i := f.to; i < min(to, f.to+2); i++ {
		if t := s.tokens[i]; t.hangul && hasPrefix(t.text, "아니", "아닙", "아닌") {
			return true
		}
	}
	return false
}

// loses reports whether a clause says that its number is below zero in words.
func (s *sentence) loses(f *figure) bool {
	from, to := s.span(f.at)
	return s.anyCue(from, to, lossWords, lossKorean...) && !s.checker.asks(lossWords, lossKorean...)
}

// saysLoss reports whether a figure is the size of a number below zero.
func (f *figure) saysLoss(v cell, equal func(*figure, cell) bool) bool {
	if f.minus {
		return equal(f, v)
	}
	return v.number.Sign() < 0 && negated(f, v, equal)
}

// hasLoss reports whether a column has numbers below zero.
func (c *column) hasLoss() bool {
	return slices.ContainsFunc(c.cells, func(v cell) bool { return v.number != nil && v.number.Sign() < 0 })
}

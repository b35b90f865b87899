package ground

import (
	"math/big"
	"slices"
)

// isTotal is the total of rows that are taken together.
func (k *reckoning) isTotal() bool {
	if k.f.percent || k.f.ratio {
		return false
	}
	if !k.says(totalWords, totalKorean...) && !k.s.overAllTime() {
		return k.isPlainTotal() || k.isTotalBut()
	}
	return k.each(func(c *column) bool {
		return c.adds() && !k.isOfOtherTime(c) && slices.ContainsFunc(k.groups, func(rows []int) bool {
			return len(rows) > 1 && k.told(c, c.sum(rows)) && k.agreesInSign(c, c.sum(rows))
		})
	})
}

// agreesInSign reports whether what a column of changes adds up to has the direction of the words
// around the figure, if these have one.
func (k *reckoning) agreesInSign(c *column, sum *big.Rat) bool {
	up, down := k.s.directions(k.f, k.from, k.to)
	return !c.change || up == down || sum.Sign() == boolInt(up)-boolInt(down)
}

// isOfOtherTime reports whether the sentence has the year, or the month, that stands in the name
// of another column, and not that of this one.
func (k *reckoning) isOfOtherTime(c *column) bool {
	says := func(c *column) bool {
		return slices.ContainsFunc(k.s.dates, func(d dateRef) bool { return c.inName(d, k.s.checker.years) })
	}
	return (c.year != 0 || c.month != 0) && !says(c) && k.t.anyMeasure(says)
}

// isPlainTotal is the total, without a word for it, of all rows where the sentence names
// none, or of the names of the clause together: "8,421 shipped orders over five years".
func (k *reckoning) isPlainTotal() bool {
	s := k.s
	if !k.solid || !k.t.whole || k.countsOnlyRows() || s.isGap(k.f) || s.saysMean(k.f) || s.anyCue(0, len(s.tokens), otherWords) || k.says(exceptWords, exceptKorean...) {
		return false
	}
	var rows []int
	switch names := k.namesIn(); {
	case s.opensAlone(k.f):
		rows = k.t.all()
	case len(names) > 1:
		rows = joinRows(names)
	case len(names) == 0 && !s.pronoun() && (len(s.referents) == 0 || s.opensOfWhich(k.f)):
		rows = k.t.all()
	default:
		return false
	}
	return k.each(func(c *column) bool { return c.adds() && k.told(c, c.sum(rows)) })
}

// isSumOfSaid is the sum of the figures that the sentence told before: "9 online and 4 in
// stores, 13 in all".
func (s *sentence) isSumOfSaid(i int) bool {
	f := &s.figures[i]
	from, to := s.span(f.at)
	if f.percent || f.ordinal || f.ratio || f.hedge != exact || i < 2 || !s.anyCue(from, to, totalWords, totalKorean...) && !(s.hasAny(f.to, f.to+3, "in") && s.hasAny(f.to+1, f.to+4, "all")) {
		return false
	}
	sum := new(big.Rat)
	for k := i - 1; k >= 0; k-- {
		g := &s.figures[k]
		if !s.proved[k] || g.percent || g.ordinal || g.ratio || g.hedge != exact || len(g.amounts) != 1 {
			return false
		}
		if sum.Add(sum, g.amounts[0].value); i-k > 1 && slices.ContainsFunc(f.amounts, func(a amount) bool { return a.value.Cmp(sum) == 0 }) {
			return true
		}
	}
	return false
}

// opensAlone reports whether a figure stands before all names of the sentence, and another one
// between it and these: "just over 570 tickets were counted, 72% of them resolved".
func (s *sentence) opensAlone(f *figure) bool {
	if len(s.referents) == 0 || s.pronoun() || s.namesIn(f) || f.at > s.referents[0].at {
		return false
	}
	return s.hasFigureIn(f.to, s.referents[0].at)
}

// opensOfWhich reports whether a figure is that of which the words behind tell a part, and
// stands before all names: "668 orders, of which A had 40".
func (s *sentence) opensOfWhich(f *figure) bool {
	_, to := s.clauseSpan(f.at)
	return s.foldAt(to) == "of" && s.referents[0].at > to
}

// isTotalBut is the total of all rows but those of which the clause says that they are left
// out: "778 orders are not delivered", "778 have a status other than delivered".
func (k *reckoning) isTotalBut() bool {
	s := k.s
	if !k.solid || !k.t.whole || s.isGap(k.f) {
		return false
	}
	var out []int
	from, to := s.clauseSpan(k.f.at)
	for _, r := range s.referents {
		if r.at < from || r.at >= to {
			continue
		}
		if len(out) == 0 && !s.isLeftOut(r.at) {
			return false
		}
		out = union(out, r.rows[k.index])
	}
	return len(out) > 0 && k.each(func(c *column) bool { return c.adds() && !c.change && k.told(c, c.sum(k.without(out))) })
}

// saysMean reports whether the part of the sentence around a figure speaks of an average.
func (s *sentence) saysMean(f *figure) bool {
	from, to := s.span(f.at)
	return s.anyCue(from, to, meanWords, meanKorean...)
}

// countsOnlyRows reports whether the noun behind a figure counts rows, and names no measure.
func (k *reckoning) countsOnlyRows() bool {
	s := k.s
	if s.counts(k.f) != countsRows || !k.f.amounts[0].value.IsInt() {
		return false
	}
	for i := k.f.to; i < min(k.f.to+4, len(s.tokens)) && s.is(i, word) && (!clauseVerbs[s.foldAt(i)] || i == k.f.to && s.foldAt(i) == "in"); i++ {
		if s.namedBy(koreanStem(s.foldAt(i)), nil) != nil {
			return false
		}
	}
	return true
}

var (
	exceptWords  = set("except excluding without besides apart")
	exceptKorean = []string{"나머지", "다른", "제외", "빼", "뺀", "외"}
)

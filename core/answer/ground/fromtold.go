package ground

import (
	"math/big"
	"slices"
)

// isFromTold reports whether a figure is what two figures give that the text tells: in the
// sentence or the one before, in the title, or for a title in the text below, where words
// say how: "2.04 days, in 2023 1.96, a difference of 0.08", "from 128 to 301, a rise of
// 135%", "dividing 19 by 3 gives 6.3", "A는 69건, B는 51건으로 차이는 18건".
func (s *sentence) isFromTold(i int) bool {
	f := &s.figures[i]
	if f.ordinal || f.isBound() && !f.ratio && !f.percent {
		return false
	}
	list := s.toldBefore(i)
	for k := range list {
		for n := k + 1; n < len(list); n++ {
			a, b := list[k], list[n]
			if a.percent != b.percent || a.points != b.points {
				continue
			}
			if !f.isBound() && !a.above && !b.above && s.gives(f, a.amounts[0].value, b.amounts[0].value, a.percent) || s.givesKorean(f, a, b) {
				return true
			}
		}
	}
	return s.titleIsFromTold(f)
}

// operand is a figure that was told before another one.
type operand struct {
	*figure
	at, to int  // its tokens in the sentence, -1 where it is told before that
	above  bool // it is told in the title, which is checked later
}

// toldBefore are the measures told before figure i, and proved: the last few. Those of the
// title must be cells.
func (s *sentence) toldBefore(i int) []operand {
	const most = 4
	var out []operand
	keep := func(of *sentence, to int, here, above bool) {
		for k := range to {
			g := &of.figures[k]
			if g.ordinal || g.ratio || g.isBound() || len(g.amounts) != 1 || !above && !of.proved[k] || above && !s.checker.hasCell(g) {
				continue
			}
			o := operand{figure: g, at: -1, to: -1, above: above}
			if here {
				o.at, o.to = g.at, g.to
			}
			out = append(out, o)
		}
	}
	if i < 3 && s.told != nil && !s.told.titled {
		for _, title := range s.told.above {
			keep(title, len(title.figures), false, true)
		}
	}
	if last := s.last; last != nil && i < 3 {
		keep(last, len(last.figures), false, false)
	}
	keep(s, i, true, false)
	return out[max(0, len(out)-most):]
}

// hasCell reports whether a figure is a cell of any row that was seen.
func (c *Checker) hasCell(f *figure) bool {
	return slices.ContainsFunc(c.tables, func(t *table) bool { return t.hasCell(f) })
}

// titleIsFromTold reports whether a figure of a title is what two figures give that the text
// below proves: "차이는 18건" over "A 69건, B 51건".
func (s *sentence) titleIsFromTold(f *figure) bool {
	if s.told == nil || !s.told.titled {
		return false
	}
	var list []operand
	for k := range s.told.figures {
		if g := &s.told.figures[k].figure; !g.ordinal && !g.ratio && !g.percent && !g.isBound() && len(g.amounts) == 1 && s.checker.hasCell(g) {
			list = append(list, operand{figure: g, at: -1, to: -1})
		}
	}
	const most = 4
	list = list[:min(most, len(list))]
	for k := range list {
		for n := k + 1; n < len(list); n++ {
			if s.givesKorean(f, list[k], list[n]) {
				return true
			}
		}
	}
	return false
}

// gives reports whether a figure is what a and the later told b give in the way that the
// words right before it say.
func (s *sentence) gives(f *figure, a, b *big.Rat, percents bool) bool {
	const near = 7
	from := max(0, f.at-near)
	says := func(words map[string]bool) bool { return s.anyCue(from, min(f.to+2, len(s.tokens)), words) }
	gap := new(big.Rat).Sub(b, a)
	up, down := says(riseWords), says(fallWords)
	neutral := says(neutralWords)
	switch {
	case up != down && gap.Sign() != boolInt(up)-boolInt(down), percents != f.percent && percents:
		return false
	case f.ratio && !says(factorWords):
		return false
	case says(factorWords):
		if a.Cmp(b) < 0 && says(set("ratio factor")) && !says(set("dividing divided")) {
			a, b = b, a // the larger by the smaller
		}
		return b.Sign() > 0 && a.Sign() > 0 && !f.percent && f.isFactor(new(big.Rat).Quo(a, b))
	case !up && !down && !neutral:
		return false
	case f.percent && !percents:
		return (up || down) && a.Sign() > 0 && f.derivedShare(percent(gap.Abs(gap), a))
	case f.percent:
		return f.derivedShare(gap.Abs(gap))
	}
	return f.derived(gap.Abs(gap))
}

var (
	// neutralWords are nouns for how far two figures are apart.
	neutralWords = set("difference gap spread range span margin shortfall surplus apart differ")
	// factorWords are nouns for how many times as much one figure is.
	factorWords = set("factor ratio quotient")
)

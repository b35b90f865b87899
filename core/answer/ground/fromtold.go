package ground

import (
	"math/big"
)

// isFromTold reports whether a figure is what two figures before it give that are proved,
// in the sentence or in the one before, where words say how: "2.04 days, in 2023 1.96, a
// difference of 0.08", "from 128 to 301, a rise of 135%", "dividing 19 by 3 gives 6.3".
func (s *sentence) isFromTold(i int) bool {
	f := &s.figures[i]
	if f.ordinal || f.isBound() {
		return false
	}
	list := s.toldBefore(i)
	for k := range list {
		for n := k + 1; n < len(list); n++ {
			if a, b := list[k], list[n]; a.percent == b.percent && a.points == b.points && s.gives(f, a.amounts[0].value, b.amounts[0].value, a.percent) {
				return true
			}
		}
	}
	return false
}

// toldBefore are the measures told before figure i, and proved: the last few.
func (s *sentence) toldBefore(i int) []*figure {
	const most = 4
	var out []*figure
	keep := func(of *sentence, to int) {
		for k := range to {
			if g := &of.figures[k]; of.proved[k] && !g.ordinal && !g.ratio && !g.isBound() && len(g.amounts) == 1 {
				out = append(out, g)
			}
		}
	}
	if s.before != nil && i < 2 {
		keep(s.before, len(s.before.figures))
	}
	keep(s, i)
	return out[max(0, len(out)-most):]
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

package ground

import "math/big"

// stepAt is the number word of "from one month to the next", -1 where the sentence does
// not speak of the steps of a series.
func (s *sentence) stepAt() int {
	for i := 1; i+4 < len(s.tokens); i++ {
		if s.foldAt(i-1) == "from" && s.foldAt(i) == "one" && spanUnits[s.foldAt(i+1)] != "" && s.foldAt(i+2) == "to" && s.foldAt(i+3) == "the" && s.foldAt(i+4) == "next" {
			return i
		}
	}
	return -1
}

// countsSteps reports whether a figure says how often a series rose or fell from one
// moment to the next: "three times".
func (s *sentence) countsSteps(f *figure) bool {
	return !f.ordinal && !f.percent && s.foldAt(f.to) == "times" && s.stepAt() >= 0 && !s.hasAny(f.to+1, f.to+2, "as", "more", "the")
}

// holdsSteps reports whether a measure rose, or fell, as often as a figure says.
func (s *sentence) holdsSteps(f *figure) bool {
	n, ok := f.count()
	up, _ := s.trend(0, f.at)
	return ok && up != 0 && s.each(f, func(t *table, _ int, c *column) bool {
		if !t.whole || c.key {
			return false
		}
		order, times := t.inTime(), int64(0)
		for i := range order {
			times += int64(boolInt(c.moves(order, i, up)))
		}
		return times == n
	})
}

// isLargestStep reports whether a figure is the largest rise or fall between two moments
// that follow each other: "the largest drop was 40".
func (s *sentence) isLargestStep(f *figure) bool {
	if f.percent || f.ordinal || f.ratio || len(s.referents) > 0 || !s.checker.hasMoments() || !s.hasAny(f.at-4, f.at, "largest", "biggest", "greatest") {
		return false
	}
	up, _ := s.trend(max(0, f.at-4), f.at)
	return up != 0 && s.each(f, func(t *table, _ int, c *column) bool {
		if !t.whole || c.key || c.change || t.dimensions() != 1 {
			return false
		}
		most, order := new(big.Rat), t.inTime()
		for i := 1; i < len(order); i++ {
			if a, b := c.cells[order[i-1]].number, c.cells[order[i]].number; a != nil && b != nil {
				if d := new(big.Rat).Mul(new(big.Rat).Sub(b, a), rat(int64(up))); d.Cmp(most) > 0 {
					most = d
				}
			}
		}
		return most.Sign() > 0 && f.derived(most)
	})
}

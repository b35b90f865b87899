package ground

import "slices"

// firstBeyond is 1 where a figure is the bound by which the sentence names the first moment of a
// series, "the first year with more than 1,000 orders", -1 for the last, 0 elsewhere.
func (s *sentence) firstBeyond(f *figure) int {
	if f.percent || f.ordinal || f.ratio || !s.checker.hasMoments() || s.beyond(f) == exact {
		return 0
	}
	for i := max(0, f.at-8); i < f.at; i++ {
		if s.spanOf(s.foldAt(i+1)) == "" || slices.ContainsFunc(s.figures, func(g figure) bool { return g.at > i+1 && g.at < f.at }) {
			continue
		}
		switch s.foldAt(i) {
		case "first":
			return 1
		case "last":
			return -1
		}
	}
	return 0
}

// spanOf is the time that a noun names, "" for none.
func (s *sentence) spanOf(w string) string {
	if w == "year" || w == "month" || w == "quarter" || w == "week" || w == "day" {
		return w
	}
	return ""
}

// beyond is the side of a figure on which the words right before it say that something is.
func (s *sentence) beyond(f *figure) hedge {
	switch {
	case f.hedge == over || f.hedge == atLeast || f.hedge == under || f.hedge == atMost:
		return f.hedge
	case s.hasAny(f.at-3, f.at, "pass", "exceed", "top", "cross", "surpass", "break", "above", "over", "beyond"):
		return over
	case s.hasAny(f.at-3, f.at, "reach", "hit"):
		return atLeast
	case s.hasAny(f.at-3, f.at, "below", "under"):
		return under
	}
	return exact
}

// isFirstBeyond reports whether the one moment that the sentence names is the first that is
// beyond a figure, or the last.
func (s *sentence) isFirstBeyond(f *figure, end int) bool {
	g := *f
	g.hedge = s.beyond(f)
	return s.each(f, func(t *table, index int, c *column) bool {
		if !t.whole || !c.measure() || c.change {
			return false
		}
		order := t.inTime()
		if end < 0 {
			slices.Reverse(order)
		}
		at := slices.IndexFunc(order, func(row int) bool {
			n := c.cells[row].exactly()
			return n != nil && g.bounds(n)
		})
		return at >= 0 && slices.ContainsFunc(s.referents, func(r referent) bool {
			return r.isDate() && slices.Equal(r.single()[index], []int{order[at]})
		})
	})
}

package ground

import (
	"slices"
)

// checkSeries checks a trend of a whole series, or of that part of it which the words name:
// from its first moment to its last, and at each step where it is said of each.
func (s *sentence) checkSeries(up, where int) {
	f := &figure{at: where, to: where + 1}
	steadily := s.eachTime()
	known := false
	ok := s.each(f, func(t *table, index int, c *column) bool {
		order := s.timeOf(t, index)
		if !t.isInTime() || !t.whole || len(order) < 2 || c.key || c.average && !s.anyCue(0, len(s.tokens), meanWords, meanKorean...) {
			return false
		}
		known = true
		if c.change {
			rows := order[boolInt(len(order) < t.rows):]
			return c.among(rows).signed(up) == int64(len(rows)) || !steadily && c.sum(rows).Sign() == up
		}
		return c.trends(order, up, steadily)
	})
	if known && !ok {
		s.violate(where, where+1, "the rows say the contrary")
	}
}

// eachTime reports whether a sentence says something of each step of a series.
func (s *sentence) eachTime() bool {
	return s.hasAny(0, len(s.tokens), "each", "every", "steadily", "consistently", "continuously", "throughout", "continually", "constantly") || s.anyCue(0, len(s.tokens), nil, "매년", "매월", "해마다", "꾸준", "매달", "매분기", "매주", "매일", "계속", "줄곧", "내내")
}

// isInTime reports whether a table has a column of moments.
func (t *table) isInTime() bool {
	return slices.ContainsFunc(t.columns, func(c column) bool { return c.temporal })
}

// among is a column with no cells but those of some rows.
func (c *column) among(rows []int) *column {
	out := *c
	out.cells = nil
	for _, row := range rows {
		out.cells = append(out.cells, c.cells[row])
	}
	return &out
}

// beginsTime reports whether a date is the first moment of the time of which is spoken: "since
// 2019", "after May", "2019년 이후".
func (s *sentence) beginsTime(r *referent) bool {
	if r.to > len(s.tokens) || !r.isDate() {
		return false
	}
	return s.hasAny(r.at-1, r.at, "since", "after") || s.endsWith(r, "이후", "부터") || hasPrefix(s.foldAt(r.to), "이후", "이래") ||
		s.hasAny(r.at-1, r.at, "from") && s.hasAny(r.to, r.to+1, "on", "onward", "onwards")
}

// timeOf are the rows of a series of which a sentence speaks, in the order of time: those from
// a moment on, those that the sentence before told one by one, or all.
func (s *sentence) timeOf(t *table, index int) []int {
	order := t.inTime()
	for i := range s.referents {
		if r := &s.referents[i]; s.beginsTime(r) {
			if at := slices.IndexFunc(order, func(row int) bool { return slices.Contains(r.rows[index], row) }); at >= 0 {
				return order[at:]
			}
		}
	}
	if len(s.refs) > 0 || s.last == nil || len(s.last.referents) < 3 || s.last.checker != s.checker {
		return order
	}
	var told []int
	for _, r := range s.last.referents {
		if !r.isDate() || len(r.rows[index]) != 1 {
			return order
		}
		told = union(told, r.rows[index])
	}
	if len(told) < 3 {
		return order
	}
	return slices.DeleteFunc(order, func(row int) bool { return !slices.Contains(told, row) })
}

// momentsIn are the rows of the moments that a sentence names, in the order of time.
func (s *sentence) momentsIn(t *table, index int) []int {
	var rows []int
	for i := range s.referents {
		if r := &s.referents[i]; r.isDate() && len(r.rows[index]) == 1 {
			rows = union(rows, r.rows[index])
		}
	}
	return slices.DeleteFunc(t.inTime(), func(row int) bool { return !slices.Contains(rows, row) })
}

// numbersMoves tells "two declines", whose number is checked, from "declined".
func (s *sentence) numbersMoves(at int) bool {
	w := s.foldAt(at)
	if up, _ := s.trend(at, at+1); s.hasAny(at-1, at, "one", "single") && moveNouns[w] && slices.ContainsFunc(s.checker.tables, func(t *table) bool { return t.movedIn(up) == 1 }) {
		return true
	}
	return (moveNouns[w] || moveNouns[stem(w)]) && slices.ContainsFunc(s.figures, func(f figure) bool {
		_, ok := f.count()
		return ok && f.to == at
	})
}

// paceOf is how growth itself changes: down for "growth slowed".
func (s *sentence) paceOf(from, to int) (up, at int) {
	for i := from; i+1 < to; i++ {
		w := s.foldAt(i)
		korean := hasPrefix(w, "성장률", "성장세", "증가율", "증가세", "상승률") && koreanStem(w) != "" && hasSuffix(w, "은", "는", "이", "가", "률", "율", "세")
		if w != "growth" && !korean {
			continue
		}
		for k := i + 1; k < to && (korean || k < i+4); k++ {
			switch w := s.foldAt(k); {
			case s.taken[k] && !korean:
			case w == "slowed", w == "slows", w == "slowing", w == "eased", w == "cooled", w == "weakened", hasPrefix(w, "둔화"), korean && hasPrefix(w, "낮아", "떨어"):
				return -1, k
			case w == "accelerated", w == "accelerates", w == "quickened", hasPrefix(w, "가속"), korean && hasPrefix(w, "높아", "빨라"):
				return 1, k
			}
		}
	}
	return 0, 0
}

// checkPace checks that the growth of a series from step to step became less, or more.
func (s *sentence) checkPace(up, where int) {
	f := &figure{at: where, to: where + 1}
	known := false
	ok := s.each(f, func(t *table, index int, c *column) bool {
		order := s.timeOf(t, index)
		if !t.isInTime() || !t.whole || len(order) < 3 || c.key || c.average || t.dimensions() != 1 {
			return false
		}
		known = true
		steps := []*column{c}
		if !c.change {
			steps = []*column{t.steps(c, growth)}
			if !s.saysRate() {
				steps = append(steps, t.steps(c, minus))
			}
		}
		if named := s.momentsIn(t, index); len(named) > 1 {
			order = named
		} else {
			order = order[len(order)-2:]
		}
		return slices.ContainsFunc(steps, func(c *column) bool { return c.trends(order, up, false) })
	})
	if known && !ok {
		s.violate(where, where+1, "the rows say the contrary")
	}
}

// saysRate reports whether a sentence speaks of growth in percent.
func (s *sentence) saysRate() bool {
	return s.hasAny(0, len(s.tokens), "rate", "percentage", "percent", "relative") || s.anyCue(0, len(s.tokens), nil, "증가율", "성장률", "상승률") ||
		slices.ContainsFunc(s.figures, func(f figure) bool { return f.percent })
}

// checkTurns checks a sentence that says nothing but how a series went from step to step:
// "down, up, down".
func (s *sentence) checkTurns() bool {
	var ways []int
	for i, t := range s.tokens {
		up := boolInt(s.anyCue(i, i+1, riseWords, riseKorean...)) - boolInt(s.anyCue(i, i+1, fallWords, fallKorean...))
		switch {
		case up != 0:
			ways = append(ways, up)
		case t.kind == mark, t.fold == "and", t.fold == "again":
		default:
			return false
		}
	}
	if len(ways) < 2 {
		return false
	}
	f := &figure{to: 1}
	if !s.each(f, func(t *table, _ int, c *column) bool {
		order := t.inTime()
		if skipped := len(order) - len(ways); t.whole && !c.key && t.isInTime() && (skipped == 0 || skipped == 1) {
			for i, up := range ways {
				if !c.moves(order, i+skipped, up) {
					return false
				}
			}
			return true
		}
		return false
	}) {
		s.violate(0, 1, "the rows say the contrary")
	}
	return true
}

// checkExcepted checks what all but some names are said to have done: "all but A grew". It is
// false for other sentences.
func (s *sentence) checkExcepted() bool {
	up, where := s.trend(0, len(s.tokens))
	if up == 0 || len(s.referents) == 0 || !s.isOfAllBut() {
		return false
	}
	known, ok := false, false
	for index, t := range s.checker.tables {
		m := move{up: up, absolute: true}
		for _, c := range s.movements(t, m, func(int) bool { return true }) {
			named := func(row int) bool {
				return slices.ContainsFunc(s.referents, func(r referent) bool { return slices.Contains(r.rows[index], row) })
			}
			known = true
			ok = ok || !slices.ContainsFunc(t.all(), func(row int) bool {
				n := c.cells[row].number
				return n != nil && (n.Sign() == up) == named(row)
			})
		}
	}
	if known && !ok {
		s.violate(where, where+1, "the rows say the contrary")
	}
	return known
}

// isOfAllBut reports whether a sentence speaks of all but those that it names.
func (s *sentence) isOfAllBut() bool {
	for i, t := range s.tokens {
		if (t.fold == "all" || t.fold == "every" || t.fold == "everyone" || t.fold == "each") && (s.hasAny(i+1, i+4, "but") || s.hasAny(0, len(s.tokens), "except", "apart", "excluding", "besides")) {
			return true
		}
	}
	return s.anyCue(0, len(s.tokens), nil, "제외", "빼고") && s.anyCue(0, len(s.tokens), nil, "모든", "모두", "전부")
}

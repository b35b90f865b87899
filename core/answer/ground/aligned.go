package ground

import (
	"slices"
	"strings"
)

// isAligned checks figures that stand in one run, "435 and 319", "각각 75.95와 158.01": each
// is the cell of the name at the same place of the names before the run, which are as many;
// of the names behind it, or of those of the sentence before. Where there are no such names,
// the figures are no run.
func (s *sentence) isAligned(i int) (aligned, run bool) {
	from, to := i, i+1
	for from > 0 && s.runsOn(from-1) {
		from--
	}
	for to < len(s.figures) && s.runsOn(to-1) {
		to++
	}
	n := to - from
	names := s.namesFor(s.figures[from].at, s.figures[to-1].to, n)
	if n < 2 || len(names) != n {
		return false, false
	}
	for k := from; k < to; k++ {
		f, r := &s.figures[k], names[k-from]
		if f.ordinal && !s.isRanked(f, r) || !f.ordinal && (!s.maySayCell(f) || !s.hasAs(r, f)) {
			return false, true
		}
	}
	return true, true
}

// isOpposite checks "A is ahead, 4,917 to 4,083" of a result of two rows: behind the cell of
// one of them stands that of the other.
func (s *sentence) isOpposite(i int) bool {
	if i == 0 || s.figures[i].percent || s.figures[i].at-s.figures[i-1].to > 2 || !s.hasAny(s.figures[i-1].to, s.figures[i].at, "to", "against", "versus", "vs", "compared", "대") {
		return false
	}
	r, _ := s.referentOf(&s.figures[i-1])
	if r == nil {
		return false
	}
	return s.each(&s.figures[i], func(t *table, index int, c *column) bool {
		if !t.whole || t.rows != 2 || len(r.rows[index]) != 1 || !c.measure() {
			return false
		}
		row := r.rows[index][0]
		return c.cells[row].equal(&s.figures[i-1], nil) && c.cells[1-row].equal(&s.figures[i], nil)
	})
}

// isPaired checks the two figures that open brackets behind two names, "A made twice as much
// as B (89 vs. 59)": the cells of the names in their order, or of two moments in that of time
// where the first goes "to" the second, "up 18 on 2023 (37 to 55)".
func (s *sentence) isPaired(i int) bool {
	if i+1 >= len(s.figures) || s.foldAt(s.figures[i].at-1) != "(" {
		i--
	}
	if i < 0 || i+1 >= len(s.figures) || s.foldAt(s.figures[i].at-1) != "(" {
		return false
	}
	x, y := &s.figures[i], &s.figures[i+1]
	names := s.namesFor(x.at, y.to, 2)
	if y.at-x.to > 2 || !s.hasAny(x.to, y.at, "to", "→", "against", "versus", "vs") || len(names) < 2 || names[len(names)-1].at > x.at || !s.maySayCell(x) || !s.maySayCell(y) {
		return false
	}
	a, b := names[len(names)-2], names[len(names)-1]
	moves := s.hasAny(x.to, y.at, "to", "→")
	return s.each(x, func(t *table, index int, c *column) bool {
		if !c.measure() || len(a.rows[index]) != 1 || len(b.rows[index]) != 1 {
			return false
		}
		from, to := a.rows[index][0], b.rows[index][0]
		if order := t.inTime(); moves && a.isDate() && slices.Index(order, from) > slices.Index(order, to) {
			from, to = to, from
		}
		return c.cells[from].equal(x, nil) && c.cells[to].equal(y, nil)
	})
}

// runsOn reports whether nothing but a conjunction and units stands between a figure and the
// next one.
func (s *sentence) runsOn(i int) bool {
	a, b := &s.figures[i], &s.figures[i+1]
	if b.at-a.to > 3 || a.percent != b.percent {
		return false
	}
	joined := hasSuffix(s.tokens[a.to-1].text, "와", "과")
	for k := a.to; k < b.at; k++ {
		switch w := s.foldAt(k); {
		case w == "and", w == ",", w == "및", w == "/", w == "·", s.tokens[k].hangul && !s.tokens[k].gap && strings.HasSuffix(w, "와"), s.tokens[k].hangul && !s.tokens[k].gap && strings.HasSuffix(w, "과"):
			joined = true
		case s.isNameToken(k):
			return false
		}
	}
	return joined
}

// namesFor are the n names to which a run of n figures belongs: those of the sentence, all
// before the run or all behind it, else those of the sentence before.
func (s *sentence) namesFor(at, to, n int) []*referent {
	var before, behind []*referent
	for i := range s.referents {
		switch r := &s.referents[i]; {
		case r.to <= at:
			before = append(before, r)
		case r.at >= to:
			behind = append(behind, r)
		}
	}
	switch {
	case len(before) > n && len(s.groupOf(before[len(before)-1])) == n:
		return before[len(before)-n:]
	case len(before) > 0:
		return before
	case len(behind) > 0:
		return behind
	}
	names := s.namesBefore()
	if len(names) > n { // without those of several rows: where they are, or are not
		names = slices.DeleteFunc(names, func(r *referent) bool {
			return slices.ContainsFunc(r.rows, func(rows []int) bool { return len(rows) > 1 })
		})
	}
	return names
}

// checkRuns refuses a run of figures behind a colon, "A has twice as many as B: 4 and 2", of
// which one is not that of the name at its place before the colon.
func (s *sentence) checkRuns() {
	for i := 0; i+1 < len(s.figures); i++ {
		x, y := &s.figures[i], &s.figures[i+1]
		if s.foldAt(x.at-1) != ":" {
			continue
		}
		names := s.namesOf(0, x.at)
		if len(names) != 2 || s.clause[names[0].at] != s.clause[names[1].at] || !names[0].isOneRow() || !names[1].isOneRow() || i+2 < len(s.figures) && s.runsOn(i+1) {
			continue
		}
		if !s.runsOn(i) && !s.hasAny(x.to, min(y.at, x.to+2), "against", "versus", "vs", "to", "compared", "대") || !s.maySayCell(x) || !s.maySayCell(y) || s.namesIn(y) {
			continue
		}
		if both := s.columnsWith(x, names[0]); len(intersect(both, s.columnsWith(y, names[1]))) == 0 && len(s.columnsWith(x, names[1])) > 0 {
			s.violate(x.at, y.to, "the names before have other figures, in this order")
		}
	}
}

package ground

import (
	"slices"
	"strings"
)

// isStreak reports whether a figure says how many times in a row something changed: "for
// two years in a row", "2년 연속".
func (s *sentence) isStreak(f *figure) bool {
	if f.percent || f.ordinal || f.ratio || len(f.amounts) == 0 {
		return false
	}
	unit := s.spanUnit(f)
	for i := f.to - 1; i < min(f.to+4, len(s.tokens)); i++ {
		t := s.tokens[i]
		if s.taken[i] && i >= f.to {
			return false
		}
		if t.hangul && (hasPrefix(t.text, "연속", "연달아", "내리", "잇달아", "잇따라") || strings.HasSuffix(t.text, "째") && !strings.Contains(t.text, "번째") && !strings.HasSuffix(t.text, "첫째")) {
			return unit != "" && unit != "day"
		}
		switch t.fold {
		case "consecutive", "straight", "successive", "running":
			return unit != "" || spanUnits[s.foldAt(i+1)] != "" || spanUnits[s.foldAt(i-1)] != ""
		case "row":
			return unit != "" && s.foldAt(i-1) == "a"
		}
	}
	return false
}

// holdsStreak reports whether a measure rises, or falls, as often in a row as a figure
// says: up to the last moment that the sentence names, or to the last of all.
func (s *sentence) holdsStreak(f *figure) bool {
	n, ok := f.count()
	from, to := s.clauseSpan(f.at)
	up, _ := s.trend(from, to)
	if up == 0 {
		up, _ = s.trend(0, len(s.tokens))
	}
	if !ok || n < 1 || up == 0 {
		return false
	}
	return s.each(f, func(t *table, index int, c *column) bool {
		if !t.whole || c.key {
			return false
		}
		order := t.inTime()
		first, last := s.momentsNamed(t, index, order)
		run, longest := int64(0), int64(0)
		for i, row := range order {
			run = (run + 1) * int64(boolInt(c.moves(order, i, up)))
			longest = max(longest, run)
			if row == last && last >= 0 {
				start := slices.Index(order, first)
				return run >= n && (first == last || int64(i-start) == n || int64(i-start) == n-1)
			}
		}
		return longest == n || run >= n
	})
}

// momentsNamed are the first and the last row of the series that the sentence names, -1
// for none.
func (s *sentence) momentsNamed(t *table, index int, order []int) (first, last int) {
	var rows []int
	for i := range s.referents {
		if s.referents[i].isDate() {
			rows = union(rows, s.referents[i].rows[index])
		}
	}
	first, last = -1, -1
	for _, row := range order {
		if slices.Contains(rows, row) {
			if first < 0 {
				first = row
			}
			last = row
		}
	}
	return first, last
}

// moves reports whether a number rises from the row before to the i-th in an order, or
// falls for up < 0; in a column of changes, whether the change is one.
func (c *column) moves(order []int, i, up int) bool {
	n := c.cells[order[i]].number
	switch {
	case n == nil:
		return false
	case c.change:
		return n.Sign() == up
	case i == 0 || c.cells[order[i-1]].number == nil:
		return false
	}
	return n.Cmp(c.cells[order[i-1]].number) == up
}

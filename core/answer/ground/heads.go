package ground

import (
	"slices"
	"strings"
)

// headsIn are the cells of a table's head, from the last one on.
func headsIn(head string) []string {
	cells := strings.Split(strings.Trim(head, "| "), "|")
	slices.Reverse(cells)
	return cells
}

// headed are the measures that the head of its table names for a figure; nil where it
// stands in no table, or its head names none.
func (s *sentence) headed(f *figure) map[int]bool {
	at := strings.Count(s.text[s.tokens[f.to-1].end:], "|")
	if at >= len(s.line.heads) {
		return nil
	}
	var named map[int]bool
	for _, t := range scan(s.line.heads[at]) {
		of := s.namedBy(koreanStem(t.fold), nil)
		if a := aggregates[koreanStem(t.fold)]; a != "" {
			of = s.checker.aggregated(a)
		}
		if t.kind != word || len(of) == 0 {
			continue
		}
		if both := common(named, of); len(both) > 0 || named == nil {
			named = of
			if len(both) > 0 {
				named = both
			}
		}
	}
	return named
}

// aggregated are the measures that are an aggregate.
func (c *Checker) aggregated(name string) map[int]bool {
	out := map[int]bool{}
	for index, t := range c.tables {
		for col := range t.columns {
			if t.columns[col].measure() && t.columns[col].aggregateOf() == name {
				out[index*columnStride+col] = true
			}
		}
	}
	return out
}

// common are the columns of both sets.
func common(a, b map[int]bool) map[int]bool {
	out := map[int]bool{}
	for id := range a {
		if b[id] {
			out[id] = true
		}
	}
	return out
}

// checkHeads refuses a cell of a table that is the row's in another column than its head
// names: of two cells that changed places.
func (s *sentence) checkHeads() {
	for i := range s.figures {
		f := &s.figures[i]
		named := s.headed(f)
		if named == nil || len(f.amounts) == 0 {
			continue
		}
		for index, t := range s.checker.tables {
			row := s.rowOfLine(index)
			if row >= 0 && t.swaps(f, row, func(col int) bool { return named[index*columnStride+col] }) {
				s.violate(f.at, f.to, "the head of the table names another column")
				break
			}
		}
	}
}

// rowOfLine is the one row that a line of a table names, or the one that there is; -1 for
// none or several.
func (s *sentence) rowOfLine(index int) int {
	if t := s.checker.tables[index]; len(s.referents) == 0 && t.rows == 1 && t.count == 1 {
		return 0
	}
	if len(s.referents) != 1 || len(s.referents[0].rows[index]) != 1 {
		return -1
	}
	return s.referents[0].rows[index][0]
}

// swaps reports whether a figure is a row's cell in other measures alone than those that
// are named.
func (t *table) swaps(f *figure, row int, named func(col int) bool) bool {
	other, any := false, false
	for col := range t.columns {
		c := &t.columns[col]
		if !c.measure() {
			continue
		}
		any = any || named(col)
		if c.cells[row].equal(f, nil) {
			if named(col) {
				return false
			}
			other = true
		}
	}
	return any && other
}

// checkDateHeads refuses a date in a cell of a table whose row has it in another column of
// moments than the head names: "started" and "stopped" that changed places.
func (s *sentence) checkDateHeads() {
	if len(s.line.heads) == 0 || s.line.head {
		return
	}
	for _, d := range s.dates {
		at := strings.Count(s.text[s.tokens[d.to-1].end:], "|")
		if at >= len(s.line.heads) {
			continue
		}
		for index, t := range s.checker.tables {
			row, col := s.rowNamed(index), t.momentCalled(s.line.heads[at])
			if row < 0 || col < 0 {
				continue
			}
			if !slices.Contains(t.columns[col].inPeriod(d.readings, s.checker.years), row) {
				s.violate(d.at, d.to, "the head of the table names another column")
			}
		}
	}
}

// rowNamed is the one row of the names on a line that are no dates, or the one that there
// is; -1 for none or several.
func (s *sentence) rowNamed(index int) int {
	var rows []int
	for _, r := range s.refs {
		if r.date || len(r.rows[index]) == 0 {
			continue
		}
		if rows == nil {
			rows = r.rows[index]
		} else {
			rows = intersect(rows, r.rows[index])
		}
	}
	if t := s.checker.tables[index]; rows == nil && t.rows == 1 && t.count == 1 {
		return 0
	}
	if len(rows) != 1 {
		return -1
	}
	return rows[0]
}

// momentCalled is the one column of moments, among several, that the words of a head name
// better than the others; -1 for none.
func (t *table) momentCalled(head string) int {
	best, most, tied, moments := -1, 0, false, 0
	words := scan(clean(head))
	for col := range t.columns {
		c := &t.columns[col]
		if !c.temporal {
			continue
		}
		moments++
		n := 0
		for _, w := range words {
			of := koreanStem(w.fold)
			if rest := strings.TrimSuffix(of, "일"); isHangul(of) && rest != "" {
				of = rest
			}
			if a := aggregates[of]; w.kind == word && (a != "" && a == c.aggregateOf() || !stopWords[of] && c.saysColumn(of)) {
				n++
			}
		}
		switch {
		case n > most:
			best, most, tied = col, n, false
		case n == most && n > 0:
			tied = true
		}
	}
	if tied || moments < 2 {
		return -1
	}
	return best
}

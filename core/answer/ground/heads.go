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

package ground

import "slices"

// endUnits are the columns of moments whose first or last row a text may name so.
var endUnits = set("year month quarter week day date")

// findEnds finds the rows that are named by their place in time: "Latest quarter: 40",
// where a column of quarters orders all rows. A moment beside these words would be said to
// be that one, which is another claim; "the first quarter of 2024" is a moment itself.
func (s *sentence) findEnds() {
	if len(s.dates) > 0 {
		return
	}
	for i := 1; i < len(s.tokens); i++ {
		unit := s.foldAt(i)
		direction := endsAt(s.foldAt(i - 1))
		if s.taken[i] || s.taken[i-1] || direction == 0 || !endUnits[unit] || s.foldAt(i-1) == "first" && unit == "quarter" || s.hasAny(i+1, i+2, "of", "with", "to") {
			continue
		}
		r := ref{at: i - 1, to: i + 1, rows: make([][]int, len(s.checker.tables)), date: true}
		for index, t := range s.checker.tables {
			if col := t.orderedBy(unit); col >= 0 {
				r.rows[index] = t.timeRows(1, direction)
				r.columns = append(r.columns, index*columnStride+col)
			}
		}
		if len(r.columns) > 0 {
			s.taken[i-1], s.taken[i] = true, true
			s.refs = append(s.refs, r)
		}
	}
	slices.SortStableFunc(s.refs, func(a, b ref) int { return a.at - b.at })
}

// endsAt is the end of a series that a word names: 1 for the first.
func endsAt(w string) int {
	switch w {
	case "latest", "newest", "final", "last":
		return -1
	case "earliest", "first", "oldest":
		return 1
	}
	return 0
}

// orderedBy is the column of moments named by a unit of time, each of which stands in one
// row of a table that was seen whole; -1 where there is none.
func (t *table) orderedBy(unit string) int {
	if !t.whole || t.dimensions() > 1 {
		return -1
	}
	return slices.IndexFunc(t.columns, func(c column) bool {
		return c.temporal && c.name == unit && !slices.ContainsFunc(c.cells, func(v cell) bool { return v.period == nil })
	})
}

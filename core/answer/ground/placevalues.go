package ground

import "slices"

// isPlaceWithValue checks a place and what the row in it has, told in brackets without its
// name: "1위(3,927.45)와 2위(3,655.78)", "the first (120)".
func (s *sentence) isPlaceWithValue(i int) bool {
	if !s.figures[i].ordinal {
		i--
	}
	if i < 0 || i+1 >= len(s.figures) || !s.figures[i].ordinal {
		return false
	}
	g, f := &s.figures[i], &s.figures[i+1]
	place, ok := g.count()
	open := f.at - 1
	if s.foldAt(open) != "(" || open-g.to > 1 || open > g.to && !hasPrefix(s.foldAt(g.to), "위", "번째", "place") || !ok || f.ordinal || f.ratio || len(f.amounts) == 0 || s.isNameToken(g.at-1) {
		return false
	}
	owner := s.statedOf(g, f)
	return s.each(f, func(t *table, index int, c *column) bool {
		if !c.measure() || !s.checker.knowsPlaces(t, c, 1) {
			return false
		}
		row := c.placed(int(place), 1)
		return row >= 0 && f.says(c, c.cells[row]) && (owner == nil || slices.Contains(owner.rows[index], row))
	})
}

// statedOf is the name before a place that the sentence states of it: "A는 2위(3,655.78)입니다",
// "A is second (120)"; nil where the place stands for its row.
func (s *sentence) statedOf(place, value *figure) *referent {
	first, _ := s.clauseSpan(place.at)
	behind := value.to + 1 // the bracket's end
	states := behind >= len(s.tokens) || s.tokens[behind].kind == mark || hasPrefix(s.foldAt(behind), "입니다", "이다", "예요", "이에요", "이며", "이고", "다", "를", "로")
	if !states {
		return nil
	}
	for i := len(s.referents) - 1; i >= 0; i-- {
		if r := &s.referents[i]; r.at >= first && r.to <= place.at {
			return r
		}
	}
	return nil
}

// ranksByBrackets reports whether a row has a place in the column of what stands in the
// brackets behind its name: "2위 A(128,165)".
func (s *sentence) ranksByBrackets(f *figure, r *referent, place int) bool {
	at := r.to
	for at < r.to+2 && s.is(at, word) && !s.isNameToken(at) {
		at++
	}
	i := slices.IndexFunc(s.figures, func(g figure) bool { return g.at == at+1 })
	if r.at < f.to || r.at-f.to > 2 || s.foldAt(at) != "(" || i < 0 || len(s.figures[i].amounts) == 0 {
		return false
	}
	for index, t := range s.checker.tables {
		for col := range t.columns {
			c := &t.columns[col]
			if rows := r.rows[index]; len(rows) == 1 && c.measure() && s.figures[i].says(c, c.cells[rows[0]]) && s.checker.knowsPlaces(t, c, 1) && c.ranks(rows[0], place, 1) {
				return true
			}
		}
	}
	return false
}

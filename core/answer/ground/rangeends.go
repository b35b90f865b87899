package ground

import "slices"

// checkRangeEnds refuses a range of values from one name to another, of which these are not the
// least and the most: "values run from 16.30 for A to 225.53 for B", "ranges from 43 (A) to 67
// (B)".
func (s *sentence) checkRangeEnds() {
	at := slices.IndexFunc(s.tokens, func(t token) bool { return t.kind == word && rangeVerbs[t.fold] })
	if at < 0 || s.taken[at] || s.checker.partial() {
		return
	}
	first, last := s.clauseSpan(at)
	figures := s.figuresIn(max(first, at), last)
	names := s.namesOf(at, last)
	if len(figures) != 2 || len(names) != 2 || len(s.namesOf(first, at)) > 0 || names[0].isDate() || figures[0].at > names[0].at || figures[1].at < names[0].to || figures[1].at > names[1].at ||
		!s.hasAny(at, figures[0].at, "from", "between") || s.anyCue(first, last, otherWords) {
		return
	}
	if slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		index := slices.Index(s.checker.tables, t)
		return t.goesFromTo(figures[0], figures[1]) && t.endsAt(names[0].rows[index], "min", -1) && t.endsAt(names[1].rows[index], "max", 1)
	}) {
		return
	}
	if !s.each(figures[0], func(t *table, index int, c *column) bool {
		low, high := c.extreme(t.all(), -1), c.extreme(t.all(), 1)
		ends := func(row int, r *referent, f *figure) bool {
			return slices.ContainsFunc(r.rows[index], func(of int) bool { return c.cells[of].number.Cmp(c.cells[row].number) == 0 }) && s.saysCell(f, c, c.cells[row], equalsCell)
		}
		return c.measure() && t.whole && low >= 0 && !slices.ContainsFunc(c.cells, func(v cell) bool { return v.number == nil }) &&
			(ends(low, names[0], figures[0]) && ends(high, names[1], figures[1]) || ends(high, names[0], figures[0]) && ends(low, names[1], figures[1]))
	}) {
		s.violate(at, at+1, "these are not the least and the most")
	}
}

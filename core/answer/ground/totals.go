package ground

// isLeftOut reports whether the words before a name leave it out: "not on A", "other than A".
func (s *sentence) isLeftOut(at int) bool {
	for i := at - 1; i >= max(0, at-3); i-- {
		switch w := s.foldAt(i); w {
		case "not", "besides", "except", "excluding":
			return true
		case "than", "from":
			return s.hasAny(i-1, i, "other", "apart", "aside")
		case "on", "in", "at", "by", "for", "the", "a":
		default:
			return false
		}
	}
	return false
}

// isMoreTogether reports whether several names have more than another together, or less for a
// direction below zero, in a column that the sentence names; known is false where none tells.
func (s *sentence) isMoreTogether(f *figure, group []*referent, b *referent, direction int) (ok, known bool) {
	for index, t := range s.checker.tables {
		k := &reckoning{s: s, f: f, t: t, index: index}
		ok = ok || k.each(func(c *column) bool {
			x, y := c.sum(joinedRows(group, index)), c.sum(b.rows[index])
			known = known || x != nil && y != nil
			return c.adds() && x != nil && y != nil && x.Cmp(y) == direction
		})
	}
	return ok, known
}

// joinedRows are the rows of several names.
func joinedRows(names []*referent, index int) []int {
	var rows []int
	for _, r := range names {
		rows = union(rows, r.rows[index])
	}
	return rows
}

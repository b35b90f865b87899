package ground

import (
	"math/big"
	"slices"
)

// isAcross checks what two columns of one row give: a ratio, a share, a difference or
// "182 per return". Both must be named in the sentence, by their words or by their cells.
func (s *sentence) isAcross(f *figure, r *referent) bool {
	for index, t := range s.checker.tables {
		row := s.rowOf(t, index, r)
		if row < 0 {
			continue
		}
		named := s.columnsNamed(f, t, index, row)
		for _, x := range named {
			for _, y := range named {
				if !s.mayMeasure(f, t, index, &t.columns[x], &t.columns[y]) {
					continue
				}
				a, b := t.columns[x].cells[row].exactly(), t.columns[y].cells[row].exactly()
				if x != y && a != nil && b != nil && s.mayRelate(f, &t.columns[x], &t.columns[y]) && s.relatesTo(f, a, b) {
					return true
				}
			}
		}
	}
	return false
}

// rowOf is the row of which a figure speaks, -1 for none or several.
func (s *sentence) rowOf(t *table, index int, r *referent) int {
	switch {
	case r != nil && len(r.rows[index]) == 1:
		return r.rows[index][0]
	case r == nil && t.rows == 1 && t.count == 1 && len(s.referents) == 0:
		return 0
	}
	return -1
}

// columnsNamed are the measures that the sentence names by words, or by a figure that is
// their cell.
func (s *sentence) columnsNamed(f *figure, t *table, index, row int) []int {
	var out []int
	for col := range t.columns {
		c := &t.columns[col]
		if !c.measure() {
			continue
		}
		id := index*columnStride + col
		byWord := slices.ContainsFunc(s.words(), func(w string) bool { return s.namedBy(w, nil)[id] })
		byCell := slices.ContainsFunc(s.figures, func(g figure) bool { return g.at != f.at && len(g.amounts) > 0 && c.cells[row].equal(&g, nil) })
		if byWord || byCell || s.anyCue(0, len(s.tokens), eitherWords) || len(s.dates) == 0 && c.year != 0 || slices.ContainsFunc(s.tokens, func(t token) bool { return c.aggregateOf() != "" && aggregates[koreanStem(t.fold)] == c.aggregateOf() }) || slices.ContainsFunc(s.dates, func(d dateRef) bool { return c.inName(d, s.checker.years) }) {
			out = append(out, col)
		}
	}
	return out
}

// words are the words of the sentence, and of the one before, that are no names.
func (s *sentence) words() []string {
	var out []string
	for i, t := range s.tokens {
		if t.kind == word && !s.isNameToken(i) {
			out = append(out, koreanStem(t.fold))
		}
	}
	return out
}

// relatesTo reports whether a figure is what a and b give in the way that the clause says.
func (s *sentence) relatesTo(f *figure, a, b *big.Rat) bool {
	from, to := s.clauseSpan(f.at)
	quotient := func(of *big.Rat) *big.Rat {
		if b.Sign() == 0 {
			return nil
		}
		return new(big.Rat).Quo(of, b)
	}
	if gap := new(big.Rat).Sub(a, b); s.saysGapOfTwo(from, to) && gap.Sign() > 0 {
		if part := percent(gap, a); f.percent && part != nil && f.derivedShare(part) || !f.percent && !f.ratio && f.derived(gap) {
			return true
		}
	}
	switch q := quotient(a); {
	case f.ratio:
		return q != nil && f.isFactor(q)
	case f.percent && (s.isChange(f) || s.anyCue(from, to, riseWords, riseKorean...)):
		gap := quotient(new(big.Rat).Sub(a, b))
		return gap != nil && s.isGrowthOf(f, gap.Mul(gap, rat(100)), from, to)
	case f.percent:
		return q != nil && q.Cmp(unit) <= 0 && f.derivedShare(q.Mul(q, rat(100)))
	case s.hasAny(0, len(s.tokens), "minus", "leaves", "leaving", "remaining", "left") || s.anyCue(0, len(s.tokens), nil, "빼", "뺀", "나머지", "남습", "남는", "남아", "남았", "남음"):
		return f.derived(new(big.Rat).Sub(a, b))
	case s.isGap(f) || s.changesBy(f):
		return s.isGapOf(f, new(big.Rat).Sub(a, b), from, to)
	case s.hasAny(from, to, "per", "each", "divided") || s.anyCue(from, to, meanWords, meanKorean...) || s.anyCue(from, to, nil, "당", "건당", "인당"):
		return q != nil && f.derived(q)
	}
	return false
}

// saysGapOfTwo reports whether a clause speaks of what one column leaves of another: "the
// margin", "the difference between price and cost".
func (s *sentence) saysGapOfTwo(from, to int) bool {
	return s.anyCue(from, to, eitherWords, "마진") || s.hasAny(from, to, "difference") && s.hasAny(from, to, "between")
}

// mayRelate reports whether the clause may measure the first column by the second: of
// years the later one by the earlier, where it speaks of a change.
func (s *sentence) mayRelate(f *figure, x, y *column) bool {
	switch {
	case x.change || y.change:
		return false
	case x.year != 0 && y.year != 0 && x.year != y.year:
		return x.year > y.year
	case x.month != 0 && y.month != 0:
		return x.month > y.month
	}
	return !s.changesBy(f) || s.isGap(f) || f.ratio
}

// changesBy tells "rose by 60" and "60건 늘었" from a cell.
func (s *sentence) changesBy(f *figure) bool {
	from, to := s.span(f.at)
	return s.anyCue(from, to, riseWords, riseKorean...) || s.anyCue(from, to, fallWords, fallKorean...)
}

// inName reports whether a column's name has the year of a date, orders_2024, or its month, in
// one of the years of which the question speaks.
func (c *column) inName(d dateRef, years []int) bool {
	if c.month != 0 && slices.ContainsFunc(d.readings, func(p period) bool {
		return p.month == c.month && p.day == 0 && p.quarter == 0 && (p.year == 0 || p.year == c.year || c.year == 0 && (len(years) == 0 || slices.Contains(years, p.year)))
	}) {
		return true
	}
	return c.year != 0 && slices.ContainsFunc(d.readings, func(p period) bool { return p.year == c.year && p.month == 0 && p.quarter == 0 })
}

// inYear reports whether a column's name has the year of a date that is a part of it: the
// sales_2026 of "the third quarter of 2026", where that is what the question asks for.
func (c *column) inYear(d dateRef) bool {
	return c.year != 0 && c.month == 0 && slices.ContainsFunc(d.readings, func(p period) bool { return p.year == c.year && p.day == 0 })
}

// operands are the pairs of numbers that a comparison may be of: those of its rows, and
// where a name has several rows, their totals.
func (s *sentence) operands(f *figure, r *referent, t *table, index int, c *column, pairs [][2]int) [][2]*big.Rat {
	var out [][2]*big.Rat
	group := s.groupIn(f)
	if len(group) == 2 && t.whole && !c.average && !c.share && !c.key {
		a, b := s.compared(group)
		if len(a.rows[index]) > 1 && len(b.rows[index]) > 1 {
			x, y := c.sum(a.rows[index]), c.sum(b.rows[index])
			if s.inOrder(t, a, b, a.rows[index][0], b.rows[index][0]) {
				x, y = y, x
			}
			return append(out, [2]*big.Rat{x, y})
		}
	}
	for _, p := range pairs {
		out = append(out, [2]*big.Rat{c.cells[p[0]].exactly(), c.cells[p[1]].exactly()})
	}
	if row := s.yearBefore(f, r, t, index); row >= 0 {
		out = [][2]*big.Rat{{c.cells[r.rows[index][0]].exactly(), c.cells[row].exactly()}}
	}
	return slices.DeleteFunc(out, func(p [2]*big.Rat) bool { return p[0] == nil || p[1] == nil })
}

// yearBefore is the row of the same time in the year before, where the clause speaks of
// that; else -1.
func (s *sentence) yearBefore(_ *figure, r *referent, t *table, index int) int {
	said := s.anyCue(0, len(s.tokens), nil, "전년", "작년", "지난해") ||
		s.hasAny(0, len(s.tokens), "year") && s.hasAny(0, len(s.tokens), "earlier", "previous", "before", "prior", "last", "on", "over")
	if r == nil || !said || len(r.rows[index]) != 1 || len(s.referents) > 1 {
		return -1
	}
	for i := range t.columns {
		c := &t.columns[i]
		p := c.cells[r.rows[index][0]].period
		if !c.temporal || p == nil || p.year == 0 || p.month == 0 && p.quarter == 0 {
			continue
		}
		want := *p
		want.year--
		return slices.IndexFunc(c.cells, func(v cell) bool { return v.period != nil && *v.period == want })
	}
	return -1
}

package ground

import (
	"slices"
	"strings"
)

// isRange checks "from 5 to 13": the smallest and the largest of a column, or the first
// and the last of a series, in the order that the clause says.
func (s *sentence) isRange(i int) bool {
	if i+1 >= len(s.figures) {
		return false
	}
	a, b := &s.figures[i], &s.figures[i+1]
	if !s.joins(a, b) {
		return false
	}
	if s.isAggregateRange(a, b) || s.isYearRange(a, b) {
		s.proved[i+1] = true
		return true
	}
	from, to := s.clauseSpan(a.at)
	var of *referent
	for k := range s.referents {
		switch r := &s.referents[k]; {
		case r.at < from || r.at >= b.to || r.to <= a.to-8:
		case r.isDate() && of == nil && slices.ContainsFunc(r.rows, func(rows []int) bool { return len(rows) > 1 }):
			of = r
		default:
			return false
		}
	}
	use := func(t *table, index int, c *column) bool {
		rows := t.all()
		switch {
		case of != nil:
			rows = of.rows[index]
		case s.anyCue(from, a.at, otherWords) || s.anyCue(from, a.at, nil, "나머지"):
			rows = s.others(t, index)
		}
		return t.whole && len(rows) > 1 && s.spans(t, c, a, b, from, to, rows)
	}
	ok := s.each(b, use) || s.each(a, use)
	if ok {
		s.proved[i+1] = true
	}
	return ok
}

func (s *sentence) spans(t *table, c *column, a, b *figure, from, to int, rows []int) bool {
	low, high := c.extreme(rows, -1), c.extreme(rows, 1)
	if low < 0 {
		return false
	}
	is := func(f *figure, row int) bool { return f.says(c, c.cells[row]) }
	rises, falls := s.anyCue(from, to, riseWords, riseKorean...), s.anyCue(from, to, fallWords, fallKorean...)
	if rises || falls {
		order := t.inTime()
		return is(a, order[0]) && is(b, order[len(order)-1]) && rises == (c.cells[order[0]].number.Cmp(c.cells[order[len(order)-1]].number) < 0)
	}
	if s.saysWay(a, b, from) && slices.ContainsFunc(t.columns, func(o column) bool { return o.temporal }) {
		if order := t.inTime(); is(a, order[0]) && is(b, order[len(order)-1]) {
			return true
		}
	}
	if c.change && !a.minus && !b.minus && c.cells[high].number.Sign() < 0 && (s.anyCue(from, to, lessWords) || s.hasAny(from, to, "gap", "gaps", "difference", "differences", "discount", "discounts")) {
		size := func(f *figure, row int) bool { return negated(f, c.cells[row], equalsCell) }
		return size(a, high) && size(b, low) || size(a, low) && size(b, high) && s.hasAny(from, a.at, "from")
	}
	return is(a, low) && is(b, high) || is(a, high) && is(b, low) && s.hasAny(from, a.at, "from")
}

// saysWay reports whether words lead from one figure to another in this order: "from 5 to 9",
// "5에서 9로", "5 → 9".
func (s *sentence) saysWay(a, b *figure, from int) bool {
	return s.hasAny(from, a.at, "from") || s.hasAny(a.to, b.at, "→") || hasSuffix(a.rest+s.gluedAt(a.to), "에서") && hasSuffix(b.rest+s.gluedAt(b.to), "로")
}

// joins reports whether two figures are the ends of a range.
func (s *sentence) joins(a, b *figure) bool {
	if b.at-a.to > 4 {
		return false
	}
	for i := a.to; i < b.at; i++ {
		switch w := s.foldAt(i); {
		case w == "to", w == "–", w == "-", w == "~", w == "→", w == "until", hasPrefix(w, "에서", "부터"), strings.HasSuffix(w, "에서"), strings.HasSuffix(w, "부터"):
			return true
		case w == "과", w == "와":
			return s.anyCue(b.to, b.to+2, nil, "사이")
		case w == "and":
			return s.hasAny(0, a.at, "between")
		}
	}
	if a.rest == "과" || a.rest == "와" {
		return s.anyCue(b.to, b.to+2, nil, "사이")
	}
	return hasPrefix(a.rest, "에서", "부터") || strings.HasSuffix(a.rest, "에서") || strings.HasSuffix(a.rest, "부터")
}

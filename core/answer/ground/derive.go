package ground

import (
	"math/big"
	"slices"
	"strings"
)

func neg(n *big.Rat) *big.Rat { return new(big.Rat).Neg(n) }

// sum adds the cells of rows in a column; nil when there is none.
func (c *column) sum(rows []int) *big.Rat {
	var total *big.Rat
	for _, row := range rows {
		if n := c.cells[row].exactly(); n != nil {
			if total == nil {
				total = new(big.Rat)
			}
			total.Add(total, n)
		}
	}
	return total
}

// exactly is the number of a cell as people read it.
func (v cell) exactly() *big.Rat {
	if v.told != nil {
		return v.told
	}
	return v.number
}

// mean averages the cells of rows that have a number.
func (c *column) mean(rows []int) *big.Rat {
	total, n := c.sum(rows), 0
	for _, row := range rows {
		n += boolInt(c.cells[row].number != nil)
	}
	if n == 0 {
		return nil
	}
	return new(big.Rat).Quo(total, rat(int64(n)))
}

// extreme is the row with the largest number, or the smallest for up < 0; -1 for none.
func (c *column) extreme(rows []int, up int) int {
	best := -1
	for _, row := range rows {
		if n := c.cells[row].number; n != nil && (best < 0 || n.Cmp(c.cells[best].number) == up) {
			best = row
		}
	}
	return best
}

func (t *table) all() []int {
	rows := make([]int, t.rows)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// each calls use with the columns that a figure may be derived from, until one holds.
func (s *sentence) each(f *figure, use func(t *table, index int, c *column) bool) bool {
	named := s.columnsFor(f, nil)
	for i, t := range s.checker.tables {
		for col := range t.columns {
			if c := &t.columns[col]; c.numeric && named(i, col) && use(t, i, c) {
				return true
			}
		}
	}
	return false
}

// isDerived reports whether the figure is a total, an average or an extreme, as the
// clause says: of the rows that are named in one breath, else of all.
func (s *sentence) isDerived(f *figure, r *referent, group []*referent) bool {
	from, to := s.reach(f)
	total := s.anyCue(from, to, totalWords, totalKorean...)
	mean := s.anyCue(from, to, meanWords, meanKorean...)
	direction, _ := s.ordering(from, to)
	total = total || s.hasAny(from, to, "net") && s.changes() || s.hasAny(from, to, "between") && s.hasAny(from, to, "them")
	if r == nil && !total && !mean && direction == 0 && len(s.referents) == 0 {
		first, last := s.clauseSpan(f.at)
		total, mean = s.anyCue(first, last, totalWords, totalKorean...), s.anyCue(first, last, meanWords, meanKorean...)
	}
	if r != nil && len(group) < 2 {
		group = s.named(f)
	}
	if r != nil && (total || mean) && !s.namesIn(f) && r.at > f.at && s.isDerivedOf(f, total, mean, direction) {
		return true
	}
	if r != nil && s.isOfRows(f, r, mean, direction) {
		return true
	}
	if len(group) >= 2 {
		return s.isOfGroup(f, group, total, mean)
	}
	if r != nil {
		return s.isOfAll(f) && s.isDerivedOf(f, total || !mean, mean, 0)
	}
	if !total && !mean && direction == 0 {
		total = s.isOfAll(f) || len(s.referents) == 0 && s.counts(f) == countsOther
	}
	return s.isDerivedOf(f, total, mean, direction)
}

// reach is the part of the sentence whose words derive a figure: its segment, with the
// one before where that has no figure and no name of its own.
func (s *sentence) reach(f *figure) (from, to int) {
	from, to = s.span(f.at)
	for from > 0 {
		first, _ := s.span(from - 1)
		inside := func(at int) bool { return first <= at && at < from }
		if s.clause[first] != s.clause[f.at] || slices.ContainsFunc(s.figures, func(g figure) bool { return inside(g.at) }) ||
			slices.ContainsFunc(s.referents, func(r referent) bool { return inside(r.at) }) {
			break
		}
		from = first
	}
	last, _ := s.clauseSpan(f.at)
	if slices.ContainsFunc(s.referents, func(r referent) bool { return r.at >= last && r.at < f.at }) && len(s.groupIn(f)) >= 2 {
		from = last
	}
	return from, to
}

// named are the names of the clause where there are two or more.
func (s *sentence) named(f *figure) []*referent {
	if list := s.groupIn(f); len(list) >= 2 {
		return list
	}
	return nil
}

func (s *sentence) groupIn(f *figure) []*referent {
	from, to := s.clauseSpan(f.at)
	var out []*referent
	for i := range s.referents {
		if r := &s.referents[i]; r.at >= from && r.at < to {
			out = append(out, r)
		}
	}
	return out
}

// isOfGroup is the total or the average of several names, or what each of them has.
func (s *sentence) isOfGroup(f *figure, group []*referent, total, mean bool) bool {
	from, to := s.clauseSpan(f.at)
	each := s.anyCue(from, to, set("each both all apiece"), "각", "각각", "둘", "셋", "모두", "똑같", "동일", "같") || hasSuffix(f.rest, "씩", "씩입니다", "씩이에요", "씩임") || hasSuffix(s.foldAt(f.to), "씩", "씩입니다", "씩이에요", "씩임")
	first, last := s.span(f.at)
	direction, _ := s.ordering(first, last)
	most := direction != 0 || s.anyCue(first, last, nil, mostKorean...)
	return s.each(f, func(t *table, index int, c *column) bool {
		var rows []int
		all := true
		for _, r := range group {
			rows = union(rows, r.rows[index])
			all = all && slices.ContainsFunc(r.rows[index], func(row int) bool { return s.saysCell(f, c, c.cells[row], equalsCell) })
		}
		switch {
		case len(rows) < 2:
			return false
		case (each || most) && all, f.hedge != exact && f.boundsNear(c, rows):
			return true
		case mean:
			return f.derived(c.mean(rows))
		case total || s.coordinated(group[0].to, group[1].at) && s.figuresAreOne(f, from, to):
			return f.derived(c.sum(rows))
		}
		return false
	}) || s.isOfAll(f) && s.isDerivedOf(f, !mean, mean, 0)
}

// boundsNear reports whether all rows are on the side of the figure that its hedge says,
// and one of them at no more than twice the figure, or half of it.
func (f *figure) boundsNear(c *column, rows []int) bool {
	near := false
	if f.amounts[0].value.Sign() <= 0 {
		return false
	}
	for _, row := range rows {
		n := c.cells[row].exactly()
		if n == nil {
			return false
		}
		if f.percent && new(big.Rat).Abs(n).Cmp(unit) <= 0 {
			n = new(big.Rat).Mul(n, rat(100))
		}
		if !f.bounds(n) {
			return false
		}
		ratio := new(big.Rat).Quo(n, f.amounts[0].value)
		near = near || ratio.Cmp(rat(2)) <= 0 && ratio.Cmp(half) >= 0
	}
	return near
}

// figuresAreOne reports whether the others of the clause are said to be of all: "754 of
// the 3,000".
func (s *sentence) figuresAreOne(f *figure, from, to int) bool {
	for _, g := range s.figuresIn(from, to) {
		if g != f && !s.isOfAll(g) && !g.percent {
			return false
		}
	}
	return true
}

// saysEach reports whether a figure is said of each of several rows.
func (s *sentence) saysEach(f *figure) bool {
	from, to := s.clauseSpan(f.at)
	return s.hasAny(from, to, "each", "every", "all") || s.anyCue(from, to, nil, "매년", "매월", "매달", "각각", "모두") || hasSuffix(f.rest+s.gluedAt(f.to), "씩")
}

// isOfRows is what several rows of one name have together: a quarter, a category.
func (s *sentence) isOfRows(f *figure, r *referent, mean bool, direction int) bool {
	return s.each(f, func(t *table, index int, c *column) bool {
		rows := r.rows[index]
		if len(rows) < 2 || !t.whole {
			return false
		}
		if s.saysEach(f) && !slices.ContainsFunc(rows, func(row int) bool { return !c.cells[row].equal(f, nil) }) {
			return true
		}
		if !r.isRange() && t.dimensions() < 2 && !mean && direction == 0 && !s.anyCue(0, len(s.tokens), totalWords, totalKorean...) {
			return false // two rows of one name
		}
		switch {
		case mean:
			return f.derived(c.mean(rows))
		case direction != 0:
			best := c.extreme(rows, direction)
			return best >= 0 && c.cells[best].equal(f, nil) || r.isDate() && c.adds() && f.derived(c.sum(rows)) && c.leadsAsTime(t, rows, direction)
		}
		return f.derived(c.sum(rows))
	})
}

// leadsAsTime reports whether the rows of a quarter, a half or a year have more in a column
// than those of any other one, or less for up < 0.
func (c *column) leadsAsTime(t *table, rows []int, up int) bool {
	at := slices.IndexFunc(t.columns, func(c column) bool { return c.temporal })
	spans := func(of func(p period) period) bool {
		groups := map[period][]int{}
		for row, v := range t.columns[at].cells {
			if v.period == nil {
				return false
			}
			groups[of(*v.period)] = append(groups[of(*v.period)], row)
		}
		own := groups[of(*t.columns[at].cells[rows[0]].period)]
		if !slices.Equal(own, rows) || len(groups) < 2 {
			return false
		}
		for _, other := range groups {
			if a, b := c.sum(own), c.sum(other); a == nil || b == nil || b.Cmp(a) == up {
				return false
			}
		}
		return true
	}
	return at >= 0 && (spans(func(p period) period { return period{year: p.year, quarter: (p.month + 2) / 3} }) ||
		spans(func(p period) period { return period{year: p.year, half: p.halfOfYear()} }) || spans(func(p period) period { return period{year: p.year} }))
}

// isOfAll tells "435 of the 2,800 customers in total" and "above the average of 147",
// which speak of all rows beside a name.
func (s *sentence) isOfAll(f *figure) bool {
	if next := s.foldAt(f.to) + " " + s.foldAt(f.to+1) + " " + s.foldAt(f.to+2); hasPrefix(next, "중 ", "중에", "가운데") || strings.Contains(next, " 중") || strings.Contains(next, " 가운데") {
		return true
	}
	if hasPrefix(s.foldAt(f.at-1), "전체", "총", "연간", "합계") && (hasSuffix(f.rest, "의", "중") || hasSuffix(s.foldAt(f.to), "의")) {
		return true
	}
	for i := f.at - 1; i >= 0 && i >= f.at-4; i-- {
		if s.isNameToken(i) {
			return false
		}
		switch w := s.foldAt(i); {
		case w == "of":
			first, _ := s.span(i)
			return first == i || s.figureEndsAt(i) || s.hasAny(i-4, i, "average", "mean", "total", "out")
		case (w == "than" || w == "above" || w == "below") && s.anyCue(i, f.at, meanWords), hasPrefix(w, "평균", "전체") && (i < f.at-1 || w == "평균인" || w == "평균" && hasSuffix(f.rest+s.gluedAt(f.to), "보다", "에")):
			return true
		case w == "average" || w == "mean":
			return s.hasAny(i-3, i, "than", "above", "below", "the")
		}
	}
	return false
}

func (s *sentence) figureEndsAt(i int) bool {
	return slices.ContainsFunc(s.figures, func(g figure) bool { return g.to <= i && i-g.to <= 3 && s.segment[g.at] == s.segment[i] })
}

// isDerivedOf is a total, an average or an extreme of all rows.
func (s *sentence) isDerivedOf(f *figure, total, mean bool, direction int) bool {
	return s.each(f, func(t *table, _ int, c *column) bool {
		if !t.whole || t.rows < 2 || c.key || mean && c.average && f.isBound() {
			return false // a bound said of averages is one of each of them
		}
		rows := s.topRows(f, t, c)
		switch {
		case mean && f.derived(c.mean(rows)):
			return true
		case mean:
			return false
		case total:
			return c.adds() && f.derived(c.sum(rows))
		case direction != 0:
			best := c.extreme(rows, direction)
			return best >= 0 && c.cells[best].equal(f, nil)
		}
		return false
	})
}

// topRows are the rows of which "the top three together" speaks, else all.
func (s *sentence) topRows(f *figure, t *table, c *column) []int {
	rows := t.all()
	for i := range s.figures {
		g := &s.figures[i]
		if g == f || g.to > f.at || len(g.amounts) == 0 || !g.amounts[0].value.IsInt() {
			continue
		}
		up := 0
		switch before := s.foldAt(g.at - 1); {
		case ordersUp[before] != 0:
			up = ordersUp[before]
		case before == "상위":
			up = 1
		case before == "하위":
			up = -1
		case ordersUp[s.foldAt(g.to)] != 0:
			up = ordersUp[s.foldAt(g.to)]
		}
		if n := int(g.amounts[0].value.Num().Int64()); up != 0 && n > 0 && n < len(rows) {
			slices.SortStableFunc(rows, func(a, b int) int { return -up * cmpCells(c.cells[a], c.cells[b]) })
			return rows[:n]
		}
	}
	return rows
}

func cmpCells(a, b cell) int {
	switch {
	case a.number == nil && b.number == nil:
		return 0
	case a.number == nil:
		return -1
	case b.number == nil:
		return 1
	}
	return a.number.Cmp(b.number)
}

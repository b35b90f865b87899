package ground

import (
	"math/big"
	"slices"
)

// isBound reports whether the words at a figure make a bound of it, and it is a round one:
// nobody bounds a number by one that is not.
func (f *figure) isBound() bool {
	if len(f.amounts) == 0 {
		return false
	}
	return f.amounts[0].end != nil || f.hedge != exact && f.hedge != about && f.isRound()
}

// mostRound is up to which number of its last places a bound is round.
var mostRound = rat(1000)

// isRound reports whether a number has few digits but its trailing zeros.
func (a amount) isRound() bool {
	n := new(big.Rat).Quo(a.value, a.round)
	return n.Abs(n).Cmp(mostRound) < 0
}

func (f *figure) isRound() bool { return len(f.amounts) > 0 && f.amounts[0].isRound() }

// apart is by what factor two numbers differ, nil where that has no meaning.
func apart(a, b *big.Rat) *big.Rat {
	if a.Sign() == 0 || b.Sign() == 0 || a.Sign() != b.Sign() {
		return nil
	}
	q := new(big.Rat).Quo(a, b)
	if q.Cmp(unit) < 0 {
		q.Inv(q)
	}
	return q
}

// told is the number of a cell as the figure tells it: in percent, where it is one.
func (f *figure) told(c *column, v cell) *big.Rat {
	n := v.exactly()
	if n != nil && f.percent && c.share && new(big.Rat).Abs(n).Cmp(unit) <= 0 {
		return new(big.Rat).Mul(n, rat(100))
	}
	return n
}

// isBounded reports whether a figure bounds what the sentence speaks of: one name, each of
// several, those that stand behind it up to the next figure, the rest, or all.
func (s *sentence) isBounded(f *figure, r *referent, group []*referent) bool {
	if f.ordinal || f.ratio || s.isGap(f) {
		return false
	}
	if s.isEnd(f, r) {
		return true
	}
	said := f.hedge
	all := s.saysEvery(f) || s.saysOthers(f)
	if s.boundIsOfNone(f) {
		f.hedge, r, group = contrary[f.hedge], nil, nil
		defer func() { f.hedge = said }()
		if all = true; s.namesIn(f) && !s.excepts() {
			return false
		}
	}
	if !f.isBound() || s.boundsCount(f) && !all {
		return false
	}
	rows := make([][]int, len(s.checker.tables))
	left := all && s.excepts()
	for index, t := range s.checker.tables {
		switch {
		case left && t.whole:
			rows[index] = slices.DeleteFunc(t.all(), func(row int) bool { return slices.Contains(joinedRows(s.namesOf(0, len(s.tokens)), index), row) })
		case r != nil && r.at >= f.to:
			rows[index] = s.rowsBehind(f, index)
		case len(group) > 1:
			for _, g := range group {
				rows[index] = union(rows[index], g.rows[index])
			}
		case r != nil && (len(r.rows[index]) == 1 || t.dimensions() == 1 || all):
			rows[index] = r.rows[index]
		case r == nil && t.whole && (t.rows == 1 && len(s.referents) == 0 || all):
			rows[index] = s.ofWhich(t, index, f)
		}
	}
	may := s.columnsFor(f, rows)
	return s.boundsCells(f, rows, may) || r == nil && !all && f.hedge == said && s.boundsTotal(f)
}

// contrary are the bounds that deny others.
var contrary = map[hedge]hedge{over: atMost, atMost: over, under: atLeast, atLeast: under}

// boundIsOfNone reports whether words say of a bound that nothing has it: "no museum had more
// than 200".
func (s *sentence) boundIsOfNone(f *figure) bool {
	from, to := s.clauseSpan(f.at)
	for i := from; i < f.at; i++ {
		if w := s.foldAt(i); !s.taken[i] && (w == "no" || nounsOfNone[w] || w == "neither") && !(w == "no" && (s.foldAt(i+1) == "." || s.is(i+1, number))) && !s.hasAny(i+1, i+2, "more", "less", "fewer", "higher", "lower", "later", "greater") {
			return true
		}
	}
	for i := f.to; i < min(to, f.to+6) && !s.is(i, number); i++ {
		if s.tokens[i].hangul && hasPrefix(s.tokens[i].text, "없") {
			return true
		}
	}
	return false
}

// boundsCount reports whether a bound is that of a count of rows: "more than five museums".
func (s *sentence) boundsCount(f *figure) bool {
	noun := f.rest + s.gluedAt(f.to)
	if noun == "" {
		noun = s.foldAt(f.to)
	}
	return s.counts(f) == countsRows && s.kindOf(noun) == countsRows && s.namedBy(koreanStem(noun), nil) == nil
}

// boundsTotal reports whether a figure bounds the total or the average of all rows, as the
// clause says.
func (s *sentence) boundsTotal(f *figure) bool {
	from, to := s.clauseSpan(f.at)
	total, mean := s.anyCue(from, to, totalWords, totalKorean...), s.anyCue(from, to, meanWords, meanKorean...)
	if !f.isBound() || f.percent || total == mean || len(s.referents) > 0 {
		return false
	}
	may := s.columnsFor(f, nil)
	var nearest *big.Rat
	holds := false
	for index, t := range s.checker.tables {
		for col := range t.columns {
			c := &t.columns[col]
			if !t.whole || t.rows < 2 || !c.measure() || !may(index, col) || total && !c.adds() {
				continue
			}
			n := c.sum(t.all())
			if mean {
				n = c.mean(t.all())
			}
			if n == nil {
				continue
			}
			if d := apart(n, f.amounts[0].value); d != nil && (nearest == nil || d.Cmp(nearest) < 0) {
				nearest, holds = d, f.bounds(n)
			}
		}
	}
	return holds
}

// isEnd checks "최소 7건, 최대 34건" and "a low of 7": the least and the most of the rows that
// are spoken of.
func (s *sentence) isEnd(f *figure, r *referent) bool {
	up := 0
	switch w := s.foldAt(f.at - 1); {
	case w == "최소" || w == "최저", s.hasAny(f.at-2, f.at-1, "low", "minimum") && w == "of":
		up = -1
	case w == "최대" || w == "최고", s.hasAny(f.at-2, f.at-1, "high", "maximum", "peak") && w == "of":
		up = 1
	}
	return up != 0 && s.each(f, func(t *table, index int, c *column) bool {
		rows := t.all()
		if r != nil {
			rows = r.rows[index]
		}
		end := c.extreme(rows, up)
		return t.whole && len(rows) > 1 && c.measure() && end >= 0 && f.says(c, c.cells[end])
	})
}

// isCountedBound checks the bound of "two of the five stayed below 10,000": so many rows have
// it as another figure of the clause counts.
func (s *sentence) isCountedBound(f *figure) bool {
	if !f.isBound() || f.ordinal || f.ratio {
		return false
	}
	from, to := s.clauseSpan(f.at)
	for k := range s.figures {
		g := &s.figures[k]
		n, ok := g.count()
		if g == f || !ok || g.at < from || g.at >= to || g.hedge != exact || s.counts(g) != countsRows {
			continue
		}
		if s.each(f, func(t *table, _ int, c *column) bool { return t.whole && c.measure() && c.countOf(f) == n }) {
			return true
		}
	}
	return false
}

// rowsBehind are the rows of the names between a figure and the next one.
func (s *sentence) rowsBehind(f *figure, index int) []int {
	var rows []int
	for i := range s.referents {
		r := &s.referents[i]
		next := slices.ContainsFunc(s.figures, func(g figure) bool { return g.at >= f.to && g.at < r.at && !s.inBrackets(g.at) })
		if r.at >= f.to && r.to <= len(s.tokens) && !next {
			rows = union(rows, r.rows[index])
		}
	}
	return rows
}

// saysEvery reports whether a figure is said of all rows.
func (s *sentence) saysEvery(f *figure) bool {
	from, to := s.clauseSpan(f.at)
	return (s.hasAny(from, to, "every", "each", "all", "always") || s.anyCue(from, to, nil, "모든", "모두", "전부", "매년", "매월", "매달", "각각")) && !s.hasAny(from, to, "not", "no", "almost", "nearly", "together", "except") && !s.anyCue(from, to, nil, "합쳐", "합치", "합하")
}

// saysOthers reports whether a figure is said of the rows that were not named.
func (s *sentence) saysOthers(f *figure) bool {
	from, _ := s.clauseSpan(f.at)
	return s.anyCue(from, f.at, otherWords, "나머지")
}

// boundsCells reports whether a figure bounds the cells of these rows as its hedge says. A
// bound that is true is true, however far away; where several columns may be meant, the one
// is that has a cell nearest to it.
func (s *sentence) boundsCells(f *figure, rows [][]int, may func(table, col int) bool) bool {
	if !f.isBound() {
		return false
	}
	var nearest *big.Rat
	holds, lost := false, s.losesAny(f, rows, may)
	for i, t := range s.checker.tables {
		for col := range t.columns {
			c := &t.columns[col]
			if len(rows[i]) == 0 || !c.measure() || !may(i, col) || f.percent && !c.share {
				continue
			}
			scale, ok := c.scaleTo(s.unitOf(f))
			if !ok || lost && !c.hasLoss() {
				continue
			}
			if lost {
				scale = rat(-1)
			}
			all, near := f.boundsAll(c, rows[i], scale)
			if near == nil {
				near = rat(1 << 40)
			}
			if nearest == nil || near.Cmp(nearest) < 0 {
				nearest, holds = near, all
			}
		}
	}
	return holds
}

// losesAny reports whether the sentence speaks of a loss, and one of the rows has one.
func (s *sentence) losesAny(f *figure, rows [][]int, may func(table, col int) bool) bool {
	from, to := s.span(f.at)
	if f.minus || !s.anyCue(from, to, lossWords, lossKorean...) {
		return false
	}
	for i, t := range s.checker.tables {
		for col := range t.columns {
			c := &t.columns[col]
			if c.measure() && may(i, col) && slices.ContainsFunc(rows[i], func(row int) bool { n := c.cells[row].number; return n != nil && n.Sign() < 0 }) {
				return true
			}
		}
	}
	return false
}

// boundsAll reports whether a figure bounds all cells of the rows, and by what factor the
// nearest one differs from it.
func (f *figure) boundsAll(c *column, rows []int, scale *big.Rat) (all bool, near *big.Rat) {
	all = len(rows) > 0
	for _, row := range rows {
		n := f.told(c, c.cells[row])
		if n == nil {
			return false, near
		}
		if scale != nil {
			n = new(big.Rat).Mul(n, scale)
		}
		all = all && f.bounds(n)
		if d := apart(n, f.amounts[0].value); d != nil && (near == nil || d.Cmp(near) < 0) {
			near = d
		}
	}
	return all, near
}

// isBetween checks "between 9 and 10 thousand" and "9천과 1만 사이": what is spoken of lies
// between two numbers.
func (s *sentence) isBetween(i int) bool {
	if i+1 >= len(s.figures) {
		return false
	}
	a, b := &s.figures[i], &s.figures[i+1]
	if len(a.amounts) == 0 || len(b.amounts) == 0 || a.percent != b.percent || a.ordinal || !s.joins(a, b) || !s.saysBetween(a, b) {
		return false
	}
	rows := make([][]int, len(s.checker.tables))
	r, group := s.referentOf(a)
	for index, t := range s.checker.tables {
		switch {
		case r != nil:
			rows[index] = r.rows[index]
			for _, g := range group {
				rows[index] = union(rows[index], g.rows[index])
			}
		case t.whole:
			rows[index] = s.ofWhich(t, index, a)
		}
	}
	may := s.columnsFor(b, rows)
	for index, t := range s.checker.tables {
		for col := range t.columns {
			if c := &t.columns[col]; !t.isAmbiguous() && c.measure() && may(index, col) && (!a.percent || c.share) && s.encloses(a, b, c, rows[index]) {
				s.proved[i+1] = true
				return true
			}
		}
	}
	return false
}

// ofWhich are the rows of which a range speaks that no name leads in: the rest, or all.
func (s *sentence) ofWhich(t *table, index int, f *figure) []int {
	from, _ := s.clauseSpan(f.at)
	if s.anyCue(from, f.at, otherWords, "나머지") {
		return s.others(t, index)
	}
	return t.all()
}

// saysBetween reports whether words say of two figures that something lies between them.
func (s *sentence) saysBetween(a, b *figure) bool {
	return s.hasAny(a.at-2, a.at, "between", "within") || s.anyCue(b.to, b.to+4, nil, "사이", "범위", "이내")
}

// encloses reports whether the cells of the rows lie between two figures, each of which is
// round, or that of a cell.
func (s *sentence) encloses(a, b *figure, c *column, rows []int) bool {
	low, high := c.extreme(rows, -1), c.extreme(rows, 1)
	if low < 0 {
		return false
	}
	least, most := a.told(c, c.cells[low]), a.told(c, c.cells[high])
	spread := new(big.Rat).Sub(most, least)
	from := a.says(c, c.cells[low]) || a.amounts[0].value.Cmp(least) <= 0 && a.frames(least, spread)
	to := b.says(c, c.cells[high]) || b.amounts[0].value.Cmp(most) >= 0 && b.frames(most, spread)
	return from && to
}

// frames reports whether a figure is an end that somebody would choose for a range: a round
// number that is not far from the last one inside.
func (f *figure) frames(last, spread *big.Rat) bool {
	a := f.amounts[0]
	digits := new(big.Rat).Quo(a.value, a.round)
	if digits.Abs(digits); digits.Cmp(rat(10)) >= 0 {
		digits.Quo(digits, rat(5))
	}
	off := new(big.Rat).Sub(last, a.value)
	limit := new(big.Rat).Mul(new(big.Rat).Abs(last), nearShare)
	if most := new(big.Rat).Mul(spread, half); most.Cmp(limit) > 0 {
		limit = most
	}
	return digits.IsInt() && digits.Cmp(rat(40)) < 0 && off.Abs(off).Cmp(limit) <= 0
}

// isShortOf checks "960 short of 120,000" and "500명에 1명 모자랍니다": how far what is
// spoken of is from a round number.
func (s *sentence) isShortOf(i int) bool {
	if s.isAway(i) {
		return true
	}
	for k := i + 1; k < len(s.figures); k++ {
		if !s.proved[k] && s.isAway(k) && s.proved[i] {
			return true
		}
	}
	return false
}

// isAway reports whether a figure is how far what is spoken of is from a round number.
func (s *sentence) isAway(i int) bool {
	f := &s.figures[i]
	if len(f.amounts) == 0 {
		return false
	}
	from, to := s.clauseSpan(f.at)
	short := s.hasAny(from, to, "short", "shy", "below", "under", "away", "missing", "lacking") || s.anyCue(from, to, nil, "모자", "부족", "못", "남")
	above := s.hasAny(from, to, "above", "over", "past", "beyond", "exceeds", "exceeded") || s.anyCue(from, to, nil, "넘", "초과", "웃도", "웃돌")
	if short == above || f.percent || f.ratio || f.ordinal {
		return false
	}
	rows := make([][]int, len(s.checker.tables))
	r, _ := s.referentOf(f)
	for index, t := range s.checker.tables {
		switch {
		case r != nil && len(r.rows[index]) == 1:
			rows[index] = r.rows[index]
		case r == nil && t.rows == 1 && t.count == 1:
			rows[index] = []int{0}
		}
	}
	return s.reaches(i, rows, short)
}

// reaches reports whether another figure of the sentence, or of the one before, is the
// round number that a cell is so far from.
func (s *sentence) reaches(i int, rows [][]int, short bool) bool {
	f := &s.figures[i]
	away := func(g *figure) bool {
		if g == f || g.percent || g.ratio || g.ordinal || len(g.amounts) == 0 || g.amounts[0].round.Cmp(unit) <= 0 || !g.isRound() {
			return false
		}
		for index, t := range s.checker.tables {
			for col := range t.columns {
				for _, row := range rows[index] {
					n := t.columns[col].cells[row].exactly()
					if n == nil || !t.columns[col].measure() {
						continue
					}
					gap := new(big.Rat).Sub(g.amounts[0].value, n)
					if (gap.Sign() > 0) == short && f.derived(gap.Abs(gap)) {
						return true
					}
				}
			}
		}
		return false
	}
	for k := range s.figures {
		if away(&s.figures[k]) {
			s.proved[k] = true
			return true
		}
	}
	if s.before != nil {
		for k := range s.before.figures {
			if away(&s.before.figures[k]) {
				return true
			}
		}
	}
	return false
}

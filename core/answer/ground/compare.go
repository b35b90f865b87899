package ground

import (
	"math/big"
	"slices"
)

// isGap tells a difference: "45 more than", "ahead by 45", "a gap of 45".
func (s *sentence) isGap(f *figure) bool {
	from, to := s.clauseSpan(f.at)
	if hasSuffix(f.rest+s.gluedAt(f.to), "보다", "보다는", "보다도") {
		return false
	}
	if hasSuffix(f.rest+s.gluedAt(f.to), "으로", "로") {
		return false // by what it is more
	}
	if behind := s.pastAside(f); behind > f.to {
		return s.saysChange(behind, min(behind+2, to)) || s.gapSaid(f, from)
	}
	for i := f.to; i < min(f.to+3, to); i++ {
		w := s.foldAt(i)
		switch {
		case gapVerbs[w], (w == "down" || w == "up") && s.hasAny(i+1, i+2, "to", "from"):
			return false
		case s.tokens[i].kind == mark, clauseVerbs[w] && !s.tokens[i].hangul, !s.tokens[i].hangul && i > f.to+1:
			return s.gapSaid(f, from)
		case w == "clear" && s.foldAt(i+1) == "of", w == "apart":
			return true
		case moreWords[w] || lessWords[w]:
			return !(s.foldAt(i+1) == "than" && s.figureAtToken(i+2)) && (f.percent && w == "more" || s.hasAny(i, to, "than") || (w != "above" && w != "below" || s.isNameToken(i+1) || s.foldAt(i+1) == "the" && s.isNameToken(i+2)) && w != "better" && w != "worse" && w != "additional" && w != "extra" && w != "more")
		case !s.tokens[i].hangul || s.isNameToken(i):
		case (s.comparesKorean(from, to) || s.anyCue(from, f.at, nil, "대비")) && (hasPrefix(w, "더") || hasPrefix(w, upKorean...) || hasPrefix(w, downKorean...) || hasPrefix(w, riseKorean...) || hasPrefix(w, fallKorean...)), w == "더" && (hasPrefix(s.foldAt(i+1), upKorean...) || hasPrefix(s.foldAt(i+1), downKorean...)), hasPrefix(w, "차이", "격차", "앞", "뒤") && !hasPrefix(w, "뒤를", "뒤이", "뒤따") && i <= f.to+1:
			return true
		}
	}
	return s.gapSaid(f, from)
}

// gapSaid reports whether words before a figure make a difference of it.
func (s *sentence) gapSaid(f *figure, from int) bool {
	return s.gapBefore(f, from) || s.goesOnWithGap(f) || s.gapBetween(f, from)
}

// gapBetween tells "the distance between A (40) and B (28) is 12": behind the verb of a noun for
// how far two names are apart.
func (s *sentence) gapBetween(f *figure, from int) bool {
	at := f.at - 1
	for at > from && hedgesBefore[s.foldAt(at)] != exact {
		at--
	}
	if !s.hasAny(at, at+1, "is", "was", "are", "were", "of", "to", "equals", "measures") || s.inBrackets(f.at) {
		return false
	}
	for i := from; i < at; i++ {
		if s.hasAny(i, i+1, "difference", "gap", "distance", "spread", "margin") && s.foldAt(i+1) == "between" && len(s.namesAround(i, at)) == 2 {
			return true
		}
	}
	return false
}

// goesOnWithGap reports whether a figure goes on with a list of differences: "by 71 in May,
// 104 in June and 89 in July".
func (s *sentence) goesOnWithGap(f *figure) bool {
	i := slices.IndexFunc(s.figures, func(g figure) bool { return g.at == f.at }) - 1
	if i < 0 || !s.hasAny(f.to, f.to+1, "in", "at", "for") || !s.isNameToken(f.to+1) {
		return false
	}
	for k := s.figures[i].to; k < f.at; k++ {
		if w := s.foldAt(k); !s.isNameToken(k) && w != "in" && w != "at" && w != "for" && w != "," && w != "and" && w != "by" {
			return false
		}
	}
	return s.isGap(&s.figures[i])
}

func (s *sentence) figureAtToken(i int) bool {
	return slices.ContainsFunc(s.figures, func(g figure) bool { return g.at == i })
}

// gapVerbs compare what stands before them: "A's 230 exceed B's 178 by 52".
var gapVerbs = set("exceeds exceed exceeded exceeding beats beat beating outpaces outpaced surpasses surpassed outnumbers outnumber trails trailed")

// gapBefore tells "a gap of 45" and "exceeds it by 45".
func (s *sentence) gapBefore(f *figure, from int) bool {
	crossed := false
	for i := f.at - 1; i >= max(from, f.at-9); i-- {
		if s.taken[i] && (!s.tokens[i].hangul || s.isNameToken(i) && s.inBrackets(f.at)) {
			if slices.ContainsFunc(s.figures, func(g figure) bool { return g.at == i && !g.ordinal }) {
				break
			}
			if crossed = true; s.inBrackets(f.at) && !s.inBrackets(i) {
				break
			}
			continue
		}
		w := s.foldAt(i)
		if gapWords[w] && !s.checker.known[w] && !(w == "lead" && s.hasAny(i, f.at, "with")) && !vague[s.foldAt(i-1)] || hasPrefix(w, gapKorean...) {
			return true
		}
		if w == "by" && i >= f.at-3 && !crossed {
			return s.anyCue(from, i, moreWords) || s.anyCue(from, i, lessWords) || s.anyCue(from, i, riseWords) || s.anyCue(from, i, fallWords) ||
				s.hasAny(from, i, "leads", "led", "differ", "differs", "differed", "changed")
		}
	}
	return false
}

func (s *sentence) comparesKorean(from, to int) bool {
	for i := from; i < min(to, len(s.tokens)); i++ {
		if t := s.tokens[i]; t.hangul && len(t.text) >= len("보다") && t.text[len(t.text)-len("보다"):] == "보다" {
			return true
		}
	}
	return false
}

// isDifference checks a difference: of the two names, of a name and the row before it
// or the next one in order, or a cell of a column of changes.
func (s *sentence) isDifference(f *figure, r *referent) bool {
	pairs := s.pairs(f, r)
	from, to := s.clauseSpan(f.at)
	return s.each(f, func(t *table, index int, c *column) bool {
		if c.change && r != nil && s.isStep(t, index, r) {
			for _, row := range r.rows[index] {
				if n := c.cells[row].exactly(); n != nil && s.keepsSign(f, n, from, to) && s.isGapOf(f, n, from, to) {
					return true
				}
			}
		}
		if c.change && r == nil && t.rows == 1 && t.count == 1 && len(s.referents) == 0 {
			if n := c.cells[0].exactly(); n != nil && s.keepsSign(f, n, from, to) && s.isGapOf(f, n, from, to) {
				return true
			}
		}
		for _, p := range s.operands(f, r, t, index, c, pairs[index]) {
			if s.isGapOf(f, new(big.Rat).Sub(p[0], p[1]), from, to) {
				return true
			}
		}
		return false
	})
}

// keepsSign reports whether a figure does not hide the sign of a change: what is negative
// is told with a minus, or with a word that says so.
func (s *sentence) keepsSign(f *figure, n *big.Rat, from, to int) bool {
	_, down := s.directions(f, from, to)
	return n.Sign() >= 0 || f.minus || down
}

// isStep reports whether a second name, if there is one, is that of the moment before.
func (s *sentence) isStep(t *table, index int, r *referent) bool {
	order := t.inTime()
	for i := range s.referents {
		o := &s.referents[i]
		if o.at == r.at || len(o.rows[index]) != 1 || len(r.rows[index]) != 1 || !s.hasAny(0, o.at, "than", "from", "over", "to") && !s.endsWith(o, "보다", "대비") {
			continue
		}
		if slices.Index(order, o.rows[index][0])+1 != slices.Index(order, r.rows[index][0]) {
			return false
		}
	}
	return true
}

// isGapOf reports whether a figure is a difference, in the direction that the clause
// says.
func (s *sentence) isGapOf(f *figure, gap *big.Rat, from, to int) bool {
	if f.plus && gap.Sign() < 0 {
		return false
	}
	switch up, down := s.directions(f, from, to); {
	case s.isNeutral(f):
	case up && !down && gap.Sign() < 0, down && !up && gap.Sign() > 0:
		return false
	}
	return f.derived(gap) || f.derived(new(big.Rat).Abs(gap)) && !f.minus
}

// isNeutral reports whether "difference" or 차이 right before a figure says no direction.
func (s *sentence) isNeutral(f *figure) bool {
	return s.hasAny(f.at-3, f.at, "difference", "gap") || s.anyCue(f.at-2, f.at, nil, gapKorean...) || s.anyCue(f.to, f.to+2, nil, gapKorean...)
}

// directions is whether words near the figure say that something is more, or less.
func (s *sentence) directions(f *figure, from, to int) (up, down bool) {
	if first, last := s.span(f.at); first > from || last < to {
		if up, down = s.directions(f, first, last); up != down {
			return up, down
		}
	}
	up = s.anyCue(from, to, moreWords, append([]string{"초과"}, upKorean...)...) || s.anyCue(from, to, riseWords, riseKorean...)
	down = s.anyCue(from, to, lessWords, append([]string{"모자", "못", "밑"}, downKorean...)...) || s.anyCue(from, to, fallWords, fallKorean...)
	return up, down
}

// pairs are the rows to compare, by table: those of the two names in the order of the
// comparison, or those of the name and of the row before and after it.
func (s *sentence) pairs(f *figure, r *referent) [][][2]int {
	out := make([][][2]int, len(s.checker.tables))
	group := s.groupIn(f)
	if len(group) < 2 && len(s.referents) >= 2 {
		group = nil
		for i := range s.referents {
			group = append(group, &s.referents[i])
		}
	}
	if len(group) == 1 && s.before != nil && len(s.before.referents) > 0 {
		if s.pronoun() || s.endsWith(group[0], "보다") {
			carried := s.fromBefore(s.before)
			group = []*referent{carried[len(carried)-1], group[0]}
		}
	}
	if len(group) == 0 && s.before != nil && len(s.before.referents) == 2 && (s.speaksOfTwo() || s.namesTheMove()) {
		group = s.fromBefore(s.before)
	}
	for i, t := range s.checker.tables {
		if len(group) > 2 && r != nil && r.isDate() && r.at >= f.to && r.at-f.to <= 1 {
			out[i] = s.neighbours(t, i, r)
			continue
		}
		if len(group) >= 2 && r != nil && r.isDate() && !s.hasAny(0, len(s.tokens), "than", "from", "versus", "vs", "compared", "over", "between", "against") && !s.comparesKorean(0, len(s.tokens)) && !s.anyCue(0, len(s.tokens), nil, "대비", "에서") {
			out[i] = append(out[i], s.neighbours(t, i, r)...)
		}
		if len(group) >= 2 {
			a, b := s.compared(group)
			for _, x := range a.rows[i] {
				for _, y := range b.rows[i] {
					if s.inOrder(t, a, b, x, y) {
						x, y = y, x
					}
					out[i] = append(out[i], [2]int{x, y})
				}
			}
			continue
		}
		out[i] = s.neighbours(t, i, r)
	}
	return out
}

// namesTheMove reports whether the sentence only gives another name to what the one before says
// of two moments: "That is growth of 49%".
func (s *sentence) namesTheMove() bool {
	return (s.foldAt(0) == "that" || s.foldAt(0) == "this") && s.hasAny(1, 4, "is", "was", "equals", "means", "amounts", "corresponds", "represents") && s.before.referents[0].isDate() && s.before.referents[1].isDate()
}

// inOrder reports whether two moments stand in the order of time and are not compared
// by words: the later one is then measured by the earlier.
func (s *sentence) inOrder(t *table, a, b *referent, x, y int) bool {
	if !a.parts[0].date || !b.parts[0].date || a.at > b.at || s.hasAny(a.to, b.at, "than", "over", "compared", "from", "versus", "vs", "trails", "trailed", "exceeds", "exceeded") || s.comparesKorean(a.at, b.to) {
		return false
	}
	order := t.inTime()
	return slices.Index(order, x) < slices.Index(order, y)
}

// neighbours compares a row of a series with the one before it, and without a name the
// last with the first.
func (s *sentence) neighbours(t *table, index int, r *referent) [][2]int {
	from, to := 0, len(s.tokens)
	series := slices.ContainsFunc(t.columns, func(c column) bool { return c.temporal })
	switch {
	case r != nil && t.rows == 2 && t.whole && len(r.rows[index]) == 1:
		return [][2]int{{r.rows[index][0], 1 - r.rows[index][0]}}
	case r != nil && series:
		order := t.inTime()
		for k := 1; k < len(order); k++ {
			if slices.Contains(r.rows[index], order[k]) && len(r.rows[index]) == 1 {
				return [][2]int{{order[k], order[k-1]}}
			}
		}
	case r == nil && t.whole && t.rows == 2:
		return [][2]int{{0, 1}, {1, 0}}
	case r == nil && t.whole && t.rows >= 2 && s.anyCue(from, to, nil, "최고", "최저", "최대", "최소", "가장"):
		return s.extremes(t)
	case r == nil && t.whole && t.rows >= 2 && s.hasAny(from, to, "between", "highest", "lowest", "top", "first", "second", "two", "range"):
		return s.extremes(t)
	case r == nil && t.whole && series && t.rows >= 2:
		order := t.inTime()
		return [][2]int{{order[len(order)-1], order[0]}}
	}
	return nil
}

// extremes pairs the largest and the smallest row, and the two largest ones, of each
// measure.
func (s *sentence) extremes(t *table) [][2]int {
	var out [][2]int
	topTwo := s.hasAny(0, len(s.tokens), "second", "two") || slices.ContainsFunc(s.figures, func(f figure) bool { return f.ordinal && f.amounts[0].value.Cmp(rat(2)) == 0 })
	for i := range t.columns {
		if c := &t.columns[i]; c.measure() {
			rows := t.all()
			slices.SortStableFunc(rows, func(a, b int) int { return cmpCells(c.cells[b], c.cells[a]) })
			if topTwo {
				out = append(out, [2]int{rows[0], rows[1]})
			} else {
				out = append(out, [2]int{rows[0], rows[len(rows)-1]})
			}
		}
	}
	return out
}

// inTime are the rows in the order of their first column of moments.
func (t *table) inTime() []int {
	rows := t.all()
	for i := range t.columns {
		if c := &t.columns[i]; c.temporal {
			slices.SortStableFunc(rows, func(a, b int) int { return comparePeriods(c.cells[a].period, c.cells[b].period) })
			break
		}
	}
	return rows
}

func comparePeriods(a, b *period) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	x := []int{a.year, a.quarter, a.month, a.day, a.hour, a.minute, a.second}
	return slices.Compare(x, []int{b.year, b.quarter, b.month, b.day, b.hour, b.minute, b.second})
}

// compared puts two names in the order of their comparison: what is measured, then by
// what. In "from A to B" that is B, then A.
func (s *sentence) compared(group []*referent) (a, b *referent) {
	a, b = group[0], group[1]
	switch {
	case s.hasAny(a.at-3, a.at, "ratio"):
		return a, b
	case s.foldAt(a.at-1) == "from" && s.hasAny(a.to, b.at, "to"), s.foldAt(b.at-1) == "to" && s.hasAny(a.to, b.at, "to"):
		return b, a
	case s.foldAt(a.at-1) == "to" && s.hasAny(b.at-1, b.at, "from"):
		return a, b
	case s.measuredByBefore(b), s.endsWith(a, "보다"), s.foldAt(a.at-1) == "than", s.foldAt(a.at-1) == "to" && s.foldAt(a.at-2) == "compared", s.endsWith(a, "에서") && s.endsWith(b, "으로", "로", "에"), s.endsWith(a, "대비"), s.foldAt(a.to) == "대비":
		return b, a
	}
	return a, b
}

func (s *sentence) endsWith(r *referent, endings ...string) bool {
	if r.to > len(s.tokens) {
		return false // it is carried from the sentence before
	}
	text := s.tokens[r.to-1].text
	if next := r.to; next < len(s.tokens) && s.tokens[next].hangul && !s.tokens[next].gap {
		text = s.tokens[next].text
	}
	return slices.ContainsFunc(endings, func(e string) bool { return len(text) >= len(e) && text[len(text)-len(e):] == e })
}

// crossedPairs are the rows of two values of one column that have the same in the other column of
// names: of the one that the sentence names, or of each where it says so; nil elsewhere.
func (s *sentence) crossedPairs(t *table, index int, a, b *referent) [][2]int {
	if !t.whole || t.dimensions() != 2 || len(a.columns) != 1 || !slices.Equal(a.columns, b.columns) {
		return nil
	}
	var scope []int
	for _, r := range s.refs {
		if !slices.Equal(r.columns, a.columns) && len(r.columns) == 1 && r.columns[0]/columnStride == index {
			scope = union(scope, r.rows[index])
		}
	}
	if scope == nil && (s.hasAny(0, len(s.tokens), "every", "each", "all") || s.anyCue(0, len(s.tokens), nil, "모든", "모두")) {
		scope = t.all()
	}
	other := slices.IndexFunc(t.columns, func(c column) bool { return !c.measure() && c.name != s.columnOf(a.columns[0]).name })
	own := func(r *referent) []int {
		for _, p := range s.refs {
			if p.at == r.parts[len(r.parts)-1].at || p.at >= r.at && p.to <= r.to && slices.Equal(p.columns, a.columns) {
				return p.rows[index]
			}
		}
		return r.rows[index]
	}
	var out [][2]int
	for _, x := range intersect(own(a), scope) {
		for _, y := range intersect(own(b), scope) {
			if v, w := t.columns[other].cells[x], t.columns[other].cells[y]; v.text != "" && v.text == w.text {
				out = append(out, [2]int{x, y})
			}
		}
	}
	return out
}

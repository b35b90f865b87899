package ground

import (
	"math/big"
	"slices"
	"strings"
)

// movesMost reports whether a name moved the most, where a superlative is of how much
// something moved: of the steps of a series from one moment to the next ("the biggest increase
// came in May"), of two like columns of different times ("A grew the most"), or of a column
// of changes. It is unknown where the words are of no movement, or nothing tells it.
func (s *sentence) movesMost(at int, group []*referent, by func(index, col int) bool) (ok, known bool) {
	m := s.moveOf(at)
	if m.up == 0 {
		return false, false
	}
	direction, _ := s.ordering(at, len(s.tokens))
	for index, t := range s.checker.tables {
		for _, c := range s.movements(t, m, func(col int) bool { return by(index, col) }) {
			known = m.direct
			names := group
			if c.steps {
				names = s.laterOf(t, index, group)
			}
			if len(names) > 0 && s.leads(t, c.sized(m.up), index, names, direction) {
				return true, true
			}
		}
	}
	return false, known
}

// workedOut are the columns that a clause speaks of around a token and that no table has as
// such: what two of its columns give, or how much one moved.
func (s *sentence) workedOut(t *table, at int) []*column {
	from, to := s.clauseSpan(at)
	list, _ := s.ofTwo(t, from, to)
	if m := s.moveOf(at); len(list) == 0 && m.up != 0 && (m.direct || m.relative && !m.absolute) {
		for _, c := range s.movements(t, m, func(int) bool { return true }) {
			if !c.steps {
				list = append(list, c.sized(m.up))
			}
		}
	}
	return list
}

// comparesTwo checks a comparison of what no column holds: "A has a higher rate than B", "A
// grew the most, ahead of B". It is unknown where the words speak of no such thing.
func (s *sentence) comparesTwo(a, b *referent, at, direction int) (ok, known bool) {
	for index, t := range s.checker.tables {
		if !t.whole || len(a.rows[index]) != 1 || len(b.rows[index]) != 1 {
			continue
		}
		for _, c := range s.workedOut(t, at) {
			if order, given := c.compare(a.rows[index][0], b.rows[index][0]); given {
				known, ok = true, ok || order == direction
			}
		}
	}
	return ok, known
}

// ranksWorkedOut reports whether a name has a place in what no column holds.
func (s *sentence) ranksWorkedOut(f *figure, r *referent, place, direction int) bool {
	if from, to := s.clauseSpan(f.at); s.inPlace(f) != nil && len(s.namesOf(from, to)) > 1 && s.anyCue(f.to, to, nil, gapKorean...) {
		return false // "2위 A와 3위 B의 차이" speaks of these rows, and of no two columns
	}
	return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		index := slices.Index(s.checker.tables, t)
		return t.whole && len(r.rows[index]) == 1 && slices.ContainsFunc(s.workedOut(t, f.at), func(c *column) bool {
			return c.cells[r.rows[index][0]].number != nil && c.ranks(r.rows[index][0], place, direction)
		})
	})
}

// isOfTwo checks a figure of what two columns give for a name, where the clause speaks of it.
func (s *sentence) isOfTwo(f *figure, r *referent) bool {
	if r == nil || f.ratio || f.ordinal {
		return false
	}
	from, to := s.clauseSpan(f.at)
	return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		index := slices.Index(s.checker.tables, t)
		if len(r.rows[index]) != 1 {
			return false
		}
		list, alone := s.ofTwo(t, from, to)
		return alone && slices.ContainsFunc(list, func(c *column) bool {
			n := c.cells[r.rows[index][0]].number
			if n != nil && f.percent {
				n = new(big.Rat).Mul(n, rat(100))
			}
			return n != nil && (f.percent && f.derivedShare(n) || !f.percent && f.derived(n))
		})
	})
}

// movement is a column of how much another moved.
type movement struct {
	column
	steps    bool // from one row of a series to the next
	relative bool // by what there was before
}

// movements are how much the measures of a table moved.
func (s *sentence) movements(t *table, m move, by func(col int) bool) []movement {
	var out []movement
	add := func(steps bool, give func(f func(a, b *big.Rat) *big.Rat) *column) {
		if m.absolute {
			out = append(out, movement{*give(minus), steps, false})
		}
		if m.relative {
			out = append(out, movement{*give(growth), steps, true})
		}
	}
	if !t.whole {
		return nil
	}
	for col := range t.columns {
		c := &t.columns[col]
		if !c.measure() {
			continue
		}
		if c.change {
			if c.share && m.relative || !c.share && m.absolute {
				out = append(out, movement{*c, false, c.share})
			}
			continue
		}
		if t.isSeries() && by(col) {
			add(true, func(f func(a, b *big.Rat) *big.Rat) *column { return t.steps(c, f) })
		}
		for o := range t.columns {
			if d := &t.columns[o]; o != col && d.isAfter(c) && c.isSibling(d) {
				add(false, func(f func(a, b *big.Rat) *big.Rat) *column { return d.with(c, f) })
			}
		}
	}
	return out
}

// isMove checks a figure beside a superlative of a movement: how much the name moved.
func (s *sentence) isMove(f *figure, r *referent) bool {
	from, to := s.clauseSpan(f.at)
	direction, at := s.ordering(from, to)
	if direction == 0 || r == nil || f.ratio || f.ordinal || f.hedge != exact && f.hedge != about {
		return false
	}
	m := s.moveOf(at)
	if m.up == 0 || !m.direct || f.minus && m.up > 0 || f.plus && m.up < 0 {
		return false
	}
	if up, _ := s.trend(s.span(f.at)); up == -m.up {
		return false
	}
	m.absolute, m.relative = !f.percent, f.percent
	for index, t := range s.checker.tables {
		for _, c := range s.movements(t, m, func(int) bool { return true }) {
			names := []*referent{r}
			if c.steps {
				names = s.laterOf(t, index, names)
			}
			for _, of := range names {
				for _, row := range of.rows[index] {
					n := c.sized(m.up).cells[row].number
					if n != nil && len(of.rows[index]) == 1 && (!f.percent && f.derived(n) || f.percent && (c.share && f.derivedShare(n) || !c.share && f.derivedShare(new(big.Rat).Mul(n, rat(100))))) {
						return true
					}
				}
			}
		}
	}
	return false
}

// move is how a clause says that something moved: up or down, and whether it may be
// measured by itself or by what there was before.
type move struct {
	up                 int
	absolute, relative bool
	direct             bool // the superlative is of the movement itself
}

// moveOf finds the words for a movement around a superlative: "the biggest increase", "grew
// the most", "증가 폭이 가장 컸던".
func (s *sentence) moveOf(at int) move {
	from, to := s.clauseSpan(at)
	var m move
	near := len(s.tokens)
	for i := from; i < to; i++ {
		up := boolInt(s.anyCue(i, i+1, riseWords, riseKorean...)) - boolInt(s.anyCue(i, i+1, fallWords, fallKorean...))
		off := max(i-at, at-i)
		if up == 0 || off > near || off > 10+6*boolInt(s.tokens[i].hangul) || i < at && s.hasAny(i+1, i+2, "to") {
			continue // "grew to its highest"
		}
		near, m.up, m.direct = off, up, s.isMoveAt(i, at)
	}
	growth := s.hasAny(from, to, "growth") || s.anyCue(from, to, nil, "성장")
	rate := s.hasAny(from, to, "rate", "percentage", "percent", "relative", "relatively", "proportionally", "proportion") || slices.ContainsFunc(s.tokens[from:to], func(t token) bool {
		return t.hangul && (strings.Contains(t.text, "율") || strings.Contains(t.text, "률"))
	})
	percents := slices.ContainsFunc(s.figures, func(f figure) bool { return f.percent && f.at >= from && f.at < to })
	m.absolute, m.relative = !rate, rate || percents || growth
	return m
}

// isMoveAt reports whether the superlative at a token is of the movement that the word at i
// speaks of: "the biggest increase", "grew the most", "증가 폭이 가장 큰", "가장 많이 늘었".
func (s *sentence) isMoveAt(i, at int) bool {
	if !s.tokens[i].hangul {
		return moveNouns[s.foldAt(i)] && i > at && i-at <= 2 || (s.foldAt(at) == "most" || s.foldAt(at) == "least") && at-i >= 1 && at-i <= 2 && !(s.is(at+1, word) && s.checker.isNoun(s.foldAt(at+1)))
	}
	if i > at {
		return i-at <= 3 && hasPrefix(s.foldAt(at), mostKorean...)
	}
	w := koreanStem(s.tokens[i].text)
	return hasSuffix(w, "폭", "액", "율", "률") || hasPrefix(s.foldAt(i+1), "폭")
}

// moveNouns are the nouns for a movement of which a superlative speaks.
var moveNouns = set("increase rise jump gain growth climb drop fall decline decrease reduction loss slump dip")

// isSeries reports whether a table has one row for each moment.
func (t *table) isSeries() bool {
	return t.rows > 2 && t.dimensions() == 1 && slices.ContainsFunc(t.columns, func(c column) bool { return c.temporal })
}

// laterOf are the names of the moments to which a series moved: of two that follow each other
// the later one, of one itself.
func (s *sentence) laterOf(t *table, index int, group []*referent) []*referent {
	g := group[0]
	from, to := s.clauseSpan(min(g.at, len(s.tokens)-1))
	var dates []*referent
	for _, r := range s.namesOf(from, to) {
		if len(r.rows[index]) == 1 && r.isDate() {
			dates = append(dates, r)
		}
	}
	if len(dates) == 2 && (s.hasAny(dates[0].at-1, dates[0].at, "between", "from") || s.hasAny(dates[0].at-2, dates[0].at, "between", "from") || s.endsWith(dates[0], "에서", "대비", "보다")) {
		order := t.inTime()
		if slices.Index(order, dates[0].rows[index][0])+1 != slices.Index(order, dates[1].rows[index][0]) {
			return nil
		}
		return dates[1:]
	}
	return group
}

// steps is a column of how much another moved from the moment before, by itself or by what
// there was then.
func (t *table) steps(c *column, give func(a, b *big.Rat) *big.Rat) *column {
	out := &column{numeric: true, cells: make([]cell, t.rows)}
	order := t.inTime()
	for i := range order {
		v := cell{null: true}
		if i > 0 {
			if a, b := c.cells[order[i]].exactly(), c.cells[order[i-1]].exactly(); a != nil && b != nil {
				if n := give(a, b); n != nil {
					v = cell{number: n}
				}
			}
		}
		out.cells[order[i]] = v
	}
	return out
}

// sized is a column of how large the numbers on one side of zero are.
func (c *column) sized(up int) *column {
	out := &column{numeric: true}
	for _, v := range c.cells {
		if v.number == nil || v.number.Sign() != up {
			out.cells = append(out.cells, cell{null: true})
			continue
		}
		out.cells = append(out.cells, cell{number: new(big.Rat).Abs(v.number)})
	}
	return out
}

// isAfter reports whether a column is of a later time than another, as their names say.
func (c *column) isAfter(o *column) bool {
	return c.year > o.year || c.year == o.year && c.month > o.month
}

func minus(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }

// growth is by what part of b a is more; nil where there is none.
func growth(a, b *big.Rat) *big.Rat {
	if b.Sign() == 0 {
		return nil
	}
	return new(big.Rat).Quo(minus(a, b), new(big.Rat).Abs(b))
}

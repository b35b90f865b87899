package ground

import (
	"math/big"
	"slices"
	"strings"
)

// Words for what two columns give: a quotient, a difference, or either.
var (
	quotientWords = set("ratio rate share proportion percentage")
	gapOfTwo      = set("difference gap open outstanding remaining unpaid spread")
	eitherWords   = set("margin")
	netWords      = set("net")
)

// byTwo ranks what two columns give in the way that the clause says: "the highest revenue
// per order", "the largest open difference".
func (s *sentence) byTwo(t *table, from, to int, holds func(*column) bool) bool {
	list, _ := s.ofTwo(t, from, to)
	return slices.ContainsFunc(list, holds)
}

// ofTwo are what two columns give in the way that a clause says; alone where no column of
// its own holds that, so that the clause can speak of nothing else.
func (s *sentence) ofTwo(t *table, from, to int) (list []*column, alone bool) {
	margin := (s.anyCue(from, to, eitherWords) || s.anyCue(from, to, nil, "마진")) && !s.namesMargin(t)
	gap := false
	for i := from; i < to; i++ { // but for "A와 B의 차이", which is of two rows
		gap = gap || s.anyCue(i, i+1, gapOfTwo) && s.foldAt(i+1) != "between" && s.namedBy(s.foldAt(i), nil) == nil || s.anyCue(i, i+1, nil, "차이", "빼", "뺀", "격차") && !s.isNameToken(i-1) && !(s.tokens[i].gap && s.isNameToken(i-2))
	}
	net := s.anyCue(from, to, netWords, "순증") && !slices.ContainsFunc(t.columns, func(c column) bool { return c.change })
	way := s.quotientAt(from, to)
	if way == perUnit && !s.hasAny(from, to, "per") && !s.endsPer(from, to) && slices.ContainsFunc(t.columns, func(c column) bool { return c.average }) {
		way = noQuotient // the average is a column of its own
	}
	alone = margin || way != noQuotient
	for x := range t.columns {
		for y := range t.columns {
			a, b := &t.columns[x], &t.columns[y]
			alone = alone && !(a.measure() && (a.average || a.share))
			switch {
			case x == y || !a.measure() || !b.measure():
				continue
			case margin && a.isWithin(b) && a.change:
				list = append(list, a.with(b, quotient)) // profit of sales
			case margin && a.isWithin(b):
				list = append(list, b.with(a, minus), b.with(a, growth)) // price without cost
			case way != noQuotient && !b.change && s.dividesBy(t, x, y, from, to, way):
				list = append(list, a.with(b, quotient))
			}
			if gap && !a.change && !b.change {
				list = append(list, a.with(b, minus))
			}
			if net && !a.change && !b.change && a.wholes == b.wholes && t.measures() == 2 && a.sum(t.all()).Cmp(b.sum(t.all())) >= 0 {
				list, alone = append(list, a.with(b, minus)), true
			}
		}
	}
	return list, alone && len(list) > 0
}

// The ways in which words measure one column by another.
const (
	noQuotient = iota
	partOfWhole
	perUnit
)

// quotientAt is how a clause measures one column by another: as a part of it, "the highest
// subscription rate", "구독률", or by each of it, "revenue per order", "건당", "on average".
func (s *sentence) quotientAt(from, to int) int {
	switch {
	case s.namesQuotient(from, to):
		return noQuotient
	case s.hasAny(from, to, "per") || s.endsPer(from, to), s.hasAny(from, to, "average", "averages") || s.anyCue(from, to, nil, "평균"):
		return perUnit
	case s.anyCue(from, to, quotientWords), s.onItsOwn(from, to) >= 0, slices.ContainsFunc(s.tokens[from:to], func(t token) bool {
		return t.hangul && hasSuffix(koreanStem(t.text), "율", "률", "비중")
	}):
		return partOfWhole
	}
	return noQuotient
}

// namesQuotient reports whether a clause has the whole name of a column that is one by the other
// itself: residents_per_officer.
func (s *sentence) namesQuotient(from, to int) bool {
	return s.hasAny(from, to, "per") && slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return t.anyMeasure(func(c *column) bool {
			return slices.Contains(c.words, "per") && !slices.ContainsFunc(c.words, func(w string) bool { return !s.saysWord(w, from, to) })
		})
	})
}

// dividesBy reports whether a clause measures the first column by the second: "revenue per
// order", "1인당 매출". Where it names neither, these are the only two: a part and its whole, or
// an amount and how many there are.
func (s *sentence) dividesBy(t *table, x, y, from, to, way int) bool {
	a, b := &t.columns[x], &t.columns[y]
	if a.average || b.average || a.share || b.share || b.isOfMoney(a) {
		return false
	}
	if way == partOfWhole && !a.isWithin(b) {
		return false
	}
	for i := from; i+1 < to && way == perUnit; i++ {
		next := s.namedBy(koreanStem(s.foldAt(i+1)), nil)
		switch {
		case s.foldAt(i) == "per" && next != nil:
			return next[s.idOf(t, y)] && s.mayDivide(t, x, y, from, to)
		case s.tokens[i].hangul && hasSuffix(s.tokens[i].text, "당") && next != nil && t.measures() > 2:
			return next[s.idOf(t, x)]
		}
	}
	if on := s.onItsOwn(from, to); on >= 0 {
		return s.namedBy(s.foldAt(on), nil)[s.idOf(t, y)]
	}
	if t.measures() == 2 {
		return way == partOfWhole || b.wholes
	}
	first := func(col int) int {
		id := s.idOf(t, col)
		return slices.IndexFunc(s.tokens[from:to], func(t token) bool { return s.namedBy(koreanStem(t.fold), nil)[id] })
	}
	u, v := first(x), first(y)
	return u >= 0 && v > u || way == partOfWhole && a.wholes && b.wholes && !a.change && !b.change && s.ratesOf(t, x, from, to)
}

// ratesOf reports whether a clause names a rate of a column, and no other column by which it could be
// measured: "return rate", 반품률.
func (s *sentence) ratesOf(t *table, x, from, to int) bool {
	id := s.idOf(t, x)
	for i := from; i < to; i++ {
		w := koreanStem(s.foldAt(i))
		of := quotientWords[w] && i > from && s.namedBy(s.foldAt(i-1), nil)[id] || isHangul(w) && hasSuffix(w, "률", "율") && s.namedBy(strings.TrimRight(w, "률율"), nil)[id]
		if of {
			return !slices.ContainsFunc(t.columns, func(c column) bool { return c.share })
		}
	}
	return false
}

// mayDivide reports whether a clause names a measure, or none but the one by which it is divided.
func (s *sentence) mayDivide(t *table, x, y, from, to int) bool {
	named := map[int]bool{}
	for _, w := range s.tokens[from:to] {
		if w.kind == word {
			for id := range s.namedBy(koreanStem(w.fold), nil) {
				named[id] = true
			}
		}
	}
	delete(named, s.idOf(t, y))
	return len(named) == 0 || named[s.idOf(t, x)]
}

// onItsOwn is the noun by which a clause measures another: "earns the least on its sales"; -1
// where there is none.
func (s *sentence) onItsOwn(from, to int) int {
	for i := from; i+2 < to; i++ {
		if s.foldAt(i) == "on" && s.hasAny(i+1, i+2, "its", "their") && s.namedBy(s.foldAt(i+2), nil) != nil {
			return i + 2
		}
	}
	return -1
}

// isOfMoney reports whether a column has amounts, and another one counts: of these the first
// is measured by the second, and not the other way round.
func (c *column) isOfMoney(o *column) bool {
	return !c.wholes && o.wholes || c.amount && !o.amount && o.wholes
}

// isWithin reports whether a column is nowhere more than another, as a part is.
func (c *column) isWithin(o *column) bool {
	for row := range c.cells {
		if a, b := c.cells[row].number, o.cells[row].number; a != nil && b != nil && a.Cmp(b) > 0 {
			return false
		}
	}
	return true
}

// measures is how many columns of measures there are.
func (t *table) measures() int {
	n := 0
	for col := range t.columns {
		n += boolInt(t.columns[col].measure())
	}
	return n
}

// quotient is a by b; nil where there is none.
func quotient(a, b *big.Rat) *big.Rat {
	if b.Sign() == 0 {
		return nil
	}
	return new(big.Rat).Quo(a, b)
}

// endsPer reports whether a Korean word of the clause says "per": 1인당, 건당.
func (s *sentence) endsPer(from, to int) bool {
	return slices.ContainsFunc(s.tokens[from:to], func(t token) bool { return t.hangul && hasSuffix(t.text, "당") && len(t.text) <= len("인원당") })
}

// namesMargin reports whether a table has a column of margins of its own.
func (s *sentence) namesMargin(t *table) bool {
	return slices.ContainsFunc(t.columns, func(c column) bool { return slices.Contains(c.words, "margin") || hasPrefix(c.name, "마진") })
}

func (s *sentence) idOf(t *table, col int) int {
	return slices.Index(s.checker.tables, t)*columnStride + col
}

// with is a column of what two give.
func (c *column) with(o *column, give func(a, b *big.Rat) *big.Rat) *column {
	out := &column{numeric: true}
	for row := range c.cells {
		v := cell{null: true}
		if a, b := c.cells[row].exactly(), o.cells[row].exactly(); a != nil && b != nil {
			if n := give(a, b); n != nil {
				v = cell{number: n}
			}
		}
		out.cells = append(out.cells, v)
	}
	return out
}

package ground

import (
	"math/big"
	"slices"
	"strings"
)

// checkMajorities checks that what is said of most is said of more than half: "most
// customers live in A".
func (s *sentence) checkMajorities() {
	for i, t := range s.tokens {
		from, to := s.clauseSpan(i)
		most := t.fold == "most" && (i == from || s.foldAt(i-1) == ",") && s.countsMost(i, to) || t.fold == "majority" || t.hangul && hasPrefix(t.text, "대부분", "대다수", "과반")
		if s.taken[i] || !most || len(s.figures) > 0 || s.speaksOfTheResult(i) || s.hasAny(i, to, "such", "including", "like") {
			continue
		}
		names := s.namesOf(from, to)
		if len(names) > 0 && !s.holdsMost(names) {
			s.violate(i, i+1, "it is not more than half")
		}
	}
}

// countsMost tells "most orders are from A" from a superlative: "most common reason", "most
// orders: A", and, where no verb follows, "most orders in A".
func (s *sentence) countsMost(i, to int) bool {
	w := s.foldAt(i + 1)
	if s.foldAt(i+2) == ":" || !s.is(i+1, word) || s.isNameToken(i+1) || w != "of" && w != "people" && !strings.HasSuffix(w, "s") {
		return false
	}
	title := s.is(i+2, word) && s.hasAny(i+2, i+3, "in", "from", "at", "for", "on", "by", "with", "about") && s.isNameToken(i+3)
	if !title {
		return true
	}
	for k := i + 3; k < to; k++ {
		if s.tokens[k].kind == word && !s.taken[k] && !stopWords[s.foldAt(k)] {
			return true
		}
	}
	return false
}

// holdsMost reports whether the rows of names have more than half of a column, or are
// more than half of the rows.
func (s *sentence) holdsMost(names []*referent) bool {
	for index, t := range s.checker.tables {
		if !t.whole || t.rows == 0 {
			continue
		}
		var rows []int
		for _, r := range names {
			rows = union(rows, r.rows[index])
		}
		if 2*len(rows) > t.rows {
			return true
		}
		for col := range t.columns {
			c := &t.columns[col]
			if !c.measure() || c.average || c.change || len(rows) == 0 {
				continue
			}
			if part, all := c.sum(rows), c.sum(t.all()); part != nil && all != nil && new(big.Rat).Mul(part, rat(2)).Cmp(all) > 0 {
				return true
			}
		}
	}
	return false
}

// oneBound is the one bound among the figures of tokens from..to: 3,000 of "only 2023 exceeded
// 3,000 (4,105)"; nil for none or several.
func (s *sentence) oneBound(from, to int) *figure {
	var out *figure
	for _, f := range s.figuresIn(from, to) {
		if !f.isBound() {
			continue
		}
		if out != nil {
			return nil
		}
		out = f
	}
	return out
}

// checkOnly checks that the names of a clause with "only" are all that have its figure:
// "A and B are the only countries with fewer than 80".
func (s *sentence) checkOnly() {
	for i, t := range s.tokens {
		only := t.fold == "only" && (s.nameSoon(i+1) || s.foldAt(i-1) == "the") || t.fold == "alone" && !s.takesPart(i) || t.hangul && hasPrefix(t.text, "유일", "오직")
		if (s.taken[i] || !only) && !s.saysNoOther(i) || s.speaksOfShown() {
			continue
		}
		from, to := s.clauseSpan(i)
		f, names := s.oneFigure(from, to), s.namesOf(from, to)
		if f == nil {
			f = s.oneBound(i, to)
		}
		if f == nil && len(names) > 0 && t.fold != "alone" && s.otherMoves(from, to, names) {
			s.violate(i, i+1, "other rows have this, too")
		}
		if f == nil || len(names) == 0 || f.ordinal || f.ratio || len(f.amounts) == 0 || f.hedge == about || f.hedge == exact && !s.describes(f) && (s.saysNoOther(i) || s.inBrackets(f.at) || s.counts(f) == countsRows) {
			continue
		}
		side := *f
		if f.hedge == exact && s.anyCue(from, f.at, meanWords) { // "only A is above the average of 9"
			side.hedge = [3]hedge{under, exact, over}[1+boolInt(s.hasAny(from, f.at, "above", "exceeds", "over"))-boolInt(s.hasAny(from, f.at, "below", "under"))]
		}
		if f.hedge == exact {
			side.hedge = s.beyond(f) // "only A and B reach 50%"
		}
		f = &side
		if !s.each(f, func(t *table, index int, c *column) bool {
			var rows []int
			for _, r := range names {
				rows = union(rows, r.rows[index])
			}
			has := func(row int) bool { n := f.told(c, c.cells[row]); return n != nil && f.bounds(n) }
			return t.whole && len(rows) > 0 && !slices.ContainsFunc(t.all(), func(row int) bool { return has(row) != slices.Contains(rows, row) })
		}) {
			s.violate(i, i+1, "other rows have this, too, or it cannot be told")
		}
	}
}

// takesPart tells "A alone makes up 40%", which says no more than A does, from "A alone has
// more than 40".
func (s *sentence) takesPart(i int) bool {
	from, to := s.clauseSpan(i)
	f := s.oneFigure(from, to)
	return f != nil && f.at > i && f.hedge == exact
}

// nameSoon reports whether a name stands at a token or behind a noun for what it is and
// quotes: "only the reason "too small"".
func (s *sentence) nameSoon(i int) bool {
	for k := i; k < min(i+4, len(s.tokens)); k++ {
		switch {
		case s.isNameToken(k):
			return true
		case s.foldAt(k) != "the" && !(k == i && s.hasAny(k, k+1, "in", "at", "on", "for")) && s.tokens[k].kind == word && !s.isRowNoun(s.foldAt(k)), s.figureAtToken(k):
			return false
		}
	}
	return false
}

// describes reports whether a Korean figure says what the rows have that are named: "9명인
// 매장", "두 곳 있는 나라".
func (s *sentence) describes(f *figure) bool {
	at := f.to
	glued := f.rest
	if glued == "" {
		glued = s.foldAt(at)
		at++
	}
	return isHangul(glued) && (hasSuffix(glued, "인") || hasPrefix(s.foldAt(at), "있는", "가진"))
}

// otherMoves reports whether more rows of a column of changes rose, or fell, than a clause
// names as the only ones.
func (s *sentence) otherMoves(from, to int, names []*referent) bool {
	up := boolInt(s.anyCue(from, to, riseWords, riseKorean...)) - boolInt(s.anyCue(from, to, fallWords, fallKorean...))
	if up == 0 {
		return false
	}
	for index, t := range s.checker.tables {
		for col := range t.columns {
			if c := &t.columns[col]; c.change && c.measure() && t.whole && t.rows > 1 {
				var rows []int
				for _, r := range names {
					rows = union(rows, r.rows[index])
				}
				return len(rows) > 0 && c.signed(up) > int64(len(rows))
			}
		}
	}
	return s.othersMoved(from, to, up, names)
}

// othersMoved reports whether in each measure of a series of which a clause may speak, the steps
// that rose, or fell, are not those to the moments that it names.
func (s *sentence) othersMoved(from, to, up int, names []*referent) bool {
	_, at := s.trend(from, to)
	known := false
	ok := s.each(&figure{at: at, to: at + 1}, func(t *table, index int, c *column) bool {
		if !t.whole || !c.measure() || c.key || c.change || t.dimensions() > 1 || !t.isInTime() {
			return false
		}
		var named, moved []int
		for _, r := range names {
			if !r.isDate() || len(r.rows[index]) != 1 {
				return false
			}
			named = union(named, r.rows[index])
		}
		known = true
		order := t.inTime()
		for i := 1; i < len(order); i++ {
			if c.moves(order, i, up) {
				moved = union(moved, order[i:i+1])
			}
		}
		return slices.Equal(named, moved)
	})
	return known && !ok
}

// movedIn is how often the one measure of a series rose from one moment to the next, or fell for
// up < 0; 0 where there is no such series.
func (t *table) movedIn(up int) int {
	at := slices.IndexFunc(t.columns, func(c column) bool { return c.measure() })
	if !t.whole || at < 0 || t.dimensions() != 1 || len(t.columns) != 2 || !slices.ContainsFunc(t.columns, func(c column) bool { return c.temporal }) {
		return 0
	}
	n, order := 0, t.inTime()
	for i := 1; i < len(order); i++ {
		n += boolInt(t.columns[at].moves(order, i, up))
	}
	return n
}

// saysNoOther reports whether a Korean ending says of a name that no other has this:
// "독일만", "독일뿐".
func (s *sentence) saysNoOther(i int) bool {
	t := s.tokens[i]
	if s.closesAt(i) && s.is(i-1, word) && s.isNameToken(i-1) || s.closesAt(i) && s.is(i-2, word) && s.isNameToken(i-2) && (s.foldAt(i-1) == "\"" || s.foldAt(i-1) == "'") {
		return true // "독일 지점뿐입니다"
	}
	return t.hangul && (s.isNameToken(i) && (hasSuffix(t.text, "만") || strings.Contains(t.text, "뿐")) || !t.gap && s.isNameToken(i-1) && (t.text == "만" || hasPrefix(t.text, "뿐")))
}

func (s *sentence) speaksOfShown() bool {
	return s.hasAny(0, len(s.tokens), "shown", "displayed", "listed", "preview", "visible")
}

func (s *sentence) namesOf(from, to int) []*referent {
	var names []*referent
	for k := range s.referents {
		if r := &s.referents[k]; r.at >= from && r.at < to {
			names = append(names, r)
		}
	}
	return names
}

// oneFigure is the figure of a part of a sentence that has one.
func (s *sentence) oneFigure(from, to int) *figure {
	var one *figure
	for k := range s.figures {
		if f := &s.figures[k]; f.at >= from && f.at < to {
			if one != nil {
				return nil
			}
			one = f
		}
	}
	return one
}

// checkEach checks that what several names are said to have each is had by each of them,
// and is not their sum.
func (s *sentence) checkEach() {
	for i, t := range s.tokens {
		each := t.fold == "each" && s.foldAt(i+1) != "of" || t.hangul && hasPrefix(t.text, "각각", "각자")
		if s.taken[i] || !each {
			continue
		}
		from, to := s.clauseSpan(i)
		f, names := s.oneFigure(from, to), s.namesOf(from, to)
		if f == nil || len(names) < 2 || f.percent || f.ordinal || f.ratio || len(f.amounts) == 0 || i < names[len(names)-1].to {
			continue
		}
		if n, ok := f.count(); ok && !slices.ContainsFunc(names, func(r *referent) bool { return !s.hasRows(r, n) }) {
			continue
		}
		if !s.each(f, func(_ *table, index int, c *column) bool {
			return !slices.ContainsFunc(names, func(r *referent) bool {
				return !slices.ContainsFunc(r.rows[index], func(row int) bool {
					return len(r.rows[index]) > 1 && f.amounts[0].value.Cmp(rat(int64(len(r.rows[index])))) == 0 || s.saysCell(f, c, c.cells[row], equalsCell) || c.cells[row].number != nil && f.hedge != exact && f.bounds(c.cells[row].number)
				})
			})
		}) {
			s.violate(f.at, f.to, "not each of the names has this")
		}
	}
}

// hasRows reports whether so many rows have a name.
func (s *sentence) hasRows(r *referent, n int64) bool {
	for i, t := range s.checker.tables {
		if t.whole && t.dimensions() > 1 && int64(len(r.rows[i])) == n {
			return true
		}
	}
	return false
}

// wholeWords say of a list that nothing is missing from it.
var wholeWords = set("complete full exhaustive entire whole")

// checkWhole refuses what only the whole result could tell, where a part of it was seen:
// that the list is complete, and which row is the first or the last of all.
func (s *sentence) checkWhole() {
	if s.checker.incomplete || !s.checker.partial() {
		return
	}
	for i, t := range s.tokens {
		if s.taken[i] {
			continue
		}
		list := wholeWords[t.fold] && !slices.ContainsFunc(s.figures, func(f figure) bool { return s.countsAll(&f) }) && (s.hasAny(i+1, i+3, "list", "result", "set", "answer", "table") || s.foldAt(i-1) == "is" && s.hasAny(i-2, i-1, "list", "result", "answer", "table", "this", "that")) && !s.hasAny(0, i, "not", "for", "see") || t.hangul && hasPrefix(t.text, "전체") && hasPrefix(s.foldAt(i+1), "목록입", "명단입")
		first := (t.fold == "first" || t.fold == "last" || t.fold == "latest" || t.fold == "earliest" || t.fold == "newest") && s.isNotOfShown(i) || t.hangul && hasPrefix(t.text, "마지막") && !s.speaksOfTheResult(i) && !s.checker.asks(nil, "마지막") && len(s.refs) > 0 && s.is(i+1, word)
		if age := s.ageAt(i); age != 0 && s.checker.ordersAges(age) {
			first = false // checkAges looks at these
		}
		if list || first {
			s.violate(i, i+1, "not all rows were seen, so this cannot be said")
		}
	}
}

// isNotOfShown reports whether a first or last one is that of all rows: it joined, or is
// a name, and nothing says that it is the first of those shown.
func (s *sentence) isNotOfShown(i int) bool {
	one := s.foldAt(i) == "first" && s.hasAny(i+1, i+2, "one", "row", "entry")
	if !one && (s.speaksOfTheResult(i) || s.checker.asks(set(s.foldAt(i)), s.foldAt(i))) || len(s.refs) == 0 {
		return false
	}
	if s.foldAt(i-1) == "the" && s.foldAt(i) != "first" && s.foldAt(i) != "earliest" && !s.is(i+1, number) && slices.ContainsFunc(s.refs, func(r ref) bool { return r.at > i+1 && s.hasAny(i+1, r.at, "is", "was") && !s.hasAny(i+1, r.at, ",") }) {
		return true
	}
	if one && !slices.ContainsFunc(s.refs, func(r ref) bool {
		return !slices.ContainsFunc(r.rows, func(rows []int) bool { return slices.Contains(rows, 0) })
	}) {
		return false // the rows have an order
	}
	if s.hasAny(i+1, i+2, "to", "of", "joined", "is", "was", "one") {
		return true
	}
	return s.hasAny(i-1, i, "is", "was", "comes", "came", "joined") && !s.is(i+1, word)
}

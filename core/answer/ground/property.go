package ground

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// hasProperty reports whether so many rows have a property of which the sentence speaks. One
// in the figure's part of the sentence decides, and a bound in its clause.
func (k *tally) hasProperty() (matched, decided bool) {
	if !k.t.whole {
		return false, false
	}
	s := k.s
	from, to := s.span(k.f.at)
	first, last := s.clauseSpan(k.f.at)
	scope := k.scope(first, from)
	for level, at := range [][2]int{{from, s.joinedTo(from, to)}, {first, last}, {0, len(s.tokens)}} {
		bounds := k.bounded(at[0], at[1])
		strong := slices.Concat(bounds, k.valued(at[0], at[1]), k.flagged(at[0], at[1]), k.dated(at[0], at[1]))
		sets := append(slices.Clone(strong), k.shared(strong), joinRows(strong))
		if len(strong) == 0 {
			sets = k.hinted(at[0], at[1])
		}
		for _, rows := range sets {
			if rows = intersect(rows, scope); k.size(rows) == k.n {
				k.rows = rows
				return true, true
			}
		}
		if len(strong) > 0 && level == 0 || len(bounds) > 0 && level == 1 {
			return false, true
		}
	}
	return false, false
}

// joinedTo is where the names end that are joined to the last one of tokens from..to: "in
// 2015 and 2016".
func (s *sentence) joinedTo(from, to int) int {
	for i := 1; i < len(s.refs); i++ {
		if a, b := s.refs[i-1], s.refs[i]; a.at >= from && a.at < to && b.at >= to && slices.Equal(a.columns, b.columns) && s.coordinated(a.to, b.at) {
			to = b.to
		}
	}
	return to
}

// scope are the rows of which the clause speaks before the figure's part: "In 2024, two".
func (k *tally) scope(first, from int) []int {
	rows := k.t.all()
	if slices.ContainsFunc(k.s.figures[:k.i], func(g figure) bool { return g.at >= first }) {
		return rows
	}
	for _, set := range k.valued(first, from) {
		if both := intersect(rows, set); len(set) > 1 && len(both) > 0 {
			rows = both
		}
	}
	return rows
}

// isMiscounted reports whether a bound beside a count is one that other many rows keep.
func (s *sentence) isMiscounted(i int) bool {
	from, to := s.span(s.figures[i].at)
	list := s.tallies(i)
	f := &s.figures[i]
	besides := s.hasAny(0, f.at, "besides", "apart", "beyond")
	if !besides && s.hasAny(f.to, f.to+1, "more", "further", "additional", "others") {
		return false
	}
	left := besides && s.hasAny(f.to, f.to+1, "more", "further", "additional", "others") || s.hasAny(f.at-1, f.at, "other", "remaining") || hasPrefix(s.foldAt(f.at-1), "나머지")
	return len(list) > 0 && !slices.ContainsFunc(list, func(k *tally) bool {
		if left && k.t.whole && k.kind == countsRows {
			return k.isRest()
		}
		if !k.t.whole || len(k.bounded(from, to)) == 0 && len(k.valued(f.to, f.to+1)) == 0 || k.kind == countsOther || k.isAmong() || k.isLeft() || k.isFirst() {
			return true
		}
		matched, _ := k.hasProperty()
		return matched
	})
}

// isScoped reports whether the clause speaks of some rows only, before the figure's part.
func (s *sentence) isScoped(i int) bool {
	first, _ := s.clauseSpan(s.figures[i].at)
	from, _ := s.span(s.figures[i].at)
	return slices.ContainsFunc(s.tallies(i), func(k *tally) bool { return len(k.scope(first, from)) < k.t.rows })
}

// size is how many rows there are, or how many values of the column that the noun names,
// where it has some twice.
func (k *tally) size(rows []int) int64 {
	for col := range k.t.columns {
		c := &k.t.columns[col]
		if c.measure() || !k.nounNames(c) {
			continue
		}
		only := column{}
		for _, row := range rows {
			only.cells = append(only.cells, c.cells[row])
		}
		if c.values() < int64(k.t.rows) && slices.ContainsFunc(k.t.columns, func(o column) bool { return o.measure() }) {
			return only.values()
		}
	}
	return int64(len(rows))
}

// shared are the rows that all sets have.
func (k *tally) shared(sets [][]int) []int {
	rows := k.t.all()
	for _, have := range sets {
		rows = intersect(rows, have)
	}
	return rows
}

// bounded are the rows that are on the side of a bound in tokens from..to.
func (k *tally) bounded(from, to int) [][]int {
	var out [][]int
	for i := range k.s.figures {
		g := &k.s.figures[i]
		if i == k.i || g.at < from || g.at >= to || len(g.amounts) == 0 || g.hedge == exact || g.hedge == about || k.s.isSpread(g) || g.percent || g.ordinal || g.ratio {
			continue
		}
		out = append(out, k.rowsWith(g)...)
	}
	return out
}

// rowsWith are the rows that a figure bounds, or has, in each column that it may be in.
func (k *tally) rowsWith(g *figure) [][]int {
	var out [][]int
	k.s.each(g, func(t *table, index int, c *column) bool {
		if index == k.index && !c.key {
			out = append(out, c.rowsWith(g, nil))
			if c.worth != nil {
				out = append(out, c.rowsWith(g, c.worth))
			}
		}
		return false
	})
	return out
}

// rowsWith are the rows whose number, times scale, a figure bounds or has.
func (c *column) rowsWith(g *figure, scale *big.Rat) []int {
	var rows []int
	for row, v := range c.cells {
		n := v.number
		if n != nil && scale != nil {
			n = new(big.Rat).Mul(n, scale)
		}
		if n != nil && (g.hedge != exact && g.bounds(n) || g.hedge == exact && v.equal(g, scale)) {
			rows = append(rows, row)
		}
	}
	return rows
}

// valued are the rows of the values and the moments that are named in tokens from..to,
// where these are no names of single rows.
func (k *tally) valued(from, to int) [][]int {
	s := k.s
	var out [][]int
	for _, r := range s.refs {
		rows := r.rows[k.index]
		if r.at < from || r.at >= to || r.date && s.yearSide(r.at) != 0 || len(rows) == 0 || len(rows) == k.t.rows || len(rows) == 1 && k.isLabel(r) {
			continue
		}
		if k.excludes(r.at) {
			rows = slices.DeleteFunc(k.t.all(), func(row int) bool { return slices.Contains(rows, row) })
		}
		out = append(out, rows)
	}
	return out
}

// flagged are the rows of which a column of true and false has what tokens from..to say.
func (k *tally) flagged(from, to int) [][]int {
	for i := from; i < to; i++ {
		b, truth := k.s.boolAt(i)
		if b == nil || b.table != k.index {
			continue
		}
		var rows []int
		for row, v := range k.t.columns[b.column].cells {
			if !v.null && (v.text == "true") == truth {
				rows = append(rows, row)
			}
		}
		return [][]int{rows}
	}
	return nil
}

// dated are the rows whose moment is before or after a year of tokens from..to.
func (k *tally) dated(from, to int) [][]int {
	s := k.s
	out := k.datedIn(from, to)
	for i := from; i < to; i++ {
		if !s.is(i, number) || len(s.tokens[i].text) != 4 {
			continue
		}
		year, err := strconv.Atoi(s.tokens[i].text)
		side := s.yearSide(i)
		if err != nil || side == 0 {
			continue
		}
		for col := range k.t.columns {
			if c := &k.t.columns[col]; c.temporal && s.mayMean(c, k.t) {
				out = append(out, c.besides(year, side))
			}
		}
	}
	return out
}

// datedIn are the rows of the dates of tokens from..to in the one column of moments, of several,
// that the sentence names: "hired in 2025" of those who left in it.
func (k *tally) datedIn(from, to int) [][]int {
	s := k.s
	var out [][]int
	for _, d := range s.dates {
		if d.at < from || d.at >= to || k.t.moments() < 2 || s.yearSide(d.at) != 0 {
			continue
		}
		var named []*column
		for col := range k.t.columns {
			if c := &k.t.columns[col]; c.temporal && s.saysColumn(c, k.t, 0, len(s.tokens)) {
				named = append(named, c)
			}
		}
		if len(named) == 1 {
			out = append(out, named[0].inPeriod(d.readings, s.checker.years))
		}
	}
	return out
}

// yearSide is on which side of a year something is said to lie: 2 from it on, 1 after it, -1
// before it, 0 where nothing says so.
func (s *sentence) yearSide(i int) int {
	next := s.foldAt(i+1) + " " + s.foldAt(i+2)
	switch before := s.foldAt(i - 1); {
	case before == "after":
		return 1
	case before == "since", strings.Contains(next, "이후"), strings.Contains(next, "부터"), strings.Contains(next, "or later"):
		return 2
	case before == "before", strings.Contains(next, "이전"), strings.Contains(next, "년 전"):
		return -1
	}
	return 0
}

// besides are the rows whose moment lies on a side of a year.
func (c *column) besides(year, side int) []int {
	var rows []int
	for row, v := range c.cells {
		if p := v.period; p != nil && p.year != 0 && (side > 0 && p.year > year || side == 2 && p.year == year || side < 0 && p.year < year) {
			rows = append(rows, row)
		}
	}
	return rows
}

// isLabel reports whether a name is that of a row, and not a value that rows may share:
// it stands in a column with no value twice.
func (k *tally) isLabel(r ref) bool {
	return slices.ContainsFunc(r.columns, func(id int) bool {
		if id/columnStride != k.index {
			return false
		}
		c := &k.t.columns[id%columnStride]
		filled := 0
		for _, v := range c.cells {
			filled += boolInt(!v.null)
		}
		return int(c.values()) == filled
	})
}

// excludes reports whether a value is what the counted rows do not have.
func (k *tally) excludes(at int) bool {
	return k.s.hasAny(at-3, at, "not", "outside", "without", "except", "other", "than") && !k.s.hasAny(at-3, at, "more", "fewer", "less") || k.s.denied(at)
}

// hinted are rows of which words of tokens from..to may speak: those with a word in a
// text, with a number, without a value.
func (k *tally) hinted(from, to int) [][]int {
	s := k.s
	var out [][]int
	for i := range s.figures {
		g := &s.figures[i]
		if i != k.i && g.at >= from && g.at < to && len(g.amounts) > 0 && g.hedge == exact && !g.percent && !g.ordinal && !g.ratio && s.relates(k.f, g) {
			out = append(out, k.rowsWith(g)...)
		}
	}
	for i := from; i < to; i++ {
		if s.foldAt(i) == "single" {
			out = append(out, k.rowsWith(&figure{at: i, to: i + 1, amounts: whole(1)})...)
		}
		if rows := k.rowsWithWord(i); len(rows) > 0 && len(rows) < k.t.rows {
			out = append(out, rows)
		}
	}
	return slices.Concat(out, k.unset(from, to), k.compared(from, to))
}

// compared are the rows that have more in one column than in another, or less, as tokens
// from..to say of the two that they name: "수입이 제작비를 넘은 것".
func (k *tally) compared(from, to int) [][]int {
	s := k.s
	more := s.hasAny(from, to, "exceeds", "exceed", "exceeded", "above", "more", "higher", "larger") || s.anyCue(from, to, nil, "넘", "웃", "많", "높", "큰", "초과")
	less := s.hasAny(from, to, "below", "less", "fewer", "lower", "smaller") || s.anyCue(from, to, nil, "못", "밑", "적", "낮", "작", "미만")
	var named []*column
	for i := from; i < to && more != less; i++ {
		columns := s.namedBy(koreanStem(s.foldAt(i)), nil)
		for id := range columns {
			if c := &s.checker.tables[id/columnStride].columns[id%columnStride]; len(columns) == 1 && id/columnStride == k.index && c.measure() && !slices.Contains(named, c) {
				named = append(named, c)
			}
		}
	}
	if len(named) != 2 {
		return nil
	}
	var rows []int
	for row := range k.t.rows {
		a, b := named[0].inUnits(row), named[1].inUnits(row)
		if a != nil && b != nil && a.Cmp(b) == boolInt(more)-boolInt(less) {
			rows = append(rows, row)
		}
	}
	return [][]int{rows}
}

// inUnits is the number of a cell in the unit that the column's name counts in.
func (c *column) inUnits(row int) *big.Rat {
	n := c.cells[row].exactly()
	if n == nil || c.worth == nil {
		return n
	}
	return new(big.Rat).Mul(n, c.worth)
}

// rowsWithWord are the rows of which a text has the word at i.
func (k *tally) rowsWithWord(i int) []int {
	s := k.s
	t := s.tokens[i]
	w := t.fold
	if s.taken[i] || t.kind != word || stopWords[w] || utf8.RuneCountInString(w) < 2 || s.checker.inColumns(koreanStem(w)) {
		return nil
	}
	var rows []int
	for row := range k.t.rows {
		if slices.ContainsFunc(k.t.columns, func(c column) bool {
			return !c.numeric && !c.temporal && hasWord(c.cells[row].text, w)
		}) {
			rows = append(rows, row)
		}
	}
	return rows
}

// hasWord reports whether a text has a word, which may have an ending.
func hasWord(text, w string) bool {
	return slices.ContainsFunc(scan(clean(text)), func(t token) bool {
		if t.kind != word {
			return false
		}
		rest, ok := strings.CutPrefix(w, t.fold)
		return t.fold == w || stem(t.fold) == stem(w) || ok && t.hangul && isEnding(rest) || !t.hangul && ok && isHangul(rest) && isEnding(rest)
	})
}

// unset are the rows without a value, or with one, in the columns that tokens from..to
// name.
func (k *tally) unset(from, to int) [][]int {
	s := k.s
	lacks := s.anyCue(from, to, set("no not without missing lack lacks none unknown empty blank unrecorded"), "없", "않", "빈", "비어", "미기재", "미상", "누락")
	var out [][]int
	for col := range k.t.columns {
		c := &k.t.columns[col]
		var with, without []int
		for row, v := range c.cells {
			if v.null {
				without = append(without, row)
			} else {
				with = append(with, row)
			}
		}
		switch {
		case len(without) == 0 || !s.namesColumn(c, from, to) && !(lacks && k.t.gaps() == 1):
		case lacks:
			out = append(out, without)
		case s.hasAny(from, to, "have", "has", "had", "with", "recorded", "known"), s.anyCue(from, to, nil, "있", "기록", "기재"):
			out = append(out, with)
		}
	}
	return out
}

// gaps is how many columns have rows without a value.
func (t *table) gaps() int {
	n := 0
	for _, c := range t.columns {
		n += boolInt(slices.ContainsFunc(c.cells, func(v cell) bool { return v.null }))
	}
	return n
}

// namesColumn reports whether a word of tokens from..to is one of a column's name.
func (s *sentence) namesColumn(c *column, from, to int) bool {
	for i := from; i < to; i++ {
		w := koreanStem(s.foldAt(i))
		if s.is(i, word) && !stopWords[w] && slices.ContainsFunc(c.words, func(have string) bool {
			return have == stem(w) || concept(have) == concept(w) || isHangul(have) && strings.HasPrefix(w, have)
		}) {
			return true
		}
	}
	return false
}

package ground

import (
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"
)

// hasProperty reports whether so many rows have a property of which the sentence speaks:
// that of the nearest part in which one stands decides.
func (k *tally) hasProperty() (matched, decided bool) {
	if !k.t.whole {
		return false, false
	}
	s := k.s
	from, to := s.span(k.f.at)
	first, last := s.clauseSpan(k.f.at)
	for _, at := range [][2]int{{from, to}, {first, last}, {0, len(s.tokens)}} {
		strong := append(k.bounded(at[0], at[1]), k.valued(at[0], at[1])...)
		sets := append(slices.Clone(strong), k.shared(strong), joinRows(strong))
		if len(strong) == 0 {
			sets = k.hinted(at[0], at[1])
		}
		if slices.ContainsFunc(sets, func(rows []int) bool { return int64(len(rows)) == k.n }) {
			return true, true
		}
		if len(strong) > 0 {
			return false, true
		}
	}
	return false, false
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
		if i == k.i || g.at < from || g.at >= to || len(g.amounts) == 0 || g.hedge == exact || g.hedge == about || g.percent || g.ordinal || g.ratio {
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
	var out [][]int
	for _, r := range k.s.refs {
		rows := r.rows[k.index]
		if r.at < from || r.at >= to || len(rows) == 0 || len(rows) == k.t.rows || len(rows) == 1 && k.isLabel(r) {
			continue
		}
		if k.excludes(r.at) {
			rows = slices.DeleteFunc(k.t.all(), func(row int) bool { return slices.Contains(rows, row) })
		}
		out = append(out, rows)
	}
	return out
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
	return append(out, k.unset(from, to)...)
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
		case len(without) == 0 || !s.namesColumn(c, from, to):
		case lacks:
			out = append(out, without)
		case s.hasAny(from, to, "have", "has", "had", "with", "recorded", "known"), s.anyCue(from, to, nil, "있", "기록", "기재"):
			out = append(out, with)
		}
	}
	return out
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

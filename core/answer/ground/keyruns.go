package ground

import (
	"slices"
	"strconv"
)

// findKeyRuns takes two keys that bound a run of rows: "orders 8850 to 8854", "5425~5432번".
func (s *sentence) findKeyRuns() {
	for i := 0; i+2 < len(s.tokens); i++ {
		to := i + 2
		switch w := s.foldAt(i + 1); {
		case w == "to", w == "through", w == "-", w == "–", w == "~":
		case w == "번" && (s.foldAt(i+2) == "~" || s.foldAt(i+2) == "-" || s.foldAt(i+2) == "–"), hasPrefix(w, "번부터", "번에서"):
			to += boolInt(w == "번")
		default:
			continue
		}
		if !s.is(i, number) || !s.is(to, number) || s.taken[i] || s.taken[to] || s.countsBehind(to) {
			continue
		}
		for index, t := range s.checker.tables {
			for col := range t.columns {
				rows := t.columns[col].keysBetween(s.tokens[i].text, s.tokens[to].text)
				known := s.keyed(i) || s.keyed(to) || s.isUnlikeCells(i) && s.isUnlikeCells(to)
				if len(rows) > 1 && known {
					s.nameRows(index, col, rows, i, to+1)
				}
			}
		}
	}
}

// keysBetween are the rows of a column of keys from one to another, both of which are there.
func (c *column) keysBetween(first, last string) []int {
	a, b := c.rowsOf(first), c.rowsOf(last)
	if !c.id || c.bucket || len(a) != 1 || len(b) != 1 || c.cells[a[0]].number.Cmp(c.cells[b[0]].number) >= 0 {
		return nil
	}
	var rows []int
	for row, v := range c.cells {
		if v.number != nil && v.number.Cmp(c.cells[a[0]].number) >= 0 && v.number.Cmp(c.cells[b[0]].number) <= 0 {
			rows = append(rows, row)
		}
	}
	return rows
}

// standsAlone reports whether a number can only be a key: it is that of one row, has three
// digits at least, is no cell of a measure, and no word says that it counts or measures.
func (s *sentence) standsAlone(i int) bool {
	if !s.is(i, number) || s.countsBehind(i) {
		return false
	}
	one := slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(c column) bool { return c.id && !c.bucket && len(c.rowsOf(s.tokens[i].text)) == 1 })
	})
	from, _ := s.spanBefore(i)
	if !one || !s.isUnlikeCells(i) || s.anyCue(from, i, totalWords, totalKorean...) || s.anyCue(from, i, meanWords, meanKorean...) || s.hasAny(from, i, "number", "count", "amount", "has", "have", "had", "with", "worth", "at", "about", "over", "than", "nearly", "almost", "around") {
		return false
	}
	for k := from; k < i; k++ {
		if s.is(k, word) && !s.taken[k] && s.measuresNamed(koreanStem(s.foldAt(k))) > 0 {
			return false
		}
	}
	return true
}

// isUnlikeCells reports whether a number of three digits and more, written without a mark, is
// the cell of no measure, and not the number of rows.
func (s *sentence) isUnlikeCells(i int) bool {
	const shortest = 3
	n, err := strconv.ParseInt(s.tokens[i].text, 10, 64)
	if !s.is(i, number) || err != nil || len(s.tokens[i].text) < shortest {
		return false
	}
	has := func(v cell) bool {
		return v.number != nil && v.number.IsInt() && v.number.Num().IsInt64() && v.number.Num().Int64() == n
	}
	return !slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return n == t.count || slices.ContainsFunc(t.columns, func(c column) bool { return c.measure() && !c.id && slices.ContainsFunc(c.cells, has) })
	})
}

// countsBehind reports whether what stands behind a number says that it counts or measures.
func (s *sentence) countsBehind(i int) bool {
	next := s.foldAt(i + 1)
	switch {
	case next == "", s.is(i+1, mark) && next != "%" && next != "$":
		return false
	case s.is(i+1, word) && s.tokens[i+1].hangul && !s.tokens[i+1].gap:
		return !hasPrefix(next, "번") && !isEnding(next)
	case s.is(i+1, word):
		return !s.hasAny(i+1, i+2, "and", "from", "of", "in", "on", "by", "is", "was", "are", "were", "has", "had", "have", "for", "at", "with", "all", "both", "to", "through")
	}
	return true
}

// findPartNumbers takes the numbers that tell rows of one name apart as their names: of
// "three are named Olmo: 267, 791 and 149" those of Olmo Night Light 267.
func (s *sentence) findPartNumbers() {
	for i := range s.tokens {
		if !s.is(i, number) || s.taken[i] || s.countsBehind(i) || !s.isUnlikeCells(i) {
			continue
		}
		for k := len(s.refs) - 1; k >= 0; k-- {
			r := s.refs[k]
			if r.date || r.to > i {
				continue
			}
			for _, id := range r.columns {
				index, col := id/columnStride, id%columnStride
				c := &s.checker.tables[index].columns[col]
				if rows := c.numberedAmong(r.rows[index], s.tokens[i].text); len(r.rows[index]) > 1 && len(rows) == 1 && s.goesOnWith(r, i) {
					s.nameRows(index, col, rows, i, i+1)
				}
			}
		}
	}
	slices.SortStableFunc(s.refs, func(a, b ref) int { return a.at - b.at })
}

// numberedAmong are those of rows whose text has a number as a word of its own.
func (c *column) numberedAmong(rows []int, digits string) []int {
	return slices.DeleteFunc(slices.Clone(rows), func(row int) bool {
		return c.numeric || !slices.ContainsFunc(scan(clean(c.cells[row].text)), func(t token) bool { return t.kind == number && t.text == digits })
	})
}

// goesOnWith reports whether nothing but numbers and what joins them stands between a name
// and a number.
func (s *sentence) goesOnWith(r ref, i int) bool {
	for k := r.to; k < i; k++ {
		if !s.is(k, number) && !s.joinsKeys(k) && s.foldAt(k) != ":" && s.foldAt(k) != "(" && !s.isRowNoun(s.foldAt(k)) {
			return false
		}
	}
	return true
}

package ground

import (
	"slices"
	"strings"
)

// columnsFor is which columns a figure may be in: those that are named right behind
// it, else before it, else in its clause, else all measures.
func (s *sentence) columnsFor(f *figure, rows [][]int) func(table, col int) bool {
	from, to := s.span(f.at)
	first, last := s.clauseSpan(f.at)
	if f.rest != "" {
		if named := s.namedBy(koreanStem(f.rest), rows); named != nil {
			return func(t, c int) bool { return named[t*columnStride+c] }
		}
	}
	look := []func() map[int]bool{
		func() map[int]bool { return s.nearest(f.to, min(to, f.to+5), 1, rows) },
		func() map[int]bool { return s.nearest(f.at-1, from-1, -1, rows) },
		func() map[int]bool { return s.nearest(f.at-1, first-1, -1, rows) },
		func() map[int]bool { return s.nearest(f.to, last, 1, rows) },
	}
	for _, find := range look {
		if named := find(); named != nil {
			return func(t, c int) bool { return named[t*columnStride+c] }
		}
	}
	return func(t, c int) bool { return s.checker.tables[t].speaks(c) }
}

// speaks reports whether a column may be meant that nobody names: a measure, or any
// where there is none.
func (t *table) speaks(col int) bool {
	return t.columns[col].measure() || !slices.ContainsFunc(t.columns, func(c column) bool { return c.measure() })
}

// nearest are the numeric columns that the first word on the way from..to names.
func (s *sentence) nearest(from, to, step int, rows [][]int) map[int]bool {
	for i := from; i != to && i >= 0 && i < len(s.tokens); i += step {
		if s.tokens[i].kind != word || s.isNameToken(i) {
			if step > 0 && slices.ContainsFunc(s.figures, func(g figure) bool { return g.at == i }) {
				return nil
			}
			continue
		}
		if named := s.namedBy(koreanStem(s.tokens[i].fold), rows); named != nil {
			return named
		}
	}
	return nil
}

// metricWords are stop words that may be a column's whole name.
var metricWords = set("amount value number total count average sum")

// namedBy are the numeric columns of tables with rows that a word names.
func (s *sentence) namedBy(w string, rows [][]int) map[int]bool {
	if w == "" || stopWords[w] && w != "id" && !metricWords[w] {
		return nil
	}
	of := concept(w)
	var named map[int]bool
	for i, t := range s.checker.tables {
		if rows != nil && len(rows[i]) == 0 {
			continue
		}
		for col := range t.columns {
			c := &t.columns[col]
			if !c.numeric || c.key && !c.place && w != "id" && periodName.MatchString(c.name) {
				continue
			}
			if slices.ContainsFunc(c.words, func(have string) bool {
				return have == of || concept(have) == of || isHangul(have) && isHangul(w) && (strings.HasPrefix(have, w) || strings.HasPrefix(w, have))
			}) {
				if named == nil {
					named = map[int]bool{}
				}
				named[i*columnStride+col] = true
			}
		}
	}
	return named
}

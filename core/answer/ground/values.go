package ground

import (
	"slices"
	"strings"
)

// prefixes make the name of other things of a word.
var prefixes = set("non anti ex pre post semi sub")

// checkPrefixes refuses a word of the question or of a row with a prefix that none of them
// has: "Non-fiction" for Fiction.
func (s *sentence) checkPrefixes() {
	for i := 0; i+2 < len(s.tokens); i++ {
		if !prefixes[s.foldAt(i)] || s.taken[i] || s.foldAt(i+1) != "-" || s.tokens[i+1].gap || s.tokens[i+2].gap {
			continue
		}
		if w := s.tokens[i+2]; w.kind == word && s.checker.knows(w) && s.namedBy(w.fold, nil) == nil && !strings.Contains(s.checker.quotable, fold(s.text[s.tokens[i].begin:w.end])) {
			s.violate(i, i+3, "this is neither in the question nor in a row that is shown")
		}
	}
}

// part is a stretch of tokens.
type part struct{ at, to int }

// checkCells refuses words in a cell of a table that no row has, below a head that names a
// column of texts: "Toys" in the row of something for the kitchen.
func (s *sentence) checkCells() {
	if len(s.line.heads) == 0 || s.line.head {
		return
	}
	cells := s.cellsOfLine()
	for k, cell := range cells {
		at := len(cells) - 1 - k
		if at >= len(s.line.heads) || !s.namesTexts(s.line.heads[at], len(s.line.heads)-1-at, len(s.line.heads)) {
			continue
		}
		if s.isStrangeValue(cell) {
			s.violate(cell.at, cell.to, "this value stands in no row that is shown, nor in the question")
		}
	}
}

// cellsOfLine are the cells of a line of a table.
func (s *sentence) cellsOfLine() []part {
	var out []part
	from := 0
	for i := range s.tokens {
		if s.tokens[i].text == "|" {
			out, from = append(out, part{from, i}), i+1
		}
	}
	return append(out, part{from, len(s.tokens)})
}

// namesTexts reports whether a head is that of a column of texts: by its words, or by its
// place where the table of the text has as many columns as the result.
func (s *sentence) namesTexts(head string, place, heads int) bool {
	words := scan(clean(head))
	return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		said := slices.IndexFunc(t.columns, func(c column) bool {
			return slices.ContainsFunc(words, func(w token) bool { return w.kind == word && c.isCalled(koreanStem(w.fold)) })
		})
		if said < 0 && len(t.columns) == heads {
			said = place
		}
		return said >= 0 && t.columns[said].isText()
	})
}

// isCalled reports whether a word names a column, or the role of which it is.
func (c *column) isCalled(w string) bool {
	return !stopWords[w] && c.saysColumn(w) || roles[w] && slices.ContainsFunc(c.words, func(have string) bool { return roles[have] })
}

// isText reports whether a column has texts, and no numbers, moments or truths.
func (c *column) isText() bool { return !c.numeric && !c.temporal && !c.isBool() }

// isStrangeValue reports whether tokens are plain words that stand in no row and not in the
// question: in letters as those of the rows are, so that it is no translation.
func (s *sentence) isStrangeValue(p part) bool {
	words := 0
	for i := p.at; i < p.to; i++ {
		t := s.tokens[i]
		if s.taken[i] || t.kind == number || t.hangul && !s.checker.hasHangul() || t.kind == word && (lacks[t.fold] || stopWords[t.fold] || s.checker.knows(t)) {
			return false
		}
		words += boolInt(t.kind == word)
	}
	return words > 0 && words <= 4 && s.foldAt(p.at) != "n"
}

// hasHangul reports whether names of rows are written in Korean.
func (c *Checker) hasHangul() bool {
	return slices.ContainsFunc(c.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(of column) bool {
			return of.isText() && slices.ContainsFunc(of.cells, func(v cell) bool { return !v.null && isHangul(v.text) })
		})
	})
}

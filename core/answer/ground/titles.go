package ground

import (
	"slices"
)

// CheckAnswer checks a summary and the text below it. A figure of the summary may be one
// that the text proves of the same rows: a summary is the title of its text.
func (c *Checker) CheckAnswer(summary, content string) []Violation {
	return c.guarded(func() []Violation {
		title := c.titleOf(summary)
		t := told{above: title}
		below := c.check(content, &t, lastNaming(title))
		t.titled = true
		return append(c.check(summary, &t, nil), below...)
	})
}

// titleOf takes the sentences of a title apart.
func (c *Checker) titleOf(title string) []*sentence {
	var out []*sentence
	var last *sentence
	for _, line := range lines(c.withoutVerbatim(clean(title))) {
		line.head = false
		for _, part := range c.sentences(line.text) {
			if len(part) > maxSentence {
				continue
			}
			s := c.seeing(part).parse(part, last, line)
			if out = append(out, s); len(s.referents) > 0 {
				last = s
			}
		}
	}
	return out
}

// lastNaming is the last sentence of a title that names rows, of which the text below may go
// on to speak; nil where none does.
func lastNaming(title []*sentence) *sentence {
	for i := len(title) - 1; i >= 0; i-- {
		if len(title[i].referents) > 0 {
			return title[i]
		}
	}
	return nil
}

// told are the figures that a text proves, with the rows of which it says them.
type told struct {
	titled  bool        // they are known, and the sentence is a title
	above   []*sentence // the title of the text
	figures []toldFigure
	named   []string // the names of the text
}

type toldFigure struct {
	figure
	rows [][]int // nil where the sentence names none
	one  bool    // it is said of one row
}

// keep takes the figures of a sentence that were proved.
func (t *told) keep(s *sentence) {
	if t == nil || t.titled {
		return
	}
	for i := range s.figures {
		if !s.proved[i] {
			continue
		}
		f := toldFigure{figure: s.figures[i], one: s.saysOfOneRow(&s.figures[i])}
		for _, r := range s.referents {
			if f.rows == nil {
				f.rows = make([][]int, len(r.rows))
			}
			for k := range r.rows {
				f.rows[k] = union(f.rows[k], r.rows[k])
			}
		}
		t.figures = append(t.figures, f)
	}
	for _, r := range s.referents {
		if name := s.nameOf(&r); !slices.Contains(t.named, name) {
			t.named = append(t.named, name)
		}
	}
}

// isTold reports whether the text below a title proves its figure: of the same rows, or
// where the title names none.
func (s *sentence) isTold(f *figure) bool {
	if s.told == nil || !s.told.titled || s.isDenied(f) {
		return false
	}
	part := !s.isBareCount(f) || s.isWholeCount(f) // it may count those that the text names
	if n, ok := f.count(); ok && part && n > 1 && n == int64(len(s.told.named)) && len(s.referents) == 0 && s.counts(f) != countsOther {
		return true
	}
	if n, ok := f.count(); ok && part && n > 1 && n == int64(len(s.told.named)) && len(s.referents) == 1 && s.counts(f) != countsOther && s.told.within(&s.referents[0]) {
		return true
	}
	return slices.ContainsFunc(s.told.figures, func(g toldFigure) bool {
		if !f.equals(&g.figure) && !f.roundsTold(&g.figure) || f.percent != g.percent || f.ratio != g.ratio || f.ordinal != g.ordinal {
			return false
		}
		for _, r := range s.referents {
			for i := range r.rows {
				if g.rows != nil && len(intersect(r.rows[i], g.rows[i])) > 0 {
					return true
				}
			}
		}
		return len(s.referents) == 0 && s.sameKind(f, &g) && !(g.one && s.saysTotal()) && !(g.rows != nil && s.spreadsOver(f))
	})
}

// spreadsOver reports whether a title tells a figure of all rows together: "1,297 orders across
// two channels".
func (s *sentence) spreadsOver(f *figure) bool {
	direction, _ := s.ordering(0, len(s.tokens))
	cell := slices.ContainsFunc(s.checker.tables, func(t *table) bool { return t.hasCell(f) })
	return cell && direction == 0 && slices.ContainsFunc(s.figures, func(g figure) bool {
		return g.at >= f.to && s.countsAll(&g) && s.counts(&g) != countsOther && s.hasAny(g.at-2, g.at, "across", "over", "in", "from", "between")
	})
}

// saysOfOneRow reports whether a figure is said of one row, and is its cell.
func (s *sentence) saysOfOneRow(f *figure) bool {
	r, group := s.referentOf(f)
	return r != nil && len(group) < 2 && s.isCell(f, r.rows) && !slices.ContainsFunc(r.rows, func(rows []int) bool { return len(rows) > 1 })
}

// several reports whether a result has more rows than one.
func (c *Checker) several() bool {
	return slices.ContainsFunc(c.tables, func(t *table) bool { return t.count > 1 })
}

// saysTotal reports whether a sentence speaks of a total of all rows.
func (s *sentence) saysTotal() bool {
	return s.checker.several() && (s.hasAny(0, len(s.tokens), "total", "altogether", "overall") || s.anyCue(0, len(s.tokens), nil, "총", "합계", "모두")) && !s.checker.asks(totalWords, totalKorean...)
}

// roundsTold reports whether a figure with a scale is another one, rounded or bounded: "over
// 4.3 million" of 4,367,921.
func (f *figure) roundsTold(g *figure) bool {
	return f.scaled && !f.percent && g.hedge == exact && f.derived(g.amounts[0].value)
}

// sameKind refuses a title that says of rows what the text says of a measure.
func (s *sentence) sameKind(f *figure, g *toldFigure) bool {
	_, counts := f.count()
	return !counts || !slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return s.counts(f) == countsOther && f.amounts[0].value.Cmp(rat(t.count)) == 0 && g.rows == nil
	})
}

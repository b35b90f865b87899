package ground

import (
	"slices"
)

// unitOf is the unit behind a figure.
func (s *sentence) unitOf(f *figure) string {
	if f.rest != "" {
		return unitIn(f.rest)
	}
	return unitIn(s.foldAt(f.to))
}

// isCell reports whether the figure is a cell of these rows, in a column that the
// clause does not rule out.
func (s *sentence) isCell(f *figure, rows [][]int) bool {
	unit := s.unitOf(f)
	named := s.withParts(f, s.columnsFor(f, rows))
	for i, t := range s.checker.tables {
		if len(rows[i]) == 0 || len(rows[i]) > 1 && t.dimensions() > 1 {
			continue
		}
		for col := range t.columns {
			c := &t.columns[col]
			if !c.numeric || !named(i, col) && !(f.plus && c.change) {
				continue
			}
			scale, ok := c.scaleTo(unit)
			if !ok {
				continue
			}
			said := func(row int) bool {
				return s.saysCell(f, c, c.cells[row], func(f *figure, v cell) bool { return v.equal(f, scale) || c.worth != nil && v.equal(f, c.worth) })
			}
			if every := t.areApart(rows[i]); !every && slices.ContainsFunc(rows[i], said) || every && !slices.ContainsFunc(rows[i], func(row int) bool { return !said(row) }) {
				return true
			}
		}
	}
	return false
}

// withParts looks for a figure with a fraction among the columns that have fractions, where
// all columns that the nouns name count things: "payments: 28,373.89 from 6,711".
func (s *sentence) withParts(f *figure, named func(table, col int) bool) func(table, col int) bool {
	if g := s.partOf(f); g != nil {
		return func(i, col int) bool {
			c := &s.checker.tables[i].columns[col]
			return c.measure() && !slices.ContainsFunc(c.cells, func(v cell) bool { return v.equal(g, nil) })
		}
	}
	if s.countsNamed(f) {
		return func(i, col int) bool {
			t := s.checker.tables[i]
			return col == slices.IndexFunc(t.columns, func(c column) bool { return c.measure() && c.wholes && c.adds() })
		}
	}
	behind := !s.endsFigure(f.to, f) && (s.namedBy(koreanStem(s.foldAt(f.to)), nil) != nil || s.namedBy(s.foldAt(f.to+1), nil) != nil && s.is(f.to, word))
	if f.percent || s.koreanCounter(f) || slices.ContainsFunc(f.amounts, func(a amount) bool { return a.value.IsInt() }) || s.aggregated(f) != nil || s.hasAny(f.at-5, f.at, "number") && s.foldAt(f.at-1) == ":" || behind {
		return named
	}
	for i, t := range s.checker.tables {
		for col := range t.columns {
			if c := &t.columns[col]; c.numeric && named(i, col) && !c.wholes {
				return named
			}
		}
	}
	if s.isOfMeasure(f) {
		return named
	}
	return func(i, col int) bool {
		c := &s.checker.tables[i].columns[col]
		return c.measure() && !c.wholes
	}
}

// isOfMeasure reports whether the noun of a figure is told as what a name has, "the weight of A is", "A
// has a weight of", so that it is in no other column.
func (s *sentence) isOfMeasure(f *figure) bool {
	first, _ := s.clauseSpan(f.at)
	for i := f.at - 1; i >= first; i-- {
		if t := s.tokens[i]; t.kind == word && !t.hangul && !s.isNameToken(i) && s.namedBy(t.fold, nil) != nil {
			return s.foldAt(i+1) == "of" && s.isNameToken(i+2) || s.foldAt(i-1) == "a" && !hasSuffix(t.fold, "s")
		}
	}
	return false
}

// countsNamed reports whether a figure stands right before a name that it counts: "the 26
// deputy managers", "the eleven in Germany": that is in the first column of counts.
func (s *sentence) countsNamed(f *figure) bool {
	if _, ok := f.count(); !ok {
		return false
	}
	return s.foldAt(f.at-1) == "the" && (s.isNameToken(f.to) || s.foldAt(f.to) == "in" && s.isNameToken(f.to+1))
}

// partOf is the figure of which f is the whole: 2,301 of "sold 2,301 of its 2,388 bottles".
func (s *sentence) partOf(f *figure) *figure {
	i := f.at - 1
	if w := s.foldAt(i); w == "its" || w == "their" || w == "the" || w == "our" || w == "all" {
		i--
	}
	if s.foldAt(i) == "of" && s.foldAt(i-1) == "out" {
		return s.partEndingAt(i - 1)
	}
	if s.foldAt(i) != "of" {
		return nil
	}
	return s.partEndingAt(i)
}

// partEndingAt is the figure before a token, where it counts or measures something.
func (s *sentence) partEndingAt(i int) *figure {
	for k := range s.figures {
		if g := &s.figures[k]; g.to == i && len(g.amounts) > 0 && !g.percent && !g.ordinal && !g.ratio {
			return g
		}
	}
	return nil
}

// isSumOfPart checks what the rows of a part of their names have together: "the Nordlys
// products brought 1,282".
func (s *sentence) isSumOfPart(f *figure, r *referent) bool {
	if r == nil || f.percent || f.ordinal || f.ratio || len(r.parts) != 1 || r.parts[0].date {
		return false
	}
	named := s.columnsFor(f, r.rows)
	for i, t := range s.checker.tables {
		if !t.whole || len(r.rows[i]) < 2 || !t.areApart(r.rows[i]) {
			continue
		}
		for col := range t.columns {
			if c := &t.columns[col]; c.measure() && !c.average && !c.share && named(i, col) && f.derived(c.sum(r.rows[i])) {
				return true
			}
		}
	}
	return false
}

// areApart reports whether rows have names of their own, so that what is said of all must
// hold for each: "Nordlys products" of three of that maker.
func (t *table) areApart(rows []int) bool {
	return slices.ContainsFunc(t.columns, func(c column) bool {
		return !c.numeric && !c.temporal && !c.isBool() && c.distinct(rows) > 1
	})
}

// saysCell reports whether a figure is a cell, with its sign: a change of -7 is "fell
// by 7".
func (s *sentence) saysCell(f *figure, c *column, v cell, equal func(*figure, cell) bool) bool {
	if v.number == nil || f.plus && v.number.Sign() < 0 {
		return false
	}
	from, to := s.span(f.at)
	falls, rises := s.anyCue(from, to, fallWords, fallKorean...), s.anyCue(from, to, riseWords, riseKorean...)
	if !falls && !rises {
		from, to = s.clauseSpan(f.at)
		falls, rises = s.anyCue(from, to, fallWords, fallKorean...), s.anyCue(from, to, riseWords, riseKorean...)
	}
	if c.change && !falls && !rises {
		from, to = s.span(f.at)
		up, _ := s.ordering(from, to)
		falls = up == 0 && s.anyCue(from, to, lessWords, "낮", "적", "밑", "못", "모자")
	}
	if c.hasLoss() && s.loses(f) {
		return f.saysLoss(v, equal)
	}
	if c.change && falls != rises && !f.minus {
		if falls {
			return v.number.Sign() < 0 && negated(f, v, equal)
		}
		return v.number.Sign() >= 0 && equal(f, v)
	}
	return equal(f, v)
}

// equalsCell reports whether a figure stands for a cell as it is.
func equalsCell(f *figure, v cell) bool { return v.equal(f, nil) }

func negated(f *figure, v cell, equal func(*figure, cell) bool) bool {
	w := v
	w.number = neg(v.number)
	if v.told != nil {
		w.told = neg(v.told)
	}
	return equal(f, w)
}

// dimensions is how many columns tell rows apart.
func (t *table) dimensions() int {
	n := 0
	for i := range t.columns {
		if !t.columns[i].measure() {
			n++
		}
	}
	return n
}

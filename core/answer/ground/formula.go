package ground

import (
	"math/big"
	"slices"
)

// isWorkedOut reports whether a figure is what the sum in the brackets behind it gives, or
// a part of such a sum: "40.01 (720.16 ÷ 18)", "322 (2,656 - 2,334)", "9.5% (41.1 of
// 433.5)". Both parts of the sum must be cells of one row, or of one column for the rows
// that the sentence names.
func (s *sentence) isWorkedOut(i int) bool {
	for k := range s.figures {
		if k+1 >= len(s.figures) {
			break
		}
		a, b := &s.figures[k], &s.figures[k+1]
		op := s.operation(a, b)
		of := s.outcome(k)
		if op == "" || of < 0 || i != of && i != k && i != k+1 || s.figures[of].ratio && op != "/" {
			continue
		}
		if s.worksOut(&s.figures[of], a, b, op) {
			s.proved[of], s.proved[k], s.proved[k+1] = true, true, true
			return true
		}
	}
	return false
}

// operation is the sign between two figures that stand alone in brackets, "" for none.
func (s *sentence) operation(a, b *figure) string {
	if !s.inBrackets(a.at) || !s.inBrackets(b.at) || s.foldAt(a.at-1) != "(" {
		return ""
	}
	from := a.to
	if a.rest == "" && s.gluedAt(from) != "" {
		from++
	}
	if b.at-from != 1 {
		return ""
	}
	switch op := s.foldAt(from); op {
	case "÷", "/", "of":
		return "/"
	case "-", "–", "minus":
		return "-"
	case "+", "plus":
		return "+"
	}
	return ""
}

// outcome is the figure before the brackets in which figure k stands, -1 where another
// word than a counter or a name of a column stands between.
func (s *sentence) outcome(k int) int {
	if k == 0 {
		return -1
	}
	g := &s.figures[k-1]
	if s.figures[k].at-1-g.to > 2 || s.inBrackets(g.at) || len(g.amounts) == 0 {
		return -1
	}
	return k - 1
}

// worksOut reports whether cells that the figures a and b stand for give the outcome.
func (s *sentence) worksOut(of, a, b *figure, op string) bool {
	if len(a.amounts) == 0 || len(b.amounts) == 0 || a.percent || b.percent {
		return false
	}
	r, _ := s.referentOf(of)
	for index, t := range s.checker.tables {
		rows := t.all()
		switch {
		case r != nil:
			rows = r.rows[index]
		case t.count != 1:
			continue
		}
		for _, row := range rows {
			for x := range t.columns {
				for y := range t.columns {
					if x != y && s.givesCells(of, a, b, op, &t.columns[x], &t.columns[y], row) {
						return true
					}
				}
			}
		}
	}
	return false
}

func (s *sentence) givesCells(of, a, b *figure, op string, x, y *column, row int) bool {
	if !x.measure() || !y.measure() || !x.says(a, row) || !y.says(b, row) {
		return false
	}
	m, n := x.cells[row].exactly(), y.cells[row].exactly()
	switch op {
	case "-":
		return of.derived(new(big.Rat).Sub(m, n))
	case "+":
		return of.derived(new(big.Rat).Add(m, n))
	}
	if n.Sign() == 0 {
		return false
	}
	q := new(big.Rat).Quo(m, n)
	if of.percent {
		return of.derivedShare(q.Mul(q, rat(100)))
	}
	return of.derived(q)
}

// says reports whether a figure is the cell of a row, in the column's unit or scaled.
func (c *column) says(f *figure, row int) bool {
	v := c.cells[row]
	return v.number != nil && (v.equal(f, nil) || c.worth != nil && v.equal(f, c.worth))
}

// isSpanOfYears checks "68 years after the first": the years between two that the
// sentence names, or between the first and the last of a column.
func (s *sentence) isSpanOfYears(f *figure, n int64) bool {
	if s.spanUnit(f) != "year" {
		return false
	}
	var years []int
	for _, d := range s.dates {
		if d.yearOnly && len(d.readings) == 1 {
			years = append(years, d.readings[0].year)
		}
	}
	for i := range s.figures {
		if y, ok := s.figures[i].count(); ok && y > 1000 && y < 2200 && s.proved[i] && s.figures[i].at < f.at {
			years = append(years, int(y))
		}
	}
	if len(years) == 2 {
		gap := int64(years[0] - years[1])
		return max(gap, -gap) == n
	}
	return len(years) == 0 && len(s.referents) == 0 && s.hasAny(f.to, len(s.tokens), "between", "apart", "first", "last") && slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return t.whole && slices.ContainsFunc(t.columns, func(c column) bool { return c.spansYears(n) })
	})
}

// spansYears reports whether so many years lie between the first and the last.
func (c *column) spansYears(n int64) bool {
	if !c.temporal || len(c.cells) == 0 {
		return false
	}
	first, last := 0, 0
	for _, v := range c.cells {
		if v.period == nil || v.period.year == 0 {
			return false
		}
		if first == 0 || v.period.year < first {
			first = v.period.year
		}
		last = max(last, v.period.year)
	}
	return int64(last-first) == n
}

// isBefore checks "전년(537명)" and "from 537 the year before": what the moment before that
// of the named row has.
func (s *sentence) isBefore(f *figure, r *referent) bool {
	if r == nil || !s.saysBefore(f) {
		return false
	}
	named := s.columnsFor(f, r.rows)
	for index, t := range s.checker.tables {
		row := s.yearBefore(f, r, t, index)
		if row < 0 && !(s.saysYear(f) && slices.ContainsFunc(t.columns, column.withinYear)) {
			row = t.rowBefore(r.rows[index])
		}
		for col := range t.columns {
			if c := &t.columns[col]; row >= 0 && c.measure() && named(index, col) && c.says(f, row) {
				return true
			}
		}
	}
	return false
}

// saysBefore reports whether the words at a figure say that it is that of the moment
// before.
func (s *sentence) saysBefore(f *figure) bool {
	i := f.at - 1
	if s.foldAt(i) == "(" {
		i--
	}
	if hasPrefix(s.foldAt(i), "전년", "전월", "전분기", "전주", "전일", "직전") {
		return true
	}
	if w := s.foldAt(i); w == "year" || w == "month" || w == "quarter" || w == "week" || w == "day" {
		return s.hasAny(i-1, i, "previous", "prior", "preceding")
	}
	last := min(len(s.tokens), f.to+6)
	return s.hasAny(f.at-3, f.at, "from", "(") && s.hasAny(f.to, last, "year", "month", "quarter", "week", "day") && s.hasAny(f.to, last, "before", "earlier", "previous", "prior")
}

// saysYear reports whether the moment before is a year.
func (s *sentence) saysYear(f *figure) bool {
	return s.anyCue(f.at-2, f.at, nil, "전년") || s.hasAny(f.at-2, min(len(s.tokens), f.to+6), "year")
}

// withinYear reports whether a column has several moments of one year.
func (c column) withinYear() bool {
	return c.temporal && slices.ContainsFunc(c.cells, func(v cell) bool { return v.period != nil && (v.period.month != 0 || v.period.quarter != 0) })
}

// rowBefore is the row whose moment comes right before that of the one row, -1 for none.
func (t *table) rowBefore(rows []int) int {
	if len(rows) != 1 || !slices.ContainsFunc(t.columns, func(c column) bool { return c.temporal }) {
		return -1
	}
	order := t.inTime()
	if at := slices.Index(order, rows[0]); at > 0 {
		return order[at-1]
	}
	return -1
}

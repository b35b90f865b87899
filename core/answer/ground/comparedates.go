package ground

import "slices"

// earlierLater are the words that put one name before another in time: -1, or behind it.
var earlierLater = map[string]int{"before": -1, "earlier": -1, "sooner": -1, "older": -1, "after": 1, "later": 1, "younger": 1}

// datedInComparison takes the dates of two names of which one comes before the other: both in
// brackets behind them, "A opened before B (3 May 2014 versus 7 June 2015)", or that of the
// first behind a comma, "A opened later than B, on 7 June 2015". They must be theirs in one
// column, and in the order that the words say.
func (s *sentence) datedInComparison(names, dates []ref) bool {
	direction := s.timeBetween(names)
	switch korean := s.koreanTimeBetween(names, dates); {
	case korean != 0 && s.endsIn(names[0], "보다"):
		names, direction = []ref{names[1], names[0]}, korean
	case korean != 0:
		direction = korean
	case direction == 0 || !s.tellsDates(names[1], dates):
		return false
	}
	s.inTurn = true
	for _, r := range names {
		s.referents = append(s.referents, referent{at: r.at, to: r.to, rows: slices.Clone(r.rows), columns: slices.Clone(r.columns), parts: []ref{r}})
	}
	for index, t := range s.checker.tables {
		for col := range t.columns {
			if c := &t.columns[col]; c.temporal && s.mayMean(c, t) && s.keepsDates(c, index, names, dates, direction) {
				return true
			}
		}
	}
	for _, d := range dates {
		s.violate(d.at, d.to, "it stands in another row than what the clause speaks of, or the rows say the contrary")
	}
	return true
}

// timeBetween is where the words between two names of one column put the first of them; 0
// where they do not.
func (s *sentence) timeBetween(names []ref) int {
	if len(names) != 2 || !slices.Equal(names[0].columns, names[1].columns) || s.coordinated(names[0].to, names[1].at) {
		return 0
	}
	direction := 0
	for i := names[0].to; i < names[1].at; i++ {
		if of := earlierLater[s.foldAt(i)]; of != 0 && !s.taken[i] && !s.denied(i) {
			direction = of
		}
	}
	return direction
}

// koreanTimeBetween is where a Korean word right before a date puts the name beside which another
// one ends in 보다: "A는 B보다 늦은 5월 3일에"; 0 where none does.
func (s *sentence) koreanTimeBetween(names, dates []ref) int {
	if len(names) != 2 || len(dates) != 1 || !slices.Equal(names[0].columns, names[1].columns) || s.endsIn(names[0], "보다") == s.endsIn(names[1], "보다") {
		return 0
	}
	than := names[boolInt(s.endsIn(names[1], "보다"))]
	for i := than.to; i < min(than.to+3, dates[0].at); i++ {
		if d := koreanTime(s.foldAt(i)); d != 0 && dates[0].at-i <= 2 {
			return d
		}
	}
	return 0
}

// koreanTime is the direction of a Korean word that compares moments: 1 for the later one.
func koreanTime(w string) int {
	return boolInt(hasPrefix(w, "늦", "나중")) - boolInt(hasPrefix(w, "먼저", "일찍", "이르", "이른", "앞서", "앞선", "빨리", "빠른", "빠르"))
}

// endsIn reports whether a name, or the word that is glued to it, ends in one of the endings.
func (s *sentence) endsIn(r ref, endings ...string) bool {
	return hasSuffix(s.tokens[r.to-1].text, endings...) || hasSuffix(s.gluedAt(r.to), endings...)
}

// tellsDates reports whether dates stand where a comparison of two names tells them.
func (s *sentence) tellsDates(second ref, dates []ref) bool {
	if len(dates) == 0 || dates[0].at < second.to {
		return false
	}
	at := dates[0].at - 1
	if s.foldAt(at) == "the" {
		at--
	}
	if len(dates) == 1 {
		return s.foldAt(at) == "on" && s.foldAt(at-1) == "," && at-1 == second.to
	}
	return len(dates) == 2 && s.foldAt(at) == "(" && s.inBrackets(dates[1].at) && dates[1].at-dates[0].to <= 3
}

// keepsDates reports whether a column has the dates for the rows of two names, and these in
// an order.
func (s *sentence) keepsDates(c *column, index int, names, dates []ref, direction int) bool {
	has := func(i, row int) bool {
		return i >= len(dates) || slices.ContainsFunc(s.dates, func(d dateRef) bool {
			return d.at == dates[i].at && slices.Contains(c.inPeriod(d.readings, s.checker.years), row)
		})
	}
	for _, x := range names[0].rows[index] {
		for _, y := range names[1].rows[index] {
			if p, q := c.cells[x].period, c.cells[y].period; p != nil && q != nil && has(0, x) && has(1, y) && comparePeriods(p, q) == direction {
				return true
			}
		}
	}
	return false
}

// sameTime reports whether the moments of names are in one year, month or day, where the word behind
// "same", or 같은, says that they are: "in the same year", "같은 해에".
func (s *sentence) sameTime(i int, names []*referent) (same, known bool) {
	var unit int
	switch w := koreanStem(s.foldAt(i + 1)); w {
	case "year", "해", "연도":
		unit = 1
	case "month", "달":
		unit = 2
	case "day", "date", "날":
		unit = 3
	default:
		return false, false
	}
	part := func(p *period) [3]int { return [3]int{p.year, p.month * boolInt(unit > 1), p.day * boolInt(unit > 2)} }
	for index, t := range s.checker.tables {
		for col := range t.columns {
			c := &t.columns[col]
			if !c.temporal || !s.mayMean(c, t) {
				continue
			}
			ok := true
			for _, r := range names {
				rows, first := r.own()[index], names[0].own()[index]
				if len(rows) != 1 || len(first) != 1 || c.cells[rows[0]].period == nil || c.cells[first[0]].period == nil {
					return false, false
				}
				ok = ok && part(c.cells[rows[0]].period) == part(c.cells[first[0]].period)
			}
			same, known = same || ok, true
		}
	}
	return same, known
}

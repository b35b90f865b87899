package ground

import (
	"slices"
	"time"
)

// daysSince is how many days lie between two moments.
func (p *period) daysSince(from *period) (int, bool) {
	if p.year == 0 || p.month == 0 || p.day == 0 || from.year == 0 || from.month == 0 || from.day == 0 {
		return 0, false
	}
	at := func(p *period) time.Time { return time.Date(p.year, time.Month(p.month), p.day, 0, 0, 0, 0, time.UTC) }
	return int(at(p).Sub(at(from)).Hours() / 24), true
}

// months are the whole months between two moments, and the days after them.
func (p *period) months(from *period) int {
	n := (p.year-from.year)*12 + p.month - from.month
	if p.day < from.day {
		n--
	}
	return n
}

// spanUnits are the words for units of time behind a figure.
var spanUnits = map[string]string{"day": "day", "days": "day", "일": "day", "week": "week", "weeks": "week", "주": "week", "month": "month", "months": "month", "개월": "month", "달": "month", "year": "year", "years": "year", "년": "year"}

func (s *sentence) spanUnit(f *figure) string {
	w := f.rest
	if w == "" {
		w = s.foldAt(f.to)
	}
	if u := spanUnits[w]; u != "" {
		return u
	}
	return spanUnits[koreanStem(trimmed(w))]
}

// trimmed is a Korean counter of time without what ends its sentence.
func trimmed(w string) string {
	for _, u := range []string{"개월", "일", "주", "달", "년"} {
		if len(w) > len(u) && w[:len(u)] == u && (isEnding(w[len(u):]) || hasPrefix(w[len(u):], "간", "만", "이", "동안", "차")) {
			return u
		}
	}
	return w
}

// isDuration checks the time between two moments: two of one row, or those of two dates
// that the sentence or the one before names.
func (s *sentence) isDuration(i int, r *referent) bool {
	f := &s.figures[i]
	unit := s.spanUnit(f)
	n, ok := f.count()
	if unit == "" || !ok {
		return false
	}
	if s.isSpanOfYears(f, n) || s.isApart(i, unit, n) {
		return true
	}
	for _, p := range s.momentPairs(r) {
		days, known := p[0].daysSince(p[1])
		if !known {
			continue
		}
		if days < 0 {
			p[0], p[1], days = p[1], p[0], -days
		}
		if s.lasts(i, unit, n, days, p[0].months(p[1])) {
			return true
		}
	}
	return false
}

// lasts reports whether a figure with its unit is a time, alone or with the months or
// the days behind its years.
func (s *sentence) lasts(i int, unit string, n int64, days, months int) bool {
	f := &s.figures[i]
	near := func(have int) bool { return int(n) == have || f.hedge != exact && int(n) == have+1 }
	if next := i + 1; unit == "year" && next < len(s.figures) && s.figures[next].at-f.to <= 2 && s.spanUnit(&s.figures[next]) == "month" {
		m, ok := s.figures[next].count()
		if ok && (int(n)*12+int(m) == months || f.hedge != exact && int(n)*12+int(m) == months+1) {
			s.proved[next] = true
			return true
		}
		return false
	}
	switch unit {
	case "day":
		return int(n) == days || s.hasAny(f.at-4, f.to+4, "inclusive", "including") && int(n) == days+1
	case "week":
		return near(days / 7)
	case "month":
		return near(months)
	}
	return near(months / 12)
}

// momentPairs are the moments between which a sentence may measure the time.
func (s *sentence) momentPairs(r *referent) [][2]*period {
	var out [][2]*period
	for index, t := range s.checker.tables {
		row := s.rowOf(t, index, r)
		if row < 0 && t.rows == 1 && t.count == 1 {
			row = 0
		}
		if row >= 0 {
			var list []*period
			for col := range t.columns {
				if p := t.columns[col].cells[row].period; t.columns[col].temporal && p != nil {
					list = append(list, p)
				}
			}
			out = append(out, pairsOf(list)...)
		}
	}
	list := s.datesNamed()
	if len(list) < 2 && s.before != nil {
		list = s.before.datesNamed()
	}
	return append(out, pairsOf(list)...)
}

func (s *sentence) datesNamed() []*period {
	var out []*period
	for _, d := range s.dates {
		if len(d.readings) == 1 {
			out = append(out, &d.readings[0])
		}
	}
	return out
}

func pairsOf(list []*period) [][2]*period {
	var out [][2]*period
	for i, a := range list {
		for _, b := range list[i+1:] {
			if !slices.Contains(out, [2]*period{a, b}) {
				out = append(out, [2]*period{b, a})
			}
		}
	}
	return out
}

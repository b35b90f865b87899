package ground

import (
	"slices"
	"strings"
)

// neighbour is a moment that is named by another one: "the year before", "전월".
type neighbour struct {
	at, to int    // tokens
	unit   string // of time; "" for the next moment that there is
	step   int    // -1 for the one before
}

var (
	koreanNeighbours = []struct {
		text, unit string
		step       int
	}{
		{"전년", "year", -1}, {"직전년", "year", -1}, {"지난해", "year", -1}, {"전월", "month", -1}, {"전달", "month", -1}, {"전분기", "quarter", -1}, {"직전분기", "quarter", -1}, {"전주", "week", -1}, {"전날", "day", -1}, {"전일", "day", -1},
		{"이듬해", "year", 1}, {"다음해", "year", 1}, {"이듬달", "month", 1}, {"다음달", "month", 1}, {"다음날", "day", 1}, {"그해", "year", 0}, {"그달", "month", 0},
	}
	koreanNouns = map[string]string{"해": "year", "달": "month", "연도": "year", "분기": "quarter", "날": "day"}
	nearBefore  = set("previous prior preceding")
	nearAfter   = set("next following subsequent")
	timeUnits   = set("year month quarter week day")
)

// neighbourAt is the moment that the words at a token name by another one.
func (s *sentence) neighbourAt(i int) (neighbour, bool) {
	w := s.foldAt(i)
	next, after := s.foldAt(i+1), s.foldAt(i+2)
	switch {
	case s.tokens[i].hangul:
		return s.koreanNeighbour(i)
	case (w == "a" || w == "one") && timeUnits[next] && (after == "earlier" || after == "before" || after == "previously" || after == "ago"):
		return neighbour{i, i + 3, next, -1}, true
	case timeUnits[strings.TrimSuffix(next, "s")] && s.figureStep(i) > 1 && (after == "earlier" || after == "before" || after == "later" || after == "after"):
		return neighbour{i, i + 3, strings.TrimSuffix(next, "s"), s.figureStep(i) * (1 - 2*boolInt(after == "earlier" || after == "before"))}, true
	case (w == "a" || w == "one") && timeUnits[next] && (after == "later" || after == "after"):
		return neighbour{i, i + 3, next, 1}, true
	case nearBefore[w] && timeUnits[next]:
		return neighbour{i, i + 2, next, -1}, true
	case nearAfter[w] && timeUnits[next]:
		return neighbour{i, i + 2, next, 1}, true
	case w == "the" && timeUnits[next] && (after == "before" || after == "prior" || after == "after"):
		return neighbour{i, i + 3, next, 1 - 2*boolInt(after != "after")}, true
	case w == "same" && (timeUnits[next] || next == "period" || next == "half") && (after == "of" || after == "in" || after == "a" || after == "the" || after == "one" || nearBefore[after]):
		for k := i + 2; k < min(i+5, len(s.tokens)); k++ {
			if n, ok := s.neighbourAt(k); ok && n.step != 0 {
				return neighbour{i, n.to, n.unit, n.step}, true
			}
		}
	case w == "that" && timeUnits[next] || w == "same" && timeUnits[next]:
		return neighbour{i, i + 2, next, 0}, true
	}
	return neighbour{}, false
}

// figureStep is the whole number at a token, 0 for none.
func (s *sentence) figureStep(i int) int {
	for k := range s.figures {
		if n, ok := s.figures[k].count(); ok && s.figures[k].at == i && n < 100 {
			return int(n)
		}
	}
	return 0
}

// isSteps checks the figure of "four years later": there is a row so far from the date of
// which the text speaks.
func (s *sentence) isSteps(f *figure) bool {
	for i := f.at; i < min(f.to+2, len(s.tokens)); i++ {
		n, ok := s.neighbourAt(i)
		if !ok || n.at != f.at || n.step == 0 {
			continue
		}
		return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
			return s.neighbourRow(n, t, slices.Index(s.checker.tables, t)) >= 0
		})
	}
	return false
}

func (s *sentence) koreanNeighbour(i int) (neighbour, bool) {
	text := s.tokens[i].text
	for _, k := range koreanNeighbours {
		if strings.HasPrefix(text, k.text) && (isEnding(text[len(k.text):]) || hasPrefix(text[len(k.text):], "도")) {
			return neighbour{i, i + 1, k.unit, k.step}, true
		}
	}
	unit := koreanNouns[koreanStem(s.foldAt(i+1))]
	switch {
	case unit == "":
	case text == "이듬" || text == "다음":
		return neighbour{i, i + 2, unit, 1}, true
	case text == "전" || text == "직전" || text == "이전" || text == "지난":
		return neighbour{i, i + 2, unit, -1}, true
	case text == "그" || text == "같은":
		return neighbour{i, i + 2, unit, 0}, true
	}
	if step := map[string]int{"전": -1, "뒤": 1, "후": 1}[koreanStem(text)]; step != 0 && i > 0 { // 1년 전, 4년 뒤에는
		for k := range s.figures {
			f := &s.figures[k]
			n, ok := f.count()
			if unit := s.spanUnit(f); ok && n > 0 && n < 100 && unit != "" && (f.to == i || f.to == i-1) {
				return neighbour{f.at, i + 1, unit, step * int(n)}, true
			}
		}
	}
	return neighbour{}, false
}

// neighbourOf is the moment by which the words nearest to a figure in its part name what
// it is of.
func (s *sentence) neighbourOf(f *figure) (neighbour, bool) {
	from, to := s.span(f.at)
	for from > 0 && s.clause[from-1] == s.clause[f.at] && !slices.ContainsFunc(s.refs, func(r ref) bool { return r.at >= from && r.at < f.at }) {
		from, _ = s.span(from - 1)
	}
	best, found := neighbour{}, false
	distance := func(n neighbour) int {
		if n.to <= f.at {
			return f.at - n.to
		}
		return n.at - f.to
	}
	for i := from; i < to; i++ {
		if n, ok := s.neighbourAt(i); ok && !(n.at <= f.at && f.at < n.to) && (!found || distance(n) < distance(best)) {
			best, found = n, true
		}
	}
	if !found {
		return best, false
	}
	between := slices.ContainsFunc(s.refs, func(r ref) bool {
		return r.at >= min(best.to, f.to) && r.to <= max(best.at, f.at)
	})
	return best, !between && (best.to <= f.at || len(s.figuresIn(f.to, best.at)) == 0)
}

// isOfMoments reports whether a figure is a time between moments, a day, what a moment has
// that is named by another one, or how many moments there are.
func (s *sentence) isOfMoments(i int, r *referent) bool {
	f := &s.figures[i]
	return s.isDuration(i, r) || s.isDayOf(i, r) || s.isOfNeighbour(f) || s.isSteps(f) || s.countsPeriods(f) || s.isOfTime(f)
}

// isOfNeighbour checks "a year earlier there were 330": a cell of the row whose moment is
// named by that of another.
func (s *sentence) isOfNeighbour(f *figure) bool {
	n, ok := s.neighbourOf(f)
	if !ok || f.ordinal || f.ratio || s.isGap(f) {
		return false
	}
	for index, t := range s.checker.tables {
		of := s.neighbourRows(n, t, index)
		if len(of) == 0 {
			continue
		}
		rows := make([][]int, len(s.checker.tables))
		rows[index] = of
		named := s.columnsFor(f, rows)
		for col := range t.columns {
			c := &t.columns[col]
			switch {
			case !c.measure() || !named(index, col):
			case len(of) > 1:
				if t.whole && c.adds() && f.derived(c.sum(of)) {
					return true
				}
			case f.says(c, c.cells[of[0]]) || c.worth != nil && c.cells[of[0]].equal(f, c.worth):
				return true
			}
		}
	}
	return false
}

// isStale reports whether a figure that is said of a moment next to another one is that of
// the other one, or of a third: "401 in 2025; a year earlier 401".
func (s *sentence) isStale(f *figure) bool {
	n, ok := s.neighbourOf(f)
	if !ok || n.step == 0 || f.ordinal || f.ratio || f.percent || s.isGap(f) || s.changesBy(f) || n.to > f.at || f.at-n.to > 3 {
		return false
	}
	for index, t := range s.checker.tables {
		row, anchor := s.neighbourRow(n, t, index), s.neighbourRow(neighbour{n.at, n.to, n.unit, 0}, t, index)
		if row < 0 || anchor < 0 || row == anchor {
			continue
		}
		has := func(row int) bool {
			return slices.ContainsFunc(t.columns, func(c column) bool { return c.measure() && f.says(&c, c.cells[row]) })
		}
		if !has(row) && (has(anchor) || t.hasCell(f)) {
			return true
		}
	}
	return false
}

// neighbourRow is the one row of a moment that is named by another one, -1 for none.
func (s *sentence) neighbourRow(n neighbour, t *table, index int) int {
	if rows := s.neighbourRows(n, t, index); len(rows) == 1 {
		return rows[0]
	}
	return -1
}

// neighbourRows are the rows of a moment, or of a half or a quarter, that is named by the
// date before it, or by one of the sentence before.
func (s *sentence) neighbourRows(n neighbour, t *table, index int) []int {
	var anchor []int
	for _, r := range s.refs {
		if r.date && len(r.rows[index]) > 0 && (r.to <= n.at || anchor == nil) {
			anchor = r.rows[index]
		}
	}
	for b := s.before; anchor == nil && b != nil; b = b.before {
		for _, r := range b.refs {
			if r.date && len(r.rows[index]) > 0 {
				anchor = r.rows[index]
			}
		}
	}
	at := slices.IndexFunc(t.columns, func(c column) bool { return c.temporal })
	if at < 0 || n.step == 0 {
		return anchor
	}
	cells := t.columns[at].cells
	var out []int
	for _, row := range anchor {
		if cells[row].period == nil {
			return nil
		}
		want, ok := cells[row].period.moved(n.unit, n.step)
		found := slices.IndexFunc(cells, func(v cell) bool { return v.period != nil && *v.period == want })
		if !ok || found < 0 {
			return nil
		}
		out = append(out, found)
	}
	return out
}

// moved is the moment one unit of time before or after another; false where it is not told
// in this unit or a smaller one.
func (p period) moved(unit string, step int) (period, bool) {
	switch {
	case unit == "year" && p.year != 0:
		p.year += step
	case unit == "quarter" && p.quarter != 0:
		p.quarter += step
		if p.quarter < 1 || p.quarter > 4 {
			p.year, p.quarter = p.year+step*boolInt(p.year != 0), p.quarter-4*step
		}
	case unit == "month" && p.month != 0 && p.day == 0:
		p.month += step
		if p.month < 1 || p.month > 12 {
			p.year, p.month = p.year+step*boolInt(p.year != 0), p.month-12*step
		}
	case unit == "day" && p.day != 0 && p.hour < 0:
		at, _, ok := p.instant()
		if !ok {
			return p, false
		}
		at = at.AddDate(0, 0, step)
		p.year, p.month, p.day = at.Year(), int(at.Month()), at.Day()
	default:
		return p, false
	}
	return p, true
}

// isDayOf checks the day of a month that stands alone: "Ida (7일)", "각각 30일과 20일", "on
// the 30th": that of the row of which it is said.
func (s *sentence) isDayOf(i int, r *referent) bool {
	f := &s.figures[i]
	n, ok := f.count()
	if !ok || n < 1 || n > 31 || f.hedge != exact || s.comesLater(i) != 0 {
		return false
	}
	word := f.rest + s.gluedAt(f.to)
	rest, korean := strings.CutPrefix(word, "일")
	if korean && (!isEnding(rest) || hasPrefix(s.foldAt(f.to+boolInt(f.rest == "")), "동안", "만", "차이", "간", "뒤", "후", "전", "이내", "넘", "남짓", "걸")) || !korean && !(f.ordinal && s.hasAny(f.at-1, f.at, "the") && (!s.is(f.to, 0) || stopWords[s.foldAt(f.to)])) {
		return false
	}
	if at := s.dayInTurn(i); at != nil {
		r = at
	}
	for index, t := range s.checker.tables {
		rows := s.rowsSpoken(index, s.rowOf(t, index, r))
		if r != nil && len(r.rows[index]) == 1 {
			rows = r.rows[index]
		}
		if r == nil && len(rows) > 1 || len(rows) == 0 {
			continue
		}
		for col := range t.columns {
			if p := t.columns[col].cells[rows[0]].period; t.columns[col].temporal && p != nil && p.day == int(n) {
				return true
			}
		}
	}
	return false
}

// dayInTurn is the name to which a day belongs that is told in the order of the names:
// "각각 30일과 20일".
func (s *sentence) dayInTurn(i int) *referent {
	if !s.anyCue(0, len(s.tokens), set("respectively"), "각각", "차례로") {
		return nil
	}
	var days []int
	for k := range s.figures {
		if s.spanUnit(&s.figures[k]) == "day" || s.figures[k].ordinal {
			days = append(days, k)
		}
	}
	list := s.referents
	if len(list) != len(days) && s.before != nil {
		list = s.before.referents
	}
	at := slices.Index(days, i)
	if at < 0 || len(list) != len(days) {
		return nil
	}
	r := list[at]
	return &r
}

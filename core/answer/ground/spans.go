package ground

import (
	"slices"
	"strings"
)

// since widens a date to all moments from it on: "since 2022", "2022년 이후".
func (s *sentence) since(r ref) ref {
	korean := s.tokens[r.to-1].hangul && hasSuffix(s.tokens[r.to-1].text, "부터") || hasPrefix(s.foldAt(r.to), "이후", "이래")
	if s.foldAt(r.at-1) != "since" && !korean && !s.toTheEnd(r.to) {
		return r
	}
	for i, t := range s.checker.tables {
		if order := t.inTime(); len(r.rows[i]) > 0 && t.whole {
			r.rows[i] = t.within(r.rows[i], order[len(order)-1:])
		}
	}
	return r
}

// toTheEnd reports whether the words behind a date make it the first of a time that goes on
// to the end of what there is: "from September to the end of the year".
func (s *sentence) toTheEnd(at int) bool {
	for i := at; i < min(at+3, len(s.tokens)); i++ {
		switch w := s.foldAt(i); {
		case hasPrefix(w, "연말까지", "끝까지", "마지막까지"):
			return true
		case (w == "end" || w == "close") && s.hasAny(i-2, i, "to", "until", "through", "till") && s.foldAt(i+1) == "of":
			return true
		case w == "year" && s.foldAt(i+1) == "-" && s.foldAt(i+2) == "end", w == "onwards", w == "onward":
			return true
		}
	}
	return false
}

// countsPeriods checks "over the five years", "5년간": so many years, or months, are in the
// rows of a column of moments.
func (s *sentence) countsPeriods(f *figure) bool {
	n, ok := f.count()
	unit := s.spanUnit(f)
	if !ok || n < 2 || f.hedge != exact || !s.overTime(f) {
		return false
	}
	return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return t.whole && slices.ContainsFunc(t.columns, func(c column) bool {
			return c.temporal && c.periods(unit) == n || c.change && unit != "" && t.inSeries() && c.known() == n
		})
	})
}

// overTime reports whether a figure with its unit is a time over which something is told.
func (s *sentence) overTime(f *figure) bool {
	word := f.rest + s.gluedAt(f.to)
	if strings.Contains(word, "간") || hasPrefix(s.foldAt(f.to), "동안", "간") || hasPrefix(s.foldAt(f.to+1), "동안") {
		return true
	}
	return s.hasAny(f.at-3, f.at, "over", "across", "in", "during", "for", "these", "those", "all", "within", "the") && s.spanUnit(f) != ""
}

// inSeries reports whether the rows of a table are moments.
func (t *table) inSeries() bool {
	return slices.ContainsFunc(t.columns, func(c column) bool { return c.temporal })
}

// known is how many cells of a column have a number.
func (c *column) known() int64 {
	var n int64
	for _, v := range c.cells {
		n += int64(boolInt(v.number != nil))
	}
	return n
}

// periods is how many different years, quarters or months the moments of a column lie in.
func (c *column) periods(unit string) int64 {
	seen := map[period]bool{}
	for _, v := range c.cells {
		if v.period == nil {
			return 0
		}
		p := period{year: v.period.year}
		switch {
		case unit == "year" && p.year != 0:
		case unit == "month" && v.period.month != 0:
			p.month = v.period.month
		case unit == "quarter" && v.period.quarter != 0:
			p.quarter = v.period.quarter
		case unit == "day" && v.period.day != 0:
			p.month, p.day = v.period.month, v.period.day
		default:
			return 0
		}
		seen[p] = true
	}
	return int64(len(seen))
}

// overAllTime reports whether the sentence tells something over all the time that the rows
// cover: "over the five years".
func (s *sentence) overAllTime() bool {
	return slices.ContainsFunc(s.figures, func(f figure) bool { return s.countsPeriods(&f) })
}

// ofTime reports whether a figure counts the first or the last moments of a series: "the
// last three months".
func (s *sentence) ofTime(f *figure) (direction int) {
	switch before := s.foldAt(f.at - 1); {
	case before == "last", before == "final", before == "latest", before == "recent", hasPrefix(before, "마지막", "최근"):
		direction = -1
	case before == "first", before == "earliest", before == "opening", hasPrefix(before, "처음", "첫"):
		direction = 1
	}
	if direction != 0 && !slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(c column) bool { return c.temporal })
	}) {
		return 0
	}
	return direction
}

// timeRows are the n first rows in time, or the last for direction < 0.
func (t *table) timeRows(n, direction int) []int {
	order := t.inTime()
	if n <= 0 || n > len(order) {
		return nil
	}
	if direction < 0 {
		return order[len(order)-n:]
	}
	return order[:n]
}

// isOfTime reports whether a figure is what the first or the last moments have together,
// or a part of all.
func (s *sentence) isOfTime(f *figure) bool {
	from, _ := s.clauseSpan(f.at)
	for i := range s.figures {
		g := &s.figures[i]
		n, ok := g.count()
		direction := s.ofTime(g)
		if !ok || direction == 0 || g.at < from || g.at >= f.at {
			continue
		}
		return s.each(f, func(t *table, _ int, c *column) bool {
			rows := t.timeRows(int(n), direction)
			switch {
			case !t.whole || c.key || c.share || len(rows) == 0:
				return false
			case f.percent:
				return f.derivedShare(percent(c.sum(rows), c.sum(t.all())))
			case s.anyCue(from, f.at, meanWords, meanKorean...):
				return f.derived(c.mean(rows))
			}
			return !c.average && f.derived(c.sum(rows))
		})
	}
	return false
}

// countsTime reports whether a figure counts moments of a series of which there are as
// many.
func (s *sentence) countsTime(f *figure, n int64) bool {
	return s.ofTime(f) != 0 && slices.ContainsFunc(s.checker.tables, func(t *table) bool { return n > 1 && n <= int64(t.rows) })
}

// namesRow reports whether a name is all that its row has: how many rows have it says nothing.
func (s *sentence) namesRow(r ref) bool {
	return !slices.ContainsFunc(r.columns, func(id int) bool { return len(s.checker.tables[id/columnStride].columns) > 1 })
}

// isPartOf checks "four of the 13 joined in August": how many rows one of the names
// behind it has, of those that there are.
func (s *sentence) isPartOf(i int, n int64) bool {
	f := &s.figures[i]
	if hasPrefix(s.foldAt(f.at-1), "외") {
		return false // those that are not named
	}
	of := f.to
	for of < len(s.tokens) && of < f.to+3 && s.foldAt(of) != "of" && s.tokens[of].kind == word && !s.isNameToken(of) {
		of++
	}
	part := s.foldAt(of) == "of"
	if slices.ContainsFunc(s.refs, func(r ref) bool { return r.at == f.to && s.countsIn(r, n) }) {
		return slices.ContainsFunc(s.checker.tables, func(t *table) bool { return t.whole })
	}
	if !part && s.counts(f) != countsRows && !(s.listsOnly() && s.koreanCounter(f)) {
		return false
	}
	if !slices.ContainsFunc(s.checker.tables, func(t *table) bool { return t.whole }) {
		return false
	}
	from, to := s.clauseSpan(f.at)
	for _, r := range s.refs {
		if r.at < from || r.at >= to || !s.countsIn(r, n) || n == 1 && (s.namesRow(r) || !s.is(f.to, word) && !r.date) {
			continue
		}
		if next := i + 1; part && next < len(s.figures) && s.figures[next].at-of <= 4 {
			m, ok := s.figures[next].count()
			if !ok || !s.isRowCount(&s.figures[next], m) {
				return false
			}
			s.proved[next] = true
		}
		return true
	}
	return false
}

// koreanCounter reports whether a Korean counter of things stands at a figure.
func (s *sentence) koreanCounter(f *figure) bool {
	w := f.rest + s.gluedAt(f.to)
	if w == "" {
		w = s.foldAt(f.to)
	}
	return hasPrefix(w, "명", "개", "건", "곳", "사람", "가지")
}

// countsIn reports whether so many rows have the name in one column.
func (s *sentence) countsIn(r ref, n int64) bool {
	for _, id := range r.columns {
		index, col := id/columnStride, id%columnStride
		t := s.checker.tables[index]
		var have int64
		for _, row := range r.rows[index] {
			v := t.columns[col].cells[row]
			if r.date || len(r.columns) == 1 || slices.Contains(s.textsAt(r), fold(v.text)) {
				have++
			}
		}
		if have == n && n > 0 {
			return true
		}
	}
	return false
}

// textsAt is a name as it stands, and without a Korean ending.
func (s *sentence) textsAt(r ref) []string {
	text := fold(s.text[s.tokens[r.at].begin:s.tokens[r.to-1].end])
	return []string{text, koreanStem(text)}
}

// isTied checks "two customers share the first place": so many rows have one number.
func (s *sentence) isTied(f *figure, n int64) bool {
	if !s.speaksOfTies() || n < 2 {
		return false
	}
	return s.each(f, func(t *table, _ int, c *column) bool {
		if !t.whole || c.key {
			return false
		}
		for _, v := range c.cells {
			var same int64
			for _, w := range c.cells {
				same += int64(boolInt(v.number != nil && w.number != nil && v.number.Cmp(w.number) == 0))
			}
			if same == n {
				return true
			}
		}
		return false
	})
}

func (s *sentence) speaksOfTies() bool {
	return s.hasAny(0, len(s.tokens), "share", "shared", "tied", "tie", "same", "equal", "identical") || s.anyCue(0, len(s.tokens), nil, "같", "동일", "공동", "동률", "똑같")
}

// namesPlaces reports whether an ordinal only says of which places the sentence speaks:
// "1위와 2위의 격차", "share first place".
func (s *sentence) namesPlaces(f *figure) bool {
	if len(s.referents) > 0 || len(f.amounts) == 0 || s.before != nil && s.pronoun() {
		return false
	}
	if !s.speaksOfTies() && !s.hasAny(0, len(s.tokens), "gap", "difference") && !s.anyCue(0, len(s.tokens), nil, gapKorean...) {
		return false
	}
	return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return t.whole && f.amounts[0].value.Cmp(rat(int64(t.rows))) <= 0
	})
}

// isShared checks "tied at 131": several rows have the figure.
func (s *sentence) isShared(f *figure) bool {
	return s.speaksOfTies() && s.each(f, func(t *table, _ int, c *column) bool {
		n := 0
		for _, v := range c.cells {
			n += boolInt(v.equal(f, nil))
		}
		return t.whole && !c.key && n > 1
	})
}

// isAllSame checks "28 products each": all rows have the figure.
func (s *sentence) isAllSame(f *figure) bool {
	from, to := s.clauseSpan(f.at)
	roughly := f.hedge == about && len(s.referents) == 0
	if !roughly && !s.hasAny(from, to, "each", "apiece", "every", "all", "both", "either") && !hasSuffix(f.rest, "씩") && !hasSuffix(s.foldAt(f.to), "씩") {
		return false
	}
	return s.each(f, func(t *table, _ int, c *column) bool {
		return t.whole && !c.key && t.rows > 1 && !slices.ContainsFunc(c.cells, func(v cell) bool { return !v.equal(f, nil) })
	})
}

// isYearRange checks "went from 608 to 953" of a row that has two years side by side.
func (s *sentence) isYearRange(a, b *figure) bool {
	r, _ := s.referentOf(a)
	return r != nil && slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		index := slices.Index(s.checker.tables, t)
		if len(r.rows[index]) != 1 {
			return false
		}
		row := r.rows[index][0]
		for _, x := range t.columns {
			for _, y := range t.columns {
				if x.year != 0 && x.year < y.year && x.cells[row].equal(a, nil) && y.cells[row].equal(b, nil) {
					return true
				}
			}
		}
		return false
	})
}

// isAggregateRange checks "ranging from 6.90 to 5,611.59" of a row that has the smallest
// and the largest as columns.
func (s *sentence) isAggregateRange(a, b *figure) bool {
	return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		if t.rows != 1 || t.count != 1 {
			return false
		}
		has := func(f *figure, want string) bool {
			return slices.ContainsFunc(t.columns, func(c column) bool { return c.aggregateOf() == want && f.says(&c, c.cells[0]) })
		}
		ends := func(f *figure) int {
			return slices.IndexFunc(t.columns, func(c column) bool {
				return len(c.words) > 0 && endWords[c.words[len(c.words)-1]] && f.says(&c, c.cells[0])
			})
		}
		x, y := ends(a), ends(b)
		return has(a, "min") && has(b, "max") || x >= 0 && y >= 0 && x != y && a.amounts[0].value.Cmp(b.amounts[0].value) < 0
	})
}

// endWords name a column of the one end of what there is, where they stand last in its name.
var endWords = set("youngest oldest shortest longest lowest highest smallest largest cheapest dearest lightest heaviest slowest fastest")

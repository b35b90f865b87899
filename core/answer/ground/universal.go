package ground

import (
	"slices"
	"strings"
)

// universalAt reports whether a word says something of all rows: "all", "everyone", 모두.
// "Not all" and "all of the first three" do not.
func (s *sentence) universalAt(i int) bool {
	t := s.tokens[i]
	switch {
	case s.taken[i], s.denied(i), s.hasAny(i-1, i, "over", "across") && s.anyCue(0, i, totalWords), s.hasAny(i-1, i, "almost", "nearly", "at", "in", "of"), s.anyCue(i-1, i, nil, "거의"):
		return false
	case t.hangul && hasPrefix(t.text, "모두", "전부") && s.countsAltogether(i):
		return false // "30명을 넘는 곳은 모두 3곳입니다"
	case t.fold == "all":
		next := s.foldAt(i + 1)
		return next != "time" && next != "-" && next != "told"
	case t.fold == "each":
		return s.foldAt(i+1) == "of" || s.is(i+1, word) && s.foldAt(i+1) != "other" && !clauseVerbs[s.foldAt(i+1)]
	}
	return t.fold == "every" || t.fold == "everyone" || t.fold == "everybody" || t.hangul && hasPrefix(t.text, "모든", "모두", "전부", "전원", "누구나", "하나같이")
}

// countsAltogether reports whether a figure stands right behind a Korean word for all that says how
// many there are altogether.
func (s *sentence) countsAltogether(i int) bool {
	return slices.ContainsFunc(s.figures, func(f figure) bool { return f.at == i+1 && f.hedge == exact && s.koreanCounter(&f) })
}

// closesAt reports whether a Korean ending says that there is nothing else: "두 명뿐입니다",
// but for "와인이 1종뿐이며" of what a name has.
func (s *sentence) closesAt(i int) bool {
	t := s.tokens[i]
	_, ending, ok := strings.Cut(t.text, "뿐")
	if !t.hangul || !ok || strings.HasPrefix(ending, "인") || !isEnding(ending) && !hasPrefix(ending, "입니다", "이다", "이에요", "이며", "이고", "임") {
		return false
	}
	return !slices.ContainsFunc(s.figures, func(f figure) bool {
		r, group := s.referentOf(&f)
		return (f.to == i || f.at == i) && r != nil && group == nil && s.isCell(&f, r.single())
	})
}

// checkUniversal checks what is said of all rows: that they have a value, are true, are
// on one side of a number.
func (s *sentence) checkUniversal() {
	for i, t := range s.tokens {
		switch {
		case s.speaksOfTheResult(i) && len(s.figures) == 0 || s.checker.isAsked(t.fold):
		case t.fold == "only" || t.hangul && hasPrefix(t.text, "유일", "오직"):
			if !s.taken[i] && s.foldAt(i-1) != "of" && s.leavesOthers(i) && !s.isOnlyOne() && !s.isOnlyWithout() && !s.hasOnly(i) {
				s.violate(i, i+1, "the result has other rows, too")
				return
			}
		case s.universalAt(i):
			if why := s.notOfAll(i); why != "" {
				s.violate(i, i+1, why)
				return
			}
		}
	}
}

// notOfAll says what is wrong with a claim about all rows, "" for nothing.
func (s *sentence) notOfAll(i int) string {
	switch {
	case s.isFalseForSome(i):
		return "the row says the contrary"
	case s.leavesSomeOut(i):
		return "not all rows are on this side of the number"
	case s.tiesAllFalsely(i):
		return "the rows have not the same"
	case s.datesAllFalsely(i):
		return "not all rows have this date"
	case s.foldAt(i-1) != "of" && s.leavesOthers(i) && !thanAll.MatchString(s.text), s.namesPartOf(i):
		return "the result has other rows, too"
	}
	return ""
}

// leavesOthers reports whether a sentence with "all" or "only" names one row, or one
// value, of several, and no figure but how many rows there are.
func (s *sentence) leavesOthers(i int) bool {
	if !s.namesOne() || !s.countsAllOnly() {
		return false
	}
	if up, _ := s.trend(0, len(s.tokens)); up != 0 {
		return false
	}
	if len(s.figures) > 0 && (s.foldAt(i) == "only" || s.referents[0].to <= i || s.hasAny(0, len(s.tokens), "than", "from")) {
		return false
	}
	direction, _ := s.ordering(0, len(s.tokens))
	if len(s.figures) > 0 {
		direction = 0 // "all six lowest" are told apart by their number
	}
	return direction == 0 && !s.excepts() && slices.ContainsFunc(s.checker.tables, func(t *table) bool { return t.count > 1 })
}

// namesOne reports whether the names of the sentence are of the same rows: "점장(store manager)".
func (s *sentence) namesOne() bool {
	if len(s.referents) == 0 {
		return false
	}
	first := &s.referents[0]
	return !slices.ContainsFunc(s.referents, func(r referent) bool { return !slices.EqualFunc(r.rows, first.rows, slices.Equal[[]int]) })
}

// countsAllOnly reports whether all figures of the sentence are how many rows there are.
func (s *sentence) countsAllOnly() bool {
	for k := range s.figures {
		if f := &s.figures[k]; !s.countsAll(f) {
			return false
		}
	}
	return true
}

// isOnlyOne checks "only A is a cashier": no other row has the value.
func (s *sentence) isOnlyOne() bool {
	r := &s.referents[0]
	if len(r.parts) < 2 {
		return false
	}
	for index, rows := range r.rows {
		if len(rows) == 0 {
			continue
		}
		for _, p := range r.parts {
			if slices.Equal(p.rows[index], rows) && s.checker.tables[index].whole && len(rows) == 1 && p.at != s.nameFirst() {
				return true
			}
		}
	}
	return false
}

// hasOnly checks "only one person is a chef": the name has so many rows, or that in a cell.
func (s *sentence) hasOnly(i int) bool {
	if s.foldAt(i+1) != "one" || !s.is(i+2, word) {
		return false
	}
	one := &figure{at: i + 1, to: i + 2, amounts: whole(1)}
	return s.each(one, func(t *table, index int, c *column) bool {
		rows := s.referents[0].rows[index]
		return t.whole && !c.key && slices.ContainsFunc(rows, func(row int) bool { return c.cells[row].equal(one, nil) })
	})
}

// nameFirst is where the name behind "only" stands, -1 for none.
func (s *sentence) nameFirst() int {
	for i, t := range s.tokens {
		if t.fold == "only" || t.hangul && hasPrefix(t.text, "유일", "오직") {
			for _, r := range s.refs {
				if r.at > i {
					return r.at
				}
			}
		}
	}
	return -1
}

// isFalseForSome checks "everyone subscribes" against a column of true and false.
func (s *sentence) isFalseForSome(i int) bool {
	for k := range s.tokens {
		for n := range s.checker.bools {
			b := &s.checker.bools[n]
			t := s.checker.tables[b.table]
			spoken, denied := b.says(s.tokens[k].fold)
			if !spoken || s.tokens[k].kind != word || k == i+1 && !(s.tokens[i].hangul && hasPrefix(s.tokens[i].text, "모두", "전부", "전원")) && s.foldAt(i) != "everyone" && s.foldAt(i) != "everybody" || s.hasAny(0, k, "who", "that", "which") || !s.countsAllOnly() || s.namesBeside(b) {
				continue
			}
			want := "true"
			if denied || s.deniedHere(k) {
				want = "false"
			}
			if slices.ContainsFunc(t.columns[b.column].cells, func(v cell) bool { return !v.null && v.text != want }) {
				return true
			}
		}
	}
	return false
}

// namesBeside reports whether a sentence names rows by another column than that of true
// and false.
func (s *sentence) namesBeside(b *boolColumn) bool {
	return slices.ContainsFunc(s.refs, func(r ref) bool { return !slices.Contains(r.columns, b.table*columnStride+b.column) })
}

// leavesSomeOut checks "all have at least 130", and "all others have fewer than 28".
func (s *sentence) leavesSomeOut(i int) bool {
	if s.checker.empty {
		return false
	}
	from, to := s.clauseSpan(i)
	others := s.anyCue(from, to, otherWords) || s.anyCue(from, to, nil, "나머지", "다른") || s.excepts()
	for k := range s.figures {
		f := &s.figures[k]
		if f.at < from || f.at >= to || f.hedge == exact || f.hedge == about || len(f.amounts) == 0 || f.percent || f.ordinal || f.ratio || s.echoes(f) || s.isCondition(f) {
			continue
		}
		if !others && len(s.referents) > 0 || s.hasAny(from, to, "together", "combined", "total") || s.anyCue(from, to, nil, "합", "총") {
			continue
		}
		if !s.each(f, func(t *table, index int, c *column) bool {
			if t.rows == 1 && t.count == 1 && !f.boundsEnd(c) {
				return false
			}
			rows := t.all()
			if others && s.earlierRows != nil {
				rows = s.others(t, index)
			}
			return t.whole && !slices.ContainsFunc(rows, func(row int) bool { return c.cells[row].number == nil || !f.bounds(c.cells[row].number) })
		}) {
			return true
		}
	}
	return false
}

// boundsEnd reports whether a column may tell of all that the one row of a result sums up that they
// are beyond a bound: the least for a bound from below, the most for one from above, or one that is
// neither the least nor the most nor an average.
func (f *figure) boundsEnd(c *column) bool {
	switch c.aggregateOf() {
	case "min":
		return f.hedge == over || f.hedge == atLeast
	case "max":
		return f.hedge == under || f.hedge == atMost
	}
	return !c.average
}

// datesAllFalsely checks "all started in 2023", and "all but A started in 2023": of no column of
// moments that the sentence may mean all cells lie in this time, but those of the rows left out.
func (s *sentence) datesAllFalsely(i int) bool {
	if len(s.dates) != 1 || len(s.figures) > 0 || s.tokens[i].hangul || !s.hasAny(s.dates[0].at-1, s.dates[0].at, "in", "during", "on") || s.checker.asked.text != "" && s.mayDate(s.dates[0].dateSpan) {
		return false
	}
	d := s.dates[0]
	from, to := s.clauseSpan(i)
	if d.at < i || d.at >= to || !slices.ContainsFunc(s.tokens[i:d.at], func(t token) bool { return hasSuffix(t.fold, "ed") || clauseVerbs[t.fold] }) {
		return false
	}
	var left [][]int
	for _, r := range s.namesOf(from, to) {
		if r.isDate() && len(r.parts) == 1 {
			continue
		}
		if !s.excepts() {
			return false
		}
		left = append(left, r.rows...)
	}
	known := false
	for index, t := range s.checker.tables {
		for col := range t.columns {
			c := &t.columns[col]
			if !c.temporal || !t.whole || !s.mayMean(c, t) || index > 0 && left != nil {
				continue
			}
			known = true
			rows := c.inPeriod(d.readings, s.checker.years)
			if !slices.ContainsFunc(t.all(), func(row int) bool {
				out := slices.ContainsFunc(left, func(rows []int) bool { return slices.Contains(rows, row) })
				return !out && !c.cells[row].null && !slices.Contains(rows, row)
			}) {
				return false
			}
		}
	}
	return known
}

// isCondition tells "all countries with more than 200", whose number says of which rows
// the sentence speaks.
func (s *sentence) isCondition(f *figure) bool {
	_, to := s.clauseSpan(f.at)
	leads := s.hasAny(f.at-4, f.at, "with", "that", "which", "who", "whose") || s.hasAny(f.at-4, f.at, "above", "below") && slices.ContainsFunc(s.tokens[f.to:to], func(t token) bool { return clauseVerbs[t.fold] })
	return leads && !s.hasAny(f.at-5, f.at, "are", "is", "have", "has", "were", "had", "was") ||
		slices.ContainsFunc(s.tokens[f.to:min(f.to+3, len(s.tokens))], func(t token) bool {
			return t.hangul && hasPrefix(t.text, "넘는", "이상인", "이하인", "미만인") && !hasSuffix(t.text, "다", "다면")
		})
}

// namesPartOf reports whether a sentence about all rows has a word that stands in the
// names of some of them only: "each of the six is a Fjäll product".
func (s *sentence) namesPartOf(i int) bool {
	if len(s.refs) > 0 || !s.countsAllOnly() {
		return false
	}
	for k, t := range s.tokens {
		if s.taken[k] || t.kind != word || t.hangul || !t.capital || k == 0 || s.checker.isNoun(t.fold) {
			continue
		}
		for _, table := range s.checker.tables {
			for col := range table.columns {
				if n := table.columns[col].having(t.fold); n > 0 && n < table.rows {
					return true
				}
			}
		}
	}
	return false
}

// having is in how many cells of texts a word stands.
func (c *column) having(w string) int {
	n := 0
	for _, v := range c.cells {
		if v.number == nil && v.period == nil {
			n += boolInt(slices.ContainsFunc(scan(clean(v.text)), func(t token) bool { return t.fold == w }))
		}
	}
	return n
}

// wordBehind is the next word without its endings.
func (s *sentence) wordBehind(i int) string { return koreanStem(s.foldAt(i + 1)) }

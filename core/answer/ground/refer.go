package ground

import (
	"slices"
	"strings"
)

// findDates finds the dates and the rows that they mean. A date that is in no row, not
// in the question and in no note is not proved; a bare year may still be a count.
func (s *sentence) findDates() {
	c := s.checker
	all := s.withDays(findDates(s.text))
	for _, d := range all {
		at, to := s.tokensOf(d.begin, d.end)
		s.freeNames(d, at, to)
		if slices.Contains(s.taken[at:to], true) {
			continue
		}
		s.readBeside(&d)
		r := s.rowsOfDate(d, at, to)
		if len(r.columns) == 0 && d.yearOnly {
			r = s.rowsBeside(d, r)
		}
		found := len(r.columns) > 0
		if !found && s.deniesTime() && !s.liesBeside(d, at) {
			s.void, found = true, true
		}
		named := found || s.mayDate(d) || c.columnOf(dateRef{d, at, to}) || s.isBound(d, all)
		if d.yearOnly && (s.countsThere(at, to) || !named) || d.weak && !named && !s.mustDate(d) {
			continue
		}
		for k := at; k < to; k++ {
			s.taken[k] = true
		}
		s.dates = append(s.dates, dateRef{d, at, to})
		switch {
		case len(r.columns) > 0:
			s.refs = append(s.refs, r)
		case found: // it is said that no row has it
		case !named:
			s.violate(at, to, "this date is in no row that is shown, nor in the question")
		}
	}
	slices.SortStableFunc(s.refs, func(a, b ref) int { return a.at - b.at })
}

// deniesTime reports whether a sentence may say of a time, in which no row lies, that nothing
// was then: the question asks for no time, and all moments were seen.
func (s *sentence) deniesTime() bool {
	c := s.checker
	if len(c.tables) != 1 || !c.tables[0].whole || c.incomplete || len(c.asked.dates) > 0 || !slices.ContainsFunc(s.tokens, func(t token) bool {
		return nounsOfNone[t.fold] || t.fold == "no" || t.hangul && hasPrefix(t.text, "없")
	}) {
		return false
	}
	moments := 0
	for _, of := range c.tables[0].columns {
		moments += boolInt(of.temporal)
	}
	return moments == 1
}

// liesBeside reports whether a row lies on the side of a year on which words say that none does:
// "none opened after 2020".
func (s *sentence) liesBeside(d dateSpan, at int) bool {
	side := s.yearSide(at)
	return side != 0 && len(d.readings) > 0 && slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(c column) bool { return c.temporal && len(c.besides(d.readings[0].year, side)) > 0 })
	})
}

// rowsOfDate are the rows that a date may mean.
func (s *sentence) rowsOfDate(d dateSpan, at, to int) ref {
	r := ref{at: at, to: to, date: true, rows: make([][]int, len(s.checker.tables))}
	for i, t := range s.checker.tables {
		for col := range t.columns {
			if rows := t.columns[col].inPeriod(d.readings, s.checker.years); len(rows) > 0 {
				r.rows[i] = union(r.rows[i], rows)
				r.columns = append(r.columns, i*columnStride+col)
			}
		}
	}
	return r
}

// rowsBeside are the rows on the side of a year, of which none is, on which words say that they
// lie: "all opened after 2014".
func (s *sentence) rowsBeside(d dateSpan, r ref) ref {
	side := s.yearSide(r.at)
	if side == 0 || len(d.readings) == 0 || s.deniesTime() {
		return r
	}
	for i, t := range s.checker.tables {
		for col := range t.columns {
			if c := &t.columns[col]; c.temporal && !c.key {
				if rows := c.besides(d.readings[0].year, side); len(rows) > 0 {
					r.rows[i] = union(r.rows[i], rows)
					r.columns = append(r.columns, i*columnStride+col)
				}
			}
		}
	}
	return r
}

// columnOf reports whether a column has the year of a date in its name.
func (c *Checker) columnOf(d dateRef) bool {
	return slices.ContainsFunc(c.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(of column) bool { return of.inName(d, c.years) })
	})
}

// inPeriod are the rows whose moment lies in one of the periods.
func (c *column) inPeriod(list []period, years []int) []int {
	if !c.temporal {
		return c.atHour(list)
	}
	var rows []int
	for row, v := range c.cells {
		if v.period != nil && slices.ContainsFunc(list, func(p period) bool { return p.holds(*v.period, years) }) {
			rows = append(rows, row)
		}
	}
	return rows
}

// mayDate reports whether the question or the host names the date, or one of which
// it is a part.
func (s *sentence) mayDate(d dateSpan) bool {
	named := func(src source) bool {
		for _, known := range src.dates {
			for _, k := range known.readings {
				if slices.ContainsFunc(d.readings, func(p period) bool { return p.holds(k, nil) }) {
					return true
				}
			}
		}
		return false
	}
	return named(s.checker.asked) || slices.ContainsFunc(s.checker.said, named)
}

// countsThere tells "has 2024 customers" from "in 2024".
func (s *sentence) countsThere(at, to int) bool {
	switch s.foldAt(at - 1) {
	case "with":
		return s.foldAt(at-2) != "compared"
	case "only":
		return s.checker.isNoun(s.foldAt(to)) || genericNouns[s.foldAt(to)] || stem(s.foldAt(to)) != s.foldAt(to) && !stopWords[s.foldAt(to)]
	case "has", "have", "had", "reached", "roughly", "approximately", "exactly", "totaling", "totalling", "총", "약":
		return true
	case "about", "around", "nearly", "almost", "least", "than", "over", "another":
		return s.checker.isNoun(s.foldAt(to))
	case "to":
		return s.foldAt(at-3) != "from" && s.checker.isNoun(s.foldAt(to)) && !s.hasAny(0, len(s.tokens), "year", "years")
	case "are", "were", "is", "was":
		return s.checker.isNoun(s.foldAt(to)) && !s.hasAny(0, len(s.tokens), "year", "years")
	}
	return to < len(s.tokens) && s.tokens[to].hangul && beginsWithCounter(s.tokens[to].text)
}

func (s *sentence) tokensOf(begin, end int) (at, to int) {
	for at < len(s.tokens) && s.tokens[at].end <= begin {
		at++
	}
	for to = at; to < len(s.tokens) && s.tokens[to].begin < end; {
		to++
	}
	return at, to
}

// refer finds out of what the sentence speaks: names of different columns that share
// rows are one referent.
func (s *sentence) refer() {
	var last *referent
	if (s.pronoun() || s.goesOnInItem()) && s.before != nil && len(s.before.referents) > 0 {
		carried := s.before.referents[len(s.before.referents)-1]
		last = &carried
	}
	list := s.ranged()
	if s.datedInTurn(list) {
		return
	}
	for _, r := range list {
		if s.context(r) || s.included(r) {
			continue
		}
		if last != nil && s.merge(last, r) {
			if len(s.referents) == 0 {
				merged := *last
				merged.at, merged.to = r.at, r.to
				s.referents = append(s.referents, merged)
				last = &s.referents[0]
			}
			continue
		}
		s.referents = append(s.referents, s.begin(last, r))
		last = &s.referents[len(s.referents)-1]
	}
}

// goesOnInItem reports whether a line of a list goes on behind a semicolon about its one name, with
// a label and a date or a value: "A – team: red; hired: 3 May 2020".
func (s *sentence) goesOnInItem() bool {
	if !s.line.item || s.before == nil || !strings.HasSuffix(s.before.text, ";") || len(s.before.referents) != 1 || len(s.refs) != 1 {
		return false
	}
	return s.foldAt(s.refs[0].at-1) == ":" && s.refs[0].to == len(s.tokens)-boolInt(s.is(len(s.tokens)-1, mark)) && s.refs[0].date
}

// datedInTurn takes as many dates as names, which are told in the same order: "A and B were
// hired on 3 May and 7 June respectively".
func (s *sentence) datedInTurn(list []ref) bool {
	var names, dates []ref
	for _, r := range list {
		if r.date {
			dates = append(dates, r)
		} else {
			names = append(names, r)
		}
	}
	if s.datedInComparison(names, dates) {
		return true
	}
	if n := len(names); n < 2 || n != len(dates) || dates[0].at < names[n-1].to || !s.anyCue(0, len(s.tokens), set("respectively"), "각각") {
		return false
	}
	for i, r := range names {
		d := dates[i]
		of := referent{at: r.at, to: r.to, rows: slices.Clone(r.rows), columns: append(slices.Clone(r.columns), d.columns...), parts: []ref{r, d}}
		any := false
		for k := range of.rows {
			of.rows[k] = intersect(r.rows[k], d.rows[k])
			any = any || len(of.rows[k]) > 0
		}
		if !any {
			s.violate(d.at, d.to, "it stands in another row than what the clause speaks of")
			of.rows = slices.Clone(r.rows)
		}
		s.referents = append(s.referents, of)
	}
	s.inTurn = true
	return true
}

// begin is the referent that a name begins. What the one before shares with it stays,
// where the name takes the place of another of its column: "5 in 2020 and 6 in 2021".
func (s *sentence) begin(last *referent, r ref) referent {
	fresh := referent{at: r.at, to: r.to, rows: slices.Clone(r.rows), columns: slices.Clone(r.columns), parts: []ref{r}}
	if last == nil || len(last.parts) < 2 || s.clause[min(last.at, len(s.clause)-1)] != s.clause[r.at] {
		return fresh
	}
	kept := fresh
	for _, p := range last.parts {
		if slices.ContainsFunc(p.columns, func(c int) bool { return slices.Contains(r.columns, c) }) {
			continue
		}
		rows := make([][]int, len(r.rows))
		any := false
		for i := range rows {
			rows[i] = intersect(kept.rows[i], p.rows[i])
			any = any || len(rows[i]) > 0
		}
		if !any {
			return fresh
		}
		kept.rows, kept.columns, kept.parts = rows, append(slices.Clone(kept.columns), p.columns...), append(slices.Clone(kept.parts), p)
	}
	return kept
}

// ranged are the names of the sentence, where two dates that bound a time are one:
// "from January to March".
func (s *sentence) ranged() []ref {
	var out []ref
	for i := 0; i < len(s.refs); i++ {
		r := s.refs[i]
		if i+1 < len(s.refs) && r.date && s.refs[i+1].date && s.bounds(r, s.refs[i+1]) {
			next := s.refs[i+1]
			for k, t := range s.checker.tables {
				r.rows[k] = t.within(r.rows[k], next.rows[k])
			}
			r.to, i = next.to, i+1
		} else if r.date {
			r = s.since(r)
		} else if i+1 < len(s.refs) && len(s.checker.weekdays) > 0 {
			if rows, ok := s.weekdaysBetween(r, s.refs[i+1]); ok {
				r.rows, r.to, i = rows, s.refs[i+1].to, i+1
			}
		}
		out = append(out, r)
	}
	return out
}

// bounds reports whether two dates are the ends of a time.
func (s *sentence) bounds(a, b ref) bool {
	if b.at-a.to > 2 {
		return false
	}
	if slices.ContainsFunc(s.figures, func(f figure) bool { return f.ratio }) || s.anyCue(0, len(s.tokens), riseWords, riseKorean...) || s.anyCue(0, len(s.tokens), fallWords, fallKorean...) {
		return false
	}
	before := s.foldAt(a.at - 1)
	for i := a.to; i < b.at; i++ {
		switch w := s.foldAt(i); {
		case w == "–", w == "~", w == "-", w == "through", w == "until", w == "to" && !s.figureAtToken(a.to), w == "and" && before == "between":
			return true
		}
	}
	return s.tokens[a.to-1].hangul && hasSuffix(s.tokens[a.to-1].text, "부터", "에서") && hasSuffix(s.tokens[b.to-1].text, "까지", "까지의")
}

// within are the rows in the order of time from the first to the last.
func (t *table) within(first, last []int) []int {
	if len(first) == 0 || len(last) == 0 {
		return nil
	}
	order := t.inTime()
	from, to := slices.Index(order, first[0]), slices.Index(order, last[len(last)-1])
	if from > to {
		return nil
	}
	rows := slices.Clone(order[from : to+1])
	slices.Sort(rows)
	return rows
}

func hasSuffix(text string, list ...string) bool {
	return slices.ContainsFunc(list, func(e string) bool { return strings.HasSuffix(text, e) })
}

// context reports whether a name or a date tells no rows apart: it covers all.
func (s *sentence) context(r ref) bool {
	for i, t := range s.checker.tables {
		rows := r.rows[i]
		if r.primary != nil {
			rows = r.primary[i]
		}
		if len(rows) > 0 && (len(rows) < t.rows || t.rows == 1) {
			return false
		}
	}
	return true
}

// included reports whether a name is only said to be among others, and no figure stands
// with it: "every reason, including the blank one".
func (s *sentence) included(r ref) bool {
	if !s.hasAny(r.at-2, r.at, "including", "incl", "include", "includes") && !hasPrefix(s.foldAt(r.to), "포함") {
		return false
	}
	from, to := s.span(r.at)
	return !slices.ContainsFunc(s.figures, func(f figure) bool { return f.at >= from && f.at < to })
}

// merge narrows a referent by a name of another column. It is false where the name
// begins another referent.
func (s *sentence) merge(to *referent, r ref) bool {
	same := slices.ContainsFunc(r.columns, func(c int) bool { return slices.Contains(to.columns, c) })
	shared := make([][]int, len(r.rows))
	any := false
	for i := range r.rows {
		shared[i] = intersect(to.rows[i], r.rows[i])
		any = any || len(shared[i]) > 0
	}
	carried := len(s.referents) == 0
	near := carried || s.clause[to.at] == s.clause[r.at]
	between := slices.ContainsFunc(s.figures, func(f figure) bool { return !carried && to.to <= f.at && f.at < r.at })
	switch {
	case same && (!any || len(r.columns) == 1):
		return false
	case !near || between && !r.date && s.nextIsNamed(r):
		return false
	case !any && (s.samePart(to, r) || r.date && s.wantsDate(to, r) || s.inBrackets(r.at) && !s.inBrackets(to.at) && !s.hasAny(to.to, r.at, ",", "and")) && s.sameTable(to, r) && (carried || !s.coordinated(to.to, r.at)):
		s.violate(r.at, r.to, "it stands in another row than what the clause speaks of")
		return true
	case !any:
		return false
	}
	to.rows, to.columns = shared, append(slices.Clone(to.columns), r.columns...)
	to.parts = append(slices.Clone(to.parts), r)
	to.to = r.to
	return true
}

// wantsDate reports whether a date belongs to the referent before it: that has none yet,
// and nothing else is named with the date.
func (s *sentence) wantsDate(to *referent, r ref) bool {
	dated := slices.ContainsFunc(to.parts, func(p ref) bool { return p.date })
	_, end := s.span(r.at)
	followed := slices.ContainsFunc(s.refs, func(o ref) bool { return o.at >= r.to && o.at < end })
	return !dated && !followed && len(s.referents) > 0 && !s.hasAny(to.to, r.at, "and", "since", "until", "before", "after")
}

// nextIsNamed reports whether a figure follows a name before the next: the name then
// speaks for that figure.
func (s *sentence) nextIsNamed(r ref) bool {
	for _, f := range s.figures {
		if f.at >= r.to {
			return !slices.ContainsFunc(s.refs, func(o ref) bool { return o.at >= r.to && o.at < f.at })
		}
	}
	return false
}

// samePart reports whether a name belongs to the referent's part of the sentence.
func (s *sentence) samePart(to *referent, r ref) bool {
	if len(s.referents) == 0 {
		return true
	}
	return s.segment[to.to-1] == s.segment[r.at] || s.line.item && s.clause[to.at] == s.clause[r.at]
}

func (s *sentence) sameTable(to *referent, r ref) bool {
	for i := range r.rows {
		if len(r.rows[i]) > 0 && len(to.rows[i]) > 0 {
			return true
		}
	}
	return false
}

// pronoun reports whether the sentence goes on to speak of what the one before did.
func (s *sentence) pronoun() bool {
	if s.before == nil {
		return false
	}
	if s.foldAt(0) == "the" && (s.foldAt(1) == "latter" || s.foldAt(1) == "last" && s.foldAt(2) == "of" && (s.foldAt(3) == "these" || s.foldAt(3) == "them")) {
		return true
	}
	for i := 1; i < min(9, len(s.tokens)); i++ {
		if w := s.foldAt(i); (w == "that" || w == "this") && s.foldAt(i-1) == "," && len(s.refs) == 0 {
			return true
		}
	}
	if s.isNameToken(0) {
		return false
	}
	switch s.foldAt(0) {
	case "it", "its", "he", "his", "she", "her", "they", "their", "this", "that", "these", "those", "here", "there", "이는", "같은", "이들은", "그", "그의", "해당", "이", "여기에", "이곳은", "이곳의", "이것은":
		return !(s.foldAt(0) == "there" || s.foldAt(0) == "here") || s.foldAt(1) == ","
	}
	return false
}

// coordinated reports whether nothing but conjunctions stands in tokens from..to.
func (s *sentence) coordinated(from, to int) bool {
	for i := from; i < to; i++ {
		switch s.tokens[i].fold {
		case ",", "and", "&", "or", "both", "the", "과", "와", "및", "그리고", "하고", "이랑", "랑", "+", "/", "in", "for", "·", "\"":
		default:
			if s.foldAt(i-1) == "the" && s.is(i, word) && s.isRowNoun(s.foldAt(i)) && (s.foldAt(i+1) == "\"" || s.isNameToken(i+1)) {
				continue // "the reason A and the reason B"
			}
			return false
		}
	}
	return true
}

// listed reports whether names are joined but for what stands in brackets between
// them: "A (3) and B (5)".
func (s *sentence) listed(from, to int) bool {
	for i := from; i < to; i++ {
		if !s.inBrackets(i) && !s.coordinated(i, i+1) {
			return false
		}
	}
	return true
}

// inBrackets reports whether token i stands in brackets, or is one.
func (s *sentence) inBrackets(i int) bool {
	for k := i; k >= 0; k-- {
		switch {
		case s.tokens[k].text == "(":
			return true
		case s.tokens[k].text == ")" && k < i:
			return false
		}
	}
	return false
}

func (s *sentence) violate(at, to int, why string) {
	if to <= at {
		to = at + 1
	}
	item := s.text
	if at < len(s.tokens) {
		item = s.text[s.tokens[at].begin:s.tokens[min(to, len(s.tokens))-1].end]
	}
	s.bad = append(s.bad, Violation{Item: item, Clause: s.text, Why: why})
}

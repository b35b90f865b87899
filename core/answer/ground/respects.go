package ground

import "slices"

var (
	respectNouns  = set("figure figures respect respects measure measures metric metrics count counts criterion criteria indicator indicators regard regards column columns")
	respectKorean = []string{"지표", "항목", "면에서", "부문", "측면", "수치"}
	lastWords     = set("last bottom lowest worst weakest smallest fewest behind trails trailed trailing")
	firstWords    = set("first top highest best strongest largest ahead leads led leading beats")
)

// everyRespect is where a sentence says that something is so in each measure, "in every respect", "by
// all three measures", "모든 지표에서"; -1 where it does not.
func (s *sentence) everyRespect() int {
	for i := range s.tokens {
		if s.taken[i] && !s.tokens[i].hangul {
			continue
		}
		if s.tokens[i].hangul && hasPrefix(s.tokens[i].text, respectKorean...) && s.anyCue(i+1, i+2, nil, "모두") {
			return i // "세 지표 모두"
		}
		all := s.hasAny(i, i+1, "every", "all", "each", "both") && s.hasAny(i-1, i, "in", "on", "by") || s.tokens[i].hangul && hasPrefix(s.tokens[i].text, "모든")
		for k := i + 1; all && k < min(i+4, len(s.tokens)); k++ {
			if respectNouns[s.foldAt(k)] || s.tokens[k].hangul && hasPrefix(s.tokens[k].text, respectKorean...) {
				return i
			}
		}
	}
	return -1
}

// checkEveryRespect checks that a row which is said to be the first or the last in each measure is it,
// or to be ahead of another one.
func (s *sentence) checkEveryRespect() {
	at := s.everyRespect()
	if at < 0 || len(s.referents) == 0 || s.checker.incomplete {
		return
	}
	from, to := s.clauseSpan(at)
	names := s.namesOf(from, to)
	direction := boolInt(s.anyCue(from, to, firstWords, "최상위", "앞서", "앞섭", "앞선")) - boolInt(s.anyCue(from, to, lastWords, "최하위", "꼴찌", "뒤지", "뒤집", "뒤진"))
	if d, _ := s.ordering(from, to); direction == 0 {
		direction = d
	}
	place := slices.IndexFunc(s.figures, func(f figure) bool { return f.ordinal })
	if len(names) == 0 || len(names) > 2 || s.denied(at) || place < 0 && direction == 0 {
		return
	}
	if place >= 0 {
		if n := s.figures[place].amounts[0].value; n.IsInt() && len(names) == 1 && direction == 0 {
			s.checkPlaceEverywhere(at, int(n.Num().Int64()), names[0])
		}
		return
	}
	for index, t := range s.checker.tables {
		r := names[0]
		if !t.whole || len(r.rows[index]) != 1 || t.measures() < 2 {
			continue
		}
		row := r.rows[index][0]
		if t.anyMeasure(func(c *column) bool {
			if c.key || c.cells[row].number == nil {
				return false
			}
			if len(names) == 1 {
				return c.beaten(row, t.all(), direction) > 0
			}
			order, given := c.compare(row, max(0, slices.Max(append([]int{-1}, names[1].rows[index]...))))
			return given && order != direction
		}) {
			s.violate(at, at+1, "the rows say the contrary in one measure")
			return
		}
	}
}

// checkPlaceEverywhere checks that a row has one place in each measure: "comes third in all figures".
func (s *sentence) checkPlaceEverywhere(at, n int, r *referent) {
	for index, t := range s.checker.tables {
		if !t.whole || len(r.rows[index]) != 1 || t.measures() < 2 {
			continue
		}
		row := r.rows[index][0]
		if t.anyMeasure(func(c *column) bool { return !c.key && c.cells[row].number != nil && c.beaten(row, t.all(), 1) != n-1 }) {
			s.violate(at, at+1, "the row has another place in one measure")
			return
		}
	}
}

// checkLeadsApart checks the names that lead in what is told behind them, where the verb stands with
// the first alone: "A leads in orders, B in revenue".
func (s *sentence) checkLeadsApart() {
	verb := slices.IndexFunc(s.tokens, func(t token) bool { return t.fold == "leads" || t.fold == "lead" || t.fold == "led" })
	if verb < 0 || s.taken[verb] || !s.hasAny(verb+1, verb+2, "in", "on", "by") || s.denied(verb) {
		return
	}
	for k := range s.referents {
		r := &s.referents[k]
		if r.at < verb || s.clause[r.at] != s.clause[verb] || !s.hasAny(r.at-1, r.at, ",", "and") && s.foldAt(r.at-1) != "," || !s.hasAny(r.to, r.to+1, "in", "on", "by") || !s.is(r.to+1, word) {
			continue
		}
		named := s.namedBy(s.foldAt(r.to+1), nil)
		if named == nil {
			continue
		}
		if !slices.ContainsFunc(s.checker.tables, func(t *table) bool {
			index := slices.Index(s.checker.tables, t)
			return !t.whole || slices.ContainsFunc(t.columns, func(c column) bool {
				return named[index*columnStride+t.indexOf(&c)] && s.leads(t, &c, index, []*referent{r}, 1)
			})
		}) {
			s.violate(r.at, r.to, "another row has more")
		}
	}
}

// checkLeadsEach checks each of several measures in which a name leads or has a place: "A leads in
// orders and revenue", "A는 건수와 금액 모두 1위".
func (s *sentence) checkLeadsEach() {
	at, place, end := -1, 1, 0
	for i, t := range s.tokens {
		switch {
		case (t.fold == "leads" || t.fold == "led") && s.hasAny(i+1, i+2, "in", "on") && !s.taken[i]:
			at, end = i+2, i+2
			for end < len(s.tokens) && !s.isNameToken(end) && !s.figureAtToken(end) && (s.is(end, word) || s.foldAt(end) == ",") && !s.hasAny(end, end+1, "with", "but", "at", "while") {
				end++
			}
		case t.hangul && t.text == "모두":
			k := slices.IndexFunc(s.figures, func(f figure) bool { return f.at == i+1 && f.ordinal && f.amounts[0].value.IsInt() })
			if from, _ := s.clauseSpan(i); k >= 0 {
				at, end, place = from, i, int(s.figures[k].amounts[0].value.Num().Int64())
			}
		}
	}
	if at < 0 || s.denied(at) || s.checker.partial() {
		return
	}
	names := s.namesOf(0, end)
	sets := s.measuresListed(at, end)
	if len(names) != 1 || len(sets) < 2 {
		return
	}
	for _, named := range sets {
		ok := false
		for id := range named {
			rows, c, t := names[0].rows[id/columnStride], s.columnOf(id), s.checker.tables[id/columnStride]
			ok = ok || len(rows) != 1 || c.beaten(rows[0], t.all(), 1) == place-1
		}
		if !ok {
			s.violate(at, end, "the row has another place in one measure")
			return
		}
	}
}

// measuresListed are the measures that tokens from..to name one after the other, joined: each by its
// words together.
func (s *sentence) measuresListed(from, to int) []map[int]bool {
	var out []map[int]bool
	var part map[int]bool
	mean := false
	add := func() {
		for id := range part {
			if mean && !s.columnOf(id).average {
				delete(part, id)
			}
		}
		if len(part) > 0 {
			out = append(out, part)
		}
		part, mean = nil, false
	}
	for i := from; i < to; i++ {
		if s.isNameToken(i) {
			continue
		}
		w := koreanStem(s.foldAt(i))
		mean = mean || meanWords[w] || hasPrefix(w, meanKorean...)
		if named := s.namedBy(w, nil); named != nil && !meanWords[w] && !hasPrefix(w, meanKorean...) {
			if both := intersectSets(part, named); part == nil || len(both) == 0 {
				part = joinSets(nil, named)
			} else {
				part = both
			}
		}
		if s.hasAny(i, i+1, "and") || s.foldAt(i) == "," || s.tokens[i].hangul && hasSuffix(s.tokens[i].text, "와", "과") {
			add()
		}
	}
	add()
	return out
}

// intersectSets are the columns that two sets share.
func intersectSets(a, b map[int]bool) map[int]bool {
	out := map[int]bool{}
	for id := range a {
		if b[id] {
			out[id] = true
		}
	}
	return out
}

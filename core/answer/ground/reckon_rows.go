package ground

import "slices"

// gather finds the rows of which the sentence speaks: by name, by place, by a superlative,
// as the rest, or together.
func (k *reckoning) gather() {
	s := k.s
	var here, before [][]int
	for _, r := range s.refs {
		here = appendRows(here, r.rows[k.index])
	}
	inClause := k.namesIn()
	for i := range s.referents {
		k.named = appendRows(k.named, s.referents[i].rows[k.index])
		k.who = append(k.who, &s.referents[i])
	}
	for _, rows := range here {
		k.named = appendRows(k.named, rows)
	}
	if s.before != nil {
		for i := range s.before.referents {
			before = appendRows(before, s.before.referents[i].rows[k.index])
		}
	}
	k.addComparand()
	if len(k.named) == 0 {
		k.named = before
		k.who = carriedNames(s)
	}
	k.addPlaces()
	if k.t.whole {
		k.addNeighbours()
	}
	for _, list := range [][][]int{inClause, here, append(slices.Clone(here), before...)} {
		if len(list) < 2 {
			continue
		}
		if k.t.whole || !slices.ContainsFunc(list, func(rows []int) bool { return len(rows) > 1 }) {
			k.groups = appendRows(k.groups, joinRows(list))
		}
	}
	k.addRuns(here)
	if !k.t.whole {
		return
	}
	for _, p := range k.named {
		if len(p) > 1 {
			k.groups = appendRows(k.groups, p)
		}
	}
	k.addTops()
	k.addHalves()
	rest := s.anyCue(0, len(s.tokens), otherWords, exceptKorean...) || s.anyCue(0, len(s.tokens), exceptWords)
	if !rest && (len(inClause) == 0 || s.anyCue(k.from, k.to, wholeCues, "전체", "모든", "총", "전부")) {
		k.groups = appendRows(k.groups, k.t.all())
	}
	if rest {
		for _, named := range [][][]int{inClause, here, before, append(slices.Clone(here), before...)} {
			k.groups = appendRows(k.groups, k.without(joinRows(named)))
		}
		for _, rows := range k.groups[max(0, len(k.groups)-4):] {
			k.points = appendRows(k.points, rows)
		}
	}
}

// carriedNames are the names of the sentence before, of which this one goes on to speak; of
// the two before, where these name one each.
func carriedNames(s *sentence) []*referent {
	if s.before == nil {
		return nil
	}
	out := s.fromBefore(s.before)
	if last := s.before.before; len(out) == 1 && last != nil && len(last.referents) == 1 {
		out = append(s.fromBefore(last), out...)
	}
	return out
}

// fromBefore are the names of a sentence before, which stand nowhere in this one.
func (s *sentence) fromBefore(before *sentence) []*referent {
	var out []*referent
	for _, r := range before.referents {
		r.at, r.to = len(s.tokens)+1, len(s.tokens)+1
		out = append(out, &r)
	}
	return out
}

// addComparand adds what the one name of the sentence is compared with where only the
// sentence before names it: "A has 84 and B 71. A has 13 more", "the gap is 13".
func (k *reckoning) addComparand() {
	s := k.s
	if len(k.who) != 1 || s.before == nil || !k.says(apartWords, apartKorean...) || s.anyCue(0, len(s.tokens), meanWords, meanKorean...) {
		return
	}
	others := slices.DeleteFunc(s.fromBefore(s.before), func(r *referent) bool { return slices.Equal(r.rows[k.index], k.who[0].rows[k.index]) })
	if len(others) == 1 && len(others[0].rows[k.index]) > 0 && !s.comparesKorean(0, len(s.tokens)) && !s.hasAny(0, len(s.tokens), "than") {
		k.who = append(k.who, others[0])
		k.named = appendRows(k.named, others[0].rows[k.index])
	}
}

// wholeCues say that what is told is of all rows, beside a name.
var wholeCues = set("overall all total entire whole everything together")

// namesIn are the rows of the names where the derivation is named.
func (k *reckoning) namesIn() [][]int {
	var out [][]int
	from, to := k.s.clauseSpan(k.f.at)
	for _, r := range k.s.refs {
		if r.at >= from && r.at < to {
			out = appendRows(out, r.rows[k.index])
		}
	}
	return out
}

// appendRows adds a set of rows that is not there yet.
func appendRows(list [][]int, rows []int) [][]int {
	if len(rows) == 0 || slices.ContainsFunc(list, func(have []int) bool { return slices.Equal(have, rows) }) {
		return list
	}
	return append(list, rows)
}

// joinRows are the rows of several sets.
func joinRows(list [][]int) []int {
	var out []int
	for _, rows := range list {
		out = union(out, rows)
	}
	return out
}

func (k *reckoning) without(rows []int) []int {
	if len(rows) == 0 {
		return nil
	}
	return slices.DeleteFunc(k.t.all(), func(row int) bool { return slices.Contains(rows, row) })
}

// maxRuns bounds the runs of names that are looked at: a sentence that names more rows is
// a list.
const maxRuns = 12

// addRuns takes names together that stand next to each other.
func (k *reckoning) addRuns(here [][]int) {
	if !k.t.whole || len(here) < 3 || len(here) > maxRuns || k.f.isSlight() {
		return
	}
	for i := range here {
		for j := i + 2; j <= len(here); j++ {
			k.groups = appendRows(k.groups, joinRows(here[i:j]))
		}
	}
}

// addPlaces takes the rows that a superlative or a place stands for.
func (k *reckoning) addPlaces() {
	s := k.s
	up, _ := s.ordering(0, len(s.tokens))
	both := s.anyCue(0, len(s.tokens), set("highest largest most biggest top"), "최고", "최대", "최다", "최댓", "1위") && s.anyCue(0, len(s.tokens), set("lowest smallest least fewest bottom last"), "최저", "최소", "최솟", "꼴찌", "최하위")
	for i := range k.t.columns {
		c := &k.t.columns[i]
		if !c.measure() {
			continue
		}
		for _, direction := range []int{1, -1} {
			if (direction == up || both) && s.checker.knowsPlaces(k.t, c, direction) {
				k.addPoint(c.placed(1, direction))
			}
		}
		for g := range s.figures {
			if n, ok := s.figures[g].count(); ok && s.figures[g].ordinal && n <= int64(k.t.rows) && s.checker.knowsPlaces(k.t, c, 1) {
				k.addPoint(c.placed(int(n), 1))
			}
		}
	}
}

func (k *reckoning) addPoint(row int) {
	if row >= 0 {
		k.points = appendRows(k.points, []int{row})
	}
}

// placed is the row at a place in the order of a column, from the most for up > 0; -1 for
// none.
func (c *column) placed(place, up int) int {
	var rows []int
	for row := range c.cells {
		if c.cells[row].number != nil {
			rows = append(rows, row)
		}
	}
	if place < 1 || place > len(rows) {
		return -1
	}
	slices.SortStableFunc(rows, func(a, b int) int { return -up * cmpCells(c.cells[a], c.cells[b]) })
	return rows[place-1]
}

// addNeighbours takes the rows before and behind the named ones, where words speak of
// them: in the order of time, else in that of a column.
func (k *reckoning) addNeighbours() {
	s := k.s
	order := k.t.inTime()
	timely := slices.ContainsFunc(k.t.columns, func(c column) bool { return c.temporal })
	moved := timely && (s.anyCue(0, len(s.tokens), riseWords, riseKorean...) || s.anyCue(0, len(s.tokens), fallWords, fallKorean...))
	if !moved && !s.anyCue(0, len(s.tokens), nextWords, nextKorean...) {
		return
	}
	named := joinRows(k.named)
	if len(named) > 3 {
		return
	}
	if timely {
		for _, row := range named {
			at := slices.Index(order, row)
			if at > 0 {
				k.addPoint(order[at-1])
			}
			if at+1 < len(order) && !moved {
				k.addPoint(order[at+1])
			}
		}
		return
	}
	for i := range k.t.columns {
		c := &k.t.columns[i]
		if !c.measure() {
			continue
		}
		for _, row := range named {
			for place := 1; place <= k.t.rows; place++ {
				if c.placed(place, 1) == row {
					k.addPoint(c.placed(place-1, 1))
					k.addPoint(c.placed(place+1, 1))
				}
			}
		}
	}
}

// Words for the row next to another.
var (
	nextWords  = set("next previous prior before after following follows followed preceding preceded runner earlier second nearest closest ahead behind")
	nextKorean = []string{"다음", "바로", "직전", "이전", "앞선", "뒤이", "뒤를", "전월", "전년", "전달", "전일", "전분기", "이듬", "그다음"}
)

// addTops takes the first rows in the order of a column, as many as a figure of the
// sentence or of the one before says: "the top three".
func (k *reckoning) addTops() {
	s := k.s
	if !s.anyCue(0, len(s.tokens), set("top first leading largest biggest highest bottom last smallest lowest best"), "상위", "하위", "큰", "많은", "앞") {
		return
	}
	for g := range s.figures {
		n, ok := s.figures[g].count()
		if !ok || n < 2 || n >= int64(k.t.rows) || &s.figures[g] == k.f {
			continue
		}
		for i := range k.t.columns {
			if c := &k.t.columns[i]; c.measure() {
				k.groups = appendRows(k.groups, c.firsts(int(n), 1))
				k.groups = appendRows(k.groups, c.firsts(int(n), -1))
			}
		}
	}
}

// firsts are the n rows with the most in a column, or the least for up < 0.
func (c *column) firsts(n, up int) []int {
	var rows []int
	for place := 1; place <= n; place++ {
		if row := c.placed(place, up); row >= 0 {
			rows = append(rows, row)
		}
	}
	slices.Sort(rows)
	return rows
}

// addHalves takes the rows of a half of a year.
func (k *reckoning) addHalves() {
	s := k.s
	first := s.anyCue(0, len(s.tokens), nil, "상반기", "전반기") || s.hasAny(0, len(s.tokens), "h1") || s.saysHalf("first")
	second := s.anyCue(0, len(s.tokens), nil, "하반기", "후반기") || s.hasAny(0, len(s.tokens), "h2") || s.saysHalf("second")
	for i := range k.t.columns {
		c := &k.t.columns[i]
		if !c.temporal || !first && !second {
			continue
		}
		var early, late []int
		for row, v := range c.cells {
			switch {
			case v.period == nil || v.period.month == 0 && v.period.quarter == 0:
			case v.period.month > 6 || v.period.quarter > 2:
				late = append(late, row)
			default:
				early = append(early, row)
			}
		}
		for _, half := range [][]int{early, late} {
			k.groups = appendRows(k.groups, half)
			k.points = appendRows(k.points, half)
		}
	}
}

// saysHalf reports whether the sentence speaks of the first or the second half.
func (s *sentence) saysHalf(which string) bool {
	for i := range s.tokens {
		if s.foldAt(i) == which && (s.foldAt(i+1) == "half" || s.foldAt(i+1) == "six") {
			return true
		}
	}
	return false
}

package ground

import "slices"

// checkTrends checks that what is said to rise or to fall does: between two figures,
// between two moments, or from the moment before to the one that is named.
func (s *sentence) checkTrends() {
	if s.checkExcepted() || s.checkTurns() {
		return
	}
	for at := 0; at < len(s.tokens); {
		from, to := s.span(at)
		at = to
		if up, where := s.paceOf(s.clauseSpan(from)); up != 0 {
			if first, last := s.clauseSpan(from); where >= from && where < to {
				if list := s.figuresIn(first, last); len(list) == 2 && s.hasAny(first, last, "from") {
					s.checkFigures(up, where, list[0], list[1])
				} else {
					s.checkPace(up, where)
				}
			}
			continue
		}
		up, where := s.trend(from, to)
		if up == 0 || s.turns(from, to, up) || s.numbersMoves(where) || s.stepAt() >= 0 && s.hasAny(from, to, "times") {
			continue
		}
		if to < len(s.tokens) && s.foldAt(to) == "and" && len(s.namesAround(from, to)) == 1 && s.hasAny(from, to, "between") {
			_, to = s.span(to) // "between A and B"
		}
		if to+1 < len(s.tokens) && s.foldAt(to) == "," && s.foldAt(to+1) == "from" && s.figureAtToken(to+2) && len(s.figuresIn(from, to)) == 0 {
			_, to = s.span(to) // "fell, too, from 5 to 4"
		}
		from = s.withFigures(from, to)
		list := s.figuresIn(from, to)
		if names := s.namesAround(from, to); len(list) == 1 && len(names) > 1 && list[0].amounts[0].value.Cmp(rat(int64(len(names)))) == 0 {
			list = nil // how many they are
		}
		switch names := s.namesAround(from, to); {
		case len(list) == 2 && list[0].percent == list[1].percent:
			s.checkFigures(up, where, list[0], list[1])
		case len(list) == 1 && s.hasAny(where, list[0].at, "from") && s.figureBefore(from) != nil:
			s.checkFigures(up, where, list[0], s.figureBefore(from))
		case len(list) == 1 && len(names) == 1 && s.arrives(list[0]), len(list) == 0 && len(names) > 0:
			s.checkMoments(up, where, names)
		case len(list) == 0 && (s.eachTime() || !slices.ContainsFunc(s.referents, func(r referent) bool { return r.at < from })):
			s.checkSeries(up, where)
		}
	}
}

// withFigures is where the part of a clause begins that a Korean verb alone in its own part
// goes on with: "410개에서 610개로 | 감소했습니다".
func (s *sentence) withFigures(from, to int) int {
	if from == 0 || !hasSuffix(s.tokens[from-1].text, "로") || s.clause[from-1] != s.clause[from] || len(s.figuresIn(from, to)) > 0 || len(s.namesAround(from, to)) > 0 {
		return from
	}
	begin, _ := s.span(from - 1)
	return begin
}

// trend is 1 when tokens from..to say that something rises, -1 when that it falls.
func (s *sentence) trend(from, to int) (up, at int) {
	for i := from; i < to; i++ {
		rise := s.anyCue(i, i+1, riseWords, riseKorean...)
		fall := s.anyCue(i, i+1, fallWords, fallKorean...)
		switch {
		case rise && up == 0:
			up, at = 1, i
		case fall && up == 0:
			up, at = -1, i
		case rise && up < 0, fall && up > 0:
			return 0, 0
		}
	}
	return up, at
}

// turns reports whether a sentence without names and figures says that a series went one
// way, then the other, as it did.
func (s *sentence) turns(from, to, up int) bool {
	if len(s.figures) > 0 || len(s.referents) > 0 || !s.hasAny(0, len(s.tokens), "then", "before") {
		return false
	}
	for at := 0; at < len(s.tokens); {
		first, last := s.span(at)
		at = last
		if other, where := s.trend(first, last); other == -up && first != from {
			if where > from {
				return s.turnsAround(up)
			}
			return s.turnsAround(-up)
		}
	}
	return false
}

func (s *sentence) figuresIn(from, to int) []*figure {
	var out []*figure
	for i := range s.figures {
		if f := &s.figures[i]; f.at >= from && f.at < to && len(f.amounts) > 0 && !f.ordinal && !f.ratio {
			out = append(out, f)
		}
	}
	return out
}

// figureBefore is the last figure before token at.
func (s *sentence) figureBefore(at int) *figure {
	var out *figure
	for i := range s.figures {
		if f := &s.figures[i]; f.to <= at && len(f.amounts) > 0 && !f.ordinal {
			out = f
		}
	}
	return out
}

func (s *sentence) namesAround(from, to int) []*referent {
	var out []*referent
	for i := range s.referents {
		if r := &s.referents[i]; r.at >= from && r.at < to {
			out = append(out, r)
		}
	}
	return out
}

// checkFigures checks a trend from one figure to another. "From" stands before the
// first, or "to" before it and "from" before the second.
func (s *sentence) checkFigures(up, where int, a, b *figure) {
	from := func(f *figure) bool { return s.hasAny(f.at-2, f.at, "from") || s.toldAsStart(f) }
	switch {
	case from(a):
	case from(b):
		a, b = b, a
	default:
		return
	}
	if order := b.amounts[0].value.Cmp(a.amounts[0].value); order != up {
		s.violate(where, where+1, "the figures say the contrary")
	}
}

// toldAsStart reports whether a Korean ending makes a figure the start of a change.
func (s *sentence) toldAsStart(f *figure) bool {
	text := f.rest
	if f.to < len(s.tokens) && s.tokens[f.to].hangul && !s.tokens[f.to].gap {
		text = s.tokens[f.to].text
	}
	return hasSuffix(text, "에서")
}

// checkMoments checks a trend without figures: between two moments, or from the one
// before.
func (s *sentence) checkMoments(up, where int, names []*referent) {
	if !slices.ContainsFunc(names[0].parts, func(p ref) bool { return p.date }) {
		s.checkChanges(up, where, names)
		return
	}
	if len(names) == 1 && s.beginsTime(names[0]) {
		s.checkSeries(up, where)
		return
	}
	if s.movesApart(names) {
		for _, r := range names {
			s.checkMoments(up, where, []*referent{r})
		}
		return
	}
	f := &figure{at: where, to: where + 1}
	known := false
	ok := s.each(f, func(t *table, index int, c *column) bool {
		if c.key {
			return false
		}
		if rows := s.stepsBetween(t, index, names); rows != nil && !c.change {
			known = true
			return c.trends(rows, up, true)
		}
		if c.change && len(names) == 1 {
			for _, row := range names[0].rows[index] {
				if n := c.cells[row].number; n != nil {
					known = true
					return n.Sign() == up
				}
			}
		}
		for _, p := range s.moments(t, index, names) {
			if a, b := c.cells[p[0]].number, c.cells[p[1]].number; a != nil && b != nil {
				known = true
				return a.Cmp(b) == up
			}
		}
		return false
	})
	if known && !ok {
		s.violate(where, where+1, "the rows say the contrary")
	}
}

// movesApart reports whether something is said of each of several moments, and not of the way from
// the first to the last: "fell in February and June".
func (s *sentence) movesApart(names []*referent) bool {
	if len(names) < 2 || s.hasAny(0, len(s.tokens), "from", "between", "to", "than", "through", "until", "compared", "over", "versus", "vs", "against", "since") || s.comparesKorean(0, len(s.tokens)) || s.anyCue(0, len(s.tokens), nil, "대비", "비해") {
		return false
	}
	for i, r := range names {
		if !r.parts[0].date || i > 0 && !s.listed(names[i-1].to, r.at) || s.endsWith(r, "에서", "부터", "까지", "에서의") {
			return false
		}
	}
	return s.hasAny(names[0].at-1, names[0].at, "in", "during") || s.tokens[names[0].to-1].hangul
}

// stepsBetween are the rows from the first of two moments to the last, where the sentence says
// something of each step between them: "rose every month from May to July"; nil elsewhere.
func (s *sentence) stepsBetween(t *table, index int, names []*referent) []int {
	if len(names) != 2 || !s.eachTime() || !names[0].isDate() || !names[1].isDate() || len(names[0].rows[index]) != 1 || len(names[1].rows[index]) != 1 {
		return nil
	}
	order := t.inTime()
	from, to := slices.Index(order, names[0].rows[index][0]), slices.Index(order, names[1].rows[index][0])
	if from >= to {
		return nil
	}
	return order[from : to+1]
}

// checkChanges checks that a column of changes says of each name that it rises, or falls.
func (s *sentence) checkChanges(up, where int, names []*referent) {
	for index, t := range s.checker.tables {
		for col := range t.columns {
			c := &t.columns[col]
			if !c.change || !c.measure() || c.share {
				continue
			}
			for _, r := range names {
				for _, row := range r.rows[index] {
					if n := c.cells[row].number; n != nil && n.Sign() != up && len(r.rows[index]) == 1 {
						s.violate(where, where+1, "the rows say the contrary")
						return
					}
				}
			}
		}
	}
}

// moments are the later and the earlier row of a trend.
func (s *sentence) moments(t *table, index int, names []*referent) [][2]int {
	if len(names) == 1 {
		return s.neighbours(t, index, names[0])
	}
	a, b := names[0].rows[index], names[len(names)-1].rows[index]
	if len(a) != 1 || len(b) != 1 {
		return nil
	}
	order := t.inTime()
	if slices.Index(order, a[0]) > slices.Index(order, b[0]) {
		a, b = b, a
	}
	return [][2]int{{b[0], a[0]}}
}

// ages are the superlatives of time: 1 for the latest.
var ages = map[string]int{"oldest": -1, "earliest": -1, "newest": 1, "latest": 1, "youngest": 1}

// ofEachWords say that a question asks for one of each group.
var ofEachWords = set("per each every by")

// own are the rows of a name in the first of its columns.
func (r *referent) own() [][]int {
	if len(r.parts) == 1 && r.parts[0].primary != nil {
		return r.parts[0].primary
	}
	return r.rows
}

// trends reports whether the numbers of a series rise, or fall for up < 0.
func (c *column) trends(order []int, up int, steadily bool) bool {
	first, last := c.cells[order[0]].number, c.cells[order[len(order)-1]].number
	if first == nil || last == nil || last.Cmp(first) != up {
		return false
	}
	for i := 1; steadily && i < len(order); i++ {
		a, b := c.cells[order[i-1]].number, c.cells[order[i]].number
		if a == nil || b == nil || b.Cmp(a) != up {
			return false
		}
	}
	return true
}

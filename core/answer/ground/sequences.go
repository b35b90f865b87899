package ground

import (
	"math/big"
	"slices"
	"strings"
)

// checkSequences checks that names which are said to stand in an order do: "A, B and C,
// in that order", "A, B, C 순입니다", "in order of launch: A, B, C".
func (s *sentence) checkSequences() {
	for i, t := range s.tokens {
		var names []*referent
		switch {
		case t.hangul && s.endsSequence(i), t.fold == "order" && s.hasAny(i-2, i, "that", "this", "descending", "ascending"):
			if names = s.sequenceBefore(i); len(names) == 0 && t.hangul {
				if r := s.nameAtToken(i + 1); r != nil {
					names = s.run(r, s.listed)
				}
			}
		case !t.hangul && s.leadsSequence(i):
			names = s.sequenceBehind(i)
		case t.fold == "then" || t.fold == "followed" && s.foldAt(i+1) == "by":
			names = s.sequenceAround(i)
		}
		if len(names) > 1 && s.standsOtherwise(i, names) {
			s.violate(i, i+1, "the rows stand in another order")
		}
	}
}

// standsOtherwise reports whether names that are said to stand in an order stand in another one: of
// moments where the words speak of these, else in a column of numbers, or of moments.
func (s *sentence) standsOtherwise(i int, names []*referent) bool {
	inTime, known := s.standInTime(i, names)
	measured := s.tellsMeasure(i)
	switch {
	case known && !measured && s.speaksOfTime(i):
		return !inTime
	case inTime && !measured && !names[0].parts[0].date:
		return false
	}
	known = false
	rising := s.isRising(i)
	ok := s.each(&figure{at: i, to: i + 1}, func(t *table, index int, c *column) bool {
		in, comparable := c.ordered(index, names, rising)
		in = in && !(s.tokens[i].hangul && t.whole && s.skipsPlaces(c, index, names, rising))
		known = known || comparable
		return in
	})
	return known && !ok
}

// tellsMeasure reports whether the words at an order say of what it is: "순으로 많습니다", "by
// members the order is".
func (s *sentence) tellsMeasure(i int) bool {
	if s.tokens[i].hangul && (s.anyCue(i+1, i+4, nil, upKorean...) || s.anyCue(i+1, i+4, nil, downKorean...)) {
		return true
	}
	from, _ := s.clauseSpan(i)
	return slices.ContainsFunc(s.tokens[from:i], func(t token) bool {
		for id := range s.namedBy(koreanStem(t.fold), nil) {
			if s.columnOf(id).measure() && t.kind == word {
				return true
			}
		}
		return false
	})
}

// sequenceBefore are the names before a token that ends a list of them.
func (s *sentence) sequenceBefore(i int) []*referent {
	var names []*referent
	from, _ := s.clauseSpan(i)
	for k := range s.referents {
		if r := &s.referents[k]; r.at >= from && r.at <= i {
			names = append(names, r)
		}
	}
	if n := len(names); n > 0 && len(s.groupOf(names[n-1])) >= 2 {
		names = s.run(names[n-1], s.listed)
	}
	return names
}

// leadsSequence reports whether an English word leads in names that stand in an order: "in order
// of launch: A, B", "the order is A, B", "ranked by members: A, B".
func (s *sentence) leadsSequence(i int) bool {
	switch s.foldAt(i) {
	case "order", "ranking", "sequence":
		return s.hasAny(i-1, i, "in", "the") && (s.hasAny(i+1, i+2, "of", "is", "runs", "goes", "by", "from") || s.foldAt(i+1) == ":")
	case "first":
		d, _ := s.ordering(i-1, i)
		return s.foldAt(i+1) == ":" && i > 0 && (d != 0 || s.ageAt(i-1) != 0)
	case "ranked", "ordered", "sorted":
		return s.hasAny(i+1, i+2, "by", "from")
	}
	return false
}

// sequenceBehind are the names of a list behind a token, with nothing but a label between them.
func (s *sentence) sequenceBehind(i int) []*referent {
	for k := range s.referents {
		r := &s.referents[k]
		if r.at <= i {
			continue
		}
		if s.foldAt(r.at-1) != ":" && !s.hasAny(r.at-2, r.at, "is", "runs", "goes", "are") || len(s.figuresIn(i, r.at)) > 0 {
			return nil
		}
		return s.run(r, s.listed)
	}
	return nil
}

// sequenceAround are the name before a token and those of the list right behind it: "A comes first,
// then B and C", "A leads, followed by B (3) and C (2)".
func (s *sentence) sequenceAround(i int) []*referent {
	from, to := s.clauseSpan(i)
	before := s.namesOf(from, i)
	if len(before) == 0 || s.tokens[i].fold == "then" && s.ordersNothing(from, i) {
		return nil
	}
	for k := range s.referents {
		r := &s.referents[k]
		if r.at <= i || r.at >= to {
			continue
		}
		list := s.run(r, s.listed)
		if r.at-i > 3 || len(list) < 2 || r.isOnlyDate() {
			return nil
		}
		return append([]*referent{before[len(before)-1]}, list...)
	}
	return nil
}

// ordersNothing reports whether no word in tokens from..to names a first place or a superlative.
func (s *sentence) ordersNothing(from, to int) bool {
	d, _ := s.ordering(from, to)
	return d == 0 && !s.hasAny(from, to, "first", "ahead", "leads") && !slices.ContainsFunc(s.figures, func(f figure) bool { return f.ordinal && f.at >= from && f.at < to })
}

// speaksOfTime reports whether the words at an order name a column of moments, or order by age.
func (s *sentence) speaksOfTime(i int) bool {
	from, to := s.clauseSpan(i)
	for k := from; k < to; k++ {
		if s.ageAt(k) != 0 || s.tokens[k].hangul && !s.isNameToken(k) && hasPrefix(s.tokens[k].text, "오래된", "최근", "최신") {
			return true
		}
	}
	return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(c column) bool { return c.temporal && s.saysColumn(&c, t, from, to) })
	})
}

// standInTime reports whether names stand in the order of a column of moments of which the
// sentence may speak, and whether one has moments for each of them: the first comes first, but
// where the words begin with the latest, or the question does.
func (s *sentence) standInTime(i int, names []*referent) (in, comparable bool) {
	from, to := s.clauseSpan(i)
	latest := s.hasAny(from, to, "latest", "newest", "recent", "youngest", "descending") || s.anyCue(from, to, nil, "최근", "최신", "늦은", "나중")
	for index, t := range s.checker.tables {
		for col := range t.columns {
			c := &t.columns[col]
			if !c.temporal || !s.mayMean(c, t) {
				continue
			}
			way, given := c.timeWay(index, names)
			comparable = comparable || given
			in = in || given && (way == 0 || way == 1-2*boolInt(latest) || way < 0 && s.checker.ordersInTime(1) && !s.saysColumn(c, t, i+1, to))
		}
	}
	return in, comparable
}

// timeWay is 1 where the moments of names go forward in a column, -1 where they go back, 0 where
// they are all the same and 2 where they do neither; given is false where one has none.
func (c *column) timeWay(index int, names []*referent) (way int, given bool) {
	for k, r := range names {
		rows := r.own()[index]
		if len(rows) != 1 || c.cells[rows[0]].period == nil {
			return 0, false
		}
		if k == 0 {
			continue
		}
		switch d := comparePeriods(c.cells[rows[0]].period, c.cells[names[k-1].own()[index][0]].period); {
		case d == 0:
		case way == 0:
			way = d
		case way != d:
			way = 2
		}
	}
	return way, true
}

// isRising reports whether an order begins with the least: as the words right behind it in its
// part of the sentence say, else those of its clause.
func (s *sentence) isRising(i int) bool {
	_, end := s.span(i)
	if s.tokens[i].hangul && s.anyCue(i+1, min(end, i+4), nil, upKorean...) {
		return false
	}
	from, to := s.clauseSpan(i)
	if s.tokens[i].hangul {
		to = end
	} else if d, _ := s.ordering(from, i); d < 0 {
		return true
	}
	return s.anyCue(from, to, nil, downKorean...) || s.hasAny(from, to, "ascending", "fewest", "lowest", "smallest", "least", "bottom")
}

// skipsPlaces reports whether names in the order of a column leave out one between them, and the
// sentence speaks of no part of the rows.
func (s *sentence) skipsPlaces(c *column, index int, names []*referent, falling bool) bool {
	up := 1 - 2*boolInt(falling)
	t := s.checker.tables[index]
	row := func(r *referent) int { return r.rows[index][0] }
	if s.anyCue(0, len(s.tokens), otherWords, "중", "가운데", "나머지", "외", "제외", "비교", "이어", "뒤", "다음") {
		return false
	}
	first := c.beaten(row(names[0]), t.all(), up)
	for i, r := range names {
		if c.beaten(row(r), t.all(), up) > first+i {
			return true
		}
	}
	return false
}

// endsSequence reports whether a Korean word says that the names before it stand in
// order: "A, B 순으로".
func (s *sentence) endsSequence(i int) bool {
	text, ok := s.tokens[i].text, false
	if s.isNameToken(i) {
		return hasSuffix(text, "순으로", "순입니다", "순이다", "순이에요", "순")
	}
	for _, w := range []string{"순서", "순"} {
		if rest, cut := strings.CutPrefix(text, w); cut && isEnding(rest) {
			ok = true
		}
	}
	return ok
}

// ordered reports whether the names stand in the order of a column, and whether it has
// a number for each of them.
func (c *column) ordered(index int, names []*referent, falling bool) (in, comparable bool) {
	var last *big.Rat
	in = true
	for _, r := range names {
		if len(r.rows[index]) != 1 {
			return false, false
		}
		n := c.cells[r.rows[index][0]].number
		if n == nil || c.key && !c.place {
			return false, false
		}
		if last != nil {
			order := n.Cmp(last)
			if c.place {
				order = -order
			}
			in = in && (order <= 0 || falling) && (order >= 0 || !falling)
		}
		last = n
	}
	return in, true
}

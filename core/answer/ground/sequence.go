package ground

import (
	"math/big"
	"slices"
	"strings"
)

// checkSequences checks that names which are said to stand in an order do: "A, B and C,
// in that order", "A, B, C 순입니다".
func (s *sentence) checkSequences() {
	for i, t := range s.tokens {
		korean := t.hangul && s.endsSequence(i)
		if !korean && (t.fold != "order" || !s.hasAny(i-2, i, "that", "this", "descending", "ascending")) {
			continue
		}
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
		if len(names) < 2 {
			continue
		}
		f := &figure{at: i, to: i + 1}
		_, to := s.clauseSpan(i)
		falling := s.anyCue(from, to, nil, downKorean...) || s.hasAny(from, to, "ascending", "fewest", "lowest", "smallest", "least", "bottom")
		known := false
		ok := s.each(f, func(t *table, index int, c *column) bool {
			in, comparable := c.ordered(index, names, falling)
			in = in && !(korean && t.whole && s.skipsPlaces(c, index, names, falling))
			known = known || comparable
			return in
		})
		if known && !ok {
			s.violate(i, i+1, "the rows stand in another order")
		}
	}
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

// follows reports whether no row stands between two in a column of a whole table.
func (c *column) follows(x, y int) bool {
	m, n := c.cells[x].number, c.cells[y].number
	return !slices.ContainsFunc(c.cells, func(v cell) bool {
		return v.number != nil && v.number.Cmp(m) < 0 && v.number.Cmp(n) > 0
	})
}

// pointed is the name that "the former", "the latter", 전자 or 후자 before a figure
// stands for.
func (s *sentence) pointed(f *figure) *referent {
	from, _ := s.span(f.at)
	list := s.referents
	if len(list) < 2 && s.before != nil {
		list = s.before.referents
	}
	if len(list) < 2 {
		return nil
	}
	for i := f.at - 1; i >= from; i-- {
		switch w := s.foldAt(i); {
		case w == "former", hasPrefix(w, "전자"):
			return &list[len(list)-2]
		case w == "latter", hasPrefix(w, "후자"):
			return &list[len(list)-1]
		}
	}
	return nil
}

// isOfOthers reports whether a figure is the total of the rows that were not named:
// "the other four have 195 together".
func (s *sentence) isOfOthers(f *figure) bool {
	from, to := s.clauseSpan(f.at)
	if !s.anyCue(from, f.at, otherWords) && !s.anyCue(from, f.at, nil, "나머지") && !s.excepts() {
		return false
	}
	return s.each(f, func(t *table, index int, c *column) bool {
		if !t.whole || c.share || c.average || c.key {
			return false
		}
		rows := s.others(t, index)
		switch {
		case len(rows) == t.rows || len(rows) == 0:
			return false
		case s.anyCue(from, to, meanWords, meanKorean...):
			return f.derived(c.mean(rows))
		}
		return f.derived(c.sum(rows))
	})
}

// others are the rows that were not named so far.
func (s *sentence) others(t *table, index int) []int {
	named := slices.Clone(s.earlierRows[index])
	for _, r := range s.referents {
		named = append(named, r.rows[index]...)
	}
	return slices.DeleteFunc(t.all(), func(row int) bool { return slices.Contains(named, row) })
}

var (
	medianWords  = set("median")
	medianKorean = []string{"중앙값", "중위", "중간값"}
)

// median is the number in the middle of a column, or the mean of the two there.
func (c *column) median() *big.Rat {
	var list []*big.Rat
	for _, v := range c.cells {
		if n := v.exactly(); n != nil {
			list = append(list, n)
		}
	}
	if len(list) == 0 {
		return nil
	}
	slices.SortFunc(list, (*big.Rat).Cmp)
	mid := len(list) / 2
	if len(list)%2 == 1 {
		return list[mid]
	}
	return new(big.Rat).Mul(new(big.Rat).Add(list[mid-1], list[mid]), half)
}

// isMedian checks "the median is 60".
func (s *sentence) isMedian(f *figure) bool {
	from, to := s.span(f.at)
	if !s.anyCue(from, to, medianWords, medianKorean...) {
		return false
	}
	return s.each(f, func(t *table, _ int, c *column) bool { return t.whole && t.rows > 1 && !c.key && f.derived(c.median()) })
}

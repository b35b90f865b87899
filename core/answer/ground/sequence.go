package ground

import (
	"math/big"
	"slices"
)

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

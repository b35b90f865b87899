package ground

import (
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"
)

// isSibling reports whether two columns hold the same of things that lie apart, so that
// their cells may be taken together: paper_tickets and digital_tickets, 정회원 and 준회원,
// sales_may and sales_june. A column whose name only narrows the other's is a part of it.
func (c *column) isSibling(o *column) bool {
	for _, of := range []*column{c, o} {
		if !of.measure() || of.change || of.average || of.share || of.aggregateOf() != "" || of.isTotal() {
			return false
		}
	}
	if c.amount != o.amount || c.unit != o.unit {
		return false
	}
	if slices.Equal(c.words, o.words) {
		return c.year != o.year || c.month != o.month
	}
	return sharesWord(c.words, o.words) && hasOwn(c.words, o.words) && hasOwn(o.words, c.words)
}

// isTotal reports whether a column's name says that it holds the whole of something.
func (c *column) isTotal() bool {
	return slices.ContainsFunc(c.words, func(w string) bool { return totalWords[w] || w == "all" || hasPrefix(w, "전체", "총", "합계") })
}

// sharesWord reports whether two names have a word in common, or Korean ones the last two
// syllables.
func sharesWord(a, b []string) bool {
	return slices.ContainsFunc(a, func(w string) bool {
		return slices.Contains(b, w) || slices.ContainsFunc(b, func(o string) bool { return endsAlike(w, o) })
	})
}

// endsAlike reports whether two Korean words end in the same two syllables.
func endsAlike(w, o string) bool {
	const syllables = 2
	if !isHangul(w) || !isHangul(o) || utf8.RuneCountInString(w) <= syllables || utf8.RuneCountInString(o) <= syllables {
		return false
	}
	a, b := []rune(w), []rune(o)
	return slices.Equal(a[len(a)-syllables:], b[len(b)-syllables:])
}

// hasOwn reports whether a name has a word that the other one has not.
func hasOwn(a, b []string) bool {
	return slices.ContainsFunc(a, func(w string) bool { return !slices.Contains(b, w) })
}

// siblings are the columns that may be taken together with one, itself first.
func (t *table) siblings(col int) []int {
	out := []int{col}
	for o := range t.columns {
		if o != col && !slices.ContainsFunc(out, func(have int) bool { return !t.columns[have].isSibling(&t.columns[o]) }) {
			out = append(out, o)
		}
	}
	slices.Sort(out)
	return out
}

// isOfSiblings checks what like columns of one row have together, the part that one of them
// has in that, and how many they are: "5,000 tickets in all", "75.2% of the two combined".
func (s *sentence) isOfSiblings(f *figure, r *referent) bool {
	if f.ratio || f.ordinal {
		return false
	}
	for index, t := range s.checker.tables {
		row := s.rowOf(t, index, r)
		for col := range t.columns {
			group := t.siblings(col)
			if row < 0 || len(group) < 2 || group[0] != col {
				continue
			}
			if s.countsColumns(f, t, group) || s.sumsColumns(f, t, index, row, group) {
				return true
			}
		}
	}
	return false
}

// countsColumns reports whether a figure is how many columns there are, or how much time lies
// between the first and the last of them: "the two", "두 해 동안", "1년 사이".
func (s *sentence) countsColumns(f *figure, t *table, group []int) bool {
	n, ok := f.count()
	if !ok || f.hedge != exact {
		return false
	}
	first, last := &t.columns[group[0]], &t.columns[group[0]]
	for _, col := range group {
		if c := &t.columns[col]; c.year < first.year || c.year == first.year && c.month < first.month {
			first = c
		} else if c.year > last.year || c.year == last.year && c.month > last.month {
			last = c
		}
	}
	switch unit := s.spanUnit(f); {
	case unit == "year" && first.year != last.year:
		return n == int64(len(group)) || n == int64(last.year-first.year) && s.isBetweenTimes(f)
	case unit == "month" && first.year == last.year && first.month != last.month:
		return n == int64(len(group)) || n == int64(last.month-first.month) && s.isBetweenTimes(f)
	case unit != "":
		return false
	}
	if n == int64(len(group)) && s.countsNoun(f) && s.anyCue(f.to, len(s.tokens), nil, totalKorean...) {
		return true
	}
	return n == int64(len(group)) && s.countKind(f) != countsOther && (s.hasAny(f.at-1, f.at, "the", "both", "these", "all") || f.spoken && s.is(f.to, word))
}

// isBetweenTimes reports whether a figure is told as a time in which something changed.
func (s *sentence) isBetweenTimes(f *figure) bool {
	return s.anyCue(f.to, f.to+3, nil, "사이", "만에", "새", "뒤", "후") || hasSuffix(f.rest+s.gluedAt(f.to), "만에", "새") || s.hasAny(f.at-2, f.at, "in", "within", "over", "after") || s.hasAny(f.to, f.to+3, "later")
}

// sumsColumns reports whether a figure is what the columns have together in a row, or the
// part in that of the one that the sentence names.
func (s *sentence) sumsColumns(f *figure, t *table, index, row int, group []int) bool {
	sum := new(big.Rat)
	for _, col := range group {
		n := t.columns[col].cells[row].exactly()
		if n == nil {
			return false
		}
		sum.Add(sum, n)
	}
	whole := s.anyCue(0, len(s.tokens), totalWords, totalKorean...) || s.hasAny(0, len(s.tokens), "both", "all") || s.anyCue(0, len(s.tokens), nil, "더하", "더한", "양쪽")
	if !f.percent {
		return whole && !s.anyCue(0, len(s.tokens), meanWords, meanKorean...) && f.derived(sum)
	}
	if !whole && !s.anyCue(0, len(s.tokens), shareWords, shareKorean...) || s.isChange(f) {
		return false
	}
	may := s.columnsFor(f, nil)
	if one := s.oneColumn(t, index, group); one >= 0 {
		may = func(_, col int) bool { return col == one }
	}
	return slices.ContainsFunc(group, func(col int) bool {
		return may(index, col) && f.derivedShare(percent(t.columns[col].cells[row].exactly(), sum))
	})
}

// oneColumn is the one of like columns that words of the sentence name, -1 for none or more.
func (s *sentence) oneColumn(t *table, index int, group []int) int {
	found := -1
	for i := range s.tokens {
		if !s.is(i, word) || s.taken[i] {
			continue
		}
		if col := s.columnAt(t, index, i); slices.Contains(group, col) && col != found {
			if found >= 0 {
				return -1
			}
			found = col
		}
	}
	return found
}

// columnsApart are the two columns that the words of a comparison name, what is measured and
// by what: "more A than B", "A가 B보다", "three times as many A as B", "A는 B의 두 배"; -1 where
// they name none.
func (s *sentence) columnsApart(f *figure, t *table, index int) (of, by int) {
	at := s.measureOf(f)
	if at < 0 {
		return -1, -1
	}
	if by = s.columnAt(t, index, at); by < 0 {
		return -1, -1
	}
	if of = s.sideOf(t, index, 0, len(s.tokens), at); of < 0 {
		return -1, -1
	}
	return of, by
}

// mayMeasure reports whether the first column may be measured by the second: where words
// compare two, these; a part in percent is none of a like column that words do not name as
// that by which they measure; of months the later by the earlier.
func (s *sentence) mayMeasure(f *figure, t *table, index int, x, y *column) bool {
	of, by := s.columnsApart(f, t, index)
	switch {
	case of >= 0:
		return x == &t.columns[of] && y == &t.columns[by]
	case !x.isSibling(y):
		return true
	case f.percent && !s.isChange(f) && x.year == y.year && x.month == y.month:
		return false
	case s.isChange(f) || s.changesBy(f):
		return x.year > y.year || x.year == y.year && x.month >= y.month
	}
	return true
}

// measureOf is the noun by which a comparison measures, -1 for none.
func (s *sentence) measureOf(f *figure) int {
	for i, t := range s.tokens {
		switch {
		case t.fold == "than", t.fold == "as" && f.ratio && i > f.to+1:
			for k := i + 1; k < min(i+4, len(s.tokens)); k++ {
				if s.is(k, word) && !stopWords[s.tokens[k].fold] && !s.taken[k] {
					return k
				}
			}
		case t.hangul && !s.isNameToken(i) && strings.HasSuffix(t.text, "보다") && len(t.text) > len("보다"), t.hangul && f.ratio && f.at-i <= 2 && i < f.at && strings.HasSuffix(t.text, "의"):
			return i
		}
	}
	return -1
}

package ground

import (
	"slices"
	"strings"
)

// aggregates are the words that say which number of many a column holds, by what its
// name has: the smallest, the largest, the average, the first and the last.
var aggregates = func() map[string]string {
	out := map[string]string{}
	for name, words := range map[string]string{
		"min":   "min minimum smallest lowest least cheapest shortest fewest low 최소 최저 최솟값 최소값",
		"max":   "max maximum largest highest biggest most longest priciest high 최대 최고 최댓값 최대값",
		"avg":   "avg average averages averaged averaging mean 평균",
		"first": "first earliest oldest 첫 최초 처음",
		"last":  "last latest newest final 마지막 최근 최종",
	} {
		for w := range set(words) {
			out[w] = name
		}
	}
	return out
}()

// aggregateOf is the aggregate that a column's name says, "" for none.
func (c *column) aggregateOf() string {
	for _, w := range c.words {
		if a := aggregates[w]; a != "" {
			return a
		}
		for _, list := range [][]string{aggregatesKorean, endsKorean} {
			if at := slices.IndexFunc(list, func(k string) bool { return strings.HasPrefix(w, k) }); at >= 0 {
				return aggregates[list[at]]
			}
		}
	}
	return ""
}

// endsKorean begin Korean compounds for moments: 첫점검일, 마지막주문일.
var endsKorean = []string{"첫", "최초", "마지막", "최종", "최근"}

// aggregatesKorean begin Korean compounds: 최저가, 평균가격.
var aggregatesKorean = []string{"최고", "최저", "평균", "최대", "최소"}

// isPrice reports whether a Korean name ends in the syllable for a price: 최고가, 판매가.
func isPrice(w string) bool {
	before, ok := strings.CutSuffix(w, "가")
	return ok && (aggregates[before] != "" || hasSuffix(before, "판매", "정", "단", "구매", "공급", "할인", "소비자"))
}

// aggregateAt is the aggregate that a token says; "가장 작은" and "가장 큰" are the
// smallest and the largest.
func (s *sentence) aggregateAt(i int) string {
	t := s.tokens[i]
	if t.kind != word || s.taken[i] && !t.hangul || s.isNameToken(i) {
		return ""
	}
	if a := aggregates[koreanStem(t.fold)]; a != "" && !(a == "last" && s.is(i+1, number)) {
		return a
	}
	for _, w := range aggregatesKorean {
		if hasPrefix(t.text, w) {
			return aggregates[w]
		}
	}
	if hasPrefix(t.text, mostKorean...) {
		switch next := s.foldAt(i + 1); {
		case hasPrefix(next, upKorean...):
			return "max"
		case hasPrefix(next, downKorean...):
			return "min"
		}
	}
	return ""
}

// namesAggregate reports whether a table has a column of an aggregate among several.
func (s *sentence) namesAggregate(a string) bool {
	return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return t.isAmbiguous() && t.rows > 1 && slices.ContainsFunc(t.columns, func(c column) bool { return c.aggregateOf() == a })
	})
}

// isAmbiguous reports whether the table has columns of different aggregates, so that the
// words for them choose among its columns.
func (t *table) isAmbiguous() bool {
	first, found := "", false
	for i := range t.columns {
		a := t.columns[i].aggregateOf()
		if (t.columns[i].measure() || t.columns[i].temporal) && a != "" {
			if found && a != first {
				return true
			}
			first, found = a, true
		}
	}
	return false
}

// aggregateFor is the aggregate that the words nearest to tokens at..to say of it: before
// it in its part of the sentence, else behind it.
func (s *sentence) aggregateFor(at, to int) string {
	from, end := s.span(at)
	if from > 0 && s.foldAt(from) == ":" {
		from, _ = s.span(from - 1)
	}
	for i := at; i < to; i++ {
		if a := s.aggregateAt(i); a != "" {
			return a
		}
	}
	if from > 0 && from < len(s.tokens) && s.tokens[from].text == ":" || from > 0 && s.foldAt(from) == "," && s.foldAt(s.spanStart(from-1)) == "for" {
		from, _ = s.span(from - 1) // the label before it, "for the largest payment,"
	}
	for i := at - 1; i >= from; i-- {
		if a := s.aggregateAt(i); a != "" {
			return a
		}
		if s.figureAtToken(i) && !s.roundsOff(i, at) {
			break
		}
	}
	for i := to; i < end; i++ {
		if s.figureAtToken(i) || s.foldAt(i) == "with" || s.foldAt(i) == "at" || s.foldAt(i) == "as" {
			break
		}
		if a := s.aggregateAt(i); a != "" && !s.tokens[i].hangul {
			return a
		}
	}
	return ""
}

// spanStart is the first token of the segment around a token.
func (s *sentence) spanStart(i int) int {
	from, _ := s.span(i)
	return from
}

// roundsOff reports whether the figure at i only bounds the one that follows: "4백을 조금
// 넘는 418.37".
func (s *sentence) roundsOff(i, at int) bool {
	return slices.ContainsFunc(s.figures, func(g figure) bool { return g.at == i && g.hedge != exact && at-g.to <= 4 })
}

// aggregated are the columns that may hold a figure at a token where the words choose
// among a table's aggregates; nil where they do not.
func (s *sentence) aggregated(f *figure) func(table, col int) bool {
	if len(f.amounts) == 0 && s.comparesMeans(f.at) {
		return func(i, col int) bool { return s.checker.tables[i].columns[col].average }
	}
	if !slices.ContainsFunc(s.checker.tables, (*table).isAmbiguous) {
		return nil
	}
	want := s.aggregateFor(f.at, f.to)
	if want == "" {
		return nil
	}
	found := false
	for _, t := range s.checker.tables {
		found = found || slices.ContainsFunc(t.columns, func(c column) bool { return c.aggregateOf() == want && c.measure() })
	}
	if !found {
		return nil
	}
	return func(i, col int) bool { return s.checker.tables[i].columns[col].aggregateOf() == want }
}

// comparesMeans reports whether the part of a sentence around a word that compares speaks of averages, where
// a column holds some.
func (s *sentence) comparesMeans(at int) bool {
	from, to := s.span(at)
	return s.anyCue(from, to, meanWords, meanKorean...) && !s.figureBetween(from, to) && slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(c column) bool { return c.measure() && c.average })
	})
}

// checkDateColumns refuses a date of another column than the words before it name: of the
// first order where the last is meant.
func (s *sentence) checkDateColumns() {
	for _, r := range s.refs {
		if !r.date || len(r.columns) == 0 {
			continue
		}
		want := s.aggregateFor(r.at, r.to)
		t := s.checker.tables[r.columns[0]/columnStride]
		if want == "" || !t.isAmbiguous() || !slices.ContainsFunc(t.columns, func(c column) bool { return c.temporal && c.aggregateOf() == want }) {
			continue
		}
		if !slices.ContainsFunc(r.columns, func(id int) bool { return t.columns[id%columnStride].aggregateOf() == want }) {
			s.violate(r.at, r.to, "the result has another date for this")
		}
	}
}

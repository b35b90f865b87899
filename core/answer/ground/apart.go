package ground

import "slices"

// laterWords and earlierWords say in which order two moments stand.
var (
	laterWords    = set("later after newer younger")
	earlierWords  = set("earlier before sooner older")
	laterKorean   = []string{"늦", "뒤", "나중", "후"}
	earlierKorean = []string{"먼저", "이르", "이른", "일찍", "앞", "빨리", "빨랐", "전에"}
)

// ageNear is the direction of the words of age at an ordinal: "the fifth oldest", "다섯
// 번째로 오래된".
func (s *sentence) ageNear(f *figure) int {
	for i := f.to; i < min(f.to+4, len(s.tokens)); i++ {
		t := s.tokens[i]
		switch {
		case t.hangul && hasPrefix(t.text, "오래", "먼저", "이른", "일찍", "빨리"):
			return -1
		case t.hangul && hasPrefix(t.text, "최근", "늦", "나중"):
			return 1
		case ages[t.fold] != 0:
			return ages[t.fold]
		}
	}
	return 0
}

// ranksInTime reports whether a row has a place in a column of moments.
func (s *sentence) ranksInTime(r *referent, place, direction int) bool {
	for index, t := range s.checker.tables {
		for i := range t.columns {
			c := &t.columns[i]
			if c.temporal && s.checker.knowsPlaces(t, c, direction) && slices.ContainsFunc(r.own()[index], func(row int) bool { return c.later(row, direction) == place-1 }) {
				return true
			}
		}
	}
	return false
}

// isTotalChange checks "together they rose by 58": the total of a column of changes.
func (s *sentence) isTotalChange(f *figure) bool {
	from, to := s.clauseSpan(f.at)
	if len(s.referents) > 0 || !s.anyCue(from, to, totalWords, totalKorean...) {
		return false
	}
	return s.eachChange(func(t *table, c *column) bool {
		return t.whole && t.rows > 1 && !c.share && c.measure() && s.keepsSign(f, c.sum(t.all()), from, to) && s.isGapOf(f, c.sum(t.all()), from, to)
	})
}

// eachChange calls use with the columns of changes, until one holds.
func (s *sentence) eachChange(use func(t *table, c *column) bool) bool {
	return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(c column) bool { return c.change && use(t, &c) })
	})
}

// countsValue checks "two salaries of 23,690": how many rows have the value behind.
func (s *sentence) countsValue(i int, n int64) bool {
	f := &s.figures[i]
	if i+1 >= len(s.figures) || n < 2 {
		return false
	}
	g := &s.figures[i+1]
	if g.at-f.to > 4 || g.hedge != exact || len(g.amounts) == 0 || !s.hasAny(g.at-1, g.at, "of", "at") || s.foldAt(f.to) == "of" {
		return false
	}
	if !s.each(f, func(t *table, _ int, c *column) bool {
		return t.whole && t.rows > 1 && c.measure() && c.countOf(g) == n
	}) {
		return false
	}
	s.proved[i+1] = true
	return true
}

// countsOver checks "5명의 급여를 합하면", "두 채널 합계", "일곱 개 요일의 주문 수를 합산하면": over how
// many rows something is computed.
func (s *sentence) countsOver(f *figure, n int64) bool {
	from, to := s.clauseSpan(f.at)
	return len(s.referents) == 0 && (s.koreanCounter(f) && hasSuffix(f.rest+s.gluedAt(f.to), "의") || s.countsNoun(f)) &&
		(s.anyCue(f.to, to, nil, totalKorean...) || s.anyCue(from, to, nil, meanKorean...)) && s.isRowCount(f, n) && !s.checker.partial()
}

// countsNoun reports whether a Korean noun stands behind a figure and its counter that names no
// measure: "두 채널을", "8개 매장의".
func (s *sentence) countsNoun(f *figure) bool {
	i := f.to
	switch {
	case s.gluedAt(i) != "":
		i++
	case f.rest == "" && hasPrefix(s.foldAt(i), "개", "가지", "곳"):
		i++
	}
	if i == f.to && !f.spoken && f.rest == "" || i > f.to && !hasPrefix(s.foldAt(f.to), "개", "가지", "곳", "명") || !s.is(i, word) || !s.tokens[i].hangul || s.taken[i] || !s.tokens[i].gap {
		return false
	}
	w := koreanStem(s.tokens[i].text)
	return s.measuresNamed(w) == 0 && !hasPrefix(w, totalKorean...) && !hasPrefix(w, meanKorean...)
}

// countsTrue checks "3 of the 10 are subscribed": how many rows have what a column of true
// and false says.
func (s *sentence) countsTrue(f *figure, n int64) bool {
	if len(s.referents) > 0 {
		return false
	}
	from, to := s.clauseSpan(f.at)
	for i := from; i < to; i++ {
		b, truth := s.boolAt(i)
		if b == nil {
			continue
		}
		if t := s.checker.tables[b.table]; t.whole && t.rows > 2 {
			var have int64
			for _, v := range t.columns[b.column].cells {
				have += int64(boolInt(!v.null && (v.text == "true") == truth))
			}
			return have == n
		}
	}
	return false
}

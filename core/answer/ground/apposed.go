package ground

import (
	"math/big"
	"slices"
	"strings"
)

// apposed is the name that a superlative is told of right behind it: "the worst month, April,",
// "the lowest is 26.66 (order 7)", "가장 적은 Golf의"; nil where none is.
func (s *sentence) apposed(at int) *referent {
	if s.tokens[at].hangul {
		for i := at + 1; i < min(at+3, len(s.tokens)); i++ {
			if w := s.tokens[i].text; s.segment[i] == s.segment[at] && s.tokens[i].hangul && !s.isNameToken(i) && hasSuffix(w, "은", "는", "큰", "긴", "싼", "른") && hasPrefix(s.foldAt(at), mostKorean...) {
				return s.nameAtToken(i + 1)
			}
		}
		return nil
	}
	_, to := s.span(at)
	before := at - 1
	if s.foldAt(before) == "the" {
		before--
	}
	if s.foldAt(to) == "," && to-at <= 4 && !(s.foldAt(before) == "," && s.isNameToken(before-1)) {
		if r := s.nameAtToken(to + 1); r != nil && (r.to == len(s.tokens) || s.is(r.to, mark)) {
			return r
		}
	}
	if r := s.wentTo(at, before); r != nil {
		return r
	}
	for k := range s.figures {
		if f := &s.figures[k]; f.at > at && f.at < to && s.foldAt(to) == "(" && to-f.to <= 1 {
			return s.firstName(to, to+4)
		}
	}
	return nil
}

// wentTo is the name behind the verb of a superlative that begins its part of the sentence, before
// token at, with the noun and the figure between them: "and the smallest slice, 62, went through
// A", "the most, ten, came from B"; nil for none.
func (s *sentence) wentTo(at, before int) *referent {
	if s.foldAt(at-1) != "the" || before >= 0 && !s.hasAny(before, before+1, "and", "while", "but") && s.tokens[before].kind != mark {
		return nil
	}
	_, last := s.clauseSpan(at)
	for k := range s.referents {
		r := &s.referents[k]
		if r.at <= at || r.at >= last {
			continue
		}
		if s.hasAny(r.at-3, r.at, "to", "through", "from", "by", "is", "was", "with") && s.hasAny(at+1, r.at, "went", "goes", "came", "comes", "fell", "falls", "belongs", "belonged", "paid", "placed", "made", "is", "was", "lies", "stands", "played", "scored", "earned", "had", "has") {
			return r
		}
		return nil
	}
	return nil
}

// nameAtToken is the name that begins at a token; nil for none.
func (s *sentence) nameAtToken(i int) *referent { return s.firstName(i, i+1) }

// firstName is the first name that begins in tokens from..to; nil for none.
func (s *sentence) firstName(from, to int) *referent {
	for k := range s.referents {
		if r := &s.referents[k]; r.at >= from && r.at < to {
			return r
		}
	}
	return nil
}

// onlyMeasures reports whether a superlative only says by what something is measured: "than the
// top club", "최고액과 10만 차이".
func (s *sentence) onlyMeasures(at int) bool {
	if t := s.tokens[at]; t.hangul {
		return hasPrefix(t.text, "최") && hasSuffix(t.text, "과", "와", "보다", "과의", "와의", "에") && !s.isNameToken(at)
	}
	return s.hasAny(at-2, at, "than", "below", "above", "behind")
}

// measuredByBefore reports whether a name is measured by the one before it: "Kiel은 그보다".
func (s *sentence) measuredByBefore(r *referent) bool {
	return r.to < len(s.tokens) && (hasPrefix(s.foldAt(r.to), "그보다", "이보다") || s.gluedAt(r.to) != "" && hasPrefix(s.foldAt(r.to+1), "그보다", "이보다"))
}

// othersCompare reports whether all rows but those that are named have more together than a
// name, or less for direction < 0: "A를 제외한 세 곳은 모두 150개로 A보다 많습니다".
func (s *sentence) othersCompare(f *figure, r *referent, direction int) bool {
	return s.each(f, func(t *table, index int, c *column) bool {
		if !t.whole || !c.measure() || len(r.rows[index]) != 1 {
			return false
		}
		rows := slices.DeleteFunc(t.all(), func(row int) bool { return slices.Contains(r.rows[index], row) })
		total, own := c.sum(rows), c.cells[r.rows[index][0]].number
		return total != nil && own != nil && total.Cmp(own) == direction
	})
}

// isMostFrequent reports whether more rows, or fewer for direction < 0, have a name than any other
// of its column, where the sentence says how many these are.
func (s *sentence) isMostFrequent(t *table, index int, r *referent, direction int) bool {
	if !t.whole || len(r.parts) == 0 || len(r.parts[0].columns) != 1 || r.parts[0].columns[0]/columnStride != index {
		return false
	}
	c, own := &t.columns[r.parts[0].columns[0]%columnStride], len(r.parts[0].rows[index])
	counts := map[string]int{}
	for _, v := range c.cells {
		counts[v.text]++
	}
	if c.numeric || c.temporal || len(counts) < 2 || !slices.ContainsFunc(s.figures, func(f figure) bool {
		n, ok := f.count()
		return ok && n == int64(own)
	}) {
		return false
	}
	for _, n := range counts {
		if direction > 0 && n > own || direction < 0 && n < own {
			return false
		}
	}
	return true
}

// isConstant reports whether a column has the same number in all rows: none is the most in it.
func (c *column) isConstant() bool {
	return !slices.ContainsFunc(c.cells, func(v cell) bool { return v.number == nil || v.number.Cmp(c.cells[0].number) != 0 })
}

// findExcepted takes out the names but which all have a value: "all but A are engineers".
func (s *sentence) findExcepted() {
	if !s.isOfAllBut() && !(s.anyCue(0, len(s.tokens), nil, "제외", "빼고") && s.anyCue(0, len(s.tokens), nil, "모두", "전부")) {
		return
	}
	var names, values []ref
	for _, r := range s.refs {
		switch {
		case r.date || len(r.columns) != 1:
			return
		case s.isExcepted(r):
			names = append(names, r)
		default:
			values = append(values, r)
		}
	}
	if len(names) == 0 || len(values) != 1 || names[0].columns[0] == values[0].columns[0] || names[0].columns[0]/columnStride != values[0].columns[0]/columnStride {
		return
	}
	s.excepted, s.refs = names, values
}

// isExcepted reports whether a name is one of those of which something is not said.
func (s *sentence) isExcepted(r ref) bool {
	return s.hasAny(r.at-2, r.at, "except", "but", "from", "excluding", "besides", "for") || hasPrefix(s.foldAt(r.to), "제외", "빼고") || s.gluedAt(r.to) != "" && hasPrefix(s.foldAt(r.to+1), "제외", "빼고") || hasSuffix(s.tokens[r.to-1].text+s.gluedAt(r.to), "제외한", "빼고")
}

// checkExceptedValue checks that all but some names have a value, and these have not.
func (s *sentence) checkExceptedValue() {
	if len(s.excepted) == 0 {
		return
	}
	index := s.excepted[0].columns[0] / columnStride
	t, have := s.checker.tables[index], s.refs[0].rows[index]
	var without []int
	for _, r := range s.excepted {
		without = union(without, r.rows[index])
	}
	if !t.whole || len(have)+len(without) != t.rows || len(intersect(have, without)) > 0 {
		s.violate(s.excepted[0].at, s.excepted[0].to, "the rows say the contrary")
	}
}

// partName are the words of a name without its first one, and without the number behind
// them, that may stand for it behind an article: "the frying pan" of "Böhm Frying Pan 8".
func partName(tokens []token) string {
	for len(tokens) > 0 && tokens[len(tokens)-1].kind == number {
		tokens = tokens[:len(tokens)-1]
	}
	if len(tokens) < 3 {
		return ""
	}
	var words []string
	for _, t := range tokens[1:] {
		if t.kind != word || t.hangul || !t.capital {
			return ""
		}
		words = append(words, t.text)
	}
	return strings.Join(words, " ")
}

// comparesByGap checks a comparison in the columns in which two names are as far apart as the
// figure says that stands right before the word for it: "본이 킬보다 2개 많습니다". It is unknown
// where there is none.
func (s *sentence) comparesByGap(a, b *referent, at, direction int) (ok, known bool) {
	k := slices.IndexFunc(s.figures, func(f figure) bool { return f.to <= at && at-f.to <= 1 && !f.percent && !f.ratio && len(f.amounts) > 0 })
	if k < 0 || !s.tokens[at].hangul || !s.isGap(&s.figures[k]) {
		return false, false
	}
	for index, t := range s.checker.tables {
		if len(a.rows[index]) != 1 || len(b.rows[index]) != 1 {
			continue
		}
		for col := range t.columns {
			c := &t.columns[col]
			x, y := c.cells[a.rows[index][0]].exactly(), c.cells[b.rows[index][0]].exactly()
			if c.measure() && x != nil && y != nil && s.figures[k].derived(new(big.Rat).Abs(minus(x, y))) {
				known, ok = true, ok || x.Cmp(y) == direction
			}
		}
	}
	return ok, known
}

// endOfRow checks a first or last moment that a row has in a column of its own: "서구의 가장 최근
// 입사일은" of first_hired and last_hired. It is unknown elsewhere.
func (s *sentence) endOfRow(r *referent, direction int) (ok, known bool) {
	ends := [2][]string{{"first", "earliest", "min", "oldest"}, {"last", "latest", "max", "newest"}}[boolInt(direction > 0)]
	korean := [2][]string{{"첫", "최초"}, {"마지막", "최근", "최종"}}[boolInt(direction > 0)]
	for index, t := range s.checker.tables {
		for col := range t.columns {
			c := &t.columns[col]
			if !c.temporal || len(r.rows[index]) != 1 || !hasPrefix(c.name, korean...) && !slices.ContainsFunc(c.words, func(w string) bool { return slices.Contains(ends, w) }) {
				continue
			}
			for _, d := range s.dates {
				known = known || slices.ContainsFunc(t.columns, func(o column) bool {
					return o.temporal && slices.Contains(o.inPeriod(d.readings, s.checker.years), r.rows[index][0])
				})
				ok = ok || slices.Contains(c.inPeriod(d.readings, s.checker.years), r.rows[index][0])
			}
		}
	}
	return ok, known
}

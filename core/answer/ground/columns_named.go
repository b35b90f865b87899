package ground

import (
	"slices"
	"strings"
)

// isScope reports whether a Korean noun says among what a figure stands, and not of what
// it is: "상품 중에서는".
func (s *sentence) isScope(i int) bool {
	return s.tokens[i].hangul && hasPrefix(s.foldAt(i+1), "중", "가운데")
}

// metricWords are stop words that may be a column's whole name.
var metricWords = set("amount value number total count average sum")

// namedBy are the numeric columns of tables with rows that a word names: those that have the
// word itself before those that only mean the same, as the price beside the cost.
func (s *sentence) namedBy(w string, rows [][]int) map[int]bool {
	if w == "" || stopWords[w] && w != "id" && !metricWords[w] {
		return nil
	}
	if root := stem(w); root == "sell" || root == "outsell" || w == "selling" {
		if w = "price"; !s.checker.hasConcept("price") {
			w = "revenue"
		}
	}
	of := concept(verbNoun(w))
	var named, itself map[int]bool
	for i, t := range s.checker.tables {
		if rows != nil && len(rows[i]) == 0 {
			continue
		}
		for col := range t.columns {
			c := &t.columns[col]
			if !c.numeric || c.key && !c.place && w != "id" && periodName.MatchString(c.name) {
				continue
			}
			if slices.ContainsFunc(c.words, func(have string) bool {
				return have == of || concept(have) == of || sameRoot(have, of) || isHangul(have) && isHangul(w) && (strings.HasPrefix(have, w) || strings.HasPrefix(w, have) || len(w) >= len("가나") && strings.Contains(have, w) || len(have) >= len("가나") && strings.HasSuffix(w, have)) || of == "price" && isPrice(have) || isHangul(have) && beginsVerb(have, w) || w == "번호" && c.id && t.rows == 1 || soundsLikeWord(w, have) || hasSuffix(w, "자", "량") && isHangul(w) && !isHangul(have) && sameState(w, have)
			}) {
				named = with(named, i*columnStride+col)
				if slices.Contains(c.words, stem(w)) && !isHangul(w) && !slices.Contains(c.words, "per") {
					itself = with(itself, i*columnStride+col)
				}
			}
		}
	}
	if len(itself) > 0 {
		return itself
	}
	if hasSuffix(w, "률", "율", "비중") {
		return s.sharesFor(named, rows)
	}
	if hasSuffix(w, "액") && len(named) > 0 {
		return s.amountsFor(named, rows)
	}
	if named == nil && of == "cost" {
		return s.namedBy("price", rows) // what something costs
	}
	return named
}

// hasConcept reports whether a column's name has a word that means something.
func (c *Checker) hasConcept(of string) bool {
	return slices.ContainsFunc(c.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(col column) bool {
			return slices.ContainsFunc(col.words, func(w string) bool { return concept(w) == of || of == "price" && isPrice(w) })
		})
	})
}

// amountsFor are the amounts among columns that a Korean noun for an amount names, 결제액; where
// these only count things, those of their tables.
func (s *sentence) amountsFor(named map[int]bool, rows [][]int) map[int]bool {
	var among, beside map[int]bool
	for i, t := range s.checker.tables {
		for col := range t.columns {
			c := &t.columns[col]
			switch id := i*columnStride + col; {
			case !c.measure() || !c.amount || c.share || rows != nil && len(rows[i]) == 0:
			case named[id]:
				among = with(among, id)
			default:
				beside = with(beside, id)
			}
		}
	}
	switch {
	case among != nil:
		return among
	case beside != nil:
		return beside
	}
	return named
}

// sharesFor are the columns of parts that a Korean noun for a rate means, 구독률: those of the named
// ones, else all; the named ones where there is none.
func (s *sentence) sharesFor(named map[int]bool, rows [][]int) map[int]bool {
	var among, all map[int]bool
	for i, t := range s.checker.tables {
		for col := range t.columns {
			c, id := &t.columns[col], i*columnStride+col
			if !c.measure() || !c.share || rows != nil && len(rows[i]) == 0 {
				continue
			}
			all = with(all, id)
			if named[id] {
				among = with(among, id)
			}
		}
	}
	switch {
	case among != nil:
		return among
	case all != nil:
		return all
	}
	return named
}

// soundsLikeWord reports whether a Korean word is one of a column's name by its sounds: 서울 of
// seoul_revenue.
func soundsLikeWord(w, have string) bool {
	const shortest = 4 // letters that are enough to tell
	return isHangul(w) && !isHangul(have) && len(have) >= shortest && !koreanWords[w] && synonyms[w] == "" && soundsLike(w, have)
}

// joinSets are the columns of two sets.
func joinSets(a, b map[int]bool) map[int]bool {
	out := map[int]bool{}
	for _, set := range []map[int]bool{a, b} {
		for id := range set {
			out[id] = true
		}
	}
	return out
}

// with is a set with one more column.
func with(set map[int]bool, id int) map[int]bool {
	if set == nil {
		set = map[int]bool{}
	}
	set[id] = true
	return set
}

// verbNoun is the noun of a Korean verb that is made of one, where answers use it for a
// column: 정산 of 정산받았습니다.
func verbNoun(w string) string {
	if !isHangul(w) || synonyms[w] != "" {
		return w
	}
	for at := range w {
		if at >= len("가나") && synonyms[w[:at]] != "" && hasPrefix(w[at:], "해", "하", "했", "한", "되", "된", "됐", "받") {
			return w[:at]
		}
	}
	return w
}

// beginsVerb reports whether a Korean verb is made of the noun with which a column's name
// begins: 취소되어 of 취소주문.
func beginsVerb(name, verb string) bool {
	for at := range verb {
		if at >= len("가나") && strings.HasPrefix(name, verb[:at]) && hasPrefix(verb[at:], "되어", "된", "됐", "되었", "돼", "하여", "해", "한", "했", "받") {
			return true
		}
	}
	return false
}

// plainest keeps of several columns that count the same the one without a qualifier, where
// the words before a figure speak of all: "전체 고객" of customers and one_time_customers.
func (s *sentence) plainest(named map[int]bool, f *figure) map[int]bool {
	from, _ := s.span(f.at)
	if len(named) != 2 || !s.hasAny(max(from, f.at-4), f.at, "all", "total", "overall") && !s.anyCue(max(from, f.at-3), f.at, nil, "전체") {
		return named
	}
	plain, other := -1, -1
	for id := range named {
		if other = id; plain < 0 || len(s.columnOf(id).words) < len(s.columnOf(plain).words) {
			plain, other = id, plain
		}
	}
	if a, b := s.columnOf(plain).words, s.columnOf(other).words; len(a) != 1 || len(b) < 2 || a[0] != b[len(b)-1] {
		return named
	}
	return map[int]bool{plain: true}
}

// columnOf is the column of an id.
func (s *sentence) columnOf(id int) *column {
	return &s.checker.tables[id/columnStride].columns[id%columnStride]
}

// saidInFull keeps of several columns those of whose names the clause says all words, of these
// the ones with the most: of orders and avg_order_value, "more orders" means the first, and "the
// average order value" the second. A figure of the clause tells its column by itself.
func (s *sentence) saidInFull(named map[int]bool, f *figure) map[int]bool {
	from, to := s.clauseSpan(f.at)
	if len(named) < 2 || slices.ContainsFunc(s.figures, func(g figure) bool { return g.at >= from && g.at < to }) {
		return named
	}
	most := 0
	var kept map[int]bool
	for id := range named {
		words := s.columnOf(id).words
		if len(words) < most || slices.ContainsFunc(words, func(w string) bool { return !s.saysWord(w, from, to) }) {
			continue
		}
		if len(words) > most {
			most, kept = len(words), nil
		}
		kept = with(kept, id)
	}
	if kept == nil {
		return named
	}
	return kept
}

// saysWord reports whether a word of a column's name stands in tokens from..to, or one that
// means the same.
func (s *sentence) saysWord(w string, from, to int) bool {
	return slices.ContainsFunc(s.tokens[from:to], func(t token) bool {
		return t.kind == word && (stem(t.fold) == w || concept(koreanStem(t.fold)) == concept(w))
	})
}

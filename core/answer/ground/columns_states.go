package ground

import "slices"

// beforeNumberOf is the noun that a Korean sentence counts by 수: 주문 of "취소 주문 수는 431건".
func (s *sentence) beforeNumberOf(i int) int {
	if i > 0 && s.tokens[i].hangul && koreanStem(s.tokens[i].text) == "수" && s.is(i-1, word) && !s.isNameToken(i-1) {
		return i - 1
	}
	return i
}

// inState are the columns that count what is in a state, where the noun at i is one for those
// that are, 퇴사자, or names another count and a word right before it has the state: of orders
// and cancelled "취소 주문".
func (s *sentence) inState(i int, rows [][]int) map[int]bool {
	const few = 2
	at := i
	if i = s.beforeNumberOf(i); i < 0 || !s.tokens[i].hangul {
		return nil
	}
	if w := koreanStem(s.tokens[i].text); hasSuffix(w, "자") {
		return s.stateColumns(w, nil, rows)
	}
	w := koreanStem(s.tokens[i].fold)
	counts, plain := s.namedBy(w, rows), i < at || w == "건수" || w == "개수" || w == "인원"
	for id := range counts {
		if c := s.columnOf(id); !c.measure() || !c.wholes || c.share || c.change {
			return nil
		}
	}
	for k := i - 1; (counts != nil || plain) && k >= max(0, i-few) && s.tokens[k].hangul && s.segment[k] == s.segment[i] && !s.isNameToken(k) && !s.figureAtToken(k); k-- {
		if deniesWord(s.tokens[k]) || hasPrefix(s.tokens[k].text, "제외", "뺀", "빼") {
			return nil // "취소를 제외한 주문"
		}
		if of := s.stateColumns(s.tokens[k].text, counts, rows); of != nil {
			return of
		}
	}
	return nil
}

// becameBehind is the column that counts what is in a state, where a sentence says behind a figure
// and its noun that they are: "431 orders were cancelled". What these are of is the whole.
func (s *sentence) becameBehind(i int, rows [][]int) map[int]bool {
	if s.foldAt(i-2) == "of" || !s.is(i, word) || !s.hasAny(i+1, i+2, "were", "was", "are", "is") || !s.is(i+2, word) {
		return nil
	}
	return s.stateColumns(s.foldAt(i+2), s.namedBy(s.foldAt(i), rows), rows)
}

// stateColumns is the one count of a table that says the state that a word says, where it is
// none of those that are named already.
func (s *sentence) stateColumns(w string, counts map[int]bool, rows [][]int) map[int]bool {
	groups := stateOf(w)
	var out map[int]bool
	for i, t := range s.checker.tables {
		if rows != nil && len(rows[i]) == 0 {
			continue
		}
		for col := range t.columns {
			c := &t.columns[col]
			if !c.measure() || !slices.ContainsFunc(c.words, func(have string) bool { return sameTurn(w, groups, have) }) {
				continue
			}
			if out != nil || !c.wholes || c.share || c.change || counts[i*columnStride+col] {
				return nil
			}
			out = with(out, i*columnStride+col)
		}
	}
	return out
}

// sameTurn reports whether a word of a column's name says the state of a word, or one of its groups.
func sameTurn(w string, groups []string, have string) bool {
	return sameState(w, have) || slices.ContainsFunc(groups, func(g string) bool {
		return have == g || have == stem(g) || sameRoot(g, have) || isHangul(have) && slices.Contains(stateOf(have), g)
	}) || movements[1][have] && hasPrefix(w, "퇴사", "퇴직")
}

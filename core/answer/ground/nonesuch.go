package ground

import (
	"math/big"
	"slices"
	"strings"
)

// provesNone reports whether the rows prove what a word denies of all of them: that none is on
// a side of zero, rose or fell, or has more in one column than in another.
func (s *sentence) provesNone(i int) bool {
	if s.checker.partial() || len(s.referents) > 1 {
		return false
	}
	return s.noneMoves(i) || s.isZeroAnswer(i) || s.noneExceeds()
}

// noneMoves checks "no negative margin" and "no country rose": no number of a column that
// the sentence names, or of one of changes, is on this side of zero.
func (s *sentence) noneMoves(i int) bool {
	sign, moves := 0, false
	for k, t := range s.tokens {
		switch {
		case k == i || s.isNameToken(k):
		case signs[t.fold] != 0:
			sign = signs[t.fold]
		case t.hangul:
			for _, w := range signsKorean {
				if strings.HasPrefix(t.text, w.text) {
					sign = w.sign
				}
			}
		}
	}
	if sign == 0 {
		sign, _ = s.trend(0, len(s.tokens))
		moves = true
	}
	if sign == 0 {
		return false
	}
	named := map[int]bool{}
	for _, w := range s.words() {
		for id := range s.namedBy(w, nil) {
			named[id] = true
		}
	}
	for index, t := range s.checker.tables {
		for col := range t.columns {
			c := &t.columns[col]
			if c.measure() && (moves && c.change || !moves && named[index*columnStride+col]) && t.whole && t.rows > 0 && c.signed(sign) == 0 {
				return true
			}
		}
	}
	return false
}

// isZeroAnswer reports whether the one number that was asked for is zero, and the sentence
// denies what the question counts: it has one denial more than the question.
func (s *sentence) isZeroAnswer(i int) bool {
	if !s.checker.isScalar() {
		return false
	}
	if n := s.checker.tables[0].columns[0].cells[0].number; n == nil || n.Sign() != 0 {
		return false
	}
	denials := func(list []token) (n int) {
		for _, t := range list {
			n += boolInt(deniesWord(t))
		}
		return n
	}
	return denials(s.tokens) == denials(s.checker.asked.tokens)+1 || s.hasAny(i+1, i+2, "such") || s.anyCue(i-3, i, nil, "해당", "그런")
}

// noneExceeds checks "no candidate has more support than opposition".
func (s *sentence) noneExceeds() bool {
	direction, _, than := s.sides()
	if direction == 0 {
		return false
	}
	for index, t := range s.checker.tables {
		y := s.columnLike(t, index, than)
		if y < 0 {
			continue
		}
		for i := range s.tokens {
			x := s.columnLike(t, index, i)
			if i == than || x < 0 || x == y || s.tokens[i].kind != word || s.taken[i] {
				continue
			}
			return t.whole && t.rows > 0 && !slices.ContainsFunc(t.all(), func(row int) bool {
				a, b := t.columns[x].cells[row].number, t.columns[y].cells[row].number
				return a == nil || b == nil || a.Cmp(b) == direction
			})
		}
	}
	return false
}

// columnLike is the one measure that a word names, also by its root: "opposition" of
// oppose_rate.
func (s *sentence) columnLike(t *table, index, i int) int {
	if col := s.columnAt(t, index, i); col >= 0 {
		return col
	}
	const root = 5 // letters that are enough to tell columns apart
	w, found := s.tokens[i].fold, -1
	for col := range t.columns {
		if t.columns[col].measure() && len(w) >= root && slices.ContainsFunc(t.columns[col].words, func(have string) bool { return len(have) >= root && have[:root] == w[:root] }) {
			if found >= 0 {
				return -1
			}
			found = col
		}
	}
	return found
}

// isOneRow reports whether the result is one row of numbers.
func (c *Checker) isOneRow() bool {
	return len(c.tables) == 1 && c.tables[0].count == 1 && c.tables[0].rows == 1 && !slices.ContainsFunc(c.tables[0].columns, func(of column) bool { return !of.numeric })
}

// turnsAround checks a trend that is told without a moment: "down, then up" needs a fall
// and later a rise in one column.
func (s *sentence) turnsAround(first int) bool {
	return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		order := t.inTime()
		return t.whole && slices.ContainsFunc(t.columns, func(c column) bool {
			if !c.measure() || c.change {
				return false
			}
			turned := false
			var before *big.Rat
			for _, row := range order {
				n := c.cells[row].number
				if n == nil || before == nil {
					before = n
					continue
				}
				switch order := n.Cmp(before); {
				case order == first:
					turned = true
				case order == -first && turned:
					return true
				}
				before = n
			}
			return false
		})
	})
}

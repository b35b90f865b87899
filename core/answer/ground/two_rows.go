package ground

import "slices"

// checkMoreOfTwo checks "매장 주문이 더 많습니다" and "orders are higher in stores" of two rows,
// which leave unsaid that it is more than the other one has.
func (s *sentence) checkMoreOfTwo() {
	if len(s.referents) != 1 || s.comparesKorean(0, len(s.tokens)) || s.anyCue(0, len(s.tokens), comparesOrDenies, "대비", "비해", "비하", "않", "아니") {
		return
	}
	r := &s.referents[0]
	for i := range s.tokens {
		direction, at := s.moreOfTwo(i, r)
		if direction == 0 {
			continue
		}
		if s.olderOfTwo(i) != 0 {
			if s.isOtherOfTwo(i, r) {
				s.violate(i, i+1, "the rows say the contrary")
			}
			return
		}
		if s.workedOutOfTwo(i, r, direction) {
			return
		}
		known, dimension := false, s.comparedIn(i)
		if !s.each(&figure{at: at, to: at + 1}, func(t *table, index int, c *column) bool {
			beside := s.pair(t, index, r)
			if beside < 0 || !c.measure() || dimension != nil && !dimension(c) {
				return false
			}
			known = true
			own, other := c.cells[r.rows[index][0]], c.cells[beside]
			return own.number == nil || other.number == nil || cmpCells(own, other) == direction
		}) && known && !slices.ContainsFunc(s.figures, func(f figure) bool { return f.hedge != exact }) {
			s.violate(i, i+1, "the rows say the contrary")
		}
		return
	}
}

// workedOutOfTwo reports whether a comparative of two rows is of what two columns give, "per order, A
// brings in more", which it then checks.
func (s *sentence) workedOutOfTwo(i int, r *referent, direction int) bool {
	from, to := s.clauseSpan(i)
	for index, t := range s.checker.tables {
		beside := s.pair(t, index, r)
		list, alone := s.ofTwo(t, from, to)
		if beside < 0 || !alone {
			continue
		}
		if !slices.ContainsFunc(list, func(c *column) bool {
			order, given := c.compare(r.rows[index][0], beside)
			return !given || order == direction
		}) {
			s.violate(i, i+1, "the rows say the contrary")
		}
		return true
	}
	return false
}

// comparesOrDenies are the words with which a comparative is told of another row, or not at all.
var comparesOrDenies = set("than compared versus against not")

// sidesOfTwo are the words that set one of two beside the other.
var sidesOfTwo = map[string]int{"more": 1, "higher": 1, "larger": 1, "greater": 1, "bigger": 1, "longer": 1, "taller": 1, "heavier": 1, "pricier": 1, "shorter": -1, "cheaper": -1, "lighter": -1, "fewer": -1, "less": -1, "lower": -1, "smaller": -1}

// moreOfTwo is the direction of a comparative at token i, and where its column is looked for.
func (s *sentence) moreOfTwo(i int, r *referent) (direction, at int) {
	if w := sidesOfTwo[s.foldAt(i)]; w != 0 && !s.taken[i] && !s.hasAny(i-1, i, "or", "and", "no", "much") && !s.hasAny(i+1, i+2, "or", "and") {
		return w, i
	}
	if d := s.olderOfTwo(i); d != 0 {
		return d, i
	}
	last := r.parts[len(r.parts)-1]
	if s.tokens[i].text != "더" || i < last.to && !(i < last.at && hasSuffix(s.tokens[last.at-1].text, "은", "는")) || i+1 >= len(s.tokens) {
		return 0, 0
	}
	up, down := hasPrefix(s.foldAt(i+1), upKorean...), hasPrefix(s.foldAt(i+1), downKorean...)
	return boolInt(up) - boolInt(down), i
}

// olderOfTwo is the direction in time of a word that says of one of two which it is: "the older
// one", "더 먼저"; 0 for none.
func (s *sentence) olderOfTwo(i int) int {
	if s.tokens[i].text == "더" && i+1 < len(s.tokens) && s.checker.hasMoments() {
		if w := s.foldAt(i + 1); hasPrefix(w, "오래") {
			return -1
		}
		return koreanTime(s.foldAt(i + 1))
	}
	if s.foldAt(i-1) != "the" || s.taken[i] || !s.checker.hasMoments() {
		return 0
	}
	if s.foldAt(i) == "newer" {
		return 1
	}
	return earlierLater[s.foldAt(i)]
}

// isOtherOfTwo reports whether of two rows the other one is the older, or the younger, in each
// column of moments of which the sentence may speak.
func (s *sentence) isOtherOfTwo(i int, r *referent) bool {
	direction, known, ok := s.olderOfTwo(i), false, false
	for index, t := range s.checker.tables {
		beside := s.pair(t, index, r)
		for col := range t.columns {
			c := &t.columns[col]
			if beside < 0 || !c.temporal || !s.mayMean(c, t) {
				continue
			}
			if order, given := c.compare(r.rows[index][0], beside); given {
				known, ok = true, ok || order == direction
			}
		}
	}
	return known && !ok
}

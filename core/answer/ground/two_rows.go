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
		known := false
		if !s.each(&figure{at: at, to: at + 1}, func(t *table, index int, c *column) bool {
			if !t.whole || t.rows != 2 || len(r.rows[index]) != 1 || !c.measure() {
				return false
			}
			known = true
			own, other := c.cells[r.rows[index][0]], c.cells[1-r.rows[index][0]]
			return own.number == nil || other.number == nil || cmpCells(own, other) == direction
		}) && known && !slices.ContainsFunc(s.figures, func(f figure) bool { return f.hedge != exact }) {
			s.violate(i, i+1, "the rows say the contrary")
		}
		return
	}
}

// comparesOrDenies are the words with which a comparative is told of another row, or not at all.
var comparesOrDenies = set("than compared versus against not")

// sidesOfTwo are the words that set one of two beside the other.
var sidesOfTwo = map[string]int{"more": 1, "higher": 1, "larger": 1, "greater": 1, "bigger": 1, "fewer": -1, "less": -1, "lower": -1, "smaller": -1}

// moreOfTwo is the direction of a comparative at token i, and where its column is looked for.
func (s *sentence) moreOfTwo(i int, r *referent) (direction, at int) {
	if w := sidesOfTwo[s.foldAt(i)]; w != 0 && !s.taken[i] && !s.hasAny(i-1, i, "or", "and", "no", "much") && !s.hasAny(i+1, i+2, "or", "and") {
		return w, i
	}
	if s.tokens[i].text != "더" || i < r.to || i+1 >= len(s.tokens) {
		return 0, 0
	}
	up, down := hasPrefix(s.foldAt(i+1), upKorean...), hasPrefix(s.foldAt(i+1), downKorean...)
	return boolInt(up) - boolInt(down), i
}

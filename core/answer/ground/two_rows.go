package ground

import "slices"

// checkMoreOfTwo checks "매장 주문이 더 많습니다" of two rows, which leaves unsaid that it is
// more than the other one has.
func (s *sentence) checkMoreOfTwo() {
	if len(s.referents) != 1 || s.comparesKorean(0, len(s.tokens)) || s.anyCue(0, len(s.tokens), nil, "대비", "비해", "비하", "않", "아니") {
		return
	}
	r := &s.referents[0]
	for i := r.to; i+1 < len(s.tokens); i++ {
		up, down := hasPrefix(s.foldAt(i+1), upKorean...), hasPrefix(s.foldAt(i+1), downKorean...)
		if s.tokens[i].text != "더" || up == down {
			continue
		}
		direction := boolInt(up) - boolInt(down)
		known := false
		if !s.each(&figure{at: i, to: i + 1}, func(t *table, index int, c *column) bool {
			if !t.whole || t.rows != 2 || len(r.rows[index]) != 1 || !c.measure() {
				return false
			}
			known = true
			own, other := c.cells[r.rows[index][0]], c.cells[1-r.rows[index][0]]
			return own.number == nil || other.number == nil || cmpCells(own, other) == direction
		}) && known && !slices.ContainsFunc(s.figures, func(f figure) bool { return f.hedge != exact }) {
			s.violate(i, i+2, "the rows say the contrary")
		}
		return
	}
}

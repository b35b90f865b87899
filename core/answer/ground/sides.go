package ground

import "slices"

// checkColumns checks what is said of all rows, or of one, about two columns: "every
// school spent more than its budget".
func (s *sentence) checkColumns() {
	all := s.hasAny(0, len(s.tokens), "all", "every", "each") || s.anyCue(0, len(s.tokens), nil, "모든", "모두", "전부")
	if len(s.figures) > 0 || len(s.referents) > 1 || len(s.referents) == 0 && !all {
		return
	}
	direction, at, than := s.sides()
	if direction == 0 {
		return
	}
	for index, t := range s.checker.tables {
		rows := t.all()
		if len(s.referents) == 1 {
			rows = s.referents[0].rows[index]
		}
		x, y := s.sideOf(t, index, 0, len(s.tokens), than), s.columnAt(t, index, than)
		if x < 0 || y < 0 || len(rows) == 0 {
			continue
		}
		if slices.ContainsFunc(rows, func(row int) bool {
			a, b := t.columns[x].cells[row].number, t.columns[y].cells[row].number
			return a == nil || b == nil || a.Cmp(b) != direction
		}) != s.denied(at) {
			s.violate(at, at+1, "the rows say the contrary")
		}
	}
}

// sides are the direction of a comparison, where it stands, and the noun by which is
// measured.
func (s *sentence) sides() (direction, at, than int) {
	for i, t := range s.tokens {
		switch {
		case t.fold == "than":
			for k := i + 1; k < min(i+4, len(s.tokens)); k++ {
				if s.tokens[k].kind == word && !stopWords[s.tokens[k].fold] && !s.taken[k] {
					up, down := s.anyCue(0, i, moreWords), s.anyCue(0, i, lessWords)
					return boolInt(up) - boolInt(down), i, k
				}
			}
		case t.hangul && hasSuffix(t.text, "보다") && !s.isNameToken(i) && len(t.text) > len("보다"):
			up, down := s.anyCue(i, len(s.tokens), nil, upKorean...), s.anyCue(i, len(s.tokens), nil, downKorean...)
			return boolInt(up) - boolInt(down), i, i
		}
	}
	return 0, 0, 0
}

// columnAt is the one measure that a word names, -1 for none or several.
func (s *sentence) columnAt(t *table, index, i int) int {
	found := -1
	named := s.namedBy(koreanStem(s.tokens[i].fold), nil)
	for col := range t.columns {
		if named[index*columnStride+col] && t.columns[col].measure() {
			if found >= 0 {
				return -1
			}
			found = col
		}
	}
	return found
}

// sideOf is the measure that the other words name, -1 for none.
func (s *sentence) sideOf(t *table, index, from, to, but int) int {
	other := s.columnAt(t, index, but)
	for i := from; i < to; i++ {
		if i == but || s.tokens[i].kind != word || s.taken[i] {
			continue
		}
		if col := s.columnAt(t, index, i); col >= 0 && col != other {
			return col
		}
	}
	return -1
}

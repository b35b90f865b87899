package ground

import (
	"slices"
	"strings"
)

// checkBetweenNames checks that a name which is said to stand between two others does: in a
// column that the sentence names, or in the order of the rows.
func (s *sentence) checkBetweenNames() {
	for i := 0; i+2 < len(s.referents); i++ {
		a, b, c := &s.referents[i], &s.referents[i+1], &s.referents[i+2]
		at := s.betweenAt(a, b, c)
		if at < 0 || s.denied(at) {
			continue
		}
		f := &figure{at: at, to: at + 1}
		known, ok := false, false
		for index, t := range s.checker.tables {
			if len(a.rows[index]) != 1 || len(b.rows[index]) != 1 || len(c.rows[index]) != 1 {
				continue
			}
			x, y, z := a.rows[index][0], b.rows[index][0], c.rows[index][0]
			named := s.columnsFor(f, nil)
			for col := range t.columns {
				if of := &t.columns[col]; of.temporal || of.measure() && (named(index, col) || s.speaksOfMeasure(of)) {
					in, comparable := of.between(x, y, z)
					known, ok = known || comparable, ok || in
				}
			}
			ok = ok || s.listsOnly() && (y < x && x < z || z < x && x < y)
		}
		if known && !ok {
			s.violate(at, at+1, "the rows say the contrary")
		}
	}
}

// betweenAt is where words say that the first of three names stands between the others, -1
// where none do.
func (s *sentence) betweenAt(a, b, c *referent) int {
	if s.clause[a.at] != s.clause[c.at] || a.isDate() != b.isDate() || b.isDate() != c.isDate() {
		return -1
	}
	for i := a.to; i < b.at; i++ {
		if s.foldAt(i) == "between" && b.at-i <= 3 && s.hasAny(b.to, c.at, "and") && s.hasAny(a.to, i, "sits", "is", "are", "lies", "ranks", "ranked", "stands", "comes", "falls", "placed", "was") {
			return i
		}
	}
	for i := c.to; i < min(len(s.tokens), c.to+8); i++ {
		if t := s.tokens[i]; t.hangul && hasPrefix(t.text, "사이") && !s.hasAny(b.to, c.at, "보다") && (hasPrefix(s.foldAt(i+1), "있", "위치", "자리", "놓", "들") || hasSuffix(t.text, "다", "요", "음")) {
			return i
		}
	}
	return -1
}

// between reports whether a row is between two others in a column, and whether it tells.
func (c *column) between(x, y, z int) (in, known bool) {
	if c.temporal {
		p, q, r := c.cells[x].period, c.cells[y].period, c.cells[z].period
		if p == nil || q == nil || r == nil {
			return false, false
		}
		return comparePeriods(p, q)*comparePeriods(r, p) >= 0, true
	}
	p, q, r := c.cells[x].number, c.cells[y].number, c.cells[z].number
	if p == nil || q == nil || r == nil {
		return false, false
	}
	return p.Cmp(q)*r.Cmp(p) >= 0, true
}

// speaksOfMeasure reports whether a word of the sentence names a column.
func (s *sentence) speaksOfMeasure(c *column) bool {
	return slices.ContainsFunc(s.words(), func(w string) bool {
		for id := range s.namedBy(w, nil) {
			if s.columnOf(id) == c {
				return true
			}
		}
		return false
	})
}

// checkBackwards refuses that something goes from a day to an earlier one, where no word says
// that it is told backwards.
func (s *sentence) checkBackwards() {
	if s.hasAny(0, len(s.tokens), "latest", "newest", "back", "descending", "recent", "down", "reverse") || s.anyCue(0, len(s.tokens), nil, "최신", "최근", "내림", "거슬러", "역순") {
		return
	}
	for k := 1; k < len(s.dates); k++ {
		a, b := &s.dates[k-1], &s.dates[k]
		if len(a.readings) != 1 || len(b.readings) != 1 || a.readings[0].year == 0 || b.readings[0].year == 0 || b.at-a.to > 4 {
			continue
		}
		english := s.foldAt(a.at-1) == "from" && (s.hasAny(a.to, b.at, "to", "until", "till", "through")) && b.at == a.to+1
		korean := hasPrefix(s.foldAt(a.to), "부터", "에서") && hasPrefix(s.foldAt(b.to), "까지")
		p, q := a.readings[0], b.readings[0]
		if (english || korean) && comparePeriods(&p, &q) > 0 && (p.day != 0) == (q.day != 0) && (p.month != 0) == (q.month != 0) {
			s.violate(a.at, b.to, "the second of these is the earlier one")
			return
		}
	}
}

// endOfWord is the end of a series that a word of a head or a column's name says: 1 for the
// last, -1 for the first, 0 for neither.
func endOfWord(w string) int {
	switch {
	case w == "first" || w == "earliest" || w == "oldest" || w == "min" || hasPrefix(w, "첫", "최초", "처음"):
		return -1
	case w == "last" || w == "latest" || w == "newest" || w == "max" || hasPrefix(w, "마지막", "최종", "최근"):
		return 1
	}
	return 0
}

// endSaidBy is the end of a series of which the words of a text speak.
func endSaidBy(text string) int {
	end := 0
	for _, t := range scan(spacedName(text)) {
		if d := endOfWord(t.fold); d != 0 {
			end = d
		}
	}
	return end
}

// checkHeadedDates refuses a moment in the cell of a table whose head says first or last, that
// the row has only in the column of the other end.
func (s *sentence) checkHeadedDates() {
	for k := range s.dates {
		d := &s.dates[k]
		cell := strings.Count(s.text[s.tokens[d.to-1].end:], "|")
		if cell >= len(s.line.heads) || len(d.readings) == 0 {
			continue
		}
		end := endSaidBy(s.line.heads[cell])
		for index, t := range s.checker.tables {
			row := s.rowOfLine(index)
			if row < 0 || end == 0 || t.moments() < 2 {
				continue
			}
			own, other := false, false
			for col := range t.columns {
				if c := &t.columns[col]; c.temporal && c.cells[row].period != nil && slices.ContainsFunc(d.readings, func(p period) bool { return sameDay(p, *c.cells[row].period) }) {
					own, other = own || endSaidBy(c.name) != -end, other || endSaidBy(c.name) == -end
				}
			}
			if other && !own {
				s.violate(d.at, d.to, "the head of the table names another column")
			}
		}
	}
}

// sameDay reports whether two moments are of one day, or month or year where no more is said.
func sameDay(p, q period) bool {
	return p.year == q.year && (p.month == 0 || p.month == q.month) && (p.day == 0 || p.day == q.day)
}

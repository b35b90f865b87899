package ground

import (
	"math/big"
	"slices"
)

// places are the words for a place in an order that stand without a noun.
var places = map[string]int{
	"runner-up": 2, "runners-up": 2, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
	"eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "last": -1,
}

// placing are the verbs between a name and its place.
var placing = set("is are was were comes come came ranks ranked rank finishes finished sits stands placed takes in at the a place spot as brings up")

// checkPlaces checks the places of names: "the runner-up is A", "B is last", "seventh
// is C", "the list ends with D".
func (s *sentence) checkPlaces() {
	for i, t := range s.tokens {
		place, to := places[t.fold], i+1
		switch {
		case s.taken[i] && !s.figureAtToken(i):
			continue
		case t.fold == "runner" && s.hasAny(i+1, i+3, "up"):
			place, to = 2, i+2+boolInt(s.foldAt(i+1) != "up")
		case t.fold == "first" && i == 0 && s.hasAny(1, 2, "comes", "came", "is"):
			place = 1
		case t.fold == "rear" && s.foldAt(i-1) == "the":
			place = -1
		case t.hangul && hasPrefix(t.text, "마지막은", "끝은"):
			place = -1
		case (t.fold == "ends" || t.fold == "ended" || t.fold == "closes") && s.foldAt(i+1) == "with":
			place, to = -1, i+2
		}
		if place == 0 {
			continue
		}
		if r := s.placed(i, to); r != nil && !s.denied(i) && !s.standsIn(r, place, to) {
			s.violate(i, to, "the rows have another one in this place")
		}
	}
}

// placed is the name that a place right before or behind it is given: nil where another
// word makes something else of the place, as "the last order" does.
func (s *sentence) placed(at, to int) *referent {
	ends := s.foldAt(to-1) == "with" || s.tokens[at].hangul
	for i := range s.referents {
		r := &s.referents[i]
		between := func(from, to int) bool {
			for k := from; k < to; k++ {
				if s.taken[k] || !placing[s.foldAt(k)] {
					return false
				}
			}
			return true
		}
		verb := func(from, to int) bool {
			return s.hasAny(from, to, "is", "are", "was", "were", "comes", "came", "ranks", "ranked", "finishes", "sits", "stands", "brings", "brought")
		}
		switch {
		case len(s.run(r, s.listed)) > 1:
		case r.at >= to && between(s.pastMeasure(to), r.at) && (ends || verb(to, r.at)) && (ends || s.alone(at)):
			return r
		case !ends && r.to <= at && between(r.to, at) && verb(r.to, at) && (!s.is(to, word) || s.hasAny(to, to+1, "with", "at", "and", "place", "by", "but", "among", "of", "in", "for")):
			return r
		}
	}
	return nil
}

// pastMeasure is the token behind a measure by which a place is counted: "in fines".
func (s *sentence) pastMeasure(to int) int {
	if s.hasAny(to, to+1, "in", "by", "for") && s.namedBy(s.foldAt(to+1), nil) != nil {
		return to + 2
	}
	return to
}

// alone reports whether nothing but an article stands before a place in its part.
func (s *sentence) alone(at int) bool {
	from, _ := s.span(at)
	return at-from <= 1 || s.hasAny(at-1, at, "the") && at-from <= 2
}

// standsIn reports whether a name's row has a place in the measure that stands right behind the
// place, "the runner-up in fines", or in any where none does.
func (s *sentence) standsIn(r *referent, place, at int) bool {
	if s.foldAt(at) == "place" {
		at++
	}
	if !s.hasAny(at, at+1, "in", "by", "for") {
		return s.stands(r, place)
	}
	named := s.phraseNames(at + 1)
	if named == nil {
		return s.stands(r, place)
	}
	for id := range named {
		t := s.checker.tables[id/columnStride]
		if t.whole && slices.ContainsFunc(r.rows[id/columnStride], func(row int) bool { return s.columnOf(id).stands(t, row, place) }) {
			return true
		}
	}
	return false
}

// stands reports whether a name's row has a place: by a measure, by a moment, or in the
// order in which the rows stand.
func (s *sentence) stands(r *referent, place int) bool {
	for index, t := range s.checker.tables {
		for _, row := range r.rows[index] {
			if place < 0 && s.hasTop(t, row) {
				continue
			}
			if t.whole && (place < 0 && row == t.rows-1 || row == place-1) {
				return true
			}
			for col := range t.columns {
				if c := &t.columns[col]; (t.whole || c.place && place > 0) && c.stands(t, row, place) {
					return true
				}
			}
		}
	}
	return false
}

// hasTop reports whether the sentence has the figure of a row that is the most of its column.
func (s *sentence) hasTop(t *table, row int) bool {
	return t.rows > 1 && slices.ContainsFunc(t.columns, func(c column) bool {
		return c.measure() && c.beaten(row, t.all(), 1) == 0 && slices.ContainsFunc(s.figures, func(f figure) bool { return len(f.amounts) > 0 && c.cells[row].equal(&f, nil) })
	})
}

// stands reports whether a row has a place in a column, from its top or, where the rows
// rise, from its bottom.
func (c *column) stands(t *table, row, place int) bool {
	switch n := c.cells[row].number; {
	case c.temporal:
		return place > 0 && c.later(row, -1) == place-1 || place < 0 && c.later(row, 1) == 0
	case n == nil || c.key && !c.place:
		return false
	case c.place:
		return n.Cmp(rat(int64(place))) == 0 || place < 0 && c.beaten(row, t.all(), 1) == 0
	case place < 0:
		return c.beaten(row, t.all(), -1) == 0
	}
	return c.beaten(row, t.all(), 1) == place-1
}

// Words that make two rows equal, or a time one without a change.
var (
	tieWords  = set("tie ties tied equal equals equally identical level same par matches matched")
	tieKorean = []string{"같습니다", "같은", "같다", "같음", "동일", "동률", "똑같"}
	flatWords = set("flat unchanged constant stable level steady")
)

// checkTies checks that names which are said to have the same do.
func (s *sentence) checkTies() {
	for i, t := range s.tokens {
		tie := s.asMuchAs(i) || tieWords[t.fold] || t.hangul && hasPrefix(t.text, tieKorean...)
		if s.taken[i] || !tie && !flatWords[t.fold] || s.checker.known[t.fold] {
			continue
		}
		from, to := s.clauseSpan(i)
		names := s.namesOf(from, to)
		if len(names) == 1 && !tie && len(names[0].parts) <= 1 && len(s.refs) > 1 {
			names = s.refsAsNames(from, to)
		}
		hasFigure := slices.ContainsFunc(s.figures, func(f figure) bool { return f.at >= from && f.at < to })
		if len(names) < 2 || hasFigure || (t.fold == "matches" || t.fold == "matched") && names[len(names)-1].at < i {
			continue
		}
		percent := int64(0)
		switch {
		case s.hasAny(i-1, i, "nearly", "almost", "roughly") || s.anyCue(i-1, i, nil, "거의"):
			percent = nearPercent
		case !tie:
			percent = flatPercent
		}
		if same, known := s.sameTime(i, names); known {
			if !same {
				s.violate(i, i+1, "the rows say the contrary")
			}
			continue
		}
		if s.equalSomewhere(names, percent) == s.denied(i) {
			s.violate(i, i+1, "the rows say the contrary")
		}
	}
}

// asMuchAs tells "as many boats as B" from "twice as many".
func (s *sentence) asMuchAs(i int) bool {
	return s.foldAt(i) == "as" && s.hasAny(i+1, i+2, "many", "much", "large", "big", "high", "long", "often", "old") && s.hasAny(i+2, i+6, "as") && !s.is(i-1, number) &&
		!s.hasAny(i-2, i, "twice", "times", "half", "third", "quarter", "not", "nearly", "almost", "about", "roughly", "least") && s.foldAt(i-1) != "just" && !s.figureEndsAt(i-1)
}

// refsAsNames are the dates and names of a part of a sentence, each for itself: the first
// and the last month of "from May to June".
func (s *sentence) refsAsNames(from, to int) []*referent {
	var names []*referent
	for _, r := range s.refs {
		if r.at >= from && r.at < to {
			names = append(names, &referent{at: r.at, to: r.to, rows: r.rows, columns: r.columns})
		}
	}
	return names
}

// equalSomewhere reports whether the rows of all names have the same in one column that
// does not name them, or within so many percent of the same.
func (s *sentence) equalSomewhere(names []*referent, within int64) bool {
	for index, t := range s.checker.tables {
		for col := range t.columns {
			if c := &t.columns[col]; c.equalFor(index, names, within) {
				return true
			}
		}
	}
	return false
}

func (c *column) equalFor(index int, names []*referent, within int64) bool {
	var first *cell
	for _, r := range names {
		if len(r.rows[index]) == 0 {
			return false
		}
		v := &c.cells[r.rows[index][0]]
		switch {
		case first == nil:
			first = v
		case v.number != nil && first.number != nil:
			if !nearlyEqual(v.number, first.number, within) {
				return false
			}
		case v.null || first.null || v.text != first.text || v.text == "":
			return false
		}
	}
	return first != nil
}

// flatPercent is by how much a number may differ from one that it is said to have stayed, and
// nearPercent from one that it is said to be nearly equal to.
const (
	flatPercent = 2
	nearPercent = 5
)

// nearlyEqual reports whether two numbers are within so many percent.
func nearlyEqual(a, b *big.Rat, within int64) bool {
	if within == 0 {
		return a.Cmp(b) == 0
	}
	gap := new(big.Rat).Sub(a, b)
	most := new(big.Rat).Mul(new(big.Rat).Abs(b), big.NewRat(within, 100))
	return gap.Abs(gap).Cmp(most) <= 0
}

// nounEndsWith reports whether the noun behind a name, before token end, has an ending:
// "프랑스 고객보다".
func (s *sentence) nounEndsWith(r *referent, end int, ending string) bool {
	for i := r.to; i < min(r.to+2, end); i++ {
		if t := s.tokens[i]; !s.taken[i] && t.hangul && hasSuffix(t.text, ending) {
			return true
		}
	}
	return false
}

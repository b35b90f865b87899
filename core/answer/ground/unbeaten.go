package ground

import "slices"

// beyond is what a sentence says of a name by denying that anything lies beyond it: "no country
// has more than Germany", "Germany보다 먼저 가입한 나라는 없습니다". No row at all has more than the
// others where there is no name: "none has more than another".
type beyond struct {
	name      *referent
	at        int // the word that compares
	direction int // 1 for more, or later
	inTime    bool
	alone     bool // none is as far as it either: "as many as"
}

// noneBeyond is what the denial at a token says; its direction is 0 where it says no such thing.
func (s *sentence) noneBeyond(i int) beyond {
	if s.tokens[i].hangul {
		return s.noneBeyondKorean(i)
	}
	_, to := s.clauseSpan(i)
	var b beyond
	than := -1
	for k := i + 1; k < to && than < 0; k++ {
		w := s.foldAt(k)
		switch {
		case s.taken[k]:
		case b.direction != 0 && (w == "than" || b.alone && w == "as"):
			than = k
		case (w == "before" || w == "after") && s.isNameToken(k+1) && !s.tokenDates(k+1):
			b.direction, b.inTime, b.at, than = earlierLater[w], true, k, k
		case w == "tops", w == "beats", w == "exceeds", w == "surpasses", w == "outsells", w == "outranks":
			b.direction, b.at, than = 1, i, k
		default:
			s.compareBy(k, &b)
		}
	}
	if than < 0 {
		return beyond{}
	}
	for k := range s.referents {
		if r := &s.referents[k]; r.at > than && r.at <= than+4 && !(b.inTime && r.isOnlyDate()) && !slices.ContainsFunc(s.figures, func(f figure) bool { return f.at > than && f.at < r.at }) {
			b.name = r
			return b
		}
	}
	if s.hasAny(than, than+2, "another") || s.hasAny(than, than+4, "others", "rest") {
		return b
	}
	return beyond{}
}

// compareBy takes the direction of an English word that compares.
func (s *sentence) compareBy(k int, b *beyond) {
	w := s.foldAt(k)
	asMuch := s.foldAt(k-1) == "as"
	switch d := earlierLater[w]; {
	case w == "recent" && s.foldAt(k-1) == "more", w == "recently" && s.foldAt(k-1) == "more", w == "newer":
		b.direction, b.inTime, b.at = 1, true, k
	case d != 0 && w != "before" && w != "after":
		b.direction, b.inTime, b.at = d, true, k
	case w == "longer" && s.checker.hasMoments() && !s.checker.measuresLength():
		b.direction, b.inTime, b.at = -1, true, k
	case asMuch && (w == "many" || w == "much" || w == "high" || w == "long" || w == "large"):
		b.direction, b.alone, b.at = 1, true, k
	case asMuch && (w == "few" || w == "little" || w == "low" || w == "short"):
		b.direction, b.alone, b.at = -1, true, k
	case ofDimension[w] != "":
		b.direction, b.at = 1-2*boolInt(w == "shorter" || w == "cheaper" || w == "lighter" || w == "slower"), k
	case moreWords[w] && w != "up":
		b.direction, b.at = 1, k
	case lessWords[w] && w != "down":
		b.direction, b.at = -1, k
	}
}

// noneBeyondKorean is what a Korean denial says behind a name with 보다, or behind 이보다 of the
// name before.
func (s *sentence) noneBeyondKorean(i int) beyond {
	from, _ := s.clauseSpan(i)
	for k := i - 1; k > from; k-- {
		if t := s.tokens[k]; t.hangul && hasPrefix(t.text, "넘어서", "넘는", "앞서", "앞선", "능가", "웃도", "뛰어넘") {
			for n := range s.referents {
				if r := &s.referents[n]; r.to <= k && k-r.to <= 1 && s.endsWith(r, "을", "를") {
					return beyond{name: r, at: k, direction: 1}
				}
			}
		}
	}
	for k := i - 1; k >= from; k-- {
		t := s.tokens[k]
		if !t.hangul || !hasSuffix(t.text, "보다", "만큼") || s.figureAtToken(k) || slices.ContainsFunc(s.figures, func(f figure) bool { return f.to == k && !t.gap }) {
			continue
		}
		b := beyond{alone: hasSuffix(t.text, "만큼")}
		for n := range s.referents {
			if r := &s.referents[n]; r.at <= k {
				b.name = r
			}
		}
		if b.name == nil {
			b.name = s.carried(&figure{at: k, to: k + 1})
		}
		for at := k + 1; at < i && b.direction == 0 && b.name != nil; at++ {
			b.at = at
			b.direction, b.inTime = s.koreanBeyond(at)
		}
		if b.inTime && b.name.isOnlyDate() {
			return beyond{}
		}
		return b
	}
	return beyond{}
}

// koreanBeyond is the direction of a Korean word that compares, and whether it does so in time.
func (s *sentence) koreanBeyond(at int) (direction int, inTime bool) {
	w := s.foldAt(at)
	if !s.tokens[at].hangul || s.isNameToken(at) {
		return 0, false
	}
	if s.checker.hasMoments() {
		switch {
		case hasPrefix(w, "오래", "오랜"):
			return -1, true
		case hasPrefix(w, "최근", "새로", "젊", "어린"):
			return 1, true
		case koreanTime(w) != 0:
			return koreanTime(w), true
		}
	}
	return boolInt(hasPrefix(w, upKorean...)) - boolInt(hasPrefix(w, downKorean...)), false
}

// isOnlyDate reports whether a name is nothing but a date.
func (r *referent) isOnlyDate() bool {
	return !slices.ContainsFunc(r.parts, func(p ref) bool { return !p.date })
}

// tokenDates reports whether a date stands at a token.
func (s *sentence) tokenDates(i int) bool {
	return slices.ContainsFunc(s.dates, func(d dateRef) bool { return d.at <= i && i < d.to })
}

// isUnbeaten reports whether no row lies beyond what is named, in time or in a column of which
// the words may speak.
func (s *sentence) isUnbeaten(b beyond) bool {
	r := b.name
	if r != nil && s.checker.isLoneRow(r) {
		return b.inTime && s.checker.asksAge(b.direction) || !b.inTime && s.checker.seeks(b.direction) && !s.seeksAnother(b.at)
	}
	if b.inTime {
		w := s.foldAt(b.at)
		age := s.saysAge(b.at) || w == "older" || w == "younger"
		return r != nil && s.checker.hasMoments() && s.isExtremeInTime(r, b.direction, 1, age)
	}
	first, last := s.clauseSpan(b.at)
	moves := s.comparesMoves(first, last)
	if falls := s.anyCue(first, last, fallWords); moves && falls {
		b.direction = -b.direction
	}
	by, own := func(index, col int) bool { return true }, s.comparedIn(b.at)
	if s.tokens[b.at].hangul && r != nil && own == nil {
		by = s.rankedBy(b.at, r)
	}
	holds := func(t *table, index int, c *column) bool {
		switch {
		case moves != c.change && moves || c.key || !c.measure() || own != nil && !own(c) || !by(index, slices.IndexFunc(t.columns, func(o column) bool { return o.name == c.name })):
			return false
		case r == nil:
			return t.whole && t.rows > 1 && c.isConstant()
		case !t.whole:
			return s.leadsOrdered(t, c, index, []*referent{r}, b.direction)
		}
		return s.leads(t, c, index, []*referent{r}, b.direction) && !(b.alone && c.shares(r.rows[index]))
	}
	if moves { // whatever the noun is of which more was gained
		return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
			index := slices.Index(s.checker.tables, t)
			return t.anyMeasure(func(c *column) bool { return holds(t, index, c) })
		})
	}
	return s.each(&figure{at: b.at, to: b.at + 1}, holds)
}

// shares reports whether another row has the same number as one of some rows.
func (c *column) shares(rows []int) bool {
	return slices.ContainsFunc(rows, func(row int) bool {
		for other := range c.cells {
			if !slices.Contains(rows, other) && c.cells[row].number != nil && c.cells[other].number != nil && c.cells[other].number.Cmp(c.cells[row].number) == 0 {
				return true
			}
		}
		return false
	})
}

// exceptedBeyond checks "no country except A and B has more than 50": these are all that have.
func (s *sentence) exceptedBeyond(i int) bool {
	names := s.namesOf(0, len(s.tokens))
	if !s.excepts() || len(names) == 0 {
		return false
	}
	for k := range s.figures {
		f := &s.figures[k]
		if !f.isBound() || f.at < i && !s.tokens[i].hangul || f.ordinal {
			continue
		}
		return s.each(f, func(t *table, index int, c *column) bool {
			named := joinedRows(names, index)
			return t.whole && c.measure() && !slices.ContainsFunc(t.all(), func(row int) bool {
				n := f.told(c, c.cells[row])
				return n == nil || f.bounds(n) != slices.Contains(named, row)
			})
		})
	}
	return false
}

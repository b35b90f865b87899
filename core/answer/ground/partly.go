package ground

import "slices"

// rangeVerbs say of a column from where to where it goes.
var rangeVerbs = set("run runs ran range ranges ranged ranging span spans spanned spanning go goes vary varies varied extend extends stretch stretches lie lies")

// checkRangeOfPart refuses that a column goes from one number to another where not all rows
// were seen: "the fees run from 35 (A) to 62 (B)".
func (s *sentence) checkRangeOfPart() {
	if s.checker.incomplete || !s.checker.partial() || s.speaksOfShown() || len(s.figures) < 2 {
		return
	}
	for i, t := range s.tokens {
		if s.taken[i] || !rangeVerbs[t.fold] || !s.namesFree(0, i) || len(s.figuresIn(0, i)) > 0 {
			continue
		}
		if s.hasAny(i+1, i+3, "from", "between") && s.hasAny(i+2, len(s.tokens), "to", "and") && len(s.figuresIn(i, len(s.tokens))) > 1 {
			s.violate(i, i+1, "not all rows were seen, so this cannot be said")
			return
		}
	}
	for k := 1; k < len(s.figures); k++ {
		a, b := &s.figures[k-1], &s.figures[k]
		_, last := s.clauseSpan(b.at)
		if s.spanUnit(a) == "" && !a.ordinal && s.anyCue(a.to, b.at, nil, "부터", "에서") && s.anyCue(b.to, last, nil, "까지") && s.namesFree(0, a.at) && s.anyCue(b.to, last, nil, "까지", "분포", "범위") {
			s.violate(a.at, b.to, "not all rows were seen, so this cannot be said")
			return
		}
	}
}

// checkRangeOfAll checks that a column goes from one number to another, each told with its name:
// these are its ends.
func (s *sentence) checkRangeOfAll() {
	if s.checker.partial() || len(s.figures) != 2 || len(s.referents) == 0 || s.checker.incomplete {
		return
	}
	a, b := &s.figures[0], &s.figures[1]
	verb := slices.IndexFunc(s.tokens, func(t token) bool { return rangeVerbs[t.fold] })
	if verb < 0 || verb > a.at || a.at-verb > 3 || !s.hasAny(verb, a.at, "from", "between") || !s.namesFree(0, verb) || a.percent || len(a.amounts) == 0 || len(b.amounts) == 0 {
		return
	}
	if !slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return !t.whole || t.dimensions() > 1 || t.anyMeasure(func(c *column) bool {
			low, high := c.extreme(t.all(), -1), c.extreme(t.all(), 1)
			is := func(f *figure, row int) bool { return row >= 0 && f.says(c, c.cells[row]) }
			return is(a, low) && is(b, high) || is(a, high) && is(b, low)
		}) || t.goesFromTo(a, b) || t.goesFromTo(b, a)
	}) {
		s.violate(a.at, b.to, "these are not the least and the most")
	}
}

// goesFromTo reports whether two figures are the least of a column that holds the least of each row,
// and the most of one that holds the most.
func (t *table) goesFromTo(a, b *figure) bool {
	end := func(f *figure, want string, up int) bool {
		return t.anyMeasure(func(c *column) bool {
			row := c.extreme(t.all(), up)
			return c.aggregateOf() == want && row >= 0 && f.says(c, c.cells[row])
		})
	}
	return end(a, "min", -1) && end(b, "max", 1)
}

// endsAt reports whether one of some rows has the least of a column for that, or the most.
func (t *table) endsAt(rows []int, want string, up int) bool {
	return t.anyMeasure(func(c *column) bool {
		return c.aggregateOf() == want && slices.ContainsFunc(rows, func(row int) bool { return c.beaten(row, t.all(), up) == 0 })
	})
}

// checkListedCount refuses a count of rows before a colon that is not how many names follow:
// "two lines: A, B and C".
func (s *sentence) checkListedCount() {
	colon := slices.IndexFunc(s.tokens, func(t token) bool { return t.text == ":" && t.kind == mark })
	if colon < 0 || s.hasAny(0, len(s.tokens), "including", "such", "like", "others", "other", "more", "rest") || s.checker.partial() {
		return
	}
	var counts *figure
	for k := range s.figures {
		f := &s.figures[k]
		switch n, ok := f.count(); {
		case f.at > colon || f.ordinal || f.percent:
		case !ok || n < 2 || f.hedge != exact || s.countKind(f) != countsRows:
		case counts != nil:
			return // "two of the six"
		default:
			counts = f
		}
	}
	if counts == nil {
		return
	}
	n, _ := counts.count()
	for index, t := range s.checker.tables {
		var rows []int
		for _, r := range s.refs {
			if r.at > colon && len(r.rows[index]) == 1 && !r.date {
				rows = union(rows, r.rows[index])
			}
		}
		if s.namesFree(0, colon) && t.whole && len(rows) > 1 && t.dimensions() == 1 && int64(len(rows)) > n {
			s.violate(counts.at, counts.to, "another number of names follows")
		}
	}
}

// checkFirstOfAll checks that what is called the first of its kind is the first that is known:
// "our first member ever is A", "최초 가입자는 A". Without "ever" it may also be the first row.
func (s *sentence) checkFirstOfAll() {
	for i, t := range s.tokens {
		ever := t.hangul && hasPrefix(t.text, "최초") && !s.holdsFirsts()
		first := t.fold == "first" || t.hangul && (t.text == "첫" || hasPrefix(t.text, "첫번째")) || ever
		noun := i + 1
		for s.tokens[min(noun, len(s.tokens)-1)].hangul == t.hangul && noun < i+3 && s.isNameToken(noun) {
			noun++ // "our first Norwegian customer"
		}
		if s.taken[i] || !first || !s.is(noun, word) || stopWords[s.foldAt(noun)] || !s.isKindOfRow(s.foldAt(noun)) || s.denied(i) || !s.checker.hasMoments() {
			continue
		}
		ever = ever || s.hasAny(noun+1, noun+2, "ever") || s.hasAny(i-1, i, "very") || s.hasAny(noun, len(s.tokens), "joined", "opened", "registered", "hired", "started", "signed") && !s.checker.incomplete
		r, group := s.whoIs(i)
		if r == nil || !ever && slices.ContainsFunc(r.rows, func(rows []int) bool { return slices.Contains(rows, 0) }) {
			continue
		}
		if !s.isExtremeInTime(r, -1, max(1, len(group)), false) {
			s.violate(i, noun+1, "another row is earlier or later, or not all rows were seen")
			return
		}
	}
}

// holdsFirsts reports whether a column has the first moment of each row.
func (s *sentence) holdsFirsts() bool {
	return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return t.rows > 1 && slices.ContainsFunc(t.columns, func(c column) bool { return c.temporal && c.aggregateOf() == "first" })
	})
}

// isKindOfRow reports whether a noun, without its Korean ending, is one for what the rows are:
// no measure and no column of moments.
func (s *sentence) isKindOfRow(w string) bool {
	of := koreanStem(w)
	if !s.checker.isNoun(of) && !s.checker.concepts[concept(of)] && !hasSuffix(of, "가입자", "회원", "고객", "직원") {
		return false
	}
	return !timeUnits[stem(of)] && s.namedBy(of, nil) == nil && !slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(c column) bool { return c.temporal && c.saysColumn(of) })
	})
}

// countsPart reports whether "only" or "just" stands before how many rows there are of a kind,
// which a part of the result does not tell: "only two members are from Norway". That of the
// rows that are shown may be told.
func (s *sentence) countsPart(i int) bool {
	w := s.tokens[i].fold
	k := slices.IndexFunc(s.figures, func(f figure) bool { return f.at == i+1 })
	if w != "only" && w != "just" || k < 0 {
		return false
	}
	n, ok := s.figures[k].count()
	f := &s.figures[k]
	return ok && s.kindOf(s.foldAt(f.to)) == countsRows && s.namedBy(s.foldAt(f.to), nil) == nil && !slices.ContainsFunc(s.checker.tables, func(t *table) bool { return int64(t.rows) == n || t.count == n })
}

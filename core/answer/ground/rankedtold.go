package ground

import "slices"

// aggregateOfMost tells, in tables with columns for the most, the least and the average, which of
// them a superlative is of: of that which its words say, too, "the highest average", "lowest on
// average", else of what holds the most, or the least, itself, or is no such number. It is nil where
// there are no such tables.
func (s *sentence) aggregateOfMost(at int) func(t *table, c *column) bool {
	if !slices.ContainsFunc(s.checker.tables, (*table).isAmbiguous) {
		if s.comparesMeans(at) && s.aggregateBeside(at) == "avg" {
			return func(_ *table, c *column) bool { return c.average }
		}
		return nil
	}
	own, other := s.aggregateAt(at), s.aggregateBeside(at)
	if own != "min" && own != "max" {
		d, _ := s.ordering(at, at+1)
		own = [3]string{"min", "", "max"}[1+d]
	}
	return func(t *table, c *column) bool {
		a := c.aggregateOf()
		return !t.isAmbiguous() || other != "" && a == other || other == "" && (a == "" || a == own)
	}
}

// aggregateBeside is the aggregate that the words around a superlative say beside it; "" for none.
func (s *sentence) aggregateBeside(at int) string {
	from, to := s.span(at)
	first := at + 1
	if s.tokens[at].hangul {
		if first++; !hasSuffix(s.foldAt(at+1), "은", "는", "큰", "긴", "싼", "른") || s.aggregateAt(first) == "" {
			to = at
		}
	}
	for i := first; i < min(first+3, to); i++ {
		if a := s.aggregateAt(i); a != "" && !s.figureAtToken(i) {
			return a
		}
	}
	for i := at - 1; i >= from; i-- {
		if a := s.aggregateAt(i); a != "" && !hasPrefix(s.tokens[i].text, mostKorean...) && (s.tokens[at].hangul || !s.figureBetween(i, at)) {
			return a
		}
	}
	for i := first + 3; i < to; i++ {
		if a := s.aggregateAt(i); a != "" {
			return a
		}
	}
	if first, _ = s.clauseSpan(at); s.tokens[at].hangul {
		return s.aggregateOfTopic(first, from)
	}
	return ""
}

// aggregateOfTopic is the aggregate of what a Korean clause is about, "평균 임대료는 A가 가장 높고 B가";
// "" for none.
func (s *sentence) aggregateOfTopic(from, to int) string {
	for i := from; i < to; i++ {
		a := s.aggregateAt(i)
		if a == "" || hasPrefix(s.tokens[i].text, mostKorean...) {
			continue
		}
		for k := i; k < min(i+3, to); k++ {
			if hasSuffix(s.tokens[k].text, "은", "는") && !s.isNameToken(k) {
				return a
			}
		}
	}
	return ""
}

// figureBetween reports whether a figure stands in tokens from..to.
func (s *sentence) figureBetween(from, to int) bool { return len(s.figuresIn(from, to)) > 0 }

// measuresTold are the measures of which the figure that stands with a superlative is the cell of
// its name: "leads with 40", "the highest, at 40", "(40)"; nil where there is none.
func (s *sentence) measuresTold(at int, r *referent) map[int]bool {
	from, to := s.clauseSpan(at)
	var told map[int]bool
	for i := range s.figures {
		if f := &s.figures[i]; f.at > at && f.at < to && (f.at-at <= 8 || told != nil) && len(f.amounts) > 0 && !f.ordinal && !f.percent && !s.namesOther(at+1, f.at, r) {
			for id := range s.measuresOf(f, r) {
				told = with(told, id)
			}
		}
	}
	if told != nil {
		return told
	}
	for i := len(s.figures) - 1; i >= 0; i-- {
		if f := &s.figures[i]; f.to <= at && f.at >= from && len(f.amounts) > 0 && !f.ordinal && !f.percent && r.at < f.at && len(s.namesOf(f.to, at)) == 0 {
			return s.measuresOf(f, r)
		}
	}
	return nil
}

// namesOther reports whether another row is named in tokens from..to.
func (s *sentence) namesOther(from, to int, r *referent) bool {
	return slices.ContainsFunc(s.namesOf(from, to), func(o *referent) bool { return !slices.EqualFunc(o.rows, r.rows, slices.Equal[[]int]) })
}

// measuresOf are the measures of which a figure is the cell of a name.
func (s *sentence) measuresOf(f *figure, r *referent) map[int]bool {
	var named map[int]bool
	for index, t := range s.checker.tables {
		for col := range t.columns {
			if c := &t.columns[col]; c.measure() && slices.ContainsFunc(r.rows[index], func(row int) bool { return c.cells[row].equal(f, nil) }) {
				named = with(named, index*columnStride+col)
			}
		}
	}
	return named
}

// figureBeforeRelative is the figure of which an English superlative behind it is told: "at
// 395.69, which is the lowest", "its maximum, 62, is also the lowest"; nil for none.
func (s *sentence) figureBeforeRelative(at int) *figure {
	k := at - 1
	for s.hasAny(k, k+1, "which", "is", "was", "also", "the", "still", "by", "far", "again", "both", "a") || s.is(k, mark) && s.hasAny(k, k+1, ",", ")") {
		k--
	}
	if k+1 == at || !s.hasAny(k+1, at, "which", "is", "was", "also") {
		return nil
	}
	for i := range s.figures {
		if f := &s.figures[i]; f.to == k+1 && len(f.amounts) > 0 && !f.ordinal && !f.percent {
			return f
		}
	}
	return nil
}

// figureUpTo is the figure whose counter stands right before a token.
func (s *sentence) figureUpTo(at int) *figure {
	for k := range s.figures {
		if f := &s.figures[k]; f.to <= at && at-f.to <= 1 && len(f.amounts) > 0 && !f.ordinal && !f.percent && s.foldAt(f.to) != "," && !s.anyCue(f.to, at, nil, "중") {
			return f
		}
	}
	return nil
}

// ratesBehind are the columns of parts of a whole, where the noun behind a superlative is one for a
// rate: "the highest subscription rate".
func (s *sentence) ratesBehind(at int) map[int]bool {
	for i := at + 1; i < min(at+4, len(s.tokens)) && s.is(i, word) && !s.isNameToken(i) && !stopWords[s.foldAt(i)]; i++ {
		if quotientWords[s.foldAt(i)] {
			return s.sharesFor(s.namedBy(s.foldAt(i), nil), nil)
		}
	}
	return nil
}

// seeksAnother reports whether a superlative, or a word that compares, is of a measure by which the
// question does not look for the one row that was found: "the highest price" of what has the highest
// margin.
func (s *sentence) seeksAnother(at int) bool {
	own, asked := map[int]bool{}, map[int]bool{}
	from, to := s.span(at)
	for i := max(from, at-2); i < min(to, at+4); i++ {
		if i != at && s.is(i, word) && !s.isNameToken(i) {
			for id := range s.namedBy(koreanStem(s.foldAt(i)), nil) {
				own[id] = true
			}
		}
	}
	for _, t := range s.checker.asked.tokens {
		if t.kind == word {
			for id := range s.namedBy(koreanStem(t.fold), nil) {
				asked[id] = true
			}
		}
	}
	for id := range own {
		if asked[id] {
			return false
		}
	}
	return len(own) > 0 && len(asked) > 0
}

// saysBothYears reports whether a clause says something of each of the years that columns have.
func (s *sentence) saysBothYears(from, to int) bool {
	for i := from; i < to; i++ {
		if s.hasAny(i, i+1, "both", "each", "all", "every") && s.hasAny(i+1, i+2, "years", "year") || s.anyCue(i, i+1, nil, "두") && s.anyCue(i+1, i+2, nil, "해") && s.anyCue(i+1, i+4, nil, "모두") {
			return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
				return slices.ContainsFunc(t.columns, func(c column) bool { return c.year != 0 && c.measure() })
			})
		}
	}
	return false
}

// leadsEachYear reports whether names have the most, or the least, in all columns of years.
func (s *sentence) leadsEachYear(direction int, group []*referent) bool {
	return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		index := slices.Index(s.checker.tables, t)
		return t.whole && !slices.ContainsFunc(t.columns, func(c column) bool {
			return c.year != 0 && c.measure() && !s.leads(t, &c, index, group, direction)
		})
	})
}

package ground

import (
	"slices"
	"strings"
)

// check finds what nothing proves in the sentence.
func (s *sentence) check() []Violation {
	s.checkQuotes()
	s.checkProperNames()
	for i := range s.figures {
		if s.proved[i] {
			continue
		}
		f := &s.figures[i]
		if len(f.amounts) == 0 {
			s.violate(f.at, f.to, "this number cannot be read")
			continue
		}
		if s.prove(i) {
			s.proved[i] = true
			continue
		}
		s.violate(f.at, f.to, s.whyNot(f))
	}
	s.checkClaims()
	return s.bad
}

// whyNot says in plain words what a figure lacks.
func (s *sentence) whyNot(f *figure) string {
	r, _ := s.referentOf(f)
	switch {
	case r != nil:
		return "this is not what the result has for " + s.nameOf(r)
	case slices.ContainsFunc(s.checker.tables, func(t *table) bool { return !t.whole }):
		return "this number belongs to no row that the sentence names, and nothing can be computed over a partial preview"
	}
	return "this number belongs to no row that the sentence names, and no derivation that it names gives it"
}

func (s *sentence) nameOf(r *referent) string {
	if r.to <= len(s.tokens) && r.at < r.to {
		return s.text[s.tokens[r.at].begin:s.tokens[r.to-1].end]
	}
	return "that row"
}

// prove reports whether the figure is what the sentence says it is.
func (s *sentence) prove(i int) bool {
	f := &s.figures[i]
	if s.echoes(f) {
		return true
	}
	if s.countsStrangers(f) {
		return false
	}
	r, group := s.referentOf(f)
	switch {
	case f.ratio:
		return s.isRatio(f)
	case f.ordinal:
		return s.isRanked(f, r)
	case s.isRange(i):
		return true
	case f.percent && s.isChange(f):
		return s.isGrowth(f, r)
	case f.percent:
		return s.isPercentage(f, r, group)
	case s.isGap(f):
		return s.isDifference(f, r)
	}
	if s.isCounted(i, r) {
		return true
	}
	if r != nil && len(group) < 2 && s.isCell(f, r.single()) {
		return !s.misnamed(f, r)
	}
	if s.isDerived(f, r, group) {
		return true
	}
	return r == nil && s.isAlone(f)
}

// countsStrangers reports whether the noun behind a figure is another than those of which
// the question and the columns speak: "435 stores" of customers.
func (s *sentence) countsStrangers(f *figure) bool {
	_, to := s.span(f.at)
	for i := f.to; i < min(to, f.to+3); i++ {
		t := s.tokens[i]
		if t.kind != word || s.taken[i] || clauseVerbs[t.fold] || stopWords[t.fold] {
			return false
		}
		w := koreanStem(t.fold)
		of, known := synonyms[stem(w)]
		switch {
		case genericNouns[w] || genericNouns[stem(w)] || s.checker.concepts[concept(w)] || s.checker.isNoun(w):
			return false
		case known && !periodConcepts[of]:
			return true
		}
	}
	return false
}

// periodConcepts are nouns of time, which stand behind figures of all kinds.
var periodConcepts = set("month year quarter method status category")

// single are the rows of a referent without those of a time that holds several: what is
// said of a quarter is not what one of its months has.
func (r *referent) single() [][]int {
	if !slices.ContainsFunc(r.parts, func(p ref) bool { return p.date }) {
		return r.rows
	}
	out := make([][]int, len(r.rows))
	for i, rows := range r.rows {
		if len(rows) == 1 {
			out[i] = rows
		}
	}
	return out
}

// misnamed reports whether a cell is called an average that is none.
func (s *sentence) misnamed(f *figure, r *referent) bool {
	from, to := s.span(f.at)
	if !s.anyCue(from, to, meanWords, meanKorean...) || s.checker.asks(meanWords, meanKorean...) {
		return false
	}
	for _, t := range s.checker.tables {
		if slices.ContainsFunc(t.columns, func(c column) bool { return c.average }) {
			return false
		}
	}
	return true
}

// asks reports whether the question has one of the words.
func (c *Checker) asks(words map[string]bool, korean ...string) bool {
	return slices.ContainsFunc(c.asked.tokens, func(t token) bool {
		return words[t.fold] || t.hangul && hasPrefix(t.text, korean...)
	})
}

// referentOf is what a figure is said of, with those that are named in one breath
// with it; nil when the clause names no row.
func (s *sentence) referentOf(f *figure) (*referent, []*referent) {
	if r := s.respectively(f); r != nil {
		return r, nil
	}
	if s.foldAt(f.to) == "(" {
		if i := slices.IndexFunc(s.referents, func(r referent) bool { return r.at == f.to+1 }); i >= 0 {
			return &s.referents[i], nil
		}
	}
	if r := s.behindBrackets(f); r != nil {
		return r, nil
	}
	from, to := s.span(f.at)
	var before, after []*referent
	for i := range s.referents {
		switch r := &s.referents[i]; {
		case r.to <= f.at && r.to > from:
			before = append(before, r)
		case r.at >= f.to && r.at < to && !(i > 0 && s.hasAny(r.at-2, r.at, "than")):
			after = append(after, r)
		}
	}
	switch {
	case len(before) > 0 && len(after) > 0 && s.tight(f, after[0]) && s.usedBefore(f, before[len(before)-1]):
		return after[0], nil
	case len(before) > 0:
		return s.subject(f, before)
	case len(after) > 0:
		return after[0], s.groupOf(after[0])
	}
	return s.elsewhere(f, from, to)
}

// behindBrackets is the name behind the brackets in which a figure stands, where none
// stands before them: "the smallest (16) in A".
func (s *sentence) behindBrackets(f *figure) *referent {
	if !s.inBrackets(f.at) {
		return nil
	}
	open := f.at
	for open > 0 && s.tokens[open].text != "(" {
		open--
	}
	if open == 0 {
		return nil
	}
	from, _ := s.span(open - 1)
	_, to := s.span(min(f.to+1, len(s.tokens)-1))
	var found *referent
	for i := range s.referents {
		switch r := &s.referents[i]; {
		case r.at >= from && r.at < f.at:
			return nil
		case r.at >= f.to && r.at < to && found == nil:
			found = r
		}
	}
	if found == nil || slices.ContainsFunc(s.figures, func(g figure) bool { return g.at >= from && g.at < open }) {
		return nil
	}
	return found
}

// elsewhere looks for the referent in other parts of the clause, then before it.
func (s *sentence) elsewhere(f *figure, from, to int) (*referent, []*referent) {
	first, last := s.clauseSpan(f.at)
	if s.anyCue(from, to, otherWords) {
		return nil, nil
	}
	for i := len(s.referents) - 1; i >= 0; i-- {
		if r := &s.referents[i]; r.to <= from && r.at >= first {
			return r, s.groupOf(r)
		}
	}
	for i := range s.referents {
		r := &s.referents[i]
		if r.at >= to && r.at < last && !slices.ContainsFunc(s.figures, func(g figure) bool { return g.at >= to && g.at < r.at && !s.inBrackets(g.at) }) {
			return r, s.groupOf(r)
		}
	}
	if first > 0 && len(s.referents) > 0 && s.referents[0].at < first {
		for i := len(s.referents) - 1; i >= 0; i-- {
			if r := &s.referents[i]; r.to <= first && s.hasAny(first, first+4, "it", "its", "they", "there") {
				return r, nil
			}
		}
		return nil, nil
	}
	return s.carried(f), nil
}

// subject chooses among the names before a figure: the nearest, unless that is what
// the first is compared to.
func (s *sentence) subject(f *figure, before []*referent) (*referent, []*referent) {
	nearest := before[len(before)-1]
	if len(before) > 1 && !s.coordinated(before[len(before)-2].to, nearest.at) && s.hasAny(nearest.to, f.at, "with", "by", "at", "having") &&
		s.hasAny(nearest.at-3, nearest.at, "than", "over", "of", "behind", "to", "versus", "before", "above", "beats", "beating") {
		return before[len(before)-2], nil
	}
	if nearest.to < len(s.tokens) && len(before) > 1 && hasPrefix(s.tokens[nearest.to-1].text, "") && strings.HasSuffix(s.tokens[nearest.to-1].text, "보다") {
		return before[len(before)-2], nil
	}
	return nearest, s.groupOf(nearest)
}

// groupOf is the run of names that are named in one breath with r, r among them; nil
// when r stands alone.
func (s *sentence) groupOf(r *referent) []*referent { return s.run(r, s.coordinated) }

// run is the longest run of names around r that are joined.
func (s *sentence) run(r *referent, joined func(from, to int) bool) []*referent {
	at := slices.IndexFunc(s.referents, func(o referent) bool { return o.at == r.at })
	if at < 0 {
		return nil
	}
	from, to := at, at+1
	for from > 0 && joined(s.referents[from-1].to, s.referents[from].at) {
		from--
	}
	for to < len(s.referents) && joined(s.referents[to-1].to, s.referents[to].at) {
		to++
	}
	if to-from < 2 {
		return nil
	}
	var out []*referent
	for i := from; i < to; i++ {
		out = append(out, &s.referents[i])
	}
	return out
}

// tight reports whether a preposition binds a figure to the name behind it.
func (s *sentence) tight(f *figure, r *referent) bool {
	if r.at-f.to > 5 {
		return false
	}
	return s.hasAny(f.to, r.at, "in", "for", "from", "of", "by", "at", "to", "on", "during", "is", "are", "belong", "인", "의") || r.at == f.to
}

// usedBefore reports whether another figure between the name and this one is said of
// that name.
func (s *sentence) usedBefore(f *figure, r *referent) bool {
	if slices.ContainsFunc(s.figures, func(g figure) bool { return g.at >= r.to && g.to <= f.at }) {
		return true
	}
	from, _ := s.span(r.at)
	return slices.ContainsFunc(s.figures, func(g figure) bool {
		return g.at >= from && g.to <= r.at && s.tight(&g, r) &&
			!slices.ContainsFunc(s.referents, func(o referent) bool { return o.at >= from && o.to <= g.at })
	})
}

// respectively is the name for a figure of as many as there are names before: "A and B
// have 3 and 5".
func (s *sentence) respectively(f *figure) *referent {
	from, to := s.clauseSpan(f.at)
	var names []*referent
	var list []*figure
	for i := range s.referents {
		if r := &s.referents[i]; r.at >= from && r.to <= to {
			names = append(names, r)
		}
	}
	for i := range s.figures {
		if g := &s.figures[i]; g.at >= from && g.to <= to && !g.ordinal && !g.ratio && g.percent == f.percent {
			list = append(list, g)
		}
	}
	said := s.anyCue(from, to, set("respectively"), "각각")
	// A count of the names themselves is none of their figures: "the two leaders".
	if n := len(names); said && len(list) == n+1 && list[0].amounts != nil && list[0].amounts[0].value.Cmp(rat(int64(n))) == 0 {
		list = list[1:]
	}
	n := len(names)
	if n < 2 || len(list) != n || !(said || s.coordinated(names[0].to, names[1].at) || s.opposed(list)) {
		return nil
	}
	if names[n-1].to <= list[0].at || said && list[n-1].to <= names[0].at {
		for i, g := range list {
			if g == f {
				return names[i]
			}
		}
	}
	return nil
}

// opposed reports whether figures stand side by side: "435 versus 116".
func (s *sentence) opposed(list []*figure) bool {
	for i := 1; i < len(list); i++ {
		if list[i].at-list[i-1].to <= 2 && s.hasAny(list[i-1].to, list[i].at, "to") && s.hasAny(list[0].at-2, list[0].at, "from") {
			continue
		}
		if list[i].at-list[i-1].to > 3 || !s.hasAny(list[i-1].to, list[i].at, "versus", "vs", "against", "compared", "대") {
			return false
		}
	}
	return len(list) > 1
}

// carried is the one thing that the sentence before spoke of, where this one goes on
// about it.
func (s *sentence) carried(f *figure) *referent {
	if s.before == nil || len(s.before.referents) == 0 {
		return nil
	}
	one := &s.before.referents[len(s.before.referents)-1]
	if s.pronoun() {
		return one
	}
	direction, _ := s.ordering(0, len(s.tokens))
	if len(s.before.referents) != 1 || direction != 0 || s.anyCue(0, len(s.tokens), totalWords, totalKorean...) ||
		s.anyCue(0, len(s.tokens), meanWords, meanKorean...) || !s.onlyNouns(0, f.at) {
		return nil
	}
	if s.before.line.head || strings.HasSuffix(s.before.text, ":") || !s.line.item {
		return one
	}
	return nil
}

// onlyNouns reports whether tokens from..to name nothing but columns: no subject of
// their own.
func (s *sentence) onlyNouns(from, to int) bool {
	nouns := 0
	for i := from; i < to; i++ {
		t := s.tokens[i]
		if t.kind != word || s.taken[i] {
			continue
		}
		w := koreanStem(t.fold)
		switch {
		case s.checker.isNoun(w) || s.checker.isNoun(concept(w)):
			nouns++
		case otherWords[t.fold]:
			return false
		case stopWords[t.fold], koreanWords[w]:
		default:
			return false
		}
	}
	return nouns > 0
}

// isAlone reports whether the figure is a cell of a result of one row, which needs no
// name.
func (s *sentence) isAlone(f *figure) bool {
	if len(s.referents) > 0 || s.anyCue(0, len(s.tokens), otherWords) || s.strangerBefore(f) {
		return false
	}
	rows := make([][]int, len(s.checker.tables))
	for i, t := range s.checker.tables {
		if t.rows == 1 && t.count == 1 {
			rows[i] = []int{0}
		}
	}
	return s.isCell(f, rows)
}

// strangerBefore reports whether a Korean subject that nobody knows stands before the
// figure.
func (s *sentence) strangerBefore(f *figure) bool {
	for i := 0; i < f.at; i++ {
		t := s.tokens[i]
		if !t.hangul || s.taken[i] {
			continue
		}
		if s.isStrangeModifier(i) {
			return true
		}
		if w := koreanStem(t.text); w != t.text && s.isStranger(w) && slices.ContainsFunc([]string{"은", "는", "이", "가", "의", "에서", "에는"}, func(e string) bool { return t.text == w+e }) {
			return true
		}
	}
	return false
}

// isStrangeModifier reports whether a Korean word that nobody knows stands before a noun
// that is known, as a name does, and is no form of a verb.
func (s *sentence) isStrangeModifier(i int) bool {
	const shortest = 3 * len("가")
	t := s.tokens[i]
	if len(t.text) < shortest || !s.is(i+1, word) || !s.tokens[i+1].hangul || !s.isStranger(t.text) || !s.isStranger(koreanStem(t.text)) {
		return false
	}
	if hasSuffix(t.text, "된", "한", "는", "은", "인", "던", "할", "운", "린", "진", "난", "온", "간", "적", "로", "히", "게", "면", "서", "고", "며", "지", "에", "상") {
		return false
	}
	next := koreanStem(s.tokens[i+1].text)
	return next != s.tokens[i+1].text && s.checker.nouns[next] || s.checker.concepts[concept(next)]
}

func (s *sentence) isStranger(w string) bool {
	if koreanWords[w] || s.checker.known[w] || s.checker.nouns[w] || synonyms[w] != "" {
		return false
	}
	// A word that is made of known ones, or is one with more glued to it.
	for k := range w {
		if k > 0 && (koreanWords[w[:k]] || s.checker.nouns[w[:k]]) && (koreanWords[w[k:]] || s.checker.nouns[w[k:]]) {
			return false
		}
	}
	return !strings.Contains(s.checker.quotable, w)
}

// isCell reports whether the figure is a cell of these rows, in a column that the
// clause does not rule out.
func (s *sentence) isCell(f *figure, rows [][]int) bool {
	unit := f.rest
	if unit == "" {
		unit = s.foldAt(f.to)
	}
	named := s.columnsFor(f, rows)
	for i, t := range s.checker.tables {
		if len(rows[i]) == 0 || len(rows[i]) > 1 && t.dimensions() > 1 {
			continue
		}
		for col := range t.columns {
			c := &t.columns[col]
			if !c.numeric || !named(i, col) {
				continue
			}
			scale, ok := c.scaleTo(unit)
			if !ok {
				continue
			}
			for _, row := range rows[i] {
				if s.saysCell(f, c, c.cells[row], func(f *figure, v cell) bool { return v.equal(f, scale) }) {
					return true
				}
			}
		}
	}
	return false
}

// saysCell reports whether a figure is a cell, with its sign: a change of -7 is "fell
// by 7".
func (s *sentence) saysCell(f *figure, c *column, v cell, equal func(*figure, cell) bool) bool {
	if v.number == nil {
		return false
	}
	from, to := s.span(f.at)
	falls, rises := s.anyCue(from, to, fallWords, fallKorean...), s.anyCue(from, to, riseWords, riseKorean...)
	if !falls && !rises {
		from, to = s.clauseSpan(f.at)
		falls, rises = s.anyCue(from, to, fallWords, fallKorean...), s.anyCue(from, to, riseWords, riseKorean...)
	}
	if c.change && falls != rises && !f.minus {
		if falls {
			return v.number.Sign() < 0 && negated(f, v, equal)
		}
		return v.number.Sign() >= 0 && equal(f, v)
	}
	return equal(f, v)
}

func negated(f *figure, v cell, equal func(*figure, cell) bool) bool {
	w := v
	w.number = neg(v.number)
	if v.told != nil {
		w.told = neg(v.told)
	}
	return equal(f, w)
}

// dimensions is how many columns tell rows apart.
func (t *table) dimensions() int {
	n := 0
	for i := range t.columns {
		if !t.columns[i].measure() {
			n++
		}
	}
	return n
}

// columnsFor is which columns a figure may be in: those that are named right behind
// it, else before it, else in its clause, else all measures.
func (s *sentence) columnsFor(f *figure, rows [][]int) func(table, col int) bool {
	from, to := s.span(f.at)
	first, last := s.clauseSpan(f.at)
	if f.rest != "" {
		if named := s.namedBy(koreanStem(f.rest), rows); named != nil {
			return func(t, c int) bool { return named[t*columnStride+c] }
		}
	}
	look := []func() map[int]bool{
		func() map[int]bool { return s.nearest(f.to, min(to, f.to+5), 1, rows) },
		func() map[int]bool { return s.nearest(f.at-1, from-1, -1, rows) },
		func() map[int]bool { return s.nearest(f.at-1, first-1, -1, rows) },
		func() map[int]bool { return s.nearest(f.to, last, 1, rows) },
	}
	for _, find := range look {
		if named := find(); named != nil {
			return func(t, c int) bool { return named[t*columnStride+c] }
		}
	}
	return func(t, c int) bool { return s.checker.tables[t].speaks(c) }
}

// speaks reports whether a column may be meant that nobody names: a measure, or any
// where there is none.
func (t *table) speaks(col int) bool {
	return t.columns[col].measure() || !slices.ContainsFunc(t.columns, func(c column) bool { return c.measure() })
}

// nearest are the numeric columns that the first word on the way from..to names.
func (s *sentence) nearest(from, to, step int, rows [][]int) map[int]bool {
	for i := from; i != to && i >= 0 && i < len(s.tokens); i += step {
		if s.tokens[i].kind != word || s.isNameToken(i) {
			if step > 0 && slices.ContainsFunc(s.figures, func(g figure) bool { return g.at == i }) {
				return nil
			}
			continue
		}
		if named := s.namedBy(koreanStem(s.tokens[i].fold), rows); named != nil {
			return named
		}
	}
	return nil
}

// metricWords are stop words that may be a column's whole name.
var metricWords = set("amount value number total count average sum")

// namedBy are the numeric columns of tables with rows that a word names.
func (s *sentence) namedBy(w string, rows [][]int) map[int]bool {
	if w == "" || stopWords[w] && w != "id" && !metricWords[w] {
		return nil
	}
	of := concept(w)
	var named map[int]bool
	for i, t := range s.checker.tables {
		if rows != nil && len(rows[i]) == 0 {
			continue
		}
		for col := range t.columns {
			c := &t.columns[col]
			if !c.numeric || c.key && !c.place && w != "id" && periodName.MatchString(c.name) {
				continue
			}
			if slices.ContainsFunc(c.words, func(have string) bool {
				return have == of || concept(have) == of || isHangul(have) && isHangul(w) && (strings.HasPrefix(have, w) || strings.HasPrefix(w, have))
			}) {
				if named == nil {
					named = map[int]bool{}
				}
				named[i*columnStride+col] = true
			}
		}
	}
	return named
}

package ground

import "slices"

// holder is what a figure may be said of where the names next to it do not explain it: a
// name of the sentence, a pronoun, or the names of the sentence before.
type holder struct {
	at, to int // tokens; before the first for what is carried on without a word
	any    []*referent
	every  bool // all of them have what is said: "they", "each of them"
}

// carriedOn is the place of what a sentence goes on about without a word for it.
const carriedOn = -1

// isHeld reports whether a figure is the cell of a holder, wherever that stands, as long as
// nothing else stands right before the figure as its subject, and the figures of the
// sentence and their holders keep one order: a swap does not.
func (s *sentence) isHeld(i int) bool {
	f := &s.figures[i]
	if f.ordinal {
		ranked, _ := s.isAligned(i)
		return ranked
	}
	if !s.maySayCell(f) {
		return false
	}
	if aligned, run := s.isAligned(i); aligned || run {
		return aligned
	}
	if s.isOpposite(i) || s.isPaired(i) || s.isSetSide(i) {
		return true
	}
	list := s.holders()
	first, _ := s.clauseSpan(f.at)
	own, rival := s.ownHolders(f, list)
	for k, h := range list {
		switch {
		case rival && !slices.Contains(own, k):
		case h.at == carriedOn && (s.saysOfAll(f, first) || s.isBoundBehind(f) || s.boundToAnother(f, h)):
		case h.at > f.at && !rival && !s.opensWith(f, list, k) && !s.boundIn(f, list, k):
		case s.holds(&list[k], f) && s.keepsOrder(f, list, k) && !s.gainsaid(f, list, k):
			return true
		}
	}
	return false
}

// isBoundBehind reports whether a name stands right behind a figure, or behind nouns, a moment
// and a preposition: "42 stock clerks", "171,252.20 for Home", "67 returns in 2025 for damage".
func (s *sentence) isBoundBehind(f *figure) bool {
	const near = 7
	return slices.ContainsFunc(s.referents, func(r referent) bool {
		at := r.at
		for at > f.to && (s.tokens[at-1].text == "\"" || s.tokens[at-1].text == "'") {
			at--
		}
		if at < f.to || at > f.to+near {
			return false
		}
		for i := f.to; i < at-1; i++ {
			if s.tokens[i].kind == mark || s.isNameToken(i) || clauseVerbs[s.foldAt(i)] && s.foldAt(i) != "in" {
				return false
			}
		}
		return at == f.to || s.hasAny(at-1, at, "for", "in", "of", "from", "at", "by")
	})
}

// maySayCell reports whether a figure has the form of a cell. A bound that is denied, "no
// year saw more than 50", speaks of all rows.
func (s *sentence) maySayCell(f *figure) bool {
	if f.hedge != exact && (s.hasAny(0, f.at, "no", "none", "nobody", "neither", "never", "not") || s.anyCue(f.to, len(s.tokens), nil, "없")) {
		return false
	}
	return !f.ordinal && !f.ratio && len(f.amounts) > 0 && !s.saysWhole(f)
}

// holds reports whether a figure is the cell of a holder.
func (s *sentence) holds(h *holder, f *figure) bool {
	have := func(r *referent) bool { return s.hasAs(r, f) }
	if h.every && h.at != carriedOn && s.isSumOf(f, h.any) {
		return true
	}
	if h.every {
		return len(h.any) > 0 && !slices.ContainsFunc(h.any, func(r *referent) bool { return !have(r) })
	}
	if len(h.any) > 0 && h.any[0].at == h.at { // named in one breath with others, it has what they have
		if group := s.groupOf(h.any[0]); len(group) > 1 {
			return !slices.ContainsFunc(group, func(r *referent) bool { return !have(r) })
		}
	}
	return slices.ContainsFunc(h.any, have)
}

// isSumOf reports whether a figure is what several names have together: "those three hold
// 1,026".
func (s *sentence) isSumOf(f *figure, names []*referent) bool {
	if len(names) < 2 || f.percent || f.hedge != exact {
		return false
	}
	return s.each(f, func(t *table, index int, c *column) bool {
		var rows []int
		for _, r := range names {
			if len(r.rows[index]) != 1 {
				return false
			}
			rows = union(rows, r.rows[index])
		}
		return c.measure() && c.adds() && !c.change && len(rows) == len(names) && f.derived(c.sum(rows))
	})
}

// hasAs reports whether a figure is the cell of a referent, or its part in percent.
func (s *sentence) hasAs(r *referent, f *figure) bool {
	switch {
	case s.isGap(f) || s.hasAny(f.to, f.to+1, "below", "above", "under", "over", "short"):
		return s.isChangeOf(f, r)
	case f.percent:
		return s.isShareCell(f, r.single())
	}
	return s.isCell(f, r.single()) && !s.misnamed(f, r) || s.isKeyOf(f, r) || s.countsName(f, r)
}

// countsName checks "25 store managers earn": of how many things a name is that stands right
// behind the figure, where only one column may count them.
func (s *sentence) countsName(f *figure, r *referent) bool {
	if _, ok := f.count(); !ok || r.at != f.to || len(s.referents) == 0 || s.namedBy(koreanStem(s.foldAt(f.to-1)), nil) != nil {
		return false
	}
	for index, t := range s.checker.tables {
		var counts []*column
		for i := range t.columns {
			if c := &t.columns[i]; c.measure() && c.adds() && !c.change {
				counts = append(counts, c)
			}
		}
		if rows := r.single()[index]; len(rows) == 1 && len(counts) == 1 && counts[0].cells[rows[0]].equal(f, nil) {
			return true
		}
	}
	return false
}

// isChangeOf reports whether a difference is a cell of a column of differences, in the
// direction that the clause says: "5 below the plan".
func (s *sentence) isChangeOf(f *figure, r *referent) bool {
	from, to := s.span(f.at)
	for index, t := range s.checker.tables {
		for i := range t.columns {
			c := &t.columns[i]
			if c.measure() && c.change && c.share == f.percent && slices.ContainsFunc(r.single()[index], func(row int) bool {
				n := c.cells[row].exactly()
				return n != nil && s.isGapOf(f, n, from, to)
			}) {
				return true
			}
		}
	}
	return false
}

// isKeyOf reports whether a figure is the key of a row that is named by more, and counts
// nothing: "return 568 concerned the A".
func (s *sentence) isKeyOf(f *figure, r *referent) bool {
	n, ok := f.count()
	if !ok || f.spoken || f.hedge != exact || n < 100 && !s.line.item || s.koreanCounter(f) || s.namedBy(koreanStem(s.foldAt(f.to)), nil) != nil {
		return false
	}
	for index, t := range s.checker.tables {
		for i := range t.columns {
			c := &t.columns[i]
			if c.id && len(r.single()[index]) == 1 && c.cells[r.single()[index][0]].equal(f, nil) {
				return true
			}
		}
	}
	return false
}

// holders are all holders of the sentence in the order of their places.
func (s *sentence) holders() []holder {
	var list []holder
	before := s.namesBefore()
	if carried := s.notNamedAgain(before); len(carried) > 0 {
		list = append(list, holder{at: carriedOn, any: carried}, holder{at: carriedOn, any: carried, every: true})
	}
	for i := range s.referents {
		r := &s.referents[i]
		list = append(list, holder{at: r.at, to: r.to, any: append([]*referent{r}, r.narrowed(before)...)})
	}
	for i := range s.tokens {
		one, several := s.pronounAt(i)
		if !one && !several || s.taken[i] {
			continue
		}
		h := holder{at: i, to: i + 1, any: before, every: several && !one}
		if near := s.nearestName(i); near != nil && one {
			h.any = append([]*referent{near}, near.narrowed(before)...)
		}
		if len(h.any) > 0 {
			list = append(list, h)
		}
	}
	slices.SortStableFunc(list, func(a, b holder) int { return a.at - b.at })
	return list
}

// notNamedAgain are the names before a sentence but for those that it names itself beside others: what
// it says of these stands with their names.
func (s *sentence) notNamedAgain(before []*referent) []*referent {
	if len(s.referents) < 2 {
		return before
	}
	return slices.DeleteFunc(slices.Clone(before), func(b *referent) bool {
		return slices.ContainsFunc(s.referents, func(r referent) bool { return slices.EqualFunc(r.rows, b.rows, slices.Equal[[]int]) })
	})
}

// namesBefore are the names of the last sentence that had some, and where that spoke of
// others by a pronoun, those.
func (s *sentence) namesBefore() []*referent {
	if s.before == nil {
		return nil
	}
	var out []*referent
	for i := range s.before.tokens {
		if one, several := s.before.pronounAt(i); (one || several) && !s.before.taken[i] {
			out = s.before.namesBefore()
			break
		}
	}
	for i := range s.before.referents {
		out = append(out, &s.before.referents[i])
	}
	return out
}

// narrowed are those of the names before that are one row of a name that has several, and so
// what it is told of: after A of Spain, "in Spain".
func (r *referent) narrowed(before []*referent) []*referent {
	if slices.ContainsFunc(r.parts, func(p ref) bool { return p.date }) {
		return nil
	}
	var out []*referent
	for _, b := range before {
		for i := range r.rows {
			if len(r.rows[i]) > 1 && len(b.rows[i]) == 1 && slices.Contains(r.rows[i], b.rows[i][0]) {
				out = append(out, b)
			}
		}
	}
	return out
}

// nearestName is the last name before a token, nil for none.
func (s *sentence) nearestName(at int) *referent {
	var near *referent
	for i := range s.referents {
		if s.referents[i].to <= at {
			near = &s.referents[i]
		}
	}
	return near
}

// Words that stand for what was named before.
var (
	onePronouns     = set("it its he his she her him this that")
	severalPronouns = set("they their them these those each both")
)

// pronounAt reports whether a word stands for a name, or for several. A Korean one stands
// before a noun: "이 고객은", "해당 매장은".
func (s *sentence) pronounAt(i int) (one, several bool) {
	t := s.tokens[i]
	next := s.foldAt(i + 1)
	switch {
	case t.fold == "this" || t.fold == "that":
		one = s.isRowNoun(next)
	case t.hangul && (t.text == "이" || t.text == "그" || t.text == "해당"):
		one = s.is(i+1, word) && !s.taken[i+1]
	case t.hangul && hasPrefix(t.text, "이들", "그들", "둘"):
		several = true
	case t.fold == "they" || t.fold == "their" || t.fold == "them":
		return true, true
	default:
		one, several = onePronouns[t.fold], severalPronouns[t.fold]
	}
	return one, several
}

// pronounWithin reports whether a word stands for a name in tokens from..to.
func (s *sentence) pronounWithin(from, to int) bool {
	if s.before == nil {
		return false
	}
	for i := from; i < to; i++ {
		if one, several := s.pronounAt(i); (one || several) && !s.taken[i] && !(s.foldAt(i-1) == "of" && s.figureAtToken(i-2)) {
			return true
		}
	}
	return false
}

// isRowNoun reports whether a word is a noun that may stand for a row: of the question or
// of a column that has names.
func (s *sentence) isRowNoun(w string) bool {
	return w == "one" || s.checker.isNoun(w) || s.checker.concepts[concept(w)] || genericNouns[stem(w)]
}

// ownHolders are the holders that stand as the subject right before a figure, in its part
// of the sentence or before its brackets, with all that are named in one breath; rival
// reports whether there are any.
func (s *sentence) ownHolders(f *figure, list []holder) (own []int, rival bool) {
	if k := s.boundBehind(f, list); k >= 0 {
		return []int{k}, true
	}
	from, _ := s.span(f.at)
	if s.foldAt(f.at-1) == "(" && f.at > 1 {
		from, _ = s.span(f.at - 2)
	}
	last := -1
	for k, h := range list {
		if h.at != carriedOn && h.at >= from && h.to <= f.at && !s.onlyComparand(h) {
			last = k
		}
	}
	if s.placeBefore(f, from) {
		return nil, true
	}
	if last < 0 {
		return nil, false
	}
	return []int{last}, true
}

// placeBefore reports whether a place is the subject of a figure: "3위는 8점".
func (s *sentence) placeBefore(f *figure, from int) bool {
	return slices.ContainsFunc(s.figures, func(g figure) bool {
		return g.ordinal && g.at >= from && g.to <= f.at && hasSuffix(g.rest+s.gluedAt(g.to), "위는", "위가", "위의", "번째는", "번째가")
	})
}

// boundBehind is the name right behind a figure that is told by it: in brackets, "7건(2022년)",
// "1.96 days (2023)", or as what a Korean figure describes, "9명인 A"; -1 for none.
func (s *sentence) boundBehind(f *figure, list []holder) int {
	at := f.to
	for at < f.to+2 && s.is(at, word) && !s.isNameToken(at) && s.foldAt(at) != "(" {
		at++
	}
	glued := f.rest + s.gluedAt(f.to)
	describes := hasSuffix(glued, "인", "한", "된", "던", "의") && at == f.to+boolInt(s.gluedAt(f.to) != "")
	if s.foldAt(at) == "(" {
		at++
	} else if !describes {
		return -1
	}
	return slices.IndexFunc(list, func(h holder) bool { return h.at == at })
}

// onlyComparand reports whether a holder is a name that another is compared to.
func (s *sentence) onlyComparand(h holder) bool {
	return len(h.any) > 0 && h.any[0].at == h.at && s.isComparand(h.any[0])
}

// opensWith reports whether a holder behind a figure may be its own: the first that the
// sentence has, in the part of the figure or as the subject of the next one, and nothing is
// carried on by a pronoun.
func (s *sentence) opensWith(f *figure, list []holder, k int) bool {
	for n, h := range list {
		if h.at == carriedOn {
			continue
		}
		if n != k {
			return false
		}
		break
	}
	return !s.hasAny(f.to, list[k].at, "than", "ahead", "behind", "above", "below", "over", "from", "followed", "before", "after", "versus", "vs", "against", "exceeds", "beats")
}

// boundIn reports whether a preposition binds a figure to the first name behind it in its
// part of the sentence: "4 below the plan in A".
func (s *sentence) boundIn(f *figure, list []holder, k int) bool {
	from, to := s.span(f.at)
	return list[k].at < to && s.hasAny(list[k].at-1, list[k].at, "in", "for", "at") &&
		!slices.ContainsFunc(list, func(h holder) bool { return h.at >= from && h.at < list[k].at })
}

// boundToAnother reports whether a preposition binds a figure to a name behind it that takes the
// place of what was named before: after 2014, "5 stores were opened in 2015".
func (s *sentence) boundToAnother(f *figure, h holder) bool {
	_, to := s.span(f.at)
	return slices.ContainsFunc(s.referents, func(r referent) bool {
		return r.at >= f.to && r.at < to && s.hasAny(r.at-1, r.at, "in", "for", "at") &&
			!slices.ContainsFunc(h.any, func(o *referent) bool {
				return !slices.Equal(o.columns, r.columns) || s.sharesRow(ref{rows: o.rows}, ref{rows: r.rows})
			})
	})
}

// keepsOrder reports whether all other figures of the sentence that are cells of holders may
// be so in the order in which they stand, where this one is that of holder k.
func (s *sentence) keepsOrder(f *figure, list []holder, k int) bool {
	for i := range s.figures {
		g := &s.figures[i]
		if g.at == f.at || !s.maySayCell(g) {
			continue
		}
		has, fits := false, false
		for n := range list {
			if !s.holds(&list[n], g) {
				continue
			}
			has = true
			if list[n].at == list[k].at && s.swapsColumns(f, g, list[k].any) {
				return false
			}
			fits = fits || g.at < f.at && n <= k || g.at > f.at && n >= k || list[n].at == list[k].at
		}
		if has && !fits {
			return false
		}
	}
	return true
}

// gainsaid reports whether a name between a holder and its figure is of another column and
// of other rows: it would be told of the holder, "HSBC, based in China, made 16.2".
func (s *sentence) gainsaid(f *figure, list []holder, k int) bool {
	return slices.ContainsFunc(s.referents, func(r referent) bool {
		if r.at < list[k].to || r.at >= f.at {
			return false
		}
		return !slices.ContainsFunc(list[k].any, func(o *referent) bool { return o.sharesWith(&r) })
	})
}

// sharesWith reports whether another name can only be of the same columns, or has rows in
// common.
func (r *referent) sharesWith(o *referent) bool {
	if !slices.ContainsFunc(o.columns, func(c int) bool { return !slices.Contains(r.columns, c) }) {
		return true
	}
	for i := range r.rows {
		if len(intersect(r.rows[i], o.rows[i])) > 0 {
			return true
		}
	}
	return false
}

// swapsColumns reports whether two figures of one row, whose columns no noun tells apart,
// stand in another order than these.
func (s *sentence) swapsColumns(f, g *figure, names []*referent) bool {
	if g.at < f.at {
		f, g = g, f
	}
	for _, r := range names {
		for index := range s.checker.tables {
			if rows := r.single()[index]; len(rows) == 1 {
				a, b := s.openColumns(f, index, rows[0], r), s.openColumns(g, index, rows[0], r)
				return len(a) > 0 && len(b) > 0 && a[0] > b[len(b)-1]
			}
		}
	}
	return false
}

// openColumns are the columns in which a row has a figure, where the words leave several of
// its kind open.
func (s *sentence) openColumns(f *figure, index, row int, r *referent) []int {
	named := s.columnsFor(f, r.single())
	open := 0
	var out []int
	for i, c := range s.checker.tables[index].columns {
		if !c.measure() || c.share != f.percent || !named(index, i) {
			continue
		}
		open++
		if f.says(&c, c.cells[row]) {
			out = append(out, i)
		}
	}
	if open < 2 {
		return nil
	}
	return out
}

// saysOfAll reports whether a clause speaks of more than what the sentence before named, or
// of another row: totals, averages, the rest, an order.
func (s *sentence) saysOfAll(f *figure, first int) bool {
	_, last := s.clauseSpan(f.at)
	direction, _ := s.ordering(0, len(s.tokens))
	counted := s.counts(f) == countsRows && s.namedBy(koreanStem(s.foldAt(f.at-1)), nil) == nil && s.namedBy(s.foldAt(f.at-2), nil) == nil
	return s.anyCue(0, len(s.tokens), totalWords, totalKorean...) || s.anyCue(0, len(s.tokens), meanWords, meanKorean...) ||
		s.anyCue(0, len(s.tokens), otherWords, "나머지", "다른") || direction != 0 && !s.isUtmost(f, direction) || counted ||
		slices.ContainsFunc(s.referents, func(r referent) bool { return r.at >= first && r.at < last && r.at < f.at }) || s.strangerBefore(f)
}

// isUtmost reports whether a figure is the most or the least of a column that the clause
// names.
func (s *sentence) isUtmost(f *figure, direction int) bool {
	return s.each(f, func(t *table, _ int, c *column) bool {
		row := -1
		if t.whole && c.measure() {
			row = c.extreme(t.all(), direction)
		}
		return row >= 0 && c.cells[row].equal(f, nil)
	})
}

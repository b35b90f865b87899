package ground

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
)

// scale is a column whose cells are steps of one measure, "1, 2, 3 days", or bands of it,
// "under 25, 25-99.99, 100 and over": a text may name rows by where they lie on it.
type scale struct {
	table, column int
	bands         []band // one for each row
	texts         bool   // the cells are bands, and no single numbers
}

// band is where a row lies on a scale; an end that is nil is open.
type band struct{ low, high *big.Rat }

// Forms of bands in cells: the numbers are groups 1 and 2.
const bandNumber = `[$€£₩]? ?(\d[\d,]*(?:\.\d+)?) ?[^\d\s~–—+-]*`

var bandForms = []struct {
	re         *regexp.Regexp
	open, down bool
}{
	{re: regexp.MustCompile(`^` + bandNumber + ` ?(?:-|–|—|~|to|이상) ?` + bandNumber + `(?: (?:미만|이하|[a-z]+))?$`)},
	{re: regexp.MustCompile(`^(?:under|below|less than|fewer than|up to|younger than|<|<=|≤) ?` + bandNumber + `(?: [a-z]+)?$`), open: true, down: true},
	{re: regexp.MustCompile(`^` + bandNumber + ` ?(?:미만|이하|and under|and below|or less|or fewer|or under)$`), open: true, down: true},
	{re: regexp.MustCompile(`^(?:over|above|more than|at least|from|older than|>|>=|≥) ?` + bandNumber + `(?: [a-z]+)?$`), open: true},
	{re: regexp.MustCompile(`^` + bandNumber + ` ?(?:\+|plus|이상|초과|(?:and|or) (?:over|above|more|older|up|higher))$`), open: true},
}

// decade finds "30대" and "30s".
var decade = regexp.MustCompile(`^(\d0)(?:대|s)$`)

// bandOf reads a cell as a band.
func bandOf(text string) (b band, ok bool) {
	text = fold(clean(text))
	if at := decade.FindStringSubmatch(text); at != nil {
		low := readings(at[1], false)[0].value
		return band{low, new(big.Rat).Add(low, rat(9))}, true
	}
	for _, form := range bandForms {
		at := form.re.FindStringSubmatch(text)
		if at == nil {
			continue
		}
		var ends []*big.Rat
		for _, digits := range at[1:] {
			n, ok := new(big.Rat).SetString(strings.ReplaceAll(digits, ",", ""))
			if !ok {
				return band{}, false
			}
			ends = append(ends, n)
		}
		switch {
		case form.down:
			return band{high: ends[0]}, true
		case form.open:
			return band{low: ends[0]}, true
		}
		return band{ends[0], ends[1]}, ends[0].Cmp(ends[1]) < 0
	}
	return band{}, false
}

// addScales finds the columns of bands and of steps.
func (c *Checker) addScales() {
	for i, t := range c.tables {
		for col := range t.columns {
			of := &t.columns[col]
			sc := scale{table: i, column: col, texts: !of.numeric}
			for _, v := range of.cells {
				b, ok := band{v.number, v.number}, v.number != nil && of.bucket
				if sc.texts && !of.temporal && v.text != "" {
					b, ok = bandOf(v.text)
				}
				if !ok {
					break
				}
				sc.bands = append(sc.bands, b)
			}
			if len(sc.bands) == t.rows && t.rows > 1 && sc.isApart() {
				c.scales = append(c.scales, sc)
			}
		}
	}
}

// end is one end of a range of a text; sharp reports whether it does not belong to it.
type end struct {
	value *big.Rat
	sharp bool
}

// rowsIn are the rows that lie between two ends; nil where an end cuts a band in two, where
// it is none of a band, or where all rows lie there.
func (sc *scale) rowsIn(low, high *end) []int {
	var rows []int
	for row, b := range sc.bands {
		over, under := low == nil || b.isAbove(low), high == nil || b.isBelow(high)
		switch {
		case over && under:
			rows = append(rows, row)
		case !over && b.high != nil && b.high.Cmp(low.value) <= 0:
		case !under && b.low != nil && b.low.Cmp(high.value) >= 0:
		default:
			return nil
		}
	}
	if len(rows) == len(sc.bands) || sc.texts && !(sc.isEnd(low) && sc.isEnd(high)) {
		return nil
	}
	return rows
}

// isWhole reports whether two ends are those of a scale: "one to three days".
func (sc *scale) isWhole(low, high *end) bool {
	if low == nil || high == nil || low.value.Cmp(high.value) >= 0 {
		return false
	}
	outside := func(b band) bool { return b.low == nil || b.high == nil || !b.isAbove(low) || !b.isBelow(high) }
	return sc.isEnd(low) && sc.isEnd(high) && !slices.ContainsFunc(sc.bands, outside)
}

// isAbove reports whether a band lies above an end.
func (b band) isAbove(e *end) bool {
	return b.low != nil && (b.low.Cmp(e.value) > 0 || b.low.Cmp(e.value) == 0 && !(e.sharp && b.isStep()))
}

// isBelow reports whether a band lies below an end.
func (b band) isBelow(e *end) bool {
	return b.high != nil && (b.high.Cmp(e.value) < 0 || b.high.Cmp(e.value) == 0 && !(e.sharp && b.isStep()))
}

func (b band) isStep() bool { return b.low != nil && b.high != nil && b.low.Cmp(b.high) == 0 }

// isEnd reports whether an end is that of a band, or open.
func (sc *scale) isEnd(e *end) bool {
	return e == nil || slices.ContainsFunc(sc.bands, func(b band) bool {
		return b.low != nil && b.low.Cmp(e.value) == 0 || b.high != nil && b.high.Cmp(e.value) == 0
	})
}

// isApart reports whether no band lies within another.
func (sc *scale) isApart() bool {
	below := func(a, b band) bool { return a.high != nil && b.low != nil && a.high.Cmp(b.low) <= 0 }
	for i, a := range sc.bands {
		for _, b := range sc.bands[i+1:] {
			if !below(a, b) && !below(b, a) {
				return false
			}
		}
	}
	return true
}

// findScales finds the rows that are named by where they lie on a scale: "between 250 and
// 499.99", "100 or more", "30대", and of steps with their unit: "within two days", "이틀".
func (s *sentence) findScales() {
	for k := range s.checker.scales {
		sc := &s.checker.scales[k]
		for i := 0; i < len(s.tokens); i++ {
			low, high, at, to := s.rangeAt(sc, i)
			if low == nil && high == nil {
				continue
			}
			switch rows := sc.rowsIn(low, high); {
			case len(rows) > 0:
				s.nameRows(sc.table, sc.column, rows, at, to)
				i = to - 1
			case sc.isWhole(low, high):
				for k := at; k < to; k++ {
					s.taken[k] = true // all that there is
				}
				i = to - 1
			case !sc.texts && len(rows) == 0 && (low == nil) != (high == nil) && s.denies():
				s.void = true
				for k := at; k < to; k++ {
					s.taken[k] = true
				}
				i = to - 1
			}
		}
	}
	slices.SortStableFunc(s.refs, func(a, b ref) int { return a.at - b.at })
}

// nameRows takes tokens as the name of rows. What is said of several that one range names is
// said of them together.
func (s *sentence) nameRows(table, column int, rows []int, at, to int) {
	r := ref{at: at, to: to, rows: make([][]int, len(s.checker.tables)), columns: []int{table*columnStride + column}, spans: len(rows) > 1}
	r.rows[table] = rows
	for k := at; k < to; k++ {
		s.taken[k] = true
	}
	s.refs = append(s.refs, r)
}

// rangeAt reads a range on a scale at a token: its ends, and its tokens with the words that
// bound it.
func (s *sentence) rangeAt(sc *scale, i int) (low, high *end, at, to int) {
	f, ok := s.numberAt(i)
	if !ok {
		return nil, nil, 0, 0
	}
	value := f.amounts[0].value
	if next, joined := s.joinedNumber(sc, f.to); joined {
		g, _ := s.numberAt(next)
		from, behind := i, s.unitBehind(sc, &g)
		if !s.onScale(sc, &g, behind) {
			return nil, nil, 0, 0
		}
		if s.hasAny(i-1, i, "between", "from") {
			from--
		}
		last := &end{value: g.amounts[0].value}
		if hasPrefix(s.foldAt(behind), "미만") {
			last.sharp = true
		}
		for behind < len(s.tokens) && s.tokens[behind].hangul && hasPrefix(s.foldAt(behind), "미만", "이하", "사이", "까지") {
			behind++
		}
		return &end{value: value}, last, from, behind
	}
	behind := s.unitBehind(sc, &f)
	if !s.onScale(sc, &f, behind) {
		return nil, nil, 0, 0
	}
	at, to = s.boundedBy(i, behind)
	switch e := (&end{value: value}); f.hedge {
	case over:
		e.sharp = true
		return e, nil, at, to
	case atLeast:
		return e, nil, at, to
	case under:
		e.sharp = true
		return nil, e, at, to
	case atMost:
		return nil, e, at, to
	case exact:
		if d := s.decadeAt(&f); sc.texts && d > 0 {
			return e, &end{value: new(big.Rat).Add(value, rat(d))}, i, behind
		}
		if !sc.texts {
			return e, e, i, behind
		}
	}
	return nil, nil, 0, 0
}

// numberAt is a number that no name has taken, with the words around it.
func (s *sentence) numberAt(i int) (figure, bool) {
	if i >= len(s.tokens) || s.taken[i] {
		return figure{}, false
	}
	f, ok := s.figureAt(i)
	if rest, day := strings.CutPrefix(s.tokens[i].text, "하루"); day && (rest != "" && isEnding(rest) || hasPrefix(s.foldAt(i+1), "만에", "안에", "이내", "넘")) {
		f, ok = figure{at: i, to: i + 1, spoken: true, rest: "일", amounts: whole(1)}, true
	}
	if !ok || len(f.amounts) != 1 || f.to > len(s.tokens) {
		return figure{}, false
	}
	s.qualify(&f)
	return f, len(f.amounts) == 1 && !f.percent && !f.ratio && !f.ordinal && !f.minus && !f.plus
}

// joinedNumber is where the second number of a range begins: "25 to 99", "25~99", "25 이상 99".
func (s *sentence) joinedNumber(sc *scale, i int) (int, bool) {
	from := i
	if s.isScaleUnit(sc, i) {
		i++
	}
	switch w := s.foldAt(i); {
	case w == "to", w == "through", w == "-", w == "–", w == "~", w == "이상", w == "에서", w == "부터":
		i++
	case w == "and" && s.hasAny(i-5, i, "between"):
		i++
	case i > from && s.tokens[from].hangul && hasSuffix(s.tokens[from].text, "에서", "부터"):
	default:
		return 0, false
	}
	for s.is(i, mark) && strings.Contains(currencies, s.tokens[i].text) {
		i++
	}
	_, ok := s.numberAt(i)
	return i, ok
}

// isScaleUnit reports whether a word is the unit of a scale, or the noun of its column.
func (s *sentence) isScaleUnit(sc *scale, i int) bool {
	if !s.is(i, word) || s.taken[i] {
		return false
	}
	c := &s.checker.tables[sc.table].columns[sc.column]
	w := unitIn(s.foldAt(i))
	if u, of := units[w], units[c.unit]; u.worth != 0 && u == of {
		return true
	}
	if sc.texts && (ageUnits[s.foldAt(i)] || s.tokens[i].hangul && hasPrefix(w, "세", "살", "원", "대") && isEnding(w[len("세"):])) {
		return true
	}
	return slices.ContainsFunc(c.words, func(have string) bool { return concept(have) == concept(koreanStem(w)) })
}

// ageUnits stand behind the ends of bands.
var ageUnits = set("years year dollars euros usd eur")

// unitBehind is where the unit behind a number ends.
func (s *sentence) unitBehind(sc *scale, f *figure) int {
	if s.isScaleUnit(sc, f.to) {
		if s.hasAny(f.to+1, f.to+2, "old") {
			return f.to + 2
		}
		return f.to + 1
	}
	return f.to
}

// onScale reports whether a number with what stands behind it lies on a scale, and is no
// measure of a row: a step has its unit, a band no noun of what is counted.
func (s *sentence) onScale(sc *scale, f *figure, behind int) bool {
	from, to := s.spanBefore(f.at)
	if s.anyCue(from, f.at, meanWords, meanKorean...) {
		return false
	}
	if c := &s.checker.tables[sc.table].columns[sc.column]; !sc.texts {
		return (behind > f.to || f.rest != "" && unitIn(f.rest) == unitIn("일") && units["일"] == units[c.unit]) && !hourName.MatchString(c.name)
	}
	if s.hasAny(f.at-4, f.at, "has", "have", "had", "having", "holds", "reach", "reaches") || f.rest != "" {
		return false
	}
	if glued := s.gluedAt(behind); glued != "" && !isEnding(glued) && f.hedge == exact {
		return false
	}
	if glued := s.gluedAt(f.to); behind == f.to && beginsWithCounter(glued) {
		return false
	}
	for i := behind; i < min(behind+3, to) && !s.is(i, number) && !clauseVerbs[s.foldAt(i)]; i++ {
		if s.is(i, word) && !s.taken[i] && s.measuresNamed(koreanStem(s.foldAt(i))) > 0 {
			return false
		}
	}
	return true
}

// spanBefore are the tokens around a token up to marks and conjunctions, before the sentence
// is divided.
func (s *sentence) spanBefore(i int) (from, to int) {
	breaks := func(k int) bool {
		return s.tokens[k].kind == mark && strings.Contains(",;:()|", s.tokens[k].text) || s.tokens[k].hangul && closesPart(s.tokens[k].text)
	}
	for from = i; from > 0 && !breaks(from-1); {
		from--
	}
	for to = i + 1; to < len(s.tokens) && !breaks(to); {
		to++
	}
	return from, to
}

// boundedBy are the tokens of a bound with the words that make it one.
func (s *sentence) boundedBy(at, to int) (int, int) {
	for at > 0 && !s.taken[at-1] && (scaleBounds[s.foldAt(at-1)] || strings.Contains(currencies, s.foldAt(at-1))) {
		at--
	}
	for to < len(s.tokens) && !s.taken[to] && (scaleBounds[s.foldAt(to)] || s.tokens[to].hangul && hasPrefix(s.tokens[to].text, "이상", "이하", "미만", "초과", "이내", "넘", "만에", "안에")) {
		to++
	}
	return at, to
}

var scaleBounds = set("under below less fewer more than over above at least most up to within no or and older younger higher lower")

// decadeAt is how far a decade reaches from its first number: "30대", "30s".
func (s *sentence) decadeAt(f *figure) int64 {
	if next := s.foldAt(f.to); f.to < len(s.tokens) && !s.tokens[f.to].gap && (next == "s" || hasPrefix(next, "대") && isEnding(next[len("대"):])) {
		return 9
	}
	return 0
}

// isRange reports whether a referent is a time, or a range on a scale.
func (r *referent) isRange() bool {
	return slices.ContainsFunc(r.parts, func(p ref) bool { return p.date || p.spans })
}

// leadsOnScale reports whether a step is the last of its scale: 1 for the largest, and
// whether a superlative of lengths is said of one at all: "the longest took 3 days".
func (s *sentence) leadsOnScale(direction, at int, r *referent) (leads, said bool) {
	if !s.hasAny(at, at+1, "longest", "shortest") && !hasPrefix(s.foldAt(at+1), "길", "긴", "짧", "오래") {
		return false, false
	}
	for _, sc := range s.checker.scales {
		t := s.checker.tables[sc.table]
		rows := r.rows[sc.table]
		if !sc.texts && len(rows) == 1 && slices.Contains(r.columns, sc.table*columnStride+sc.column) {
			return t.whole && t.columns[sc.column].extreme(t.all(), direction) == rows[0], true
		}
	}
	return false, false
}

// checkScaleEnds refuses a step that is said to be the longest, and is not.
func (s *sentence) checkScaleEnds() {
	for i := range s.tokens {
		direction := 1
		switch {
		case s.taken[i]:
			continue
		case s.tokens[i].fold == "shortest" || hasPrefix(s.tokens[i].text, mostKorean...) && hasPrefix(s.foldAt(i+1), "짧"):
			direction = -1
		}
		r, _ := s.whoIs(i)
		if r == nil || s.tokens[i].hangul && !hasPrefix(s.tokens[i].text, mostKorean...) {
			continue
		}
		if leads, said := s.leadsOnScale(direction, i, r); said && !leads && !s.denied(i) {
			s.violate(i, i+1, "the scale goes on")
		}
	}
}

// isMeanStep checks "two days on average": the steps of a scale, each as often as the one
// count beside it says.
func (s *sentence) isMeanStep(f *figure) bool {
	from, to := s.span(f.at)
	return s.anyCue(from, to, meanWords, meanKorean...) && slices.ContainsFunc(s.checker.scales, func(sc scale) bool {
		t := s.checker.tables[sc.table]
		if sc.texts || !t.whole || len(t.columns) != 2 || s.unitOf(f) == "" && f.rest != "일" {
			return false
		}
		count := &t.columns[1-sc.column]
		sum, n := new(big.Rat), count.sum(t.all())
		for row, b := range sc.bands {
			if v := count.cells[row].number; v != nil {
				sum.Add(sum, new(big.Rat).Mul(b.low, v))
			}
		}
		return count.wholes && n != nil && n.Sign() > 0 && f.derived(sum.Quo(sum, n))
	})
}

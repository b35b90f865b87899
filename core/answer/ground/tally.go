package ground

import (
	"math/big"
	"slices"
	"strings"
)

// tally is the wider look at a whole number that may count rows: of the whole, of those
// that are named, of the rest, or of those with a property of which the sentence speaks.
type tally struct {
	s     *sentence
	i     int
	f     *figure
	n     int64
	kind  counted
	t     *table
	index int
	rows  []int // that are counted, where holds finds which
}

// isTally reports whether a figure counts rows. What its noun names decides what is
// counted; a property that stands in its part of the sentence decides of which rows.
func (s *sentence) isTally(i int) bool {
	return slices.ContainsFunc(s.tallies(i), func(k *tally) bool { return k.holds() })
}

// tallies are the ways in which a figure may count rows: one for each table.
func (s *sentence) tallies(i int) []*tally {
	f := &s.figures[i]
	n, ok := f.count()
	if s.checker.isScalar() && !s.countsLines(f) || s.tellsColumn(f) {
		return nil
	}
	half := f.percent && f.spoken && s.isHalf(f)
	if !half && (!ok || n == 0 || f.hedge != exact && !s.isSpread(f)) || f.ordinal || s.isDenied(f) {
		return nil
	}
	var out []*tally
	for index, t := range s.checker.tables {
		if half {
			n = t.count / 2
		}
		if t.rows > 0 && (!half || t.count%2 == 0) {
			out = append(out, &tally{s: s, i: i, f: f, n: n, kind: s.countKind(f), t: t, index: index})
		}
	}
	return out
}

// isSpread tells "over three regions" from a bound.
func (s *sentence) isSpread(f *figure) bool { return s.foldAt(f.at-1) == "over" && f.hedge == over }

// isHalf reports whether a figure is the half of things that are counted: "half of the six".
func (s *sentence) isHalf(f *figure) bool {
	return len(f.amounts) == 1 && f.amounts[0].value.Cmp(rat(50)) == 0 && (s.foldAt(f.to) == "of" || s.anyCue(f.at-2, f.at, nil, "중", "가운데"))
}

// holds reports whether the figure counts rows of the table.
func (k *tally) holds() bool {
	if k.kind == countsOther || k.isUniversal() || k.s.leadsValue(k.f) {
		return false
	}
	switch {
	case k.f.percent:
		matched, _ := k.hasProperty()
		return matched
	case k.f.hedge != exact:
		return k.isAll()
	case k.isFirst(), k.isFromTo():
		return true
	case k.isAmong():
		matched, _ := k.hasProperty()
		return matched || k.isAll() || k.isNamed() || k.isSaidBefore()
	case k.isLeft():
		return k.isRest()
	}
	if matched, decided := k.hasProperty(); decided {
		return matched
	}
	return (k.isDetermined() || k.kind == countsRows || k.t.truncated || !k.t.whole && k.saysSeen()) && !k.namesValue() && k.isAll() || k.isNamed()
}

// leadsPeople reports whether a Korean count of people stands right behind the name of one row,
// or behind its noun, where a column counts people: "A 2명, B 매장 3명".
func (s *sentence) leadsPeople(f *figure) bool {
	if !strings.HasPrefix(f.rest+s.gluedAt(f.to), "명") || s.people(nil) == nil {
		return false
	}
	at := f.at
	if s.tokens[max(0, at-1)].hangul && !s.isNameToken(at-1) && koreanStem(s.foldAt(at-1)) == s.foldAt(at-1) {
		at--
	}
	return slices.ContainsFunc(s.referents, func(r referent) bool {
		return r.to == at && slices.ContainsFunc(r.rows, func(rows []int) bool { return len(rows) == 1 })
	})
}

// isUniversal reports whether something is said of all rows where some were not seen.
func (k *tally) isUniversal() bool {
	s, f := k.s, k.f
	if k.t.whole {
		return false
	}
	if s.hasAny(f.at-1, f.at, "all") {
		return !k.saysSeen() || s.hasAny(f.to, len(s.tokens), "are", "were", "is")
	}
	return !k.saysSeen() && s.anyCue(f.to, f.to+2, nil, "모두", "전부", "전원")
}

// namesValue reports whether a value that is not the question's stands in the figure's part
// of the sentence: "8 customers in Toronto" are not all.
func (k *tally) namesValue() bool {
	from, to := k.s.span(k.f.at)
	if k.s.is(k.f.to, word) && k.s.tokens[k.f.to].hangul {
		to = k.f.at // Korean names values before what has them
	}
	return !hasPrefix(k.s.foldAt(k.f.at-1), "포함") && slices.ContainsFunc(k.s.refs, func(r ref) bool {
		return r.at >= from && r.at < to && len(r.rows[k.index]) > 0 && len(r.rows[k.index]) < k.t.rows && !k.s.checker.asks(set(k.s.foldAt(r.at)), k.s.foldAt(r.at))
	})
}

// countKind is what the noun of a figure says that it counts: in English the one behind
// it, in Korean also the one right before a counter.
func (s *sentence) countKind(f *figure) counted {
	from, to := s.span(f.at)
	if f.rest != "" {
		if k := s.nounKind(f.rest); k != countsUnknown {
			return k
		}
	}
	reach := f.to + 5
	if s.counter(f) {
		reach = f.to + 1 + boolInt(s.leadsNoun(f))
	}
	for i := f.to; i < min(to, reach) && !s.figureAtToken(i); i++ {
		t := s.tokens[i]
		if s.isNameToken(i) {
			continue
		}
		if t.kind != word && t.text != "-" || clauseVerbs[t.fold] {
			break
		}
		if k := s.nounKind(t.fold); k != countsUnknown {
			return s.headKind(i, k)
		}
	}
	if !s.counter(f) {
		return countsUnknown
	}
	for i := f.at - 1; i >= from && i >= f.at-2; i-- {
		if t := s.tokens[i]; t.hangul && !s.isNameToken(i) {
			if k := s.nounKind(t.fold); k != countsUnknown {
				return k
			}
		}
	}
	if w := f.rest + s.foldAt(f.to); strings.HasPrefix(w, "명") && len(s.people(nil)) > 0 {
		return countsOther
	}
	return countsUnknown
}

// headKind is what the noun at a token counts, or the last one of the compound that it
// begins: "four payment methods" are methods.
func (s *sentence) headKind(i int, k counted) counted {
	if k == countsOther && s.is(i+1, word) && !s.taken[i+1] && !s.tokens[i].hangul && !strings.HasSuffix(s.tokens[i].fold, "s") && s.nounKind(s.foldAt(i+1)) == countsRows {
		return countsRows
	}
	if head := s.headAt(i); k == countsOther && head > i {
		if of := s.nounKind(s.foldAt(head)); of != countsUnknown {
			return of
		}
	}
	return k
}

// counter reports whether a Korean counter of things stands at a figure.
func (s *sentence) counter(f *figure) bool {
	w := f.rest + s.gluedAt(f.to)
	if w == "" {
		w = s.foldAt(f.to)
	}
	return isHangul(w) && s.spanUnit(f) == "" && slices.ContainsFunc(counters, func(c string) bool {
		rest, ok := strings.CutPrefix(w, c)
		return ok && (isEnding(rest) || hasPrefix(rest, "씩", "뿐", "이")) && c != "배" && c != "위" && c != "원" && c != "번" && c != "달러" && c != "점" && c != "퍼센트"
	})
}

// leadsNoun reports whether the noun that is counted stands behind the counter: "19개 나라",
// "세 건의 주문".
func (s *sentence) leadsNoun(f *figure) bool {
	w := f.rest + s.foldAt(f.to)
	return w == "개" || w == "가지" || hasSuffix(w, "의") && !strings.HasPrefix(w, "명")
}

// nounKind is what a noun counts. An amount is counted once for each row: "five salaries".
func (s *sentence) nounKind(w string) counted {
	k := s.kindOf(w)
	if k != countsOther {
		return k
	}
	named := s.namedBy(koreanStem(w), nil)
	for id := range named {
		if !s.checker.tables[id/columnStride].columns[id%columnStride].amount {
			return countsOther
		}
	}
	if len(named) == 0 {
		return countsOther
	}
	return countsRows
}

// isFirst tells "the top three" and "the first eight", whose number is the writer's choice.
func (k *tally) isFirst() bool {
	s := k.s
	most := k.t.count
	if !k.t.whole {
		most = int64(k.t.rows)
	}
	return k.n <= most && (s.isTop(k.f) || hasPrefix(s.foldAt(k.f.at-1), "앞", "첫", "처음", "선두") && (k.t.whole || k.n == int64(k.t.rows) || !s.anyCue(k.f.to, len(s.tokens), nil, "나와", "표시", "보이", "보여", "보입")))
}

// isFromTo checks "목록은 A부터 E까지 5명": how many rows stand from one name to another.
func (k *tally) isFromTo() bool {
	s := k.s
	for i := 1; i < len(s.referents); i++ {
		a, b := &s.referents[i-1], &s.referents[i]
		if b.to <= k.f.at && s.endsWith(a, "부터") && s.endsWith(b, "까지") && len(a.rows[k.index]) == 1 && len(b.rows[k.index]) == 1 {
			return k.n == int64(b.rows[k.index][0]-a.rows[k.index][0]+1)
		}
	}
	return false
}

// isAmong reports whether the figure is that of which another counts a part: "of the ten",
// "in six roles", "열 곳 중".
func (k *tally) isAmong() bool {
	s, f := k.s, k.f
	if s.anyCue(f.to, f.to+3, nil, "중", "가운데") || hasPrefix(s.foldAt(f.at-1), "전체", "총") {
		return true
	}
	for i := f.at - 1; i >= 0 && i >= f.at-4; i-- {
		switch s.foldAt(i) {
		case "of", "among", "across", "over", "in", "between":
			return true
		case "the", "these", "those", "all", "our", "listed", "shown":
		default:
			return false
		}
	}
	return false
}

// isDetermined reports whether the figure stands where a number of things does, and not
// that of a value: "the three", "all five", "three of them", "네 명의 합계".
func (k *tally) isDetermined() bool {
	s, f := k.s, k.f
	if s.hasAny(f.at-1, f.at, "the", "these", "those", "all", "both", "only", "other") || f.at == 0 && s.foldAt(f.to) != "" {
		return true
	}
	if s.foldAt(f.to) == "of" {
		return true
	}
	return s.counter(f) && (!k.t.counts() || s.anyCue(f.at-1, f.at, nil, "모두", "총", "전부") || s.is(f.at-1, word) && s.tokens[f.at-1].hangul && hasSuffix(s.tokens[f.at-1].text, "은", "는", "이", "가") || hasSuffix(f.rest+s.foldAt(f.to), "의", "모두") || hasPrefix(s.foldAt(f.to), "모두") || hasPrefix(s.foldAt(f.at-1), "포함") || hasPrefix(s.foldAt(f.to+1), "모두", "전부"))
}

// counts reports whether the table has a column of counts, whose cells a Korean counter
// may be said of.
func (t *table) counts() bool {
	return slices.ContainsFunc(t.columns, func(c column) bool { return c.measure() && !c.amount && !c.share && !c.average })
}

// isAll reports whether the figure is the number of rows, of those that are shown, or of
// the values of the column that its noun names.
func (k *tally) isAll() bool {
	if k.n == k.t.count && !k.t.truncated || k.n == int64(k.t.rows) && (k.t.truncated || k.t.count != k.n) && k.saysSeen() {
		k.rows = k.t.all()
		return true
	}
	for col := range k.t.columns {
		c := &k.t.columns[col]
		if k.t.whole && !c.measure() && c.values() == k.n && k.nounNames(c) {
			k.rows = k.t.all()
			return true
		}
	}
	return false
}

// saysSeen reports whether the sentence speaks of the rows that are shown, or of where the
// result was cut.
func (k *tally) saysSeen() bool {
	s := k.s
	if k.t.truncated && (s.hasAny(0, len(s.tokens), "stops", "stopped", "cut", "truncated", "returned", "limited", "limit") || s.anyCue(0, len(s.tokens), nil, "잘", "제한", "한도")) {
		return true
	}
	return s.speaksOfShown() || s.hasAny(0, len(s.tokens), "below", "here", "see", "shows") || s.anyCue(0, len(s.tokens), nil, "확인한", "표시", "보여", "보이", "화면", "미리보기")
}

// values is how many different values a column has.
func (c *column) values() int64 {
	seen := map[string]bool{}
	for _, v := range c.cells {
		switch {
		case v.null:
		case v.number != nil:
			seen[v.number.RatString()] = true
		default:
			seen[v.text] = true
		}
	}
	return int64(len(seen))
}

// nounNames reports whether the noun of the figure is that of a column.
func (k *tally) nounNames(c *column) bool {
	return slices.ContainsFunc(k.s.nounsOf(k.f), func(w string) bool {
		of := concept(koreanStem(w))
		return !stopWords[w] && slices.ContainsFunc(c.words, func(have string) bool {
			return concept(have) == of || sameRoot(have, of) || isHangul(have) && isHangul(w) && strings.HasPrefix(w, have)
		})
	})
}

// nounsOf are the words that may say what a figure counts: in English those behind it up to
// a verb or a name, in Korean the one behind it, or the one before its counter.
func (s *sentence) nounsOf(f *figure) []string {
	var out []string
	if f.rest != "" {
		out = append(out, f.rest)
	}
	korean, reach := s.counter(f), f.to+3
	if korean || s.is(f.to, word) && s.tokens[f.to].hangul {
		reach = f.to + 1 + boolInt(s.leadsNoun(f))
	}
	for i := f.to; i < min(len(s.tokens), reach) && s.is(i, word) && !s.isNameToken(i) && !clauseVerbs[s.foldAt(i)]; i++ {
		out = append(out, s.foldAt(i))
	}
	if at := f.at - 1; korean && at >= 0 {
		if at > 0 && hasPrefix(s.foldAt(at), "모두", "총", "전부") {
			at--
		}
		out = append(out, s.foldAt(at))
	}
	return out
}

// isSaidBefore reports whether the sentence, or the one before, proved the same count.
func (k *tally) isSaidBefore() bool {
	return slices.Contains(k.before(), k.n)
}

// before are the counts that were proved before the figure.
func (k *tally) before() []int64 {
	var out []int64
	add := func(s *sentence, to int) {
		for i := range min(to, len(s.figures)) {
			if n, ok := s.figures[i].count(); ok && s.proved[i] && s.countKind(&s.figures[i]) != countsOther {
				out = append(out, n)
			}
		}
	}
	add(k.s, k.i)
	if k.s.before != nil {
		add(k.s.before, len(k.s.before.figures))
	}
	return out
}

// isNamed reports whether so many rows are named in one breath, in the clause, in the
// sentence, or in the one before where this one names none.
func (k *tally) isNamed() bool {
	if k.n < 2 || !k.countsNames() {
		return false
	}
	s := k.s
	from, to := s.clauseSpan(k.f.at)
	for _, rows := range [][]int{k.rowsOf(s.refs, from, to), k.rowsOf(s.refs, 0, len(s.tokens))} {
		if int64(len(rows)) == k.n {
			k.rows = rows
			return true
		}
	}
	if s.isNamedCount(k.f, k.n) {
		return true
	}
	if k.goesOn() && int64(len(s.earlierRows[k.index])) == k.n {
		k.rows = s.earlierRows[k.index]
		return true
	}
	if s.before == nil || len(s.referents) > 0 && !k.goesOn() {
		return false
	}
	both := union(k.rowsOf(s.refs, 0, k.f.at), k.rowsOf(s.before.refs, 0, len(s.before.tokens)))
	return int64(len(both)) == k.n || int64(len(k.rowsOf(s.before.refs, 0, len(s.before.tokens)))) == k.n || slices.ContainsFunc(s.before.referents, func(r referent) bool {
		return int64(len(s.before.run(&r, s.before.listed))) == k.n
	})
}

// goesOn reports whether the figure speaks of things that were named before: "the two",
// "두 사람".
func (k *tally) goesOn() bool {
	return k.s.hasAny(k.f.at-1, k.f.at, "the", "these", "those") || k.f.spoken && k.s.is(k.f.to, word) && k.s.tokens[k.f.to].hangul
}

// countsNames reports whether the figure stands where a number of names does.
func (k *tally) countsNames() bool {
	s, f := k.s, k.f
	if k.kind == countsRows || s.hasAny(f.at-1, f.at, "the", "these", "those", "all", "only", "other") || f.at == 0 && !s.counter(f) {
		return true
	}
	if !s.counter(f) || strings.Contains(f.rest+s.foldAt(f.to), "씩") {
		return false
	}
	return len(s.referents) == 0 || f.at == 0 || s.isNameToken(f.at-1) && !hasSuffix(s.foldAt(f.at-1), "은", "는", "이", "가", "에", "에서") || s.foldAt(f.at-1) == ")"
}

// rowsOf are the rows of the names that stand for one row each.
func (k *tally) rowsOf(refs []ref, from, to int) []int {
	var rows []int
	for _, r := range refs {
		if r.at >= from && r.at < to && (len(r.rows[k.index]) == 1 || r.spans) {
			rows = union(rows, r.rows[k.index])
		}
	}
	return rows
}

// isLeft reports whether the figure is said to be that of the rest.
func (k *tally) isLeft() bool {
	from, to := k.s.span(k.f.at)
	follow := k.s.hasAny(k.f.to, k.f.to+1, "more", "further", "additional", "others") && k.s.hasAny(k.f.to+1, k.f.to+5, "follow", "follows", "remain", "exist")
	return follow || k.s.hasAny(from, to, "other", "others", "remaining", "rest") || k.s.anyCue(from, to, nil, "나머지", "다른") || k.s.anyCue(k.f.at-1, k.f.at, nil, "외", "밖에", "이외") || k.s.endsDenied(k.f) || k.s.hasAny(0, k.f.at, "besides", "apart", "beyond") && k.s.hasAny(k.f.to, k.f.to+1, "more", "further", "additional")
}

// countsAllAsRest reports whether a figure says of all rows that they come on top of those of
// the list above: "12 more rows follow" of twelve.
func (s *sentence) countsAllAsRest(f *figure) bool {
	n, ok := f.count()
	more := s.hasAny(f.to, f.to+1, "more", "further", "additional", "others") && s.hasAny(f.to+1, f.to+5, "follow", "follows", "remain", "exist") || s.anyCue(f.at-2, f.at, nil, "밖에", "외에", "이외")
	if !ok || !more || s.listRows == nil {
		return false
	}
	return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return n == t.count && len(s.listRows[slices.Index(s.checker.tables, t)]) > 0
	})
}

// isRest reports whether so many rows are left beside those that were named, counted or
// shown.
func (k *tally) isRest() bool {
	if k.n == k.t.count-int64(k.t.rows) && !k.t.truncated {
		return true
	}
	for _, rows := range k.spokenOf() {
		if k.n == k.t.count-int64(len(rows)) {
			k.rows = slices.DeleteFunc(k.t.all(), func(row int) bool { return slices.Contains(rows, row) })
			return true
		}
	}
	var sum int64
	for _, m := range append(k.before(), k.titled()...) {
		sum += m
		if m != k.t.count && k.n == k.t.count-m {
			k.rows = k.without(m)
			return true
		}
	}
	return k.n == k.t.count-sum
}

// without are the rows that are left beside those that another figure of the sentence
// counts; nil where it is not known which these are.
func (k *tally) without(m int64) []int {
	for i := range k.i {
		for _, other := range k.s.tallies(i) {
			if other.n == m && other.t == k.t && other.holds() && len(other.rows) > 0 {
				return slices.DeleteFunc(k.t.all(), func(row int) bool { return slices.Contains(other.rows, row) })
			}
		}
	}
	return nil
}

// spokenOf are the rows that were named beside those that are left: in the clause, the
// sentence, the text so far, and its title.
func (k *tally) spokenOf() [][]int {
	s := k.s
	from, _ := s.clauseSpan(k.f.at)
	inside, earlier := k.rowsOf(s.refs, 0, len(s.tokens)), s.earlierRows[k.index]
	list := [][]int{inside, k.rowsOf(s.refs, 0, k.f.at), k.rowsOf(s.refs, from, k.f.at), earlier, union(inside, earlier)}
	if s.listRows != nil {
		list = append(list, s.listRows[k.index])
	}
	for _, title := range k.title() {
		above := k.rowsOf(title.refs, 0, len(title.tokens))
		list = append(list, above, union(above, earlier), union(union(above, earlier), inside))
	}
	return slices.DeleteFunc(list, func(rows []int) bool { return len(rows) == 0 })
}

// title are the sentences of the title above the text.
func (k *tally) title() []*sentence {
	if t := k.s.told; t != nil && !t.titled {
		return t.above
	}
	return nil
}

// titled are the counts of the title, which is checked with what the text proves.
func (k *tally) titled() []int64 {
	var out []int64
	for _, title := range k.title() {
		for i := range title.figures {
			if n, ok := title.figures[i].count(); ok && title.countKind(&title.figures[i]) != countsOther {
				out = append(out, n)
			}
		}
	}
	return out
}

// endsDenied tells "three are encrypted and two are not".
func (s *sentence) endsDenied(f *figure) bool {
	_, to := s.span(f.at)
	for i := f.to; i < min(to, f.to+3); i++ {
		if w := s.foldAt(i); w == "not" || strings.HasSuffix(w, "n't") {
			return !s.is(i+1, word)
		}
	}
	return s.foldAt(f.to) == "not"
}

// isOfCounted reports whether a figure bounds all rows that another one of its clause
// counts, or is what each of them has, or their share of all: "the other four hold fewer than
// 200", "two of the six have 90 each", "three (50%)".
func (s *sentence) isOfCounted(i int) bool {
	f := &s.figures[i]
	if f.ordinal || f.ratio || len(f.amounts) == 0 || f.hedge == about || s.isSpread(f) || s.isDenied(f) || s.leadsPeople(f) {
		return false
	}
	from, to := s.clauseSpan(f.at)
	for k := range s.figures {
		g := &s.figures[k]
		if k == i || g.at < from || g.at >= to || f.hedge == exact && g.at > f.at || s.countKind(g) == countsOther {
			continue
		}
		for _, counts := range s.tallies(k) {
			if !counts.t.whole || !counts.holds() || len(counts.rows) == 0 {
				continue
			}
			if f.percent && f.derivedShare(percent(rat(counts.n), rat(counts.t.count))) {
				return true
			}
			if slices.ContainsFunc(counts.dated(f.at, f.to), func(rows []int) bool { return slices.Equal(rows, counts.rows) }) || s.each(f, func(t *table, _ int, c *column) bool {
				return t == counts.t && c.measure() && f.isOfAllIn(c, counts.rows)
			}) {
				return true
			}
		}
	}
	return false
}

// isOfAllIn reports whether a figure bounds the cells of all rows, or is each of them.
func (f *figure) isOfAllIn(c *column, rows []int) bool {
	for _, row := range rows {
		v := c.cells[row]
		n := v.exactly()
		if n != nil && f.percent && new(big.Rat).Abs(n).Cmp(unit) <= 0 {
			n = new(big.Rat).Mul(n, rat(100))
		}
		if n == nil || f.hedge == exact && !f.says(c, v) || f.hedge != exact && !f.bounds(n) {
			return false
		}
	}
	return true
}

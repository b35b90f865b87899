package ground

import (
	"math/big"
	"slices"
	"strings"
)

// reckoning looks for a figure among what the rows give of which its sentence speaks,
// wherever they are named in it: the wider look, for figures that the names and nouns next
// to them do not explain. It finds nothing but derivations that words of the sentence name,
// never a cell: which row a cell belongs to is told by what stands next to it.
type reckoning struct {
	s      *sentence
	f      *figure
	t      *table
	index  int
	from   int         // the tokens whose words name the derivation
	to     int         //
	who    []*referent // the names that may be compared
	named  [][]int     // rows that one name stands for
	points [][]int     // rows that one place, one superlative or the rest stands for
	groups [][]int     // rows that are taken together
	solid  bool        // the figure is met by nothing by chance
}

// isReckoned reports whether a figure is a derivation that its sentence names.
func (s *sentence) isReckoned(f *figure) bool {
	if f.ordinal || len(f.amounts) == 0 {
		return false
	}
	for index, t := range s.checker.tables {
		if t.rows == 0 {
			continue
		}
		k := &reckoning{s: s, f: f, t: t, index: index}
		k.from, k.to = s.clauseSpan(f.at)
		if f.isSlight() || t.hasCell(f) {
			k.from, k.to = s.reach(f)
		}
		k.solid = !f.isSlight() && (f.near || !f.isBound()) && !t.hasCell(f)
		k.gather()
		if k.isTotal() || k.isMean() || k.isPart() || k.isApart() || k.isFromMean() || k.isFactor() || k.isRate() || k.isRelated() {
			return true
		}
	}
	return false
}

// isSlight reports whether a figure has so few digits that it is soon met by chance.
func (f *figure) isSlight() bool {
	return !slices.ContainsFunc(f.amounts, func(a amount) bool {
		return new(big.Rat).Quo(a.value, a.place).Cmp(rat(100)) >= 0
	})
}

// hasCell reports whether a figure is a cell of any row.
func (t *table) hasCell(f *figure) bool {
	return slices.ContainsFunc(t.columns, func(c column) bool {
		return c.measure() && slices.ContainsFunc(c.cells, func(v cell) bool { return v.equal(f, nil) })
	})
}

// says reports whether a word of the set, or a Korean word with one of the beginnings,
// stands where a derivation of the figure is named.
func (k *reckoning) says(words map[string]bool, korean ...string) bool {
	return k.s.anyCue(k.from, k.to, words, korean...)
}

// each calls use with the measures over which something may be computed: those that words
// of the sentence name, else all.
func (k *reckoning) each(use func(c *column) bool) bool {
	named := map[int]bool{}
	for _, w := range k.nouns() {
		for id := range k.s.namedBy(w, nil) {
			named[id] = named[id] || id/columnStride == k.index
		}
	}
	if moved := k.s.movedAt(k.f.to, nil); moved != nil {
		named = moved
	} else if own := k.s.namedBy(koreanStem(k.s.foldAt(k.f.to+1)), nil); own != nil && k.s.foldAt(k.f.to) == "in" && !k.s.isNameToken(k.f.to+1) {
		named = own // "23,041.12 in profit"
	}
	chosen := false
	from, _ := k.s.span(k.f.at)
	dated := k.s.yearAhead(k.f, nil)
	if dated == nil {
		dated = k.s.yearBehind(k.f, from, nil)
	}
	for i := range k.t.columns {
		c, id := &k.t.columns[i], k.index*columnStride+i
		if c.change && k.s.changesBy(k.f) {
			named[id] = true
		}
		if len(dated) > 0 && !dated[id] && (c.year != 0 || c.month != 0) {
			named[id] = false
		}
		chosen = chosen || c.measure() && named[id]
	}
	for i := range k.t.columns {
		if c := &k.t.columns[i]; c.measure() && (!chosen || named[k.index*columnStride+i]) && use(c) {
			return true
		}
	}
	return false
}

// nouns are the words of the sentence that may name a column; of a figure of many digits only
// those of its clause, where the sentence has others.
func (k *reckoning) nouns() []string {
	from, to := k.s.clauseSpan(k.f.at)
	if !k.solid || from == 0 {
		return k.s.words()
	}
	var out []string
	for i := from; i < to; i++ {
		if k.s.is(i, word) && !k.s.isNameToken(i) {
			out = append(out, koreanStem(k.s.foldAt(i)))
		}
	}
	return out
}

// anyMeasure reports whether use holds for a measure of the table.
func (t *table) anyMeasure(use func(c *column) bool) bool {
	for i := range t.columns {
		if c := &t.columns[i]; c.measure() && use(c) {
			return true
		}
	}
	return false
}

// adds reports whether the numbers of a column have a total.
func (c *column) adds() bool { return !c.average && !c.share && !c.place && !c.id && !c.isUnitPrice() }

// worth is what rows have in a column: the cell of one, the total of several.
func (c *column) valueOf(rows []int) *big.Rat {
	if len(rows) > 1 && !c.adds() {
		return nil
	}
	return c.sum(rows)
}

// told reports whether the figure stands for a number of a column, also in the unit that
// the column's name gives: 339.9 million for 339.9 in budget_million.
func (k *reckoning) told(c *column, n *big.Rat) bool {
	if n == nil {
		return false
	}
	return k.f.derived(n) || c.worth != nil && k.f.derived(new(big.Rat).Mul(n, c.worth))
}

// isMean is the average or the median of rows that are taken together.
func (k *reckoning) isMean() bool {
	mean, median := k.says(meanWords, meanKorean...) || k.perRow(), k.says(medianWords, medianKorean...)
	if k.f.ratio || !mean && !median {
		return false
	}
	return k.each(func(c *column) bool {
		return !c.average && c.share == k.f.percent && slices.ContainsFunc(k.groups, func(rows []int) bool {
			return len(rows) > 1 && (mean && k.told(c, c.mean(rows)) || median && k.told(c, c.middle(rows)))
		})
	})
}

// perRow reports whether a figure is said of each of what the rows are: "452 per station".
func (k *reckoning) perRow() bool {
	s := k.s
	for i := k.f.to; i < min(k.f.to+4, k.to); i++ {
		if w := s.foldAt(i); (w == "per" || w == "a" || w == "each" || w == "every") && s.kindOf(s.foldAt(i+1)) == countsRows {
			return true
		}
	}
	for i := k.from; i < k.f.at; i++ {
		if rest, ok := strings.CutSuffix(s.foldAt(i), "당"); ok && rest != "" && s.kindOf(rest) == countsRows {
			return true
		}
	}
	return false
}

// middle is the median of the cells of rows that have a number; nil when none has.
func (c *column) middle(rows []int) *big.Rat {
	var list []*big.Rat
	for _, row := range rows {
		if n := c.cells[row].exactly(); n != nil {
			list = append(list, n)
		}
	}
	if len(list) == 0 {
		return nil
	}
	slices.SortFunc(list, (*big.Rat).Cmp)
	low, high := list[(len(list)-1)/2], list[len(list)/2]
	middle := new(big.Rat).Add(low, high)
	return middle.Mul(middle, half)
}

// isPart is the part of some rows in all, in percent.
func (k *reckoning) isPart() bool {
	if !k.f.percent || k.f.points || !k.t.whole || k.t.rows < 2 || k.says(riseWords, riseKorean...) || k.says(fallWords, fallKorean...) {
		return false
	}
	all, one := k.t.all(), k.ofOne()
	return k.each(func(c *column) bool {
		if !c.adds() || c.change {
			return false
		}
		whole := c.sum(all)
		part := func(rows []int) bool { return len(rows) < len(all) && k.f.derivedShare(percent(c.sum(rows), whole)) }
		may := func(rows []int) bool { return (one == nil || slices.Equal(rows, one)) && part(rows) }
		return len(k.named) == 1 && !k.f.isSlight() && part(k.named[0]) || slices.ContainsFunc(k.points, may) || slices.ContainsFunc(k.groups, may)
	})
}

// severalWords say that a part is that of more than the one row that is named beside it.
var severalWords = set("together combined joint jointly both they them their those these rest other others remaining top bottom first last next plus half everything everyone two three four five six seven eight nine ten")

// ofOne is the row that the clause names where it has no word for others, so that a part is
// that of this row; else nil.
func (k *reckoning) ofOne() []int {
	s := k.s
	names := k.namesIn()
	if len(names) != 1 || len(names[0]) != 1 || s.anyCue(0, len(s.tokens), severalWords, "함께", "합", "더하", "더한", "나머지", "다른", "상위", "하위", "둘", "두", "세", "네", "다섯", "이들", "그 외", "절반") {
		return nil
	}
	if slices.ContainsFunc(s.refs, func(r ref) bool { return s.hasAny(r.at-2, r.at, "and", "adding") }) {
		return nil
	}
	return names[0]
}

// isApart is the difference between two of the points, as it is or in percent.
func (k *reckoning) isApart() bool {
	if k.f.ratio || !(k.solid && !k.says(totalWords, totalKorean...) && !k.says(otherWords) && !k.says(exceptWords)) && !k.says(apartWords, apartKorean...) {
		return false
	}
	return k.pairs(func(c *column, a, b *big.Rat) bool {
		gap := new(big.Rat).Sub(a, b)
		switch {
		case !k.f.percent:
			return k.told(c, gap.Abs(gap))
		case c.share && k.f.points:
			if new(big.Rat).Abs(a).Cmp(unit) <= 0 && new(big.Rat).Abs(b).Cmp(unit) <= 0 {
				gap.Mul(gap, rat(100))
			}
			return k.f.derivedShare(gap.Abs(gap))
		}
		grown := percent(gap, new(big.Rat).Abs(b))
		return grown != nil && k.f.derivedShare(grown.Abs(grown))
	})
}

// isFromMean is how far what the figure is said of is from the average of all rows, as it
// is or in percent: "28 above the average".
func (k *reckoning) isFromMean() bool {
	s := k.s
	if k.f.ratio || !k.t.whole || k.t.rows < 2 || !s.anyCue(0, len(s.tokens), meanWords, meanKorean...) || !k.says(apartWords, apartKorean...) || s.namesMeanOnly() {
		return false
	}
	r, group := s.referentOf(k.f)
	if r == nil || len(group) > 1 || len(r.rows[k.index]) != 1 {
		return false
	}
	return k.each(func(c *column) bool {
		a, mean := c.valueOf(r.rows[k.index]), c.mean(k.t.all())
		if a == nil || mean == nil || !k.agrees(a, mean) {
			return false
		}
		gap := new(big.Rat).Sub(a, mean)
		if !k.f.percent {
			return k.told(c, gap.Abs(gap))
		}
		off := percent(gap, new(big.Rat).Abs(mean))
		return off != nil && k.f.derivedShare(off.Abs(off))
	})
}

// namesMeanOnly reports whether the one word for an average is that of a column of averages,
// and so nothing is measured by the average of all.
func (s *sentence) namesMeanOnly() bool {
	said := 0
	for i, t := range s.tokens {
		said += boolInt(!s.taken[i] && (meanWords[t.fold] || t.hangul && hasPrefix(t.text, meanKorean...)))
	}
	averages := slices.ContainsFunc(s.checker.tables, func(t *table) bool { return slices.ContainsFunc(t.columns, func(c column) bool { return c.average }) })
	return said == 1 && averages && !s.hasAny(0, len(s.tokens), "overall", "than", "above", "below") && !s.anyCue(0, len(s.tokens), nil, "전체", "평균보다", "평균에", "평균을", "평균과")
}

// isFactor is how many times as much one of the points has as another.
func (k *reckoning) isFactor() bool {
	if !k.f.ratio {
		return false
	}
	return k.pairs(func(_ *column, a, b *big.Rat) bool {
		return a.Sign() > 0 && b.Sign() > 0 && k.f.isFactor(new(big.Rat).Quo(a, b))
	})
}

// pairs calls use with the numbers of two sets of rows in each column: of two names in
// the order in which the sentence compares them, else in both orders.
func (k *reckoning) pairs(use func(c *column, a, b *big.Rat) bool) bool {
	return k.each(func(c *column) bool {
		for _, p := range k.compared() {
			a, b := c.valueOf(p[0]), c.valueOf(p[1])
			if a != nil && b != nil && k.ordered(c, p[0], p[1]) && k.agrees(a, b) && use(c, a, b) {
				return true
			}
		}
		return k.apartInPlaces(c, use)
	})
}

// compared are the sets of rows of two names each, what is measured and by what.
func (k *reckoning) compared() [][2][]int {
	var out [][2][]int
	for i := range k.who {
		for j := i + 1; j < len(k.who); j++ {
			a, b := k.s.compared([]*referent{k.who[i], k.who[j]})
			x, y := a.rows[k.index], b.rows[k.index]
			if len(x) > 0 && len(y) > 0 && !slices.Equal(x, y) {
				out = append(out, [2][]int{x, y})
				if a.isDate() && b.isDate() {
					out = append(out, [2][]int{y, x}) // the later is measured by the earlier
				}
			}
		}
	}
	return out
}

// agrees reports whether two names stand to each other as the words near the figure say.
func (k *reckoning) agrees(a, b *big.Rat) bool {
	if k.f.ratio || k.saysGap() {
		return true
	}
	up, down := k.s.directions(k.f, k.from, k.to)
	return up == down || a.Cmp(b) == boolInt(up)-boolInt(down)
}

// saysGap reports whether a noun for a difference, which has no direction, names it.
func (k *reckoning) saysGap() bool {
	return k.s.isNeutral(k.f) || k.says(set("difference gap apart separates separated margin"), gapKorean...)
}

// apartInPlaces calls use with a named row, or one in a place, and one in a place.
func (k *reckoning) apartInPlaces(c *column, use func(c *column, a, b *big.Rat) bool) bool {
	if len(k.named) > 1 {
		return false
	}
	all := append(slices.Clone(k.named), k.points...)
	own := len(k.named) == 1 && len(k.namesIn()) == 1
	for i, x := range all {
		for j, y := range all {
			if own && i > 0 && j > 0 {
				continue // it is told of the one that is named
			}
			a, b := c.valueOf(x), c.valueOf(y)
			if i != j && a != nil && b != nil && !slices.Equal(x, y) && k.ordered(c, x, y) && use(c, a, b) {
				return true
			}
		}
	}
	return false
}

// ordered reports whether the first rows may be measured by the second: of two moments the
// later one by the earlier, and in the direction that the words say.
func (k *reckoning) ordered(c *column, x, y []int) bool {
	at := slices.IndexFunc(k.t.columns, func(c column) bool { return c.temporal })
	if at < 0 || len(x) != 1 || len(y) != 1 {
		return true
	}
	moments := &k.t.columns[at]
	a, b := c.valueOf(x), c.valueOf(y)
	if a == nil || b == nil || comparePeriods(moments.cells[x[0]].period, moments.cells[y[0]].period) < 0 {
		return false
	}
	up, down := k.s.directions(k.f, k.from, k.to)
	return up == down || a.Cmp(b) == boolInt(up)-boolInt(down)
}

// isRate is one column by another, of the rows of a point or of all: "448.84 a payment".
func (k *reckoning) isRate() bool {
	if k.f.percent || k.f.ratio || !k.solid && !k.says(rateWords, rateKorean...) {
		return false
	}
	if !k.says(rateWords, rateKorean...) && (k.says(totalWords, totalKorean...) || k.s.koreanCounter(k.f)) {
		return false // "모두 151건" counts, and is no one by the other
	}
	var sets [][]int
	switch {
	case len(k.named) == 1:
		sets = k.named
	case len(k.named) == 0:
		sets = append(sets, k.t.all())
	}
	return k.t.anyMeasure(func(x *column) bool {
		return k.t.anyMeasure(func(y *column) bool {
			return x != y && x.adds() && y.adds() && k.speaksOf(y) && slices.ContainsFunc(sets, func(rows []int) bool {
				if len(rows) > 1 && !k.t.whole {
					return false
				}
				a, b := x.sum(rows), y.sum(rows)
				return a != nil && b != nil && b.Sign() != 0 && k.f.derived(new(big.Rat).Quo(a, b))
			})
		})
	})
}

// speaksOf reports whether the sentence names a column by a word, or it is the only one that
// counts.
func (k *reckoning) speaksOf(c *column) bool {
	s := k.s
	if s.endsPer(k.from, k.to) {
		return true
	}
	for _, w := range s.words() {
		for id := range s.namedBy(w, nil) {
			if s.columnOf(id) == c {
				return true
			}
		}
	}
	counts := 0
	for i := range k.t.columns {
		o := &k.t.columns[i]
		counts += boolInt(o.measure() && o.adds() && !o.amount)
	}
	return counts == 1 && !c.amount
}

// Words that name what a figure is reckoned by.
var (
	apartWords = func() map[string]bool {
		out := set("distance difference differ differs differed gap margin apart separates separated separate spread swing extra than compared against behind ahead short trails trailed exceeds exceeded outnumber outnumbers ahead above below leads led lead over under away")
		for _, words := range []map[string]bool{moreWords, lessWords, riseWords, fallWords} {
			for w := range words {
				out[w] = true
			}
		}
		return out
	}()
	apartKorean = []string{"차이", "격차", "차로", "차액", "많", "적", "높", "낮", "앞", "뒤", "모자", "못", "웃돌", "밑돌", "더", "덜", "비싸", "비싼", "싸", "싼", "길", "긴", "짧", "늘", "줄", "증가", "감소", "상승", "하락", "올", "오른", "떨어", "내려", "뛰", "벌어", "대비", "초과", "부족", "앞서", "뒤지", "뒤져", "폭", "변화", "성장", "급증", "급감", "크", "큰", "작"}
	rateWords   = set("per each average averages averaged averaging mean apiece every a an one divided ratio")
	rateKorean  = []string{"당", "평균", "건당", "인당", "개당", "대당", "명당", "한", "나누", "나눈", "꼴"}
)

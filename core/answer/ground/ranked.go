package ground

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
)

// isMost reports whether the rows of a group are the most, or the least, in what the words
// of a superlative measure: a column, or what two columns give. Of a table of which a part
// was seen it is so where the question asks for this order.
func (s *sentence) isMost(direction, at int, r *referent, group []*referent) (ok, partial bool) {
	from, to := s.clauseSpan(at)
	by := s.rankedBy(at, r)
	end := to
	if _, last := s.span(at); s.namedBy(s.foldAt(at+1), nil) != nil && s.hasAny(last, to, "per") {
		end = last // "the fewest orders, four, which works out at 5 per order"
	}
	per := s.measuresPer(from, end)
	falls := s.changes() && s.anyCue(from, to, fallWords, fallKorean...)
	if ok, known := s.movesMost(at, group, by); ok || known {
		return ok, false
	}
	if s.saysBothYears(from, to) {
		return s.leadsEachYear(direction, group), false
	}
	for index, t := range s.checker.tables {
		if len(r.rows[index]) == 0 {
			continue
		}
		if t.rows == 1 && t.count == 1 && s.checker.seeks(direction) {
			return !s.seeksAnother(at), partial
		}
		holds := func(c *column) bool {
			if t.whole {
				return t.rows > 1 && s.leads(t, c, index, group, direction)
			}
			return s.leadsOrdered(t, c, index, group, direction)
		}
		two, alone := s.ofTwo(t, from, end)
		if slices.ContainsFunc(two, holds) || s.isMostFrequent(t, index, r, direction) {
			return true, partial
		}
		for col := range t.columns {
			c := &t.columns[col]
			switch {
			case alone:
				continue
			case !c.numeric:
				ok = s.isColumnOfTexts(index, col) && holds(c.parsed())
			case c.key, t.measures() > 1 && c.isConstant():
				continue
			default:
				partial = partial || !t.whole
				ok = by(index, col) && !(c.change && falls) && !(per && !c.average && !c.share) && holds(c) || c.change && !(s.ordersValues(at) && !falls) && s.bySize(c, from, to, falls, holds)
			}
			if ok {
				return true, partial
			}
		}
	}
	return false, partial
}

// measuresPer reports whether a clause speaks of one measure by another, which no column
// holds: "revenue per order".
func (s *sentence) measuresPer(from, to int) bool {
	for i := from + 1; i+1 < to; i++ {
		if s.foldAt(i) == "per" && s.namedBy(s.foldAt(i+1), nil) != nil {
			return !slices.ContainsFunc(s.checker.tables, func(t *table) bool {
				return slices.ContainsFunc(t.columns, func(c column) bool { return slices.Contains(c.words, "per") })
			})
		}
	}
	return false
}

// rankedBy is which measures a superlative may be of: in Korean that named before it, that
// of its own dimension ("longest"), that which the words around it name, else all.
func (s *sentence) rankedBy(at int, r *referent) func(index, col int) bool {
	by := s.rankedByWords(at, r)
	of := s.aggregateOfMost(at)
	told := s.measuresTold(at, r)
	kept := func(index, col int) bool {
		return by(index, col) && (of == nil || of(s.checker.tables[index], &s.checker.tables[index].columns[col]))
	}
	if told != nil {
		is := func(of func(index, col int) bool) func(index, col int) bool {
			return func(index, col int) bool { return of(index, col) && told[index*columnStride+col] }
		}
		switch {
		case s.anyMeasure(is(kept)):
			return is(kept)
		case of != nil && s.aggregateBeside(at) == "" && s.anyMeasure(is(by)):
			return is(by) // "395.69, the lowest" of the averages
		}
	}
	return kept
}

// rankedByWords is which measures the words of a superlative say that it is of.
func (s *sentence) rankedByWords(at int, r *referent) func(index, col int) bool {
	if named := s.measureBefore(at, r); named != nil {
		return func(index, col int) bool { return named[index*columnStride+col] }
	}
	of := dimensions[s.foldAt(at)]
	if w := s.foldAt(at + 1); w == "expensive" || s.tokens[at].hangul && hasPrefix(w, "비싼", "비싸", "비쌉", "싼", "쌉", "싸", "저렴") {
		of = dimensions["cheapest"]
	}
	if of != nil {
		own := func(index, col int) bool {
			return slices.ContainsFunc(s.checker.tables[index].columns[col].words, func(w string) bool { return of[concept(w)] })
		}
		if s.anyMeasure(own) {
			return own
		}
	}
	if of["price"] || s.foldAt(at+1) == "expensive" {
		if amounts := func(index, col int) bool {
			c := &s.checker.tables[index].columns[col]
			return c.measure() && (c.amount || !c.wholes)
		}; s.anyMeasure(amounts) {
			return amounts
		}
	}
	if rates := s.ratesBehind(at); rates != nil {
		return func(index, col int) bool { return rates[index*columnStride+col] }
	}
	named := s.columnsByNoun(&figure{at: at, to: at + 1}, nil)
	if like := s.measureAbove(at); like != nil {
		named = func(index, col int) bool { return like[index*columnStride+col] }
	}
	if s.anyMeasure(named) {
		return named
	}
	return func(index, col int) bool { return s.checker.tables[index].columns[col].measure() }
}

// measureAbove are the measures of a superlative that the clause or the sentence before has,
// where its own one leaves out all but its name: "A has the smallest fees; B the largest".
func (s *sentence) measureAbove(at int) map[int]bool {
	if s.foldAt(at-1) != "the" || !s.isNameToken(at-2) && !(s.hasAny(at-2, at-1, "has", "is", "had") && s.isNameToken(at-3)) || s.is(at+1, word) || dimensions[s.foldAt(at)] != nil {
		return nil
	}
	before, first, last := s, 0, 0
	if from, _ := s.clauseSpan(at); from > 0 {
		first, last = s.clauseSpan(from - 1)
	} else if before = s.last; before != nil {
		last = len(before.tokens)
	}
	if before == nil || before.checker != s.checker {
		return nil
	}
	direction, most := before.ordering(first, last)
	if direction == 0 {
		return nil
	}
	var named map[int]bool
	for i := most + 1; i < min(most+4, last) && before.is(i, word) && !before.isNameToken(i) && !clauseVerbs[before.foldAt(i)]; i++ {
		if of := before.namedBy(before.foldAt(i), nil); of != nil {
			named = of
		}
	}
	return named
}

func (s *sentence) anyMeasure(of func(index, col int) bool) bool {
	for index, t := range s.checker.tables {
		for col := range t.columns {
			if t.columns[col].measure() && of(index, col) {
				return true
			}
		}
	}
	return false
}

// comparatives of a dimension of their own, by their superlatives.
var ofDimension = map[string]string{"longer": "longest", "shorter": "shortest", "taller": "tallest", "cheaper": "cheapest", "pricier": "priciest", "heavier": "heaviest", "lighter": "lightest", "faster": "fastest", "slower": "slowest"}

// soldConcepts are what one sells more of than another.
var soldConcepts = set("revenue unit")

// comparedIn tells the columns of the dimension in which a word compares, "shorter" by length;
// nil where it has none of its own or no column is of it.
func (s *sentence) comparedIn(at int) func(c *column) bool {
	of := dimensions[ofDimension[s.foldAt(at)]]
	if w := s.foldAt(at); w == "outsells" || w == "outsold" || w == "outsell" {
		of = soldConcepts
	}
	switch t := s.tokens[at]; {
	case !t.hangul:
	case hasPrefix(t.text, "비싸", "비싼", "비쌉", "싸", "싼", "쌉", "저렴"):
		of = dimensions["cheapest"]
	case hasPrefix(t.text, "길", "긴", "깁", "짧"):
		of = dimensions["longest"]
	}
	own := func(c *column) bool {
		return c.measure() && slices.ContainsFunc(c.words, func(w string) bool { return of[concept(w)] })
	}
	if of == nil || !slices.ContainsFunc(s.checker.tables, func(t *table) bool { return t.anyMeasure(own) }) {
		return nil
	}
	return own
}

// dimensions are what superlatives measure by themselves, as the concepts of columns.
var dimensions = map[string]map[string]bool{
	"longest": set("length distance"), "shortest": set("length distance height"), "tallest": set("height"), "cheapest": set("price"), "priciest": set("price"), "dearest": set("price"), "costliest": set("price"), "heaviest": set("weight"), "lightest": set("weight"),
	"fastest": set("speed"), "slowest": set("speed"), "deadliest": set("death"), "hottest": set("temperature"), "coldest": set("temperature"),
}

// measureBefore are the measures that a Korean sentence names before a superlative, as the
// subject of it ("정산액이 가장 큰"), or by a figure right before it ("36개로 최소이나").
func (s *sentence) measureBefore(at int, r *referent) map[int]bool {
	t := s.tokens[at]
	if !t.hangul {
		if f := s.figureBeforeRelative(at); f != nil {
			return s.measuresOf(f, r)
		}
		return nil
	}
	base := strings.HasPrefix(t.text, "최") && len([]rune(t.text)) <= 2 && s.is(at+1, word)
	if base && !s.isNameToken(at+1) {
		return nil // what follows is named by it: "최고 연봉자"
	}
	if f := s.figureUpTo(at); f != nil {
		return s.measuresOf(f, r)
	}
	from, _ := s.clauseSpan(at)
	for i := at - 1; i >= from; i-- {
		w := s.tokens[i].text
		if !s.tokens[i].hangul || s.isNameToken(i) || s.figureAtToken(i) || !hasSuffix(w, "이", "가", "은", "는", "도", "으로", "로") {
			continue
		}
		w = koreanStem(w)
		if (w == "수" || w == "수가") && s.is(i-1, word) && !s.isNameToken(i-1) {
			w = koreanStem(s.foldAt(i - 1)) // "직원 수가"
		}
		if named := s.namedBy(w, nil); named != nil {
			return named
		}
	}
	return nil
}

// ordersValues tells "the highest change", which is of the numbers as they are, from "the
// largest change", which may be of their size.
func (s *sentence) ordersValues(at int) bool {
	return s.hasAny(at, at+1, "highest", "lowest", "top") || s.tokens[at].hangul && (hasPrefix(s.foldAt(at), "최고", "최저") || hasPrefix(s.foldAt(at+1), "높", "낮"))
}

// bySize ranks the changes of a column by how large they are: the falls where the clause
// speaks of these, or all where it says how far something is off.
func (s *sentence) bySize(c *column, from, to int, falls bool, holds func(*column) bool) bool {
	off := s.hasAny(from, to, "deviate", "deviates", "deviated", "differ", "differs", "furthest", "farthest", "change", "changed", "changes", "gap", "gaps") && !falls
	if !falls && !off {
		return false
	}
	falls = falls || s.hasAny(from, to, "below", "low", "under")
	sized := *c
	sized.cells = nil
	for _, v := range c.cells {
		switch n := v.exactly(); {
		case n == nil || falls && n.Sign() >= 0:
			v = cell{null: true}
		default:
			v = cell{number: new(big.Rat).Abs(n)}
		}
		sized.cells = append(sized.cells, v)
	}
	return holds(&sized)
}

var numberedText = regexp.MustCompile(`^[-+]?[\d.,]+ ?[^\d\s]{1,4}$`)

// isColumnOfTexts reports whether a column has numbers with their units as texts, one of
// which the sentence has: "7.0%".
func (s *sentence) isColumnOfTexts(index, col int) bool {
	c := &s.checker.tables[index].columns[col]
	if slices.ContainsFunc(c.cells, func(v cell) bool { return !v.null && !numberedText.MatchString(v.text) }) {
		return false
	}
	return slices.ContainsFunc(s.refs, func(r ref) bool { return slices.Contains(r.columns, index*columnStride+col) })
}

// parsed is a column of the numbers that texts begin with.
func (c *column) parsed() *column {
	out := &column{numeric: true}
	for _, v := range c.cells {
		n, ok := new(big.Rat).SetString(strings.TrimRight(strings.ReplaceAll(v.text, ",", ""), "% \u00a0abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
		if !ok {
			out.cells = append(out.cells, cell{null: true})
			continue
		}
		out.cells = append(out.cells, cell{number: n})
	}
	return out
}

// leadsOrdered reports whether the rows of a group are the first of a table of which a part was
// seen, in the order for which the question asks and in which the rows stand.
func (s *sentence) leadsOrdered(t *table, c *column, index int, group []*referent, direction int) bool {
	return s.checker.beginsOrder(t, c, direction) && !slices.ContainsFunc(group, func(r *referent) bool {
		return !slices.ContainsFunc(r.rows[index], func(row int) bool { return c.beaten(row, t.all(), direction) < len(group) })
	})
}

// scopesOf are the rows among which a superlative may be said in the words of the
// sentence: those on one side of a number, and those behind the ones named before.
func (s *sentence) scopesOf(t *table, c *column, index int) [][]int {
	var out [][]int
	for k := range s.figures {
		f := &s.figures[k]
		if f.hedge == exact || f.hedge == about || len(f.amounts) == 0 || !s.hasAny(0, f.at, "of", "among") && !s.anyCue(f.to, len(s.tokens), nil, "중", "가운데") {
			continue
		}
		may := s.columnsFor(f, nil)
		for col := range t.columns {
			o := &t.columns[col]
			if o.name != c.name && (!o.measure() || !may(index, col)) {
				continue
			}
			rows := slices.DeleteFunc(t.all(), func(row int) bool { return o.cells[row].number == nil || !f.bounds(o.cells[row].number) })
			if len(rows) > 1 {
				out = append(out, rows)
			}
		}
	}
	if s.anyCue(0, len(s.tokens), nil, "있는") && s.anyCue(0, len(s.tokens), nil, "중", "가운데") {
		out = append(out, slices.DeleteFunc(t.all(), func(row int) bool { return c.cells[row].number == nil || c.cells[row].number.Sign() == 0 }))
	}
	if s.hasAny(0, len(s.tokens), "next") || s.anyCue(0, len(s.tokens), nil, "그다음", "다음으로") {
		for _, up := range []int{1, -1} {
			if top := c.extreme(t.all(), up); top >= 0 {
				out = append(out, slices.DeleteFunc(t.all(), func(row int) bool {
					return row == top || s.earlierRows != nil && slices.Contains(s.earlierRows[index], row)
				}))
			}
		}
	}
	return out
}

package ground

import (
	"math/big"
	"slices"
)

// isVersus checks a figure that sets what the sentence speaks of against a name or a place
// right behind it: "four fewer than A", "696 above second place", "1.6 times that of A",
// and "compared with A" before it. What it speaks of may be named in the sentence before.
func (s *sentence) isVersus(f *figure) bool {
	if f.ordinal || len(f.amounts) == 0 {
		return false
	}
	other, behind := s.setAgainst(f)
	if other == nil {
		return s.isMoreThanBefore(f)
	}
	for index, t := range s.checker.tables {
		k := &reckoning{s: s, f: f, t: t, index: index, from: f.at, to: len(s.tokens)}
		for _, own := range s.ownRows(f, other, index) {
			if k.each(func(c *column) bool { return s.isAgainst(f, c, own, other.in(t, index, c), behind) }) {
				return true
			}
		}
	}
	return false
}

// isMoreThanBefore checks "A is 113 taller" and "834 more orders online", which leave unsaid
// by what the name is measured: the name before, in the sentence or in the one before it, or
// the only other row.
func (s *sentence) isMoreThanBefore(f *figure) bool {
	if w := s.foldAt(f.to); !f.ratio && !moreWords[w] && !lessWords[w] && !comparatives[w] && !cheapWords[w] {
		return false
	}
	own, other := s.lastTwo(f)
	if own == nil || f.ratio && (other == nil || s.foldAt(f.to+1) != "as") {
		return false
	}
	for index, t := range s.checker.tables {
		k := &reckoning{s: s, f: f, t: t, index: index, from: f.at, to: len(s.tokens)}
		var rows []int
		switch {
		case other != nil:
			rows = other.rows[index]
		case t.whole && t.rows == 2 && len(own.rows[index]) == 1:
			rows = []int{1 - own.rows[index][0]}
		}
		if k.each(func(c *column) bool { return s.isAgainst(f, c, own.rows[index], rows, []string{s.foldAt(f.to)}) }) {
			return true
		}
	}
	return false
}

// lastTwo are the name of a figure and that before it, each nil for none.
func (s *sentence) lastTwo(f *figure) (own, other *referent) {
	i := 0
	for i < len(s.referents) && s.referents[i].to <= f.at {
		i++
	}
	switch {
	case i > 1:
		if s.isComparand(&s.referents[i-1]) {
			return &s.referents[i-2], &s.referents[i-1]
		}
		return &s.referents[i-1], &s.referents[i-2]
	case i == 1:
		own = &s.referents[0]
	case len(s.referents) > 0 && s.before == nil:
		return &s.referents[0], nil
	}
	if s.before != nil && len(s.before.referents) > 0 {
		list := s.before.referents
		other = &list[len(list)-1]
		if own == nil && s.pronoun() && len(list) > 1 {
			own, other = other, &list[len(list)-2]
		}
	}
	return own, other
}

// comparand is what something is measured by: a name, or the row in a place.
type comparand struct {
	at, to int
	name   *referent
	place  int
}

// in are the rows of what is measured by, in the order of a column where that is a place.
func (o *comparand) in(t *table, index int, c *column) []int {
	switch {
	case o.name != nil:
		return o.name.rows[index]
	case !t.whole:
		return nil
	}
	if row := c.placed(o.place, 1); row >= 0 {
		return []int{row}
	}
	return nil
}

// isPlaceAgainst reports whether a place is only what another figure is measured by, which
// holds, "696 above second place", or the place of the figure that follows: "the second
// highest, 152.16,".
func (s *sentence) isPlaceAgainst(f *figure) bool {
	if s.placesNext(f) {
		return true
	}
	for k := range s.figures {
		g := &s.figures[k]
		if o, _ := s.setAgainst(g); o != nil && o.name == nil && o.at == f.at {
			return s.isVersus(g)
		}
	}
	return false
}

// placedInTurn is the name of the sentence before whose place a figure is, where as many
// places follow as it has names: "They rank third and fifth".
func (s *sentence) placedInTurn(f *figure) *referent {
	if s.before == nil || s.foldAt(0) != "they" && s.foldAt(0) != "these" {
		return nil
	}
	at, n := -1, 0
	for k := range s.figures {
		if g := &s.figures[k]; g.ordinal {
			if g == f {
				at = n
			}
			n++
		}
	}
	if at < 0 || n < 2 || n != len(s.before.referents) {
		return nil
	}
	return &s.before.referents[at]
}

// placesNext reports whether the figure right behind a place and its superlative is what has
// this place in a column.
func (s *sentence) placesNext(f *figure) bool {
	i := f.to
	if s.foldAt(i) == "-" {
		i++
	}
	up := ordersUp[s.foldAt(i)]
	n, ok := f.count()
	k := slices.IndexFunc(s.figures, func(g figure) bool { return g.at >= f.to })
	if up == 0 || !ok || k < 0 || s.figures[k].at-i > 4 || s.hasAny(i, s.figures[k].at, "and", "or", "of", "than") {
		return false
	}
	g := &s.figures[k]
	return len(g.amounts) > 0 && !g.ordinal && slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return t.whole && slices.ContainsFunc(t.columns, func(c column) bool {
			row := c.placed(int(n), up)
			return c.measure() && row >= 0 && c.cells[row].equal(g, nil)
		})
	})
}

// againstWords lead in what something is measured by.
var againstWords = set("than of as behind above below over to versus vs against with from under")

// setAgainst is what stands right behind a figure and a word that compares, with no other
// figure between, or opens the sentence so; the tokens between say how it is compared.
func (s *sentence) setAgainst(f *figure) (o *comparand, behind []string) {
	const reach = 9
	led := false
	for i := f.to; i < min(len(s.tokens), f.to+reach); i++ {
		if o := s.comparandAt(i); o != nil {
			if led {
				return o, behind
			}
			return nil, nil
		}
		if s.figureAtToken(i) || s.tokens[i].kind != word && s.tokens[i].text != "-" || hardBreaks[s.tokens[i].fold] || s.tokens[i].fold == "and" {
			break
		}
		led = led || againstWords[s.tokens[i].fold]
		behind = append(behind, s.tokens[i].fold)
	}
	if w := s.foldAt(0); (w == "compared" || w == "against" || w == "versus") && f.at > 1 {
		for i := 1; i < min(f.at, 4); i++ {
			if o := s.comparandAt(i); o != nil {
				return o, nil
			}
		}
	}
	return nil, nil
}

// comparandAt is a name or a place at token i.
func (s *sentence) comparandAt(i int) *comparand {
	for k := range s.referents {
		if r := &s.referents[k]; r.at == i {
			return &comparand{at: i, to: r.to, name: r}
		}
	}
	for k := range s.figures {
		if g := &s.figures[k]; g.at == i && g.ordinal {
			if n, ok := g.count(); ok {
				return &comparand{at: i, to: g.to, place: int(n)}
			}
		}
	}
	if s.foldAt(i) == "runner" && s.foldAt(i+1) == "-" {
		return &comparand{at: i, to: i + 3, place: 2}
	}
	return nil
}

// ownRows are the rows that may be what is measured: those of the name before the figure
// that is no comparand itself, else those of which the sentence before spoke.
func (s *sentence) ownRows(f *figure, o *comparand, index int) [][]int {
	for i := len(s.referents) - 1; i >= 0; i-- {
		if r := &s.referents[i]; r.to <= f.at && r != o.name && !againstWords[s.foldAt(r.at-1)] && !s.isComparand(r) {
			return [][]int{r.rows[index]}
		}
	}
	if s.before == nil {
		return nil
	}
	var out [][]int
	for _, r := range s.before.referents {
		out = appendRows(out, r.rows[index])
	}
	if len(out) > 1 && !s.pronoun() {
		return nil
	}
	return out[max(0, len(out)-1):]
}

// isAgainst reports whether a figure is what rows have more or less than others in a
// column, by how many percent, or how many times as much.
func (s *sentence) isAgainst(f *figure, c *column, own, other []int, behind []string) bool {
	a, b := c.valueOf(own), c.valueOf(other)
	if len(own) == 0 || len(other) == 0 || a == nil || b == nil || slices.Equal(own, other) {
		return false
	}
	gap := new(big.Rat).Sub(a, b)
	says := func(words map[string]bool) bool {
		return slices.ContainsFunc(behind, func(w string) bool { return words[w] })
	}
	up, down := says(moreWords) || says(riseWords) || says(comparatives), says(lessWords) || says(fallWords) || says(cheapWords)
	if behind == nil {
		up, down = s.directions(f, 0, len(s.tokens))
	}
	switch {
	case f.ratio:
		return b.Sign() != 0 && f.isFactor(new(big.Rat).Quo(a, b))
	case f.percent && f.spoken && f.amounts[0].rough:
		return b.Sign() > 0 && a.Sign() >= 0 && len(behind) > 0 && behind[0] == "of" && f.derivedShare(percent(a, b))
	case up && !down && gap.Sign() < 0, down && !up && gap.Sign() > 0:
		return false
	case !up && !down:
		return false
	case f.percent && f.points:
		return c.share && f.derivedShare(new(big.Rat).Abs(gap))
	case f.percent:
		return b.Sign() > 0 && f.derivedShare(percent(new(big.Rat).Abs(gap), b))
	}
	return f.derived(new(big.Rat).Abs(gap))
}

// comparatives are words for more that stand for no column.
var comparatives = set("taller older dearer pricier heavier faster wider further beyond costlier")

// cheapWords are words for less that stand for no column.
var cheapWords = set("cheaper younger lighter slower narrower nearer thinner")

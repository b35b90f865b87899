package ground

import (
	"math/big"
	"slices"
)

// isRelated reports whether a figure is what two measures of the rows of which the text
// speaks give: a part in percent, a factor, one per the other, or their difference. A figure
// of a few digits needs both measures named in the sentence, in the one before it or in the
// title, or a result that has no others.
func (k *reckoning) isRelated() bool {
	if len(k.who) > 1 && !k.solid {
		return false // these are measured by each other
	}
	if k.f.isBound() && !k.f.percent && !k.f.ratio && !k.says(gapWords, gapKorean...) && !k.says(rateWords, rateKorean...) {
		return false // "more than 100 subscribers" is of one measure
	}
	some, every := false, true
	k.relations(func(x, y *column, a, b *big.Rat) {
		holds := k.relates(a, b)
		if grown := k.grownFrom(x, y, a, b); grown != nil {
			holds = k.f.derivedShare(grown)
		}
		some, every = some || holds, every && holds
	})
	return some && (every || !k.f.isBound())
}

// relations calls use with each two measures that may be set against each other, for each
// of the rows of which the text speaks.
func (k *reckoning) relations(use func(x, y *column, a, b *big.Rat)) {
	sets := k.spokenOf()
	measures := k.related()
	for _, x := range measures {
		for _, y := range measures {
			if x == y || !k.s.mayMeasure(k.f, k.t, k.index, x, y) || k.f.isBound() && (!x.adds() || !y.adds() || x.share || y.share) {
				continue
			}
			for _, rows := range sets {
				if len(rows) > 1 && (!k.t.whole || !x.adds() || !y.adds()) {
					continue
				}
				a, b := x.sum(rows), y.sum(rows)
				if a == nil || b == nil || !k.moves(x, y, a, b) || k.f.isBound() && a.Cmp(b) > 0 {
					continue
				}
				use(x, y, a, b)
			}
		}
	}
}

// related are the measures that may be set against each other.
func (k *reckoning) related() []*column {
	var all, named []*column
	for i := range k.t.columns {
		c := &k.t.columns[i]
		if !c.measure() {
			continue
		}
		all = append(all, c)
		if k.isSpokenOf(i) {
			named = append(named, c)
		}
	}
	if k.solid || len(all) == 2 {
		return all
	}
	return named
}

// isSpokenOf reports whether the sentence, the one before it or the title names a column by
// a word, or by a figure that is a cell of it.
func (k *reckoning) isSpokenOf(col int) bool {
	list := []*sentence{k.s}
	if k.s.before != nil {
		list = append(list, k.s.before)
	}
	if k.s.told != nil {
		list = append(list, k.s.told.above...)
	}
	return slices.ContainsFunc(list, func(s *sentence) bool {
		return slices.ContainsFunc(s.dates, func(d dateRef) bool { return k.t.columns[col].inName(d, s.checker.years) }) || slices.ContainsFunc(s.words(), func(w string) bool { return s.namedBy(w, nil)[k.index*columnStride+col] }) ||
			slices.ContainsFunc(s.figures, func(g figure) bool {
				return len(g.amounts) > 0 && !g.equals(k.f) && slices.ContainsFunc(k.t.columns[col].cells, func(v cell) bool { return v.equal(&g, nil) })
			})
	})
}

// spokenOf are the rows whose measures may be set against each other: those of the name of
// the figure, else of those of which the sentence before spoke, else those in the places
// that words say, else all.
func (k *reckoning) spokenOf() [][]int {
	s := k.s
	if r, group := s.referentOf(k.f); r != nil {
		sets := [][]int{}
		for _, g := range append(group, r) {
			sets = appendRows(sets, g.rows[k.index])
		}
		return sets
	}
	if len(s.referents) == 0 {
		sets := k.points
		for _, r := range carriedNames(s) {
			sets = appendRows(sets, r.rows[k.index])
		}
		if s.before == nil || !s.pronoun() {
			sets = appendRows(sets, k.t.all())
		}
		return sets
	}
	return k.named
}

// moves reports whether two measures may be compared by the words for a change, if there
// are any: only those of two years, the later by the earlier, and in the direction that is
// said.
func (k *reckoning) moves(x, y *column, a, b *big.Rat) bool {
	if x.isSibling(y) || x.change {
		if x.change {
			b = new(big.Rat) // its sign is the direction
		}
		up, down := k.s.directions(k.f, k.from, k.to)
		return up == down || a.Cmp(b) == boolInt(up)-boolInt(down)
	}
	up, down := k.saysNew(riseWords), k.saysNew(fallWords)
	if x.year != 0 && y.year != 0 {
		return x.year > y.year && (up == down || a.Cmp(b) == boolInt(up)-boolInt(down))
	}
	return !up || k.f.percent
}

// saysNew reports whether a word of the set stands there that neither the question nor a
// column has: "lost" of lost parcels says nothing of a change.
func (k *reckoning) saysNew(words map[string]bool) bool {
	for i := k.from; i < k.to; i++ {
		if w := k.s.foldAt(i); words[w] && !k.s.checker.isNoun(w) && !k.s.isNameToken(i) {
			return true
		}
	}
	return false
}

// relates reports whether a figure is what a and b give.
func (k *reckoning) relates(a, b *big.Rat) bool {
	f, s := k.f, k.s
	gap := new(big.Rat).Sub(a, b)
	switch {
	case f.points || b.Sign() == 0:
		return false
	case f.ratio:
		return a.Sign() > 0 && b.Sign() > 0 && f.isFactor(new(big.Rat).Quo(a, b))
	case f.percent && f.isBound():
		return f.bounds(percent(a, b))
	case f.percent && k.saysNew(restWords):
		return a.Sign() >= 0 && a.Cmp(b) <= 0 && f.derivedShare(percent(new(big.Rat).Neg(gap), b))
	case f.percent && (k.saysNew(moreWords) || k.saysNew(lessWords) || k.saysNew(riseWords) || k.saysNew(fallWords)):
		return f.derivedShare(percent(new(big.Rat).Abs(gap), new(big.Rat).Abs(b)))
	case f.percent:
		return a.Cmp(b) <= 0 && f.derivedShare(percent(a, b))
	case f.minus:
		return f.derived(gap)
	case k.saysNew(restWords) || k.saysNew(apartOnly) || k.saysGap():
		return f.derived(gap.Abs(gap))
	case s.anyCue(0, len(s.tokens), ratioWords):
		return f.derived(new(big.Rat).Quo(a, b))
	}
	return false
}

var (
	// restWords say that a part is what is left of the whole.
	restWords = set("not remaining remain remains rest other others left leaves leaving without outside minus unpaid open")
	// apartOnly say how far two measures are apart.
	apartOnly = func() map[string]bool {
		out := set("shortfall surplus excess subtracting subtract subtracted minus less lost gained earned profit net apart difference gap")
		for _, words := range []map[string]bool{moreWords, lessWords, riseWords, fallWords, comparatives} {
			for w := range words {
				out[w] = true
			}
		}
		return out
	}()
	// ratioWords say that one measure is told of each of another.
	ratioWords = set("per each average averages averaged averaging mean apiece every divided dividing ratio factor")
)

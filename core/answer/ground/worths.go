package ground

import (
	"math/big"
	"slices"
	"strings"
)

// learnWorths takes from the question in what the numbers of columns are: "total
// passengers (millions)", "revenue in thousands", "단위: 천 마리".
func (c *Checker) learnWorths() {
	list := c.asked.tokens
	for i := range list {
		worth := worthOf(list[i])
		if worth == 0 || i == 0 {
			continue
		}
		switch before := list[i-1].fold; before {
		case "in", "(":
			c.setWorth(list, i-2, worth)
		case ":":
			c.setWorth(list, -1, worth)
		}
	}
}

// worthOf is the scale that a word of a unit says, 0 for none.
func worthOf(t token) int64 {
	if !t.hangul {
		if n := powers[t.fold]; n >= 1e3 {
			return n
		}
		return 0
	}
	for _, scale := range koreanScales {
		if rest, ok := strings.CutPrefix(t.text, scale.text); ok && (rest == "" || slices.ContainsFunc(counters, func(w string) bool { return rest == w })) {
			return scale.worth
		}
	}
	return 0
}

// setWorth gives the scale to the measures that the noun at i of the question names, or to
// all where it names none.
func (c *Checker) setWorth(list []token, i int, worth int64) {
	noun := ""
	if i >= 0 {
		noun = concept(koreanStem(list[i].fold))
	}
	named := func(of *column) bool {
		return noun != "" && slices.ContainsFunc(of.words, func(w string) bool {
			return concept(w) == noun || sameRoot(w, noun) || isHangul(w) && strings.HasPrefix(w, noun)
		})
	}
	any := slices.ContainsFunc(c.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(of column) bool {
			return of.measure() && named(&of) || of.worth != nil && of.worth.Cmp(rat(worth)) == 0
		})
	})
	for _, t := range c.tables {
		for col := range t.columns {
			if of := &t.columns[col]; of.measure() && !of.share && of.worth == nil && (!any || named(of)) {
				of.worth = rat(worth)
			}
		}
	}
}

// unscale adds to each figure with a scale what it is in the units of a column whose
// numbers are in thousands or millions: 103.534 for "1억 353만 4천".
func (s *sentence) unscale() {
	for i := range s.figures {
		f := &s.figures[i]
		if !f.scaled || f.percent || len(f.amounts) != 1 {
			continue
		}
		for _, t := range s.checker.tables {
			for col := range t.columns {
				if w := t.columns[col].worth; w != nil {
					s.unscaleTo(f, w)
				}
			}
		}
	}
}

// unscaleTo adds what a figure is in units of worth: in front, where no column of single
// units has numbers of its size. It adds nothing that is a number of such a column.
func (s *sentence) unscaleTo(f *figure, worth *big.Rat) {
	own := f.amounts[0]
	small := own.times(new(big.Rat).Inv(worth))
	if own.end != nil {
		small.end = new(big.Rat).Quo(own.end, worth)
	}
	g := &figure{amounts: []amount{small}, hedge: f.hedge}
	large := false
	for _, t := range s.checker.tables {
		for col := range t.columns {
			c := &t.columns[col]
			if !c.measure() || c.worth != nil {
				continue
			}
			for _, v := range c.cells {
				if v.equal(g, nil) {
					return
				}
				large = large || v.number != nil && new(big.Rat).Mul(v.number, rat(100)).Cmp(own.value) >= 0
			}
		}
	}
	if large {
		f.amounts = append(f.amounts, small)
	} else {
		f.amounts = []amount{small, own}
	}
}

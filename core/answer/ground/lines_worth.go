package ground

import (
	"math/big"
	"slices"
	"strings"
)

// isOfLines checks what a row is worth whose columns are a quantity and the price of one, and
// what all rows are: "two at 120.50 each, 241.00 altogether", "the items add up to 381.92".
func (s *sentence) isOfLines(f *figure, r *referent) bool {
	if f.percent || f.ratio || f.ordinal || f.hedge != exact && f.hedge != about {
		return false
	}
	total := s.anyCue(0, len(s.tokens), totalWords, totalKorean...) || s.hasAny(f.at-1, f.at, "=") || s.hasAny(0, len(s.tokens), "worth", "comes", "came", "makes")
	for index, t := range s.checker.tables {
		quantity, price := t.lines()
		if quantity == nil || !total {
			continue
		}
		rows := t.all()
		if r != nil {
			rows = r.rows[index]
		} else if !t.whole || len(s.referents) > 0 {
			continue
		}
		sum := new(big.Rat)
		for _, row := range rows {
			a, b := quantity.cells[row].exactly(), price.cells[row].exactly()
			if a == nil || b == nil {
				return false
			}
			sum.Add(sum, new(big.Rat).Mul(a, b))
		}
		if len(rows) > 0 && f.derived(sum) {
			return true
		}
	}
	return false
}

// lines are the columns of a quantity and of the price of one, nil where a table has none.
func (t *table) lines() (quantity, price *column) {
	for i := range t.columns {
		switch c := &t.columns[i]; {
		case !c.measure() || c.average || c.isTotal():
		case c.wholes && slices.ContainsFunc(c.words, func(w string) bool { return concept(w) == "unit" || w == "qty" }):
			quantity = c
		case c.isUnitPrice():
			price = c
		}
	}
	if price == nil {
		quantity = nil
	}
	return quantity, price
}

// isUnitPrice reports whether a column holds what one thing costs, which has no total.
func (c *column) isUnitPrice() bool {
	return strings.Contains(c.name, "unit") && slices.Contains(c.words, "price") || strings.HasSuffix(c.name, "단가")
}

package ground

import (
	"math/big"
	"slices"
	"strings"
)

// Words in the head of a table for what its cells are reckoned from others: how much something
// changed, and which part of all it is.
var (
	changeHeads = []string{"change", "growth", "difference", "diff", "delta", "increase", "증가", "증감", "변화", "차이", "성장"}
	shareHeads  = []string{"share", "percent of total", "% of total", "portion", "비중", "점유율", "비율"}
)

// isReckonedCell reports whether a figure in a table is what the head of its column says that it is
// reckoned from: the change between two like columns of the row, or from the row before in time, as
// it is or in percent, or the row's part of all.
func (s *sentence) isReckonedCell(f *figure) bool {
	if f.to == 0 || len(s.line.heads) == 0 || s.line.head || f.ordinal || f.ratio {
		return false
	}
	at := strings.Count(s.text[s.tokens[f.to-1].end:], "|")
	if at >= len(s.line.heads) {
		return false
	}
	head := fold(s.line.heads[at])
	change, share := contains(head, changeHeads), contains(head, shareHeads)
	if change == share {
		return false
	}
	for index, t := range s.checker.tables {
		row := s.rowOfLine(index)
		if row < 0 || !t.whole || t.rows < 2 {
			continue
		}
		if share && f.percent && t.anyMeasure(func(c *column) bool {
			return c.adds() && !c.change && f.derivedShare(percent(c.cells[row].exactly(), c.sum(t.all())))
		}) {
			return true
		}
		if change && s.isChangedBy(f, t, row) {
			return true
		}
	}
	return false
}

// isChangedBy reports whether a figure is by how much a row changed, with its sign: between two like
// columns of which the later one comes next, or from the row before in time.
func (s *sentence) isChangedBy(f *figure, t *table, row int) bool {
	is := func(from, to *big.Rat) bool {
		if from == nil || to == nil {
			return false
		}
		gap := new(big.Rat).Sub(to, from)
		if gap.Sign() < 0 != f.minus && gap.Sign() != 0 {
			return false
		}
		if f.percent {
			grown := percent(gap, new(big.Rat).Abs(from))
			return grown != nil && (f.derivedShare(grown) || f.derivedShare(new(big.Rat).Abs(grown)))
		}
		return f.derived(gap) || f.derived(new(big.Rat).Abs(gap))
	}
	measures := 0
	for i := range t.columns {
		a := &t.columns[i]
		measures += boolInt(a.measure())
		for k := range t.columns {
			b := &t.columns[k]
			if a.measure() && b.measure() && a.year != 0 && b.year == a.year+1 && a.isSibling(b) && is(a.cells[row].exactly(), b.cells[row].exactly()) {
				return true
			}
		}
	}
	order := t.inTime()
	place := slices.Index(order, row)
	return measures == 1 && place > 0 && t.anyMeasure(func(c *column) bool {
		return is(c.cells[order[place-1]].exactly(), c.cells[row].exactly())
	})
}

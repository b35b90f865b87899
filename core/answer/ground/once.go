package ground

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
)

// Words for what was done once, and for what was done again.
var (
	onceWords  = regexp.MustCompile(`(?i)\bonce\b|\bone[ _-]?time\b|\bsingle[ _-]|한 ?번만|1회`)
	againWords = regexp.MustCompile(`(?i)\bmore than once\b|\btwice or more\b|\b(?:two|2) or more\b|\brepeat|\breturning\b|두 ?번 이상|2회 이상|여러 ?번|재(?:구매|주문|방문|이용|대여|가입)`)
)

// timesOver says whether a text speaks of what was done once, or again: 1 or 2, 0 for
// neither.
func timesOver(text string) int {
	text = strings.ReplaceAll(text, "_", " ")
	switch {
	case againWords.MatchString(text):
		return 2
	case onceWords.MatchString(text):
		return 1
	}
	return 0
}

// isRemainder checks what a whole leaves beside its part, where both are columns of the one
// row and the sentence speaks of the contrary of the part: "두 번 이상 주문한 고객은 2,334명" of
// all customers and one_time_customers; and the count in these words.
func (s *sentence) isRemainder(f *figure) bool {
	over := timesOver(s.text)
	for _, t := range s.checker.tables {
		if over == 0 || t.rows != 1 || t.count != 1 || len(s.referents) > 0 {
			continue
		}
		for p := range t.columns {
			part := &t.columns[p]
			whole := t.wholeOf(p)
			if told := timesOver(part.name); whole == nil || told == 0 || told == over {
				continue
			}
			a, b := whole.cells[0].exactly(), part.cells[0].exactly()
			if a == nil || b == nil || a.Cmp(b) < 0 {
				continue
			}
			left := new(big.Rat).Sub(a, b)
			if !f.percent && f.derived(left) || f.percent && f.derivedShare(percent(left, a)) {
				return true
			}
		}
	}
	if s.leavesShare(f) {
		return true
	}
	n, ok := f.count()
	return ok && n == int64(over) && f.spoken && hasPrefix(f.rest+s.foldAt(f.to), "번")
}

// leavesShare reports whether a figure is what the one share that was found leaves of a hundred, as
// words for the rest say: "나머지 59.6%", "the remaining 59.6 %".
func (s *sentence) leavesShare(f *figure) bool {
	if !f.percent || !s.checker.isScalar() || !s.anyCue(max(0, f.at-4), f.at, set("remaining rest other"), "나머지", "남은") {
		return false
	}
	c := &s.checker.tables[0].columns[0]
	n := c.cells[0].exactly()
	return n != nil && c.share && n.Cmp(unit) > 0 && f.derivedShare(new(big.Rat).Sub(rat(100), n))
}

// wholeOf is the column of which another one counts a part, as its name says by more words, or
// by the same last syllables beside 전체; nil for none.
func (t *table) wholeOf(part int) *column {
	p := &t.columns[part]
	for i := range t.columns {
		c := &t.columns[i]
		if i == part || !c.measure() || !p.measure() || c.share || p.share || c.amount != p.amount {
			continue
		}
		narrower := len(p.words) > len(c.words) && !hasOwn(c.words, p.words)
		if narrower || c.isTotal() && sharesWord(c.words, p.words) {
			return c
		}
	}
	return nil
}

// isOtherPart reports whether a figure is the part of the one row that its sentence speaks
// contrary of: "한 번만" of repeat_customers.
func (s *sentence) isOtherPart(f *figure) bool {
	over := timesOver(s.text)
	return over != 0 && len(s.figures) <= 2 && slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return t.rows == 1 && t.count == 1 && slices.ContainsFunc(t.columns, func(c column) bool {
			told := timesOver(c.name)
			return told != 0 && told != over && c.measure() && c.cells[0].equal(f, nil)
		})
	})
}

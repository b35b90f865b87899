package ground

import (
	"math/big"
	"regexp"
	"slices"
)

// What sentences say of a result as a whole, in words alone.
var (
	onlyOneRow = regexp.MustCompile(`(?i)^(?:there is|(?:the (?:result|list|query|table|answer)|it) (?:set )?(?:only )?(?:holds|has|contains|shows|lists|returned|returns)) (?:only |just |exactly )?(?:one|a single|1) (\pL+)(?: (?:in|on) the (?:list|result|table))?[.!]?$|^(?:only|just|exactly) (?:one|1) (\pL+) (?:was|is) (?:found|listed|returned|shown|in the (?:list|result))`)
	oneRow     = regexp.MustCompile(`^(?:결과|목록|표)(?:에는|에|는|은)? ?(?:\pL+ )?(?:하나|한 (?:개|명|건|곳|행|가지)|1(?:개|명|건|곳|행|가지))(?:뿐|만 |밖에 )`)
	foundNone  = regexp.MustCompile(`(?i)^no (?:\pL+ ){1,2}(?:was|were) (?:found|returned)\b|^the (?:query|search|result|list) (?:returned|found|is|was|came back) (?:nothing|empty|no rows?|no results?)\b|^(?:조회|검색)된 .*하나도 없|^(?:조회|검색|결과).*(?:하나도|아무것도|전혀) 없`)
	thanAll    = regexp.MustCompile(`(?i)\bmore than (?:all )?(?:of )?(?:the )?(?:others?|other .*|rest|remaining .*|rest of .*) (?:together|combined|put together|taken together)|나머지.*(?:합친|합한|더한) 것보다`)
	sameAlways = regexp.MustCompile(`(?i)\b(?:stayed|stays|remained|remains) (?:exactly )?(?:the same|unchanged|constant|flat)(?: throughout| all the time| over .*| in all .*)?[.!]?$|계속 (?:같았|똑같았|동일했)|변함없|변하지 않`)
)

// checkSaidOfResult refuses what is said of a result as a whole and is not so: that it is empty or
// has one row, that one row has more than all others together, that nothing ever changed.
func (s *sentence) checkSaidOfResult() {
	if len(s.checker.tables) != 1 || s.checker.empty || s.checker.incomplete {
		return
	}
	t := s.checker.tables[0]
	switch {
	case foundNone.MatchString(s.text) && !s.anyCue(0, len(s.tokens), otherWords, "다른", "추가") && !s.hasAny(0, len(s.tokens), "other", "further", "more", "additional", "else") && !s.checker.questionDenies():
		s.violate(0, 1, "the result has rows")
	case t.count > 1 && s.saysOneRow() && len(s.referents) == 0:
		s.violate(0, 1, "the result has other rows, too")
	case t.whole && t.rows > 2 && thanAll.MatchString(s.text) && len(s.namesAround(0, len(s.tokens))) == 1 && !s.outweighs(t):
		s.violate(0, 1, "the others have more together")
	case t.whole && t.rows > 1 && sameAlways.MatchString(s.text) && len(s.figures) == 0 && len(s.referents) == 0 && !s.holdsStill(t):
		s.violate(0, 1, "the rows have not the same")
	}
}

// saysOneRow reports whether a sentence says that there is one row, by the noun for rows.
func (s *sentence) saysOneRow() bool {
	if oneRow.MatchString(s.text) {
		return true
	}
	for _, noun := range onlyOneRow.FindStringSubmatch(s.text) {
		if w := fold(noun); noun != "" && noun != s.text && (s.isRowNoun(w) || s.checker.isNoun(w) || genericNouns[w]) {
			return true
		}
	}
	return false
}

// outweighs reports whether the one name of a sentence has more in a measure than all other rows.
func (s *sentence) outweighs(t *table) bool {
	rows := s.namesAround(0, len(s.tokens))[0].rows[0]
	return t.anyMeasure(func(c *column) bool {
		own, all := c.sum(rows), c.sum(t.all())
		return c.adds() && own != nil && all != nil && new(big.Rat).Add(own, own).Cmp(all) > 0
	})
}

// holdsStill reports whether a measure that the sentence may mean is the same in all rows.
func (s *sentence) holdsStill(t *table) bool {
	return !slices.ContainsFunc(t.columns, func(c column) bool { return c.measure() }) || t.anyMeasure((*column).hasOneValue)
}

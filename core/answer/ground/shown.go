package ground

import (
	"regexp"
	"slices"
	"strings"
)

// onlyShown finds the words that keep what a sentence says to the rows that a reader sees,
// and beyondShown those that speak of others.
var (
	onlyShown   = regexp.MustCompile(`(?i)\b(?:among|of|in|across|within|for|over|leads|tops|heads|the|these|those) (?:the |those |these )?(?:[\w-]+ ){0,3}?(?:shown|returned|displayed|listed|visible|(?:that )?(?:I|we|you) can see)\b|\b(?:in|of|among|across) (?:these|those) (?:[\w-]+ )?rows\b|\b(?:in|within) (?:the|this) preview\b|표시된|반환된|표시되는|미리보기|보이는|(?:^|[ (])이 (?:\d+|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열) ?(?:명|건|개|곳|행|줄|종|가지)(?:의 | ?(?:중|가운데|안에서))`)
	beyondShown = regexp.MustCompile(`(?i)\bnot\b|n't\b|\b(?:other|others|more|further|remaining|rest|overall|all|ever|hidden)\b|않|나머지|전체|다른|모든|더 `)
)

// goesOn finds a sentence that goes on about the rows of the one before, saysShown one that says
// how many rows a reader sees, and endsOfList one behind it that tells the first of these.
var (
	goesOn     = regexp.MustCompile(`(?i)^(?:among|of|out of) (?:these|them|those)\b|\b(?:of|among) (?:these|them|those)\b|^(?:이|그) ?중|^이들 중|^이 가운데`)
	saysShown  = regexp.MustCompile(`(?i)\b(?:shown|displayed|listed|visible) here\b|\b(?:are|is) (?:shown|displayed|listed|visible)\b|\bstops at\b|\bin (?:the|this) preview\b|표시됩|표시되|표시된|표시했|표시합|보입니다|미리보기`)
	endsOfList = regexp.MustCompile(`(?i)^(?:첫 ?번째|처음|맨 위|맨 앞|the first (?:is|one|entry|row)\b)`)
)

// amongShown finds a sentence that begins with the rows that are shown, of which the next one
// goes on to say what is the most; ofResult finds one that turns to the whole.
var (
	amongShown = regexp.MustCompile(`(?i)^(?:among|of|in|within) |^[^ ]*표시된|^반환된`)
	saysMost   = regexp.MustCompile(`(?i)\b(?:[a-z]+est|most|least)\b|가장|제일`)
	ofResult   = regexp.MustCompile(`(?i)\b(?:results?|rows|list|total|altogether|limit|cut)\b|결과|전부|합계|총`)
)

// seeingBehind is the checker for a sentence behind another.
func (c *Checker) seeingBehind(text, before string) *Checker {
	if c.shown != nil && endsOfList.MatchString(text) && saysShown.MatchString(before) {
		return c.shown
	}
	if c.shown != nil && !beyondShown.MatchString(text) {
		scoped := c.seeing(before) == c.shown
		if goesOn.MatchString(text) && (saysShown.MatchString(before) || scoped) || scoped && amongShown.MatchString(before) && saysMost.MatchString(text) && !ofResult.MatchString(text) {
			return c.shown
		}
	}
	return c.seeing(text)
}

// seeing is the checker for a sentence: one that takes the rows that are shown for all
// rows where the sentence speaks of these alone.
func (c *Checker) seeing(text string) *Checker {
	if c.shown == nil || !onlyShown.MatchString(text) || beyondShown.MatchString(strings.ReplaceAll(text, "more than", "")) {
		return c
	}
	digits := strings.ReplaceAll(text, ",", "")
	if slices.ContainsFunc(c.tables, func(t *table) bool {
		return t.count != int64(t.rows) && regexp.MustCompile(`(^|\D)`+rat(t.count).Num().String()+`(\D|$)`).MatchString(digits)
	}) {
		return c
	}
	return c.shown
}

// onlyRows is a checker for which the rows that were seen are all.
func (c *Checker) onlyRows() *Checker {
	if c.incomplete || !c.partial() {
		return nil
	}
	shown := *c
	shown.tables = nil
	for _, t := range c.tables {
		of := *t
		of.whole, of.truncated, of.count = true, false, int64(t.rows)
		shown.tables = append(shown.tables, &of)
	}
	return &shown
}

// checkDatesOfNames refuses a date that is in none of the rows of what the clause names:
// "A was born in May and joined on the day on which B did".
func (s *sentence) checkDatesOfNames() {
	for _, d := range s.refs {
		if !d.date || s.boundsTime(d) || s.inTurn {
			continue
		}
		asked := slices.ContainsFunc(s.dates, func(of dateRef) bool { return of.at == d.at && s.mayDate(of.dateSpan) })
		if !asked && s.datesAll(d) {
			s.violate(d.at, d.to, "it stands in another row than what the clause speaks of")
			continue
		}
		if !s.isDay(d) {
			continue
		}
		var rows [][]int
		stranger := false
		for _, r := range s.refs {
			switch {
			case r.date || s.clause[r.at] != s.clause[d.at]:
			case r.at > d.at:
				stranger = true
			case rows == nil:
				rows = r.rows
			default:
				both := make([][]int, len(rows))
				for i := range rows {
					both[i] = intersect(rows[i], r.rows[i])
					stranger = stranger || len(rows[i]) > 0 && len(both[i]) == 0
				}
				rows = both
			}
		}
		if rows == nil || stranger {
			continue
		}
		for i := range rows {
			if len(rows[i]) > 0 && len(d.rows[i]) > 0 && len(intersect(rows[i], d.rows[i])) == 0 {
				s.violate(d.at, d.to, "it stands in another row than what the clause speaks of")
				break
			}
		}
	}
}

// isDay reports whether a date of the text is a day that neither the question nor a note
// has.
func (s *sentence) isDay(r ref) bool {
	return slices.ContainsFunc(s.dates, func(d dateRef) bool {
		return d.at == r.at && !s.mayDate(d.dateSpan) && slices.ContainsFunc(d.readings, func(p period) bool { return p.day != 0 })
	})
}

// boundsTime reports whether a date is only the end of a time, or what another is compared
// with.
func (s *sentence) boundsTime(r ref) bool {
	if s.hasAny(r.at-3, r.at, "since", "after", "before", "until", "between", "from", "to", "than", "by", "through", "–") {
		return true
	}
	return hasPrefix(s.foldAt(r.to), "이후", "이전", "전", "후", "부터", "까지", "보다") || hasSuffix(s.tokens[r.to-1].text, "부터", "까지", "보다")
}

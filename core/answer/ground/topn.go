package ground

import (
	"regexp"
	"slices"
)

// asksTop finds a question for so many rows from the top or the bottom of an order, of more
// that there are: "the 4 countries with the most", "상위 5개", "가장 큰 나라 5곳".
var asksTop = regexp.MustCompile(`(?i)\b(?:top|bottom|first|last|best|worst) (?:\d+|two|three|four|five|six|seven|eight|nine|ten)\b|\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten) (?:\pL+ ){0,2}?(?:with the (?:most|fewest|highest|lowest|largest|smallest)|most |highest|lowest|largest|biggest|smallest|cheapest|best|busiest|oldest|newest|latest)|(?:상위|하위) ?\d+|(?:가장|제일) .{1,24}\d+ ?(?:곳|개|명|건|개국|가지|종)|(?:높은|많은|큰|비싼|적은|낮은|작은) [^ ]{1,12} \d+ ?(?:곳|개|명|건|개국|가지|종)`)

// ofEverything finds the words that speak of all that there is, and not of the rows at hand.
var ofEverything = regexp.MustCompile(`(?i)\b(?:total|sum|revenue|share|\d%|percent) (?:\pL+ )?of all (?:the )?(\pL+)\b|\ball (?:the )?(\pL+) (?:together|combined|taken together)|\bacross all (?:the )?(\pL+)|\bworldwide\b|\bof all (?:the )?(\pL+)\b|모든 (\pL+?)(?:를|을|의|에서|중|이|가|은|는)? |전체 (\pL+?)(?:은|는|의|이|가|를|을|에서|중)? `)

// keptToRows finds the words that keep a sentence to the rows at hand.
var keptToRows = regexp.MustCompile(`(?i)\b(?:these|those|shown|listed|top|five|four|three|six|seven|eight|nine|ten|two|rows|list|combined total of the)\b|\b\d+ (?:countries|stores|products|customers)\b|상위|하위|위의|이들|표시|다섯|여섯|일곱|여덟|아홉|네 |세 |두 |\d+ ?개국|\d+ ?곳|\d+ ?개 `)

// checkTopOnly refuses that a result of the first rows of an order tells the total, a share or
// the least of all that there is.
func (s *sentence) checkTopOnly() {
	c := s.checker
	if len(c.tables) != 1 || !c.tables[0].whole || c.tables[0].rows < 2 || !c.asksFirst() {
		return
	}
	t := c.tables[0]
	said := s.text + " "
	if s.countsTopAsAll(t, said) {
		s.violate(0, 1, "the question asks for the first rows of an order only, so this is not how many there are")
		return
	}
	if keptToRows.MatchString(said) || !slices.ContainsFunc(t.columns, func(c column) bool { return c.measure() }) {
		return
	}
	at := ofEverything.FindStringSubmatch(said)
	if at == nil || s.denies() {
		return
	}
	for _, noun := range at[1:] {
		w := koreanStem(fold(noun))
		if noun != "" && !c.isNoun(w) && !c.concepts[concept(w)] && !isHangul(w) {
			return
		}
	}
	direction, _ := s.ordering(0, len(s.tokens))
	total := s.anyCue(0, len(s.tokens), totalWords, "합", "총") || s.anyCue(0, len(s.tokens), meanWords, meanKorean...) || s.anyCue(0, len(s.tokens), shareWords, "차지", "비중", "비율")
	if direction != 0 && c.seeks(direction) || direction == 0 && (len(s.figures) == 0 || !total && !hasTotal(t, s)) {
		return
	}
	s.violate(0, 1, "the question asks for the first rows of an order only, so this cannot be said of all")
}

// thereAre finds the words that say how many there are, of all and not only of the rows at hand.
var thereAre = regexp.MustCompile(`(?i)^(?:there (?:are|were|exist)|we (?:have|sell|offer|employ|run)|the database has|in total,? there are) |^(?:전체|총) \pL+(?:은|는|이|가) |^\pL+(?:은|는) (?:전체|총|모두) `)

// countsTopAsAll reports whether a sentence says of how many rows were asked for that there are no
// others: "we have 3 products" of the three dearest.
func (s *sentence) countsTopAsAll(t *table, said string) bool {
	if len(s.figures) != 1 || len(s.referents) > 0 || s.speaksOfTheResult(s.figures[0].at) || !thereAre.MatchString(said) || keptToRows.MatchString(withoutFigure(said)) {
		return false
	}
	n, ok := s.figures[0].count()
	return ok && n == int64(t.rows) && s.figures[0].to+2 >= len(s.tokens)-boolInt(s.is(len(s.tokens)-1, mark))
}

// withoutFigure takes a count with its noun out of a sentence.
func withoutFigure(text string) string { return countAndNoun.ReplaceAllString(text, "") }

var countAndNoun = regexp.MustCompile(`(?i)(?:\d+|two|three|four|five|six|seven|eight|nine|ten|두|세|네|다섯|여섯|일곱|여덟|아홉|열) ?\pL+`)

// hasTotal reports whether a figure of the sentence is the total of a column.
func hasTotal(t *table, s *sentence) bool {
	return slices.ContainsFunc(s.figures, func(f figure) bool {
		return len(f.amounts) > 0 && t.anyMeasure(func(c *column) bool { return c.adds() && f.derived(c.sum(t.all())) })
	})
}

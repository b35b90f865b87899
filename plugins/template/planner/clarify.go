package planner

import (
	"strings"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// What a word of the question is used as, with a column behind it.
const (
	columnUse = "column "
	periodUse = "period of "
	unitUse   = "unit of "
)

// maxReadings is as many as a person weighs at a glance.
const maxReadings = 6

// ambiguous says how the question can be read, and asks it anew in words that
// can be read in one way only, where there are such.
func (l *lexicon) ambiguous(tokens []token, best []candidate, hits []wire.ValueHit) *sdk.Refusal {
	r := &sdk.Refusal{Reason: string(reason.ReasonNeedsClarification)}
	best = best[:min(len(best), maxReadings)]
	at := firstDifference(best)
	for _, c := range best {
		r.Readings = append(r.Readings, c.text)
		if clear, ok := clearer(tokens, c, at); ok && l.means(clear, hits, c) {
			r.Proposals = append(r.Proposals, clear)
		}
	}
	return r
}

// firstDifference is the first word that the readings use differently.
func firstDifference(best []candidate) int {
	for at := range best[0].query.used {
		for _, c := range best[1:] {
			if at >= len(c.query.used) || c.query.used[at] != best[0].query.used[at] {
				return at
			}
		}
	}
	return len(best[0].query.used)
}

// clearer is the question with the table or the column said that the reading
// took at a word.
func clearer(tokens []token, c candidate, at int) (string, bool) {
	if at >= len(c.query.used) || len(c.query.used) != len(tokens) {
		return "", false
	}
	use := c.query.used[at].Used
	var insert string
	if rest, ok := strings.CutPrefix(use, columnUse); ok {
		insert = spoken(rest[:max(0, strings.LastIndexByte(rest, '.'))])
	}
	if rest, ok := strings.CutPrefix(use, unitUse); ok {
		insert = spoken(lastPart(rest))
	}
	if rest, ok := strings.CutPrefix(use, periodUse); ok {
		insert = "with " + spoken(lastPart(rest))
		if at > 0 && c.query.used[at-1].Used == "filter" {
			at--
		} else {
			insert += " in"
		}
	}
	if insert == "" {
		return "", false
	}
	words := make([]string, 0, len(tokens)+1)
	for i, t := range tokens {
		if i == at {
			words = append(words, insert)
		}
		words = append(words, t.asked())
	}
	return strings.ReplaceAll(strings.Join(words, " "), " ,", ","), true
}

// asked is the token as it stands in a question.
func (t token) asked() string {
	if t.kind == quotedToken {
		return "'" + t.text + "'"
	}
	return t.text
}

// means reports whether a question can be read as the candidate and not otherwise.
func (l *lexicon) means(question string, hits []wire.ValueHit, c candidate) bool {
	readings, _ := l.read(splitKorean(tokenize(question), l.knows), hits)
	best := closest(readings)
	return len(best) == 1 && best[0].key == c.key
}

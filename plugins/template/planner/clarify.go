package planner

import (
	"slices"
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
		for _, text := range append([]string{clearer(tokens, c, at)}, rephrasings(c)...) {
			if text != "" && l.means(text, hits, c) {
				r.Proposals = append(r.Proposals, text)
				break
			}
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
// took at a word, and wherever it took a column of another table unnamed; "" where
// nothing can be said.
func clearer(tokens []token, c candidate, at int) string {
	if len(c.query.used) != len(tokens) {
		return ""
	}
	inserts := map[int]string{}
	for _, i := range append(slices.Clone(c.query.unnamed), at) {
		if text, place := c.inserted(i); text != "" {
			inserts[place] = text
		}
	}
	if len(inserts) == 0 {
		return ""
	}
	var asked strings.Builder
	for i, t := range tokens {
		if i > 0 && t.kind != commaToken && t.kind != particleToken {
			asked.WriteByte(' ')
		}
		if text, ok := inserts[i]; ok {
			asked.WriteString(text + " ")
		}
		asked.WriteString(t.asked())
	}
	return asked.String()
}

// inserted are the words that say what the reading took at a token, and the token
// before which they belong; "" where none do.
func (c candidate) inserted(at int) (words string, place int) {
	if at >= len(c.query.used) {
		return "", at
	}
	use := c.query.used[at].Used
	if rest, ok := strings.CutPrefix(use, columnUse); ok {
		return plain(lastPart(rest[:max(0, strings.LastIndexByte(rest, '.'))])), at
	}
	if rest, ok := strings.CutPrefix(use, unitUse); ok {
		return plain(lastPart(rest)), at
	}
	if rest, ok := strings.CutPrefix(use, periodUse); ok {
		if at > 0 && c.query.used[at-1].Used == "filter" {
			return "with " + plain(lastPart(rest)), at - 1
		}
		return "with " + plain(lastPart(rest)) + " in", at
	}
	return "", at
}

// asked is the token as it stands in a question.
func (t token) asked() string {
	if t.kind == quotedToken {
		return quoted(t.text)
	}
	return t.text
}

// means reports whether a question can be read as the candidate and not otherwise.
func (l *lexicon) means(question string, hits []wire.ValueHit, c candidate) bool {
	read, ok := l.understood(question, hits)
	return ok && read.key == c.key
}

package planner

import (
	"slices"
	"strings"

	"golang.org/x/text/language"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// knows reports whether a token is a fixed word or part of a name of the data.
func (l *lexicon) knows(t token) bool {
	if vocabulary[t.word] || counterForm(t.word) {
		return true
	}
	for _, table := range l.tables {
		if partOf(t, table.names) || slices.ContainsFunc(table.columns, func(c *column) bool { return partOf(t, c.names) }) {
			return true
		}
	}
	return false
}

func partOf(t token, names [][]string) bool {
	return slices.ContainsFunc(names, func(words []string) bool {
		return slices.Contains(words, t.stem) || slices.Contains(words, t.word)
	})
}

// notUnderstood are the words that stand for nothing; when all stand for
// something, those from the place on where the furthest reading ended.
func (l *lexicon) notUnderstood(tokens []token, far int, hits []wire.ValueHit) []string {
	var unknown []string
	for i, t := range tokens {
		if t.kind == wordToken && !l.knows(t) && !inHit(tokens, i, hits) {
			unknown = append(unknown, t.text)
		}
	}
	if len(unknown) > 0 {
		return unknown
	}
	for _, t := range tokens[min(far, max(0, len(tokens)-1)):] {
		if t.kind != commaToken && t.kind != particleToken {
			unknown = append(unknown, t.text)
		}
	}
	return unknown
}

// inHit reports whether the token is part of a value of the data.
func inHit(tokens []token, at int, hits []wire.ValueHit) bool {
	return slices.ContainsFunc(hits, func(h wire.ValueHit) bool {
		words := stems(h.Word)
		for start := max(0, at-len(words)+1); start <= at; start++ {
			if len(words) > 0 && spells(tokens, start, words) {
				return true
			}
		}
		return false
	})
}

// maxProposals is as many questions as are read with care.
const maxProposals = 6

// refuse says which words stood in the way, and what could be asked instead:
// first of the tables that the question names.
func (l *lexicon) refuse(tokens []token, words []string, lang string) *sdk.Refusal {
	r := &sdk.Refusal{Reason: string(reason.ReasonWordsNotUnderstood), NotUnderstood: words}
	say := english
	if base, _ := language.Make(lang).Base(); base.String() == "ko" {
		say = korean
	}
	for _, opening := range []string{"How many ", "List "} {
		if asked := opening + strings.Join(asAsked(tokens), " "); l.understands(asked) {
			r.Proposals = append(r.Proposals, asked)
		}
	}
	named, rest := l.split(tokens)
	perTable := maxProposals
	if len(named) == 0 {
		// One question of each of several tables shows more than all of one.
		perTable = 1
	}
	for _, t := range append(named, rest...) {
		questions := say(t)
		for _, text := range questions[:min(perTable, len(questions))] {
			if len(r.Proposals) == maxProposals {
				return r
			}
			if l.understands(text) {
				r.Proposals = append(r.Proposals, text)
			}
		}
	}
	return r
}

func asAsked(tokens []token) []string {
	words := make([]string, len(tokens))
	for i, t := range tokens {
		words[i] = t.asked()
	}
	return words
}

// understands reports whether the planner itself would answer the question.
func (l *lexicon) understands(question string) bool {
	readings, _ := l.read(splitKorean(tokenize(question), l.knows), nil)
	return clear(closest(readings))
}

// split sorts the tables into those that the question names and the others.
func (l *lexicon) split(tokens []token) (named, rest []*table) {
	for _, t := range l.tables {
		found := false
		for at := range tokens {
			found = found || len(matchName(tokens, at, t.names)) > 0
		}
		if found {
			named = append(named, t)
		} else {
			rest = append(rest, t)
		}
	}
	return named, rest
}

// english are questions about a table, the plainest first.
func english(t *table) []string {
	name := plural(spoken(t.Name))
	out := []string{"How many " + name + " are there?"}
	if c := t.category(); c != nil {
		out = append(out, "How many "+name+" are there by "+spoken(c.Name)+"?")
	}
	if c := t.amount(); c != nil {
		out = append(out, "What is the average "+spoken(c.Name)+" of "+name+"?")
	}
	if title := t.title(); len(title) > 0 && !title[0].isKey() {
		return append(out, "List the "+plural(spoken(title[0].Name))+" of "+name)
	}
	return append(out, "List all "+name)
}

func korean(t *table) []string {
	name := spoken(t.Name)
	out := []string{name + " 수는?"}
	if c := t.category(); c != nil {
		out = append(out, spoken(c.Name)+"별 "+name+" 수는?")
	}
	return out
}

// spoken is a name as people write it.
func spoken(name string) string { return strings.Join(splitName(lastPart(name)), " ") }

// plural is the plural of a name, or the name where ours would not lead back.
func plural(name string) string {
	lower := strings.ToLower(name)
	last := lower[strings.LastIndexByte(lower, ' ')+1:]
	if stem(last) != last || hangul(last) || len(last) < 3 {
		return name
	}
	for _, ending := range []string{"s", "es"} {
		if stem(last+ending) == last {
			return name + ending
		}
	}
	if base, ok := strings.CutSuffix(name, "y"); ok {
		return base + "ies"
	}
	return name
}

// category is a column by which rows are likely to fall into groups.
func (t *table) category() *column {
	for _, c := range t.columns {
		if len(c.names) == 0 {
			continue
		}
		last := c.names[0][len(c.names[0])-1]
		unlikely := slices.Contains([]string{"name", "title", "email", "phone", "address", "description", "note", "comment", "id", "url"}, last)
		if c.Type.Kind == wire.KindText && !c.isKey() && !unlikely && len(c.Tags) == 0 {
			return c
		}
	}
	return nil
}

// amount is a column of which people ask the average.
func (t *table) amount() *column {
	for _, c := range t.columns {
		if k := c.Type.Kind; (k == wire.KindDecimal || k == wire.KindFloat || k == wire.KindInt) && measurable("avg", c) && len(c.Tags) == 0 {
			return c
		}
	}
	return nil
}

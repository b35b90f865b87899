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

// notUnderstood are the words that stand for nothing; none when each word is
// known and only what they say together is not. far is where the furthest reading
// ended: what is quoted there fits nothing either.
func (l *lexicon) notUnderstood(tokens []token, far int, hits []wire.ValueHit) []string {
	var unknown []string
	for i, t := range tokens {
		if !l.understandsToken(t, i == far) && !inHit(tokens, i, hits) {
			unknown = append(unknown, t.text)
		}
	}
	return unknown
}

func (l *lexicon) understandsToken(t token, last bool) bool {
	switch t.kind {
	case wordToken:
		return l.knows(t)
	case symbolToken:
		return vocabulary[t.word]
	case periodToken:
		return onCalendar(t.text) > 0
	case quotedToken:
		return !last || l.names(t)
	}
	return true
}

// names reports whether what stands in quotes is the name of something.
func (l *lexicon) names(t token) bool {
	alone := []token{t}
	return slices.ContainsFunc(l.tables, func(table *table) bool {
		return len(matchName(alone, 0, table.names, table.exact)) > 0 || slices.ContainsFunc(table.columns, func(c *column) bool {
			return len(matchName(alone, 0, c.names, c.exact)) > 0
		})
	})
}

// inHit reports whether the token is part of a value of the data.
func inHit(tokens []token, at int, hits []wire.ValueHit) bool {
	return slices.ContainsFunc(hits, func(h wire.ValueHit) bool {
		words := stems(h.Word)
		if tokens[at].kind == quotedToken {
			return strings.EqualFold(tokens[at].text, h.Word)
		}
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
func (l *lexicon) refuse(question string, tokens []token, words []string, request sdk.PlanRequest) *sdk.Refusal {
	r := &sdk.Refusal{Reason: string(reason.ReasonWordsNotUnderstood), NotUnderstood: words}
	if len(tokens) > 0 && !opens(tokens[0]) && !strings.ContainsFunc(question, unseen) {
		for _, opening := range []string{"How many ", "List "} {
			asked := opening + strings.TrimSpace(question)
			if _, ok := l.understood(asked, request.ValueHits); ok {
				r.Proposals = append(r.Proposals, asked)
			}
		}
	}
	named, rest := l.split(question, tokens)
	perTable := maxProposals
	if len(named) == 0 {
		// One question of each of several tables shows more than all of one.
		perTable = 1
	}
	say := english
	if base, _ := language.Make(request.Language).Base(); base.String() == "ko" {
		say = korean
	}
	for _, t := range append(named, rest...) {
		room := min(perTable, maxProposals-len(r.Proposals))
		if room == 0 {
			break
		}
		r.Proposals = append(r.Proposals, l.askable(t, say(t), room)...)
	}
	return r
}

// opens reports whether a question that begins with the token asks for something
// already.
func opens(t token) bool {
	return slices.ContainsFunc(slices.Concat(askers, listers, counters, tops), func(p phrase) bool { return p[0] == t.word })
}

// proposal is a question about a table, and the columns that it names.
type proposal struct {
	text    func(names []string) string
	columns []*column
}

// askable are the first of the questions about the table that are answered, each
// in the plainest spelling in which it is.
func (l *lexicon) askable(t *table, questions []proposal, most int) []string {
	var out []string
	for _, q := range questions {
		if len(out) == most {
			break
		}
		if text, ok := l.spell(t, q); ok {
			out = append(out, text)
		}
	}
	return out
}

// spell finds the spelling of a question in which it is about the table.
func (l *lexicon) spell(t *table, q proposal) (string, bool) {
	for _, outer := range spellers {
		for _, inner := range spellers[:2] {
			names := []string{outer.table(t.Name)}
			for _, c := range q.columns {
				names = append(names, inner.column(c.Name))
			}
			if slices.Contains(names, "") {
				continue
			}
			text := q.text(names)
			if c, ok := l.understood(text, nil); ok && c.table == t {
				return text, true
			}
			if len(q.columns) == 0 {
				break
			}
		}
	}
	return "", false
}

// split sorts the tables into those that the question names, if only without the
// quotes that their names need, and the others.
func (l *lexicon) split(question string, tokens []token) (named, rest []*table) {
	question = strings.ToLower(question)
	for _, t := range l.tables {
		own := lastPart(t.Name)
		unquoted := plain(own) == quoted(own) && own != "" && strings.Contains(question, strings.ToLower(own))
		if unquoted || t.namedIn(tokens) {
			named = append(named, t)
		} else {
			rest = append(rest, t)
		}
	}
	return named, rest
}

// namedIn reports whether the table's name occurs among the tokens.
func (t *table) namedIn(tokens []token) bool {
	for at := range tokens {
		if len(matchName(tokens, at, t.names, t.exact)) > 0 {
			return true
		}
	}
	return false
}

// english are questions about a table, the plainest first.
func english(t *table) []proposal {
	out := []proposal{{text: func(n []string) string { return "How many " + plural(n[0]) + " are there?" }}}
	if c := t.category(); c != nil {
		out = append(out, proposal{func(n []string) string { return "How many " + plural(n[0]) + " are there by " + n[1] + "?" }, []*column{c}})
	}
	if c := t.amount(); c != nil {
		out = append(out, proposal{func(n []string) string { return "What is the average " + n[1] + " of " + plural(n[0]) + "?" }, []*column{c}})
	}
	if title := t.title(); len(title) > 0 && !title[0].isKey() {
		return append(out, proposal{func(n []string) string { return "List the " + plural(n[1]) + " of " + plural(n[0]) }, title[:1]})
	}
	return append(out, proposal{text: func(n []string) string { return "List all " + plural(n[0]) }})
}

func korean(t *table) []proposal {
	out := []proposal{{text: func(n []string) string { return n[0] + " 수는?" }}}
	if c := t.category(); c != nil {
		out = append(out, proposal{func(n []string) string { return n[1] + "별 " + n[0] + " 수는?" }, []*column{c}})
	}
	return out
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

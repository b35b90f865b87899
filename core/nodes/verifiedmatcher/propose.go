package verifiedmatcher

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"querent.dev/querent/sdk/wire"
)

// mostProposals is how many questions are offered: a few are read, a list is not.
const mostProposals = 4

// Proposals are questions that the caller may ask of the datasource instead of
// the one that was asked, word for word: those that share most words with it
// first, then in the order of the configuration. Slots are filled with values
// that the parameters allow.
func (m *Matcher) Proposals(ctx context.Context, in Input) []string {
	var out []string
	for _, q := range m.nearest(in) {
		values, askable := q.samples(in)
		if !askable {
			continue
		}
		if _, ok := m.permitted(ctx, in, candidate{query: q, values: values}); ok {
			out = append(out, q.example(in.Question, values))
		}
		if len(out) == mostProposals || ctx.Err() != nil {
			break
		}
	}
	return out
}

// nearest are the datasource's queries, those that share most words with the
// question first.
func (m *Matcher) nearest(in Input) []*compiled {
	said := map[string]bool{}
	for _, w := range content(split(in.Question)) {
		said[stem(w)] = true
	}
	shared := map[*compiled]int{}
	var out []*compiled
	for i := range m.queries {
		q := &m.queries[i]
		if in.Datasource != "" && q.Datasource != in.Datasource {
			continue
		}
		shared[q] = q.shares(said)
		out = append(out, q)
	}
	slices.SortStableFunc(out, func(a, b *compiled) int { return shared[b] - shared[a] })
	return out
}

// shares is the number of words that the best of the wordings has in common.
func (q *compiled) shares(said map[string]bool) int {
	most := 0
	for _, t := range q.templates {
		n := 0
		for _, w := range t.content {
			if said[stem(w)] {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

func (q *compiled) samples(in Input) (map[string]wire.Value, bool) {
	values := map[string]wire.Value{}
	for name, p := range q.Params {
		v, ok := sample(p, in.Clock.Now)
		if !ok {
			return nil, false
		}
		values[name] = v
	}
	return values, len(q.Questions) > 0
}

// example is a wording of the query, in the script of the question if there is
// one, with the values in its slots.
func (q *compiled) example(question string, values map[string]wire.Value) string {
	wording := q.Questions[0]
	for _, w := range q.Questions {
		if hangul(w) == hangul(question) {
			wording = w
			break
		}
	}
	return slotForm.ReplaceAllStringFunc(wording, func(slot string) string {
		return values[slot[1:len(slot)-1]].String()
	})
}

func hangul(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Hangul, r) })
}

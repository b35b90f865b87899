package verifiedmatcher

import (
	"context"

	"querent.dev/querent/sdk/wire"
)

// mostProposals is how many questions are offered: a few are read, a list is not.
const mostProposals = 6

// Proposals are questions that the caller may ask of the datasource, word for
// word, in the order of the configuration. Slots are filled with values that
// the parameters allow.
func (m *Matcher) Proposals(ctx context.Context, in Input) []string {
	var out []string
	for i := range m.queries {
		q := &m.queries[i]
		if in.Datasource != "" && q.Datasource != in.Datasource {
			continue
		}
		values, askable := q.samples(in)
		if !askable {
			continue
		}
		if _, ok := m.permitted(ctx, in, candidate{query: q, values: values}); ok {
			out = append(out, q.example(values))
		}
		if len(out) == mostProposals || ctx.Err() != nil {
			break
		}
	}
	return out
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

// example is the query's first question with the values in its slots.
func (q *compiled) example(values map[string]wire.Value) string {
	return slotForm.ReplaceAllStringFunc(q.Questions[0], func(slot string) string {
		return values[slot[1:len(slot)-1]].String()
	})
}

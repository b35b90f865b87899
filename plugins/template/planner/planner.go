// Package planner turns questions into plans without a model. Its grammar is
// small and closed: a question is answered only when every word of it is
// accounted for and it can be read in one way. All else is refused, with the
// words that stood in the way and with questions that would be understood.
package planner

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/wire"
)

// maxTokens is far above the words of any question the grammar holds.
const maxTokens = 60

// Planner is an sdk.Planner. The same request gives the same response.
type Planner struct{ patterns []*Pattern }

var _ sdk.Planner = (*Planner)(nil)

// New is a Planner that tries the patterns, in order, before its grammar.
func New(patterns []*Pattern) *Planner { return &Planner{patterns} }

// Plan implements sdk.Planner. It never fails: what it cannot read it refuses.
func (pl *Planner) Plan(_ context.Context, r sdk.PlanRequest) (sdk.PlanResponse, error) {
	l := newLexicon(r.Catalog)
	question := r.Intent
	if question == "" {
		question = r.Question
	}
	tokens := tokenize(question)
	if res, ok := pl.byPattern(tokens); ok {
		return res, nil
	}
	tokens = l.named(tokens)
	if len(tokens) > maxTokens {
		return sdk.PlanResponse{Refusal: l.refuse("", nil, nil, r)}, nil
	}
	readings, far := l.read(tokens, r.ValueHits)
	best := closest(readings)
	switch {
	case len(best) == 0:
		return sdk.PlanResponse{Refusal: l.refuse(question, tokens, l.notUnderstood(tokens, far, r.ValueHits), r)}, nil
	case !clear(best):
		return sdk.PlanResponse{Refusal: l.ambiguous(tokens, best, r.ValueHits)}, nil
	case best[0].tooWide():
		return sdk.PlanResponse{Refusal: l.tooWide(best[0])}, nil
	}
	return sdk.PlanResponse{Plan: &best[0].plan, Reading: best[0].text, Coverage: withoutCommas(best[0].query.used)}, nil
}

// clear reports whether a question with these readings is answered.
func clear(best []candidate) bool { return len(best) == 1 && best[0].query.certain() }

// understood is the reading of a question that is answered.
func (l *lexicon) understood(question string, hits []wire.ValueHit) (candidate, bool) {
	tokens := l.tokens(question)
	if len(tokens) > maxTokens {
		return candidate{}, false
	}
	readings, _ := l.read(tokens, hits)
	best := closest(readings)
	if !clear(best) || best[0].tooWide() {
		return candidate{}, false
	}
	return best[0], true
}

// candidate is one way to read a question.
type candidate struct {
	table *table
	query query
	plan  wire.Plan
	text  string
	key   string // the plan's bytes: readings of the same plan are one
}

// read finds all readings of the tokens, and how far the furthest came. When it
// cannot try all, it finds none: what it missed might be what is meant.
func (l *lexicon) read(tokens []token, values []wire.ValueHit) ([]candidate, int) {
	var out []candidate
	far := 0
	hits := make([]hit, len(values))
	for i, v := range values {
		hits[i] = hit{v, stems(v.Word)}
	}
	for _, t := range l.tables {
		if !t.namedIn(tokens) {
			// Every form of a question names the table that it is about.
			continue
		}
		p := &parser{tokens: tokens, hits: hits, l: l, t: t}
		for _, q := range p.question()(query{}) {
			if q.at == len(tokens) {
				q.unsure = q.unsure || !q.consistent()
				out = appendNew(out, t, q)
			}
		}
		far = max(far, p.far)
		if p.steps >= maxSteps {
			return nil, far
		}
	}
	return out, far
}

func appendNew(out []candidate, t *table, q query) []candidate {
	c := candidate{table: t, query: q, plan: emit(t, q), text: reading(t, q)}
	var b bytes.Buffer
	// A plan of strings and numbers always encodes.
	_ = json.NewEncoder(&b).Encode(c.plan)
	c.key = b.String()
	same := slices.IndexFunc(out, func(old candidate) bool { return old.key == c.key })
	switch {
	case same < 0:
		out = append(out, c)
	case !out[same].query.certain():
		out[same] = c
	}
	return out
}

// closest are the readings that reach the fewest other tables.
func closest(all []candidate) []candidate {
	var best []candidate
	for _, c := range all {
		switch {
		case len(best) == 0 || c.query.distance < best[0].query.distance:
			best = []candidate{c}
		case c.query.distance == best[0].query.distance:
			best = append(best, c)
		}
	}
	return best
}

func withoutCommas(all []sdk.Coverage) []sdk.Coverage {
	return slices.DeleteFunc(slices.Clone(all), func(c sdk.Coverage) bool { return c.Word == "," })
}

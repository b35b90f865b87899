// Package verifiedmatcher is the node that knows a question again: one that
// matches a verified query takes the query's approved plan and skips planning.
//
// Matching is deterministic. A question that is word for word one of a query's
// templates matches; else one that differs from it in nothing but words without
// meaning and plurals, unless a second query is as near.
// A query that the caller may not run is neither matched nor named.
package verifiedmatcher

import (
	"context"
	"slices"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// Input is what the node reads of the run.
type Input struct {
	Question   string
	Caller     policy.Caller
	Datasource schema.DatasourceID // "": any
	Clock      plan.Clock
}

// Output is what the node gives to the run. A nil Match means that the question
// has to be planned.
type Output struct {
	Match   *Match
	Summary string
}

// Match is a verified query that answers the question.
type Match struct {
	Verified   wire.VerifiedMatch
	Datasource schema.DatasourceID
	Plan       wire.Plan // with the question's values in place
	// Catalog is the snapshot against which the caller's rights were checked.
	Catalog *schema.Catalog
}

// Catalogs gives the snapshot of a datasource's structure.
type Catalogs interface {
	Catalog(ctx context.Context, id schema.DatasourceID) (*schema.Catalog, error)
}

// Policy decides what a caller may run.
type Policy interface {
	View(cat *schema.Catalog, caller policy.Caller) (*policy.View, error)
	Secure(cat *schema.Catalog, q *plan.Query, caller policy.Caller) (policy.Secured, error)
}

// Matcher is the node. It is safe for concurrent use.
type Matcher struct {
	queries  []compiled
	catalogs Catalogs
	policy   Policy
	logger   hclog.Logger
}

// New compiles the verified queries. The error lists every query that cannot be
// used, with the reason.
func New(queries []Query, catalogs Catalogs, p Policy, logger hclog.Logger) (*Matcher, error) {
	ready, err := compile(queries)
	if err != nil {
		return nil, err
	}
	return &Matcher{queries: ready, catalogs: catalogs, policy: p, logger: logger}, nil
}

// longestQuestion is, in words, the longest question that is compared: verified
// queries answer short ones.
const longestQuestion = 100

// Run looks for the one query that answers the question. It fails only when ctx
// ends: a query that cannot be checked is not matched.
func (m *Matcher) Run(ctx context.Context, in Input) (Output, error) {
	words := split(in.Question)
	if len(words) > longestQuestion {
		return Output{Summary: "The question is longer than any verified query."}, nil
	}
	exact, near := m.candidates(words, in.Datasource)
	match, err := m.decide(ctx, in, exact, 0)
	if err == nil && match == nil {
		match, err = m.decide(ctx, in, near, margin)
	}
	if err != nil {
		return Output{}, err
	}
	if match == nil {
		return Output{Summary: "No verified query matches the question."}, nil
	}
	return Output{Match: match, Summary: "The verified query " + match.Verified.ID + " answers the question."}, nil
}

// candidate is a query that the question may mean.
type candidate struct {
	query  *compiled
	values map[string]wire.Value
	score  float64
}

// candidates are the queries whose wording fits, at most one of each list a
// query, the best first.
func (m *Matcher) candidates(words []word, of schema.DatasourceID) (exact, near []candidate) {
	said := content(words)
	for i := range m.queries {
		q := &m.queries[i]
		if of != "" && q.Datasource != of {
			continue
		}
		if values, ok := q.matches(words); ok {
			exact = append(exact, candidate{q, values, 1})
		} else if values, score := q.resembles(words, said); score > 0 {
			near = append(near, candidate{q, values, score})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	return exact, near
}

// decide takes the best candidate that the caller may run, unless another that
// the caller may run comes within the margin: then the question is ambiguous,
// and planning it is safer than guessing.
func (m *Matcher) decide(ctx context.Context, in Input, list []candidate, margin float64) (*Match, error) {
	var best *Match
	score := 0.0
	for _, c := range list {
		if best != nil && score-c.score > margin {
			break
		}
		match, ok := m.permitted(ctx, in, c)
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		switch {
		case !ok:
			continue
		case best != nil:
			return nil, nil
		}
		best, score = match, c.score
	}
	return best, nil
}

// permitted binds the candidate's plan and secures it for the caller.
func (m *Matcher) permitted(ctx context.Context, in Input, c candidate) (*Match, bool) {
	log := m.logger.With("verified", c.query.id())
	cat, err := m.catalogs.Catalog(ctx, c.query.Datasource)
	if err != nil {
		log.Warn("the query's datasource cannot be read", "error", err)
		return nil, false
	}
	view, err := m.policy.View(cat, in.Caller)
	if err != nil {
		return nil, false
	}
	bound, filled, err := c.query.Bind(c.values, plan.Scope{Catalog: cat, Visible: view, Clock: in.Clock})
	if err != nil {
		log.Warn("the query's plan cannot be used", "error", err)
		return nil, false
	}
	if _, err := m.policy.Secure(cat, bound, in.Caller); err != nil {
		return nil, false
	}
	return &Match{Verified: c.query.wire(), Datasource: c.query.Datasource, Plan: filled, Catalog: cat}, true
}

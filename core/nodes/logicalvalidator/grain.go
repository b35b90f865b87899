package logicalvalidator

import (
	"slices"

	"querent.dev/querent/core/fanout"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// grain is a query of which it is known how often its aggregates count a row.
type grain struct {
	query *plan.Query
	done  []string    // what was rewritten, in words
	notes []wire.Note // what may be counted more than once
	parts []string    // the blocks that put rows together before they are joined
}

// grain rewrites where it is certain what was meant, and notes or refuses the rest.
// An approved plan, and one that rewriting would spoil, is taken as it is.
func (v *Validator) grain(query *plan.Query, in Input, rewrite bool) (grain, error) {
	out := grain{query: query}
	if rewrite {
		fixed, done, err := fanout.Fix(query)
		if err != nil {
			return grain{}, err
		}
		out.query = fixed
		for _, f := range done {
			out.done = append(out.done, f.Message())
			out.parts = append(out.parts, f.Parts...)
		}
	}
	for _, f := range fanout.Find(out.query) {
		if v.RefuseFanOut && !in.Approved {
			return grain{}, refusal(f)
		}
		out.notes = append(out.notes, wire.Note{Code: reason.JoinFanOut, Message: f.MessageIn(in.Language), Detail: f.Detail()})
	}
	return out, nil
}

// secure secures the query. Where access rules forbid rows to be put together before
// they are joined, or would leave some of these out as small groups, the query as it
// was written is secured instead: the rules hold for its own groups.
func (v *Validator) secure(written *plan.Query, g grain, in Input) (grain, policy.Secured, error) {
	secured, err := v.Policy.Secure(in.Catalog, g.query, in.Caller)
	if len(g.parts) == 0 || err == nil && !leavesOut(secured, g.parts) {
		return g, secured, err
	}
	g, err = v.grain(written, in, false)
	if err != nil {
		return grain{query: written}, policy.Secured{}, err
	}
	secured, err = v.Policy.Secure(in.Catalog, g.query, in.Caller)
	return g, secured, err
}

// leavesOut reports whether one of the blocks has a condition on its groups, which
// only access rules put there.
func leavesOut(secured policy.Secured, parts []string) bool {
	return slices.ContainsFunc(secured.Query().Blocks, func(b *plan.Block) bool {
		return b.Having != nil && slices.Contains(parts, b.Name)
	})
}

func refusal(f fanout.Finding) error {
	return reason.New(reason.PlanInvalid, reason.ReasonPlanInvalid, "fan-out is refused: %s", f.Message()).
		WithSafe("select: %s To count each row once, %s.", f.Message(), f.Hint()).
		WithEvidence("field", "select")
}

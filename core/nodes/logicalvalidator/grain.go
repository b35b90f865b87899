package logicalvalidator

import (
	"querent.dev/querent/core/fanout"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// grain is a query of which it is known how often its aggregates count a row.
type grain struct {
	query *plan.Query
	done  []string    // what was rewritten, in words
	notes []wire.Note // what may be counted more than once
}

// grain rewrites where it is certain what was meant, and notes or refuses the rest.
func (v *Validator) grain(query *plan.Query, approved bool, language string) (grain, error) {
	out := grain{query: query}
	if !approved {
		fixed, done, err := fanout.Fix(query)
		if err != nil {
			return grain{}, err
		}
		out.query = fixed
		for _, f := range done {
			out.done = append(out.done, f.Message())
		}
	}
	for _, f := range fanout.Find(out.query) {
		if v.RefuseFanOut && !approved {
			return grain{}, refusal(f)
		}
		out.notes = append(out.notes, wire.Note{Code: reason.JoinFanOut, Message: f.MessageIn(language), Detail: f.Detail()})
	}
	return out, nil
}

func refusal(f fanout.Finding) error {
	return reason.New(reason.PlanInvalid, reason.ReasonPlanInvalid, "fan-out is refused: %s", f.Message()).
		WithSafe("select: %s To count each row once, %s.", f.Message(), f.Hint()).
		WithEvidence("field", "select")
}

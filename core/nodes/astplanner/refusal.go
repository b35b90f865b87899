package astplanner

import (
	"fmt"
	"slices"
	"strings"

	"querent.dev/querent/sdk/reason"
)

// refused is the error of a planner's refusal. The words in its message are the
// asker's own.
func (n *Node) refused(in Input, why reason.Reason, r *Refusal) *reason.Error {
	switch {
	case why == reason.ReasonNeedsClarification:
		err := reason.New(reason.Ambiguous, why, "the planner sees %d readings of the question", len(r.Readings))
		if len(r.Readings) == 1 {
			err = err.WithSafe("It is not certain that the question means what it was read as.")
		}
		return err
	case in.View.Restricted(r.NotUnderstood) || in.View.Restricted(strings.Fields(in.Question)):
		*r = Refusal{}
		return reason.New(reason.PolicyDenied, reason.ReasonNotPermitted, "the question names what the caller %q may not see", in.Caller.Name)
	case why == reason.ReasonNoDatasource:
		return reason.New(reason.UnmappedCode, why, "the planner found nothing in %s that the question asks for", in.Datasource)
	}
	err := reason.New(reason.NotUnderstood, reason.ReasonWordsNotUnderstood, "the planner did not understand %q", r.NotUnderstood)
	if len(r.NotUnderstood) > 0 {
		err = err.WithSafe("These words of the question match nothing in the data: %s.", quoted(r.NotUnderstood))
	}
	return err
}

func quoted(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = fmt.Sprintf("%q", w)
	}
	return strings.Join(out, ", ")
}

// mostProposals is how many questions are offered: a few are read, a list is not.
const mostProposals = 8

// proposals takes from each list in turn, and each question once.
func proposals(lists ...[]string) []string {
	var out []string
	for i := 0; i < mostProposals; i++ {
		for _, list := range lists {
			if i < len(list) && len(out) < mostProposals && !slices.Contains(out, list[i]) {
				out = append(out, list[i])
			}
		}
	}
	return out
}

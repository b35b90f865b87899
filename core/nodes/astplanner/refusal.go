package astplanner

import (
	"fmt"
	"slices"
	"strings"

	"querent.dev/querent/sdk/reason"
)

// refused is the error of a planner's refusal. The words in its message are the
// asker's own.
func (n *Node) refused(in Input, why reason.Reason, readings []string, r *Refusal) *reason.Error {
	switch {
	case why == reason.ReasonNeedsClarification:
		return unclear(readings, r.Choices)
	case in.View.Restricted(r.NotUnderstood) || in.View.Restricted(strings.Fields(in.Question)):
		*r = Refusal{}
		return reason.New(reason.PolicyDenied, reason.ReasonNotPermitted, "the question names what the caller %q may not see", in.Caller.Name)
	case why == reason.ReasonNoDatasource:
		return reason.New(reason.UnmappedCode, why, "the planner found nothing in %s that the question asks for", in.Datasource)
	}
	err := reason.New(reason.NotUnderstood, reason.ReasonWordsNotUnderstood, "the planner did not understand %q", r.NotUnderstood)
	if len(r.NotUnderstood) == 0 {
		return err.WithSafe("Each word of the question is known, but not what they ask for together.")
	}
	return err.WithSafe("These words of the question match nothing in the data: %s.", quoted(r.NotUnderstood))
}

// unclear asks back. The choices are questions; without any, the readings show
// what stands in doubt.
func unclear(readings, choices []string) *reason.Error {
	err := reason.New(reason.Ambiguous, reason.ReasonNeedsClarification, "the planner sees %d readings of the question", len(readings))
	if len(choices) == 0 {
		err = err.WithNext("Ask again, and name the tables and columns that you mean.")
	}
	switch {
	case len(readings) == 1:
		return err.WithSafe("The question was read as follows, but is not clear enough: %s", readings[0])
	case len(readings) > 1 && len(choices) == 0:
		return err.WithSafe("The question can be read in more than one way: %s", strings.Join(readings, " "))
	case len(readings) > 1:
		return err.WithSafe("The question can be read in more than one way.")
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

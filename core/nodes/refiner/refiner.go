// Package refiner is the node that turns the failure of an attempt into what the
// next one is told: the host's own message, exact about the place and what would
// be right, and on request a model's advice on it.
package refiner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// Input is what the node reads of the sub-query.
type Input struct {
	RequestID string
	Intent    string
	Failure   *reason.Error
	Plan      *wire.Plan // the plan that failed; nil when there was none
	// Schema is the part of the structure that the caller may see, as the planner
	// is told it.
	Schema   string
	Feedback []string // on earlier attempts
}

// Output is what the node gives to the sub-query.
type Output struct {
	Feedback []string // for the next attempt, the latest last
	Call     provider.Call
	// Recovered are failures of the refiner's own provider: the host's message
	// stands in.
	Recovered []*reason.Error
	Summary   string
}

// Model is asked for one JSON object. Its errors are *reason.Error.
type Model interface {
	HasModel() bool
	Object(ctx context.Context, t provider.ObjectTask) (provider.ObjectOutcome, error)
}

// Node is the node. It is safe for concurrent use.
type Node struct {
	// Model words advice; nil, or one without a model, leaves the host's message.
	Model Model
	// Rules replace our rules at the head of the model's prompt; "" keeps them.
	Rules string
}

// mostFeedback is how many failures the next attempt is told of: older ones cost
// tokens and repeat themselves.
const mostFeedback = 3

// Run words the failure. A failure that says nothing about the plan, such as a
// provider that was down, adds nothing. The error is always nil: without a
// model's advice the host's message stands.
func (n *Node) Run(ctx context.Context, in Input) (Output, error) {
	out := Output{Feedback: in.Feedback}
	message := hostMessage(in.Failure)
	if message == "" {
		out.Summary = "The planner is asked once more, as before."
		return out, nil
	}
	out.Summary = "The planner is told: " + message
	if n.Model != nil && n.Model.HasModel() {
		got := n.advise(ctx, in, message)
		out.Call, out.Recovered = got.call, got.failed
		if got.text != "" {
			message += "\nAdvice: " + got.text
			out.Summary += " A model advised on it."
		}
	}
	out.Feedback = append(slices.Clip(in.Feedback), withPlan(message, in.Plan))
	out.Feedback = out.Feedback[max(0, len(out.Feedback)-mostFeedback):]
	return out, nil
}

// hostMessage is the failure in words that name nothing which the caller may not
// see and hold no text of a database or a provider; "" when it says nothing
// about the plan.
func hostMessage(err *reason.Error) string {
	var invalid *plan.Error
	if errors.As(err, &invalid) {
		return invalid.Error()
	}
	switch err.Code {
	case reason.PlanInvalid, reason.CostLimit, reason.ExecutionFailed, reason.PlanningFailure:
		return err.SafeMessage
	case reason.ProviderCode(reason.InvalidOutput):
		return "The answer was not the one JSON object that was asked for: answer with that object alone."
	case reason.ProviderCode(reason.OutputTruncated):
		return "The answer was cut at its length limit: write a shorter plan."
	}
	return ""
}

// longestPlan bounds what a prompt repeats of a plan that failed, in bytes.
const longestPlan = 1500

// withPlan adds the plan to the message about it: a model does not remember what
// it wrote. A plan that is too long is left out whole, since half a plan is
// copied as it stands.
func withPlan(message string, p *wire.Plan) string {
	if p == nil {
		return message
	}
	text, err := json.Marshal(p)
	if err != nil || len(text) > longestPlan {
		return message
	}
	return fmt.Sprintf("%s\nThat plan was: %s", message, text)
}

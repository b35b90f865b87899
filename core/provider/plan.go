package provider

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// Plan asks for a plan: a Planner with the typed request, a model with the
// prompt. The plan is decoded strictly but not bound: nothing in it is trusted.
//
// The error is a *reason.Error, with the failures before it in the outcome's
// Call. When a fallback's Planner refuses after another provider failed, that
// failure is the error: a question is not called unintelligible because a model
// was down.
//
// With the strategy deterministic_first the template provider's Planner is asked
// before all of them, unless the task has feedback; its plan counts when it used
// every word of the question.
func (a *Agent) Plan(ctx context.Context, t PlanTask) (PlanOutcome, error) {
	first, sure, before := a.planFirst(ctx, t)
	if sure {
		return first, nil
	}
	out, err := a.planByChain(ctx, t)
	out.Call.Failed = append(before, out.Call.Failed...)
	return out, err
}

func (a *Agent) planByChain(ctx context.Context, t PlanTask) (PlanOutcome, error) {
	out, call, err := ask(ctx, a, &exchange{}, func(ctx context.Context, turn *turn) (PlanOutcome, error) {
		if turn.Planner != nil {
			return planTyped(ctx, turn, t)
		}
		return planByModel(ctx, turn, t)
	})
	out.Call = call
	if err != nil {
		return out, err
	}
	if out.Response.Refusal != nil && len(call.Failed) > 0 {
		first := call.Failed[0]
		return PlanOutcome{Call: Call{Failed: call.Failed[1:], Attempts: call.Attempts}}, first.WithEvidence("fallback_refused", out.Response.Refusal.Reason)
	}
	return out, nil
}

func planTyped(ctx context.Context, turn *turn, t PlanTask) (PlanOutcome, error) {
	req := t.Request
	if !turn.data.Values {
		req.ValueHits = nil
	}
	var res PlanResponse
	err := turn.service(ctx, func(ctx context.Context) (err error) {
		res, err = turn.Planner.Plan(ctx, req)
		return err
	})
	if err != nil {
		return PlanOutcome{}, err
	}
	if (res.Plan == nil) == (res.Refusal == nil) {
		return PlanOutcome{}, turn.invalidOutput(errors.New("a planner must return either a plan or a refusal"))
	}
	if err := checkRefusal(res.Refusal); err != nil {
		return PlanOutcome{}, turn.invalidOutput(err)
	}
	return PlanOutcome{Response: res, Deterministic: true}, nil
}

// refusals are the reasons that a Planner may give.
var refusals = []reason.Reason{reason.ReasonWordsNotUnderstood, reason.ReasonNeedsClarification, reason.ReasonNoDatasource}

func checkRefusal(r *sdk.Refusal) error {
	if r != nil && !slices.Contains(refusals, reason.Reason(r.Reason)) {
		return fmt.Errorf("a planner may not refuse with the reason %q", r.Reason)
	}
	return nil
}

func planByModel(ctx context.Context, turn *turn, t PlanTask) (PlanOutcome, error) {
	prompt, err := t.Prompt(turn.data)
	if err != nil {
		return PlanOutcome{}, fmt.Errorf("write the prompt: %w", err)
	}
	var proposed wire.Plan
	err = turn.object(ctx, want{id: t.Request.RequestID, prompt: prompt, read: func(object []byte) (err error) {
		proposed, err = plan.Decode(object)
		return err
	}})
	if err != nil {
		return PlanOutcome{}, err
	}
	return PlanOutcome{Response: PlanResponse{Plan: &proposed}}, nil
}

package client

import (
	"context"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/internal/fromproto"
	"querent.dev/querent/sdk/internal/pluginv1"
	"querent.dev/querent/sdk/internal/toproto"
	"querent.dev/querent/sdk/reason"
)

type planner struct{ rpc pluginv1.PlannerClient }

var _ sdk.Planner = planner{}

func (c planner) Plan(ctx context.Context, r sdk.PlanRequest) (sdk.PlanResponse, error) {
	m, err := call(ctx, "Plan", c.rpc.Plan, planRequest(ctx, r))
	if err != nil {
		return sdk.PlanResponse{}, err
	}
	return planResponse(m)
}

func planRequest(ctx context.Context, r sdk.PlanRequest) *pluginv1.PlanRequest {
	return &pluginv1.PlanRequest{
		RequestId: toproto.Text(r.RequestID), Question: toproto.Text(r.Question), Intent: toproto.Text(r.Intent),
		ExpectedSchema: toproto.Texts(r.ExpectedSchema), Catalog: toproto.CatalogView(r.Catalog), ValueHits: toproto.ValueHits(r.ValueHits),
		Now: toproto.Text(r.Now), Zone: toproto.Text(r.Zone), WeekStart: toproto.Text(r.WeekStart),
		FiscalYearStart: toproto.Text(r.FiscalYearStart), Language: toproto.Text(r.Language), Feedback: toproto.Texts(r.Feedback),
		Deadline: deadline(ctx), Traceparent: toproto.Text(r.TraceParent),
	}
}

func planResponse(m *pluginv1.PlanResponse) (sdk.PlanResponse, error) {
	r := sdk.PlanResponse{Reading: m.GetReading()}
	for _, c := range m.GetCoverage() {
		r.Coverage = append(r.Coverage, sdk.Coverage{Word: c.GetWord(), Used: c.GetUsed()})
	}
	switch result := m.GetResult().(type) {
	case *pluginv1.PlanResponse_Plan:
		plan := fromproto.Plan(result.Plan)
		r.Plan = &plan
	case *pluginv1.PlanResponse_Refusal:
		r.Refusal = &sdk.Refusal{
			Reason: result.Refusal.GetReason(), NotUnderstood: result.Refusal.GetNotUnderstood(),
			Readings: result.Refusal.GetReadings(), Proposals: result.Refusal.GetProposals(),
		}
	default:
		return sdk.PlanResponse{}, sdk.Errorf(reason.InvalidOutput, "Plan returned neither a plan nor a refusal")
	}
	return r, nil
}

package sdk

import (
	"context"

	"querent.dev/querent/sdk/internal/fromproto"
	"querent.dev/querent/sdk/internal/pluginv1"
	"querent.dev/querent/sdk/internal/toproto"
	"querent.dev/querent/sdk/reason"
)

// plannerServer is the service Planner over a Planner.
type plannerServer struct {
	pluginv1.UnimplementedPlannerServer
	planner Planner
}

var _ pluginv1.PlannerServer = (*plannerServer)(nil)

func (s *plannerServer) Plan(ctx context.Context, m *pluginv1.PlanRequest) (*pluginv1.PlanResponse, error) {
	request, err := planRequestFromProto(m)
	if err != nil {
		return nil, Errorf(reason.InvalidRequest, "reading the request to plan: %w", err)
	}
	r, err := s.planner.Plan(ctx, request)
	if err != nil {
		return nil, err
	}
	if (r.Plan == nil) == (r.Refusal == nil) {
		return nil, Errorf(reason.InvalidOutput, "the plugin must return either a plan or a refusal")
	}
	return planResponseToProto(r), nil
}

func planRequestFromProto(m *pluginv1.PlanRequest) (PlanRequest, error) {
	catalog, err := fromproto.CatalogView(m.GetCatalog())
	if err != nil {
		return PlanRequest{}, err
	}
	return PlanRequest{
		RequestID: m.GetRequestId(), Question: m.GetQuestion(), Intent: m.GetIntent(), ExpectedSchema: m.GetExpectedSchema(),
		Catalog: catalog, ValueHits: fromproto.ValueHits(m.GetValueHits()), Now: m.GetNow(), Zone: m.GetZone(),
		WeekStart: m.GetWeekStart(), FiscalYearStart: m.GetFiscalYearStart(), Language: m.GetLanguage(),
		Feedback: m.GetFeedback(), TraceParent: m.GetTraceparent(),
	}, nil
}

func planResponseToProto(r PlanResponse) *pluginv1.PlanResponse {
	m := &pluginv1.PlanResponse{Reading: toproto.Text(r.Reading)}
	for _, c := range r.Coverage {
		m.Coverage = append(m.Coverage, &pluginv1.Coverage{Word: toproto.Text(c.Word), Used: toproto.Text(c.Used)})
	}
	if r.Plan != nil {
		m.Result = &pluginv1.PlanResponse_Plan{Plan: toproto.Plan(*r.Plan)}
		return m
	}
	m.Result = &pluginv1.PlanResponse_Refusal{Refusal: &pluginv1.Refusal{
		Reason: toproto.Text(r.Refusal.Reason), NotUnderstood: toproto.Texts(r.Refusal.NotUnderstood),
		Readings: toproto.Texts(r.Refusal.Readings), Proposals: toproto.Texts(r.Refusal.Proposals),
	}}
	return m
}

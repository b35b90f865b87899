package fromproto

import (
	"querent.dev/querent/sdk/internal/enum"
	"querent.dev/querent/sdk/internal/pluginv1"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// Outcome converts what a synthesizer is to word.
func Outcome(m *pluginv1.Outcome) (wire.Outcome, error) {
	results, err := try("result", m.GetResults(), preview)
	if err != nil {
		return wire.Outcome{}, err
	}
	failed, err := failure(m.GetFailure())
	if err != nil {
		return wire.Outcome{}, err
	}
	return wire.Outcome{
		Kind: wire.OutcomeKind(enum.OutcomeKind.Name(m.GetKind())), Question: m.GetQuestion(), Language: m.GetLanguage(),
		Results: results, Verified: verified(m.GetVerified()), Unmapped: each(m.GetUnmapped(), unmapped),
		DataNotes: m.GetDataNotes(), ResultLimits: m.GetResultLimits(), Failure: failed, Datasource: m.GetDatasource(),
	}, nil
}

func preview(m *pluginv1.Preview) (wire.Preview, error) {
	columns, err := try("column", m.GetColumns(), column)
	if err != nil {
		return wire.Preview{}, err
	}
	rows, err := try("row", m.GetRows(), func(r *pluginv1.Row) ([]wire.Value, error) { return values(r.GetCells()) })
	if err != nil {
		return wire.Preview{}, err
	}
	return wire.Preview{
		SubQuery: m.GetSubQuery(), Part: m.GetPart(), Columns: columns, Rows: rows, RowCount: m.GetRowCount(),
		Partial: m.GetPartial(), Truncated: m.GetTruncated(), RowCap: m.GetRowCap(),
	}, nil
}

func column(m *pluginv1.Column) (wire.Column, error) {
	t, err := Type(m.GetType())
	return wire.Column{Name: m.GetName(), Type: t}, err
}

func verified(m *pluginv1.VerifiedMatch) *wire.VerifiedMatch {
	if m == nil {
		return nil
	}
	return &wire.VerifiedMatch{
		ID: m.GetId(), Description: m.GetDescription(), VerifiedBy: m.GetVerifiedBy(), VerifiedAt: m.GetVerifiedAt(),
	}
}

func unmapped(m *pluginv1.Unmapped) wire.Unmapped {
	return wire.Unmapped{Part: m.GetPart(), Reason: reason.Reason(m.GetReason())}
}

func failure(m *pluginv1.Failure) (*wire.Failure, error) {
	if m == nil {
		return nil, nil
	}
	partial, err := try("partial result", m.GetPartialResults(), preview)
	if err != nil {
		return nil, err
	}
	return &wire.Failure{
		Requirement: m.GetRequirement(), Attempted: m.GetAttempted(), FailedStep: m.GetFailedStep(),
		Stage: reason.Stage(m.GetStage()), Code: reason.Code(m.GetCode()), Reason: reason.Reason(m.GetReason()),
		Message: m.GetMessage(), NextAction: m.GetNextAction(), NotKnown: m.GetWordsNotUnderstood(), Choices: m.GetChoices(),
		Proposals: m.GetProposals(), Partial: partial, PlanID: m.GetPlanId(), TraceID: m.GetTraceId(),
		Datasource: m.GetDatasource(), Provider: m.GetProvider(),
	}, nil
}

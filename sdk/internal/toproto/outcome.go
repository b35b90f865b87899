package toproto

import (
	"querent.dev/querent/sdk/internal/enum"
	"querent.dev/querent/sdk/internal/pluginv1"
	"querent.dev/querent/sdk/wire"
)

// Outcome converts what a synthesizer is to word.
func Outcome(o wire.Outcome) *pluginv1.Outcome {
	return &pluginv1.Outcome{
		Kind: enum.OutcomeKind.Number(string(o.Kind)), Question: Text(o.Question), Language: Text(o.Language),
		Results: each(o.Results, preview), Verified: verified(o.Verified), Unmapped: each(o.Unmapped, unmapped),
		DataNotes: Texts(o.DataNotes), ResultLimits: Texts(o.ResultLimits), Failure: failure(o.Failure), Datasource: Text(o.Datasource),
	}
}

func preview(p wire.Preview) *pluginv1.Preview {
	return &pluginv1.Preview{
		SubQuery: Text(p.SubQuery), Part: Text(p.Part), Columns: each(p.Columns, column), Rows: each(p.Rows, row), RowCount: p.RowCount,
		Partial: p.Partial, Truncated: p.Truncated, RowCap: p.RowCap,
	}
}

func column(c wire.Column) *pluginv1.Column {
	return &pluginv1.Column{Name: Text(c.Name), Type: Type(c.Type)}
}

func row(cells []wire.Value) *pluginv1.Row { return &pluginv1.Row{Cells: each(cells, Value)} }

func verified(v *wire.VerifiedMatch) *pluginv1.VerifiedMatch {
	if v == nil {
		return nil
	}
	return &pluginv1.VerifiedMatch{
		Id: Text(v.ID), Description: Text(v.Description), VerifiedBy: Text(v.VerifiedBy), VerifiedAt: Text(v.VerifiedAt),
	}
}

func unmapped(u wire.Unmapped) *pluginv1.Unmapped {
	return &pluginv1.Unmapped{Part: Text(u.Part), Reason: Text(u.Reason)}
}

func failure(f *wire.Failure) *pluginv1.Failure {
	if f == nil {
		return nil
	}
	return &pluginv1.Failure{
		Requirement: Text(f.Requirement), Attempted: Texts(f.Attempted), FailedStep: Text(f.FailedStep), Stage: Text(f.Stage),
		Code: Text(f.Code), Reason: Text(f.Reason), Message: Text(f.Message), NextAction: Text(f.NextAction),
		WordsNotUnderstood: Texts(f.NotKnown), Choices: Texts(f.Choices), Proposals: Texts(f.Proposals),
		PartialResults: each(f.Partial, preview), PlanId: Text(f.PlanID), TraceId: Text(f.TraceID),
		Datasource: Text(f.Datasource), Provider: Text(f.Provider),
	}
}

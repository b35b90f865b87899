package synth

import (
	"fmt"
	"time"

	"querent.dev/querent/plugins/template/pack"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// Sample is an invented outcome, to look at wordings with.
type Sample struct {
	Name    string // outcome/shape or outcome/code/reason, and what it holds beyond the least
	Outcome wire.Outcome
}

// Samples are an outcome of every shape and of every reason, each as bare as it
// can be and with all that it may hold, in a fixed order.
func Samples() []Sample {
	var out []Sample
	for _, kind := range []wire.OutcomeKind{wire.Answered, wire.Partial} {
		for _, shape := range pack.Shapes() {
			o := wire.Outcome{Kind: kind, Question: "sales by country", Results: sampleResults(shape)}
			name := fmt.Sprintf("%s/%s", kind, shape)
			out = append(out, Sample{name, o}, Sample{name + ", full", filled(o)})
			if cut, ok := truncated(o); ok {
				out = append(out, Sample{name + ", cut", cut})
			}
		}
	}
	for _, row := range reason.Rows() {
		kind := kindOf(row)
		o := wire.Outcome{Kind: kind, Question: "sales by planet", Failure: &wire.Failure{
			Requirement: "sales by planet", Stage: row.Stage, Code: row.Code, Reason: row.Reason, Message: row.SafeMessage, NextAction: row.NextAction,
		}}
		name := fmt.Sprintf("%s/%s/%s", kind, row.Code, row.Reason)
		out = append(out, Sample{name, o}, Sample{name + ", full", explained(o)})
	}
	return out
}

// kindOf is the outcome of a run that an error of the row ends.
func kindOf(row reason.Row) wire.OutcomeKind {
	switch {
	case row.Code == reason.CancelledCode:
		return wire.Cancelled
	case row.Code == reason.Ambiguous:
		return wire.NeedsClarification
	case row.Exit == reason.ExitRefused:
		return wire.Refused
	case row.Exit == reason.ExitCannotAnswer && row.Code != reason.CostLimit:
		return wire.CannotAnswer
	}
	return wire.Failed
}

// sampleResults is a result of the shape.
func sampleResults(shape pack.Shape) []wire.Preview {
	columns := []wire.Column{
		{Name: "country", Type: wire.Type{Kind: wire.KindText}}, {Name: "orders", Type: wire.Type{Kind: wire.KindInt}},
		{Name: "last_order", Type: wire.Type{Kind: wire.KindDate}},
	}
	day := wire.Date(time.Date(2026, time.January, 31, 0, 0, 0, 0, time.UTC))
	rows := [][]wire.Value{
		{wire.Text("Brazil"), wire.Int(1234567), day}, {wire.Text("대한민국"), wire.Int(89), day}, {wire.Text("Chile"), wire.Int(0), wire.Null()},
	}
	p := wire.Preview{Columns: columns, Rows: rows, RowCount: 25, Partial: true}
	switch shape {
	case pack.ShapeNone:
		return nil
	case pack.ShapeEmpty:
		p.Rows, p.RowCount, p.Partial = nil, 0, false
	case pack.ShapeScalar:
		p = wire.Preview{Columns: columns[1:2], Rows: [][]wire.Value{{wire.Int(1234567)}}, RowCount: 1}
	case pack.ShapeRow:
		p.Rows, p.RowCount, p.Partial = rows[:1], 1, false
	case pack.ShapeList:
		p.Columns, p.Rows = columns[:1], [][]wire.Value{{wire.Text("Brazil")}, {wire.Text("대한민국")}, {wire.Text("Chile")}}
	}
	return []wire.Preview{p}
}

// filled is an answer with all that may be said beside its result.
func filled(o wire.Outcome) wire.Outcome {
	o.Verified = &wire.VerifiedMatch{ID: "demo/sales", Description: "invoiced sales, before refunds", VerifiedBy: "kim", VerifiedAt: "2026-11-01"}
	o.DataNotes = []string{"'Brasil' → 'Brazil'?"}
	o.Datasource = "demo"
	if o.Kind == wire.Partial {
		o.Unmapped = []wire.Unmapped{{Part: "the weather", Reason: reason.ReasonNoDatasource}}
	}
	return o
}

// truncated is the answer over a cut result, where its shape can be cut.
func truncated(o wire.Outcome) (wire.Outcome, bool) {
	if len(o.Results) == 0 || o.Results[0].RowCount == 0 {
		return o, false
	}
	p := o.Results[0]
	p.Truncated, p.Partial, p.RowCap = true, true, p.RowCount
	o.Results = []wire.Preview{p}
	return o, true
}

// explained is a failure with all that may be known of it.
func explained(o wire.Outcome) wire.Outcome {
	f := *o.Failure
	f.Attempted, f.FailedStep = []string{"read the schema", "asked for a plan"}, "q1/ast_planner"
	f.Message = "Ab 12: " + f.Message
	f.NotKnown, f.Choices, f.Proposals = []string{"planet"}, []string{"sales by country", "sales by city"}, []string{"sales by country"}
	f.PlanID, f.Datasource, f.Provider = "p_12", "demo", "fixed"
	f.Partial = sampleResults(pack.ShapeRow)
	o.Failure = &f
	return o
}

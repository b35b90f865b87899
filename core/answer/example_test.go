package answer_test

import (
	"context"
	"fmt"

	"querent.dev/querent/core/answer"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// Outcomes are worded without an engine, too. Without a synthesizer the host's own
// few words are the answer.
func ExampleSynthesizeSuccess() {
	got := answer.SynthesizeSuccess(context.Background(), nil, wire.Outcome{
		Kind: wire.Answered, Question: "How many stores are there?", Language: "en",
		Results: []wire.Preview{{
			SubQuery: "q1", Columns: []wire.Column{{Name: "stores", Type: wire.Type{Kind: wire.KindInt}}},
			Rows: [][]wire.Value{{wire.Int(12)}}, RowCount: 1,
		}},
	}, answer.Options{})
	fmt.Println(got.Answer.Outcome, got.Answer.SynthesizedBy, got.Answer.Results[0].Rows[0][0])
	// Output:
	// answered host 12
}

func ExampleSynthesizeFailure() {
	got := answer.SynthesizeFailure(context.Background(), nil, wire.Outcome{
		Kind: wire.Failed, Question: "How many stores are there?", Language: "en",
		Failure: &wire.Failure{Code: reason.DatasourceUnreachable, Reason: reason.ReasonUnavailable, FailedStep: "q1/executor"},
	}, answer.Options{})
	fmt.Println(got.Answer.Outcome, got.Answer.Failure.Stage, got.Answer.Failure.NextAction != "")
	// Output:
	// failed execute true
}

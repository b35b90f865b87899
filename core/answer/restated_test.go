package answer_test

import (
	"context"
	"testing"

	"querent.dev/querent/core/answer"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// An explanation may say what was asked, and not that it is so.
func TestAnExplanationDoesNotAnswerByTheQuestion(t *testing.T) {
	for text, shown := range map[string]bool{
		"The orders of 2024 over 9417 could not be counted.":                  true,
		"You asked for the orders of 2024 over 9417.":                         true,
		"How many orders of 2024 are over 9417? That was not answered.":       true,
		"2024년 주문 가운데 9417을 넘는 것은 확인하지 못했습니다.":                                true,
		"There are 9417 orders.":                                              false,
		"The orders of 2024 are over 9417.":                                   false,
		"주문은 9417건입니다.":                                                       false,
		"The reason was not hidden. There are 9417 orders. This was planned.": false,
	} {
		o := wire.Outcome{Question: "How many orders of 2024 are over 9417?", Language: "en", Failure: &wire.Failure{Code: reason.PlanningFailure, Reason: reason.ReasonPlanningFailed}}
		m := &writer{summary: "At the stage plan the run ended with planning_failed.", content: text}
		a := answer.SynthesizeFailure(context.Background(), m, o, answer.Options{Template: template()}).Answer
		if (a.Content == text) != shown {
			t.Errorf("%q: shown %t", text, !shown)
		}
	}
}

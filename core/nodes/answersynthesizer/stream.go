package answersynthesizer

import (
	"context"

	"querent.dev/querent/core/answer"
	"querent.dev/querent/core/config"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/sdk/reason"
)

// told is what events have told of an answer before it was there.
type told struct{ shown bool }

// stream announces a model's words as answer.delta, and what takes them back as
// answer.replaced. It is nil where the setting or the asker wants neither.
func (t *told) stream(ctx context.Context, setting string, wanted bool) *answer.Stream {
	if !wanted || setting == "" || setting == config.StreamOff {
		return nil
	}
	return &answer.Stream{
		Grounded: setting != config.StreamRaw,
		Delta: func(field, text string) {
			t.shown = true
			graph.Emit(ctx, graph.AnswerDelta, "", map[string]any{"field": field, "text": text, "provisional": true})
		},
		Replaced: func(from config.ProviderName, why reason.Reason) {
			t.shown = false
			graph.Emit(ctx, graph.AnswerReplaced, "", map[string]any{"from": from, "reason": why})
		},
	}
}

// takeBack says that what was told does not count since ctx has ended.
func (t *told) takeBack(ctx context.Context, from config.ProviderName) {
	if !t.shown {
		return
	}
	t.shown = false
	why := reason.ReasonTimeout
	if ctx.Err() == context.Canceled {
		why = reason.ReasonCancelled
	}
	graph.Emit(ctx, graph.AnswerReplaced, "", map[string]any{"from": from, "reason": why})
}

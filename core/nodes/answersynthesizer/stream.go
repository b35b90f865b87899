package answersynthesizer

import (
	"context"

	"querent.dev/querent/core/answer"
	"querent.dev/querent/core/config"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/core/redact"
	"querent.dev/querent/sdk/reason"
)

// told is what events have told of an answer before it was there.
type told struct {
	shown bool
	raw   bool                      // words are told before they are checked
	texts map[string]*redact.Stream // by field, what is held back of each
}

// stream announces a model's words as answer.delta, and what takes them back as
// answer.replaced. It is nil where the setting or the asker wants neither.
func (t *told) stream(ctx context.Context, setting string, wanted bool) *answer.Stream {
	if !wanted || setting == "" || setting == config.StreamOff {
		return nil
	}
	t.raw = setting == config.StreamRaw
	return &answer.Stream{
		Grounded: setting != config.StreamRaw,
		Delta: func(field, text string) {
			if field == provider.FieldContent && t.texts[field] == nil {
				t.rest(ctx) // the summary is whole
			}
			if held := t.text(ctx, field); t.raw {
				t.tell(ctx, field, held.Write(text))
			} else {
				t.tell(ctx, field, held.Sentence(text))
			}
		},
		Replaced: func(from config.ProviderName, why reason.Reason) {
			t.replace(ctx, from, why)
		},
	}
}

// takeBack says that what was told does not count since ctx has ended.
func (t *told) takeBack(ctx context.Context, from config.ProviderName) {
	why := reason.ReasonTimeout
	if ctx.Err() == context.Canceled {
		why = reason.ReasonCancelled
	}
	t.replace(ctx, from, why)
}

// replace says that what was told does not count, if something was.
func (t *told) replace(ctx context.Context, from config.ProviderName, why reason.Reason) {
	if t.shown {
		graph.Emit(ctx, graph.AnswerReplaced, "", map[string]any{"from": from, "reason": why})
	}
	t.shown, t.texts = false, nil
}

// text is a field's text without what is taken out of answers and events: what comes
// in two pieces is held back until it is whole.
func (t *told) text(ctx context.Context, field string) *redact.Stream {
	if t.texts == nil {
		t.texts = map[string]*redact.Stream{}
	}
	if t.texts[field] == nil {
		run := redact.From(ctx)
		t.texts[field] = run.At(redact.Events).Stricter(run.At(redact.Answer)).Stream()
	}
	return t.texts[field]
}

func (t *told) tell(ctx context.Context, field, text string) {
	if text != "" {
		t.shown = true
		graph.Emit(ctx, graph.AnswerDelta, "", map[string]any{"field": field, "text": text, "provisional": t.raw})
	}
}

// rest tells what was held back to the end.
func (t *told) rest(ctx context.Context) {
	for _, field := range []string{provider.FieldSummary, provider.FieldContent} {
		if held := t.texts[field]; held != nil {
			t.tell(ctx, field, held.Flush())
		}
	}
}

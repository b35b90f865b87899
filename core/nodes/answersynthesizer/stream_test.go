package answersynthesizer_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/answer"
	"querent.dev/querent/core/config"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/nodes/answersynthesizer"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// speaker is a model that writes an answer in two pieces, and then does more.
type speaker struct {
	text string
	then func() error
}

func (s speaker) Synthesize(_ context.Context, t provider.SynthesisTask) (provider.SynthesisOutcome, error) {
	out := provider.SynthesisOutcome{Response: wire.AggregatedResponse{Summary: s.text, FormatType: wire.FormatText, Warnings: []string{}}}
	out.Call.Provider = "local"
	if t.Stream == nil {
		return out, nil
	}
	half := len(s.text) / 2
	for _, piece := range []string{s.text[:half], s.text[half:]} {
		t.Stream(provider.Piece{Provider: "local", Field: provider.FieldSummary, Text: piece})
	}
	if s.then != nil {
		if err := s.then(); err != nil {
			return out, err
		}
	}
	return out, nil
}

// tell runs the node in a graph of its own, and gives its events in a line each.
func tell(t *testing.T, ctx context.Context, n *answersynthesizer.Node, in answersynthesizer.Input) string {
	t.Helper()
	var story strings.Builder
	emitter := graph.NewEmitter("run", "trace", time.Now, func(e graph.Event) {
		switch e.Type {
		case graph.AnswerDelta:
			fmt.Fprintf(&story, "%s %s %v: %s\n", e.Type, e.Data["field"], e.Data["provisional"], e.Data["text"])
		case graph.AnswerReplaced:
			fmt.Fprintf(&story, "%s %s: %s\n", e.Type, e.Data["from"], e.Data["reason"])
		case graph.AnswerCompleted:
			fmt.Fprintf(&story, "%s: %s\n", e.Type, e.Data["answer"].(wire.Answer).Summary)
		}
	})
	g, err := graph.New(graph.Spec[int]{Name: "g", Start: graph.To[int]("n"), Failed: func(s int, _ *reason.Error) int { return s }, Steps: []graph.Step[int]{{
		Next: graph.To[int](graph.End),
		Work: graph.Node[int]{Name: "n", Always: true, Run: func(ctx context.Context, _ int) (graph.Update[int], error) {
			_, err := n.Run(ctx, in)
			return nil, err
		}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Run(ctx, emitter, 0); err != nil && ctx.Err() == nil {
		t.Fatal(err)
	}
	return story.String()
}

func TestWhatIsToldBeforeTheAnswer(t *testing.T) {
	const lie = "There are 3 rows. There are 4 rows. "
	cancelled, cancel := context.WithCancel(t.Context())
	for name, c := range map[string]struct {
		ctx     context.Context
		setting string
		wanted  bool
		model   speaker
		want    string
	}{
		"grounded": {t.Context(), config.StreamGrounded, true, speaker{text: "It is 3. So it is 3."}, "answer.delta summary false: It is 3.\nanswer.delta summary false:  So it is 3.\nanswer.completed: It is 3. So it is 3.\n"},
		"raw":      {t.Context(), config.StreamRaw, true, speaker{text: "It is 3, no."}, "answer.delta summary true: It is \nanswer.delta summary true: 3, no.\nanswer.completed: It is 3, no.\n"},
		"off":      {t.Context(), config.StreamOff, true, speaker{text: "It is 3."}, "answer.completed: It is 3.\n"},
		"unwanted": {t.Context(), config.StreamRaw, false, speaker{text: "It is 3."}, "answer.completed: It is 3.\n"},
		"a lie":    {t.Context(), config.StreamGrounded, true, speaker{text: lie}, "answer.delta summary false: There are 3 rows.\nanswer.replaced local: invalid_output\nanswer.completed: by template\n"},
		"a failure": {t.Context(), config.StreamRaw, true, speaker{text: "ab", then: func() error { return reason.Provider(reason.Incomplete, "gone") }},
			"answer.delta summary true: a\nanswer.delta summary true: b\nanswer.replaced local: incomplete\nanswer.completed: by template\n"},
		"cancelled at the end": {cancelled, config.StreamRaw, true, speaker{text: "ab", then: func() error { cancel(); return nil }},
			"answer.delta summary true: a\nanswer.delta summary true: b\nanswer.replaced local: cancelled\nanswer.completed: by template\n"},
	} {
		t.Run(name, func(t *testing.T) {
			n := &answersynthesizer.Node{
				Synthesizer: c.model, Template: &writer{name: "template", template: true}, Stream: c.setting,
				LastWords: time.Minute, Preview: answer.Limits{Rows: 20, Chars: 4000},
			}
			if got := tell(t, c.ctx, n, answersynthesizer.Input{Results: rows(), Stream: c.wanted}); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

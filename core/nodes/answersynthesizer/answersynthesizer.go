// Package answersynthesizer is the node that ends a run: it turns what the run
// found, or what stopped it, into the answer. It never fails for want of a
// provider: templates word what a model cannot, and the host what templates
// cannot.
package answersynthesizer

import (
	"context"
	"fmt"
	"time"

	"querent.dev/querent/core/answer"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// Input is what the node reads of the run.
type Input struct {
	RequestID string
	Question  string
	Language  string // BCP 47
	Format    string // the form of the whole answer that was asked for, "" for any
	Results   []wire.Preview
	Queries   []wire.Query
	Verified  *wire.VerifiedMatch
	Unmapped  []wire.Unmapped
	Notes     []wire.Note
	Failure   Failure
	Stream    bool // someone reads the words while they are written
}

// Failure is what stopped the run, with what is known about it. Without an Err
// the run has its results, and the rest is what to say should this node fail.
type Failure struct {
	Err           *reason.Error
	Step          string // <subquery>/<node>
	Attempted     []string
	NotUnderstood []string
	Choices       []string // questions, each of which says what the asked one leaves open
	Proposals     []string
	PlanID        string
	TraceID       string
	Datasource    string
	Provider      string
}

// Output is what the node gives to the run.
type Output struct {
	Answer wire.Answer
	Call   provider.Call
	// Recovered are failures on the way to the words, which others replaced.
	Recovered []*reason.Error
	Summary   string
}

// Node is the node. It is safe for concurrent use.
type Node struct {
	Synthesizer answer.Synthesizer
	Template    answer.Synthesizer // nil: the host's own words
	Compliance  bool
	Charts      bool   // suggest a chart where the result calls for one
	Stream      string // of settings.answer.stream; "" and off keep words back until the answer is there
	Preview     answer.Limits
	Rules       string // replace our rules at the head of a model's prompt; "" keeps them
	// Say is what the host says in English in another language; nil: as it is.
	Say func(language, english string) string
	// Spoken is the language in which templates word an answer in a language; nil: the same.
	Spoken func(language string) string
	// LastWords is how long templates may still take when the run's context has
	// ended: the answer is then made without it.
	LastWords time.Duration
}

// Run words the run's end, and announces each note as a warning and the answer as
// answer.completed. Without a result and without a failure the answer explains
// INVALID_STATE. When ctx has ended or ends on the way, templates word the
// answer within LastWords. The error is always nil.
func (n *Node) Run(ctx context.Context, in Input) (Output, error) {
	var s answer.Synthesis
	var told told
	if ctx.Err() == nil {
		s = n.words(ctx, in, told.stream(ctx, n.Stream, in.Stream), false)
	}
	if ctx.Err() != nil {
		told.takeBack(ctx, s.Call.Provider)
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), n.LastWords)
		defer cancel()
		s = n.words(late, n.ended(ctx, in), nil, true)
	}
	told.rest(ctx)
	s.Answer.Queries = append(s.Answer.Queries, in.Queries...)
	for _, note := range s.Answer.Notes {
		about := map[string]any{"code": note.Code, "message": note.Message}
		if len(note.Detail) > 0 {
			about["detail"] = note.Detail
		}
		graph.Emit(ctx, graph.WarningRaised, "", about)
	}
	graph.Emit(ctx, graph.AnswerCompleted, "", map[string]any{"answer": s.Answer})
	return Output{
		Answer: s.Answer, Call: s.Call, Recovered: s.Recovered,
		Summary: fmt.Sprintf("The answer was worded by %s.", s.Answer.SynthesizedBy),
	}, nil
}

// ended is the input of a run whose context ended while it had its results: they
// stand when time ran out, and do not interest a caller who left.
func (n *Node) ended(ctx context.Context, in Input) Input {
	if in.Failure.Err == nil && ctx.Err() == context.Canceled {
		in.Failure.Err = reason.New(reason.CancelledCode, reason.ReasonCancelled, "the caller cancelled the run: %w", context.Cause(ctx))
	}
	return in
}

func (n *Node) words(ctx context.Context, in Input, stream *answer.Stream, templatesOnly bool) answer.Synthesis {
	opts := answer.Options{
		Stream: stream, RequestID: in.RequestID, Template: n.Template, Format: in.Format, Form: form(in.Format),
		Compliance: n.Compliance || templatesOnly, Preview: n.Preview, Rules: n.Rules, Notes: in.Notes, Charts: n.Charts, Say: n.Say, Spoken: n.Spoken,
	}
	o := outcome(in)
	if o.Failure == nil {
		return answer.SynthesizeSuccess(ctx, n.Synthesizer, o, opts)
	}
	return answer.SynthesizeFailure(ctx, n.Synthesizer, o, opts)
}

// form is the form of the content for a form of the whole answer.
func form(format string) wire.FormatType {
	switch format {
	case "table", "csv":
		return wire.FormatTable
	}
	return ""
}

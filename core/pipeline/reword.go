package pipeline

import (
	"context"
	"errors"
	"fmt"

	"querent.dev/querent/core/answer"
	"querent.dev/querent/core/audit"
	"querent.dev/querent/core/nodes/answersynthesizer"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// Reword words the answer of a receipt again by templates, and names those that
// did. The error is errors.ErrUnsupported, wrapped, for a receipt that holds no words
// or no rows, and that of the templates where they do not word it.
func Reword(ctx context.Context, r *audit.Receipt, templates answer.Synthesizer) (wire.AggregatedResponse, []string, error) {
	words := r.Answer.Words
	if words == nil {
		return wire.AggregatedResponse{}, nil, fmt.Errorf("the receipt holds no words: %w", errors.ErrUnsupported)
	}
	results, err := r.Previews()
	if err != nil {
		return wire.AggregatedResponse{}, nil, errors.Join(err, errors.ErrUnsupported)
	}
	in := answersynthesizer.Input{
		RequestID: r.RunID, Question: r.Question.Text, Language: r.Question.Language, Format: r.Question.Format,
		Results: results, Verified: words.Verified, Unmapped: words.Unmapped, Notes: words.Notes,
	}
	if f := words.Failure; f != nil {
		in.Failure = answersynthesizer.Failure{
			Err:  &reason.Error{Stage: f.Stage, Code: f.Code, Reason: f.Reason, Message: f.Message, SafeMessage: f.Message, NextAction: f.NextAction},
			Step: f.FailedStep, Attempted: f.Attempted, NotUnderstood: f.NotKnown, Choices: f.Choices, Proposals: f.Proposals,
			PlanID: f.PlanID, TraceID: r.TraceID, Datasource: f.Datasource, Provider: f.Provider,
		}
	}
	node := answersynthesizer.Node{Template: templates, Compliance: true, Preview: answer.Limits(r.Preview), LastWords: lastWords}
	out, _ := node.Run(ctx, in) // its error is always nil
	if len(out.Recovered) > 0 {
		return wire.AggregatedResponse{}, nil, out.Recovered[0]
	}
	return out.Answer.AggregatedResponse, out.Answer.TemplateIDs, nil
}

package provider

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

//go:embed aggregated_response.schema.json
var responseSchema []byte

// ResponseSchemaName names ResponseSchema towards model servers.
const ResponseSchemaName = "aggregated_response"

// ResponseSchema is the JSON Schema of the answer that a model writes.
func ResponseSchema() json.RawMessage { return bytes.Clone(responseSchema) }

// Synthesize asks for an outcome in words: a Synthesizer with the typed request,
// a model with the prompt. A model is asked only when the task has a prompt, and
// one that would see rows only with data.rows; else the error is POLICY_DENIED,
// which is no failure of the provider.
//
// The error is a *reason.Error, with the failures before it in the outcome's Call.
func (a *Agent) Synthesize(ctx context.Context, t SynthesisTask) (SynthesisOutcome, error) {
	out, call, err := ask(ctx, a, func(ctx context.Context, l link, call *Call) (SynthesisOutcome, error) {
		if l.Synthesizer != nil {
			return synthesizeTyped(ctx, l, t)
		}
		return a.synthesizeByModel(ctx, l, t, call)
	})
	out.Call = call
	return out, err
}

func synthesizeTyped(ctx context.Context, l link, t SynthesisTask) (SynthesisOutcome, error) {
	res, err := l.Synthesizer.Synthesize(ctx, t.Request)
	if err != nil {
		return SynthesisOutcome{}, err
	}
	if err := checkResponse(res.Response); err != nil {
		return SynthesisOutcome{}, l.invalidOutput(err)
	}
	return SynthesisOutcome{Response: res.Response, TemplateIDs: res.TemplateIDs}, nil
}

func (a *Agent) synthesizeByModel(ctx context.Context, l link, t SynthesisTask, call *Call) (SynthesisOutcome, error) {
	if t.Prompt == nil {
		return SynthesisOutcome{}, kept(l, "This answer is worded by templates alone.")
	}
	if t.HasRows && !l.data.Rows {
		return SynthesisOutcome{}, kept(l, "The configuration does not let rows be sent to it.")
	}
	prompt, err := t.Prompt()
	if err != nil {
		return SynthesisOutcome{}, fmt.Errorf("write the prompt: %w", err)
	}
	response, err := a.write(ctx, l, t, prompt, call)
	if err != nil && t.Stream != nil {
		t.Stream(Piece{Provider: l.name, Failed: a.failure(ctx, l, err)})
	}
	return SynthesisOutcome{Response: response}, err
}

// write lets the link's model write the answer, as a stream where one is wanted.
func (a *Agent) write(ctx context.Context, l link, t SynthesisTask, prompt Prompt, call *Call) (wire.AggregatedResponse, error) {
	var object string
	var err error
	if t.Stream == nil {
		object, err = a.generate(ctx, l, t.Request.RequestID, prompt, call)
	} else {
		object, err = a.generateStreamed(ctx, l, t.Request.RequestID, prompt, call, t.Stream)
	}
	if err != nil {
		return wire.AggregatedResponse{}, err
	}
	response, err := decodeResponse([]byte(object))
	if err != nil {
		return wire.AggregatedResponse{}, l.invalidOutput(err)
	}
	return response, nil
}

// kept is the error of a model that the host did not ask on purpose.
func kept(l link, why string) *reason.Error {
	return reason.New(reason.PolicyDenied, reason.ReasonNotPermitted, "provider %q is not asked for the answer: %s", l.name, why).
		WithSafe("%s %s", l.title(), why).
		WithNext("Set data.rows for the provider, or let a template provider word the answers.")
}

// decodeResponse reads a model's answer: every field of the schema, no other.
func decodeResponse(object []byte) (wire.AggregatedResponse, error) {
	var got struct {
		Summary    *string          `json:"summary"`
		FormatType *wire.FormatType `json:"format_type"`
		Content    *string          `json:"content"`
		Warnings   *[]string        `json:"warnings"`
	}
	d := json.NewDecoder(bytes.NewReader(object))
	d.DisallowUnknownFields()
	if err := d.Decode(&got); err != nil {
		return wire.AggregatedResponse{}, fmt.Errorf("the answer does not fit its schema: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return wire.AggregatedResponse{}, errors.New("text follows the answer's object")
	}
	if got.Summary == nil || got.FormatType == nil || got.Content == nil || got.Warnings == nil {
		return wire.AggregatedResponse{}, errors.New("the answer must have summary, format_type, content and warnings")
	}
	r := wire.AggregatedResponse{Summary: *got.Summary, FormatType: *got.FormatType, Content: *got.Content, Warnings: *got.Warnings}
	return r, checkResponse(r)
}

func checkResponse(r wire.AggregatedResponse) error {
	if r.Summary == "" {
		return errors.New("the answer's summary is empty")
	}
	if !slices.Contains([]wire.FormatType{wire.FormatTable, wire.FormatList, wire.FormatText}, r.FormatType) {
		return fmt.Errorf("format_type is %q; it must be table, list or text", r.FormatType)
	}
	return nil
}

package provider

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"querent.dev/querent/sdk"
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
	x := &exchange{hasRows: t.HasRows, stream: t.Stream, shown: t.Shown}
	out, call, err := ask(ctx, a, x, func(ctx context.Context, turn *turn) (SynthesisOutcome, error) {
		if turn.Synthesizer != nil {
			return synthesizeTyped(ctx, turn, t)
		}
		return synthesizeByModel(ctx, turn, t)
	})
	out.Call = call
	return out, err
}

func synthesizeTyped(ctx context.Context, turn *turn, t SynthesisTask) (SynthesisOutcome, error) {
	var res sdk.SynthesizeResponse
	err := turn.service(ctx, func(ctx context.Context) (err error) {
		res, err = turn.Synthesizer.Synthesize(ctx, t.Request)
		return err
	})
	if err != nil {
		return SynthesisOutcome{}, err
	}
	if err := checkResponse(res.Response); err != nil {
		return SynthesisOutcome{}, turn.invalidOutput(err)
	}
	return SynthesisOutcome{Response: res.Response, TemplateIDs: res.TemplateIDs}, nil
}

func synthesizeByModel(ctx context.Context, turn *turn, t SynthesisTask) (SynthesisOutcome, error) {
	if t.Prompt == nil {
		return SynthesisOutcome{}, kept(turn.link, "This answer is worded by templates alone.")
	}
	if t.HasRows && !turn.data.Rows {
		return SynthesisOutcome{}, kept(turn.link, "The configuration does not let rows be sent to it.")
	}
	prompt, err := t.Prompt()
	if err != nil {
		return SynthesisOutcome{}, fmt.Errorf("write the prompt: %w", err)
	}
	var response wire.AggregatedResponse
	err = turn.object(ctx, want{id: t.Request.RequestID, prompt: prompt, read: func(object []byte) (err error) {
		if response, err = decodeResponse(object); err == nil && t.Check != nil {
			err = t.Check(response)
		}
		return err
	}})
	if err != nil {
		turn.takeBack(turn.name, turn.agent.failure(ctx, turn.link, err))
	}
	return SynthesisOutcome{Response: response}, err
}

// kept is the error of a model that the host did not ask on purpose.
func kept(l link, why string) *reason.Error {
	return reason.New(reason.PolicyDenied, reason.ReasonNotPermitted, "provider %q is not asked for the answer: %s", l.name, why).
		WithSafe("%s %s", l.title(), why).
		WithNext("Set data.rows for the provider, or let a template provider word the answers.")
}

// decodeResponse reads a model's answer: every field of the schema, no other.
func decodeResponse(object []byte) (wire.AggregatedResponse, error) {
	if err := fits(responseSchema, object); err != nil {
		return wire.AggregatedResponse{}, err
	}
	var r wire.AggregatedResponse
	if err := json.Unmarshal(object, &r); err != nil {
		return wire.AggregatedResponse{}, fmt.Errorf("the answer does not fit its schema: %w", err)
	}
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

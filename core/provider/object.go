package provider

import (
	"context"
	"encoding/json"
	"fmt"

	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk/reason"
)

// ObjectTask asks for one JSON object that fits the prompt's schema.
type ObjectTask struct {
	RequestID string
	// Prompt writes the prompt for a provider that may be sent data. It must leave
	// out values when data.Values is false, and rows when data.Rows is false.
	Prompt func(data config.Data) (Prompt, error)
}

// ObjectOutcome is the object and who wrote it. The object is whole JSON and not
// empty; whether it fits the schema is for the caller to check.
type ObjectOutcome struct {
	JSON json.RawMessage
	Call Call
}

// HasModel reports whether some provider of the agent's chain offers a model, so
// that Object can be asked. It is false for a nil Agent.
func (a *Agent) HasModel() bool { return len(a.models()) > 0 }

// models are the links of the chain that offer a model.
func (a *Agent) models() []link {
	if a == nil {
		return nil
	}
	var out []link
	for _, l := range a.chain {
		if l.Services.Model != nil {
			out = append(out, l)
		}
	}
	return out
}

// Object asks the first model of the chain, and on its failure the next that
// stands for it. Providers without a model are passed over.
//
// The error is a *reason.Error, with the failures before it in the outcome's
// Call; it is PROVIDER_UNAVAILABLE when no provider of the chain has a model.
func (a *Agent) Object(ctx context.Context, t ObjectTask) (ObjectOutcome, error) {
	models := a.models()
	if len(models) == 0 {
		return ObjectOutcome{}, reason.Provider(reason.Unavailable, "no provider of the agent has a model")
	}
	modelsOnly := *a
	modelsOnly.chain = models
	out, call, err := ask(ctx, &modelsOnly, func(ctx context.Context, l link, call *Call) (ObjectOutcome, error) {
		prompt, err := t.Prompt(l.data)
		if err != nil {
			return ObjectOutcome{}, fmt.Errorf("write the prompt: %w", err)
		}
		object, err := a.generate(ctx, l, t.RequestID, prompt, call)
		return ObjectOutcome{JSON: json.RawMessage(object)}, err
	})
	out.Call = call
	return out, err
}

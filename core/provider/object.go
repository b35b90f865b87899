package provider

import (
	"bytes"
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
	// Check reads an object that fits the schema and says what else is wrong with it,
	// in words for the model, which is asked to correct it once. Nil checks nothing.
	Check func(object json.RawMessage) error
}

// ObjectOutcome is the object and who wrote it. The object fits the prompt's schema
// and passed the task's check.
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
	out, call, err := ask(ctx, &modelsOnly, &exchange{}, func(ctx context.Context, turn *turn) (ObjectOutcome, error) {
		prompt, err := t.Prompt(turn.data)
		if err != nil {
			return ObjectOutcome{}, fmt.Errorf("write the prompt: %w", err)
		}
		var out ObjectOutcome
		err = turn.object(ctx, want{id: t.RequestID, prompt: prompt, read: func(object []byte) error {
			if err := fits(prompt.Schema, object); err != nil {
				return err
			}
			out.JSON = bytes.Clone(object)
			if t.Check != nil {
				return t.Check(out.JSON)
			}
			return nil
		}})
		return out, err
	})
	out.Call = call
	return out, err
}

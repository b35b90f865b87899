// Command instant is a provider that answers at once: with the plan and the
// wording of its settings.
package main

import (
	"context"
	"encoding/json"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

func main() {
	m := &model{}
	sdk.Serve(sdk.Plugin{Lifecycle: m, Model: m})
}

// planSchema is the name under which the host asks for a plan.
const planSchema = "query_plan"

// model answers a request for a plan with one text and any other with another.
type model struct{ Plan, Answer string }

// Describe implements sdk.Lifecycle.
func (m *model) Describe() sdk.Description {
	return sdk.Description{Name: "instant", Version: "1", ConfigSchema: json.RawMessage(
		`{"type":"object","properties":{"plan":{"type":"string"},"answer":{"type":"string"}},"required":["plan","answer"],"additionalProperties":false}`)}
}

// Configure implements sdk.Lifecycle.
func (m *model) Configure(_ context.Context, c sdk.Configuration) error {
	if err := json.Unmarshal(c.Settings, m); err != nil {
		return sdk.Errorf(reason.Misconfigured, "settings: %w", err)
	}
	return nil
}

// Health implements sdk.Lifecycle.
func (m *model) Health(context.Context) sdk.HealthState { return sdk.HealthState{OK: true} }

// Stop implements sdk.Lifecycle.
func (m *model) Stop(context.Context) error { return nil }

// ModelInfo implements sdk.Model.
func (m *model) ModelInfo(_ context.Context, name string) (sdk.ModelInfo, error) {
	return sdk.ModelInfo{Model: name, Present: true}, nil
}

// Generate implements sdk.Model.
func (m *model) Generate(_ context.Context, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
	text := m.Answer
	if r.SchemaName == planSchema {
		text = m.Plan
	}
	return sdk.GenerateResponse{Text: text, Finish: sdk.FinishStop, ModelServed: r.Model}, nil
}

// GenerateStream implements sdk.Model.
func (m *model) GenerateStream(ctx context.Context, r sdk.GenerateRequest, send func(sdk.Chunk) error) error {
	response, err := m.Generate(ctx, r)
	if err != nil {
		return err
	}
	if err := send(sdk.Chunk{Kind: sdk.ChunkText, Text: response.Text}); err != nil {
		return err
	}
	response.Text = ""
	return send(sdk.Chunk{Kind: sdk.ChunkFinish, Response: response})
}

// Embed implements sdk.Model.
func (m *model) Embed(context.Context, sdk.EmbedRequest) (sdk.EmbedResponse, error) {
	return sdk.EmbedResponse{}, sdk.ErrUnsupported
}

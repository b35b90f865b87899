// Command failing is a provider whose every plan fails with the kind of its
// settings: the kinds that no server can be made to give are told by it.
package main

import (
	"context"
	"encoding/json"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

func main() {
	p := &planner{}
	sdk.Serve(sdk.Plugin{Lifecycle: p, Planner: p})
}

// planner fails with a kind.
type planner struct{ Kind reason.Kind }

// Describe implements sdk.Lifecycle.
func (p *planner) Describe() sdk.Description {
	return sdk.Description{Name: "failing", Version: "1", ConfigSchema: json.RawMessage(
		`{"type":"object","properties":{"kind":{"type":"string"}},"required":["kind"],"additionalProperties":false}`)}
}

// Configure implements sdk.Lifecycle.
func (p *planner) Configure(_ context.Context, c sdk.Configuration) error {
	if err := json.Unmarshal(c.Settings, p); err != nil {
		return sdk.Errorf(reason.Misconfigured, "settings: %w", err)
	}
	return nil
}

// Health implements sdk.Lifecycle.
func (p *planner) Health(context.Context) sdk.HealthState { return sdk.HealthState{OK: true} }

// Stop implements sdk.Lifecycle.
func (p *planner) Stop(context.Context) error { return nil }

// Plan implements sdk.Planner.
func (p *planner) Plan(context.Context, sdk.PlanRequest) (sdk.PlanResponse, error) {
	return sdk.PlanResponse{}, sdk.Errorf(p.Kind, "the secret words of a plugin")
}

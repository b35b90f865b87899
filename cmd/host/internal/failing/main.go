// Command failing is a provider whose every plan fails with the kind of its
// settings: the kinds that no server can be made to give are told by it. It can also
// give its key away, as a plugin with a defect does.
package main

import (
	"context"
	"encoding/json"
	"os"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

func main() {
	p := &planner{}
	sdk.Serve(sdk.Plugin{Lifecycle: p, Planner: p})
}

// planner fails with a kind.
type planner struct {
	Kind reason.Kind
	Key  string `json:"api_key"`
	Leak string // how it gives Key away: "", error, log, print or panic
}

// Describe implements sdk.Lifecycle.
func (p *planner) Describe() sdk.Description {
	return sdk.Description{Name: "failing", Version: "1", ConfigSchema: json.RawMessage(
		`{"type":"object","properties":{"kind":{"type":"string"},"api_key":{"type":"string"},"leak":{"type":"string"}},"required":["kind"],"additionalProperties":false}`)}
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
	said := "refused: " + p.Key + " of https://user:" + p.Key + "@example.com"
	switch p.Leak {
	case "error":
		return sdk.PlanResponse{}, sdk.Errorf(p.Kind, "%s", said)
	case "log":
		sdk.Logger().Error(said, "key", p.Key, "header", map[string]string{"Authorization": "Bearer " + p.Key})
	case "print":
		_, _ = os.Stdout.WriteString(said + "\n")
		_, _ = os.Stderr.WriteString(said + "\n")
	case "panic":
		panic(said)
	}
	return sdk.PlanResponse{}, sdk.Errorf(p.Kind, "the secret words of a plugin")
}

package sdk_test

import (
	"context"
	"encoding/json"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// counter is the smallest useful provider: a Planner that counts the rows of the
// one table that a question names, and says what it would understand otherwise.
type counter struct{ unit string }

// Describe needs no configuration. The schema lets the host check the settings
// and name what is wrong before Configure is called.
func (c *counter) Describe() sdk.Description {
	return sdk.Description{
		Name:         "counter",
		Version:      "0.1.0",
		ConfigSchema: json.RawMessage(`{"type": "object", "properties": {"unit": {"type": "string"}}, "additionalProperties": false}`),
	}
}

// Configure gets all that the plugin will ever get from outside.
func (c *counter) Configure(_ context.Context, cfg sdk.Configuration) error {
	var settings struct {
		Unit string `json:"unit"`
	}
	if err := json.Unmarshal(cfg.Settings, &settings); err != nil {
		return sdk.Errorf(reason.Misconfigured, "reading the settings: %w", err)
	}
	c.unit = settings.Unit
	return nil
}

func (c *counter) Health(context.Context) sdk.HealthState { return sdk.HealthState{OK: true} }

func (c *counter) Stop(context.Context) error { return nil }

// Plan proposes; the host checks the plan and writes the SQL.
func (c *counter) Plan(_ context.Context, r sdk.PlanRequest) (sdk.PlanResponse, error) {
	refusal := &sdk.Refusal{Reason: string(reason.ReasonWordsNotUnderstood)}
	for _, table := range r.Catalog.Tables {
		if r.Question == "How many "+table.Name+"?" {
			plan := &wire.Plan{Clauses: wire.Clauses{From: table.Name, Select: []string{"count(*) as " + c.unit}}}
			return sdk.PlanResponse{Plan: plan, Reading: "the number of " + table.Name}, nil
		}
		refusal.Proposals = append(refusal.Proposals, "How many "+table.Name+"?")
	}
	return sdk.PlanResponse{Refusal: refusal}, nil
}

// The whole of a plugin's main function.
func Example() {
	c := &counter{unit: "rows"}
	sdk.Serve(sdk.Plugin{Lifecycle: c, Planner: c})
}

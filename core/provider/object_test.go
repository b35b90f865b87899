package provider_test

import (
	"context"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

func objectTask() provider.ObjectTask {
	return provider.ObjectTask{RequestID: "r1", Prompt: func(config.Data) (provider.Prompt, error) {
		return provider.NewPrompt("rules", "turn", "advice", []byte(`{"type":"object"}`)), nil
	}}
}

func TestObject(t *testing.T) {
	template := provider.Services{Plugin: "template", Planner: planner(nil), Synthesizer: synthesizer(nil)}
	without := one(nil)
	without.services["local"] = template
	broken := fails(sdk.Errorf(reason.Unavailable, "down"))
	tests := []struct {
		name     string
		setup    setup
		hasModel bool
		want     string // the object, or
		code     reason.Code
	}{
		{"a model", one(says("Here: {\"a\":1} done")), true, `{"a":1}`, ""},
		{"prose", one(says("no idea")), true, "", reason.ProviderCode(reason.InvalidOutput)},
		{"a failing model before a template", two(broken, config.Fallback{}, template), true, "", reason.ProviderCode(reason.Unavailable)},
		{"no model", without, false, "", reason.ProviderCode(reason.Unavailable)},
		{"a failing model before a model", two(broken, config.Fallback{}, provider.Services{Plugin: "openai", Model: says(`{"b":2}`)}), true, `{"b":2}`, ""},
	}
	for _, test := range tests {
		inTime(t, test.name, func(t *testing.T) {
			agent := test.setup.open(t).Agent(config.AgentASTPlanner)
			if got := agent.HasModel(); got != test.hasModel {
				t.Errorf("HasModel %t", got)
			}
			out, err := agent.Object(context.Background(), objectTask())
			if test.code != "" {
				if e := reason.From(err); e == nil || e.Code != test.code {
					t.Fatalf("error %v", err)
				}
				return
			}
			if err != nil || string(out.JSON) != test.want {
				t.Fatalf("object %s, error %v", out.JSON, err)
			}
		})
	}
}

func TestAgentsThatWorkWithoutAModelAreBound(t *testing.T) {
	s := one(nil)
	s.services["local"] = provider.Services{Plugin: "template", Planner: planner(nil), Synthesizer: synthesizer(nil)}
	r := s.open(t)
	for _, name := range []config.AgentName{config.AgentDatasourceResolver, config.AgentDecomposer, config.AgentRefiner} {
		if agent := r.Agent(name); agent == nil || agent.HasModel() {
			t.Errorf("agent %s is %v", name, agent)
		}
	}
	var none *provider.Agent
	if none.HasModel() {
		t.Error("no agent has a model")
	}
}

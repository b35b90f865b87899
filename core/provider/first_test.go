package provider_test

import (
	"context"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

func TestDeterministicFirst(t *testing.T) {
	const asked = "How many trips, by City?"
	sure := []sdk.Coverage{{Word: "how many", Used: "count"}, {Word: "trips", Used: "trips"}, {Word: "by"}, {Word: "city", Used: "city"}}
	plan := func(used []sdk.Coverage) planner {
		return func(context.Context, sdk.PlanRequest) (sdk.PlanResponse, error) {
			return sdk.PlanResponse{Plan: &wire.Plan{Clauses: wire.Clauses{From: "by_template"}}, Coverage: used}, nil
		}
	}
	for name, c := range map[string]struct {
		planner  planner
		strategy string
		feedback []string
		model    bool // whether it is the model that plans
		failed   int
	}{
		"sure":              {plan(sure), config.StrategyDeterministicFirst, nil, false, 0},
		"a word was unused": {plan(sure[:3]), config.StrategyDeterministicFirst, nil, true, 0},
		"no coverage":       {plan(nil), config.StrategyDeterministicFirst, nil, true, 0},
		"another strategy":  {plan(sure), config.StrategyModel, nil, true, 0},
		"a later attempt":   {plan(sure), config.StrategyDeterministicFirst, []string{"no"}, true, 0},
		"a refusal": {func(context.Context, sdk.PlanRequest) (sdk.PlanResponse, error) {
			return sdk.PlanResponse{Refusal: &sdk.Refusal{Reason: "words_not_understood"}}, nil
		}, config.StrategyDeterministicFirst, nil, true, 0},
		"a failure": {func(context.Context, sdk.PlanRequest) (sdk.PlanResponse, error) {
			return sdk.PlanResponse{}, sdk.Errorf(reason.Unavailable, "down")
		}, config.StrategyDeterministicFirst, nil, true, 1},
	} {
		inTime(t, name, func(t *testing.T) {
			s := one(says(`{"from":"by_model","select":["a"]}`))
			s.agent.Strategy = c.strategy
			s.providers["fixed"] = config.Provider{Plugin: config.TemplatePlugin}
			s.services["fixed"] = provider.Services{Plugin: config.TemplatePlugin, Planner: c.planner, Synthesizer: synthesizer(nil)}
			p := task()
			p.Request.Question, p.Request.Intent, p.Request.Feedback = asked, "", c.feedback
			out, err := s.open(t).Agent(config.AgentASTPlanner).Plan(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			by, from := config.ProviderName("fixed"), "by_template"
			if c.model {
				by, from = "local", "by_model"
			}
			if out.Call.Provider != by || out.Response.Plan.From != from || out.Deterministic == c.model || out.Others == c.model || len(out.Call.Failed) != c.failed {
				t.Errorf("outcome %+v", out)
			}
		})
	}
}

func TestIdentityTellsAgentsApart(t *testing.T) {
	base := one(says("")).open(t).Agent(config.AgentASTPlanner).Identity()
	if again := one(says("")).open(t).Agent(config.AgentASTPlanner).Identity(); again != base || base == "" {
		t.Errorf("identities %q and %q of the same", base, again)
	}
	cold := 0.0
	for name, change := range map[string]func(*setup){
		"model":       func(s *setup) { s.agent.Model = "other" },
		"temperature": func(s *setup) { s.agent.Temperature = &cold },
		"options":     func(s *setup) { s.agent.Options = map[string]string{"num_ctx": "1"} },
		"data": func(s *setup) {
			s.providers["local"] = config.Provider{Plugin: "ollama", Model: "m:7b", Data: config.Data{Values: true}}
		},
	} {
		s := one(says(""))
		change(&s)
		if got := s.open(t).Agent(config.AgentASTPlanner).Identity(); got == base {
			t.Errorf("another %s is the same agent", name)
		}
	}
}

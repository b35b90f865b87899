package provider_test

import (
	"context"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk"
)

// TestPatternsGoWhereTheyAreEnforced sends the narrower schema to a model whose
// provider says that its server enforces patterns, and to no other.
func TestPatternsGoWhereTheyAreEnforced(t *testing.T) {
	const plain, narrow = `{"type":"object"}`, `{"type":"object","properties":{"from":{"pattern":"^a$"}}}`
	for name, c := range map[string]struct {
		details  map[string]string
		enforced string
		want     string
	}{
		"enforced":              {map[string]string{sdk.DetailEnforcesPatterns: "true"}, narrow, narrow},
		"nothing said":          {nil, narrow, plain},
		"said not to":           {map[string]string{sdk.DetailEnforcesPatterns: "false", sdk.DetailLoads: "true"}, narrow, plain},
		"a prompt without them": {map[string]string{sdk.DetailEnforcesPatterns: "true"}, "", plain},
	} {
		t.Run(name, func(t *testing.T) {
			infos := 0
			var sent []string
			s := one(loading{model(func(_ context.Context, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
				sent = append(sent, string(r.Schema))
				return sdk.GenerateResponse{Text: `{"from":"a","select":["x"]}`, Finish: sdk.FinishStop}, nil
			}), c.details, &infos})
			s.agent.LoadTimeout = config.Duration(time.Minute)
			agent := s.open(t).Agent(config.AgentASTPlanner)
			for range 2 {
				ask := task()
				ask.Prompt = func(config.Data) (provider.Prompt, error) {
					p := provider.NewPrompt("rules", "turn", "plan", []byte(plain))
					p.Enforced = []byte(c.enforced)
					return p, nil
				}
				if _, err := agent.Plan(t.Context(), ask); err != nil {
					t.Fatal(err)
				}
			}
			if infos != 1 || len(sent) != 2 || sent[0] != c.want || sent[1] != c.want {
				t.Errorf("asked %d times of the model; sent %q, want %s", infos, sent, c.want)
			}
		})
	}
}

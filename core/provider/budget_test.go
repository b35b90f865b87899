package provider_test

import (
	"context"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// uses is a plan whose making used so many tokens.
func uses(input, output int64) step {
	return step{text: goodPlan, usage: sdk.Usage{Input: sdk.Known(input), Output: sdk.Known(output)}}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestTokensAreCounted(t *testing.T) {
	cached := 0.1
	for name, c := range map[string]struct {
		steps  []step
		prices *config.Prices
		want   provider.Spent
	}{
		"as told":          {[]step{uses(1000, 200)}, nil, provider.Spent{Tokens: 1200}},
		"at their price":   {[]step{uses(1000, 200)}, &config.Prices{Input: 2, Output: 10}, provider.Spent{Tokens: 1200, Cost: 0.004}},
		"cached are cheap": {[]step{{text: goodPlan, usage: sdk.Usage{Input: sdk.Known(1000), Output: sdk.Known(200), Cached: sdk.Known(800)}}}, &config.Prices{Input: 2, Output: 10, Cached: &cached}, provider.Spent{Tokens: 1200, Cost: 0.0004 + 0.00008 + 0.002}},
		"of every call": {[]step{{text: "prose", usage: sdk.Usage{Input: sdk.Known(100), Output: sdk.Known(10)}}, uses(150, 20)}, nil,
			provider.Spent{Tokens: 280}},
		"not of a refused call": {[]step{failsWith(reason.RateLimited), uses(1000, 200)}, nil, provider.Spent{Tokens: 1200}},
		"as estimated": {[]step{{text: goodPlan}}, nil,
			// three messages' worth of overhead and words, and the usual length of an answer
			provider.Spent{Tokens: 2 + 4 + 4 + 4 + 1 + 1024, Estimated: true}},
		"of a call that broke off, too": {[]step{failsWith(reason.Incomplete), uses(1000, 200)}, nil, provider.Spent{Tokens: 1200 + 15, Estimated: true}},
	} {
		inTime(t, name, func(t *testing.T) {
			s := one(plays(c.steps...))
			p := s.providers["local"]
			p.Prices = c.prices
			s.providers["local"] = p
			budget := provider.NewBudget(config.Budget{})
			out, err := s.open(t).Agent(config.AgentASTPlanner).Plan(provider.WithBudget(t.Context(), budget), task())
			if err != nil {
				t.Fatal(err)
			}
			got := budget.Spent()
			if got.Tokens != c.want.Tokens || got.Estimated != c.want.Estimated || !near(got.Cost, c.want.Cost) {
				t.Errorf("spent %+v, want %+v", got, c.want)
			}
			tallies := out.Call.Tallies()
			if len(tallies) != 1 || tallies[0].Calls != len(c.steps) || tallies[0].Spent.Tokens != got.Tokens || !near(tallies[0].Spent.Cost, got.Cost) {
				t.Errorf("tallies %+v", tallies)
			}
		})
	}
}

// What a call would take is held against the budget before it is made.
func TestABudgetEndsTheCalls(t *testing.T) {
	for name, c := range map[string]struct {
		limit config.Budget
		calls int
		says  string
	}{
		"tokens":         {config.Budget{Tokens: 3400}, 2, "settings.run.budget.tokens"},
		"cost":           {config.Budget{Cost: 0.05, Currency: "EUR"}, 2, "EUR that settings.run.budget.cost"},
		"the first call": {config.Budget{Tokens: 100}, 0, "settings.run.budget.tokens"},
		"none":           {config.Budget{}, 5, ""},
		"large enough":   {config.Budget{Tokens: 1_000_000, Cost: 100}, 5, ""},
		"one of the two": {config.Budget{Tokens: 1_000_000, Cost: 0.05}, 2, "budget.cost"},
	} {
		inTime(t, name, func(t *testing.T) {
			m := plays(uses(1000, 200))
			s := one(m)
			p := s.providers["local"]
			p.Prices = &config.Prices{Input: 5, Output: 30}
			s.providers["local"] = p
			agent := s.open(t).Agent(config.AgentASTPlanner)
			ctx := provider.WithBudget(t.Context(), provider.NewBudget(c.limit))
			var last *reason.Error
			for range 5 {
				_, err := agent.Plan(ctx, task())
				last = reason.From(err)
			}
			if len(m.asked) != c.calls {
				t.Errorf("%d calls, want %d", len(m.asked), c.calls)
			}
			if c.says == "" {
				if last != nil {
					t.Error(last)
				}
				return
			}
			if last == nil || last.Code != reason.BudgetExceeded || last.Retryable || !strings.Contains(last.SafeMessage, c.says) {
				t.Errorf("error %v", last)
			}
		})
	}
}

// Templates cost nothing: they stand in for a model that the run cannot pay.
func TestATemplateStandsInForWhatCannotBePaid(t *testing.T) {
	s := two(says(goodPlan), config.Fallback{}, provider.Services{Plugin: "template", Planner: planner(func(context.Context, sdk.PlanRequest) (sdk.PlanResponse, error) {
		return sdk.PlanResponse{Refusal: &sdk.Refusal{Reason: "words_not_understood"}}, nil
	}), Synthesizer: synthesizer(func(context.Context, sdk.SynthesizeRequest) (sdk.SynthesizeResponse, error) {
		return answered("by template"), nil
	})})
	ctx := provider.WithBudget(t.Context(), provider.NewBudget(config.Budget{Tokens: 10}))
	out, err := s.open(t).Agent(config.AgentAnswerSynthesizer).Synthesize(ctx, provider.SynthesisTask{Prompt: func() (provider.Prompt, error) {
		return provider.NewPrompt("rules", "turn", provider.ResponseSchemaName, provider.ResponseSchema()), nil
	}})
	if err != nil || out.Call.Provider != "other" || len(out.Call.Failed) != 1 || out.Call.Failed[0].Code != reason.BudgetExceeded {
		t.Errorf("%v, %+v", err, out.Call)
	}
}

// Calls that go on side by side do not spend the same money.
func TestCallsSideBySideShareTheBudget(t *testing.T) {
	inTime(t, "ten", func(t *testing.T) {
		m := model(func(context.Context, sdk.GenerateRequest) (sdk.GenerateResponse, error) {
			time.Sleep(time.Second)
			return sdk.GenerateResponse{Text: goodPlan, Finish: sdk.FinishStop, Usage: sdk.Usage{Input: sdk.Known(20), Output: sdk.Known(30)}}, nil
		})
		s := one(m)
		s.agent.MaxOutputTokens = 100
		agent := s.open(t).Agent(config.AgentASTPlanner)
		budget := provider.NewBudget(config.Budget{Tokens: 500})
		var calls sync.WaitGroup
		var mu sync.Mutex
		made, refused := 0, 0
		for range 10 {
			calls.Go(func() {
				_, err := agent.Plan(provider.WithBudget(t.Context(), budget), task())
				mu.Lock()
				defer mu.Unlock()
				switch e := reason.From(err); {
				case err == nil:
					made++
				case e.Code == reason.BudgetExceeded:
					refused++
				default:
					t.Error(err)
				}
			})
		}
		calls.Wait()
		if made != 4 || refused != 6 || budget.Spent().Tokens != int64(made)*50 {
			t.Errorf("%d made, %d refused, %+v spent", made, refused, budget.Spent())
		}
		// What was kept for calls is free again.
		if _, err := agent.Plan(provider.WithBudget(t.Context(), budget), task()); err != nil {
			t.Error(err)
		}
	})
}

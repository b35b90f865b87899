package provider_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// script is a model that ends its calls one after the other as told, and the last
// way from then on. It notes when it was asked.
type script struct {
	model
	steps []step
	asked []sdk.GenerateRequest
	at    []time.Time
}

type step struct {
	text   string
	finish sdk.FinishReason // "": stop
	err    error
	took   time.Duration
	usage  sdk.Usage
}

func plays(steps ...step) *script {
	s := &script{steps: steps}
	s.model = func(ctx context.Context, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
		now := s.steps[min(len(s.asked), len(s.steps)-1)]
		s.asked, s.at = append(s.asked, r), append(s.at, time.Now())
		if now.took > 0 {
			select {
			case <-time.After(now.took):
			case <-ctx.Done():
				return sdk.GenerateResponse{}, sdk.Errorf(reason.Timeout, "late: %w", ctx.Err())
			}
		}
		if now.err != nil {
			return sdk.GenerateResponse{}, now.err
		}
		if now.finish == "" {
			now.finish = sdk.FinishStop
		}
		return sdk.GenerateResponse{Text: now.text, Finish: now.finish, Usage: now.usage}, nil
	}
	return s
}

// waits are the times between the calls.
func (s *script) waits() []time.Duration {
	var out []time.Duration
	for i := 1; i < len(s.at); i++ {
		out = append(out, s.at[i].Sub(s.at[i-1]))
	}
	return out
}

func writes(text string) step { return step{text: text} }

func failsWith(k reason.Kind) step { return step{err: sdk.Errorf(k, "secret words")} }

func asksFor(k reason.Kind, wait time.Duration) step {
	return step{err: &sdk.Error{Kind: k, Message: "secret words", RetryAfter: wait}}
}

// ask is a plan that is asked for, by an agent of s.
func ask(t *testing.T, s setup) (provider.PlanOutcome, *reason.Error) {
	t.Helper()
	out, err := s.open(t).Agent(config.AgentASTPlanner).Plan(t.Context(), task())
	return out, reason.From(err)
}

func TestWhatPassesIsAskedAgain(t *testing.T) {
	again := []reason.Kind{reason.RateLimited, reason.Overloaded, reason.Unavailable, reason.Timeout, reason.Incomplete}
	for _, kind := range reason.Kinds() {
		inTime(t, string(kind), func(t *testing.T) {
			m := plays(failsWith(kind), writes(goodPlan))
			out, err := ask(t, one(m))
			if !slices.Contains(again, kind) && kind != reason.OutputTruncated {
				if err == nil || err.Code != reason.ProviderCode(kind) || len(m.asked) != 1 || err.Evidence[provider.EvidenceCalls] != "1" || provider.Settled(err) {
					t.Errorf("error %v after %d calls", err, len(m.asked))
				}
				return
			}
			if err != nil || len(m.asked) != 2 || len(out.Call.Retried) != 1 || out.Call.Retried[0].Code != reason.ProviderCode(kind) || len(out.Call.Failed) > 0 {
				t.Fatalf("error %v after %d calls: %+v", err, len(m.asked), out.Call)
			}
			if a := out.Call.Attempts; len(a) != 2 || a[0].Reason != reason.Reason(kind) || a[0].Purpose != provider.PurposeAsk || a[1].Code != "" {
				t.Errorf("attempts %+v", a)
			}
		})
	}
}

func TestCallsAreBounded(t *testing.T) {
	for _, most := range []int{1, 2, 3, 5} {
		inTime(t, fmt.Sprint(most), func(t *testing.T) {
			m := plays(failsWith(reason.Overloaded))
			s := one(m)
			p := s.providers["local"]
			p.MaxCalls = most
			s.providers["local"], s.agent.Timeout = p, config.Duration(time.Hour)
			out, err := ask(t, s)
			if err == nil || len(m.asked) != most || err.Evidence[provider.EvidenceCalls] != fmt.Sprint(most) || !provider.Settled(err) {
				t.Errorf("error %v after %d calls", err, len(m.asked))
			}
			if len(out.Call.Attempts) != most {
				t.Errorf("attempts %+v", out.Call.Attempts)
			}
			low, high := 250*time.Millisecond, 750*time.Millisecond
			for i, wait := range m.waits() {
				if wait < low || wait > high {
					t.Errorf("wait %d was %s, want %s to %s", i+1, wait, low, high)
				}
				low, high = 2*low, 2*high
			}
		})
	}
}

func TestWaitsThatServersAskFor(t *testing.T) {
	for name, c := range map[string]struct {
		wait, limit time.Duration
		calls       int
	}{
		"fits":               {20 * time.Second, time.Minute, 2},
		"does not fit":       {2 * time.Minute, time.Minute, 1},
		"fits only just not": {time.Minute, time.Minute, 1},
	} {
		inTime(t, name, func(t *testing.T) {
			m := plays(asksFor(reason.RateLimited, c.wait), writes(goodPlan))
			s := one(m)
			s.agent.Timeout = config.Duration(c.limit)
			began := time.Now()
			out, err := ask(t, s)
			if len(m.asked) != c.calls {
				t.Fatalf("asked %d times: %v", len(m.asked), err)
			}
			if c.calls == 1 {
				if err == nil || err.Evidence["retry_after"] != c.wait.String() || time.Since(began) != 0 {
					t.Errorf("error %v after %s", err, time.Since(began))
				}
				return
			}
			if m.waits()[0] != c.wait || out.Call.Attempts[1].Waited != c.wait {
				t.Errorf("waited %s: %+v", m.waits(), out.Call.Attempts)
			}
		})
	}
	// A fallback is not kept waiting.
	inTime(t, "a fallback", func(t *testing.T) {
		s := two(plays(asksFor(reason.RateLimited, time.Hour)).model, config.Fallback{}, provider.Services{Plugin: "openai", Model: says(goodPlan)})
		began := time.Now()
		if out, err := ask(t, s); err != nil || out.Call.Provider != "other" || time.Since(began) != 0 {
			t.Errorf("%v after %s: %+v", err, time.Since(began), out.Call)
		}
	})
}

// The time limit is that of all the calls of a provider.
func TestOneTimeLimitForAllCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := plays(step{took: 4 * time.Second, err: sdk.Errorf(reason.Unavailable, "gone")})
		s := one(m)
		s.agent.Timeout = config.Duration(7 * time.Second)
		began := time.Now()
		_, err := ask(t, s)
		if took := time.Since(began); took != 7*time.Second || len(m.asked) != 2 || err.Code != reason.ProviderCode(reason.Timeout) {
			t.Errorf("%v after %d calls and %s", err, len(m.asked), took)
		}
	})
}

// Whatever fails in whatever order, the calls stay within their bounds, and the
// budget has nothing left that is kept for calls.
func TestCallsStayWithinTheirBoundsWhateverFails(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	kinds := reason.Kinds()
	for i := range 300 {
		inTime(t, fmt.Sprint(i), func(t *testing.T) {
			calls := 0
			wild := model(func(context.Context, sdk.GenerateRequest) (sdk.GenerateResponse, error) {
				calls++
				switch random.IntN(6) {
				case 0:
					return sdk.GenerateResponse{Text: "prose", Finish: sdk.FinishStop}, nil
				case 1:
					return sdk.GenerateResponse{Text: goodPlan[:20], Finish: sdk.FinishLength}, nil
				case 2:
					e := sdk.Errorf(reason.InvalidRequest, "no")
					e.Setting = []string{sdk.SettingOutputMode, sdk.SettingTemperature, "top_p"}[random.IntN(3)]
					return sdk.GenerateResponse{}, e
				}
				e := sdk.Errorf(kinds[random.IntN(len(kinds))], "no")
				e.RetryAfter = time.Duration(random.IntN(3)) * time.Second
				return sdk.GenerateResponse{}, e
			})
			s := two(wild, config.Fallback{}, provider.Services{Plugin: "openai", Model: wild})
			perProvider, perAgent := 1+random.IntN(4), 1+random.IntN(6)
			for name, p := range s.providers {
				p.MaxCalls = perProvider
				s.providers[name] = p
			}
			zero := 0.0
			s.agent.MaxCalls, s.agent.Temperature, s.agent.Options = perAgent, &zero, map[string]string{"top_p": "1"}
			out, err := ask(t, s)
			if err == nil {
				t.Fatal("the plan came out of nothing")
			}
			// What a model does not take costs no call of the bound: three ways to ask for
			// a form, and two settings, each for two providers.
			const refusals = 2 * (3 + 2)
			if bound := min(2*perProvider, perAgent) + refusals; calls > bound || len(out.Call.Attempts) != calls {
				t.Errorf("%d calls, %d recorded, at most %d are allowed", calls, len(out.Call.Attempts), bound)
			}
		})
	}
}

func TestRetriesAreTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		agent := one(plays(failsWith(reason.Overloaded), writes(goodPlan))).open(t).Agent(config.AgentASTPlanner)
		var events []graph.Event
		emitter := graph.NewEmitter("run", "trace", time.Now, func(e graph.Event) {
			if e.Type == graph.NodeRetrying {
				events = append(events, e)
			}
		})
		node := graph.Node[int]{Name: "ast_planner", Run: func(ctx context.Context, _ int) (graph.Update[int], error) {
			_, err := agent.Plan(ctx, task())
			return nil, err
		}}
		g, err := graph.New(graph.Spec[int]{Name: "g", Start: graph.To[int]("ast_planner"), Failed: func(s int, _ *reason.Error) int { return s },
			Steps: []graph.Step[int]{{Work: node, Next: graph.To[int](graph.End)}}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.Run(t.Context(), emitter, 0); err != nil {
			t.Fatal(err)
		}
		if len(events) != 1 {
			t.Fatalf("events %+v", events)
		}
		d := events[0].Data
		if d["provider"] != "local" || d["attempt"] != 1 || d["reason"] != reason.Reason(reason.Overloaded) || d["wait_ms"].(int64) < 250 {
			t.Errorf("data %v", d)
		}
	})
}

package provider_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// broken is a setup whose model ends as told, a call for a request, with a breaker
// that opens at three failures for ten seconds.
func broken(steps ...step) (*script, setup) {
	m := plays(steps...)
	s := one(m)
	three := 3
	p := s.providers["local"]
	p.MaxCalls, p.Breaker = 1, config.Breaker{Failures: &three, Pause: config.Duration(10 * time.Second)}
	s.providers["local"] = p
	return m, s
}

func TestAModelThatIsDownIsLeftAlone(t *testing.T) {
	for _, kind := range []reason.Kind{reason.Unavailable, reason.Overloaded, reason.Timeout, reason.InternalProvider} {
		inTime(t, string(kind), func(t *testing.T) {
			m, s := broken(failsWith(kind), failsWith(kind), failsWith(kind), failsWith(kind), writes(goodPlan))
			registry := s.open(t)
			asks := func() *reason.Error {
				_, err := registry.Agent(config.AgentASTPlanner).Plan(t.Context(), task())
				return reason.From(err)
			}
			for range 3 {
				asks()
			}
			err := asks()
			if len(m.asked) != 3 || err == nil || err.Code != reason.ProviderCode(reason.Unavailable) || !provider.Settled(err) {
				t.Fatalf("%v after %d calls", err, len(m.asked))
			}
			until := time.Now().Add(10 * time.Second)
			if !strings.Contains(err.SafeMessage, "left alone until "+until.UTC().Format("15:04:05")) || !strings.Contains(err.SafeMessage, `"local"`) {
				t.Errorf("safe message %q", err.SafeMessage)
			}
			if st := registry.States(); len(st) != 1 || st[0].Breaker != provider.BreakerOpen || !st[0].Until.Equal(until) || st[0].Model != "m:7b" {
				t.Errorf("states %+v", st)
			}
			time.Sleep(10*time.Second + time.Millisecond)
			if asks(); len(m.asked) != 4 { // it still fails
				t.Fatalf("%d calls after the pause", len(m.asked))
			}
			if asks(); len(m.asked) != 4 {
				t.Fatal("it was asked again though the call to try it failed")
			}
			time.Sleep(10*time.Second + time.Millisecond)
			if err := asks(); err != nil || registry.States()[0].Breaker != provider.BreakerClosed {
				t.Errorf("%v, %+v", err, registry.States())
			}
		})
	}
}

func TestWhatDoesNotOpenTheBreaker(t *testing.T) {
	for name, st := range map[string]step{
		"a limit of requests": asksFor(reason.RateLimited, time.Hour), "a quota": failsWith(reason.QuotaExhausted),
		"a refused key": failsWith(reason.AuthFailed), "a refused request": failsWith(reason.InvalidRequest),
		"prose": writes("no JSON"), "a plugin that did not start": {err: reason.Provider(reason.Unavailable, "it did not start")},
	} {
		inTime(t, name, func(t *testing.T) {
			m, s := broken(st)
			agent := s.open(t).Agent(config.AgentASTPlanner)
			for range 8 {
				if _, err := agent.Plan(t.Context(), task()); err == nil {
					t.Fatal("no error")
				}
			}
			if len(m.asked) != 8 {
				t.Errorf("asked %d times", len(m.asked))
			}
		})
	}
}

// Calls that were on their way together when a provider failed tell of one failure:
// a plugin that died, or a server that was restarted, is asked again.
func TestCallsThatFailTogetherAreOneFailure(t *testing.T) {
	for _, kind := range []reason.Kind{reason.Unavailable, reason.Overloaded, reason.InternalProvider} {
		inTime(t, string(kind), func(t *testing.T) {
			var asked atomic.Int64
			s := one(model(func(context.Context, sdk.GenerateRequest) (sdk.GenerateResponse, error) {
				if asked.Add(1) > 16 {
					return sdk.GenerateResponse{Text: goodPlan, Finish: sdk.FinishStop}, nil
				}
				time.Sleep(time.Second)
				return sdk.GenerateResponse{}, sdk.Errorf(kind, "gone")
			}))
			registry := s.open(t)
			var calls sync.WaitGroup
			for range 16 {
				calls.Go(func() {
					_, err := registry.Agent(config.AgentASTPlanner).Plan(t.Context(), task())
					if err != nil && kind != reason.InternalProvider { // which is not asked again
						t.Error(err)
					}
				})
			}
			calls.Wait()
			if st := registry.States(); st[0].Breaker != provider.BreakerClosed {
				t.Errorf("states %+v", st)
			}
		})
	}
}

// Who waited in vain for as long as may be tells of it whatever others tell.
func TestCallsThatAreLateTogetherOpenTheBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := one(model(func(ctx context.Context, _ sdk.GenerateRequest) (sdk.GenerateResponse, error) {
			<-ctx.Done()
			return sdk.GenerateResponse{}, sdk.Errorf(reason.Timeout, "late")
		}))
		registry := s.open(t)
		var calls sync.WaitGroup
		for range config.DefaultBreakerFailures {
			calls.Go(func() { _, _ = registry.Agent(config.AgentASTPlanner).Plan(t.Context(), task()) })
		}
		calls.Wait()
		if st := registry.States(); st[0].Breaker != provider.BreakerOpen {
			t.Errorf("states %+v", st)
		}
	})
}

// A caller who leaves while the one call is on its way that tries a model says
// nothing of the model, and the next call tries it.
func TestACancelledTrialIsFollowedByAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := failsWith(reason.Unavailable)
		m, s := broken(down, down, down, step{took: time.Second, text: goodPlan}, writes(goodPlan))
		agent := s.open(t).Agent(config.AgentASTPlanner)
		for range 3 {
			_, _ = agent.Plan(t.Context(), task())
		}
		time.Sleep(11 * time.Second)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(500*time.Millisecond, cancel)
		other := make(chan error, 1)
		go func() {
			time.Sleep(100 * time.Millisecond)
			_, err := agent.Plan(t.Context(), task())
			other <- err
		}()
		if _, err := agent.Plan(ctx, task()); reason.From(err).Code != reason.ProviderCode(reason.Cancelled) {
			t.Errorf("error %v", err)
		}
		if err := reason.From(<-other); err == nil || err.Code != reason.ProviderCode(reason.Unavailable) || !strings.Contains(err.SafeMessage, "Another call") {
			t.Errorf("beside the trial: %v", err)
		}
		if _, err := agent.Plan(t.Context(), task()); err != nil || len(m.asked) != 5 {
			t.Errorf("%v after %d calls", err, len(m.asked))
		}
	})
}

// The breaker is that of a model, not of its provider.
func TestAnotherModelOfTheProviderIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := one(model(func(_ context.Context, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
			if r.Model == "m:7b" {
				return sdk.GenerateResponse{}, sdk.Errorf(reason.Unavailable, "down")
			}
			return sdk.GenerateResponse{Text: goodPlan, Finish: sdk.FinishStop}, nil
		}))
		s.other = config.Agent{Provider: "local", Model: "m:14b", Timeout: config.Duration(time.Minute)}
		registry := s.open(t)
		for range 6 {
			_, _ = registry.Agent(config.AgentASTPlanner).Plan(t.Context(), task())
		}
		if _, err := registry.Agent(config.AgentDecomposer).Object(t.Context(), objectTask()); err != nil {
			t.Error(err)
		}
		if st := registry.States(); len(st) != 2 || st[0].Breaker != provider.BreakerClosed || st[1].Breaker != provider.BreakerOpen {
			t.Errorf("states %+v", st)
		}
	})
}

func TestABreakerCanBeSwitchedOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, s := broken(failsWith(reason.Unavailable))
		never := 0
		p := s.providers["local"]
		p.Breaker.Failures = &never
		s.providers["local"] = p
		agent := s.open(t).Agent(config.AgentASTPlanner)
		for range 20 {
			_, _ = agent.Plan(t.Context(), task())
		}
		if len(m.asked) != 20 {
			t.Errorf("asked %d times", len(m.asked))
		}
	})
}

// A call that is made again finds a breaker that opened in between: the turn ends,
// and the fallback answers.
func TestAFallbackAnswersWhileABreakerIsOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		s := two(func(context.Context, sdk.GenerateRequest) (sdk.GenerateResponse, error) {
			asked++
			return sdk.GenerateResponse{}, sdk.Errorf(reason.Unavailable, "down")
		}, config.Fallback{On: []string{"unavailable"}}, provider.Services{Plugin: "openai", Model: says(goodPlan)})
		agent := s.open(t).Agent(config.AgentASTPlanner)
		for range 10 {
			out, err := agent.Plan(t.Context(), task())
			if err != nil || out.Call.Provider != "other" {
				t.Fatal(err)
			}
		}
		if asked != config.DefaultBreakerFailures {
			t.Errorf("the model that is down was asked %d times", asked)
		}
	})
}

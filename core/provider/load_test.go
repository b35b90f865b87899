package provider_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// loading is a model that says whether it is loaded by its provider, and never
// answers.
type loading struct {
	model
	details map[string]string
	infos   *int
}

func (l loading) ModelInfo(context.Context, string) (sdk.ModelInfo, error) {
	*l.infos++
	return sdk.ModelInfo{Present: true, Details: l.details}, nil
}

func TestLoadingDoesNotCountAgainstTheAgentsTime(t *testing.T) {
	for name, c := range map[string]struct {
		details   map[string]string
		run       time.Duration // 0: no limit
		took      time.Duration
		forLoad   time.Duration // LoadTimeout as sent
		endsByRun bool
	}{
		"a provider that loads":         {map[string]string{sdk.DetailLoads: "true"}, 0, 65 * time.Second, time.Minute, false},
		"one that does not":             {nil, 0, 5 * time.Second, 5 * time.Second, false},
		"a run that leaves some of it":  {map[string]string{sdk.DetailLoads: "true"}, 35 * time.Second, 35 * time.Second, 30 * time.Second, true},
		"a run that leaves none for it": {map[string]string{sdk.DetailLoads: "true"}, 4 * time.Second, 4 * time.Second, 4 * time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				infos := 0
				var sent time.Duration
				s := one(loading{model(func(ctx context.Context, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
					sent = r.LoadTimeout
					<-ctx.Done()
					return sdk.GenerateResponse{}, sdk.Errorf(reason.Timeout, "late")
				}), c.details, &infos})
				s.agent.LoadTimeout = config.Duration(time.Minute)
				agent := s.open(t).Agent(config.AgentASTPlanner)
				for range 2 {
					ctx, cancel := context.WithCancel(t.Context())
					if c.run > 0 {
						ctx, cancel = context.WithTimeout(t.Context(), c.run)
					}
					began := time.Now()
					if _, err := agent.Plan(ctx, task()); reason.From(err).Code != reason.ProviderCode(reason.Timeout) {
						t.Errorf("error %v", err)
					}
					cancel()
					if took := time.Since(began); took != c.took || sent != c.forLoad {
						t.Errorf("took %s, want %s; %s to load, want %s", took, c.took, sent, c.forLoad)
					}
				}
				if infos != 1 {
					t.Errorf("the provider was asked %d times about its model", infos)
				}
			})
		})
	}
}

// A call that is made again after the agent's time is up gets that time anew from
// what loading has left, and not all that is left.
func TestEachCallHasTheAgentsTimeBesideLoading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		infos := 0
		var had []time.Duration
		s := one(loading{model(func(ctx context.Context, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
			deadline, _ := ctx.Deadline()
			answering := time.Until(deadline) - r.LoadTimeout
			had = append(had, answering)
			time.Sleep(answering)
			return sdk.GenerateResponse{}, sdk.Errorf(reason.Timeout, "late")
		}), map[string]string{sdk.DetailLoads: "true"}, &infos})
		s.agent.LoadTimeout = config.Duration(time.Minute)
		_, err := s.open(t).Agent(config.AgentASTPlanner).Plan(t.Context(), task())
		if reason.From(err).Code != reason.ProviderCode(reason.Timeout) || len(had) < 2 {
			t.Errorf("%d calls: %v", len(had), err)
		}
		for n, answering := range had {
			if answering != 5*time.Second {
				t.Errorf("call %d had %s to answer, want the agent's 5s", n+1, answering)
			}
		}
	})
}

// slowly is a model that takes a second to say that its provider loads it, and then
// the time to do so.
type slowly struct{ model }

func (s slowly) ModelInfo(ctx context.Context, _ string) (sdk.ModelInfo, error) {
	select {
	case <-time.After(time.Second):
		return sdk.ModelInfo{Present: true, Details: map[string]string{sdk.DetailLoads: "true"}}, nil
	case <-ctx.Done():
		return sdk.ModelInfo{}, sdk.Errorf(reason.Cancelled, "not asked any more")
	}
}

// A caller who leaves while a provider is asked of its model leaves the question to
// the next one: nothing is remembered of an answer that did not come.
func TestWhoLeavesDoesNotKeepOthersFromKnowing(t *testing.T) {
	for name, leave := range map[string]func(context.Context) (context.Context, context.CancelFunc){
		"cancelled": func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(time.Millisecond, cancel)
			return ctx, cancel
		},
		"out of time": func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, time.Millisecond)
		},
	} {
		inTime(t, name, func(t *testing.T) {
			s := one(slowly{model(func(ctx context.Context, _ sdk.GenerateRequest) (sdk.GenerateResponse, error) {
				select {
				case <-time.After(30 * time.Second):
					return sdk.GenerateResponse{Text: goodPlan, Finish: sdk.FinishStop}, nil
				case <-ctx.Done():
					return sdk.GenerateResponse{}, sdk.Errorf(reason.Timeout, "still loading")
				}
			})})
			s.agent.LoadTimeout = config.Duration(time.Minute)
			agent := s.open(t).Agent(config.AgentASTPlanner)
			ctx, cancel := leave(t.Context())
			defer cancel()
			if _, err := agent.Plan(ctx, task()); err == nil {
				t.Fatal("a caller who had left got an answer")
			}
			if _, err := agent.Plan(t.Context(), task()); err != nil {
				t.Error(err)
			}
		})
	}
}

// secretive is a model that does not say what it is, and answers.
type secretive struct {
	model
	infos *int
}

func (s secretive) ModelInfo(ctx context.Context, _ string) (sdk.ModelInfo, error) {
	*s.infos++
	<-ctx.Done()
	return sdk.ModelInfo{}, sdk.Errorf(reason.Timeout, "no list of models")
}

// A provider that does not tell of its models is not asked before every call.
func TestAProviderThatDoesNotTellIsLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		infos := 0
		s := one(secretive{model(func(context.Context, sdk.GenerateRequest) (sdk.GenerateResponse, error) {
			return sdk.GenerateResponse{Text: `{"from":"customers","select":["id"]}`, Finish: sdk.FinishStop}, nil
		}), &infos})
		s.agent.LoadTimeout = config.Duration(time.Minute)
		agent := s.open(t).Agent(config.AgentASTPlanner)
		for n, want := range []int{1, 1, 1, 2} {
			if n == 3 {
				time.Sleep(time.Minute)
			}
			if _, err := agent.Plan(t.Context(), task()); err != nil || infos != want {
				t.Errorf("call %d: %v, asked %d times, want %d", n, err, infos, want)
			}
		}
	})
}

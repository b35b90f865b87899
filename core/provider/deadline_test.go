package provider_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// A free slot is no reason to call a run that is over late or busy at random.
func TestRunThatIsOverIsLateNotOverloaded(t *testing.T) {
	s := one(model(func(context.Context, sdk.GenerateRequest) (sdk.GenerateResponse, error) {
		t.Error("the provider was asked for a run that is over")
		return sdk.GenerateResponse{}, nil
	}))
	local := s.providers["local"]
	local.MaxParallel = 1
	s.providers["local"] = local
	agent := s.open(t).Agent(config.AgentASTPlanner)
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	for range 50 {
		_, err := agent.Plan(ctx, task())
		if e := reason.From(err); e == nil || e.Code != reason.ProviderCode(reason.Timeout) {
			t.Fatalf("error %v", err)
		}
	}
}

// A provider that is given the run's deadline may say that it is late a moment
// before the run is: the run's end must count, so the call ends with it.
func TestProviderThatIsLateByTheRunsDeadlineEndsWithTheRun(t *testing.T) {
	agent := one(model(func(ctx context.Context, _ sdk.GenerateRequest) (sdk.GenerateResponse, error) {
		deadline, _ := ctx.Deadline()
		time.Sleep(time.Until(deadline) - 90*time.Millisecond)
		return sdk.GenerateResponse{}, sdk.Errorf(reason.Timeout, "no complete answer within the time limit")
	})).open(t).Agent(config.AgentASTPlanner)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := agent.Plan(ctx, task()); reason.From(err).Code != reason.ProviderCode(reason.Timeout) {
		t.Fatalf("error %v", err)
	}
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		t.Error("the call came back before the run's deadline")
	}
}

// An error may be shared: by the calls of a plugin that did not start, and by
// the runs of an engine that is closed.
func TestSharedErrorsStayAsTheyAre(t *testing.T) {
	shared := reason.Provider(reason.Misconfigured, "the plugin did not start")
	agent := one(fails(shared)).open(t).Agent(config.AgentASTPlanner)
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() {
			if _, err := agent.Plan(t.Context(), task()); reason.From(err).Evidence["provider"] != "local" {
				t.Errorf("error %v", err)
			}
		})
	}
	calls.Wait()
	if len(shared.Evidence) > 0 {
		t.Errorf("the shared error now says %v", shared.Evidence)
	}
}

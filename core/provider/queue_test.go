package provider_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

func TestAQueueHasALengthAndATime(t *testing.T) {
	for name, c := range map[string]struct {
		length  *int
		timeout time.Duration
		full    int // of ten calls, those that find no room
		late    int // those that wait in vain
	}{
		"long enough":   {nil, 0, 0, 0},
		"of three":      {ref(3), 0, 5, 0},
		"none":          {ref(0), 0, 8, 0},
		"of five, late": {ref(5), 1500 * time.Millisecond, 3, 3},
	} {
		inTime(t, name, func(t *testing.T) {
			s := one(model(func(context.Context, sdk.GenerateRequest) (sdk.GenerateResponse, error) {
				time.Sleep(time.Second)
				return sdk.GenerateResponse{Text: goodPlan, Finish: sdk.FinishStop}, nil
			}))
			p := s.providers["local"]
			p.MaxParallel, p.Queue = 2, config.Queue{Length: c.length, Timeout: config.Duration(c.timeout)}
			s.providers["local"], s.agent.Timeout = p, config.Duration(time.Minute)
			registry := s.open(t)
			agent := registry.Agent(config.AgentASTPlanner)
			var calls sync.WaitGroup
			var mu sync.Mutex
			full, late := 0, 0
			for range 10 {
				calls.Go(func() {
					_, err := agent.Plan(t.Context(), task())
					if err == nil {
						return
					}
					own := reason.From(err)
					mu.Lock()
					defer mu.Unlock()
					switch {
					case own.Code != reason.ProviderCode(reason.Overloaded):
						t.Errorf("error %v", err)
					case strings.Contains(own.SafeMessage, "queue.length"):
						full++
					default:
						late++
					}
				})
			}
			synctest.Wait()
			if st := registry.States()[0]; st.Running != 2 || st.Waiting != 8-c.full || st.MaxParallel != 2 {
				t.Errorf("state %+v", st)
			}
			calls.Wait()
			if full != c.full || late != c.late {
				t.Errorf("%d found no room, %d waited in vain; want %d and %d", full, late, c.full, c.late)
			}
		})
	}
}

func ref[T any](v T) *T { return &v }

// A slot and a place in the queue come back whatever becomes of the call.
func TestSlotsComeBack(t *testing.T) {
	for name, m := range map[string]model{
		"a panic":  func(context.Context, sdk.GenerateRequest) (sdk.GenerateResponse, error) { panic("boom") },
		"an error": fails(errors.New("boom")),
		"an overrun": func(ctx context.Context, _ sdk.GenerateRequest) (sdk.GenerateResponse, error) {
			<-ctx.Done()
			return sdk.GenerateResponse{}, ctx.Err()
		},
	} {
		inTime(t, name, func(t *testing.T) {
			s := one(m)
			p := s.providers["local"]
			p.MaxParallel, p.Breaker.Failures = 1, ref(0)
			s.providers["local"] = p
			registry := s.open(t)
			for range 3 {
				_, _ = registry.Agent(config.AgentASTPlanner).Plan(t.Context(), task())
			}
			if st := registry.States()[0]; st.Running != 0 || st.Waiting != 0 {
				t.Errorf("state %+v", st)
			}
		})
	}
}

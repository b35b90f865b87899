package pipeline_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// explained is a source that also says what statements would cost.
type explained struct {
	*source
	explain func() (datasource.Estimate, error)
}

func (e explained) Explain(context.Context, sqlgen.Statement) (datasource.Estimate, error) {
	return e.explain()
}

// failsOnce is an error for the first call alone.
func failsOnce(err error) func(context.Context) error {
	failed := false
	return func(context.Context) error {
		if failed {
			return nil
		}
		failed = true
		return err
	}
}

func TestAFailedPlanIsRepaired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, planned(says(badPlan), says(goodPlan)))
		run := f.ask(t, t.Context(), question("How many customers are in each country?"))
		if err := run.Err(); err != nil {
			t.Fatal(err)
		}
		if run.Answer.Outcome != wire.Answered || len(run.Answer.Notes) != 0 || run.Sub["q1"].Attempts != 2 {
			t.Errorf("answer %+v after %d attempts", run.Answer, run.Sub["q1"].Attempts)
		}
		if replaced, left := recovered(run); replaced != 1 || left != 0 || run.Errors[0].Err.Code != reason.PlanInvalid || run.Errors[0].Step != "q1/logical_validator" {
			t.Errorf("errors %+v", run.Errors)
		}
		if strings.Contains(f.model.turn(0), "<refused>") {
			t.Errorf("the first turn speaks of a refusal:\n%s", f.model.turn(0))
		}
		for _, want := range []string{"<refused>", "select item 1", "nation", "country", `"from":"customers"`} {
			if !strings.Contains(f.model.turn(1), want) {
				t.Errorf("the second turn lacks %q:\n%s", want, f.model.turn(1))
			}
		}
		events := f.retrying()
		if len(events) != 1 || graph.StepID(events[0].SubQuery, events[0].Node) != "q1/retry_handler" {
			t.Fatalf("events:%s", f.story())
		}
		d := events[0].Data
		if d["attempt"] != 1 || d["of"] != 2 || d["code"] != reason.PlanInvalid || d["reason"] != reason.ReasonPlanInvalid || d["step"] != pipeline.StepLogicalValidator {
			t.Errorf("data %v", d)
		}
		if wait := d["wait_ms"].(int64); wait < 250 || wait > 500 {
			t.Errorf("waited %d ms", wait)
		}
		if calls := run.Calls; len(calls) != 3 || calls[0].Agent != config.AgentASTPlanner || calls[1].Agent != config.AgentASTPlanner {
			t.Errorf("calls %+v", calls)
		}
	})
}

func TestEveryRetryableFailureRecovers(t *testing.T) {
	type expected struct{ asked, introspections int }
	once := expected{2, 1} // the usual: another plan of the same structure
	cases := map[string]struct {
		setup setup
		code  reason.Code
		want  expected
	}{
		"a plan that does not fit":    {planned(says(badPlan), says(goodPlan)), reason.PlanInvalid, once},
		"prose":                       {planned(reply{text: "I would look at the customers."}, says(goodPlan)), reason.ProviderCode(reason.InvalidOutput), once},
		"a clause that does not read": {planned(says(selects("customers", "count((")), says(goodPlan)), reason.PlanInvalid, once},
		"a query that fails": {func(f *fixture) {
			planned(says(goodPlan))(f)
			f.source.query = failsOnce(reason.New(reason.ExecutionFailed, reason.ReasonExecutionFailed, "secret text of the database"))
		}, reason.ExecutionFailed, once},
		"a structure that changed": {func(f *fixture) {
			planned(says(goodPlan))(f)
			f.source.query = failsOnce(reason.New(reason.SchemaChanged, reason.ReasonSchemaChanged, "no such table"))
		}, reason.SchemaChanged, expected{2, 2}},
		"a database that was away": {func(f *fixture) {
			planned(says(goodPlan))(f)
			f.source.query = failsOnce(reason.New(reason.DatasourceUnreachable, reason.ReasonUnavailable, "connection refused"))
		}, reason.DatasourceUnreachable, expected{1, 1}},
		"a plan that costs too much": {func(f *fixture) {
			planned(says(goodPlan))(f)
			estimates := []int64{5_000_001, 100}
			f.explain = func() (datasource.Estimate, error) {
				rows := estimates[0]
				estimates = estimates[1:]
				return datasource.Estimate{Rows: rows}, nil
			}
		}, reason.CostLimit, once},
	}
	for _, k := range reason.Kinds() {
		row, _ := reason.Lookup(reason.ProviderCode(k), reason.Reason(k))
		if row.Retryable && k != reason.InvalidOutput {
			cases["provider: "+string(k)] = struct {
				setup setup
				code  reason.Code
				want  expected
			}{planned(reply{err: sdk.Errorf(k, "secret text of the provider")}, says(goodPlan)), reason.ProviderCode(k), once}
		}
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t, c.setup)
				run := f.ask(t, t.Context(), question("customers by country"))
				if run.Answer.Outcome != wire.Answered || run.Err() != nil {
					t.Fatalf("outcome %s, error %v", run.Answer.Outcome, run.Err())
				}
				if replaced, left := recovered(run); replaced != 1 || left != 0 || run.Errors[0].Err.Code != c.code {
					t.Errorf("errors %+v", run.Errors[0].Err)
				}
				if got := (expected{len(f.model.asked), int(f.source.introspection.Load())}); got != c.want || len(f.retrying()) != 1 {
					t.Errorf("%+v, want %+v; events:%s", got, c.want, f.story())
				}
				for i := range f.model.asked {
					if strings.Contains(f.model.turn(i), "secret") {
						t.Errorf("the prompt repeats what must stay secret:\n%s", f.model.turn(i))
					}
				}
			})
		})
	}
}

func TestFinalFailuresEndAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		setup setup
		code  reason.Code
	}{
		"a key that is refused": {planned(reply{err: sdk.Errorf(reason.AuthFailed, "401")}), reason.ProviderCode(reason.AuthFailed)},
		"a query without end": {func(f *fixture) {
			planned(says(goodPlan))(f)
			f.source.query = func(context.Context) error {
				return reason.New(reason.QueryTimeout, reason.ReasonTimeout, "20 s passed")
			}
		}, reason.QueryTimeout},
		"a table that is not the caller's": {planned(says(selects("staff", "salary"))), reason.PolicyDenied},
		"a deterministic planner":          {func(f *fixture) { f.service.plan = proposes(badPlan) }, reason.PlanInvalid},
		"a deterministic planner's query": {func(f *fixture) {
			f.source.query = func(context.Context) error {
				return reason.New(reason.ExecutionFailed, reason.ReasonExecutionFailed, "overflow")
			}
		}, reason.ExecutionFailed},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t, c.setup)
				run := f.ask(t, t.Context(), question("customers by country"))
				asked := len(f.service.asked)
				if f.model != nil {
					asked = len(f.model.asked)
				}
				if e := errorOf(run); e.Code != c.code || asked != 1 || len(f.retrying()) != 0 {
					t.Errorf("%v after %d calls; events:%s", e, asked, f.story())
				}
				if replaced, left := recovered(run); replaced != 0 || left != 1 {
					t.Errorf("errors %+v", run.Errors)
				}
			})
		})
	}
}

func TestAVerifiedPlanIsNotTriedAgain(t *testing.T) {
	f := newFixture(t, planned(says(goodPlan)))
	f.source.query = func(context.Context) error {
		return reason.New(reason.ExecutionFailed, reason.ReasonExecutionFailed, "overflow")
	}
	run := f.ask(t, t.Context(), question("customers by country without Peru"))
	if e := errorOf(run); e.Code != reason.ExecutionFailed || len(f.model.asked) != 0 || len(f.retrying()) != 0 {
		t.Errorf("%v after %d calls", e, len(f.model.asked))
	}
}

func TestRetriesAreBounded(t *testing.T) {
	for _, most := range []int{0, 1, 2, 5} {
		synctest.Test(t, func(t *testing.T) {
			f := newFixture(t, planned(says(badPlan)), retries(most))
			run := f.ask(t, t.Context(), question("customers by nation"))
			if e := errorOf(run); e.Code != reason.PlanInvalid || len(f.model.asked) != most+1 || len(f.retrying()) != most {
				t.Errorf("at most %d: %v after %d calls and %d retries", most, e, len(f.model.asked), len(f.retrying()))
			}
			if replaced, left := recovered(run); replaced != most || left != 1 {
				t.Errorf("at most %d: %d replaced, %d left", most, replaced, left)
			}
			if run.Answer.Outcome != wire.CannotAnswer || run.Answer.Failure.FailedStep != "q1/logical_validator" {
				t.Errorf("answer %+v", run.Answer.Failure)
			}
		})
	}
}

func TestWaitsDoubleAndAreCutToTheDeadline(t *testing.T) {
	second := func(f *fixture) { f.config.Settings.SQLAgent.Backoff = config.Duration(time.Second) }
	for name, c := range map[string]struct {
		jitter float64
		limit  time.Duration // of the run
		waits  []int64       // in ms
	}{
		"doubling": {0.5, time.Hour, []int64{750, 1500, 3000}},
		"shortest": {0, time.Hour, []int64{500, 1000, 2000}},
		"cut":      {0.5, 2 * time.Second, []int64{750, 625, 312}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t, planned(says(badPlan)), retries(3), second, func(f *fixture) {
					f.config.Settings.Run.Timeout = config.Duration(c.limit)
					f.deps.Random = func() float64 { return c.jitter }
				})
				began := time.Now()
				f.ask(t, t.Context(), question("customers by country"))
				var waits []int64
				var total int64
				for _, e := range f.retrying() {
					waits = append(waits, e.Data["wait_ms"].(int64))
					total += e.Data["wait_ms"].(int64)
				}
				if !slices.Equal(waits, c.waits) {
					t.Errorf("waits %v, want %v", waits, c.waits)
				}
				if took := time.Since(began).Milliseconds(); took < total || took > total+5 {
					t.Errorf("took %d ms, want the %d of the waits", took, total)
				}
			})
		})
	}
}

func TestACancelledWaitEndsTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, planned(says(badPlan)), func(f *fixture) { f.config.Settings.SQLAgent.Backoff = config.Duration(time.Minute) })
		ctx, cancel := context.WithTimeoutCause(t.Context(), 10*time.Second, context.Canceled)
		defer cancel()
		stop, stopped := context.WithCancel(ctx)
		defer stopped()
		time.AfterFunc(time.Second, stopped)
		run := f.ask(t, stop, question("customers by nation"))
		if run.Answer.Outcome != wire.Cancelled || len(f.model.asked) != 1 {
			t.Errorf("outcome %s after %d calls", run.Answer.Outcome, len(f.model.asked))
		}
	})
}

// The warnings of an attempt that was replaced are not the answer's.
func TestWarningsOfAReplacedAttemptDoNotCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		warned := 0
		noisy := graph.Node[pipeline.SubRun]{Name: "noisy", Run: func(context.Context, pipeline.SubRun) (graph.Update[pipeline.SubRun], error) {
			warned++
			text := fmt.Sprintf("attempt %d", warned)
			return func(s pipeline.SubRun) pipeline.SubRun {
				s.Warnings = append(slices.Clip(s.Warnings), wire.Note{Code: reason.JoinFanOut, Message: text})
				return s
			}, nil
		}}
		f := newFixture(t, planned(says(badPlan), says(goodPlan)), func(f *fixture) {
			f.options = append(f.options, pipeline.Agent(func(s *graph.Spec[pipeline.SubRun]) error { return s.InsertAfter(pipeline.StepASTPlanner, noisy) }))
		})
		run := f.ask(t, t.Context(), question("customers by country"))
		if len(run.Warnings) != 1 || run.Warnings[0].Message != "attempt 2" {
			t.Errorf("warnings %v", run.Warnings)
		}
	})
}

// A planner that was asked before the model, and whose plan fails, leaves the next
// attempt to the model.
func TestTheModelFollowsAPlannerThatWasAskedFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, planned(says(goodPlan)), func(f *fixture) {
			agent := f.config.Agents[config.AgentASTPlanner]
			agent.Strategy = config.StrategyDeterministicFirst
			f.config.Agents[config.AgentASTPlanner] = agent
			f.service.plan = func(context.Context, sdk.PlanRequest) (sdk.PlanResponse, error) {
				return sdk.PlanResponse{Plan: &badPlan, Coverage: []sdk.Coverage{{Word: "customers by nation", Used: "customers"}}}, nil
			}
		})
		run := f.ask(t, t.Context(), question("customers by nation"))
		if run.Err() != nil || len(f.service.asked) != 1 || len(f.model.asked) != 1 || run.Sub["q1"].Planner != "local" {
			t.Errorf("error %v; the planner was asked %d times and the model %d", run.Err(), len(f.service.asked), len(f.model.asked))
		}
		f.ask(t, t.Context(), question("customers by nation"))
		if len(f.service.asked) != 1 {
			t.Errorf("the planner was asked %d times: what answered at last was not kept", len(f.service.asked))
		}
	})
}

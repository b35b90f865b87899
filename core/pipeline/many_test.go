package pipeline_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/internal/drill"
	"querent.dev/querent/core/nodes/decomposer"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

func sourcesOf(list ...*source) map[schema.DatasourceID]datasource.Datasource {
	out := map[schema.DatasourceID]datasource.Datasource{}
	for _, s := range list {
		out[s.id] = s
	}
	return out
}

// decompose is a node that takes a question apart into several sub-queries.
func decompose(ids ...pipeline.SubQueryID) graph.Node[pipeline.Run] {
	return graph.Node[pipeline.Run]{Name: "decomposer", Run: func(context.Context, pipeline.Run) (graph.Update[pipeline.Run], error) {
		return func(r pipeline.Run) pipeline.Run {
			r.Decomposition = decomposer.Decomposition{}
			for _, id := range ids {
				r.Decomposition.SubQueries = append(r.Decomposition.SubQueries, decomposer.SubQuery{ID: string(id), Intent: "part " + string(id), Datasource: "shop"})
			}
			return r
		}, nil
	}}
}

func withDecomposer(ids ...pipeline.SubQueryID) setup {
	return func(f *fixture) {
		f.options = append(f.options, pipeline.Control(func(s *graph.Spec[pipeline.Run]) error {
			return s.Replace(pipeline.StepDecomposer, decompose(ids...))
		}))
	}
}

func pause(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(time.Duration(rand.IntN(500)) * time.Microsecond):
	}
}

func TestManySubQueriesGiveTheSameRunWhateverTheOrder(t *testing.T) {
	f := newFixture(t, withDecomposer("q1", "q2", "q3", "q4", "q5"), func(f *fixture) {
		f.config.Settings.Results = config.Results{RowLimit: 2, PreviewRows: 2}
		f.config.Settings.Run.MaxParallel = 3
		f.source.query = func(ctx context.Context) error { pause(ctx); return nil }
		f.service.plan = func(ctx context.Context, r sdk.PlanRequest) (sdk.PlanResponse, error) {
			pause(ctx)
			p := selects("customers", "country", "count(*) as `"+r.Intent+"`")
			return sdk.PlanResponse{Plan: &p}, nil
		}
	})
	var first string
	for range 100 {
		run := f.ask(t, t.Context(), question("everything"))
		if err := run.Err(); err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal([]any{run.Queries(), run.Answer.Results, run.Answer.Notes, run.Answer.Warnings, run.Reasoning, run.DAG})
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = string(got)
		}
		if string(got) != first {
			t.Fatalf("a run differs:\n%s\n%s", first, got)
		}
	}
	if n := len(f.service.asked); n != 500 {
		t.Errorf("%d plans were asked for, want 500", n)
	}
}

func TestAFailedSubQueryIsNamedAndTheOthersAreShown(t *testing.T) {
	f := newFixture(t, withDecomposer("q1", "q2"), func(f *fixture) {
		f.service.plan = func(_ context.Context, r sdk.PlanRequest) (sdk.PlanResponse, error) {
			p := selects("customers", "country")
			if r.Intent == "part q1" {
				p = selects("customers", "shoe_size")
			}
			return sdk.PlanResponse{Plan: &p}, nil
		}
	})
	run := f.ask(t, t.Context(), question("both"))
	ends{wire.Partial, "", "", 0, graph.RunCompleted}.check(t, f, run)
	if a := run.Answer; len(a.Results) != 1 || a.Results[0].SubQuery != "q2" || len(a.Unmapped) != 1 || a.Unmapped[0] != (wire.Unmapped{Part: "part q1", Reason: reason.ReasonPlanInvalid}) ||
		!slices.ContainsFunc(a.Notes, func(n wire.Note) bool {
			return n.Code == reason.PartialResult && strings.HasPrefix(n.Message, `The part "part q1" was not answered: `)
		}) {
		t.Errorf("answer %+v", a)
	}
	if len(run.Errors) != 1 || run.Errors[0].Step != "q1/logical_validator" || run.Errors[0].Err.Recovered {
		t.Errorf("errors %v", run.Errors)
	}
}

func TestCancellationAtRandomPoints(t *testing.T) {
	f := newFixture(t, withDecomposer("q1", "q2", "q3"), func(f *fixture) {
		f.source.query = func(ctx context.Context) error { pause(ctx); return context.Cause(ctx) }
		plan := f.service.plan
		f.service.plan = func(ctx context.Context, r sdk.PlanRequest) (sdk.PlanResponse, error) {
			pause(ctx)
			return plan(ctx, r)
		}
		f.service.synthesize = func(ctx context.Context) error { pause(ctx); return nil }
	})
	outcomes := map[wire.OutcomeKind]int{}
	for range drill.Size(300, 5000) {
		ctx, cancel := context.WithCancel(t.Context())
		timer := time.AfterFunc(time.Duration(rand.IntN(4000))*time.Microsecond, cancel)
		run := f.ask(t, ctx, question("customers"))
		outcomes[run.Answer.Outcome]++
		timer.Stop()
		cancel()
		if err := run.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for kind := range outcomes {
		if kind != wire.Answered && kind != wire.Cancelled {
			t.Errorf("outcomes %v", outcomes)
		}
	}
}

func TestEnginesWithDifferentSettingsSideBySide(t *testing.T) {
	few := newFixture(t, func(f *fixture) { f.config.Settings.Results = config.Results{RowLimit: 1, PreviewRows: 1} })
	many := newFixture(t, func(f *fixture) { f.config.Settings.Results.PreviewRows = 2 })
	var group sync.WaitGroup
	for range 20 {
		for f, want := range map[*fixture]int64{few: 1, many: 3} {
			group.Go(func() {
				run := f.engine.Ask(t.Context(), question("customers"), nil)
				defer run.Close()
				if got := run.Sub["q1"].RowCount; got != want {
					t.Errorf("%d rows, want %d", got, want)
				}
			})
		}
	}
	group.Wait()
	run := many.ask(t, t.Context(), question("customers"))
	if p := run.Answer.Results[0]; len(p.Rows) != 2 || !p.Partial || p.RowCount != 3 {
		t.Errorf("preview %+v", p)
	}
}

func replaced(name string, timeout time.Duration, run func(context.Context, pipeline.SubRun) (graph.Update[pipeline.SubRun], error)) setup {
	return func(f *fixture) {
		f.options = append(f.options, pipeline.Agent(func(s *graph.Spec[pipeline.SubRun]) error {
			return s.Replace(name, graph.Node[pipeline.SubRun]{Name: name, Timeout: timeout, Grace: time.Millisecond, Run: run})
		}))
	}
}

func TestNodesThatMisbehave(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	for name, c := range map[string]struct {
		setup setup
		want  ends
	}{
		"a panic": {
			replaced(pipeline.StepGenerator, 0, func(context.Context, pipeline.SubRun) (graph.Update[pipeline.SubRun], error) { panic("secret") }),
			ends{wire.Failed, reason.Internal, "q1/generator", 1, graph.RunFailed},
		},
		"a node that does not listen": {
			replaced(pipeline.StepGenerator, 10*time.Millisecond, func(context.Context, pipeline.SubRun) (graph.Update[pipeline.SubRun], error) {
				<-release
				return nil, nil
			}),
			ends{wire.Failed, reason.RunTimeout, "q1/generator", 1, graph.RunFailed},
		},
		"a synthesizer that panics": {
			func(f *fixture) {
				f.options = append(f.options, pipeline.Control(func(s *graph.Spec[pipeline.Run]) error {
					return s.Replace(pipeline.StepAnswerSynthesizer, graph.Node[pipeline.Run]{Name: pipeline.StepAnswerSynthesizer,
						Run: func(context.Context, pipeline.Run) (graph.Update[pipeline.Run], error) { panic("secret") }})
				}))
			},
			ends{wire.Answered, "", "", 0, graph.RunCompleted},
		},
		"a decomposer that leads to nothing": {
			withDecomposer(),
			ends{wire.Failed, reason.InvalidState, "global_planner", 1, graph.RunFailed},
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, c.setup)
			run := f.ask(t, t.Context(), question("customers"))
			c.want.check(t, f, run)
			text, err := json.Marshal(run.Answer)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), "secret") {
				t.Errorf("the panic's text is in the answer: %s", text)
			}
		})
	}
}

func TestRowsSurviveASynthesizerThatFails(t *testing.T) {
	f := newFixture(t, func(f *fixture) {
		f.options = append(f.options, pipeline.Control(func(s *graph.Spec[pipeline.Run]) error {
			return s.Replace(pipeline.StepAnswerSynthesizer, graph.Node[pipeline.Run]{Name: pipeline.StepAnswerSynthesizer,
				Run: func(context.Context, pipeline.Run) (graph.Update[pipeline.Run], error) {
					return nil, errors.New("odd")
				}})
		}))
	})
	run := f.ask(t, t.Context(), question("customers"))
	ends{wire.Answered, "", "", 0, graph.RunCompleted}.check(t, f, run)
	if run.Answer.SynthesizedBy != "host" || len(run.Errors) != 1 || !run.Errors[0].Err.Recovered ||
		!slices.ContainsFunc(run.Answer.Notes, func(n wire.Note) bool { return n.Code == reason.SynthesisFallback }) {
		t.Errorf("answer %+v, errors %v", run.Answer, run.Errors)
	}
}

func TestWiringIsCheckedAndDrawn(t *testing.T) {
	broken := pipeline.Agent(func(s *graph.Spec[pipeline.SubRun]) error { return s.Remove("planner") })
	if _, err := pipeline.Mermaid(broken); err == nil || err.Error() !=
		`pipeline: edit the SQL agent graph: graph sql_agent has no step "planner"; it has schema_retriever, ast_planner, logical_validator, generator, physical_validator, executor, retry_handler, refiner` {
		t.Errorf("error %v", err)
	}
	drawn, err := pipeline.Mermaid()
	if err != nil {
		t.Fatal(err)
	}
	if f := newFixture(t, func(f *fixture) { f.config.Settings = config.DefaultSettings() }); f.engine.Mermaid() != drawn {
		t.Errorf("the engine draws\n%s\nwant\n%s", f.engine.Mermaid(), drawn)
	}
}

func TestAnEngineNeedsItsParts(t *testing.T) {
	if _, err := pipeline.New(&config.Config{}, pipeline.Deps{}); err == nil {
		t.Error("an engine was made of nothing")
	}
}

func TestVerifiedQuery(t *testing.T) {
	f := newFixture(t)
	f.service.plan = failsWith(fmt.Errorf("the planner was asked"))
	run := f.ask(t, t.Context(), question("Customers by country, without O’Brien!"))
	if err := run.Err(); err != nil {
		t.Fatal(err)
	}
	v := run.Answer.Verified
	if v == nil || v.ID != "shop/by_country" || v.Description != "all customers" {
		t.Errorf("verified %+v", v)
	}
	if q := run.Queries()[0]; q.Planner != "verified" || len(q.Args) != 1 || q.Args[0].Text != "O’Brien" {
		t.Errorf("query %+v", q)
	}
	run = f.ask(t, t.Context(), pipeline.Question{Text: "Customers by country, without France", Caller: clerk})
	if run.Answer.Verified != nil || run.Err() == nil {
		t.Errorf("a caller without the right ran it: %+v", run.Answer)
	}
}

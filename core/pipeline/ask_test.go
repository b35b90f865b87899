package pipeline_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

func TestAQuestionIsAnswered(t *testing.T) {
	f := newFixture(t)
	run := f.ask(t, t.Context(), question("How many customers are in each country?"))
	if err := run.Err(); err != nil {
		t.Fatal(err)
	}
	if run.Answer.Outcome != wire.Answered || run.Answer.Summary != "outcome answered, q1 has 3 rows" {
		t.Errorf("answer %+v", run.Answer)
	}
	q := run.Queries()
	if len(q) != 1 || q[0].SubQuery != "q1" || q[0].Planner != "fixed" || q[0].PlanID == "" || q[0].SecuredID == "" || !strings.HasPrefix(q[0].SQL, "SELECT") {
		t.Errorf("queries %+v", q)
	}
	if out := run.Sub["q1"]; out.RowCount != 3 || !out.TotalKnown || out.Truncated || out.Attempts != 1 || out.Result == nil {
		t.Errorf("output %+v", out)
	}
	if r := f.service.asked[0]; r.Intent != r.Question || r.Now != "2026-11-30T12:00:00Z" || r.Zone != "UTC" || r.WeekStart != "monday" ||
		r.FiscalYearStart != "01-01" || r.Language != "en" || len(r.Catalog.Tables) != 2 {
		t.Errorf("request %+v", r)
	}
	want := []string{
		"run.started ", "node.started verified_matcher", "node.completed verified_matcher",
		"node.started datasource_resolver", "node.completed datasource_resolver", "node.started decomposer", "node.completed decomposer",
		"node.started global_planner", "node.completed global_planner", "node.started router",
		"node.started q1/schema_retriever", "node.completed q1/schema_retriever", "node.started q1/ast_planner", "node.completed q1/ast_planner",
		"node.started q1/logical_validator", "plan.ready q1/logical_validator", "node.completed q1/logical_validator",
		"node.started q1/generator", "sql.ready q1/generator", "node.completed q1/generator",
		"node.started q1/physical_validator", "node.completed q1/physical_validator",
		"node.started q1/executor", "rows.ready q1/executor", "node.completed q1/executor", "node.completed router",
		"node.started engine_aggregator", "node.completed engine_aggregator",
		"node.started answer_synthesizer", "answer.completed answer_synthesizer", "node.completed answer_synthesizer", "run.completed ",
	}
	var got []string
	for _, e := range f.events {
		got = append(got, string(e.Type)+" "+graph.StepID(e.SubQuery, e.Node))
	}
	if !slices.Equal(got, want) {
		t.Errorf("events:%s", f.story())
	}
	if len(run.Timings) != 13 || len(run.Reasoning) != 8 {
		t.Errorf("%d timings, %d summaries", len(run.Timings), len(run.Reasoning))
	}
}

// ends is how a run must end.
type ends struct {
	outcome wire.OutcomeKind
	code    reason.Code
	step    string
	exit    int
	last    graph.EventType
}

func (want ends) check(t *testing.T, f *fixture, run *pipeline.Run) {
	t.Helper()
	err := errorOf(run)
	var step string
	if run.Answer.Failure != nil {
		step = run.Answer.Failure.FailedStep
	}
	got := ends{run.Answer.Outcome, err.Code, step, reason.ExitCode(run.Err()), f.events[len(f.events)-1].Type}
	if got != want {
		t.Errorf("the run ended as\n %+v, want\n %+v\n error %v", got, want, run.Err())
	}
	if want.code == "" {
		return
	}
	if fail := run.Answer.Failure; fail.Code != want.code || fail.Requirement != run.Question.Text || fail.TraceID != run.TraceID ||
		len(fail.Attempted) == 0 || fail.Message == "" || fail.NextAction == "" {
		t.Errorf("failure %+v", fail)
	}
}

func TestEveryWayOut(t *testing.T) {
	block := func(ctx context.Context) error { <-ctx.Done(); return context.Cause(ctx) }
	datasourceDown := reason.New(reason.DatasourceUnreachable, reason.ReasonUnavailable, "no such file")
	for name, c := range map[string]struct {
		setup    setup
		question pipeline.Question
		want     ends
	}{
		"words that mean nothing": {
			func(f *fixture) {
				f.service.plan = refuses(sdk.Refusal{Reason: "words_not_understood", NotUnderstood: []string{"zorks"}})
			},
			question("How many zorks?"),
			ends{wire.CannotAnswer, reason.NotUnderstood, "q1/ast_planner", 4, graph.RunFailed},
		},
		"two readings": {
			func(f *fixture) {
				f.service.plan = refuses(sdk.Refusal{Reason: "needs_clarification", Readings: []string{"a", "b"}})
			},
			question("customers by date"),
			ends{wire.NeedsClarification, reason.Ambiguous, "q1/ast_planner", 4, graph.RunFailed},
		},
		"a word for what the caller may not see": {
			func(f *fixture) {
				f.service.plan = refuses(sdk.Refusal{Reason: "words_not_understood", NotUnderstood: []string{"salaries"}})
			},
			question("What are the salaries?"),
			ends{wire.Refused, reason.PolicyDenied, "q1/ast_planner", 3, graph.RunFailed},
		},
		"nothing of the kind here": {
			func(f *fixture) { f.service.plan = refuses(sdk.Refusal{Reason: "no_datasource"}) },
			question("the weather"),
			ends{wire.CannotAnswer, reason.UnmappedCode, "q1/ast_planner", 4, graph.RunFailed},
		},
		"a provider that is down": {
			func(f *fixture) { f.service.plan = failsWith(sdk.Errorf(reason.Unavailable, "connection refused")) },
			question("customers"),
			ends{wire.Failed, reason.ProviderCode(reason.Unavailable), "q1/ast_planner", 5, graph.RunFailed},
		},
		"a provider that takes too long": {
			func(f *fixture) {
				f.config.Agents = map[config.AgentName]config.Agent{"default": {Provider: "fixed", Timeout: config.Duration(200 * time.Millisecond)}}
				f.service.plan = func(ctx context.Context, _ sdk.PlanRequest) (sdk.PlanResponse, error) {
					return sdk.PlanResponse{}, block(ctx)
				}
			},
			question("customers"),
			ends{wire.Failed, reason.ProviderCode(reason.Timeout), "q1/ast_planner", 5, graph.RunFailed},
		},
		"a node's own time limit": {
			func(f *fixture) {
				f.config.Settings.Nodes = map[string]config.Node{"ast_planner": {Timeout: config.Duration(200 * time.Millisecond)}}
				f.service.plan = func(ctx context.Context, _ sdk.PlanRequest) (sdk.PlanResponse, error) {
					return sdk.PlanResponse{}, block(ctx)
				}
			},
			question("customers"),
			ends{wire.Failed, reason.ProviderCode(reason.Timeout), "q1/ast_planner", 5, graph.RunFailed},
		},
		"a plan with a column that is not there": {
			func(f *fixture) { f.service.plan = proposes(selects("customers", "shoe_size")) },
			question("customers"),
			ends{wire.CannotAnswer, reason.PlanInvalid, "q1/logical_validator", 4, graph.RunFailed},
		},
		"a plan on a table that the caller may not read": {
			func(f *fixture) { f.service.plan = proposes(selects("staff", "salary")) },
			question("customers"),
			ends{wire.Refused, reason.PolicyDenied, "q1/logical_validator", 3, graph.RunFailed},
		},
		"nobody known": {
			func(*fixture) {},
			pipeline.Question{Text: "customers", Caller: stranger},
			ends{wire.Refused, reason.CallerAuthRequired, "q1/schema_retriever", 3, graph.RunFailed},
		},
		"a datasource that is not there": {
			func(*fixture) {},
			pipeline.Question{Text: "customers", Caller: analyst, Datasource: "sohp"},
			ends{wire.CannotAnswer, reason.UnmappedCode, "datasource_resolver", 4, graph.RunFailed},
		},
		"several datasources and none named": {
			func(f *fixture) {
				f.config.Datasources["other"] = config.Datasource{Adapter: "sqlite", Path: "other.db"}
				f.deps.Datasources = sourcesOf(&source{id: "other"})
			},
			question("orders"),
			ends{wire.NeedsClarification, reason.Ambiguous, "datasource_resolver", 4, graph.RunFailed},
		},
		"a database that cannot be opened": {
			func(f *fixture) { f.source.introspect = func(context.Context) error { return datasourceDown } },
			question("customers"),
			ends{wire.Failed, reason.DatasourceUnreachable, "q1/schema_retriever", 6, graph.RunFailed},
		},
		"a query that the database cannot run": {
			func(f *fixture) {
				f.source.query = func(context.Context) error {
					return reason.New(reason.ExecutionFailed, reason.ReasonExecutionFailed, "odd")
				}
			},
			question("customers"),
			ends{wire.Failed, reason.ExecutionFailed, "q1/executor", 6, graph.RunFailed},
		},
		"a query that does not end": {
			func(f *fixture) {
				f.config.Settings.Nodes = map[string]config.Node{"executor": {Timeout: config.Duration(200 * time.Millisecond)}}
				f.source.query = block
			},
			question("customers"),
			ends{wire.Failed, reason.QueryTimeout, "q1/executor", 6, graph.RunFailed},
		},
		"a run out of time": {
			func(f *fixture) {
				f.config.Settings.Run.Timeout = config.Duration(500 * time.Millisecond)
				f.source.query = block
			},
			question("customers"),
			ends{wire.Failed, reason.RunTimeout, "q1/executor", 1, graph.RunFailed},
		},
		"a verified query on a table that is gone": {
			func(f *fixture) {
				f.files["by_country.json"] = `{"from":"clients","select":["country"],"where":"country <> {land}"}`
			},
			question("customers by country without France"),
			ends{wire.Answered, "", "", 0, graph.RunCompleted},
		},
		"no synthesizer": {
			func(f *fixture) {
				f.service.synthesize = func(context.Context) error { return sdk.Errorf(reason.Unavailable, "gone") }
			},
			question("customers"),
			ends{wire.Answered, "", "", 0, graph.RunCompleted},
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, c.setup)
			c.want.check(t, f, f.ask(t, t.Context(), c.question))
		})
	}
}

func TestTheCallerCancels(t *testing.T) {
	for _, where := range []string{"while it plans", "while it runs", "while it words", "before"} {
		t.Run(where, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			stop := func(ctx context.Context) error { cancel(); <-ctx.Done(); return context.Cause(ctx) }
			want := ends{wire.Cancelled, reason.CancelledCode, "q1/ast_planner", 130, graph.RunCancelled}
			f := newFixture(t, func(f *fixture) {
				switch where {
				case "while it plans":
					f.service.plan = func(ctx context.Context, _ sdk.PlanRequest) (sdk.PlanResponse, error) {
						return sdk.PlanResponse{}, stop(ctx)
					}
				case "while it runs":
					f.source.query = stop
					want.step = "q1/executor"
				case "while it words":
					f.service.synthesize = func(ctx context.Context) error {
						cancel()
						return nil
					}
					want.step = "answer_synthesizer"
				case "before":
					cancel()
					want.step = "verified_matcher"
				}
			})
			run := f.ask(t, ctx, question("customers"))
			want.check(t, f, run)
			if run.Answer.SynthesizedBy != "fixed" {
				t.Errorf("the last words are by %s, want those of the templates", run.Answer.SynthesizedBy)
			}
		})
	}
}

func TestTimeRunsOutWithTheRowsInHand(t *testing.T) {
	first := true
	f := newFixture(t, func(f *fixture) {
		f.config.Settings.Run.Timeout = config.Duration(500 * time.Millisecond)
		f.service.synthesize = func(ctx context.Context) error {
			if first {
				first = false
				<-ctx.Done()
				return context.Cause(ctx)
			}
			return nil
		}
	})
	run := f.ask(t, t.Context(), question("customers"))
	ends{wire.Answered, "", "", 0, graph.RunCompleted}.check(t, f, run)
	if run.Answer.SynthesizedBy != "fixed" || len(run.Answer.Results) != 1 {
		t.Errorf("answer %+v", run.Answer)
	}
}

func TestACutResultIsNotCompleteAndAPlansOwnLimitIs(t *testing.T) {
	f := newFixture(t, func(f *fixture) { f.config.Settings.Results = config.Results{RowLimit: 2, PreviewRows: 2} })
	run := f.ask(t, t.Context(), question("customers"))
	out := run.Sub["q1"]
	if !out.Truncated || out.RowCap != 2 || out.RowCount != 2 || out.TotalKnown || !run.Answer.Truncated {
		t.Errorf("output %+v, answer %+v", out, run.Answer)
	}
	if !slices.ContainsFunc(run.Answer.Notes, func(n wire.Note) bool { return n.Code == reason.ResultTruncated }) {
		t.Errorf("notes %+v", run.Answer.Notes)
	}
	if !slices.ContainsFunc(f.events, func(e graph.Event) bool { return e.Type == graph.WarningRaised }) {
		t.Errorf("no warning among the events:%s", f.story())
	}
	f = newFixture(t, func(f *fixture) { f.source.byBytes = 2 })
	run = f.ask(t, t.Context(), question("customers"))
	if !run.Answer.Truncated || len(run.Answer.Notes) != 1 || !strings.Contains(run.Answer.Notes[0].Message, "cut at 2 rows, the byte limit, so it is incomplete. Narrow the question") {
		t.Errorf("notes %+v", run.Answer.Notes)
	}
	limited := selects("customers", "name")
	limited.Limit = 3
	f = newFixture(t, func(f *fixture) { f.service.plan = proposes(limited) })
	if run := f.ask(t, t.Context(), question("three customers")); run.Answer.Truncated || len(run.Answer.Notes) != 0 {
		t.Errorf("a limit of the plan's own is shown as a cut: %+v", run.Answer)
	}
}

func TestAChangedSchemaIsReadAgain(t *testing.T) {
	f := newFixture(t)
	f.source.query = func(context.Context) error {
		return reason.New(reason.SchemaChanged, reason.ReasonSchemaChanged, "no such table")
	}
	run := f.ask(t, t.Context(), question("customers"))
	ends{wire.Failed, reason.SchemaChanged, "q1/executor", 6, graph.RunFailed}.check(t, f, run)
	f.source.query = nil
	for range 2 {
		ends{wire.Answered, "", "", 0, graph.RunCompleted}.check(t, f, f.ask(t, t.Context(), question("customers")))
	}
	if n := f.source.introspection.Load(); n != 2 {
		t.Errorf("the schema was read %d times, want once and once more after it changed", n)
	}
}

func TestPlanStopsBeforeTheDatabase(t *testing.T) {
	f := newFixture(t)
	f.source.query = func(context.Context) error { t.Error("the query was run"); return nil }
	run := f.engine.Plan(t.Context(), question("customers"))
	if run.Err() != nil || run.Answer != nil {
		t.Fatalf("error %v, answer %v", run.Err(), run.Answer)
	}
	q := run.Queries()
	if len(q) != 1 || q[0].SQL == "" || q[0].Plan == nil || q[0].Plan.From == "" {
		t.Errorf("queries %+v", q)
	}
	f.service.plan = proposes(selects("customers", "shoe_size"))
	run = f.engine.Plan(t.Context(), question("customers"))
	if errorOf(run).Code != reason.PlanInvalid || run.Answer == nil {
		t.Errorf("error %v, answer %v", run.Err(), run.Answer)
	}
}

func TestAClosedEngineCancels(t *testing.T) {
	f := newFixture(t)
	if err := f.engine.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	ends{wire.Cancelled, reason.CancelledCode, "verified_matcher", 130, graph.RunCancelled}.check(t, f, f.ask(t, t.Context(), question("customers")))
}

func TestCloseCancelsWhatRuns(t *testing.T) {
	f := newFixture(t)
	began := make(chan struct{})
	f.source.query = func(ctx context.Context) error {
		close(began)
		<-ctx.Done()
		return context.Cause(ctx)
	}
	done := make(chan *pipeline.Run)
	go func() { done <- f.engine.Ask(context.Background(), question("customers"), nil) }()
	<-began
	if err := f.engine.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if run := <-done; run.Answer.Outcome != wire.Cancelled {
		t.Errorf("outcome %s", run.Answer.Outcome)
	}
}

func TestLanguage(t *testing.T) {
	for name, c := range map[string]struct {
		configured string
		question   pipeline.Question
		want       string
	}{
		"the asker's wish":      {"ko", pipeline.Question{Text: "customers", Language: "de", Caller: analyst}, "de"},
		"the configuration's":   {"ko", question("customers"), "ko"},
		"the question's":        {"question", question("고객 수"), "ko"},
		"the question's, again": {"question", question("customers"), "en"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, func(f *fixture) { f.config.Settings.Answer.Language = c.configured })
			if run := f.ask(t, t.Context(), c.question); run.Answer.Language != c.want {
				t.Errorf("language %q, want %q", run.Answer.Language, c.want)
			}
		})
	}
}

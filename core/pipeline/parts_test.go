package pipeline_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	_ "modernc.org/sqlite"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/datasource/sqlite"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// The databases of the tests with several.
var databases = map[schema.DatasourceID]string{
	"shop": `CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_no INTEGER, total DECIMAL(10,2), year INTEGER);
INSERT INTO orders VALUES (1, 10, 20.50, 2024), (2, 10, 9.50, 2025), (3, 20, 5.00, 2025), (4, 30, 7.75, 2024), (5, 99, 1.00, 2025);`,
	"crm": `CREATE TABLE clients (no INTEGER PRIMARY KEY, name TEXT, region TEXT);
INSERT INTO clients VALUES (10, 'Ada', 'North'), (20, 'Bo', 'South'), (30, 'Cy', 'North'), (40, 'Di', NULL);`,
	"hr": `CREATE TABLE salaries (id INTEGER PRIMARY KEY, amount INTEGER);`,
}

// scripted is a model that answers by the form that is asked for, and plans by
// the part that is planned.
type scripted struct {
	choice, parts string
	plans         map[string]string          // by intent
	again         func(prompt string) string // a plan before those; may be nil
	wait          func(ctx context.Context)

	mu    sync.Mutex
	asked []string // forms
}

func (m *scripted) ModelInfo(context.Context, string) (sdk.ModelInfo, error) {
	return sdk.ModelInfo{Present: true}, nil
}

func (m *scripted) GenerateStream(context.Context, sdk.GenerateRequest, func(sdk.Chunk) error) error {
	return sdk.ErrUnsupported
}

func (m *scripted) Embed(context.Context, sdk.EmbedRequest) (sdk.EmbedResponse, error) {
	return sdk.EmbedResponse{}, sdk.ErrUnsupported
}

func (m *scripted) Generate(ctx context.Context, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
	m.mu.Lock()
	m.asked = append(m.asked, r.SchemaName)
	m.mu.Unlock()
	if m.wait != nil {
		m.wait(ctx)
	}
	text := m.choice
	switch r.SchemaName {
	case "decomposition":
		text = m.parts
	case "query_plan":
		text = m.plan(r.Messages[1].Content)
	}
	if text == "" {
		return sdk.GenerateResponse{}, sdk.Errorf(reason.Unavailable, "the model has no answer to %s", r.SchemaName)
	}
	return sdk.GenerateResponse{Text: text, Finish: sdk.FinishStop}, nil
}

// plan finds the plan of the part in a prompt, or of the question where it is whole.
func (m *scripted) plan(prompt string) string {
	if m.again != nil {
		if text := m.again(prompt); text != "" {
			return text
		}
	}
	for _, tag := range []string{"part", "question"} {
		if _, rest, found := strings.Cut(prompt, "<"+tag+">\n"); found {
			intent, _, _ := strings.Cut(rest, "\n</"+tag+">")
			return m.plans[intent]
		}
	}
	return ""
}

func (m *scripted) calls(form string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := 0
	for _, asked := range m.asked {
		if asked == form {
			n++
		}
	}
	return n
}

// several is an engine over real databases with a scripted model.
func several(t testing.TB, m *scripted, of ...schema.DatasourceID) *fixture {
	t.Helper()
	f := &fixture{source: &source{}, service: &service{}}
	none := 0
	f.config = config.Config{
		Version: 1,
		Providers: map[config.ProviderName]config.Provider{
			"local": {Plugin: "ollama", Model: "m:7b", Data: config.Data{Values: true, Rows: true}}, "fixed": {Plugin: "template"},
		},
		Agents: map[config.AgentName]config.Agent{
			"default": {Provider: "local", Timeout: config.Duration(30 * time.Second)}, "answer_synthesizer": {Provider: "fixed"},
		},
		Datasources: map[schema.DatasourceID]config.Datasource{},
		Roles: map[config.RoleName]config.Role{
			"analyst": {Tables: config.TableRules{Allow: []string{"*.main.orders", "*.main.clients"}}},
			"clerk":   {Tables: config.TableRules{Allow: []string{"shop.*.*"}}},
		},
	}
	f.config.Settings.SQLAgent.MaxRetries, f.config.Settings.SQLAgent.PlanCache.Entries = &none, &none
	f.deps = pipeline.Deps{Clock: func() time.Time { return noon }, IDs: f.id, Datasources: map[schema.DatasourceID]datasource.Datasource{}}
	for _, id := range of {
		path := filepath.Join(t.TempDir(), string(id)+".db")
		fill(t, path, databases[id])
		d, err := sqlite.Open(sqlite.Options{ID: id, Path: path})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { d.Close() })
		f.deps.Datasources[id] = d
		f.config.Datasources[id] = config.Datasource{Adapter: "sqlite", Path: path}
	}
	f.start(t, m)
	return f
}

func fill(t testing.TB, path, script string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(script); err != nil {
		t.Fatal(err)
	}
}

// start makes the engine; a nil model leaves templates alone.
func (f *fixture) start(t testing.TB, m *scripted) {
	t.Helper()
	services := map[config.ProviderName]provider.Services{"fixed": {Plugin: "template", Planner: f.service, Synthesizer: f.service}}
	if m == nil {
		f.config.Agents["default"] = config.Agent{Provider: "fixed"}
		delete(f.config.Providers, "local")
	} else {
		services["local"] = provider.Services{Plugin: "ollama", Model: m}
	}
	cfg, _, err := config.Build(f.config, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if f.deps.Providers, err = provider.NewRegistry(cfg, services, hclog.NewNullLogger()); err != nil {
		t.Fatal(err)
	}
	if f.deps.Policy, err = policy.Compile(cfg.Roles); err != nil {
		t.Fatal(err)
	}
	if f.engine, err = pipeline.New(cfg, f.deps, f.options...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := f.engine.Close(ctx); err != nil {
			t.Error(err)
		}
	})
}

// spentByRegion is a question about two datasources.
func spentByRegion() *scripted {
	return &scripted{
		choice: `{"decision":"choose","datasources":["shop","crm"]}`,
		parts: `{"subqueries":[{"id":"spent","intent":"total by customer","datasource":"shop","expected_schema":["customer_no","spent"]},` +
			`{"id":"clients","intent":"region of each client","datasource":"crm","expected_schema":["no","region"]}],` +
			`"combine":[{"id":"both","op":"left_join","inputs":["spent","clients"],"on":["customer_no = no"]}],` +
			`"post":[{"op":"filter","input":"","items":["spent > 1"],"n":0},{"op":"aggregate","input":"","items":["region","sum(spent) as spent","count(*) as customers"],"n":0},` +
			`{"op":"sort","input":"","items":["spent desc"],"n":0},{"op":"limit","input":"","items":[],"n":5}],"unmapped":[]}`,
		plans: map[string]string{
			"total by customer":     `{"from":"orders","select":["customer_no","sum(total) as spent"],"order":["customer_no"]}`,
			"region of each client": `{"from":"clients","select":["no","region"],"order":["no"]}`,
		},
	}
}

// shown is a preview in a line a row.
func shown(p wire.Preview) string {
	var lines []string
	for _, row := range p.Rows {
		cells := make([]string, len(row))
		for i, v := range row {
			cells[i] = v.String()
		}
		lines = append(lines, strings.Join(cells, " "))
	}
	return strings.Join(lines, "; ")
}

func TestAQuestionAboutTwoDatasources(t *testing.T) {
	m := spentByRegion()
	f := several(t, m, "shop", "crm", "hr")
	run := f.ask(t, t.Context(), question("What did the clients of each region spend?"))
	if err := run.Err(); err != nil {
		t.Fatal(err)
	}
	a := run.Answer
	if a.Outcome != wire.Answered || len(a.Results) != 1 || a.Results[0].SubQuery != "p4" || shown(a.Results[0]) != "North 37.75 2; South 5.00 1" {
		t.Errorf("results %+v", a.Results)
	}
	if len(a.Queries) != 2 || a.Queries[0].SubQuery != "q1" || a.Queries[0].Datasource != "shop" || a.Queries[1].Datasource != "crm" {
		t.Errorf("queries %+v", a.Queries)
	}
	if m.calls("datasource_choice") != 1 || m.calls("decomposition") != 1 || m.calls("query_plan") != 2 || len(run.Calls) != 5 {
		t.Errorf("asked %v, calls %+v", m.asked, run.Calls)
	}
	if len(run.Aggregate.ComputedArtifacts) != 1 || run.Aggregate.ComputedArtifacts[0].RowCount() != 2 {
		t.Errorf("aggregate %+v", run.Aggregate)
	}
}

// A client with two orders is one client, which a count behind the join does not see.
func TestAJoinThatMakesACountTooLargeIsNoted(t *testing.T) {
	m := spentByRegion()
	m.plans["total by customer"] = `{"from":"orders","select":["customer_no","total as spent"]}`
	m.parts = strings.Replace(m.parts, "count(*) as customers", "count(region) as customers", 1)
	f := several(t, m, "shop", "crm")
	run := f.ask(t, t.Context(), question("What did the clients of each region spend?"))
	if run.Err() != nil {
		t.Fatal(run.Err())
	}
	if n := run.Answer.Notes; len(n) != 1 || n[0].Code != reason.JoinFanOut || !slices.Contains(run.Answer.Warnings, n[0].Message) || !strings.Contains(n[0].Message, "The count(region) may count rows more than once") {
		t.Errorf("notes %+v, warnings %q", n, run.Answer.Warnings)
	}
	f = several(t, m, "shop", "crm")
	f.config.Settings.Validator.FanOut = config.FanOutRefuse
	f.start(t, m)
	if run = f.ask(t, t.Context(), question("What did the clients of each region spend?")); errorOf(run).Code != reason.AggregatorFailed {
		t.Errorf("error %v", run.Err())
	}
}

// Who may not read a datasource is not told its name.
func TestARefusalDoesNotNameTheDatasource(t *testing.T) {
	f := newFixture(t, func(f *fixture) {
		f.config.Roles["guest"] = config.Role{}
	})
	guest := policy.Caller{Name: "guest", Roles: []string{"guest"}}
	for name, c := range map[string]struct {
		question pipeline.Question
		code     reason.Code
		named    string
	}{
		"nobody":                {pipeline.Question{Text: "customers", Caller: stranger}, reason.CallerAuthRequired, ""},
		"a role without rights": {pipeline.Question{Text: "customers", Caller: guest}, reason.UnmappedCode, ""},
		"one that was named":    {pipeline.Question{Text: "customers", Caller: guest, Datasource: "shop"}, reason.UnmappedCode, "shop"},
	} {
		run := f.ask(t, t.Context(), c.question)
		if failure := run.Answer.Failure; failure == nil || failure.Code != c.code || failure.Datasource != c.named {
			t.Errorf("%s: failure %+v", name, failure)
		}
		text, err := json.Marshal(f.events)
		if err != nil {
			t.Fatal(err)
		}
		if c.named == "" && strings.Contains(string(text), "shop") {
			t.Errorf("%s: events %s", name, text)
		}
	}
}

// The same parts, whatever the order in which they come back.
func TestPartsComeTogetherWhateverTheirOrder(t *testing.T) {
	m := spentByRegion()
	m.wait = pause
	f := several(t, m, "shop", "crm")
	var first string
	for range 100 {
		run := f.ask(t, t.Context(), question("What did the clients of each region spend?"))
		got, err := json.Marshal([]any{run.SubQueries, run.DAG, run.Answer.Results, run.Answer.Notes, run.Reasoning})
		if err != nil || run.Err() != nil {
			t.Fatal(err, run.Err())
		}
		if first == "" {
			first = string(got)
		}
		if string(got) != first {
			t.Fatalf("a run differs:\n%s\n%s", first, got)
		}
		if err := run.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// inYear are two parts of one database.
func inYear(combine, post string) *scripted {
	part := `{"id":"y%d","intent":"orders of %d","datasource":"shop","expected_schema":["customer_no","total"]}`
	return &scripted{
		parts: `{"subqueries":[` + fmt.Sprintf(part, 2024, 2024) + "," + fmt.Sprintf(part, 2025, 2025) + `],"combine":[` + combine + `],"post":[` + post + `],"unmapped":[]}`,
		plans: map[string]string{
			"orders of 2024": `{"from":"orders","where":"year = 2024","select":["customer_no","sum(total) as total"],"order":["customer_no"]}`,
			"orders of 2025": `{"from":"orders","where":"year = 2025","select":["customer_no","sum(total) as total"],"order":["customer_no"]}`,
		},
	}
}

func TestPartsOfOneDatabase(t *testing.T) {
	for name, c := range map[string]struct {
		combine, post string
		want          []string
	}{
		"standalone": {`{"id":"s","op":"standalone","inputs":["y2025","y2024"],"on":[]}`, "", []string{"q1: 10 20.50; 30 7.75", "q2: 10 9.50; 20 5.00; 99 1.00"}},
		"nothing":    {"", "", []string{"q1: 10 20.50; 30 7.75", "q2: 10 9.50; 20 5.00; 99 1.00"}},
		"join":       {`{"id":"j","op":"join","inputs":["y2024","y2025"],"on":["customer_no"]}`, "", []string{"c1: 10 20.50 9.50"}},
		"union":      {`{"id":"u","op":"union","inputs":["y2024","y2025"],"on":[]}`, `{"op":"sort","input":"u","items":["total desc"],"n":0}`, []string{"p1: 10 20.50; 10 9.50; 30 7.75; 20 5.00; 99 1.00"}},
		"compare": {`{"id":"c","op":"compare","inputs":["y2025","y2024"],"on":["customer_no"]}`, `{"op":"filter","input":"c","items":["customer_no <= 20"],"n":0}`,
			[]string{"p1: 10 9.50 20.50 -11.00 0.4634146341463415; 20 5.00   "}},
		"both": {`{"id":"u","op":"union","inputs":["y2024","y2025"],"on":[]},{"id":"s","op":"standalone","inputs":["y2024"],"on":[]}`, `{"op":"aggregate","input":"u","items":["sum(total) as total"],"n":0}`,
			[]string{"q1: 10 20.50; 30 7.75", "p1: 43.75"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := several(t, inYear(c.combine, c.post), "shop")
			run := f.ask(t, t.Context(), question("Compare the orders of 2024 with those of 2025"))
			if err := run.Err(); err != nil {
				t.Fatal(err)
			}
			var got []string
			for i, p := range run.Answer.Results {
				got = append(got, p.SubQuery+": "+shown(p))
				if (p.Part != "") != (len(run.Answer.Results) > 1) {
					t.Errorf("%s is the part %q", p.SubQuery, p.Part)
				}
				if run.Aggregate.ComputedArtifacts[i].RowCount() != p.RowCount {
					t.Errorf("the result behind %s has %d rows", p.SubQuery, run.Aggregate.ComputedArtifacts[i].RowCount())
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got\n%q\nwant\n%q", got, c.want)
			}
		})
	}
}

func TestPartsThatFail(t *testing.T) {
	const union = `{"id":"u","op":"union","inputs":["y2024","y2025"],"on":[]}`
	for name, c := range map[string]struct {
		combine string
		change  func(m *scripted)
		want    ends
		results int
	}{
		"one of two that stand alone": {"", func(m *scripted) { delete(m.plans, "orders of 2025") },
			ends{wire.Partial, "", "", 0, graph.RunCompleted}, 1},
		"one that is combined": {union, func(m *scripted) { delete(m.plans, "orders of 2025") },
			ends{wire.Failed, reason.ProviderCode(reason.Unavailable), "q2/ast_planner", 5, graph.RunFailed}, 0},
		"one that is combined beside one that is not": {union + `,{"id":"s","op":"standalone","inputs":["y2024"],"on":[]}`, func(m *scripted) { delete(m.plans, "orders of 2025") },
			ends{wire.Partial, "", "", 0, graph.RunCompleted}, 1},
		"all of them": {"", func(m *scripted) { m.plans = nil },
			ends{wire.Failed, reason.ProviderCode(reason.Unavailable), "q1/ast_planner", 5, graph.RunFailed}, 0},
		"what does not fit together": {`{"id":"j","op":"join","inputs":["y2024","y2025"],"on":["customer_no = nothing"]}`, func(*scripted) {},
			ends{wire.Failed, reason.AggregatorFailed, "engine_aggregator", 1, graph.RunFailed}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			m := inYear(c.combine, "")
			c.change(m)
			f := several(t, m, "shop")
			run := f.ask(t, t.Context(), question("orders of 2024 as well as of 2025"))
			c.want.check(t, f, run)
			if len(run.Answer.Results) != c.results || len(run.Aggregate.ComputedArtifacts) != c.results {
				t.Errorf("results %+v", run.Answer.Results)
			}
			if c.want.outcome == wire.Partial && (len(run.Answer.Unmapped) != 1 || run.Answer.Unmapped[0].Part != "orders of 2025" || len(run.Answer.Warnings) == 0) {
				t.Errorf("answer %+v", run.Answer)
			}
		})
	}
}

// What is odd about a part that the answer does without is not the answer's.
func TestWarningsOfAMissingPartDoNotCount(t *testing.T) {
	m := inYear("", "")
	m.plans["orders of 2025"] = `{"from":"orders","select":["nothing"]}`
	f := several(t, m, "shop")
	noisy := graph.Node[pipeline.SubRun]{Name: "noisy", Run: func(_ context.Context, s pipeline.SubRun) (graph.Update[pipeline.SubRun], error) {
		text := "odd: " + s.SubQuery.Intent
		return func(s pipeline.SubRun) pipeline.SubRun {
			s.Warnings = append(slices.Clip(s.Warnings), wire.Note{Code: reason.JoinFanOut, Message: text})
			return s
		}, nil
	}}
	f.options = append(f.options, pipeline.Agent(func(s *graph.Spec[pipeline.SubRun]) error { return s.InsertAfter(pipeline.StepASTPlanner, noisy) }))
	f.start(t, m)
	run := f.ask(t, t.Context(), question("orders of 2024 as well as of 2025"))
	if run.Answer.Outcome != wire.Partial || !slices.Contains(run.Answer.Warnings, "odd: orders of 2024") || slices.Contains(run.Answer.Warnings, "odd: orders of 2025") {
		t.Errorf("outcome %s, warnings %q", run.Answer.Outcome, run.Answer.Warnings)
	}
}

// A failed combination is explained by templates, with what the parts found and
// without a call of a model.
func TestAFailedCombinationIsExplainedWithoutAModel(t *testing.T) {
	m := inYear(`{"id":"j","op":"join","inputs":["y2024","y2025"],"on":["nothing"]}`, "")
	f := several(t, m, "shop")
	f.config.Agents["answer_synthesizer"] = config.Agent{Provider: "local"}
	f.start(t, m)
	run := f.ask(t, t.Context(), question("orders of 2024 versus 2025"))
	fail := run.Answer.Failure
	if fail == nil || fail.Code != reason.AggregatorFailed || len(fail.Partial) != 2 || !strings.Contains(fail.Message, `q1 has no column "nothing"`) ||
		run.Answer.SynthesizedBy != "fixed" || m.calls("query_plan") != 2 || len(m.asked) != 3 {
		t.Errorf("answer %+v, asked %v", run.Answer, m.asked)
	}
}

func TestACutPartMakesACutWhole(t *testing.T) {
	m := inYear(`{"id":"u","op":"union","inputs":["y2024","y2025"],"on":[]}`, `{"op":"aggregate","input":"u","items":["count(*) as n"],"n":0}`)
	f := several(t, m, "shop")
	f.config.Settings.Results = config.Results{RowLimit: 2, PreviewRows: 2}
	f.start(t, m)
	run := f.ask(t, t.Context(), question("orders of 2024 versus 2025"))
	p := run.Answer.Results[0]
	if run.Err() != nil || !p.Truncated || !p.Partial || p.RowCap != 2 || !run.Answer.Truncated ||
		!slices.ContainsFunc(run.Answer.Notes, func(n wire.Note) bool { return n.Code == reason.ResultTruncated }) {
		t.Errorf("answer %+v, %v", run.Answer, run.Err())
	}
}

func TestPartsThatNothingAnswers(t *testing.T) {
	const weather = `{"text":"the weather","reason":"no_datasource"}`
	m := inYear("", "")
	m.parts = strings.Replace(m.parts, `"unmapped":[]`, `"unmapped":[`+weather+`]`, 1)
	f := several(t, m, "shop")
	run := f.ask(t, t.Context(), question("orders of 2024 as well as of 2025 and the weather"))
	a := run.Answer
	ends{wire.Partial, "", "", 0, graph.RunCompleted}.check(t, f, run)
	if len(a.Unmapped) != 1 || a.Unmapped[0] != (wire.Unmapped{Part: "the weather", Reason: reason.ReasonNoDatasource}) ||
		!slices.ContainsFunc(a.Notes, func(n wire.Note) bool { return n.Code == reason.UnmappedPart }) {
		t.Errorf("answer %+v", a)
	}
	m.parts = `{"subqueries":[],"combine":[],"post":[],"unmapped":[` + weather + `]}`
	run = f.ask(t, t.Context(), question("How is the weather? And the wind?"))
	ends{wire.CannotAnswer, reason.UnmappedCode, "decomposer", 4, graph.RunFailed}.check(t, f, run)
}

func TestWithoutAModelTheWordsDecide(t *testing.T) {
	for name, c := range map[string]struct {
		question pipeline.Question
		want     ends
		choices  int
	}{
		"one fits":                    {pipeline.Question{Text: "How many orders? How many?", Caller: analyst}, ends{wire.Answered, "", "", 0, graph.RunCompleted}, 0},
		"two fit":                     {pipeline.Question{Text: "orders of clients", Caller: analyst}, ends{wire.NeedsClarification, reason.Ambiguous, "datasource_resolver", 4, graph.RunFailed}, 2},
		"one of them is named":        {pipeline.Question{Text: "orders of clients", Caller: analyst, Datasource: "shop"}, ends{wire.Answered, "", "", 0, graph.RunCompleted}, 0},
		"none fits":                   {pipeline.Question{Text: "the weather", Caller: analyst}, ends{wire.CannotAnswer, reason.UnmappedCode, "datasource_resolver", 4, graph.RunFailed}, 0},
		"only what is not permitted":  {pipeline.Question{Text: "the salaries", Caller: analyst}, ends{wire.Refused, reason.UnmappedCode, "datasource_resolver", 3, graph.RunFailed}, 0},
		"what is not permitted named": {pipeline.Question{Text: "the salaries", Caller: analyst, Datasource: "hr"}, ends{wire.Refused, reason.UnmappedCode, "q1/schema_retriever", 3, graph.RunFailed}, 0},
		"nobody known":                {pipeline.Question{Text: "orders", Caller: stranger}, ends{wire.Refused, reason.CallerAuthRequired, "datasource_resolver", 3, graph.RunFailed}, 0},
		"only one is permitted":       {pipeline.Question{Text: "orders of clients", Caller: clerk}, ends{wire.Answered, "", "", 0, graph.RunCompleted}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := several(t, nil, "shop", "crm", "hr")
			f.service.plan = proposes(selects("orders", "count(*) as n"))
			run := f.ask(t, t.Context(), c.question)
			c.want.check(t, f, run)
			if c.choices > 0 && len(run.Answer.Failure.Choices) != c.choices {
				t.Errorf("choices %q", run.Answer.Failure.Choices)
			}
			if text := encodedAnswer(t, run); c.question.Datasource == "" && strings.Contains(text, `"hr"`) {
				t.Errorf("the answer names what the caller may not use: %s", text)
			}
		})
	}
}

func encodedAnswer(t *testing.T, run *pipeline.Run) string {
	t.Helper()
	text, err := json.Marshal(run.Answer)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What the model makes of a question that it cannot take apart is not the end.
func TestAFaultyDecompositionLeavesTheQuestionWhole(t *testing.T) {
	m := inYear(`{"id":"u","op":"union","inputs":["y2024","y2026"],"on":[]}`, "")
	const both = "orders of 2024 as well as of 2025"
	m.plans[both] = `{"from":"orders","select":["count(*) as n"]}`
	f := several(t, m, "shop")
	run := f.ask(t, t.Context(), question(both))
	if err := run.Err(); err != nil || shown(run.Answer.Results[0]) != "5" || run.Answer.Results[0].SubQuery != "q1" {
		t.Fatalf("results %+v, %v", run.Answer.Results, err)
	}
	if len(run.Errors) != 1 || run.Errors[0].Step != "decomposer" || !run.Errors[0].Err.Recovered || run.Errors[0].Err.Code != reason.ProviderCode(reason.InvalidOutput) {
		t.Errorf("errors %v", run.Errors)
	}
	if !slices.ContainsFunc(run.Reasoning, func(r pipeline.Reasoning) bool {
		return r.Step == "decomposer" && strings.Contains(r.Summary, "is one query")
	}) {
		t.Errorf("reasoning %v", run.Reasoning)
	}
}

// A part whose result lacks a column that later steps name is planned again, with
// the column named.
func TestAPartMustHaveTheColumnsThatStepsName(t *testing.T) {
	m := inYear(`{"id":"j","op":"join","inputs":["y2024","y2025"],"on":["customer_no"]}`, "")
	right := m.plans["orders of 2025"]
	var told string
	m.again = func(prompt string) string {
		if _, refused, found := strings.Cut(prompt, "<refused>"); found {
			told = refused
			return right
		}
		return ""
	}
	m.plans["orders of 2025"] = strings.ReplaceAll(right, "customer_no", "customer_no as who")
	m.plans["orders of 2025"] = strings.Replace(m.plans["orders of 2025"], `"order":["customer_no as who"]`, `"order":["who"]`, 1)
	f := several(t, m, "shop")
	once := 1
	f.config.Settings.SQLAgent.MaxRetries, f.config.Settings.SQLAgent.Backoff = &once, config.Duration(time.Millisecond)
	f.start(t, m)
	run := f.ask(t, t.Context(), question("orders of 2024 versus 2025"))
	if err := run.Err(); err != nil || shown(run.Answer.Results[0]) != "10 20.50 9.50" || run.Sub["q2"].Attempts != 2 {
		t.Fatalf("results %+v, %d attempts, %v", run.Answer.Results, run.Sub["q2"].Attempts, err)
	}
	if !strings.Contains(told, `a column labelled "customer_no"`) {
		t.Errorf("the planner was told %q", told)
	}
}

func TestPlansOfSeveralParts(t *testing.T) {
	m := inYear("", "")
	f := several(t, m, "shop")
	run := f.engine.Plan(t.Context(), question("orders of 2024 as well as of 2025"))
	defer run.Close()
	if run.Err() != nil || run.Answer != nil || len(run.Queries()) != 2 || run.Queries()[1].SQL == "" {
		t.Errorf("queries %+v, %v", run.Queries(), run.Err())
	}
	delete(m.plans, "orders of 2025")
	failed := f.engine.Plan(t.Context(), question("orders of 2024 as well as of 2025"))
	defer failed.Close()
	if e := reason.From(failed.Err()); e == nil || e.Code != reason.ProviderCode(reason.Unavailable) {
		t.Errorf("a plan of half the question went well: %v", failed.Err())
	}
}

func TestARunOfSeveralPartsThatIsCancelled(t *testing.T) {
	m := spentByRegion()
	m.wait = pause
	f := several(t, m, "shop", "crm")
	for i := range 100 {
		ctx, cancel := context.WithCancel(t.Context())
		timer := time.AfterFunc(time.Duration(i*40)*time.Microsecond, cancel)
		run := f.ask(t, ctx, question("What did the clients of each region spend?"))
		if kind := run.Answer.Outcome; kind != wire.Answered && kind != wire.Cancelled {
			t.Errorf("outcome %s: %v", kind, run.Err())
		}
		timer.Stop()
		cancel()
		if err := run.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

package pipeline_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"go.uber.org/goleak"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	analyst  = policy.Caller{Name: "kim", Roles: []string{"analyst"}}
	clerk    = policy.Caller{Name: "lee", Roles: []string{"clerk"}}
	stranger = policy.Caller{Name: "who"}
	noon     = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
)

// shop is the structure of the tests' database.
func shop() *schema.Catalog {
	text, number, money := wire.Type{Kind: wire.KindText}, wire.Type{Kind: wire.KindInt}, wire.Type{Kind: wire.KindDecimal, Precision: 10, Scale: 2}
	customers := &schema.Table{Schema: "main", Name: "customers", RowEstimate: -1, Columns: []*schema.Column{
		{Name: "id", Type: number}, {Name: "name", Type: text}, {Name: "country", Type: text},
	}}
	orders := &schema.Table{Schema: "main", Name: "orders", RowEstimate: -1, Columns: []*schema.Column{
		{Name: "id", Type: number}, {Name: "customer_id", Type: number}, {Name: "total", Type: money}, {Name: "placed_on", Type: wire.Type{Kind: wire.KindDate}},
	}}
	staff := &schema.Table{Schema: "main", Name: "staff", RowEstimate: -1, Columns: []*schema.Column{
		{Name: "id", Type: number}, {Name: "salary", Type: money},
	}}
	customers.PrimaryKey = customers.Columns[:1]
	orders.PrimaryKey = orders.Columns[:1]
	orders.ForeignKeys = []schema.ForeignKey{{Columns: orders.Columns[1:2], RefTable: customers, RefColumns: customers.Columns[:1]}}
	return schema.Build("shop", schema.SQLite, []*schema.Table{customers, orders, staff})
}

// source is a database that does what a test tells it.
type source struct {
	id            schema.DatasourceID
	introspect    func(ctx context.Context) error
	query         func(ctx context.Context) error
	rows          int
	cell          func(left int64) wire.Value // what a row before so many others is made of; nil: that number
	byBytes       int64                       // rows after which the byte limit cuts; 0: never
	introspection atomic.Int32
	open          atomic.Int32 // rows that were not closed
}

func (s *source) ID() schema.DatasourceID { return s.id }
func (s *source) Dialect() schema.Dialect { return schema.SQLite }
func (s *source) Close() error            { return nil }

func (s *source) Introspect(ctx context.Context) (*schema.Catalog, error) {
	s.introspection.Add(1)
	if s.introspect != nil {
		if err := s.introspect(ctx); err != nil {
			return nil, err
		}
	}
	return shop(), nil
}

func (s *source) Query(ctx context.Context, st sqlgen.Statement, l datasource.Limits) (datasource.Rows, error) {
	if s.query != nil {
		if err := s.query(ctx); err != nil {
			return nil, err
		}
	}
	s.open.Add(1)
	left, cut := int64(s.rows), datasource.CutNone
	if l.Rows > 0 && left > l.Rows {
		left, cut = l.Rows, datasource.CutByRows
	}
	if s.byBytes > 0 && left > s.byBytes {
		left, cut = s.byBytes, datasource.CutByBytes
	}
	return &rows{source: s, left: left, cut: cut, width: len(st.Columns())}, nil
}

type rows struct {
	source *source
	left   int64
	cut    datasource.Cut
	width  int
	closed bool
}

func (r *rows) Next() bool { r.left--; return r.left >= 0 }

func (r *rows) Row() []wire.Value {
	out := make([]wire.Value, r.width)
	for i := range out {
		out[i] = wire.Int(r.left)
		if r.source.cell != nil {
			out[i] = r.source.cell(r.left)
		}
	}
	return out
}

func (r *rows) Err() error            { return nil }
func (r *rows) Truncated() bool       { return r.cut != datasource.CutNone }
func (r *rows) CutBy() datasource.Cut { return r.cut }

func (r *rows) Close() error {
	if !r.closed {
		r.closed = true
		r.source.open.Add(-1)
	}
	return nil
}

// service is a provider that does what a test tells it.
type service struct {
	plan       func(ctx context.Context, r sdk.PlanRequest) (sdk.PlanResponse, error)
	synthesize func(ctx context.Context) error

	mu    sync.Mutex
	asked []sdk.PlanRequest
}

func (s *service) Plan(ctx context.Context, r sdk.PlanRequest) (sdk.PlanResponse, error) {
	s.mu.Lock()
	s.asked = append(s.asked, r)
	s.mu.Unlock()
	return s.plan(ctx, r)
}

func (s *service) Synthesize(ctx context.Context, r sdk.SynthesizeRequest) (sdk.SynthesizeResponse, error) {
	if s.synthesize != nil {
		if err := s.synthesize(ctx); err != nil {
			return sdk.SynthesizeResponse{}, err
		}
	}
	summary := "outcome " + string(r.Outcome.Kind)
	for _, p := range r.Outcome.Results {
		summary += fmt.Sprintf(", %s has %d rows", p.SubQuery, p.RowCount)
	}
	return sdk.SynthesizeResponse{
		Response:    wire.AggregatedResponse{Summary: summary, FormatType: wire.FormatText, Warnings: []string{}},
		TemplateIDs: []string{"test/outcome@1"},
	}, nil
}

// proposes answers with a plan.
func proposes(p wire.Plan) func(context.Context, sdk.PlanRequest) (sdk.PlanResponse, error) {
	return func(context.Context, sdk.PlanRequest) (sdk.PlanResponse, error) {
		return sdk.PlanResponse{Plan: &p}, nil
	}
}

func refuses(r sdk.Refusal) func(context.Context, sdk.PlanRequest) (sdk.PlanResponse, error) {
	return func(context.Context, sdk.PlanRequest) (sdk.PlanResponse, error) {
		return sdk.PlanResponse{Refusal: &r}, nil
	}
}

func failsWith(err error) func(context.Context, sdk.PlanRequest) (sdk.PlanResponse, error) {
	return func(context.Context, sdk.PlanRequest) (sdk.PlanResponse, error) { return sdk.PlanResponse{}, err }
}

func selects(from string, columns ...string) wire.Plan {
	return wire.Plan{Clauses: wire.Clauses{From: from, Select: columns}}
}

// fixture is an engine with everything around it in the test's hands.
type fixture struct {
	engine  *pipeline.Engine
	source  *source
	service *service
	model   *model // nil: there is none
	explain func() (datasource.Estimate, error)
	real    datasource.Datasource // takes the place of source; may be nil
	config  config.Config
	deps    pipeline.Deps
	files   map[string]string
	dir     string
	options []pipeline.Option

	mu     sync.Mutex
	events []graph.Event
	ids    int
}

// setup changes a fixture before its engine is made.
type setup func(f *fixture)

func newFixture(t testing.TB, changes ...setup) *fixture {
	t.Helper()
	f := &fixture{
		source:  &source{id: "shop", rows: 3},
		service: &service{plan: proposes(selects("customers", "country", "count(*) as n"))},
		files:   map[string]string{"by_country.json": `{"version":1,"from":"customers","select":["country","count(*) as customers"],"where":"country <> '{land}'"}`},
		config: config.Config{
			Version: 1,
			Providers: map[config.ProviderName]config.Provider{
				"fixed": {Plugin: "template", Data: config.Data{Values: true, Rows: true}},
			},
			Datasources: map[schema.DatasourceID]config.Datasource{"shop": {Adapter: "sqlite", Path: "shop.db"}},
			Roles: map[config.RoleName]config.Role{
				"analyst": {Tables: config.TableRules{Allow: []string{"*.main.customers", "*.main.orders"}}},
				"clerk":   {Tables: config.TableRules{Allow: []string{"*.main.orders"}}},
			},
			Verified: []config.Verified{{
				ID: "by_country", Datasource: "shop", Plan: "by_country.json", Description: "all customers",
				Questions: []string{"customers by country without {land}"},
				Params:    map[string]config.Param{"land": {Type: "text"}},
			}},
		},
	}
	f.deps = pipeline.Deps{Clock: func() time.Time { return noon }, IDs: f.id}
	for _, change := range changes {
		change(f)
	}
	f.build(t)
	return f
}

func (f *fixture) build(t testing.TB) {
	t.Helper()
	f.dir = t.TempDir()
	for name, content := range f.files {
		if err := os.WriteFile(filepath.Join(f.dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cfg, _, err := config.Build(f.config, f.dir)
	if err != nil {
		t.Fatal(err)
	}
	services := map[config.ProviderName]provider.Services{"fixed": {Plugin: "template", Planner: f.service, Synthesizer: f.service}}
	if f.model != nil {
		services["local"] = provider.Services{Plugin: "ollama", Model: f.model}
	}
	if f.deps.Providers, err = provider.NewRegistry(cfg, services, hclog.NewNullLogger()); err != nil {
		t.Fatal(err)
	}
	if f.deps.Policy, err = policy.Compile(cfg.Roles); err != nil {
		t.Fatal(err)
	}
	if f.deps.Datasources == nil {
		f.deps.Datasources = map[schema.DatasourceID]datasource.Datasource{}
	}
	f.deps.Datasources["shop"] = f.source
	if f.real != nil {
		f.deps.Datasources["shop"] = f.real
	}
	if f.explain != nil {
		f.deps.Datasources["shop"] = explained{f.source, f.explain}
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
		if open := f.source.open.Load(); open != 0 {
			t.Errorf("%d results of the database were not closed", open)
		}
	})
}

func (f *fixture) id() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ids++
	return fmt.Sprintf("id%d", f.ids)
}

func (f *fixture) sink(e graph.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.events = append(f.events, e)
}

// ask asks a question and checks what holds of every run.
func (f *fixture) ask(t *testing.T, ctx context.Context, q pipeline.Question) *pipeline.Run {
	t.Helper()
	f.mu.Lock()
	f.events = nil
	f.mu.Unlock()
	run := f.engine.Ask(ctx, q, f.sink)
	t.Cleanup(func() {
		if err := run.Close(); err != nil {
			t.Error(err)
		}
	})
	f.checkStory(t, run)
	return run
}

// checkStory demands what must hold of the events of every run.
func (f *fixture) checkStory(t *testing.T, run *pipeline.Run) {
	t.Helper()
	if run.Answer == nil {
		t.Fatal("the run has no answer")
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	answered, terminal := 0, 0
	for i, e := range f.events {
		if e.Seq != int64(i+1) || e.RunID != run.ID || e.TraceID != run.TraceID || !e.Time.Equal(noon) && f.deps.Clock().Equal(noon) {
			t.Errorf("event %d is %+v", i, e)
		}
		if e.Type == graph.AnswerCompleted {
			answered++
		}
		if e.Type.Terminal() {
			terminal++
		}
	}
	if answered != 1 || terminal != 1 || !f.events[len(f.events)-1].Type.Terminal() {
		t.Errorf("%d answers and %d terminal events in %s", answered, terminal, f.story())
	}
}

// story is the events in a line each, for messages; the caller holds the lock.
func (f *fixture) story() string {
	out := ""
	for _, e := range f.events {
		out += fmt.Sprintf("\n  %d %s %s", e.Seq, e.Type, graph.StepID(e.SubQuery, e.Node))
	}
	return out
}

func question(text string) pipeline.Question { return pipeline.Question{Text: text, Caller: analyst} }

func errorOf(run *pipeline.Run) *reason.Error {
	if err := run.Err(); err != nil {
		return reason.From(err)
	}
	return &reason.Error{}
}

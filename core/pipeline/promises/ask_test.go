// Package promises holds what people who ask databases in plain language rely on,
// a test each: questions are asked of a whole engine over a real database. Only
// the planner is the test's own, since it proposes what the test is about. Every
// test runs on SQLite, and with the tag databases on PostgreSQL and MariaDB, too.
package promises_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	_ "modernc.org/sqlite"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/datasource/sqlite"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// patience bounds every question, and is far beyond what any takes.
const patience = time.Minute

// noon is the time of the tests that do not set another.
var noon = time.Date(2026, time.November, 30, 12, 0, 0, 0, time.UTC)

// database is a database of one test.
type database struct {
	dialect schema.Dialect
	home    string // the schema in which scripts make tables
	source  datasource.Datasource
	exec    func(script string) // with an account that may write
	asked   map[string]*session // by their terms
}

// session is an engine that is asked on the same terms, question by question.
type session struct {
	engine  *pipeline.Engine
	planner *planner
	log     bytes.Buffer
}

// product is a kind of database. columns are what the configuration says of the
// columns, by table.column.
type product struct {
	name string
	open func(t *testing.T, script string, columns map[string]config.ColumnConfig) *database
}

// products are those that the tests run on. The tag databases adds to them.
var products = []product{{"sqlite", openSQLite}}

// onEach runs a test on a database of every product. The script is standard SQL; the
// word INSTANT is the type of moments that are the same everywhere on earth.
func onEach(t *testing.T, script string, columns map[string]config.ColumnConfig, test func(t *testing.T, d *database)) {
	t.Helper()
	for _, p := range products {
		t.Run(p.name, func(t *testing.T) { test(t, p.open(t, script, columns)) })
	}
}

func openSQLite(t *testing.T, script string, columns map[string]config.ColumnConfig) *database {
	t.Helper()
	path := filepath.Join(t.TempDir(), "promises.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	d := &database{dialect: schema.SQLite, home: "main", exec: func(script string) {
		t.Helper()
		if _, err := db.Exec(script); err != nil {
			t.Fatalf("%v\n%s", err, script)
		}
	}}
	d.exec(strings.ReplaceAll(script, "INSTANT", "TIMESTAMP WITH TIME ZONE"))
	d.source, err = sqlite.Open(sqlite.Options{ID: "db", Path: path, Columns: qualified(d.home, columns)})
	return d.opened(t, err)
}

func (d *database) opened(t *testing.T, err error) *database {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.source.Close() })
	return d
}

func qualified(home string, columns map[string]config.ColumnConfig) map[string]config.ColumnConfig {
	out := map[string]config.ColumnConfig{}
	for name, c := range columns {
		out[home+"."+name] = c
	}
	return out
}

// terms are the terms on which a question is asked. A zero field means: of someone
// who may read everything, at noon, without limits, of the planner alone.
type terms struct {
	role     config.Role
	caller   policy.Caller
	now      time.Time
	settings config.Settings
	plan     wire.Plan
	question string
}

// told is what is heard of a question.
type told struct {
	run    *pipeline.Run
	err    *reason.Error // nil when it was answered
	rows   []string      // their cells between bars, null as null
	heads  []string
	sql    string
	answer string // all of it, as JSON
	log    string
}

// ask asks for a plan in wire form.
func (d *database) ask(t *testing.T, text string) told {
	t.Helper()
	return d.on(t, terms{plan: planOf(t, text)})
}

func planOf(t *testing.T, text string) wire.Plan {
	t.Helper()
	var p wire.Plan
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return p
}

// planner proposes one plan, and words answers in as few words as can be.
type planner struct{ plan wire.Plan }

func (p *planner) Plan(context.Context, sdk.PlanRequest) (sdk.PlanResponse, error) {
	return sdk.PlanResponse{Plan: &p.plan}, nil
}

func (p *planner) Synthesize(_ context.Context, r sdk.SynthesizeRequest) (sdk.SynthesizeResponse, error) {
	return sdk.SynthesizeResponse{Response: wire.AggregatedResponse{Summary: string(r.Outcome.Kind), FormatType: wire.FormatText, Warnings: []string{}}}, nil
}

// on asks a question on the terms given.
func (d *database) on(t *testing.T, c terms) told {
	t.Helper()
	c = c.complete()
	terms := fmt.Sprint(c.role, c.settings, c.now)
	s := d.asked[terms]
	if s == nil {
		s = d.session(t, c, &planner{}, nil)
		if d.asked == nil {
			d.asked = map[string]*session{}
		}
		d.asked[terms] = s
	}
	s.planner.plan = c.plan
	return s.ask(t, c)
}

// complete fills in what the terms leave open.
func (c terms) complete() terms {
	if c.role.Tables.Allow == nil {
		c.role.Tables.Allow = []string{"*.*.*"}
	}
	if c.now.IsZero() {
		c.now = noon
	}
	if c.question == "" {
		c.question = "what the plan says"
	}
	c.caller.Name, c.caller.Roles = "kim", []string{"reader"}
	return c
}

// session makes an engine whose plans come from p, or from a model if there is one.
func (d *database) session(t *testing.T, c terms, p *planner, m sdk.Model) *session {
	t.Helper()
	services := map[config.ProviderName]provider.Services{"fixed": {Plugin: "template", Planner: p, Synthesizer: p}}
	if m != nil {
		services["local"] = provider.Services{Plugin: "ollama", Model: m}
	}
	s := &session{planner: p}
	s.engine = d.engine(t, c, services, hclog.New(&hclog.LoggerOptions{Output: &s.log, Level: hclog.Trace}))
	return s
}

func (s *session) ask(t *testing.T, c terms) told {
	t.Helper()
	s.log.Reset()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	out := told{run: s.engine.Ask(ctx, pipeline.Question{Text: c.question, Caller: c.caller}, nil)}
	defer out.run.Close()
	if err := out.run.Err(); err != nil {
		out.err = reason.From(err)
	}
	sub := out.run.Sub["q1"]
	out.sql = sub.SQL
	if sub.Result != nil {
		r := sub.Result.Reader()
		for r.Next() {
			out.rows = append(out.rows, rowText(r.Row()))
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if a := out.run.Answer; len(a.Results) > 0 {
		for _, column := range a.Results[0].Columns {
			out.heads = append(out.heads, column.Name)
		}
	}
	text, err := json.Marshal(out.run.Answer)
	if err != nil {
		t.Fatal(err)
	}
	out.answer, out.log = string(text), s.log.String()
	return out
}

func (d *database) engine(t *testing.T, c terms, services map[config.ProviderName]provider.Services, logger hclog.Logger) *pipeline.Engine {
	t.Helper()
	raw := config.Config{
		Version:     1,
		Providers:   map[config.ProviderName]config.Provider{},
		Agents:      map[config.AgentName]config.Agent{config.AgentDefault: {Provider: "fixed"}},
		Datasources: map[schema.DatasourceID]config.Datasource{"db": {Adapter: "sqlite", Path: "promises.db"}},
		Roles:       map[config.RoleName]config.Role{"reader": c.role},
		Settings:    c.settings,
	}
	for name, s := range services {
		raw.Providers[name] = config.Provider{Plugin: s.Plugin, Model: map[bool]string{true: "m:7b"}[s.Model != nil]}
		if s.Model != nil {
			raw.Agents[config.AgentASTPlanner] = config.Agent{Provider: name}
		}
	}
	cfg, _, err := config.Build(raw, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	deps := pipeline.Deps{
		Datasources: map[schema.DatasourceID]datasource.Datasource{"db": d.source},
		Clock:       func() time.Time { return c.now }, Logger: logger,
	}
	if deps.Providers, err = provider.NewRegistry(cfg, services, hclog.NewNullLogger()); err != nil {
		t.Fatal(err)
	}
	if deps.Policy, err = policy.Compile(cfg.Roles); err != nil {
		t.Fatal(err)
	}
	engine, err := pipeline.New(cfg, deps)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := engine.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return engine
}

func rowText(row []wire.Value) string {
	cells := make([]string, len(row))
	for i, v := range row {
		cells[i] = v.String()
		if v.IsNull() {
			cells[i] = "null"
		}
	}
	return strings.Join(cells, "|")
}

// gives demands rows, in the order in which the plan puts them.
func (d *database) gives(t *testing.T, plan string, rows ...string) told {
	t.Helper()
	got := d.ask(t, plan)
	got.wants(t, plan, rows...)
	return got
}

func (got told) wants(t *testing.T, plan string, rows ...string) {
	t.Helper()
	if got.err != nil {
		t.Errorf("%s\nis not answered: %v (%s)", plan, got.err, got.err.SafeMessage)
		return
	}
	if !slices.Equal(got.rows, rows) {
		t.Errorf("%s\ngives %q, want %q\n%s", plan, got.rows, rows, got.sql)
	}
}

// refuses demands that a plan is not run, for that reason.
func (d *database) refuses(t *testing.T, plan string, code reason.Code) told {
	t.Helper()
	got := d.ask(t, plan)
	if got.err == nil || got.err.Code != code {
		t.Errorf("%s\nends with %v and %q, want %s", plan, got.err, got.rows, code)
	}
	return got
}

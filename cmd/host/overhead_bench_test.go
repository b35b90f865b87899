package main

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"querent.dev/querent/cmd/host/internal/overhead"
	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk"
)

const (
	// overheadPairs is how many questions and baselines are measured in turns.
	overheadPairs = 400
	// overheadLimit is what a question may take, as a multiple of its raw parts.
	overheadLimit = 1.5

	overheadPlan   = `{"with":[],"from":"customers","joins":[],"where":"","group":["country"],"select":["country","count(*) as customers"],"having":"","order":["customers desc"],"limit":0,"offset":0,"per":[],"distinct":false}`
	overheadAnswer = `{"summary":"The customers are in the table.","format_type":"text","content":"","warnings":[]}`
)

// BenchmarkHostOverhead compares one question through the planner path, with a
// provider that answers at once, with the sum of its raw parts in the same run:
// two calls of a bare go-plugin program with messages of the same size, and the
// SQL alone.
func BenchmarkHostOverhead(b *testing.B) {
	tuneMemory() // as main does
	dir := b.TempDir()
	build(b, filepath.Join(dir, "querent-plugin-instant"), "./internal/overhead/instant")
	build(b, filepath.Join(dir, "raw"), "./internal/overhead/raw")
	for _, name := range []string{"querent-plugin-template", "demo.db"} {
		from := filepath.Join(built, name)
		if name == "demo.db" {
			from = demoDatabase
		}
		if err := os.Link(from, filepath.Join(dir, name)); err != nil {
			b.Fatal(err)
		}
	}
	cfg := overheadConfig(b, dir)
	h, err := openHost(context.Background(), cfg, hclog.NewNullLogger())
	if err != nil {
		b.Fatal(err)
	}
	defer h.Close(context.Background())
	sizes, query := measured(b, h, cfg)
	raw := newRaw(b, dir, sizes, query)
	for b.Loop() {
		raw.compare(b, h)
	}
}

func build(b *testing.B, out, source string) {
	b.Helper()
	cmd := exec.Command("go", "build", "-o", out, source)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, text)
	}
}

func overheadConfig(b *testing.B, dir string) *config.Config {
	b.Helper()
	path := filepath.Join(dir, "querent.yaml")
	text := fmt.Sprintf(`version: 1
plugin_dir: .
plugins: {instant: {}}
providers:
  instant: {plugin: instant, model: m, config: {plan: '%s', answer: '%s'}, data: {values: true, rows: true}}
agents: {default: {provider: instant}}
datasources: {demo: {adapter: sqlite, path: demo.db}}
roles: {all: {tables: {allow: ["demo.*.*"]}}}
callers: {cli: {role: all}}
`, overheadPlan, overheadAnswer)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	cfg, _, err := config.Load(path)
	if err != nil {
		b.Fatal(err)
	}
	return cfg
}

var overheadQuestion = pipeline.Question{Text: "How many customers are there, by country?", Caller: policy.Caller{Name: "cli", Roles: []string{"all"}}}

func askOnce(b *testing.B, e *pipeline.Engine) *pipeline.Run {
	b.Helper()
	run := e.Ask(context.Background(), overheadQuestion, nil)
	if err := run.Err(); err != nil {
		b.Fatal(err)
	}
	if run.Answer.SynthesizedBy != "instant" || run.Answer.Queries[0].Planner != "instant" {
		b.Fatalf("not answered by the instant provider: %+v", run.Answer)
	}
	return run
}

// recorder is the instant provider in this process; it notes the sizes of what
// it is sent and of what it answers.
type recorder struct {
	sdk.Model
	sizes [][2]int
}

// Generate implements sdk.Model.
func (r *recorder) Generate(_ context.Context, g sdk.GenerateRequest) (sdk.GenerateResponse, error) {
	in, out := len(g.Schema), overheadAnswer
	for _, m := range g.Messages {
		in += len(m.Content)
	}
	if len(r.sizes) == 0 {
		out = overheadPlan
	}
	r.sizes = append(r.sizes, [2]int{in, len(out)})
	return sdk.GenerateResponse{Text: out, Finish: sdk.FinishStop}, nil
}

// measured asks once and returns the sizes of the two calls and the SQL.
func measured(b *testing.B, h *host, cfg *config.Config) ([][2]int, string) {
	b.Helper()
	r := &recorder{}
	rules, err := policy.Compile(cfg.Roles)
	if err != nil {
		b.Fatal(err)
	}
	registry, err := provider.NewRegistry(cfg, map[config.ProviderName]provider.Services{"instant": {Plugin: "instant", Model: r}}, hclog.NewNullLogger())
	if err != nil {
		b.Fatal(err)
	}
	e, err := pipeline.New(cfg, pipeline.Deps{Datasources: h.sources, Providers: registry, Policy: rules})
	if err != nil {
		b.Fatal(err)
	}
	run := askOnce(b, e)
	defer run.Close()
	if len(r.sizes) != 2 {
		b.Fatalf("%d calls, want 2", len(r.sizes))
	}
	return r.sizes, run.Answer.Queries[0].SQL
}

// rawParts are what a question cannot do without.
type rawParts struct {
	conn  *grpc.ClientConn
	db    *sql.DB
	sizes [][2]int
	query string
}

func newRaw(b *testing.B, dir string, sizes [][2]int, query string) *rawParts {
	b.Helper()
	client := plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig: overhead.Handshake, Plugins: plugin.PluginSet{"echo": overhead.Echo{}},
		Cmd: exec.Command(filepath.Join(dir, "raw")), AutoMTLS: true, Logger: hclog.NewNullLogger(),
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
	})
	b.Cleanup(client.Kill)
	protocol, err := client.Client()
	if err != nil {
		b.Fatal(err)
	}
	conn, err := protocol.Dispense("echo")
	if err != nil {
		b.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "demo.db")+"?mode=ro&_pragma=query_only(1)")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	return &rawParts{conn: conn.(*grpc.ClientConn), db: db, sizes: sizes, query: query}
}

// compare measures pairs in turns and fails when the medians' ratio is beyond
// the limit.
func (r *rawParts) compare(b *testing.B, h *host) {
	var hosts, raws, sqls []time.Duration
	for i := range overheadPairs + 20 {
		start := time.Now()
		run := askOnce(b, h.engine)
		host := time.Since(start)
		if err := run.Close(); err != nil {
			b.Fatal(err)
		}
		// In the order of a question: the plan, the rows, the words.
		start = time.Now()
		r.call(b, r.sizes[0])
		planned := time.Now()
		r.runSQL(b)
		alone := time.Since(planned)
		r.call(b, r.sizes[1])
		raw := time.Since(start)
		if i >= 20 { // the first ones warm up
			hosts, raws, sqls = append(hosts, host), append(raws, raw), append(sqls, alone)
		}
	}
	ratio := float64(median(hosts)) / float64(median(raws))
	b.ReportMetric(ratio, "ratio")
	b.ReportMetric(float64(median(hosts).Microseconds()), "µs/question")
	b.ReportMetric(float64(median(raws).Microseconds()), "µs/raw")
	b.ReportMetric(float64(median(sqls).Microseconds()), "µs/sql")
	b.ReportMetric(0, "ns/op")
	if ratio > overheadLimit {
		b.Errorf("a question takes %s, %.2f times its raw parts' %s (the SQL alone %s); the limit is %.1f",
			median(hosts), ratio, median(raws), median(sqls), overheadLimit)
	}
}

func (r *rawParts) call(b *testing.B, size [2]int) {
	in := make([]byte, size[0])
	binary.BigEndian.PutUint32(in, uint32(size[1]))
	var out wrapperspb.BytesValue
	if err := r.conn.Invoke(context.Background(), overhead.EchoMethod, wrapperspb.Bytes(in), &out); err != nil {
		b.Fatal(err)
	}
	if len(out.Value) != size[1] {
		b.Fatalf("%d bytes, want %d", len(out.Value), size[1])
	}
}

func (r *rawParts) runSQL(b *testing.B) {
	rows, err := r.db.Query(r.query)
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	n := 0
	for rows.Next() {
		var country any
		var customers int64
		if err := rows.Scan(&country, &customers); err != nil {
			b.Fatal(err)
		}
		n++
	}
	if err := rows.Err(); err != nil || n == 0 {
		b.Fatalf("%d rows, %v", n, err)
	}
}

func median(d []time.Duration) time.Duration {
	d = slices.Sorted(slices.Values(d))
	return d[len(d)/2]
}

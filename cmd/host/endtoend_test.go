package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/plugins/ollama/ollamatest"
	"querent.dev/querent/plugins/openai/openaitest"
	"querent.dev/querent/sdk/wire"
)

// installation is a folder of its own with the programs, the demo's database and
// a configuration, so that a test can look for the processes that it left.
type installation struct {
	dir          string
	cloud, local string // base URLs
	timeout      string // of agents
}

func install(t *testing.T, cloud, local string) *installation {
	t.Helper()
	i := &installation{dir: t.TempDir(), cloud: cloud, local: local, timeout: "20s"}
	for _, name := range []string{"querent", "querent-plugin-openai", "querent-plugin-ollama", "querent-plugin-template"} {
		link(t, filepath.Join(built, name), filepath.Join(i.dir, name))
	}
	copyFile(t, demoDatabase, i.database())
	t.Cleanup(func() { i.noProcessIsLeft(t) })
	return i
}

func link(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Link(from, to); err != nil {
		copyFile(t, from, to)
		if err := os.Chmod(to, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

func (i *installation) database() string { return filepath.Join(i.dir, "demo.db") }

// configure writes the configuration. The provider is the one thing that differs
// between the configurations of a test.
func (i *installation) configure(t *testing.T, provider string) string {
	t.Helper()
	path := filepath.Join(i.dir, provider+".yaml")
	text := fmt.Sprintf(`version: 1
providers:
  fixed: {plugin: template}
  cloud: {plugin: openai, model: gpt-5-mini, config: {base_url: %q, api_key: "${env:TEST_API_KEY}"}, data: {values: true, rows: true}}
  local: {plugin: ollama, model: "qwen2.5-coder:7b", config: {url: %q}, data: {values: true, rows: true}}
agents:
  default: {provider: %s, timeout: %s}
datasources:
  demo: {adapter: sqlite, path: demo.db, columns: {main.payments.paid_at: {storage: epoch_ms}}}
roles:
  analyst:
    tables: {allow: ["demo.main.*"]}
    columns: {deny: ["demo.main.employees.salary"]}
callers: {cli: {role: analyst}}
`, i.cloud, i.local, provider, i.timeout)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// asked is what a run of the host left.
type asked struct {
	exit   int
	answer wire.Answer
	rows   [][]any // of the first result, as the answer's JSON has them
	stderr string
	raw    []byte
}

// hostDeadline is when a host that should have ended long ago is taken to hang.
const hostDeadline = 60 * time.Second

func (i *installation) ask(t *testing.T, config, question string, flags ...string) asked {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), hostDeadline)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(i.dir, "querent"), append([]string{"ask", "--config", config, "--output", "json", question}, flags...)...)
	cmd.Env = append(os.Environ(), "TEST_API_KEY="+testKey)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if ctx.Err() != nil {
		t.Fatalf("the host hangs\n%s\n%s", stdout.String(), stderr.String())
	}
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	a := asked{exit: cmd.ProcessState.ExitCode(), stderr: stderr.String(), raw: stdout.Bytes()}
	a.decode(t)
	if strings.Contains(stdout.String()+stderr.String(), testKey) {
		t.Errorf("the key is in the output\n%s\n%s", stdout.String(), stderr.String())
	}
	return a
}

// testKey is the secret of these tests: it may reach the fake server alone.
const testKey = "sk-canary-2f9d71c6"

func (a *asked) decode(t *testing.T) {
	t.Helper()
	var envelope struct {
		Answer json.RawMessage `json:"answer"`
	}
	if err := json.Unmarshal(a.raw, &envelope); err != nil {
		t.Fatalf("the output is no envelope: %v\n%s\n%s", err, a.raw, a.stderr)
	}
	var parts struct {
		wire.Answer
		Results []struct {
			Rows [][]any `json:"rows"`
		} `json:"results"`
	}
	if err := json.Unmarshal(envelope.Answer, &parts); err != nil {
		t.Fatalf("the answer does not decode: %v\n%s", err, envelope.Answer)
	}
	a.answer = parts.Answer
	if len(parts.Results) > 0 {
		a.rows = parts.Results[0].Rows
	}
}

// noProcessIsLeft looks for processes that run a program of the installation.
func (i *installation) noProcessIsLeft(t *testing.T) {
	t.Helper()
	for _, exe := range executables(t) {
		if strings.HasPrefix(exe.path, i.dir) {
			t.Errorf("process %d still runs %s", exe.pid, exe.path)
		}
	}
}

const (
	modelPlan   = `{"with":[],"from":"stores s","joins":[],"where":"","group":["s.country"],"select":["s.country","count(*) as stores"],"having":"","order":["stores desc","s.country"],"limit":0,"offset":0,"per":[],"distinct":false}`
	modelAnswer = `{"summary":"The full result is in the table, 19 rows by country.","format_type":"text","content":"","warnings":[]}`
	question    = "How many stores are there, by country?"
)

// planThenAnswer answers the first request with a plan and later ones with words.
func planThenAnswer[R, Q any](text func(string) R) func(Q) R {
	first := make(chan struct{}, 1)
	first <- struct{}{}
	return func(Q) R {
		select {
		case <-first:
			return text(modelPlan)
		default:
			return text(modelAnswer)
		}
	}
}

// One question, one changed line of configuration, three providers, the same rows.
func TestOneLineSwitchesTheProvider(t *testing.T) {
	cloud := openaitest.New(t, openaitest.Script{Chat: planThenAnswer[openaitest.Reply, openaitest.Request](openaitest.Text)})
	local := ollamatest.New(t, ollamatest.Script{Chat: planThenAnswer[ollamatest.Reply, ollamatest.Request](ollamatest.Text)})
	i := install(t, cloud.BaseURL(), local.URL)
	var first asked
	for _, provider := range []string{"fixed", "cloud", "local"} {
		got := i.ask(t, i.configure(t, provider), question)
		if got.exit != 0 || got.answer.Outcome != wire.Answered {
			t.Fatalf("%s: exit %d, outcome %s\n%s\n%s", provider, got.exit, got.answer.Outcome, got.raw, got.stderr)
		}
		if planner := got.answer.Queries[0].Planner; planner != provider {
			t.Errorf("%s: planned by %s", provider, planner)
		}
		if got.answer.SynthesizedBy != provider {
			t.Errorf("%s: worded by %s (%s)", provider, got.answer.SynthesizedBy, got.answer.FallbackReason)
		}
		if provider == "fixed" {
			first = got
			continue
		}
		if len(got.rows) != 19 || fmt.Sprint(got.rows) != fmt.Sprint(first.rows) {
			t.Errorf("%s: rows %v\nwant %v", provider, got.rows, first.rows)
		}
		if got.answer.Queries[0].PlanID != first.answer.Queries[0].PlanID {
			t.Errorf("%s: the same plan has another id", provider)
		}
	}
	if n := len(cloud.Chats()); n != 2 {
		t.Errorf("the cloud was asked %d times, want 2", n)
	}
	for _, r := range cloud.Chats() {
		if got := r.Header.Get("Authorization"); got != "Bearer "+testKey {
			t.Errorf("the key did not reach its server: %q", got)
		}
		if bytes.Contains(r.Body, []byte("salary")) {
			t.Error("a forbidden column is in a request")
		}
	}
	if n := len(local.Chats()); n != 2 {
		t.Errorf("the local server was asked %d times, want 2", n)
	}
	for _, r := range local.Chats() {
		if bytes.Contains(r.Body, []byte("salary")) {
			t.Error("a forbidden column is in a request")
		}
	}
}

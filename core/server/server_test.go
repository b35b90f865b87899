package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"go.uber.org/goleak"

	"querent.dev/querent/core/answer"
	"querent.dev/querent/core/config"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/server"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// engine is an Engine whose runs do what a test tells it.
type engine struct {
	// work is what a run does between its first event and its answer; nil does
	// nothing. A run whose context has ended is a cancelled one.
	work  func(ctx context.Context, q pipeline.Question, emit func(graph.EventType, map[string]any))
	asked chan pipeline.Question // nil: not told
	runs  atomic.Int64
	ended atomic.Int64
}

func (e *engine) Ask(ctx context.Context, q pipeline.Question, sink func(graph.Event)) *pipeline.Run {
	defer e.ended.Add(1)
	n := e.runs.Add(1)
	run := &pipeline.Run{ID: fmt.Sprintf("run%d", n), TraceID: fmt.Sprintf("trace%d", n), Question: q, Caller: q.Caller}
	emitter := graph.NewEmitter(run.ID, run.TraceID, time.Now, sink)
	emit := func(t graph.EventType, data map[string]any) { emitter.Emit(graph.Event{Type: t, Data: data}) }
	emit(graph.RunStarted, nil)
	if e.asked != nil {
		e.asked <- q
	}
	if e.work != nil {
		e.work(ctx, q, emit)
	}
	run.Answer = &wire.Answer{Outcome: wire.Answered, Question: q.Text, AggregatedResponse: wire.AggregatedResponse{Summary: "three\nlines\n<b>", FormatType: wire.FormatText}}
	end := graph.RunCompleted
	if ctx.Err() != nil {
		run.Answer.Outcome, end = wire.Cancelled, graph.RunCancelled
		run.Errors = []pipeline.Failure{{Step: "q1/executor", Err: reason.From(context.Cause(ctx))}}
	}
	emit(graph.AnswerCompleted, map[string]any{"answer": *run.Answer})
	emit(end, nil)
	return run
}

// until waits until the run is cancelled.
func until(ctx context.Context, _ pipeline.Question, _ func(graph.EventType, map[string]any)) {
	<-ctx.Done()
}

var analyst = policy.Caller{Name: "kim", Roles: []string{"analyst"}}

// key is a key with what the server knows of it.
func key(t *testing.T, id, role, expires string) (string, server.Key) {
	t.Helper()
	secret, hash := server.NewKey()
	file := fmt.Sprintf("keys:\n  - {id: %s, hash: %q, role: %s, user: {region: EU, floor: 3}, expires: %q}\n", id, hash, role, expires)
	keys, err := server.ParseKeys([]byte(file), map[config.RoleName]config.Role{config.RoleName(role): {}})
	if err != nil {
		t.Fatal(err)
	}
	return secret, keys[0]
}

// api is a server under test with its clients.
type api struct {
	*httptest.Server
	server *server.Server
	engine *engine
	key    string // of analyst kim
	log    *bytes.Buffer
}

// start serves over a real connection.
func start(t *testing.T, e *engine, changes ...func(*server.Options)) *api {
	t.Helper()
	secret, known := key(t, "kim", "analyst", "")
	a := &api{engine: e, key: secret, log: &bytes.Buffer{}}
	o := server.Options{
		Engine: e, Callers: server.Callers{Keys: []server.Key{known}}, MaxRuns: 200,
		Logger: hclog.New(&hclog.LoggerOptions{Output: a.log, Level: hclog.Debug}),
		Write: func(w io.Writer, r *pipeline.Run) error {
			if _, err := fmt.Fprintf(w, `{"run_id":%q,"answer":`, r.ID); err != nil {
				return err
			}
			if err := answer.WriteJSON(w, *r.Answer, nil); err != nil {
				return err
			}
			_, err := io.WriteString(w, "}\n")
			return err
		},
	}
	for _, change := range changes {
		change(&o)
	}
	s, err := server.New(o)
	if err != nil {
		t.Fatal(err)
	}
	a.server, a.Server = s, httptest.NewServer(s)
	t.Cleanup(a.Close)
	return a
}

// request is a request with the key, and headers as name, value, name, value.
func (a *api) request(ctx context.Context, method, path, body string, headers ...string) *http.Request {
	r, err := http.NewRequestWithContext(ctx, method, a.URL+path, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	r.Header.Set("Authorization", "Bearer "+a.key)
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Del(headers[i])
		if headers[i+1] != "" {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	return r
}

// reply is a whole answer of the server.
type reply struct {
	status int
	header http.Header
	body   string
}

func (a *api) do(t *testing.T, r *http.Request) reply {
	t.Helper()
	res, err := a.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{res.StatusCode, res.Header, string(body)}
}

func (a *api) ask(t *testing.T, body string, headers ...string) reply {
	t.Helper()
	return a.do(t, a.request(t.Context(), http.MethodPost, "/v1/ask", body, headers...))
}

// problem is an application/problem+json as clients read it.
type problem struct {
	Type, Title, Detail, Instance, Code, Reason string
	Status                                      int
	TraceID                                     string `json:"trace_id"`
}

func (r reply) problem(t *testing.T) problem {
	t.Helper()
	var p problem
	d := json.NewDecoder(strings.NewReader(r.body))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil || r.header.Get("Content-Type") != "application/problem+json" {
		t.Fatalf("no problem: %v, %s, %s", err, r.header.Get("Content-Type"), r.body)
	}
	if p.Status != r.status || p.Title == "" || p.Detail == "" || p.Code == "" || p.TraceID == "" ||
		p.Type != "urn:querent:problem:"+p.Reason || p.Instance != "urn:querent:request:"+p.TraceID {
		t.Errorf("problem %+v with status %d", p, r.status)
	}
	return p
}

// eventually waits for what other goroutines are about to do.
func eventually(t *testing.T, what string, happened func() bool) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for !happened() {
		select {
		case <-time.After(5 * time.Millisecond):
		case <-deadline:
			t.Fatalf("this does not happen: %s", what)
		}
	}
}

// Who may ask and what the limits are changes while the server serves.
func TestAServerIsChanged(t *testing.T) {
	a := start(t, &engine{})
	if r := a.ask(t, `{"question": "q"}`); r.status != http.StatusOK {
		t.Fatalf("before: status %d, %s", r.status, r.body)
	}
	secret, known := key(t, "new", "analyst", "")
	a.server.Change(server.Options{Callers: server.Callers{Keys: []server.Key{known}}, MaxBody: 20})
	if r := a.ask(t, `{"question": "q"}`); r.status != http.StatusUnauthorized {
		t.Errorf("the old key: status %d", r.status)
	}
	a.key = secret
	if r := a.ask(t, `{"question": "q"}`); r.status != http.StatusOK {
		t.Errorf("the new key: status %d, %s", r.status, r.body)
	}
	if r := a.ask(t, `{"question": "longer than it may be"}`); r.status != http.StatusRequestEntityTooLarge {
		t.Errorf("a long question: status %d", r.status)
	}
	a.server.Change(server.Options{Callers: server.Callers{Keys: []server.Key{known}},
		Checks: []server.Check{{Name: "thing", Run: func(context.Context) error { return errors.New("gone") }}}})
	if r := a.do(t, a.request(t.Context(), http.MethodGet, "/readyz", "")); r.status != http.StatusServiceUnavailable || !strings.Contains(r.body, "thing") {
		t.Errorf("with another check: status %d, %s", r.status, r.body)
	}
}

// Metrics need a key, unless only this machine can ask.
func TestMetricsNeedAKeyElsewhere(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "up 1\n") })
	for _, local := range []bool{false, true} {
		a := start(t, &engine{}, func(o *server.Options) { o.Metrics, o.Callers.Local = handler, local })
		for authorization, want := range map[string]int{"Bearer " + a.key: http.StatusOK, "": map[bool]int{false: http.StatusUnauthorized, true: http.StatusOK}[local]} {
			if r := a.do(t, a.request(t.Context(), http.MethodGet, "/metrics", "", "Authorization", authorization)); r.status != want {
				t.Errorf("local %v, key %v: status %d, want %d", local, authorization != "", r.status, want)
			}
		}
	}
	a := start(t, &engine{})
	if r := a.do(t, a.request(t.Context(), http.MethodGet, "/metrics", "")); r.status != http.StatusNotFound {
		t.Errorf("without metrics: status %d", r.status)
	}
}

package server_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/server"
)

func TestRequestsThatAreNoRun(t *testing.T) {
	a := start(t, &engine{}, func(o *server.Options) { o.MaxBody = 1000 })
	seen := map[string]bool{}
	for name, c := range map[string]struct {
		method, path, body string
		headers            []string
		status             int
		reason, detail     string
	}{
		"no JSON":            {"POST", "/v1/ask", `How many?`, nil, 400, "invalid_json", "Expected one JSON object"},
		"nothing":            {"POST", "/v1/ask", ``, nil, 400, "invalid_json", ""},
		"a list":             {"POST", "/v1/ask", `[]`, nil, 400, "invalid_json", ""},
		"two objects":        {"POST", "/v1/ask", `{"question":"q"}{}`, nil, 400, "invalid_json", "follows"},
		"cut":                {"POST", "/v1/ask", `{"question":"q`, nil, 400, "invalid_json", ""},
		"unknown field":      {"POST", "/v1/ask", `{"question":"q","sql":"x"}`, nil, 400, "unknown_field", `"sql"`},
		"odd field":          {"POST", "/v1/ask", `{"question":"q","<b>":"x"}`, nil, 400, "unknown_field", "There are the fields"},
		"no question":        {"POST", "/v1/ask", `{}`, nil, 400, "missing_question", ""},
		"null":               {"POST", "/v1/ask", `{"question":null}`, nil, 400, "missing_question", ""},
		"blank":              {"POST", "/v1/ask", `{"question":" \n"}`, nil, 400, "missing_question", ""},
		"a number":           {"POST", "/v1/ask", `{"question":7}`, nil, 400, "invalid_value", "question must be a text"},
		"stream as text":     {"POST", "/v1/ask", `{"question":"q","stream":"yes"}`, nil, 400, "invalid_value", "stream must be true or false"},
		"a form that is not": {"POST", "/v1/ask", `{"question":"q","format":"csv"}`, nil, 400, "invalid_value", "format"},
		"no language":        {"POST", "/v1/ask", `{"question":"q","language":"!"}`, nil, 400, "invalid_value", "language"},
		"no type":            {"POST", "/v1/ask", `{"question":"q"}`, []string{"Content-Type", ""}, 415, "unsupported_media_type", ""},
		"a form":             {"POST", "/v1/ask", `question=q`, []string{"Content-Type", "application/x-www-form-urlencoded"}, 415, "unsupported_media_type", ""},
		"too large":          {"POST", "/v1/ask", `{"question":"` + strings.Repeat("x", 1000) + `"}`, nil, 413, "body_too_large", "1000 bytes"},
		"another path":       {"GET", "/v1/nothing", ``, nil, 404, "not_found", ""},
		"root":               {"GET", "/", ``, nil, 404, "not_found", ""},
		"a longer path":      {"DELETE", "/v1/runs/a/b", ``, nil, 404, "not_found", ""},
		"no run":             {"DELETE", "/v1/runs/run7", ``, nil, 404, "not_found", ""},
		"read a run":         {"GET", "/v1/runs/run7", ``, nil, 405, "method_not_allowed", "DELETE"},
		"get":                {"GET", "/v1/ask", ``, nil, 405, "method_not_allowed", "POST"},
		"post to health":     {"POST", "/healthz", ``, nil, 405, "method_not_allowed", "GET"},
	} {
		t.Run(name, func(t *testing.T) {
			got := a.do(t, a.request(t.Context(), c.method, c.path, c.body, c.headers...))
			p := got.problem(t)
			if got.status != c.status || p.Reason != c.reason || !strings.Contains(p.Detail, c.detail) {
				t.Errorf("%d %+v", got.status, p)
			}
			if c.status == 405 && got.header.Get("Allow") == "" {
				t.Error("405 without Allow")
			}
			seen[p.Reason] = true
		})
	}
	if a.engine.runs.Load() != 0 {
		t.Errorf("%d of them became runs", a.engine.runs.Load())
	}
	for _, k := range server.ProblemKinds() {
		switch k.Reason { // other tests have these
		case "auth_context_required", "slow_body", "too_many_runs", "internal", "draining":
		default:
			if !seen[string(k.Reason)] {
				t.Errorf("no request ends with %s", k.Reason)
			}
		}
	}
}

// Without a valid key nothing is told, not even what there is.
func TestKeys(t *testing.T) {
	expired, gone := key(t, "old", "analyst", "2020-01-01")
	later, good := key(t, "new", "clerk", "2999-12-31")
	a := start(t, &engine{asked: make(chan pipeline.Question, 100)}, func(o *server.Options) { o.Callers.Keys = append(o.Callers.Keys, gone, good) })
	var body string
	for name, header := range map[string]string{
		"none": "", "empty": "Bearer", "wrong": "Bearer qk_wrong", "cut": "Bearer " + a.key[:len(a.key)-1], "longer": "Bearer " + a.key + "x",
		"another scheme": "Basic " + a.key, "bare": a.key, "expired": "Bearer " + expired, "the hash": "Bearer sha256:00",
	} {
		for _, at := range []string{"POST /v1/ask", "GET /v1/ask", "GET /nowhere", "DELETE /v1/runs/run1", "GET /"} {
			method, path, _ := strings.Cut(at, " ")
			got := a.do(t, a.request(t.Context(), method, path, `{"question":"q"}`, "Authorization", header))
			p := got.problem(t)
			if got.status != 401 || p.Code != "CALLER_AUTH_REQUIRED" || got.header.Get("WWW-Authenticate") != `Bearer realm="querent"` {
				t.Errorf("%s at %s: %d %+v %v", name, at, got.status, p, got.header)
			}
			same := strings.ReplaceAll(got.body, p.TraceID, "")
			if body == "" {
				body = same
			}
			if same != body {
				t.Errorf("%s at %s is told apart: %s", name, at, got.body)
			}
		}
	}
	twice := a.request(t.Context(), "POST", "/v1/ask", `{"question":"q"}`)
	twice.Header.Add("Authorization", "Bearer x")
	if got := a.do(t, twice); got.status != 401 {
		t.Errorf("two keys: %d", got.status)
	}
	if a.engine.runs.Load() != 0 {
		t.Fatal("a run began without a key")
	}
	for secret, want := range map[string]policy.Caller{
		a.key: {Name: "kim", Roles: []string{"analyst"}}, later: {Name: "new", Roles: []string{"clerk"}},
	} {
		if got := a.ask(t, `{"question":"q"}`, "Authorization", "bearer "+secret); got.status != 200 {
			t.Fatalf("a good key: %d %s", got.status, got.body)
		}
		q := <-a.engine.asked
		if q.Caller.Name != want.Name || q.Caller.Roles[0] != want.Roles[0] || q.Caller.Attributes["region"] != "EU" || q.Caller.Attributes["floor"] != "3" {
			t.Errorf("asked by %+v", q.Caller)
		}
	}
	a.Close()
	for _, secret := range []string{a.key, later, expired} {
		if strings.Contains(a.log.String(), secret) {
			t.Error("a key is in the log")
		}
	}
}

func TestAnonymousCallers(t *testing.T) {
	a := start(t, &engine{asked: make(chan pipeline.Question, 9)}, func(o *server.Options) {
		o.Callers.Anonymous, o.Callers.Local = policy.Caller{Name: "anonymous", Roles: []string{"guest"}}, true
	})
	if got := a.ask(t, `{"question":"q"}`, "Authorization", ""); got.status != 200 {
		t.Fatalf("%d %s", got.status, got.body)
	}
	if q := <-a.engine.asked; q.Caller.Name != "anonymous" {
		t.Errorf("asked by %+v", q.Caller)
	}
	if got := a.ask(t, `{"question":"q"}`, "Authorization", "Bearer qk_wrong"); got.status != 401 {
		t.Errorf("a wrong key is taken for none: %d", got.status)
	}
	foreign := a.request(t.Context(), "POST", "/v1/ask", `{"question":"q"}`, "Authorization", "")
	foreign.Host = "rebound.example:8080"
	if got := a.do(t, foreign); got.status != 401 {
		t.Errorf("a page under another name got in: %d", got.status)
	}
	foreign = a.request(t.Context(), "POST", "/v1/ask", `{"question":"q"}`)
	foreign.Host = "querent.example"
	if got := a.do(t, foreign); got.status != 200 {
		t.Errorf("with a key, behind a proxy: %d", got.status)
	}
}

func TestAnAnswerAtOnce(t *testing.T) {
	a := start(t, &engine{asked: make(chan pipeline.Question, 1)})
	got := a.ask(t, `{"question":"How many?","datasource":"shop","language":"ko","format":"json"}`)
	if got.status != 200 || got.header.Get("Content-Type") != "application/json" || got.header.Get("Querent-Run-Id") != "run1" || got.header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %v", got.status, got.header)
	}
	if !strings.HasPrefix(got.body, `{"run_id":"run1","answer":{"outcome":"answered","question":"How many?"`) || !strings.HasSuffix(got.body, "}\n") {
		t.Errorf("body %s", got.body)
	}
	if q := <-a.engine.asked; q.Datasource != "shop" || q.Language != "ko" || q.Format != "json" || q.Stream {
		t.Errorf("question %+v", q)
	}
}

// An answer that breaks off must not look whole.
func TestAnAnswerThatCannotBeWritten(t *testing.T) {
	a := start(t, &engine{}, func(o *server.Options) {
		o.Write = func(w io.Writer, _ *pipeline.Run) error {
			_, _ = io.WriteString(w, `{"half":`)
			return errors.New("the rows cannot be read")
		}
	})
	res, err := a.Client().Do(a.request(t.Context(), "POST", "/v1/ask", `{"question":"q"}`))
	if err == nil {
		_, err = io.ReadAll(res.Body)
		res.Body.Close()
	}
	if err == nil {
		t.Error("half an answer looks whole")
	}
}

func TestTooManyRuns(t *testing.T) {
	e := &engine{asked: make(chan pipeline.Question, 100), work: func(ctx context.Context, q pipeline.Question, _ func(graph.EventType, map[string]any)) {
		if q.Text == "wait" {
			<-ctx.Done()
		}
	}}
	a := start(t, e, func(o *server.Options) { o.MaxRuns = 1 })
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		res, err := a.Client().Do(a.request(ctx, "POST", "/v1/ask", `{"question":"wait"}`))
		if err == nil {
			res.Body.Close()
		}
		done <- err
	}()
	<-e.asked
	got := a.ask(t, `{"question":"q"}`)
	if p := got.problem(t); got.status != 429 || p.Code != "SERVER_BUSY" || got.header.Get("Retry-After") != "2" {
		t.Errorf("%d %+v %v", got.status, p, got.header)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	eventually(t, "the place is free again", func() bool { return a.ask(t, `{"question":"q"}`).status == 200 })
}

func TestAPanicIsAProblem(t *testing.T) {
	e := &engine{work: func(_ context.Context, q pipeline.Question, _ func(graph.EventType, map[string]any)) {
		if q.Text == "q" {
			panic("secret text")
		}
	}}
	a := start(t, e)
	got := a.ask(t, `{"question":"q"}`)
	if p := got.problem(t); got.status != 500 || p.Code != "INTERNAL" || strings.Contains(got.body, "secret") {
		t.Errorf("%d %s", got.status, got.body)
	}
	// A stream that has begun ends without its terminal event, and visibly.
	res, err := a.Client().Do(a.request(t.Context(), "POST", "/v1/ask", `{"question":"q","stream":true}`))
	if err == nil {
		_, err = io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode == 500 {
			err = io.ErrUnexpectedEOF
		}
	}
	if err == nil {
		t.Error("a broken stream looks whole")
	}
	if got := a.ask(t, `{"question":"another"}`); got.status != 200 {
		t.Errorf("the server does not go on: %d", got.status)
	}
}

// A body that comes a byte at a time does not hold the server.
func TestASlowBodyIsCutOff(t *testing.T) {
	a := start(t, &engine{}, func(o *server.Options) { o.Timeouts.Body = 100 * time.Millisecond })
	conn, err := net.Dial("tcp", a.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	head := "POST /v1/ask HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\nAuthorization: Bearer " + a.key + "\r\n\r\n{"
	if _, err := io.WriteString(conn, head); err != nil {
		t.Fatal(err)
	}
	if err := conn.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(res.Body)
	if p := (reply{res.StatusCode, res.Header, string(body)}).problem(t); p.Status != 408 || p.Reason != "slow_body" {
		t.Errorf("%+v", p)
	}
	if _, err := io.Copy(io.Discard, conn); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the connection is kept")
	}
}

func TestTheAccessLog(t *testing.T) {
	a := start(t, &engine{})
	a.ask(t, `{"question":"a private matter"}`)
	a.do(t, a.request(t.Context(), "GET", "/x%0Afake=line"+strings.Repeat("y", 500), ""))
	a.Close()
	text := a.log.String()
	for _, want := range []string{"method=POST path=/v1/ask status=200", "caller=kim run=run1 trace=trace1", "/x%0Afake=line"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the log:\n%s", want, text)
		}
	}
	if strings.Contains(text, "private") || strings.Contains(text, strings.Repeat("y", 200)) {
		t.Errorf("the log holds too much:\n%s", text)
	}
}

// Every route and every kind of problem is in the documentation.
func TestTheDocumentationIsComplete(t *testing.T) {
	page, err := os.ReadFile("../../docs/http-api.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range server.Routes() {
		if !strings.Contains(string(page), "`"+r+"`") {
			t.Errorf("docs/http-api.md lacks `%s`", r)
		}
	}
	for _, k := range server.ProblemKinds() {
		if !strings.Contains(string(page), "`"+string(k.Code)+"` | `"+string(k.Reason)+"`") {
			t.Errorf("docs/http-api.md lacks a row of %s, %s", k.Code, k.Reason)
		}
	}
	for _, e := range []graph.EventType{
		graph.RunStarted, graph.NodeStarted, graph.NodeCompleted, graph.NodeFailed, graph.NodeRetrying, graph.PlanReady, graph.SQLReady, graph.RowsReady,
		graph.WarningRaised, graph.AnswerDelta, graph.AnswerReplaced, graph.AnswerCompleted, graph.RunCompleted, graph.RunFailed, graph.RunCancelled,
	} {
		if !strings.Contains(string(page), "`"+string(e)+"`") {
			t.Errorf("docs/http-api.md lacks the event %s", e)
		}
	}
}

package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/server"
	"querent.dev/querent/sdk/reason"
)

// serving is a server in Serve, as the program runs it.
type serving struct {
	api
	stop  context.CancelFunc
	ended chan error
}

func serve(t *testing.T, e *engine, drain time.Duration) *serving {
	t.Helper()
	secret, known := key(t, "kim", "analyst", "")
	s, err := server.New(server.Options{
		Engine: e, Callers: server.Callers{Keys: []server.Key{known}}, DrainTimeout: drain,
		Write: func(w io.Writer, r *pipeline.Run) error {
			return json.NewEncoder(w).Encode(map[string]any{"outcome": r.Answer.Outcome})
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	out := &serving{api: api{engine: e, key: secret}, stop: cancel, ended: make(chan error, 1)}
	// Only its URL and its client are used.
	out.Server = httptest.NewUnstartedServer(nil)
	_ = out.Server.Listener.Close()
	out.Server.URL = "http://" + l.Addr().String()
	go func() { out.ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		http.DefaultClient.CloseIdleConnections()
	})
	return out
}

func (s *serving) send(t *testing.T, method, path, body string) (reply, error) {
	t.Helper()
	res, err := http.DefaultClient.Do(s.request(context.Background(), method, path, body))
	if err != nil {
		return reply{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return reply{res.StatusCode, res.Header, string(text)}, err
}

// ask asks in a goroutine of its own.
func (s *serving) later(t *testing.T) chan reply {
	out := make(chan reply, 1)
	go func() {
		got, err := s.send(t, "POST", "/v1/ask", `{"question":"q"}`)
		if err != nil {
			t.Error(err)
		}
		out <- got
	}()
	return out
}

func TestStoppingLetsRunsFinish(t *testing.T) {
	finish := make(chan struct{})
	e := &engine{asked: make(chan pipeline.Question, 1), work: func(ctx context.Context, _ pipeline.Question, _ func(graph.EventType, map[string]any)) {
		select {
		case <-finish:
		case <-ctx.Done():
		}
	}}
	s := serve(t, e, time.Minute)
	answer := s.later(t)
	<-e.asked
	if got, err := s.send(t, "GET", "/readyz", ""); err != nil || got.status != 200 {
		t.Fatalf("%+v, %v", got, err)
	}
	s.stop()
	eventually(t, "it is not ready", func() bool {
		got, err := s.send(t, "GET", "/readyz", "")
		return err == nil && got.status == 503 && strings.Contains(got.body, `"draining":true`)
	})
	got, err := s.send(t, "POST", "/v1/ask", `{"question":"q"}`)
	if err != nil {
		t.Fatal(err)
	}
	if p := got.problem(t); p.Status != 503 || p.Code != "SERVER_STOPPING" || got.header.Get("Retry-After") == "" {
		t.Errorf("%+v", p)
	}
	if got, err := s.send(t, "GET", "/healthz", ""); err != nil || got.status != 200 {
		t.Errorf("it does not live: %+v, %v", got, err)
	}
	close(finish)
	if got := <-answer; got.status != 200 || !strings.Contains(got.body, `"answered"`) {
		t.Errorf("%+v", got)
	}
	if err := <-s.ended; err != nil {
		t.Error(err)
	}
	if _, err := s.send(t, "GET", "/healthz", ""); err == nil {
		t.Error("it still listens")
	}
}

func TestStoppingCancelsWhatDoesNotFinish(t *testing.T) {
	e := &engine{work: until, asked: make(chan pipeline.Question, 1)}
	s := serve(t, e, 10*time.Millisecond)
	answer := s.later(t)
	<-e.asked
	s.stop()
	if got := <-answer; got.status != 200 || !strings.Contains(got.body, `"cancelled"`) {
		t.Errorf("%+v", got)
	}
	if err := <-s.ended; err != nil {
		t.Error(err)
	}
}

func TestServeSaysWhyItCannot(t *testing.T) {
	s, err := server.New(server.Options{Engine: &engine{}, Write: func(io.Writer, *pipeline.Run) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	if err := s.Serve(t.Context(), l); !errors.Is(err, net.ErrClosed) {
		t.Errorf("%v", err)
	}
	if _, err := server.New(server.Options{}); err == nil {
		t.Error("a server without an engine")
	}
}

func TestReadiness(t *testing.T) {
	var looks atomic.Int64
	var failing atomic.Bool
	now := time.Now()
	a := start(t, &engine{}, func(o *server.Options) {
		o.Clock = func() time.Time { return now }
		o.Checks = []server.Check{
			{Name: "provider local", Run: func(context.Context) error { return nil }},
			{Name: "datasource shop", Run: func(ctx context.Context) error {
				looks.Add(1)
				if failing.Load() {
					return reason.New(reason.DatasourceUnreachable, reason.ReasonUnavailable, "password=hunter2 refused")
				}
				return nil
			}},
		}
	})
	look := func() reply { return a.do(t, a.request(t.Context(), "GET", "/readyz", "", "Authorization", "")) }
	if got := look(); got.status != 200 || !strings.Contains(got.body, `"ready":true`) {
		t.Errorf("%+v", got)
	}
	failing.Store(true)
	if got := look(); got.status != 200 || looks.Load() != 1 {
		t.Errorf("what was found is not kept: %+v after %d looks", got, looks.Load())
	}
	now = now.Add(time.Minute)
	got := look()
	if got.status != 503 || !strings.Contains(got.body, `{"name":"datasource shop","ready":false,"code":"DATASOURCE_UNREACHABLE","reason":"unavailable"}`) || strings.Contains(got.body, "hunter2") {
		t.Errorf("%+v", got)
	}
	if got := a.do(t, a.request(t.Context(), "HEAD", "/healthz", "", "Authorization", "")); got.status != 200 || got.body != "" {
		t.Errorf("HEAD: %+v", got)
	}
}

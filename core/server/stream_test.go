package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/result"
	"querent.dev/querent/core/server"
	"querent.dev/querent/sdk/wire"
)

// event is a server-sent event as clients read it.
type event struct {
	name, id string
	data     graph.Event
	raw      string
}

// next reads an event, past signs of life. It is io.EOF at the end of the stream.
func next(r *bufio.Reader) (event, error) {
	var e event
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return e, err
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch name {
		case "event":
			e.name = value
		case "id":
			e.id = value
		case "data":
			e.raw = value
			if err := json.Unmarshal([]byte(value), &e.data); err != nil {
				return e, fmt.Errorf("%w in %s", err, value)
			}
		case "":
			if e.name != "" {
				return e, nil
			}
		default:
			return e, fmt.Errorf("a line of no event: %q", line)
		}
	}
}

// story reads a stream to its end and checks what holds of every one.
func story(body io.Reader) ([]event, error) {
	var all []event
	last := int64(0)
	for r := bufio.NewReader(body); ; {
		e, err := next(r)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return all, err
		}
		if e.name != string(e.data.Type) || e.id != strconv.FormatInt(e.data.Seq, 10) || e.data.Seq <= last {
			return all, fmt.Errorf("event %+v after %d", e, last)
		}
		last = e.data.Seq
		all = append(all, e)
	}
	ends := 0
	for _, e := range all {
		if e.data.Type.Terminal() {
			ends++
		}
	}
	if ends != 1 || !all[len(all)-1].data.Type.Terminal() {
		return all, fmt.Errorf("%d terminal events of %d", ends, len(all))
	}
	return all, nil
}

func (a *api) stream(t *testing.T, body string) []event {
	t.Helper()
	res, err := a.Client().Do(a.request(t.Context(), "POST", "/v1/ask", body, "Accept", "text/event-stream"))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" || res.Header.Get("Querent-Run-Id") == "" {
		t.Fatalf("%d %v", res.StatusCode, res.Header)
	}
	all, err := story(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestAnswersAsEvents(t *testing.T) {
	e := &engine{asked: make(chan pipeline.Question, 1), work: func(_ context.Context, _ pipeline.Question, emit func(graph.EventType, map[string]any)) {
		emit(graph.AnswerDelta, map[string]any{"field": "summary", "text": "three\n", "provisional": true})
		emit(graph.AnswerReplaced, map[string]any{"from": "local", "reason": "incomplete"})
	}}
	a := start(t, e)
	var names []string
	all := a.stream(t, `{"question":"How many <b>?"}`)
	for _, e := range all {
		names = append(names, e.name)
	}
	if got := strings.Join(names, " "); got != "run.started answer.delta answer.replaced answer.completed run.completed" {
		t.Error(got)
	}
	if q := <-e.asked; !q.Stream {
		t.Error("words are not asked for")
	}
	if all[1].data.Data["text"] != "three\n" || all[1].data.Data["provisional"] != true {
		t.Errorf("delta %+v", all[1].data)
	}
	// The answer is byte for byte that which is not streamed.
	streamed := strings.TrimSuffix(all[3].raw[strings.Index(all[3].raw, `{"answer":`)+len(`{"answer":`):], "}}")
	whole := a.ask(t, `{"question":"How many <b>?","stream":false}`, "Accept", "text/event-stream")
	want := strings.TrimSuffix(whole.body[strings.Index(whole.body, `"answer":`)+len(`"answer":`):], "\n}\n")
	if <-e.asked; whole.header.Get("Content-Type") != "application/json" || streamed != want || !strings.Contains(want, "<b>") {
		t.Errorf("streamed %s\nwhole    %s", streamed, want)
	}
}

func TestWhoWantsEvents(t *testing.T) {
	a := start(t, &engine{})
	for name, c := range map[string]struct {
		body, accept string
		events       bool
	}{
		"no word":           {`{"question":"q"}`, "", false},
		"the header":        {`{"question":"q"}`, "application/json;q=0.1, Text/Event-Stream; charset=utf-8", true},
		"the body":          {`{"question":"q","stream":true}`, "application/json", true},
		"the body says no":  {`{"question":"q","stream":false}`, "text/event-stream", false},
		"the body says nil": {`{"question":"q","stream":null}`, "text/event-stream", true},
	} {
		got := a.ask(t, c.body, "Accept", c.accept)
		if events := got.header.Get("Content-Type") == "text/event-stream"; got.status != 200 || events != c.events {
			t.Errorf("%s: %d, events %t", name, got.status, events)
		}
	}
}

// A hundred clients at once, of whom a tenth leave in the middle.
func TestManyClients(t *testing.T) {
	const clients, dropping = 100, 10
	gate := make(chan struct{})
	var cancelled atomic.Int64
	a := start(t, &engine{work: func(ctx context.Context, _ pipeline.Question, emit func(graph.EventType, map[string]any)) {
		for i := range 50 {
			emit(graph.AnswerDelta, map[string]any{"field": "summary", "text": strconv.Itoa(i), "provisional": true})
			if i != 25 {
				continue
			}
			select {
			case <-gate:
			case <-ctx.Done():
				cancelled.Add(1)
			}
		}
	}})
	var wait sync.WaitGroup
	errs := make([]error, clients)
	var left, begun sync.WaitGroup
	left.Add(dropping)
	begun.Add(clients)
	for i := range clients {
		wait.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			res, err := a.Client().Do(a.request(ctx, "POST", "/v1/ask", `{"question":"q","stream":true}`))
			begun.Done()
			if err != nil {
				errs[i] = err
				return
			}
			defer res.Body.Close()
			if i%(clients/dropping) == 0 {
				defer left.Done()
				if _, err := next(bufio.NewReader(res.Body)); err != nil {
					errs[i] = err
				}
				return
			}
			_, errs[i] = story(res.Body)
		})
	}
	begun.Wait()
	left.Wait()
	eventually(t, "the runs of those who left are cancelled", func() bool { return cancelled.Load() == dropping })
	close(gate)
	wait.Wait()
	for i, err := range errs {
		if err != nil {
			t.Errorf("client %d: %v", i, err)
		}
	}
	eventually(t, "every run ends", func() bool { return a.engine.ended.Load() == clients })
}

func TestARunIsCancelledByRequest(t *testing.T) {
	stranger, other := key(t, "sam", "analyst", "")
	a := start(t, &engine{work: until}, func(o *server.Options) { o.Callers.Keys = append(o.Callers.Keys, other) })
	res, err := a.Client().Do(a.request(t.Context(), "POST", "/v1/ask", `{"question":"q","stream":true}`))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	path := "/v1/runs/" + res.Header.Get("Querent-Run-Id")
	if got := a.do(t, a.request(t.Context(), "DELETE", path, "", "Authorization", "Bearer "+stranger)); got.status != 404 {
		t.Errorf("another caller cancels: %d", got.status)
	}
	if got := a.do(t, a.request(t.Context(), "DELETE", path, "")); got.status != 204 || got.body != "" {
		t.Errorf("%d %s", got.status, got.body)
	}
	all, err := story(res.Body)
	if err != nil || all[len(all)-1].data.Type != graph.RunCancelled {
		t.Errorf("%+v, %v", all, err)
	}
	if got := a.do(t, a.request(t.Context(), "DELETE", path, "")); got.status != 404 {
		t.Errorf("a run that has ended: %d", got.status)
	}
}

// A client that takes nothing does not hold its run, nor the server.
func TestAClientThatDoesNotReadIsDropped(t *testing.T) {
	stopped := make(chan struct{})
	a := start(t, &engine{work: func(ctx context.Context, _ pipeline.Question, emit func(graph.EventType, map[string]any)) {
		defer close(stopped)
		for ctx.Err() == nil {
			emit(graph.WarningRaised, map[string]any{"message": strings.Repeat("x", 1<<16)})
			time.Sleep(time.Millisecond)
		}
	}}, func(o *server.Options) { o.Timeouts.Write = 200 * time.Millisecond })
	conn, err := net.Dial("tcp", a.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.(*net.TCPConn).SetReadBuffer(4096); err != nil {
		t.Fatal(err)
	}
	body := `{"question":"q","stream":true}`
	fmt.Fprintf(conn, "POST /v1/ask HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\nAuthorization: Bearer %s\r\n\r\n%s", len(body), a.key, body)
	select {
	case <-stopped:
	case <-time.After(20 * time.Second):
		t.Fatal("the run goes on")
	}
	eventually(t, "the run ends", func() bool { return a.engine.ended.Load() == 1 })
}

// Words that wait are put together, and none is lost, nor the end.
func TestAClientThatLagsLosesNothing(t *testing.T) {
	const words = 20000
	a := start(t, &engine{work: func(_ context.Context, _ pipeline.Question, emit func(graph.EventType, map[string]any)) {
		for i := range words {
			emit(graph.AnswerDelta, map[string]any{"field": "content", "text": fmt.Sprintln(i), "provisional": true})
		}
	}})
	var text strings.Builder
	for _, e := range a.stream(t, `{"question":"q"}`) {
		if e.data.Type == graph.AnswerDelta {
			text.WriteString(e.data.Data["text"].(string))
		}
	}
	var want strings.Builder
	for i := range words {
		fmt.Fprintln(&want, i)
	}
	if text.String() != want.String() {
		t.Errorf("%d bytes of %d", text.Len(), want.Len())
	}
}

func TestSignsOfLife(t *testing.T) {
	seen := make(chan struct{})
	a := start(t, &engine{work: func(context.Context, pipeline.Question, func(graph.EventType, map[string]any)) { <-seen }},
		func(o *server.Options) { o.Timeouts.KeepAlive = 10 * time.Millisecond })
	res, err := a.Client().Do(a.request(t.Context(), "POST", "/v1/ask", `{"question":"q","stream":true}`))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	for r := bufio.NewReader(res.Body); ; {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if line == ": alive\n" {
			break
		}
	}
	close(seen)
	_, _ = io.Copy(io.Discard, res.Body)
}

// A client that leaves while it waits for the whole answer cancels its run.
func TestLeavingCancels(t *testing.T) {
	e := &engine{work: until, asked: make(chan pipeline.Question, 1)}
	a := start(t, e)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-e.asked
		cancel()
	}()
	if _, err := a.Client().Do(a.request(ctx, http.MethodPost, "/v1/ask", `{"question":"q"}`)); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	eventually(t, "the run ends", func() bool { return e.ended.Load() == 1 })
}

// broken is an engine whose results cannot be read any more.
type broken struct {
	*engine
	gone *result.Result
}

func (b broken) Ask(ctx context.Context, q pipeline.Question, sink func(graph.Event)) *pipeline.Run {
	run := b.engine.Ask(ctx, q, sink)
	run.Answer.Results = []wire.Preview{{Columns: b.gone.Columns(), RowCount: 1}}
	run.Aggregate.ComputedArtifacts = []*result.Result{b.gone}
	return run
}

// A stream that breaks off does not look as if it had come to its end.
func TestAStreamThatCannotBeWrittenBreaksOff(t *testing.T) {
	gone, err := result.Store(t.Context(), &oneRow{}, []wire.Column{{Name: "n"}}, result.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := gone.Close(); err != nil {
		t.Fatal(err)
	}
	a := start(t, &engine{}, func(o *server.Options) { o.Engine = broken{&engine{}, gone} })
	res, err := a.Client().Do(a.request(t.Context(), "POST", "/v1/ask", `{"question":"q","stream":true}`))
	if err != nil {
		return // it breaks off before anything of it is sent
	}
	defer res.Body.Close()
	if body, err := io.ReadAll(res.Body); err == nil || strings.Contains(string(body), string(graph.RunCompleted)) {
		t.Errorf("it ends well: %s", body)
	}
}

// oneRow is a result with a row.
type oneRow struct{ read bool }

func (r *oneRow) Next() bool {
	defer func() { r.read = true }()
	return !r.read
}

func (r *oneRow) Row() []wire.Value { return []wire.Value{wire.Int(1)} }
func (r *oneRow) Err() error        { return nil }
func (r *oneRow) Truncated() bool   { return false }
func (r *oneRow) Close() error      { return nil }

//go:build ollama

package provider_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/plugins/ollama/realollama"
	"querent.dev/querent/plugins/ollama/tinymodel"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// long is a line that goes on until something ends it.
var long = tinymodel.Line{Endless: "one two three four five six seven eight nine ten "}

// firstText streams a request until there is text, and does something then. It is
// the text and the error that the stream ended with.
func firstText(ctx context.Context, p sdk.Model, r sdk.GenerateRequest, then func()) (string, error) {
	var text strings.Builder
	err := p.GenerateStream(ctx, r, func(c sdk.Chunk) error {
		if c.Kind == sdk.ChunkText {
			if text.WriteString(c.Text); then != nil {
				then()
				then = nil
			}
		}
		return nil
	})
	return text.String(), err
}

// The server gives up a model that repeats itself, and ends the stream as if all
// were well, but for the last line.
func TestRealAnswerIsCompleteOnlyWhenTheServerSaysSo(t *testing.T) {
	_, p := realServer(t, scripted(t, tinymodel.Line{Say: "It goes: ", Endless: "a"}), realollama.Options{}, nil)
	bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
		got, err := ask(p, say("Speak."))
		if e := wantKind(t, err, reason.Incomplete); e.Status != 200 {
			t.Errorf("status %d: %s (%q)", e.Status, e.Message, got.Text)
		}
	})
}

func TestRealRunnerDiesWhileItAnswers(t *testing.T) {
	server, p := realServer(t, scripted(t, long, tinymodel.Line{When: "Be short.", Say: hello}), realollama.Options{}, nil)
	r := say("Speak.")
	r.MaxOutputTokens = 30000
	text, err := firstText(limited(t), p, r, func() { server.KillRunners(t) })
	if e := wantKind(t, err, reason.Unavailable); !e.OutputSent || text == "" {
		t.Errorf("output sent %v after %q: %s", e.OutputSent, text, e.Message)
	}
	// The next question has the model loaded again.
	if got, err := p.Generate(limited(t), say("Be short.")); err != nil || got.Text != hello {
		t.Errorf("after it: %q, %v", got.Text, err)
	}
}

func TestRealServerDiesWhileItAnswers(t *testing.T) {
	server, p := realServer(t, scripted(t, long), realollama.Options{}, nil)
	r := say("Speak.")
	r.MaxOutputTokens = 30000
	text, err := firstText(limited(t), p, r, server.Stop)
	if e := wantKind(t, err, reason.Incomplete); !e.OutputSent || text == "" {
		t.Errorf("output sent %v after %q: %s", e.OutputSent, text, e.Message)
	}
	_, err = p.Generate(limited(t), say("Speak."))
	wantKind(t, err, reason.Unavailable)
}

// A caller who leaves ends the work of the server, not only its own waiting, and
// frees its place among the calls.
func TestRealCancelledCallStopsTheModel(t *testing.T) {
	server, p := realServer(t, scripted(t, long, tinymodel.Line{When: "Be short.", Say: hello}), realollama.Options{}, settings{"max_parallel": 1})
	r := withLimit(say("Be short."), 60000) // its context is that of the long answer
	if _, err := p.Generate(limited(t), r); err != nil {
		t.Fatal(err)
	}
	start := server.Work(t)
	ctx, cancel := context.WithCancel(limited(t))
	defer cancel()
	_, err := firstText(ctx, p, withLimit(say("Speak."), 60000), cancel)
	wantKind(t, err, reason.Cancelled)
	waitFor(t, "the runner rests", func() bool {
		before := server.Work(t)
		time.Sleep(200 * time.Millisecond)
		return server.Work(t) == before
	})
	cancelled := server.Work(t) - start
	// The server works on one request at a time: this one would wait for the other.
	if _, err := p.Generate(limited(t), withLimit(say("Speak."), 600)); err != nil {
		t.Fatal(err)
	}
	// The long answer has a hundred times the tokens of this one.
	if short := server.Work(t) - start - cancelled; cancelled > 10*short {
		t.Errorf("the cancelled answer was the work of %d ticks, one of 600 tokens of %d", cancelled, short)
	}
}

func withLimit(r sdk.GenerateRequest, tokens int64) sdk.GenerateRequest {
	r.MaxOutputTokens = tokens
	return r
}

// While one model answers, another waits for its memory, a third waits in the
// queue, and the queue has room for no more.
func TestRealServerIsBusy(t *testing.T) {
	server := realollama.Start(t, realollama.Options{Queue: 1, Models: 1})
	names := []string{"first", "second", "third", "fourth"}
	for _, name := range names {
		server.Create(t, name, scripted(t, long))
	}
	p := openReal(t, server, nil)
	ctx, cancel := context.WithCancel(limited(t))
	defer cancel()
	errs := make(chan error)
	busy := func() {
		for _, name := range names[1:] {
			go func() {
				_, err := p.Generate(ctx, withModel(say("Speak."), name))
				errs <- err
			}()
		}
	}
	first := make(chan error, 1)
	go func() {
		_, err := firstText(ctx, p, withLimit(withModel(say("Speak."), names[0]), 60000), busy)
		first <- err
	}()
	if e := wantKind(t, <-errs, reason.Overloaded); e.Status != 503 {
		t.Errorf("status %d: %s", e.Status, e.Message)
	}
	cancel()
	for range names[2:] {
		var e *sdk.Error
		if err := <-errs; !errors.As(err, &e) || e.Kind != reason.Cancelled && e.Kind != reason.Overloaded {
			t.Errorf("a call that waited: %v", err)
		}
	}
	wantKind(t, <-first, reason.Cancelled)
}

// What a model or the server cannot do is told apart from a server that fails.
func TestRealRefusedRequests(t *testing.T) {
	_, p := realServer(t, scripted(t, tinymodel.Line{Say: hello}), realollama.Options{}, nil)
	t.Run("schema", func(t *testing.T) {
		r := say("Write JSON.")
		r.OutputMode, r.SchemaName = sdk.OutputSchema, "thing"
		r.Schema = json.RawMessage(`{"type":"object","properties":{"a":{"type":"nonsense"}},"required":["a"]}`)
		_, err := p.Generate(limited(t), r)
		if e := wantKind(t, err, reason.InvalidRequest); e.Status != 500 || e.Setting != sdk.SettingOutputMode {
			t.Errorf("status %d, setting %q: %s", e.Status, e.Setting, e.Message)
		}
	})
	t.Run("tool", func(t *testing.T) {
		r := say("Call the tool.")
		r.OutputMode, r.SchemaName, r.Schema = sdk.OutputTool, "thing", json.RawMessage(planSchema)
		_, err := p.Generate(limited(t), r)
		if e := wantKind(t, err, reason.InvalidRequest); e.Status != 400 || e.Setting != sdk.SettingOutputMode {
			t.Errorf("status %d, setting %q: %s", e.Status, e.Setting, e.Message)
		}
	})
	t.Run("thinking", func(t *testing.T) {
		r := say("Think.")
		r.Thinking = ptr(true)
		got, err := p.Generate(limited(t), r)
		if err != nil || got.Text != hello || len(got.Warnings) != 1 || got.Warnings[0].Setting != "thinking" {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

package provider_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"querent.dev/querent/plugins/ollama/ollamatest"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

func TestContextIsSizedAndOnlyGrows(t *testing.T) {
	script := always(ollamatest.Text("{}"))
	script.Models = map[string]ollamatest.Model{
		"big": {ContextLength: 32768}, "small": {ContextLength: 2048}, "unknown": {},
	}
	prompt := func(bytes int) string { return strings.Repeat("abc", bytes/3) }
	type call struct {
		model  string
		bytes  int
		numCtx float64
	}
	for _, tc := range []struct {
		name     string
		settings settings
		option   string
		calls    []call
		loads    int
	}{
		{"grows and stays", nil, "", []call{{"big", 30, 4096}, {"big", 3 * 3000, 8192}, {"big", 30, 8192}, {"big", 3 * 9000, 16384}}, 3},
		{"within the model's", nil, "", []call{{"small", 30, 2048}, {"big", 3 * 90_000, 32768}}, 2},
		{"unknown length", nil, "", []call{{"unknown", 3 * 9000, 16384}}, 1},
		{"by setting", settings{"num_ctx": 6000}, "", []call{{"big", 30, 6000}, {"big", 3 * 9000, 6000}}, 1},
		{"by option", settings{"num_ctx": 6000}, "7000", []call{{"big", 30, 7000}}, 1},
		{"by an option that is none", nil, "many", []call{{"big", 30, 4096}}, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			server := ollamatest.New(t, script)
			p := open(t, server, tc.settings)
			for i, call := range tc.calls {
				r := request()
				r.Model, r.Messages[1].Content = call.model, prompt(call.bytes)
				if tc.option != "" {
					r.Options = map[string]string{"num_ctx": tc.option}
				}
				out, err := p.Generate(limited(t), r)
				if err != nil {
					t.Fatal(err)
				}
				options := server.Chats()[i].Object()["options"].(map[string]any)
				if options["num_ctx"] != call.numCtx || out.EffectiveContext != sdk.Known(int64(call.numCtx)) {
					t.Errorf("call %d: num_ctx %v, effective %v; want %v", i, options["num_ctx"], out.EffectiveContext, call.numCtx)
				}
			}
			loads := server.Loads()
			if len(loads) != tc.loads {
				t.Errorf("the model was loaded %d times, want %d", len(loads), tc.loads)
			}
			for i, l := range loads {
				if _, ok := l.Object()["options"].(map[string]any)["num_ctx"]; !ok {
					t.Errorf("load %d names no context: %s", i, l.Body)
				}
			}
		})
	}
}

// loaded is what the server says when it has loaded a model.
var loaded = ollamatest.Reply{Body: `{"model":"m","response":"","done":true,"done_reason":"load"}`}

func TestLoadingGoesOnWithoutItsCaller(t *testing.T) {
	letGo := make(chan struct{})
	script := always(ollamatest.Text("{}"))
	script.Load = func(ollamatest.Request) ollamatest.Reply {
		<-letGo
		return loaded
	}
	server := ollamatest.New(t, script)
	p := open(t, server, nil)
	ctx, cancel := context.WithTimeout(limited(t), 50*time.Millisecond)
	defer cancel()
	_, err := p.Generate(ctx, request())
	if e := wantKind(t, err, reason.Timeout); !strings.Contains(e.Message, "loading goes on") {
		t.Errorf("message %q", e.Message)
	}
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			if _, err := p.Generate(limited(t), request()); err != nil {
				t.Error(err)
			}
		})
	}
	close(letGo)
	group.Wait()
	if n := len(server.Loads()); n != 1 {
		t.Errorf("the model was loaded %d times", n)
	}
}

func TestLoadFails(t *testing.T) {
	for _, tc := range []struct {
		name    string
		reply   ollamatest.Reply
		timeout time.Duration
		kind    reason.Kind
	}{
		{"too slow", ollamatest.Reply{Hang: true}, 50 * time.Millisecond, reason.Timeout},
		{"too large", ollamatest.Error(500, "model requires more system memory (12.4 GiB) than is available (7.1 GiB)"), 0, reason.Misconfigured},
		{"busy", ollamatest.Error(503, "server busy, please try again.  maximum pending requests exceeded"), 0, reason.Overloaded},
		{"refused by the server", ollamatest.Error(400, "prompt is required"), 0, ""},
		{"unknown to the server", ollamatest.Reply{Status: 404, Body: "404 page not found"}, 0, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			script := always(ollamatest.Text("{}"))
			script.Load = ollamatest.Always(tc.reply)
			server := ollamatest.New(t, script)
			r := request()
			r.LoadTimeout = tc.timeout
			_, err := open(t, server, nil).Generate(limited(t), r)
			if tc.kind == "" && err != nil {
				t.Fatal(err)
			}
			if tc.kind != "" {
				wantKind(t, err, tc.kind)
			}
		})
	}
}

func TestServerThatOnlyChats(t *testing.T) {
	script := always(ollamatest.Text(`{"zeta":"1"}`))
	script.ChatOnly = true
	server := ollamatest.New(t, script)
	p := open(t, server, nil)
	for range 2 {
		out, err := p.Generate(limited(t), request())
		if err != nil || out.Text != `{"zeta":"1"}` {
			t.Fatalf("response %+v, error %v", out, err)
		}
	}
	if chats, loads := len(server.Chats()), len(server.Loads()); chats != 2 || loads != 1 {
		t.Errorf("%d chats and %d loads for two questions", chats, loads)
	}
}

func TestModelIsLoadedAgain(t *testing.T) {
	for _, tc := range []struct {
		name     string
		settings settings
		model    ollamatest.Model
		chat     []ollamatest.Reply
		pause    time.Duration
		loads    int
	}{
		{"not within its time", settings{"keep_alive": "1h"}, ollamatest.Model{}, []ollamatest.Reply{{}, {}}, 0, 1},
		{"for ever", settings{"keep_alive": "-1"}, ollamatest.Model{}, []ollamatest.Reply{{}, {}}, 0, 1},
		{"after its time", settings{"keep_alive": "10ms"}, ollamatest.Model{}, []ollamatest.Reply{{}, {}}, 20 * time.Millisecond, 2},
		{"after the runner died", nil, ollamatest.Model{}, []ollamatest.Reply{ollamatest.Error(500, "model runner has unexpectedly stopped"), {}}, 0, 2},
		{"never, when it does not stay", settings{"keep_alive": "0"}, ollamatest.Model{}, []ollamatest.Reply{{}, {}}, 0, 0},
		{"never, when another server runs it", nil, ollamatest.Model{RemoteHost: "https://ollama.com:443"}, []ollamatest.Reply{{}, {}}, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			server := ollamatest.New(t, ollamatest.Script{
				Chat: ollamatest.Queue(tc.chat...), Models: map[string]ollamatest.Model{"qwen2.5-coder:7b": tc.model},
			})
			p := open(t, server, tc.settings)
			for _, want := range tc.chat {
				if _, err := p.Generate(limited(t), request()); (err != nil) != (want.Status != 0) {
					t.Fatal(err)
				}
				time.Sleep(tc.pause)
			}
			if n := len(server.Loads()); n != tc.loads {
				t.Errorf("loaded %d times, want %d", n, tc.loads)
			}
		})
	}
}

func TestStopEndsLoading(t *testing.T) {
	script := always(ollamatest.Text("{}"))
	script.Load = ollamatest.Always(ollamatest.Reply{Hang: true})
	server := ollamatest.New(t, script)
	p := open(t, server, nil)
	result := make(chan error, 1)
	go func() {
		_, err := p.Generate(limited(t), request())
		result <- err
	}()
	for len(server.Loads()) == 0 {
		time.Sleep(time.Millisecond)
	}
	if err := p.Stop(limited(t)); err != nil {
		t.Fatal(err)
	}
	if err := <-result; !errors.Is(err, &sdk.Error{Kind: reason.Cancelled}) {
		t.Errorf("the waiting call ended with %v", err)
	}
	_, err := p.Generate(limited(t), request())
	wantKind(t, err, reason.Unavailable)
}

// The call's deadline holds the time to load; when the model is there, the answer
// has only the rest.
func TestAnswerHasTheTimeBeyondLoading(t *testing.T) {
	script := always(ollamatest.Reply{Hang: true})
	server := ollamatest.New(t, script)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	r := request()
	r.LoadTimeout = 10*time.Second - 50*time.Millisecond
	_, err := open(t, server, nil).Generate(ctx, r)
	wantKind(t, err, reason.Timeout)
	if ctx.Err() != nil {
		t.Error("the answer took the time that was for loading")
	}
}

package provider_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/plugins/ollama/ollamatest"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

func page(status int) ollamatest.Reply {
	return ollamatest.Reply{Status: status, ContentType: "text/html", Body: "<html><body><h1>502 Bad Gateway</h1></body></html>"}
}

func TestErrorStatusBecomesAKind(t *testing.T) {
	for _, tc := range []struct {
		name  string
		reply ollamatest.Reply
		kind  reason.Kind
		says  string
	}{
		{"no such model", ollamatest.Error(404, `model "qwen2.5-coder:7b" not found, try pulling it first`), reason.ModelNotFound, "ollama pull qwen2.5-coder:7b"},
		{"wrong path", ollamatest.Reply{Status: 404, ContentType: "text/plain", Body: "404 page not found"}, reason.Misconfigured, "correct url"},
		{"wrong path, page", page(404), reason.Misconfigured, "web page"},
		{"redirect", ollamatest.Reply{Status: 301, Header: map[string]string{"Location": "https://elsewhere.example/"}, Body: " "}, reason.Misconfigured, "correct url"},
		{"gate", ollamatest.Reply{Status: 401, Body: `{"error":"unauthorized ` + key + `"}`}, reason.AuthFailed, "api_key"},
		{"cloud disabled", ollamatest.Error(403, "ollama cloud is disabled"), reason.PermissionDenied, "cloud"},
		{"busy", ollamatest.Error(503, "server busy, please try again.  maximum pending requests exceeded"), reason.Overloaded, "busy"},
		{"too long", ollamatest.Error(400, "the input length exceeds the context length"), reason.ContextOverflow, "context"},
		{"too long, 0.30", ollamatest.Error(400, "the request exceeds the available context size, try increasing it"), reason.ContextOverflow, "context"},
		{"bad body", ollamatest.Error(400, "json: cannot unmarshal string into Go struct field"), reason.InvalidRequest, "json"},
		{"no thinking", ollamatest.Error(400, `"m" does not support thinking`), reason.InvalidRequest, "thinking"},
		{"bad format", ollamatest.Error(500, "invalid JSON schema in format"), reason.InvalidRequest, "format"},
		{"runner died", ollamatest.Error(500, "model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details"), reason.Unavailable, "runner"},
		{"no memory", ollamatest.Error(500, "model requires more system memory (12.4 GiB) than is available (7.1 GiB)"), reason.Misconfigured, "smaller"},
		{"bad gateway, page", page(502), reason.Unavailable, "web page"},
		{"rate, of a gate", ollamatest.Reply{Status: 429, Header: map[string]string{"Retry-After": "3"}, Body: "slow down"}, reason.RateLimited, "slow down"},
		{"nothing said", ollamatest.Reply{Status: 500, Body: "\n"}, reason.Unavailable, "nothing more"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
				server := ollamatest.New(t, always(tc.reply))
				_, err := ask(open(t, server, nil), request())
				e := wantKind(t, err, tc.kind)
				if !strings.Contains(e.Message, tc.says) {
					t.Errorf("message %q does not say %q", e.Message, tc.says)
				}
				if strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), key) {
					t.Errorf("the error shows the key: %v", err)
				}
				if e.Status != tc.reply.Status || (e.RetryAfter == 3*time.Second) != (tc.kind == reason.RateLimited) {
					t.Errorf("status %d, retry after %v", e.Status, e.RetryAfter)
				}
				if n := len(server.Chats()); n != 1 {
					t.Errorf("the plugin asked %d times; repeating is the host's", n)
				}
			})
		})
	}
}

// What a server refuses is named, so that the host can ask in another way.
func TestRefusedSettingIsNamed(t *testing.T) {
	for _, tc := range []struct {
		name    string
		mode    sdk.OutputMode
		reply   ollamatest.Reply
		setting string
	}{
		{"a schema", sdk.OutputSchema, ollamatest.Error(500, "invalid JSON schema in format"), sdk.SettingOutputMode},
		{"a grammar", sdk.OutputSchema, ollamatest.Error(500, "failed to parse grammar"), sdk.SettingOutputMode},
		{"tools", sdk.OutputTool, ollamatest.Error(400, "registry.ollama.ai/library/gemma3:4b does not support tools"), sdk.SettingOutputMode},
		{"something else", sdk.OutputText, ollamatest.Error(400, "invalid format: 5"), ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			server := ollamatest.New(t, always(tc.reply))
			r := request()
			r.OutputMode = tc.mode
			_, err := open(t, server, nil).Generate(limited(t), r)
			if e := wantKind(t, err, reason.InvalidRequest); e.Setting != tc.setting {
				t.Errorf("setting %q, want %q", e.Setting, tc.setting)
			}
		})
	}
}

// A server that does not tell what its models can refuses the switch of thinking;
// it is left out then, and from then on.
func TestRefusedThinkingIsLeftOutAndRemembered(t *testing.T) {
	bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
		script := ollamatest.Script{Models: map[string]ollamatest.Model{"m": {}}, Chat: func(r ollamatest.Request) ollamatest.Reply {
			if _, asked := r.Object()["think"]; asked {
				return ollamatest.Error(400, `"m" does not support thinking`)
			}
			return ollamatest.Text("{}")
		}}
		server := ollamatest.New(t, script)
		p := open(t, server, nil)
		r := request()
		r.Model, r.Thinking = "m", ptr(true)
		for range 2 {
			out, err := ask(p, r)
			if err != nil || len(out.Warnings) != 1 || out.Warnings[0].Setting != sdk.SettingThinking {
				t.Errorf("warnings %v, error %v", out.Warnings, err)
			}
		}
		if n := len(server.Chats()); n != 3 {
			t.Errorf("%d requests for two calls, want 2 and 1", n)
		}
	})
}

// The vendor's client returns nil for most of these.
func TestAnswerThatIsNone(t *testing.T) {
	text := strings.Repeat("word ", 20)
	for _, tc := range []struct {
		name  string
		reply ollamatest.Reply
		kind  reason.Kind
		sent  bool
	}{
		{"cut", ollamatest.Reply{Content: text, CutAfter: 3}, reason.Incomplete, true},
		{"ended without done", ollamatest.Reply{Content: text, NoDone: true}, reason.Incomplete, true},
		{"nothing at all", ollamatest.Reply{NoDone: true}, reason.Incomplete, false},
		{"only loaded", ollamatest.Reply{DoneReason: "load"}, reason.Incomplete, false},
		{"unheard-of end", ollamatest.Reply{Content: "{}", DoneReason: "tired"}, reason.Incomplete, true},
		{"line of 9 MB", ollamatest.Reply{Body: `{"message":{"role":"assistant","content":"` + strings.Repeat("a", 9<<20) + `"},"done":false}` + "\n"}, reason.Incomplete, false},
		{"error line", ollamatest.Reply{Content: text, ErrorLine: "an error was encountered while running the model: unexpected EOF"}, reason.Unavailable, true},
		{"error line, context", ollamatest.Reply{Content: text, ErrorLine: "the prompt exceeds the context length"}, reason.ContextOverflow, true},
		{"garbage line", ollamatest.Reply{Body: "garbage\n"}, reason.Unavailable, false},
		{"page with status 200", page(0), reason.Misconfigured, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			server := ollamatest.New(t, always(tc.reply))
			p := open(t, server, nil)
			_, _, err := streamed(limited(t), p, request())
			if e := wantKind(t, err, tc.kind); e.OutputSent != tc.sent {
				t.Errorf("output sent is %v", e.OutputSent)
			}
			out, err := p.Generate(limited(t), request())
			if e := wantKind(t, err, tc.kind); e.OutputSent || out.Finish != "" {
				t.Errorf("output sent is %v, finish %q", e.OutputSent, out.Finish)
			}
		})
	}
}

func TestCutPromptIsNoticed(t *testing.T) {
	long := strings.Repeat("word ", 6000) // about 6,000 tokens, estimated at 10,000
	for _, tc := range []struct {
		name    string
		prompt  string
		counted int
		cut     bool
	}{
		{"short", "How many?", 30, false},
		{"the context is full", "How many?", 4096, true},
		{"nearly", "How many?", 4090, true},
		{"half, of a long prompt", long, 2050, true},
		{"half, of a short prompt", "How many?", 2050, false},
		{"not half, of a long prompt", long, 2500, false},
		{"not said", long, -1, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			server := ollamatest.New(t, always(ollamatest.Reply{Content: "{}", PromptTokens: tc.counted}))
			p := open(t, server, settings{"num_ctx": 4096})
			r := request()
			r.Messages[1].Content = tc.prompt
			_, err := p.Generate(limited(t), r)
			if !tc.cut && err != nil {
				t.Fatal(err)
			}
			if tc.cut {
				wantKind(t, err, reason.PromptTruncated)
			}
		})
	}
}

func TestServerThatIsNotThere(t *testing.T) {
	server := ollamatest.Start(ollamatest.Script{})
	server.Close()
	p := open(t, server, nil)
	_, err := p.Generate(limited(t), request())
	if e := wantKind(t, err, reason.Unavailable); !strings.Contains(e.Message, "nothing listens") {
		t.Errorf("message %q does not say what to do", e.Message)
	}
	_, err = p.ModelInfo(limited(t), "m")
	wantKind(t, err, reason.Unavailable)
}

// The vendor's client returns nil when the deadline passes in the middle.
func TestServerThatSaysNothing(t *testing.T) {
	for name, reply := range map[string]ollamatest.Reply{
		"before the answer": {Hang: true},
		"in the middle":     {Content: "a long enough answer", HangAt: 2},
	} {
		t.Run(name, func(t *testing.T) {
			server := ollamatest.New(t, always(reply))
			p := open(t, server, nil)
			ctx, cancel := context.WithTimeout(limited(t), 100*time.Millisecond)
			defer cancel()
			_, _, err := streamed(ctx, p, request())
			if e := wantKind(t, err, reason.Timeout); e.OutputSent != (reply.HangAt > 0) {
				t.Errorf("output sent is %v", e.OutputSent)
			}
			ctx, leave := context.WithCancel(limited(t))
			time.AfterFunc(20*time.Millisecond, leave)
			_, _, err = streamed(ctx, p, request())
			wantKind(t, err, reason.Cancelled)
		})
	}
}

func TestWaitForAPlaceEndsWithItsContext(t *testing.T) {
	server := ollamatest.New(t, always(ollamatest.Reply{Hang: true}))
	p := open(t, server, settings{"max_parallel": 1, "request_timeout": "300ms"})
	first := make(chan error, 1)
	go func() {
		_, err := p.Generate(limited(t), request())
		first <- err
	}()
	for len(server.Chats()) == 0 {
		time.Sleep(time.Millisecond)
	}
	ctx, cancel := context.WithTimeout(limited(t), 20*time.Millisecond)
	defer cancel()
	_, err := p.Generate(ctx, request())
	if e := wantKind(t, err, reason.Timeout); !strings.Contains(e.Message, "max_parallel") {
		t.Errorf("message %q does not say what to raise", e.Message)
	}
	wantKind(t, <-first, reason.Timeout)
}

func TestRequestThatCannotBeMade(t *testing.T) {
	server := ollamatest.New(t, always(ollamatest.Text("{}")))
	p := open(t, server, nil)
	nested := strings.Repeat(`{"type":"object","properties":{"a":`, 90) + `{"type":"string"}` + strings.Repeat(`}}`, 90)
	names := `"n"` + strings.Repeat(`,"n"`, 5000)
	for name, tc := range map[string]struct {
		change func(*sdk.GenerateRequest)
		kind   reason.Kind
	}{
		"no model":      {func(r *sdk.GenerateRequest) { r.Model = "" }, reason.Misconfigured},
		"no message":    {func(r *sdk.GenerateRequest) { r.Messages = nil }, reason.InvalidRequest},
		"nobody asks":   {func(r *sdk.GenerateRequest) { r.Messages = r.Messages[:1] }, reason.InvalidRequest},
		"no schema":     {func(r *sdk.GenerateRequest) { r.Schema = nil }, reason.InvalidRequest},
		"not an object": {func(r *sdk.GenerateRequest) { r.Schema = []byte(`true`) }, reason.InvalidRequest},
		"too large": {func(r *sdk.GenerateRequest) {
			r.Schema = []byte(`{"description":"` + strings.Repeat("a", 300_000) + `"}`)
		}, reason.InvalidRequest},
		"maxLength 2001": {func(r *sdk.GenerateRequest) {
			r.Schema = []byte(`{"properties":{"a":{"type":"string","maxLength":2001}}}`)
		}, reason.InvalidRequest},
		"deep":       {func(r *sdk.GenerateRequest) { r.Schema = []byte(nested) }, reason.InvalidRequest},
		"many names": {func(r *sdk.GenerateRequest) { r.Schema = []byte(`{"anyOf":[{"enum":[` + names + `]}]}`) }, reason.InvalidRequest},
	} {
		t.Run(name, func(t *testing.T) {
			r := request()
			tc.change(&r)
			_, err := p.Generate(limited(t), r)
			e := wantKind(t, err, tc.kind)
			if form := len(r.Messages) > 1 && r.Model != ""; (e.Setting == sdk.SettingOutputMode) != form {
				t.Errorf("setting %q: %s", e.Setting, e.Message)
			}
		})
	}
	if n := len(server.Chats()); n != 0 {
		t.Errorf("the server was asked %d times", n)
	}
	r := request()
	r.Schema = []byte(`{"type":"object","properties":{"maxLength":{"type":"string","maxLength":2000},"enum":{"enum":["a"]}}}`)
	if _, err := p.Generate(limited(t), r); err != nil {
		t.Errorf("a schema within the limits: %v", err)
	}
}

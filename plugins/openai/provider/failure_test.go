package provider_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/plugins/openai/openaitest"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

func page(status int) openaitest.Reply {
	return openaitest.Reply{Status: status, ContentType: "text/html", Body: "<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>"}
}

func raw(status int, body string) openaitest.Reply {
	return openaitest.Reply{Status: status, Body: body}
}

func TestErrorStatusBecomesAKind(t *testing.T) {
	openAI := openaitest.JSONError
	for _, tc := range []struct {
		name  string
		reply openaitest.Reply
		kind  reason.Kind
		says  string
	}{
		{"wrong key", openAI(401, "Incorrect API key provided: "+key+".", "invalid_request_error", "", "invalid_api_key"), reason.AuthFailed, "api_key"},
		{"no right", openAI(403, "Project does not have access to model", "invalid_request_error", "", "model_not_found"), reason.PermissionDenied, "403"},
		{"no such model", openAI(404, "The model `gpt-9` does not exist or you do not have access to it.", "invalid_request_error", "", "model_not_found"), reason.ModelNotFound, "gpt-9"},
		{"vLLM without the model", raw(404, `{"object":"error","message":"The model `+"`x`"+` does not exist.","type":"NotFoundError","param":null,"code":404}`), reason.ModelNotFound, "does not exist"},
		{"no deployment", openAI(404, "The API deployment for this resource does not exist.", "", "", "DeploymentNotFound"), reason.ModelNotFound, ""},
		{"wrong path", openAI(404, "Invalid URL (POST /chat/completions)", "invalid_request_error", "", ""), reason.Misconfigured, "/v1"},
		{"wrong path, page", page(404), reason.Misconfigured, "web page"},
		{"wrong path, text", openaitest.Reply{Status: 404, ContentType: "text/plain", Body: "404 page not found"}, reason.Misconfigured, "/v1"},
		{"rate", openAI(429, "Rate limit reached for gpt-5-mini", "tokens", "", "rate_limit_exceeded"), reason.RateLimited, ""},
		{"quota", openAI(429, "You exceeded your current quota, please check your plan and billing details.", "insufficient_quota", "", "insufficient_quota"), reason.QuotaExhausted, ""},
		{"no money", raw(402, `{"error":{"message":"Insufficient Balance","type":"unknown_error"}}`), reason.QuotaExhausted, ""},
		{"server fault", openAI(500, "The server had an error", "server_error", "", ""), reason.Unavailable, ""},
		{"busy", openAI(503, "The engine is currently overloaded", "server_error", "", ""), reason.Overloaded, ""},
		{"busy, Anthropic's status", raw(529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), reason.Overloaded, ""},
		{"bad gateway, page", page(502), reason.Unavailable, "web page"},
		{"context", openAI(400, "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.", "invalid_request_error", "messages", "context_length_exceeded"), reason.ContextOverflow, "8192"},
		{"context, llama.cpp", raw(400, `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error"}}`), reason.ContextOverflow, ""},
		{"too large", raw(413, `{"error":"payload too large"}`), reason.ContextOverflow, ""},
		{"filter, Azure", raw(400, `{"error":{"message":"The response was filtered due to the prompt triggering Azure OpenAI's content management policy.","type":null,"param":"prompt","code":"content_filter","status":400,"innererror":{"code":"ResponsibleAIPolicyViolation"}}}`), reason.ContentFiltered, ""},
		{"plain string", raw(400, `{"error":"bad things happened"}`), reason.InvalidRequest, "bad things happened"},
		{"no error key", raw(400, `{"detail":"not so"}`), reason.InvalidRequest, "not so"},
		{"list of one", raw(400, `[{"error":{"code":400,"message":"Please use a valid role","status":"INVALID_ARGUMENT"}}]`), reason.InvalidRequest, "valid role"},
		{"too long an answer asked", openAI(400, "max_tokens is too large: 100000. This model supports at most 16384 completion tokens", "invalid_request_error", "max_tokens", "invalid_value"), reason.InvalidRequest, "too large"},
		{"Groq's model missed the form", raw(400, `{"error":{"message":"Failed to generate JSON. Please adjust your prompt. See 'failed_generation' for more details.","type":"invalid_request_error","code":"json_validate_failed","failed_generation":"{\"zeta\":"}}`), reason.InvalidOutput, ""},
		{"OpenRouter without the model", raw(404, `{"error":{"message":"No endpoints found for x/y.","code":404}}`), reason.ModelNotFound, ""},
		{"OpenRouter in a good answer", raw(200, `{"id":"gen-1","model":"x/y","choices":[{"index":0,"finish_reason":"error","native_finish_reason":null,"message":{"role":"assistant","content":""},"error":{"code":429,"message":"Rate limited upstream"}}]}`), reason.RateLimited, "Rate limited"},
		{"LiteLLM", raw(429, `{"error":{"message":"litellm.RateLimitError: RateLimitError: OpenAIException - Rate limit reached","type":"throttling_error","param":null,"code":"429"}}`), reason.RateLimited, ""},
		{"Mistral", raw(401, `{"message":"Unauthorized","request_id":"a"}`), reason.AuthFailed, "Unauthorized"},
		{"llama.cpp still loading", raw(503, `{"error":{"message":"Loading model","type":"unavailable_error","code":503}}`), reason.Overloaded, ""},
		{"empty body", openaitest.Reply{Status: 500, Body: " "}, reason.Unavailable, "nothing more"},
		{"redirect", openaitest.Reply{Status: 302, Header: map[string]string{"Location": "https://elsewhere.example/"}, Body: " "}, reason.Misconfigured, "another address"},
		{"error in a good answer", raw(200, `{"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}}`), reason.RateLimited, "Rate limit"},
		{"numeric code in a good answer", raw(200, `{ "error": {"code":502,"message":"Provider returned error"}}`), reason.Unavailable, "Provider returned"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
				server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(tc.reply)})
				r := request()
				r.MaxOutputTokens = 100
				_, err := ask(open(t, server, nil), r)
				e := wantKind(t, err, tc.kind)
				if !strings.Contains(e.Message, tc.says) {
					t.Errorf("message %q does not say %q", e.Message, tc.says)
				}
				if strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), key) {
					t.Errorf("the error shows the key: %v", err)
				}
				if e.Message == "" || strings.Contains(e.Message, "nil") || strings.Contains(e.Message, "invalid character") {
					t.Errorf("message %q explains nothing", e.Message)
				}
				if len(server.Chats()) != 1 {
					t.Errorf("the plugin asked %d times; repeating is the host's", len(server.Chats()))
				}
			})
		})
	}
}

func TestRetryAfterIsKept(t *testing.T) {
	inAMinute := time.Now().Add(time.Minute).UTC().Format(http.TimeFormat)
	for _, tc := range []struct {
		name     string
		header   map[string]string
		min, max time.Duration
	}{
		{"seconds", map[string]string{"Retry-After": "7"}, 7 * time.Second, 7 * time.Second},
		{"date", map[string]string{"Retry-After": inAMinute}, 30 * time.Second, time.Minute},
		{"milliseconds win", map[string]string{"Retry-After": "7", "Retry-After-Ms": "1500"}, 1500 * time.Millisecond, 1500 * time.Millisecond},
		{"a past date", map[string]string{"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0, 0},
		{"nonsense", map[string]string{"Retry-After": "soon"}, 0, 0},
		{"far too much", map[string]string{"Retry-After": "1e300"}, 24 * time.Hour, 24 * time.Hour},
		{"not said", nil, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
				reply := openaitest.JSONError(429, "Rate limit reached", "tokens", "", "rate_limit_exceeded")
				reply.Header = tc.header
				server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(reply)})
				_, err := ask(open(t, server, nil), request())
				e := wantKind(t, err, reason.RateLimited)
				if e.RetryAfter < tc.min || e.RetryAfter > tc.max {
					t.Errorf("retry after %v, want %v to %v", e.RetryAfter, tc.min, tc.max)
				}
				if e.Status != 429 || e.ProviderRequestID == "" {
					t.Errorf("status %d, request id %q", e.Status, e.ProviderRequestID)
				}
			})
		})
	}
}

func TestAnswerThatIsNone(t *testing.T) {
	for _, tc := range []struct {
		name  string
		reply openaitest.Reply
		kind  reason.Kind
	}{
		{"no finish reason", openaitest.Reply{Content: "{}", NoFinish: true}, reason.Incomplete},
		{"no choices", openaitest.Reply{NoChoices: true}, reason.Incomplete},
		{"refusal", openaitest.Reply{Refusal: "I'm sorry, I can't help with that."}, reason.RefusedByModel},
		{"filter", openaitest.Reply{Content: "{", Finish: "content_filter"}, reason.ContentFiltered},
		{"out of resources", openaitest.Reply{Content: "{", Finish: "insufficient_system_resource"}, reason.Overloaded},
		{"unheard-of finish", openaitest.Reply{Content: "{", Finish: "recitation"}, reason.Incomplete},
		{"page with status 200", page(200), reason.Misconfigured},
		{"garbage", raw(200, "\x00\xff{{{"), reason.InvalidOutput},
		{"cut", openaitest.Reply{Content: strings.Repeat("a", 100), CutAfter: 3, PieceLength: 5}, reason.Incomplete},
		{"bad tool arguments", openaitest.Reply{ToolName: "plan", ToolArguments: `{"zeta":`}, reason.InvalidOutput},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
				server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(tc.reply)})
				r := request()
				if tc.reply.ToolName != "" {
					r.OutputMode = sdk.OutputTool
				}
				out, err := ask(open(t, server, nil), r)
				wantKind(t, err, tc.kind)
				if out.Finish != "" {
					t.Errorf("a failed call has the finish reason %q", out.Finish)
				}
			})
		})
	}
}

func TestServerThatIsNotThere(t *testing.T) {
	server := openaitest.Start(openaitest.Script{})
	server.Close()
	bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
		_, err := ask(open(t, server, nil), request())
		e := wantKind(t, err, reason.Unavailable)
		if !strings.Contains(e.Message, "nothing listens") {
			t.Errorf("message %q does not say what to do", e.Message)
		}
	})
}

func TestServerThatSaysNothing(t *testing.T) {
	for name, reply := range map[string]openaitest.Reply{
		"before the answer": {Hang: true},
		"in the middle":     {Content: "a long enough answer", HangAt: 2},
	} {
		t.Run(name, func(t *testing.T) {
			server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(reply)})
			p := open(t, server, nil)
			ctx, cancel := context.WithTimeout(limited(t), 50*time.Millisecond)
			defer cancel()
			_, _, err := streamed(ctx, p, request())
			e := wantKind(t, err, reason.Timeout)
			if e.OutputSent != (reply.HangAt > 0) {
				t.Errorf("output sent is %v", e.OutputSent)
			}
			ctx, leave := context.WithCancel(limited(t))
			time.AfterFunc(20*time.Millisecond, leave)
			_, _, err = streamed(ctx, p, request())
			wantKind(t, err, reason.Cancelled)
		})
	}
}

func TestRequestTimeoutOfTheSettings(t *testing.T) {
	server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Reply{Hang: true})})
	p := open(t, server, settings{"request_timeout": "50ms"})
	_, err := p.Generate(limited(t), request())
	wantKind(t, err, reason.Timeout)
}

// A redirect would carry the key to a server that nobody named.
func TestRedirectIsNotFollowed(t *testing.T) {
	elsewhere := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Text("{}"))})
	for _, status := range []int{302, 307, 308} {
		server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Reply{
			Status: status, Header: map[string]string{"Location": elsewhere.BaseURL() + "/chat/completions"}, Body: " ",
		})})
		_, err := open(t, server, nil).Generate(limited(t), request())
		wantKind(t, err, reason.Misconfigured)
	}
	if n := len(elsewhere.Requests()); n != 0 {
		t.Errorf("the other server was asked %d times", n)
	}
}

package provider_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/plugins/openai/openaitest"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

func TestStreamInEveryDress(t *testing.T) {
	const text = "one two three four five six"
	event := func(delta, finish string) string {
		return `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + `}]}`
	}
	sse := func(body string) openaitest.Reply {
		return openaitest.Reply{ContentType: "text/event-stream", Body: body}
	}
	for name, reply := range map[string]openaitest.Reply{
		"plain":                   {Content: text},
		"CRLF":                    {Content: text, CRLF: true},
		"many comments":           {Content: text, Comments: 400},
		"no [DONE]":               {Content: text, NoDone: true},
		"one rune at a time":      {Content: text, PieceLength: 1},
		"no blank lines":          sse("data: " + event(`{"content":"`+text+`"}`, "null") + "\ndata: " + event(`{}`, `"stop"`) + "\ndata: [DONE]\n"),
		"no space":                sse("data:" + event(`{"content":"`+text+`"}`, `"stop"`) + "\n\n"),
		"no line end at the end":  sse("data: " + event(`{"content":"`+text+`"}`, `"stop"`)),
		"an event of three lines": sse("id: 1\nevent: message\ndata: {\"choices\":[{\"index\":0,\ndata: \"delta\":{\"content\":\"" + text + "\"},\ndata: \"finish_reason\":\"stop\"}]}\n\n"),
		"usage without choices":   sse("data: " + event(`{"content":"`+text+`"}`, `"stop"`) + "\n\ndata: {\"usage\":{\"prompt_tokens\":3}}\n\ndata: [DONE]\n\n"),
		"a second choice":         sse("data: " + event(`{"content":"`+text+`"}`, `"stop"`) + "\n\ndata: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"no\"},\"finish_reason\":null}]}\n\n"),
		"not streamed":            {Body: `{"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"` + text + `"},"finish_reason":"stop"}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(reply)})
			out, _, err := streamed(limited(t), open(t, server, nil), request())
			if err != nil || out.Text != text || out.Finish != sdk.FinishStop {
				t.Errorf("text %q, finish %q, error %v", out.Text, out.Finish, err)
			}
		})
	}
}

func TestErrorInTheMiddleOfAStream(t *testing.T) {
	for _, tc := range []struct {
		name  string
		reply openaitest.Reply
		kind  reason.Kind
	}{
		{"as documented", openaitest.Reply{ErrorEvent: `{"error":{"message":"The server had an error","type":"server_error"}}`}, reason.Unavailable},
		{"with spaces", openaitest.Reply{ErrorEvent: `{ "error": {"message":"The server is overloaded"} }`}, reason.Overloaded},
		{"as a string", openaitest.Reply{ErrorEvent: `{"error":"Rate limit reached"}`}, reason.RateLimited},
		{"as a named event", openaitest.Reply{ErrorEventName: "error", ErrorEvent: `{"message":"prompt is too long"}`}, reason.ContextOverflow},
		{"within a choice", openaitest.Reply{ErrorEvent: `{"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error","error":{"code":502,"message":"Upstream idle"}}]}`}, reason.Unavailable},
		{"with a status", openaitest.Reply{ErrorEvent: `{"error":{"code":429,"message":"slow down"}}`}, reason.RateLimited},
		{"outside the framing", openaitest.Reply{ContentType: "text/event-stream", Body: "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"}}]}\n\n{\"error\":{\"message\":\"boom\"}}\n"}, reason.Unavailable},
		{"broken data", openaitest.Reply{ContentType: "text/event-stream", Body: "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"}}]}\n\ndata: {\"choi\n\n"}, reason.InvalidOutput},
		{"cut", openaitest.Reply{CutAfter: 3}, reason.Incomplete},
		{"cut within an event", openaitest.Reply{ContentType: "text/event-stream", Body: "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"}}]}\n\ndata: {\"choi"}, reason.Incomplete},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.reply.Content = strings.Repeat("word ", 20)
			server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(tc.reply)})
			_, _, err := streamed(limited(t), open(t, server, nil), request())
			if e := wantKind(t, err, tc.kind); !e.OutputSent {
				t.Error("the error does not say that output was passed on")
			}
		})
	}
}

func TestBlankStreamIsGivenUp(t *testing.T) {
	server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Reply{Content: "{" + strings.Repeat(" \n", 5000), HangAt: 100})})
	p := open(t, server, nil)
	_, _, err := streamed(limited(t), p, request())
	wantKind(t, err, reason.InvalidOutput)
	r := request()
	r.OutputMode = sdk.OutputText
	ctx, cancel := context.WithTimeout(limited(t), 200*time.Millisecond)
	defer cancel()
	_, _, err = streamed(ctx, p, r) // text may be blank: the server is waited for
	wantKind(t, err, reason.Timeout)
}

func TestSilentStreamIsGivenUp(t *testing.T) {
	server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Reply{Content: "a long enough answer", HangAt: 2})})
	_, _, err := streamed(limited(t), open(t, server, settings{"idle_timeout": "50ms"}), request())
	if e := wantKind(t, err, reason.Timeout); !e.OutputSent || !strings.Contains(e.Message, "idle_timeout") {
		t.Errorf("output sent %v: %s", e.OutputSent, e.Message)
	}
}

// A stream of comments alone would else go on for ever.
func TestStreamThatIsTooLarge(t *testing.T) {
	server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Reply{
		ContentType: "text/event-stream", Body: strings.Repeat(": "+strings.Repeat("-", 64<<10)+"\n\n", 260),
	})})
	_, _, err := streamed(limited(t), open(t, server, nil), request())
	if e := wantKind(t, err, reason.InvalidOutput); !strings.Contains(e.Message, "larger than") {
		t.Error(e.Message)
	}
}

func TestUsageIsTheLastThatWasTold(t *testing.T) {
	server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Reply{ContentType: "text/event-stream", Body: "" +
		`data: {"choices":[{"index":0,"delta":{"content":"{}"},"finish_reason":null}],"usage":{"prompt_tokens":3,"completion_tokens":1}}` + "\n\n" +
		`data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2}}` + "\n\n" +
		`data: {"choices":[],"usage":null}` + "\n\ndata: [DONE]\n\n"})})
	out, _, err := streamed(limited(t), open(t, server, nil), request())
	if want := (sdk.Usage{Input: sdk.Known(3), Output: sdk.Known(2)}); err != nil || out.Usage != want {
		t.Errorf("usage %+v, error %v; want %+v", out.Usage, err, want)
	}
}

package provider_test

import (
	"strings"
	"testing"

	"querent.dev/querent/plugins/openai/openaitest"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// refuse answers like a server that does not take a field, and else with text.
func refuse(fields map[string]openaitest.Reply, text string) func(openaitest.Request) openaitest.Reply {
	return func(r openaitest.Request) openaitest.Reply {
		for field, reply := range fields {
			if _, ok := r.Object()[field]; ok {
				return reply
			}
		}
		return openaitest.Text(text)
	}
}

func unsupported(param string) openaitest.Reply {
	return openaitest.JSONError(400, "Unsupported parameter: '"+param+"' is not supported with this model.", "invalid_request_error", param, "unsupported_parameter")
}

func TestRefusedSettingIsLeftOutAndRemembered(t *testing.T) {
	for _, tc := range []struct {
		name    string
		refused map[string]openaitest.Reply
		fields  string // of the request that is taken at last
		asked   int    // requests of the first call
		warned  []string
	}{
		{"nothing", nil, "max_tokens messages model response_format seed stop temperature", 1, nil},
		{"max_tokens, for its successor", map[string]openaitest.Reply{"max_tokens": openaitest.JSONError(400,
			"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
			"invalid_request_error", "max_tokens", "unsupported_parameter")},
			"max_completion_tokens messages model response_format seed stop temperature", 2, nil},
		{"both limits", map[string]openaitest.Reply{"max_tokens": unsupported("max_tokens"), "max_completion_tokens": unsupported("max_completion_tokens")},
			"messages model response_format seed stop temperature", 3, []string{"max_output_tokens"}},
		{"temperature, in words alone", map[string]openaitest.Reply{"temperature": raw(400, `{"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported."}}`)},
			"max_tokens messages model response_format seed stop", 2, []string{"temperature"}},
		{"seed, by FastAPI", map[string]openaitest.Reply{"seed": raw(422, `{"detail":[{"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs are not permitted","input":7}]}`)},
			"max_tokens messages model response_format stop temperature", 2, []string{"seed"}},
		{"several", map[string]openaitest.Reply{"temperature": unsupported("temperature"), "stop": unsupported("stop"), "max_tokens": unsupported("max_tokens")},
			"max_completion_tokens messages model response_format seed", 4, []string{"temperature", "stop"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
				server := openaitest.New(t, openaitest.Script{Chat: refuse(tc.refused, "{}")})
				p := open(t, server, nil)
				r := request()
				r.Temperature, r.Seed, r.MaxOutputTokens, r.Stop = ptr(0.0), ptr(int64(7)), 100, []string{"END"}
				for call := range 2 {
					out, err := ask(p, r)
					if err != nil {
						t.Fatal(err)
					}
					if got := settingsOf(out.Warnings); got != strings.Join(tc.warned, " ") {
						t.Errorf("call %d: warnings for %q, want %q", call, got, tc.warned)
					}
				}
				chats := server.Chats()
				if len(chats) != tc.asked+1 {
					t.Fatalf("%d requests for two calls, want %d for the first and 1 for the second", len(chats), tc.asked)
				}
				last := chats[len(chats)-1].Object()
				delete(last, "stream")
				delete(last, "stream_options")
				if got := keysOf(last); got != tc.fields {
					t.Errorf("fields %q, want %q", got, tc.fields)
				}
			})
		})
	}
}

func settingsOf(warnings []sdk.Warning) string {
	var out []string
	for _, w := range warnings {
		out = append(out, w.Setting)
	}
	return strings.Join(out, " ")
}

func TestOutputFormGoesDownTheLadder(t *testing.T) {
	// rank is how far a server goes along: the forms from that one on are taken.
	form := func(r openaitest.Request) string {
		o := r.Object()
		if f, ok := o["response_format"].(map[string]any); ok {
			if s, ok := f["json_schema"].(map[string]any); ok && s["strict"] == true {
				return "strict"
			}
			return f["type"].(string)
		}
		if _, ok := o["tools"]; ok {
			return "tool"
		}
		return "text"
	}
	deepSeek := raw(422, `{"error":{"message":"This response_format type is unavailable now","type":"invalid_request_error"}}`)
	for _, tc := range []struct {
		takes string
		reply openaitest.Reply
		asked int
	}{
		{"strict", openaitest.Reply{}, 1},
		{"json_schema", openaitest.JSONError(400, "Invalid schema for response_format 'plan': In context=(), 'required' is required to be supplied", "invalid_request_error", "response_format", ""), 2},
		{"json_object", deepSeek, 3},
		{"tool", raw(400, `{"error":"'response_format.type' must be 'json_schema'"}`), 4},
		{"text", raw(400, `{"object":"error","message":"response_format and tools are not supported by this model","code":400}`), 5},
	} {
		t.Run(tc.takes, func(t *testing.T) {
			bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
				server := openaitest.New(t, openaitest.Script{Chat: func(r openaitest.Request) openaitest.Reply {
					switch {
					case form(r) != tc.takes:
						return tc.reply
					case tc.takes == "tool":
						return openaitest.Reply{ToolName: "plan", ToolArguments: `{"zeta":"1"}`}
					}
					return openaitest.Text(`{"zeta":"1"}`)
				}})
				p := open(t, server, nil)
				for range 2 {
					out, err := ask(p, request())
					if err != nil {
						t.Fatal(err)
					}
					if out.Text != `{"zeta":"1"}` || out.Finish != sdk.FinishStop {
						t.Errorf("text %q, finish %q", out.Text, out.Finish)
					}
					if (len(out.Warnings) > 0) != (tc.asked > 1) {
						t.Errorf("warnings %v", out.Warnings)
					}
				}
				chats := server.Chats()
				if len(chats) != tc.asked+1 {
					t.Errorf("%d requests for two calls, want %d and 1", len(chats), tc.asked)
				}
				prompt := strings.Join(chats[len(chats)-1].Texts(), "\n")
				if inPrompt := strings.Contains(prompt, planSchema); inPrompt != (tc.takes == "json_object" || tc.takes == "text") {
					t.Errorf("schema in the prompt: %v\n%s", inPrompt, prompt)
				}
			})
		})
	}
}

func TestNegotiationEnds(t *testing.T) {
	stubborn := raw(400, `{"error":{"message":"unsupported: temperature seed stop max_tokens max_completion_tokens response_format tools stream_options model"}}`)
	bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
		server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(stubborn)})
		r := request()
		r.Temperature, r.Seed, r.MaxOutputTokens, r.Stop = ptr(0.0), ptr(int64(7)), 100, []string{"END"}
		_, err := ask(open(t, server, nil), r)
		wantKind(t, err, reason.InvalidRequest)
		if n := len(server.Chats()); n > 12 {
			t.Errorf("%d requests for one call", n)
		}
	})
}

func TestWhatTheSettingsSayIsNotNegotiated(t *testing.T) {
	server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Text("{}"))})
	p := open(t, server, settings{"models": settings{"gpt-5-mini": settings{
		"token_limit": "max_completion_tokens", "temperature": "fixed", "output": "json_object", "thinking": "chat_template",
	}}})
	r := request()
	r.Temperature, r.MaxOutputTokens, r.Thinking = ptr(0.5), 100, ptr(false)
	out, err := p.Generate(limited(t), r)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := keysOf(server.Chats()[0].Object()), "chat_template_kwargs max_completion_tokens messages model response_format"; got != want {
		t.Errorf("fields %q, want %q", got, want)
	}
	if got := settingsOf(out.Warnings); got != "output_mode temperature" {
		t.Errorf("warnings for %q", got)
	}
}

func TestRequestThatCannotBeMade(t *testing.T) {
	server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Text("{}"))})
	p := open(t, server, nil)
	for name, tc := range map[string]struct {
		change func(*sdk.GenerateRequest)
		kind   reason.Kind
	}{
		"no model":      {func(r *sdk.GenerateRequest) { r.Model = "" }, reason.Misconfigured},
		"no message":    {func(r *sdk.GenerateRequest) { r.Messages = nil }, reason.InvalidRequest},
		"no schema":     {func(r *sdk.GenerateRequest) { r.Schema = nil }, reason.InvalidRequest},
		"broken schema": {func(r *sdk.GenerateRequest) { r.Schema = []byte(`{"type":`) }, reason.InvalidRequest},
	} {
		t.Run(name, func(t *testing.T) {
			r := request()
			tc.change(&r)
			_, err := p.Generate(limited(t), r)
			wantKind(t, err, tc.kind)
		})
	}
	if n := len(server.Chats()); n != 0 {
		t.Errorf("the server was asked %d times", n)
	}
}

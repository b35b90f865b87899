package provider_test

import (
	"bytes"
	"slices"
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

// What servers say when they do not take the way in which output is asked for. The
// host then asks in another; the plugin only tries a schema without strict.
func TestRefusedOutputModeIsTold(t *testing.T) {
	for _, tc := range []struct {
		name  string
		mode  sdk.OutputMode
		reply openaitest.Reply
		asked int // requests of the first call
	}{
		{"DeepSeek", sdk.OutputSchema, raw(400, `{"error":{"message":"This response_format type is unavailable now","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}`), 2},
		{"DeepSeek by a gate", sdk.OutputSchema, raw(422, `{"error":{"message":"This response_format type is unavailable now","type":"invalid_request_error"}}`), 2},
		{"a schema not to its taste", sdk.OutputSchema, openaitest.JSONError(400, "Invalid schema for response_format 'plan': In context=(), 'required' is required to be supplied", "invalid_request_error", "response_format", ""), 2},
		{"Groq", sdk.OutputSchema, openaitest.JSONError(400, "This model does not support response format `json_schema`. See supported models at https://console.groq.com/docs/structured-outputs#supported-models", "invalid_request_error", "response_format", ""), 2},
		{"llama.cpp", sdk.OutputSchema, raw(400, `{"error":{"code":400,"message":"JSON schema conversion failed:\nUnsupported schema","type":"invalid_request_error"}}`), 2},
		{"vLLM", sdk.OutputSchema, raw(400, `{"object":"error","message":"The provided JSON schema contains features not supported by xgrammar.","type":"BadRequestError","param":null,"code":400}`), 2},
		{"LM Studio", sdk.OutputJSON, raw(400, `{"error":"'response_format.type' must be 'json_schema' or 'text'"}`), 1},
		{"vLLM without a parser", sdk.OutputTool, raw(400, `{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set; tool_choice","type":"BadRequestError","param":null,"code":400}`), 1},
		{"OpenRouter", sdk.OutputTool, raw(404, `{"error":{"message":"No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing","code":404}}`), 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
				server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(tc.reply)})
				p := open(t, server, nil)
				r := request()
				r.OutputMode = tc.mode
				for range 2 {
					_, err := ask(p, r)
					if e := wantKind(t, err, reason.InvalidRequest); e.Setting != sdk.SettingOutputMode || e.Status != tc.reply.Status || e.OutputSent {
						t.Errorf("setting %q, status %d, output sent %v: %s", e.Setting, e.Status, e.OutputSent, e.Message)
					}
				}
				if n := len(server.Chats()); n != tc.asked+1 {
					t.Errorf("%d requests for two calls, want %d and 1", n, tc.asked)
				}
				info, err := p.ModelInfo(limited(t), r.Model)
				if err != nil || len(info.OutputModes) != 3 || slices.Contains(info.OutputModes, tc.mode) {
					t.Errorf("modes %v (%v), want all but %s", info.OutputModes, err, tc.mode)
				}
			})
		})
	}
}

// A schema that cannot be held to strictly is one all the same.
func TestSchemaWithoutStrict(t *testing.T) {
	server := openaitest.New(t, openaitest.Script{Chat: func(r openaitest.Request) openaitest.Reply {
		if bytes.Contains(r.Body, []byte(`"strict":true`)) {
			return openaitest.JSONError(400, "Invalid schema for response_format 'plan': In context=(), 'required' is required to be supplied", "invalid_request_error", "response_format", "")
		}
		return openaitest.Text("{}")
	}})
	p := open(t, server, nil)
	for range 2 {
		out, err := p.Generate(limited(t), request())
		if err != nil || settingsOf(out.Warnings) != sdk.SettingOutputMode {
			t.Errorf("warnings %v, error %v", out.Warnings, err)
		}
	}
	if n := len(server.Chats()); n != 3 {
		t.Errorf("%d requests for two calls, want 2 and 1", n)
	}
}

func TestRefusedValueNamesItsSetting(t *testing.T) {
	for _, tc := range []struct{ message, param, setting string }{
		{"max_tokens is too large: 100000. This model supports at most 16384 completion tokens", "max_tokens", sdk.SettingMaxOutputTokens},
		{"Invalid 'temperature': decimal above maximum value", "temperature", sdk.SettingTemperature},
		{"Invalid 'messages[0].content'", "messages[0].content", ""},
		{"Something is wrong", "", ""},
	} {
		server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.JSONError(400, tc.message, "invalid_request_error", tc.param, ""))})
		r := request()
		r.MaxOutputTokens, r.Temperature = 100000, ptr(9.0)
		_, err := open(t, server, nil).Generate(limited(t), r)
		if e := wantKind(t, err, reason.InvalidRequest); e.Setting != tc.setting {
			t.Errorf("%s: setting %q, want %q", tc.message, e.Setting, tc.setting)
		}
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
	_, err := p.Generate(limited(t), r)
	if e := wantKind(t, err, reason.InvalidRequest); e.Setting != sdk.SettingOutputMode || len(server.Chats()) != 0 {
		t.Errorf("setting %q after %d requests: %s", e.Setting, len(server.Chats()), e.Message)
	}
	r.OutputMode, r.Schema = sdk.OutputJSON, nil
	r.Messages[0].Content = "You plan in JSON."
	out, err := p.Generate(limited(t), r)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := keysOf(server.Chats()[0].Object()), "chat_template_kwargs max_completion_tokens messages model response_format"; got != want {
		t.Errorf("fields %q, want %q", got, want)
	}
	if got := settingsOf(out.Warnings); got != "temperature" {
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

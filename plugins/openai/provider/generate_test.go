package provider_test

import (
	"bytes"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"querent.dev/querent/plugins/openai/openaitest"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

func TestAnswerIsWhole(t *testing.T) {
	bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
		server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Reply{
			Content: `{"zeta":"é","alpha":"<think>kept</think>"}`, Reasoning: "Let me count the riders.",
		})})
		out, err := ask(open(t, server, nil), request())
		if err != nil {
			t.Fatal(err)
		}
		want := sdk.GenerateResponse{
			Text: `{"zeta":"é","alpha":"<think>kept</think>"}`, Thinking: "Let me count the riders.", Finish: sdk.FinishStop,
			Usage:       sdk.Usage{Input: sdk.Known(19), Output: sdk.Known(10), Cached: sdk.Known(4), Reasoning: sdk.Known(2)},
			ModelServed: "gpt-5-mini", ProviderRequestID: "req_1d3c9a0e5b7f4d2f8a6c",
		}
		if !reflect.DeepEqual(out, want) {
			t.Errorf("response is\n%+v\nwant\n%+v", out, want)
		}
	})
}

func TestRequestSaysWhatIsSetAndNothingElse(t *testing.T) {
	server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Text("{}"))})
	p := open(t, server, settings{"organization": "org-1", "project": "proj-1", "headers": map[string]string{"X-Team": "data"}})
	bare := request()
	set := request()
	// Names that the vendor's client checks by their first letters.
	set.Model, bare.Model = "o1-mini-local-finetune", "gpt-5-chat-latest"
	set.Temperature, set.Seed, set.MaxOutputTokens, set.Stop = ptr(0.0), ptr(int64(7)), 1500, []string{"END"}
	set.Options = map[string]string{"top_p": "0.5", "reasoning_effort": "low", "nonsense": "1"}
	for _, r := range []sdk.GenerateRequest{bare, set} {
		if _, err := p.Generate(limited(t), r); err != nil {
			t.Fatal(err)
		}
	}
	got := server.Chats()
	if keys := keysOf(got[0].Object()); keys != "messages model response_format" {
		t.Errorf("a request without settings has the keys %s", keys)
	}
	if !bytes.Contains(got[0].Body, []byte(`"json_schema":{"name":"plan","schema":`+planSchema+`,"strict":true}`)) {
		t.Errorf("the schema was not sent as it is: %s", got[0].Body)
	}
	want := `"max_tokens":1500,"temperature":0,"top_p":0.5,"seed":7,"stop":["END"],`
	if !bytes.Contains(got[1].Body, []byte(want)) {
		t.Errorf("body %s lacks %s", got[1].Body, want)
	}
	if got[1].Object()["model"] != "o1-mini-local-finetune" {
		t.Errorf("model is %v", got[1].Object()["model"])
	}
	for name, value := range map[string]string{
		"Authorization": "Bearer " + key, "Openai-Organization": "org-1", "Openai-Project": "proj-1", "X-Team": "data",
	} {
		if got[1].Header.Get(name) != value {
			t.Errorf("header %s is %q, want %q", name, got[1].Header.Get(name), value)
		}
	}
}

func TestUnknownSettingIsAWarning(t *testing.T) {
	server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Text("{}"))})
	r := request()
	r.Options, r.Thinking = map[string]string{"top_k": "40", "top_p": "high"}, ptr(true)
	out, err := open(t, server, nil).Generate(limited(t), r)
	if err != nil {
		t.Fatal(err)
	}
	var settings []string
	for _, w := range out.Warnings {
		settings = append(settings, w.Setting)
	}
	if want := []string{"thinking", "top_k", "top_p"}; !reflect.DeepEqual(settings, want) {
		t.Errorf("warnings for %v, want for %v: %v", settings, want, out.Warnings)
	}
}

func TestUsageThatIsNotToldIsUnknown(t *testing.T) {
	bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
		server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Reply{Content: "{}", NoUsage: true})})
		out, err := ask(open(t, server, nil), request())
		if err != nil || out.Usage != (sdk.Usage{}) {
			t.Errorf("usage is %+v, error %v; want unknown figures", out.Usage, err)
		}
	})
}

func TestToolCall(t *testing.T) {
	bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
		server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Reply{ToolName: "plan", ToolArguments: `{"zeta":"1","alpha":"2"}`})})
		r := request()
		r.OutputMode = sdk.OutputTool
		out, err := ask(open(t, server, nil), r)
		if err != nil {
			t.Fatal(err)
		}
		if out.ToolName != "plan" || string(out.ToolArguments) != `{"zeta":"1","alpha":"2"}` || out.Finish != sdk.FinishTool || out.Text != "" {
			t.Errorf("response is %+v", out)
		}
		if !bytes.Contains(server.Chats()[0].Body, []byte(`"tool_choice":{"type":"function","function":{"name":"plan"}}`)) {
			t.Errorf("the tool was not asked for: %s", server.Chats()[0].Body)
		}
	})
}

// Servers number calls, name them and write their arguments in several ways. What
// counts is the first call.
func TestToolCallInEveryDress(t *testing.T) {
	const want = `{"zeta":"1"}`
	sse := func(deltas ...string) openaitest.Reply {
		body := ""
		for _, d := range deltas {
			body += `data: {"choices":[{"index":0,"delta":{"tool_calls":` + d + `}}]}` + "\n\n"
		}
		return openaitest.Reply{ContentType: "text/event-stream", Body: body + `data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n"}
	}
	whole := func(calls, finish string) openaitest.Reply {
		return raw(0, `{"model":"m","choices":[{"index":0,"message":{"content":null,"tool_calls":`+calls+`},"finish_reason":"`+finish+`"}]}`)
	}
	for name, reply := range map[string]openaitest.Reply{
		"in pieces":            sse(`[{"index":0,"id":"c1","function":{"name":"plan","arguments":""}}]`, `[{"index":0,"function":{"arguments":"{\"zeta\":"}}]`, `[{"index":0,"function":{"arguments":"\"1\"}"}}]`),
		"with talk beside it":  sse(`[{"index":0,"id":"c1","function":{"name":"plan","arguments":"{\"zeta\":\"1\"}"}}],"content":"Here it is."`),
		"the name repeated":    sse(`[{"index":0,"id":"c1","function":{"name":"plan","arguments":"{\"zeta\":"}}]`, `[{"index":0,"id":"c1","function":{"name":"plan","arguments":"\"1\"}"}}]`),
		"without numbers":      sse(`[{"id":"c1","function":{"name":"plan","arguments":"{\"zeta\":\"1\"}"}}]`, `[{"id":"c2","function":{"name":"plan","arguments":"{}"}}]`),
		"a second call":        sse(`[{"index":0,"id":"c1","function":{"name":"plan","arguments":"{\"zeta\":\"1\"}"}},{"index":1,"id":"c2","function":{"name":"plan","arguments":"{}"}}]`),
		"two calls at once":    whole(`[{"id":"c1","function":{"name":"plan","arguments":"{\"zeta\":\"1\"}"}},{"id":"c2","function":{"name":"plan","arguments":"{}"}}]`, "tool_calls"),
		"the JSON itself":      whole(`[{"id":"c1","function":{"name":"plan","arguments":{ "zeta": "1" }}}]`, "tool_calls"),
		"finished with a stop": whole(`[{"id":"c1","function":{"name":"plan","arguments":"{\"zeta\":\"1\"}"}}]`, "stop"),
	} {
		t.Run(name, func(t *testing.T) {
			server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(reply)})
			r := request()
			r.OutputMode = sdk.OutputTool
			out, _, err := streamed(limited(t), open(t, server, nil), r)
			if err != nil || string(out.ToolArguments) != want || out.ToolName != "plan" || out.Finish != sdk.FinishTool {
				t.Errorf("response %+v, error %v", out, err)
			}
		})
	}
}

func TestToolCallThatIsNone(t *testing.T) {
	for name, tc := range map[string]struct {
		mode  sdk.OutputMode
		reply openaitest.Reply
	}{
		"arguments that are no JSON": {sdk.OutputTool, openaitest.Reply{ToolName: "plan", ToolArguments: `{"zeta":`}},
		"a tool that is not there":   {sdk.OutputSchema, openaitest.Reply{ToolName: "search", ToolArguments: `{}`}},
	} {
		t.Run(name, func(t *testing.T) {
			bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
				server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(tc.reply)})
				r := request()
				r.OutputMode = tc.mode
				_, err := ask(open(t, server, nil), r)
				wantKind(t, err, reason.InvalidOutput)
			})
		})
	}
}

// Thoughts come under several names and in several forms, and never as the answer.
func TestThinkingIsKeptApart(t *testing.T) {
	for name, message := range map[string]string{
		"DeepSeek":               `"content":"{}","reasoning_content":"hm"`,
		"OpenRouter":             `"content":"{}","reasoning":"hm","reasoning_details":[{"type":"reasoning.text","text":"hm"}]`,
		"both":                   `"content":"{}","reasoning_content":"hm","reasoning":"hm"`,
		"Mistral":                `"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"{}"}]`,
		"of an unknown form":     `"content":"{}","reasoning_content":"hm","reasoning":{"effort":"low"}`,
		"with what is not known": `"content":"{}","reasoning_content":"hm","annotations":[{}],"audio":{"id":1},"provider_specific_fields":{}`,
	} {
		t.Run(name, func(t *testing.T) {
			bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
				server := openaitest.New(t, openaitest.Script{Chat: func(r openaitest.Request) openaitest.Reply {
					if r.Object()["stream"] == true {
						return openaitest.Reply{ContentType: "text/event-stream", Body: `data: {"choices":[{"index":0,"delta":{` + message + `},"finish_reason":"stop"}]}` + "\n\n"}
					}
					return raw(0, `{"choices":[{"index":0,"message":{`+message+`},"finish_reason":"stop"}]}`)
				}})
				out, err := ask(open(t, server, nil), request())
				if err != nil || out.Text != "{}" || out.Thinking != "hm" {
					t.Errorf("text %q, thinking %q, error %v", out.Text, out.Thinking, err)
				}
			})
		})
	}
}

func TestJSONModeHasTheWordInThePrompt(t *testing.T) {
	server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Text("{}"))})
	p := open(t, server, nil)
	without, with := request(), request()
	without.OutputMode, without.Schema = sdk.OutputJSON, nil
	with.OutputMode, with.Schema = sdk.OutputJSON, nil
	with.Messages = []sdk.Message{{Role: sdk.RoleUser, Content: "Give me Json."}}
	warned, err := p.Generate(limited(t), without)
	if err != nil {
		t.Fatal(err)
	}
	quiet, err := p.Generate(limited(t), with)
	if err != nil {
		t.Fatal(err)
	}
	if len(warned.Warnings) != 1 || !strings.Contains(server.Chats()[0].Texts()[0], "JSON") {
		t.Errorf("prompt %q, warnings %v", server.Chats()[0].Texts(), warned.Warnings)
	}
	if len(quiet.Warnings) != 0 || !reflect.DeepEqual(server.Chats()[1].Texts(), []string{"Give me Json."}) {
		t.Errorf("prompt %q, warnings %v", server.Chats()[1].Texts(), quiet.Warnings)
	}
}

func TestLengthIsAFinishReason(t *testing.T) {
	bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
		server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Reply{Content: `{"zeta":`, Finish: "length"})})
		out, err := ask(open(t, server, nil), request())
		if err != nil || out.Finish != sdk.FinishLength || out.Text != `{"zeta":` {
			t.Errorf("response %+v, error %v", out, err)
		}
	})
}

func TestStreamSendsPiecesThenUsageThenFinish(t *testing.T) {
	server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Reply{Content: strings.Repeat("word ", 30), Reasoning: "hm"})})
	_, kinds, err := streamed(limited(t), open(t, server, nil), request())
	want := []sdk.ChunkKind{sdk.ChunkThinking, sdk.ChunkText, sdk.ChunkUsage, sdk.ChunkFinish}
	if err != nil || !reflect.DeepEqual(kinds, want) {
		t.Errorf("chunks %v, error %v; want %v", kinds, err, want)
	}
}

func TestStreamStopsWithTheReceiversError(t *testing.T) {
	server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Reply{Content: "a long enough answer", HangAt: 2})})
	full := errors.New("the receiver is full")
	err := open(t, server, nil).GenerateStream(limited(t), request(), func(sdk.Chunk) error { return full })
	if !errors.Is(err, full) {
		t.Errorf("error is %v, want the receiver's", err)
	}
}

func TestCallsRunConcurrently(t *testing.T) {
	server := openaitest.New(t, openaitest.Script{Chat: func(r openaitest.Request) openaitest.Reply {
		if _, ok := r.Object()["temperature"]; ok {
			return openaitest.JSONError(400, "Unsupported value: 'temperature' does not support 0 with this model.", "invalid_request_error", "temperature", "unsupported_value")
		}
		return openaitest.Text(r.Texts()[1])
	}})
	p := open(t, server, nil)
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			r := request()
			r.Temperature = ptr(0.0)
			r.Messages[1].Content = strings.Repeat("x", i+1)
			out, err := p.Generate(limited(t), r)
			if err != nil || out.Text != r.Messages[1].Content {
				t.Errorf("answer %q, error %v; want %q", out.Text, err, r.Messages[1].Content)
			}
		})
	}
	group.Wait()
}

func keysOf(m map[string]any) string {
	return strings.Join(slices.Sorted(maps.Keys(m)), " ")
}

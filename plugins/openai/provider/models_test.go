package provider_test

import (
	"reflect"
	"strconv"
	"testing"

	"querent.dev/querent/plugins/openai/openaitest"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

func TestModelInfo(t *testing.T) {
	notFound := openaitest.Reply{Status: 404, ContentType: "text/plain", Body: "404 page not found"}
	list := func(body string) func(openaitest.Request) openaitest.Reply {
		return func(r openaitest.Request) openaitest.Reply {
			if r.Path == "/v1/models" {
				return openaitest.Reply{Body: body}
			}
			return notFound
		}
	}
	byTokens := map[string]string{sdk.DetailTokenLimit: "max_tokens"}
	byOpenAI := map[string]string{"owned_by": "openai", sdk.DetailTokenLimit: "max_tokens"}
	for _, tc := range []struct {
		name   string
		script openaitest.Script
		model  string
		want   sdk.ModelInfo
	}{
		{"there", openaitest.Script{Models: []string{"gpt-5-mini"}}, "gpt-5-mini",
			sdk.ModelInfo{Model: "gpt-5-mini", Present: true, Details: byOpenAI}},
		{"not there", openaitest.Script{Models: []string{"gpt-5-mini"}}, "gpt-9", sdk.ModelInfo{Model: "gpt-9"}},
		{"a slash in the name", openaitest.Script{Models: []string{"qwen/qwen3:free"}}, "qwen/qwen3:free",
			sdk.ModelInfo{Model: "qwen/qwen3:free", Present: true, Details: byOpenAI}},
		{"a list only, vLLM", openaitest.Script{ModelCall: list(`{"object":"list","data":[{"id":"a"},{"id":"b","max_model_len":32768}]}`)}, "b",
			sdk.ModelInfo{Model: "b", Present: true, ContextLength: sdk.Known(32768), Details: byTokens}},
		{"a list without it", openaitest.Script{ModelCall: list(`{"object":"list","data":[{"id":"a"}]}`)}, "b", sdk.ModelInfo{Model: "b"}},
		{"OpenRouter", openaitest.Script{ModelCall: list(`{"data":[{"id":"x/y","context_length":131072}]}`)}, "x/y",
			sdk.ModelInfo{Model: "x/y", Present: true, ContextLength: sdk.Known(131072), Details: byTokens}},
		{"OpenRouter, with what the model takes", openaitest.Script{ModelCall: list(`{"data":[{"id":"x/y","context_length":131072,"supported_parameters":["max_tokens","reasoning","response_format","tools","tool_choice"]}]}`)}, "x/y",
			sdk.ModelInfo{Model: "x/y", Present: true, ContextLength: sdk.Known(131072), Details: byTokens, FixedSampling: true, Thinking: true, Tools: true,
				OutputModes: []sdk.OutputMode{sdk.OutputJSON, sdk.OutputTool, sdk.OutputText}}},
		{"Groq", openaitest.Script{ModelCall: list(`{"object":"list","data":[{"id":"x/y","object":"model","owned_by":"Meta","active":true,"context_window":8192,"max_completion_tokens":4096}]}`)}, "x/y",
			sdk.ModelInfo{Model: "x/y", Present: true, ContextLength: sdk.Known(8192), Details: map[string]string{"owned_by": "Meta", sdk.DetailTokenLimit: "max_tokens"}}},
		{"Mistral", openaitest.Script{ModelCall: list(`{"object":"list","data":[{"id":"m","max_context_length":131072}]}`)}, "m",
			sdk.ModelInfo{Model: "m", Present: true, ContextLength: sdk.Known(131072), Details: byTokens}},
		{"LM Studio, with less loaded", openaitest.Script{ModelCall: list(`{"data":[{"id":"m","max_context_length":131072,"loaded_context_length":4096}]}`)}, "m",
			sdk.ModelInfo{Model: "m", Present: true, ContextLength: sdk.Known(4096), Details: byTokens}},
		{"settings", openaitest.Script{}, "known", sdk.ModelInfo{Model: "known", Present: true, ContextLength: sdk.Known(4096), FixedSampling: true,
			Tools: true, OutputModes: []sdk.OutputMode{sdk.OutputJSON, sdk.OutputTool, sdk.OutputText}, Details: byOpenAI}},
		{"a server that enforces patterns", openaitest.Script{}, "local", sdk.ModelInfo{Model: "local", Present: true,
			Details: map[string]string{"owned_by": "openai", sdk.DetailTokenLimit: "max_tokens", sdk.DetailEnforcesPatterns: "true"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			server := openaitest.New(t, tc.script)
			p := open(t, server, settings{"models": settings{
				"known": settings{"context_length": 4096, "output": "json_object", "temperature": "fixed"}, "local": settings{"enforces_patterns": true},
			}})
			got, err := p.ModelInfo(limited(t), tc.model)
			if err != nil || !reflect.DeepEqual(got, tc.want) {
				t.Errorf("info %+v, error %v; want %+v", got, err, tc.want)
			}
		})
	}
}

// A server that turned out to take no schema enforces none.
func TestRefusedSchemasAreNotSaidToBeEnforced(t *testing.T) {
	server := openaitest.New(t, openaitest.Script{Chat: func(r openaitest.Request) openaitest.Reply {
		if _, asked := r.Object()["response_format"]; asked {
			return openaitest.JSONError(400, "response_format is not supported", "invalid_request_error", "response_format", "")
		}
		return openaitest.Text("{}")
	}})
	p := open(t, server, settings{"models": settings{"gpt-5-mini": settings{"enforces_patterns": true}}})
	enforces := func(want string) {
		t.Helper()
		info, err := p.ModelInfo(limited(t), "gpt-5-mini")
		if err != nil || info.Details[sdk.DetailEnforcesPatterns] != want {
			t.Errorf("details %v (%v), want %q", info.Details, err, want)
		}
	}
	enforces("true")
	_, err := p.Generate(limited(t), request())
	wantKind(t, err, reason.InvalidRequest)
	enforces("")
}

// Whether streams tell their usage shows in the first one.
func TestStreamingUsageIsLearnt(t *testing.T) {
	for _, told := range []bool{true, false} {
		server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Reply{Content: "{}", NoUsage: !told})})
		p := open(t, server, nil)
		for _, want := range []string{"", strconv.FormatBool(told)} {
			info, err := p.ModelInfo(limited(t), "gpt-5-mini")
			if err != nil || info.Details[sdk.DetailStreamingUsage] != want {
				t.Errorf("details %v (%v), want %q", info.Details, err, want)
			}
			if _, _, err := streamed(limited(t), p, request()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestModelInfoFails(t *testing.T) {
	for name, tc := range map[string]struct {
		reply openaitest.Reply
		kind  reason.Kind
	}{
		"key":       {openaitest.JSONError(401, "no", "", "", "invalid_api_key"), reason.AuthFailed},
		"no models": {openaitest.Reply{Status: 404, ContentType: "text/plain", Body: "404 page not found"}, reason.Misconfigured},
		"page":      {openaitest.Reply{ContentType: "text/html", Body: "<html>"}, reason.Misconfigured},
	} {
		t.Run(name, func(t *testing.T) {
			server := openaitest.New(t, openaitest.Script{ModelCall: openaitest.Always(tc.reply)})
			_, err := open(t, server, nil).ModelInfo(limited(t), "m")
			wantKind(t, err, tc.kind)
		})
	}
}

func TestEmbed(t *testing.T) {
	server := openaitest.New(t, openaitest.Script{})
	p := open(t, server, settings{"embedding_batch": 2})
	got, err := p.Embed(limited(t), sdk.EmbedRequest{Model: "text-embedding-3-small", Texts: []string{"a", "bb", "ccc", "dddd", "eeeee"}})
	if err != nil {
		t.Fatal(err)
	}
	want := sdk.EmbedResponse{
		Vectors:     [][]float32{{1, 0, 1}, {2, 1, 1}, {3, 0, 1}, {4, 1, 1}, {5, 0, 1}},
		Usage:       sdk.Usage{Input: sdk.Known(10)},
		ModelServed: "text-embedding-3-small",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("response %+v, want %+v", got, want)
	}
	if n := len(server.To("/v1/embeddings")); n != 3 {
		t.Errorf("%d requests for 5 texts in batches of 2", n)
	}
}

func TestEmbedFails(t *testing.T) {
	for name, tc := range map[string]struct {
		reply openaitest.Reply
		kind  reason.Kind
	}{
		"too few":      {openaitest.Reply{Body: `{"data":[{"index":0,"embedding":[1]}]}`}, reason.InvalidOutput},
		"too many":     {openaitest.Reply{Body: `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1]},{"index":2,"embedding":[1]}]}`}, reason.InvalidOutput},
		"twice":        {openaitest.Reply{Body: `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`}, reason.InvalidOutput},
		"empty vector": {openaitest.Reply{Body: `{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[1]}]}`}, reason.InvalidOutput},
		"cut":          {openaitest.Reply{Body: `{"data":[{"index":0,"embedding":[1,2,3]}]}`, CutAfter: 20}, reason.Incomplete},
		"in band":      {openaitest.Reply{Body: `{"error":{"message":"Rate limit reached"}}`}, reason.RateLimited},
		"too long":     {openaitest.JSONError(400, "This model's maximum context length is 8192 tokens", "", "", ""), reason.ContextOverflow},
	} {
		t.Run(name, func(t *testing.T) {
			server := openaitest.New(t, openaitest.Script{EmbedCall: openaitest.Always(tc.reply)})
			_, err := open(t, server, nil).Embed(limited(t), sdk.EmbedRequest{Model: "m", Texts: []string{"a", "b"}})
			wantKind(t, err, tc.kind)
		})
	}
}

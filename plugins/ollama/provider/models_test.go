package provider_test

import (
	"errors"
	"maps"
	"reflect"
	"testing"

	"querent.dev/querent/plugins/ollama/ollamatest"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

func TestModelInfo(t *testing.T) {
	details := map[string]string{"architecture": "qwen2", "family": "qwen2", "parameter_size": "7.6B", "quantization": "Q4_K_M", sdk.DetailLoads: "true",
		sdk.DetailTokenLimit: "num_predict", sdk.DetailStreamingUsage: "true"}
	completes := maps.Clone(details)
	completes[sdk.DetailEnforcesPatterns] = "true"
	server := ollamatest.New(t, ollamatest.Script{Models: map[string]ollamatest.Model{
		"full":  {ContextLength: 32768, Capabilities: []string{"completion", "tools", "thinking"}},
		"embed": {ContextLength: 512, Capabilities: []string{"embedding"}},
		"old":   {},
	}})
	p := open(t, server, nil)
	for _, want := range []sdk.ModelInfo{
		{Model: "full", Present: true, ContextLength: sdk.Known(32768), Thinking: true, Tools: true, Details: completes,
			OutputModes: []sdk.OutputMode{sdk.OutputSchema, sdk.OutputJSON, sdk.OutputText, sdk.OutputTool}},
		{Model: "embed", Present: true, ContextLength: sdk.Known(512), Embeddings: true, Details: details},
		{Model: "old", Present: true, Details: details},
		{Model: "absent"},
	} {
		got, err := p.ModelInfo(limited(t), want.Model)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("info %+v, error %v; want %+v", got, err, want)
		}
	}
}

func TestAbsentModelIsNotAskedFor(t *testing.T) {
	script := always(ollamatest.Text("{}"))
	script.Models = map[string]ollamatest.Model{"other": {}}
	server := ollamatest.New(t, script)
	_, err := open(t, server, nil).Generate(limited(t), request())
	wantKind(t, err, reason.ModelNotFound)
	if n := len(server.To("/api/chat")); n != 0 {
		t.Errorf("%d chats with a model that is not there", n)
	}
}

func TestModelInfoFails(t *testing.T) {
	for name, tc := range map[string]struct {
		reply ollamatest.Reply
		kind  reason.Kind
	}{
		"gate":          {ollamatest.Reply{Status: 401, Body: `{"error":"unauthorized"}`}, reason.AuthFailed},
		"another thing": {ollamatest.Reply{Status: 404, ContentType: "text/html", Body: "<html>"}, reason.Misconfigured},
		"page":          {page(0), reason.Misconfigured},
		"garbage":       {ollamatest.Reply{Body: "{{{"}, reason.InvalidOutput},
		"cut":           {ollamatest.Reply{Body: `{"model_info":{}}`, CutAfter: 5}, reason.Incomplete},
	} {
		t.Run(name, func(t *testing.T) {
			server := ollamatest.New(t, ollamatest.Script{Show: ollamatest.Always(tc.reply)})
			_, err := open(t, server, nil).ModelInfo(limited(t), "m")
			wantKind(t, err, tc.kind)
		})
	}
}

func TestEmbed(t *testing.T) {
	server := ollamatest.New(t, ollamatest.Script{})
	texts := make([]string, 65)
	for i := range texts {
		texts[i] = string(make([]byte, i+1))
	}
	got, err := open(t, server, nil).Embed(limited(t), sdk.EmbedRequest{Model: "nomic-embed-text", Texts: texts})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got.Vectors {
		if v[0] != float32(len(texts[i])) {
			t.Errorf("vector %d is of a text of %v bytes, want %d", i, v[0], len(texts[i]))
		}
	}
	if len(got.Vectors) != 65 || got.Usage.Input != sdk.Known(130) || got.ModelServed != "nomic-embed-text" {
		t.Errorf("%d vectors, usage %+v, model %q", len(got.Vectors), got.Usage, got.ModelServed)
	}
	one := open(t, server, settings{"embedding_batch": 30})
	if got, err := one.Embed(limited(t), sdk.EmbedRequest{Model: "nomic-embed-text", Texts: texts}); err != nil || len(got.Vectors) != 65 {
		t.Errorf("%d vectors, error %v", len(got.Vectors), err)
	}
	calls := server.To("/api/embed")
	if len(calls) != 2+3 || calls[0].Object()["truncate"] != false {
		t.Errorf("%d calls, the first is %s", len(calls), calls[0].Body)
	}
}

func TestEmbedFails(t *testing.T) {
	for name, tc := range map[string]struct {
		reply ollamatest.Reply
		kind  reason.Kind
	}{
		"too few":  {ollamatest.Reply{Body: `{"embeddings":[[1]]}`}, reason.InvalidOutput},
		"empty":    {ollamatest.Reply{Body: `{"embeddings":[[1],[]]}`}, reason.InvalidOutput},
		"absent":   {ollamatest.Error(404, "model 'm' not found"), reason.ModelNotFound},
		"too long": {ollamatest.Error(400, "the input length exceeds the context length"), reason.ContextOverflow},
	} {
		t.Run(name, func(t *testing.T) {
			server := ollamatest.New(t, ollamatest.Script{Embed: ollamatest.Always(tc.reply)})
			_, err := open(t, server, nil).Embed(limited(t), sdk.EmbedRequest{Model: "m", Texts: []string{"a", "b"}})
			wantKind(t, err, tc.kind)
		})
	}
}

func TestPullModel(t *testing.T) {
	server := ollamatest.New(t, ollamatest.Script{})
	var last, largest sdk.PullProgress
	err := open(t, server, nil).PullModel(limited(t), "llama3.2", func(p sdk.PullProgress) error {
		last = p
		if p.Completed > largest.Completed {
			largest = p
		}
		return nil
	})
	if err != nil || last.Status != "success" || largest.Completed != 2019377376 || largest.Total != 2019377376 {
		t.Errorf("last %+v, largest %+v, error %v", last, largest, err)
	}
}

func TestPullModelFails(t *testing.T) {
	for name, tc := range map[string]struct {
		reply ollamatest.Reply
		kind  reason.Kind
	}{
		"no such model": {ollamatest.Reply{Body: `{"status":"pulling manifest"}` + "\n" + `{"error":"pull model manifest: file does not exist"}` + "\n"}, reason.ModelNotFound},
		"no network":    {ollamatest.Reply{Body: `{"error":"pull model manifest: dial tcp: lookup registry.ollama.ai: no such host"}` + "\n"}, reason.Unavailable},
		"cut":           {ollamatest.Reply{Body: `{"status":"pulling manifest"}` + "\n" + `{"status":"x"}`, CutAfter: 30}, reason.Incomplete},
		"no success":    {ollamatest.Reply{Body: `{"status":"pulling manifest"}` + "\n"}, reason.Incomplete},
	} {
		t.Run(name, func(t *testing.T) {
			server := ollamatest.New(t, ollamatest.Script{Pull: ollamatest.Always(tc.reply)})
			err := open(t, server, nil).PullModel(limited(t), "m", func(sdk.PullProgress) error { return nil })
			wantKind(t, err, tc.kind)
		})
	}
	full := errors.New("the receiver is full")
	server := ollamatest.New(t, ollamatest.Script{})
	if err := open(t, server, nil).PullModel(limited(t), "m", func(sdk.PullProgress) error { return full }); !errors.Is(err, full) {
		t.Errorf("error is %v, want the receiver's", err)
	}
}

func TestServerIsAskedOfAModelOnce(t *testing.T) {
	server := ollamatest.New(t, always(ollamatest.Text("{}")))
	p := open(t, server, nil)
	for range 3 {
		if _, err := p.Generate(limited(t), request()); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(server.To("/api/show")); n != 1 {
		t.Errorf("asked of the model %d times in three calls", n)
	}
}

//go:build ollama

package provider_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"querent.dev/querent/plugins/internal/modeltest"
	"querent.dev/querent/plugins/ollama/provider"
	"querent.dev/querent/plugins/ollama/realollama"
	"querent.dev/querent/plugins/ollama/tinymodel"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// hello is what the scripted model of these tests says to most prompts. Its text
// is cut at places where no reader would cut it.
const hello = "Grüße! Two  spaces, a \"quote\" and 漢字.\n"

// realServer is a running server with model m under the name "tiny", and the provider
// that asks it.
func realServer(t *testing.T, m *tinymodel.Model, o realollama.Options, more settings) (*realollama.Server, *provider.Provider) {
	t.Helper()
	server := realollama.Start(t, o)
	server.Create(t, "tiny", m)
	return server, openReal(t, server, more)
}

func openReal(t *testing.T, server *realollama.Server, more settings) *provider.Provider {
	t.Helper()
	s := settings{"url": server.URL}
	maps.Copy(s, more)
	p, err := configure(t, s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func scripted(t *testing.T, lines ...tinymodel.Line) *tinymodel.Model {
	t.Helper()
	m, err := tinymodel.Scripted(lines...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// say is a request for text.
func say(prompt string) sdk.GenerateRequest {
	return sdk.GenerateRequest{
		RequestID: "r1", Model: "tiny", OutputMode: sdk.OutputText,
		Messages: []sdk.Message{{Role: sdk.RoleSystem, Content: "You speak."}, {Role: sdk.RoleUser, Content: prompt}},
	}
}

func TestRealTextComesWholeAndStreamed(t *testing.T) {
	_, p := realServer(t, scripted(t,
		tinymodel.Line{Say: hello},
		tinymodel.Line{When: "the first phrase", Say: "The first."},
		tinymodel.Line{When: "the second phrase", Say: "The second."},
		tinymodel.Line{When: "Say much.", Say: strings.Repeat("All work and no play makes a dull text. ", 60)},
	), realollama.Options{}, nil)
	for prompt, want := range map[string]string{
		"Speak.":                               hello,
		"Here is the first phrase.":            "The first.",
		"the second phrase, the first phrase?": "The second.",
		strings.Repeat("Nothing here. ", 100) + "the first phrase" + strings.Repeat(" Nothing there.", 100): "The first.",
		"Say much.": strings.Repeat("All work and no play makes a dull text. ", 60),
	} {
		bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
			got, err := ask(p, say(prompt))
			if err != nil {
				t.Fatal(err)
			}
			if got.Text != want || got.Finish != sdk.FinishStop {
				t.Errorf("%.40q: the model said %q (%s), want %q", prompt, got.Text, got.Finish, want)
			}
			if least := int64(len(prompt) / 4); got.Usage.Input.N < least || got.Usage.Output.N == 0 {
				t.Errorf("%.40q: the usage is %+v, want at least %d tokens of input", prompt, got.Usage, least)
			}
		})
	}
}

func TestRealFactsOfModels(t *testing.T) {
	_, p := realServer(t, scripted(t, tinymodel.Line{Say: hello}), realollama.Options{}, nil)
	info, err := p.ModelInfo(limited(t), "tiny")
	if err != nil {
		t.Fatal(err)
	}
	if !info.Present || info.ContextLength != sdk.Known(65536) || info.Tools || info.Thinking || info.Embeddings {
		t.Errorf("the facts are %+v", info)
	}
	if want := []sdk.OutputMode{sdk.OutputSchema, sdk.OutputJSON, sdk.OutputText}; fmt.Sprint(info.OutputModes) != fmt.Sprint(want) {
		t.Errorf("the forms of output are %v, want %v", info.OutputModes, want)
	}
	if info, err := p.ModelInfo(limited(t), "absent"); err != nil || info.Present {
		t.Errorf("a model that is not there: %+v, %v", info, err)
	}
	_, err = p.Generate(limited(t), withModel(say("Speak."), "absent"))
	if e := wantKind(t, err, reason.ModelNotFound); !strings.Contains(e.Message, "ollama pull absent") || e.Status != 404 {
		t.Errorf("status %d: %s", e.Status, e.Message)
	}
}

func withModel(r sdk.GenerateRequest, model string) sdk.GenerateRequest {
	r.Model = model
	return r
}

// boundedSchema is of a form that a model without sense can fill within a hundred
// or so tokens.
const boundedSchema = `{"type":"object","properties":{
	"zeta":{"type":"string","enum":["first","second","third"]},
	"alpha":{"type":"string","maxLength":12},
	"count":{"type":"integer"},
	"sure":{"type":"boolean"},
	"list":{"type":"array","items":{"type":"string","enum":["a","b"]},"maxItems":3}
},"required":["zeta","alpha","count","sure","list"],"additionalProperties":false}`

var inOrder = regexp.MustCompile(`(?s)^\s*\{\s*"zeta"\s*:.*"alpha"\s*:.*"count"\s*:.*"sure"\s*:.*"list"\s*:`)

// A model that says anything at all says JSON of the schema's form, in the order of
// its properties.
func TestRealStructuredOutputIsEnforced(t *testing.T) {
	schema := modeltest.Compiled(t, []byte(boundedSchema))
	server := realollama.Start(t, realollama.Options{})
	p := openReal(t, server, nil)
	seen := map[string]bool{}
	for seed := range 3 {
		name := fmt.Sprintf("random%d", seed)
		server.Create(t, name, tinymodel.Random(uint64(seed)))
		for n := range 4 {
			r := withModel(say("Write JSON."), name)
			r.OutputMode, r.SchemaName, r.Schema, r.Seed = sdk.OutputSchema, "thing", json.RawMessage(boundedSchema), ptr(int64(n))
			got, err := p.Generate(limited(t), r)
			if err != nil {
				t.Fatal(err)
			}
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(got.Text))
			if err == nil {
				err = schema.Validate(value)
			}
			if err != nil || got.Finish != sdk.FinishStop {
				t.Errorf("%s, seed %d: %v (%s)\n%s", name, n, err, got.Finish, got.Text)
			}
			if !inOrder.MatchString(got.Text) {
				t.Errorf("%s, seed %d: the keys are in another order\n%s", name, n, got.Text)
			}
			seen[got.Text] = true
		}
	}
	if len(seen) < 6 {
		t.Errorf("twelve answers were only %d different ones: the model is too tame to show anything", len(seen))
	}
}

func TestRealContextIsWhatWasAskedFor(t *testing.T) {
	server, p := realServer(t, scripted(t, tinymodel.Line{Say: hello}), realollama.Options{}, nil)
	loaded := func(want int) {
		t.Helper()
		models := server.Loaded(t)
		if len(models) != 1 || models[0].ContextLength != want {
			t.Errorf("the server has loaded %+v, want a context of %d", models, want)
		}
	}
	ask := func(r sdk.GenerateRequest, want int) {
		t.Helper()
		got, err := p.Generate(limited(t), r)
		if err != nil || got.EffectiveContext != sdk.Known(int64(want)) {
			t.Fatalf("the context is %v (%v), want %d", got.EffectiveContext, err, want)
		}
		loaded(want)
	}
	ask(say("Speak."), 4096)
	ask(withLimit(say("Speak."), 10000), 16384)
	ask(say("Speak."), 16384)
	r := say("Speak.")
	r.Options = map[string]string{"num_ctx": "5000"}
	ask(r, 5000)

	fixed := openReal(t, server, settings{"num_ctx": 6144})
	if got, err := fixed.Generate(limited(t), say("Speak.")); err != nil || got.Text != hello {
		t.Fatalf("%q, %v", got.Text, err)
	}
	loaded(6144)
}

// The server cuts a prompt that is too long without a word, unless it is told not
// to; a cut prompt must never be answered.
func TestRealPromptIsNeverCut(t *testing.T) {
	server, p := realServer(t, scripted(t, tinymodel.Line{Say: hello}), realollama.Options{}, settings{"num_ctx": 4096})
	bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
		_, err := ask(p, say(strings.Repeat("~", 5000)))
		if e := wantKind(t, err, reason.ContextOverflow); e.Status != 400 || e.OutputSent {
			t.Errorf("status %d, output sent %v: %s", e.Status, e.OutputSent, e.Message)
		}
	})
	// A tilde is a token, which makes 5000 more than 4096. As much as fits is answered, and nothing of it is missing.
	got, err := p.Generate(limited(t), say(strings.Repeat("~", 3500)))
	if err != nil || got.Usage.Input.N < 3500 || got.Text != hello {
		t.Errorf("%+v, %v", got, err)
	}
	if strings.Contains(server.Log(), "truncating input") {
		t.Errorf("the server cut a prompt\n%s", server.Log())
	}
}

// An answer that fills what is left of the context ends there, and says so.
func TestRealAnswerEndsWhereTheLimitIs(t *testing.T) {
	_, p := realServer(t, scripted(t, tinymodel.Line{Endless: "one two three "}), realollama.Options{}, nil)
	bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
		r := say("Speak.")
		r.MaxOutputTokens = 40
		got, err := ask(p, r)
		if err != nil || got.Finish != sdk.FinishLength || got.Usage.Output != sdk.Known(40) || !strings.HasPrefix(got.Text, "one two three one") {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

func TestRealModelStaysAsLongAsAskedFor(t *testing.T) {
	server, p := realServer(t, scripted(t, tinymodel.Line{Say: hello}), realollama.Options{}, settings{"keep_alive": "1h"})
	if _, err := p.Generate(limited(t), say("Speak.")); err != nil {
		t.Fatal(err)
	}
	if models := server.Loaded(t); len(models) != 1 || models[0].ExpiresAt.Before(time.Now().Add(50*time.Minute)) {
		t.Errorf("with an hour the server keeps %+v", models)
	}
	gone := openReal(t, server, settings{"keep_alive": "0"})
	if got, err := gone.Generate(limited(t), say("Speak.")); err != nil || got.Text != hello {
		t.Fatalf("%q, %v", got.Text, err)
	}
	waitFor(t, "the model leaves the memory", func() bool { return len(server.Loaded(t)) == 0 })
}

// waitFor waits until something has happened.
func waitFor(t *testing.T, what string, happened func() bool) {
	t.Helper()
	ctx := limited(t)
	for !happened() {
		select {
		case <-ctx.Done():
			t.Fatalf("it did not come to pass: %s", what)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

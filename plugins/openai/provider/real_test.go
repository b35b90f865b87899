//go:build ollama

package provider_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"querent.dev/querent/plugins/internal/modeltest"
	"querent.dev/querent/plugins/ollama/realollama"
	"querent.dev/querent/plugins/ollama/tinymodel"
	"querent.dev/querent/plugins/openai/provider"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// said is what the scripted model of these tests says: nothing in it should be cut.
const said = "Grüße! Two  spaces, a \"quote\" and 漢字.\n"

// realServer is an Ollama server, which speaks OpenAI's API too, with a model under
// the name "tiny", and the provider that asks it so.
func realServer(t *testing.T, template string, lines ...tinymodel.Line) *provider.Provider {
	t.Helper()
	m, err := tinymodel.Scripted(lines...)
	if err != nil {
		t.Fatal(err)
	}
	server := realollama.Start(t, realollama.Options{})
	server.CreateWith(t, "tiny", m, template)
	server.Create(t, "random", tinymodel.Random(1))
	p, err := configure(t, settings{"base_url": server.URL + "/v1", "embedding_batch": 2})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func say(model, prompt string) sdk.GenerateRequest {
	return sdk.GenerateRequest{RequestID: "r1", Model: model, OutputMode: sdk.OutputText, Messages: []sdk.Message{{Role: sdk.RoleUser, Content: prompt}}}
}

func TestRealCompatibleServer(t *testing.T) {
	p := realServer(t, realollama.PromptTemplate, tinymodel.Line{Say: said}, tinymodel.Line{When: "Say much.", Endless: "one two three "})
	bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
		got, err := ask(p, say("tiny", "Speak."))
		if err != nil || got.Text != said || got.Finish != sdk.FinishStop || got.ModelServed != "tiny" || !got.Usage.Input.Known || got.Usage.Output.N == 0 {
			t.Errorf("%+v, %v", got, err)
		}
		much := say("tiny", "Say much.")
		much.MaxOutputTokens = 20
		if got, err := ask(p, much); err != nil || got.Finish != sdk.FinishLength || got.Usage.Output != sdk.Known(20) {
			t.Errorf("with a limit: %+v, %v", got, err)
		}
		_, err = ask(p, say("absent", "Speak."))
		wantKind(t, err, reason.ModelNotFound)
	})
	for model, there := range map[string]bool{"tiny": true, "absent": false} {
		if info, err := p.ModelInfo(limited(t), model); err != nil || info.Present != there {
			t.Errorf("%s: %+v, %v", model, info, err)
		}
	}
}

func TestRealCompatibleSchema(t *testing.T) {
	p := realServer(t, realollama.PromptTemplate, tinymodel.Line{Say: said})
	const form = `{"type":"object","properties":{"zeta":{"type":"string","enum":["first","second"]},"sure":{"type":"boolean"}},"required":["zeta","sure"],"additionalProperties":false}`
	schema := modeltest.Compiled(t, []byte(form))
	bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
		r := say("random", "Write JSON.")
		r.OutputMode, r.SchemaName, r.Schema, r.MaxOutputTokens, r.Seed = sdk.OutputSchema, "thing", json.RawMessage(form), 400, ptr(int64(3))
		got, err := ask(p, r)
		if err != nil {
			t.Fatal(err)
		}
		var value any
		if err := json.Unmarshal([]byte(got.Text), &value); err != nil || schema.Validate(value) != nil {
			t.Errorf("%v: %s", err, got.Text)
		}
	})
}

func TestRealCompatibleToolCall(t *testing.T) {
	p := realServer(t, "{{ range .Tools }}{{ . }}\n{{ end }}"+realollama.PromptTemplate,
		tinymodel.Line{Say: `{"name": "plan", "parameters": {"zeta": "one"}}`})
	bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
		r := say("tiny", "Call the tool.")
		r.OutputMode, r.SchemaName, r.Schema = sdk.OutputTool, "plan", json.RawMessage(`{"type":"object","properties":{"zeta":{"type":"string"}},"required":["zeta"]}`)
		got, err := ask(p, r)
		if err != nil || got.ToolName != "plan" || string(got.ToolArguments) != `{"zeta":"one"}` || got.Finish != sdk.FinishTool {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

func TestRealCompatibleEmbeddings(t *testing.T) {
	p := realServer(t, realollama.PromptTemplate, tinymodel.Line{Say: said})
	got, err := p.Embed(limited(t), sdk.EmbedRequest{RequestID: "r1", Model: "random", Texts: strings.Fields("one two six one")})
	if err != nil || len(got.Vectors) != 4 || !slices.Equal(got.Vectors[0], got.Vectors[3]) || slices.Equal(got.Vectors[0], got.Vectors[1]) {
		t.Errorf("%d vectors, %v", len(got.Vectors), err)
	}
}

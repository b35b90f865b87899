//go:build ollama

package provider_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"querent.dev/querent/plugins/ollama/realollama"
	"querent.dev/querent/plugins/ollama/tinymodel"
	"querent.dev/querent/sdk"
)

const (
	// toolTemplate makes the server look for calls of tools in what a model says.
	toolTemplate = "{{ range .Tools }}{{ . }}\n{{ end }}" + realollama.PromptTemplate
	// thinkTemplate makes it tell thoughts from the answer.
	thinkTemplate = "{{ range .Messages }}{{ if .Thinking }}<think>{{ .Thinking }}</think>{{ end }}{{ .Content }}\n{{ end }}" + tinymodel.Cue
)

// A tool call comes in a line of its own before the last one, whether the answer is
// streamed to the end or not.
func TestRealToolCallsAreStreamed(t *testing.T) {
	server := realollama.Start(t, realollama.Options{})
	server.CreateWith(t, "tiny", scripted(t,
		tinymodel.Line{Say: `{"name": "plan", "parameters": {"zeta": "one", "alpha": 2}}`},
		tinymodel.Line{When: "Only talk.", Say: hello},
	), toolTemplate)
	p := openReal(t, server, nil)
	if info, err := p.ModelInfo(limited(t), "tiny"); err != nil || !info.Tools || !slices.Contains(info.OutputModes, sdk.OutputTool) {
		t.Fatalf("the facts are %+v, %v", info, err)
	}
	r := say("Call the tool.")
	r.OutputMode, r.SchemaName = sdk.OutputTool, "plan"
	r.Schema = json.RawMessage(`{"type":"object","properties":{"zeta":{"type":"string"},"alpha":{"type":"integer"}},"required":["zeta","alpha"]}`)
	bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
		got, err := ask(p, r)
		if err != nil {
			t.Fatal(err)
		}
		var arguments struct {
			Zeta  string
			Alpha int
		}
		// The server keeps no order of the keys.
		if err := json.Unmarshal(got.ToolArguments, &arguments); err != nil || arguments.Zeta != "one" || arguments.Alpha != 2 {
			t.Errorf("the arguments are %s, %v", got.ToolArguments, err)
		}
		if got.ToolName != "plan" || got.Finish != sdk.FinishTool || got.Text != "" {
			t.Errorf("%+v", got)
		}
	})
	_, kinds, err := streamed(limited(t), p, r)
	if want := []sdk.ChunkKind{sdk.ChunkTool, sdk.ChunkUsage, sdk.ChunkFinish}; err != nil || !slices.Equal(kinds, want) {
		t.Errorf("chunks %v, error %v; want %v", kinds, err, want)
	}
	r.Messages[1].Content = "Only talk."
	if got, err := p.Generate(limited(t), r); err != nil || got.Text != hello || got.ToolName != "" || got.Finish != sdk.FinishStop {
		t.Errorf("without a call: %+v, %v", got, err)
	}
}

// thinker is a server with a model that thinks before it speaks.
func thinker(t *testing.T) *realollama.Server {
	t.Helper()
	server := realollama.Start(t, realollama.Options{})
	server.CreateWith(t, "tiny", scripted(t, tinymodel.Line{Say: "<think>Let me see.</think>" + hello}), thinkTemplate)
	return server
}

func TestRealThinkingComesApart(t *testing.T) {
	p := openReal(t, thinker(t), nil)
	if info, err := p.ModelInfo(limited(t), "tiny"); err != nil || !info.Thinking {
		t.Fatalf("the facts are %+v, %v", info, err)
	}
	bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
		r := say("Speak.")
		r.Thinking = ptr(true)
		got, err := ask(p, r)
		if err != nil || got.Thinking != "Let me see." || got.Text != hello || len(got.Warnings) != 0 {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

func TestRealEmbeddings(t *testing.T) {
	_, p := realServer(t, tinymodel.Random(1), realollama.Options{}, settings{"embedding_batch": 2})
	texts := []string{"one", "two", "six", "one", "ten"}
	got, err := p.Embed(limited(t), sdk.EmbedRequest{RequestID: "r1", Model: "tiny", Texts: texts})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Vectors) != len(texts) || got.ModelServed != "tiny" || !got.Usage.Input.Known {
		t.Fatalf("%d vectors of %s, usage %+v", len(got.Vectors), got.ModelServed, got.Usage)
	}
	for i, v := range got.Vectors {
		if len(v) == 0 || len(v) != len(got.Vectors[0]) {
			t.Errorf("vector %d has %d figures, the first %d", i, len(v), len(got.Vectors[0]))
		}
	}
	if !slices.Equal(got.Vectors[0], got.Vectors[3]) || slices.Equal(got.Vectors[0], got.Vectors[1]) {
		t.Errorf("the same text has the vectors\n%s\n%s\nand another one\n%s", some(got.Vectors[0]), some(got.Vectors[3]), some(got.Vectors[1]))
	}
}

func some(v []float32) string { return strings.TrimSpace(fmt.Sprint(v[:min(4, len(v))])) }

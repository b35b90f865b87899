package provider_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/plugins/ollama/ollamatest"
	"querent.dev/querent/plugins/ollama/provider"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// TestMain names a proxy that nothing listens at: every test then shows that a
// server on the own machine is reached without one.
func TestMain(m *testing.M) {
	os.Setenv("HTTP_PROXY", "http://127.0.0.1:9")
	os.Setenv("HTTPS_PROXY", "http://127.0.0.1:9")
	os.Exit(m.Run())
}

const key = "gate-key-0123456789"

// settings is what a test configures beside the address and the key.
type settings map[string]any

func configure(t *testing.T, s settings) (*provider.Provider, error) {
	t.Helper()
	raw, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	p := &provider.Provider{}
	t.Cleanup(func() { p.Stop(context.Background()) })
	return p, p.Configure(t.Context(), sdk.Configuration{Provider: "local", Settings: raw})
}

func open(t *testing.T, server *ollamatest.Server, more settings) *provider.Provider {
	t.Helper()
	s := settings{"url": server.URL, "api_key": key}
	maps.Copy(s, more)
	p, err := configure(t, s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const planSchema = `{"type":"object","properties":{"zeta":{"type":"string"},"alpha":{"type":"string"}},"required":["zeta","alpha"],"additionalProperties":false}`

func request() sdk.GenerateRequest {
	return sdk.GenerateRequest{
		RequestID: "r1", Model: "qwen2.5-coder:7b", OutputMode: sdk.OutputSchema, SchemaName: "plan", Schema: json.RawMessage(planSchema),
		Messages: []sdk.Message{{Role: sdk.RoleSystem, Content: "You plan."}, {Role: sdk.RoleUser, Content: "How many riders?"}},
	}
}

// limited is a context that ends a test that would hang.
func limited(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// streamed collects a stream into what Generate would have returned.
func streamed(ctx context.Context, m sdk.Model, r sdk.GenerateRequest) (sdk.GenerateResponse, []sdk.ChunkKind, error) {
	var out sdk.GenerateResponse
	var kinds []sdk.ChunkKind
	var text, thinking, tool strings.Builder
	err := m.GenerateStream(ctx, r, func(c sdk.Chunk) error {
		if len(kinds) == 0 || kinds[len(kinds)-1] != c.Kind {
			kinds = append(kinds, c.Kind)
		}
		switch c.Kind {
		case sdk.ChunkText:
			text.WriteString(c.Text)
		case sdk.ChunkThinking:
			thinking.WriteString(c.Text)
		case sdk.ChunkTool:
			tool.WriteString(c.Text)
		case sdk.ChunkFinish:
			out = c.Response
		}
		return nil
	})
	out.Text, out.Thinking = text.String(), thinking.String()
	if tool.Len() > 0 {
		out.ToolArguments = json.RawMessage(tool.String())
	}
	return out, kinds, err
}

// bothWays runs a check on Generate and on GenerateStream.
func bothWays(t *testing.T, check func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error))) {
	t.Run("whole", func(t *testing.T) {
		check(t, func(m sdk.Model, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
			return m.Generate(limited(t), r)
		})
	})
	t.Run("stream", func(t *testing.T) {
		check(t, func(m sdk.Model, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
			out, _, err := streamed(limited(t), m, r)
			return out, err
		})
	})
}

func wantKind(t *testing.T, err error, kind reason.Kind) *sdk.Error {
	t.Helper()
	var e *sdk.Error
	if !errors.As(err, &e) {
		t.Fatalf("error is %v, want an *sdk.Error of kind %s", err, kind)
	}
	if e.Kind != kind {
		t.Fatalf("kind is %s (%s), want %s", e.Kind, e.Message, kind)
	}
	return e
}

func ptr[T any](v T) *T { return &v }

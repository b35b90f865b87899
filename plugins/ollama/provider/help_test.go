package provider_test

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"testing"

	"querent.dev/querent/plugins/internal/modeltest"
	"querent.dev/querent/plugins/ollama/ollamatest"
	"querent.dev/querent/plugins/ollama/provider"
	"querent.dev/querent/sdk"
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

// The helpers that the tests of both plugins share.
var (
	limited  = modeltest.Limited
	streamed = modeltest.Streamed
	bothWays = modeltest.BothWays
	wantKind = modeltest.WantKind
)

func ptr[T any](v T) *T { return &v }

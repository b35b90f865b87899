//go:build ollama

package provider_test

import (
	"encoding/json"
	"testing"

	"querent.dev/querent/plugins/ollama/provider"
	"querent.dev/querent/plugins/ollama/realollama"
	"querent.dev/querent/plugins/ollama/tinymodel"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/conformance"
)

// The contracts that need no server of the kit's own hold with the real one, too.
func TestRealConformance(t *testing.T) {
	server := realollama.Start(t, realollama.Options{Parallel: 4})
	server.Create(t, "tiny", scripted(t, tinymodel.Line{Say: hello}))
	settings, err := json.Marshal(map[string]string{"url": server.URL})
	if err != nil {
		t.Fatal(err)
	}
	conformance.Run(t, conformance.Target{
		Open: conformance.InProcess(func() sdk.Plugin {
			p := &provider.Provider{}
			return sdk.Plugin{Lifecycle: p, Model: p}
		}),
		Settings: func(string) json.RawMessage { return settings }, Model: "tiny",
	})
}

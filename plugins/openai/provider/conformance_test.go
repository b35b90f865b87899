package provider_test

import (
	"testing"

	"querent.dev/querent/plugins/openai/provider"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/conformance"
	"querent.dev/querent/sdk/conformance/fakeserver"
)

func TestConformance(t *testing.T) {
	conformance.Run(t, conformance.Target{
		Open: conformance.InProcess(func() sdk.Plugin {
			p := &provider.Provider{}
			return sdk.Plugin{Lifecycle: p, Model: p}
		}),
		Settings: conformance.OpenAISettings, Shape: fakeserver.OpenAI,
	})
}

package sdk_test

import (
	"encoding/json"
	"testing"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/conformance"
)

func TestTheExampleConforms(t *testing.T) {
	conformance.Run(t, conformance.Target{
		Open: conformance.InProcess(func() sdk.Plugin {
			c := &counter{}
			return sdk.Plugin{Lifecycle: c, Planner: c}
		}),
		Settings: func(string) json.RawMessage { return json.RawMessage(`{"unit":"rows"}`) },
	})
}

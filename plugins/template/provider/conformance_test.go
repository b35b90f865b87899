package provider_test

import (
	"testing"

	"querent.dev/querent/plugins/template/provider"
	"querent.dev/querent/sdk/conformance"
)

func TestConformance(t *testing.T) {
	conformance.Run(t, conformance.Target{Open: conformance.InProcess(provider.New)})
}

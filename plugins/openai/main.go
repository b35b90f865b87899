// Command querent-plugin-openai makes OpenAI, Azure OpenAI and compatible servers
// a provider of Querent.
package main

import (
	"querent.dev/querent/plugins/openai/provider"
	"querent.dev/querent/sdk"
)

func main() {
	p := &provider.Provider{}
	sdk.Serve(sdk.Plugin{Lifecycle: p, Model: p})
}

// Command querent-plugin-ollama makes an Ollama server a provider of Querent.
package main

import (
	"querent.dev/querent/plugins/ollama/provider"
	"querent.dev/querent/sdk"
)

func main() {
	p := &provider.Provider{}
	sdk.Serve(sdk.Plugin{Lifecycle: p, Model: p})
}

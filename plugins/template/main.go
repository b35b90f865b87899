// Command querent-plugin-template plans and words without a model: the same
// question gives the same bytes.
package main

import (
	"querent.dev/querent/plugins/template/provider"
	"querent.dev/querent/sdk"
)

func main() { sdk.Serve(provider.New()) }

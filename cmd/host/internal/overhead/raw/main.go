// Command raw is the bare go-plugin program against which the host is measured.
package main

import (
	"github.com/hashicorp/go-plugin"

	"querent.dev/querent/cmd/host/internal/overhead"
)

func main() {
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: overhead.Handshake,
		Plugins:         plugin.PluginSet{"echo": overhead.Echo{}},
		GRPCServer:      plugin.DefaultGRPCServer,
	})
}

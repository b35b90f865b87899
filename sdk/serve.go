package sdk

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
)

// Serve runs a plugin's process: it is all that main does. It returns when the
// host has stopped the plugin, and ends the process when the executable was not
// started by a host or when the host is gone.
//
// A panic in a call becomes an error of kind internal, with its stack in the
// log, and the process lives on. A panic in a goroutine that the plugin started
// by itself ends the process.
//
// Where nobody but a developer starts the plugin, with the variable
// QUERENT_PLUGIN_DEBUG set, Serve prints what a host needs to use this process in
// place of one of its own, and serves until it is interrupted. Hosts then come and
// go: each calls Configure.
func Serve(p Plugin) {
	if p.Lifecycle == nil {
		fmt.Fprintln(stderr, "sdk.Serve: the Plugin has no Lifecycle")
		os.Exit(1)
	}
	if os.Getenv(EnvDebug) != "" && os.Getenv(MagicCookieKey) == "" {
		if err := serveByHand(p); err != nil {
			fmt.Fprintln(stderr, "sdk.Serve:", err)
			os.Exit(1)
		}
		return
	}
	if os.Getenv(EnvHostWatch) == HostWatchStdin {
		go exitWithHost(os.Stdin)
	}
	restore, err := divertPrints()
	if err != nil {
		fmt.Fprintln(stderr, "sdk.Serve:", err)
		os.Exit(1)
	}
	defer restore()
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig:  plugin.HandshakeConfig{MagicCookieKey: MagicCookieKey, MagicCookieValue: MagicCookieValue},
		VersionedPlugins: map[int]plugin.PluginSet{ProtocolVersion: {"querent": &protocolV1{plugin: p}}},
		GRPCServer:       newGRPCServer,
		Logger:           Logger(),
	})
}

// protocolV1 registers the services of protocol version 1.
type protocolV1 struct {
	plugin.NetRPCUnsupportedPlugin
	plugin Plugin
}

var _ plugin.GRPCPlugin = (*protocolV1)(nil)

// GRPCServer is called by go-plugin when the host chose this version.
func (v *protocolV1) GRPCServer(_ *plugin.GRPCBroker, s *grpc.Server) error {
	register(s, v.plugin)
	return nil
}

// GRPCClient is the host's side, which does not go through go-plugin.
func (v *protocolV1) GRPCClient(context.Context, *plugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, fmt.Errorf("use sdk/client")
}

// divertPrints makes os.Stdout a pipe through which only the handshake reaches
// the host. The returned function ends that.
func divertPrints() (restore func(), err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		passHandshake(r, stdout, stderr)
	}()
	os.Stdout = w
	return func() {
		_ = w.Close() // ends passHandshake; nothing is left to be lost
		<-done
	}, nil
}

// exitWithHost ends the process at the end of in, which is a pipe that the host
// holds open: it ends however the host ends. It runs as long as the process.
func exitWithHost(in io.Reader) {
	_, _ = io.Copy(io.Discard, in) // an error is the end, too
	os.Exit(0)
}

package sdk

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

// serveByHand serves at a socket of its own and prints where, until the process is
// interrupted.
func serveByHand(p Plugin) error {
	dir, err := os.MkdirTemp("", "querent-debug-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	listener, err := net.Listen("unix", filepath.Join(dir, "plugin"))
	if err != nil {
		return err
	}
	if err := printReattach(p.Lifecycle.Describe().Name, listener.Addr()); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	server := NewServer(p)
	defer context.AfterFunc(ctx, server.Stop)()
	return server.Serve(listener)
}

// printReattach prints the variable with which a host uses this process, in
// go-plugin's form.
func printReattach(name string, address net.Addr) error {
	type addr struct{ Network, String string }
	text, err := json.Marshal(struct {
		Protocol        string
		ProtocolVersion int
		Pid             int
		Addr            addr
	}{"grpc", ProtocolVersion, os.Getpid(), addr{address.Network(), address.String()}})
	if err != nil {
		return err
	}
	variable := ReattachPrefix + strings.ToUpper(strings.NewReplacer("-", "_", ".", "_").Replace(name))
	_, err = fmt.Fprintf(stdout, "%s='%s'\n", variable, text)
	return err
}

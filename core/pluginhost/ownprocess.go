package pluginhost

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"querent.dev/querent/sdk"
)

// ownProcess carries a generation in a process that the host starts. It is never
// used again once it has ended: go-plugin's Client cannot be.
type ownProcess struct {
	started bool // the handshake was read
	spec    Spec
	opts    Options
	process *process
	plugin  *plugin.Client
	conn    *grpc.ClientConn
}

var _ carrier = (*ownProcess)(nil)

// newProcess makes the process of what was prepared, and does not start it.
func (h *Host) newProcess(s Spec, p *prepared) (*ownProcess, error) {
	sockets, err := h.sockets.get()
	if err != nil {
		return nil, s.misconfigured(err.Error())
	}
	logger := h.opts.Logger.Named(string(s.Plugin)).With("provider", string(s.Provider))
	process := &process{
		path: p.path, image: p.image, confine: h.confinement(s), launch: h.spawner.do, dead: make(chan struct{}), done: make(chan struct{}),
		logs: &logLines{logger: logger, redact: h.opts.Redact}, env: h.environment(s),
	}
	return &ownProcess{
		spec: s, opts: h.opts, process: process, plugin: plugin.NewClient(clientConfig(s, h.opts, process, sockets)),
	}, nil
}

func (h *Host) environment(s Spec) []string {
	return environment(h.opts.Environ(), s.Env, s.softMemory(h.opts.MemoryLimit), h.opts.Logger.GetLevel())
}

func clientConfig(s Spec, o Options, p *process, sockets string) *plugin.ClientConfig {
	return &plugin.ClientConfig{
		HandshakeConfig:  plugin.HandshakeConfig{MagicCookieKey: sdk.MagicCookieKey, MagicCookieValue: sdk.MagicCookieValue},
		VersionedPlugins: map[int]plugin.PluginSet{sdk.ProtocolVersion: {}},
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		RunnerFunc:       p.runner,
		UnixSocketConfig: &plugin.UnixSocketConfig{TempDir: sockets},
		SkipHostEnv:      true,
		AutoMTLS:         s.TLS,
		StartTimeout:     o.Timeouts.Start,
		Logger:           hclog.NewNullLogger(), // the host logs starts and ends itself
		Stderr:           io.Discard,
		SyncStdout:       p.logs,
		SyncStderr:       p.logs,
		GRPCDialOptions:  []grpc.DialOption{messageLimits()},
	}
}

// messageLimits are those of the protocol, on the host's side.
func messageLimits() grpc.DialOption {
	return grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(sdk.MaxMessageBytes), grpc.MaxCallSendMsgSize(sdk.MaxMessageBytes))
}

// connect starts the process and reads its handshake.
func (o *ownProcess) connect(ctx context.Context, spawned func()) (*grpc.ClientConn, error) {
	o.process.spawned = spawned
	began := time.Now()
	if _, err := o.plugin.Start(); err != nil {
		return nil, o.explainStart(ctx, time.Since(began), err)
	}
	o.started = true
	if o.spec.TLS && !handshakeHasCertificate(o.process.stdout.line()) {
		return nil, o.spec.misconfigured(fmt.Sprintf("%s does not encrypt its connection; if it cannot, write plugins: {%s: {tls: \"off\"}}", o.process.path, o.spec.Plugin))
	}
	protocol, err := o.plugin.Client()
	if err != nil {
		return nil, o.spec.unavailable("connecting to the plugin: %w", err)
	}
	connected, ok := protocol.(*plugin.GRPCClient)
	if !ok {
		return nil, o.spec.misconfigured("the plugin does not speak gRPC")
	}
	o.conn = connected.Conn
	return o.conn, nil
}

func (o *ownProcess) pid() int { return o.process.pid() }

func (o *ownProcess) hasEnded() bool { return o.process.hasEnded() }

func (o *ownProcess) ended() <-chan struct{} { return o.process.done }

func (o *ownProcess) cause() error { return o.process.ended() }

func (o *ownProcess) settle() { o.process.settle() }

func (o *ownProcess) kill() { o.process.kill() }

// termTime is how long a process that agreed to stop is given to end after it was
// told to; it has nothing left to do.
const termTime = 500 * time.Millisecond

func (o *ownProcess) end(ctx context.Context, stop func(context.Context) error) {
	if err := stop(ctx); err != nil {
		return // it will not end by itself
	}
	o.process.terminate()
	select {
	case <-o.process.done:
	case <-ctx.Done():
	case <-time.After(termTime):
	}
}

func (o *ownProcess) discard() error {
	o.process.kill()
	if err := o.process.awaitEnd(); err != nil {
		return o.spec.unavailable("%w", err)
	}
	if o.conn != nil {
		_ = o.conn.Close() // the other end is gone
	}
	if o.conn != nil || !o.started {
		o.plugin.Kill() // waits for go-plugin's goroutines, which end with the process's streams
	} // else Kill would dial the process that is gone, and never close that connection
	if o.process.socketDir == "" {
		return nil
	}
	return os.RemoveAll(o.process.socketDir)
}

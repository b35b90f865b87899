package pluginhost

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/client"
	"querent.dev/querent/sdk/reason"
)

// generation is one process of an instance, from its start to its end. It is
// made ready or not made at all, and never used again once it has ended:
// go-plugin's Client cannot be.
type generation struct {
	started bool // the handshake was read
	spec    Spec
	opts    Options
	process *process
	plugin  *plugin.Client
	conn    *grpc.ClientConn
	client  *client.Client

	description sdk.Description
}

// startGeneration starts a process and makes it ready. Its errors are
// *reason.Error, and nothing is left of a process that did not become ready.
func (h *Host) startGeneration(ctx context.Context, s Spec) (*generation, error) {
	g, err := h.newGeneration(s)
	if err != nil {
		return nil, err
	}
	if g.process.image != nil {
		defer g.process.image.Close() // the process has its own from the start on
	}
	stopWatching := context.AfterFunc(ctx, g.process.kill)
	err = g.becomeReady(ctx)
	if err == nil && !stopWatching() {
		err = s.startEnded(ctx)
	}
	if err != nil {
		stopWatching()
		g.discard()
		return nil, err
	}
	return g, nil
}

func (h *Host) newGeneration(s Spec) (*generation, error) {
	path, err := filepath.Abs(s.Path)
	if err != nil {
		return nil, s.misconfigured(err.Error())
	}
	image, err := openExecutable(s, path, h.opts.Lock)
	if err != nil {
		return nil, err
	}
	sockets, err := h.sockets.get()
	if err != nil {
		if image != nil {
			_ = image.Close() // only read from
		}
		return nil, s.misconfigured(err.Error())
	}
	logger := h.opts.Logger.Named(string(s.Plugin)).With("provider", string(s.Provider))
	p := &process{
		path: path, image: image, launch: h.spawner.do, dead: make(chan struct{}), done: make(chan struct{}), logs: &logLines{logger: logger},
		env: environment(h.opts.Environ(), s.Env, h.opts.MemoryLimit, h.opts.Logger.GetLevel()),
	}
	return &generation{spec: s, opts: h.opts, process: p, plugin: plugin.NewClient(clientConfig(s, h.opts, p, sockets))}, nil
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
		GRPCDialOptions: []grpc.DialOption{grpc.WithDefaultCallOptions(
			grpc.MaxCallRecvMsgSize(sdk.MaxMessageBytes), grpc.MaxCallSendMsgSize(sdk.MaxMessageBytes))},
	}
}

// openExecutable checks that there is something to run, and, when the host has a
// lock file, that it is what is to run. It returns what was checked, open, in the
// latter case only.
func openExecutable(s Spec, path string, lock *Lock) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, s.misconfigured(fmt.Sprintf("the plugin's executable %s cannot be read (%v); set plugin_dir to the folder that holds it", path, pathCause(err)))
	}
	if !info.Mode().IsRegular() {
		return nil, s.misconfigured(path + " is not a file, so it cannot be the plugin's executable")
	}
	if lock == nil {
		return nil, nil
	}
	image, err := openImage(path)
	if err != nil {
		return nil, s.misconfigured(fmt.Sprintf("the plugin's executable %s cannot be checked (%v)", path, pathCause(err)))
	}
	if err := lock.Check(s.Plugin, path, image); err != nil {
		_ = image.Close() // only read from
		return nil, s.misconfigured(err.Error())
	}
	return image, nil
}

// becomeReady goes all the way from the start to a healthy plugin.
func (g *generation) becomeReady(ctx context.Context) error {
	if err := g.handshake(ctx); err != nil {
		return err
	}
	if err := g.describe(ctx); err != nil {
		return err
	}
	if err := g.configure(ctx); err != nil {
		return err
	}
	return g.checkHealth(ctx)
}

// handshake starts the process and connects to it.
func (g *generation) handshake(ctx context.Context) error {
	began := time.Now()
	if _, err := g.plugin.Start(); err != nil {
		return g.explainStart(ctx, time.Since(began), err)
	}
	g.started = true
	if g.spec.TLS && !handshakeHasCertificate(g.process.stdout.line()) {
		return g.spec.misconfigured(fmt.Sprintf("%s does not encrypt its connection; if it cannot, write plugins: {%s: {tls: \"off\"}}", g.process.path, g.spec.Plugin))
	}
	protocol, err := g.plugin.Client()
	if err != nil {
		return g.spec.unavailable("connecting to the plugin: %w", err)
	}
	conn, ok := protocol.(*plugin.GRPCClient)
	if !ok {
		return g.spec.misconfigured("the plugin does not speak gRPC")
	}
	g.conn = conn.Conn
	g.client = client.New(conn.Conn)
	return nil
}

func (g *generation) describe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, g.opts.Timeouts.Control)
	defer cancel()
	d, err := g.client.Describe(ctx)
	if err != nil {
		return g.spec.fromPlugin("Describe", err)
	}
	g.description = d
	return nil
}

// configure checks the settings against the plugin's schema, reads the files
// that they name, and hands both over.
func (g *generation) configure(ctx context.Context) error {
	c, err := configuration(g.spec, g.description.ConfigSchema)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, g.opts.Timeouts.Configure)
	defer cancel()
	if err := g.client.Configure(ctx, c); err != nil {
		return g.spec.fromPlugin("Configure", err)
	}
	return nil
}

func (g *generation) checkHealth(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, g.opts.Timeouts.Control)
	defer cancel()
	health, err := g.client.Health(ctx)
	if err != nil {
		return g.spec.fromPlugin("Health", err)
	}
	if !health.OK {
		return g.spec.unavailable("the plugin says that it is not healthy: %s", health.Message)
	}
	return nil
}

// fromPlugin is the error of a control call. Its text is the plugin's, so it is
// not in the safe message.
func (s Spec) fromPlugin(call string, err error) *reason.Error {
	return s.failed(sdk.KindOf(err), "%s: %w", call, err)
}

// startEnded is the error of a start whose context ended.
func (s Spec) startEnded(ctx context.Context) *reason.Error {
	if ctx.Err() == context.DeadlineExceeded {
		return s.failed(reason.Timeout, "the plugin was not ready within the caller's deadline")
	}
	return s.failed(reason.Cancelled, "the start of the plugin was cancelled")
}

// termTime is how long a process that agreed to stop is given to end after it was
// told to; it has nothing left to do.
const termTime = 500 * time.Millisecond

// stop ends the process: its Stop, a signal to its group, and after the grace a
// kill of the group. It returns when the process is gone.
func (g *generation) stop(ctx context.Context) error {
	grace, cancel := context.WithTimeout(ctx, g.opts.Timeouts.Stop)
	defer cancel()
	if err := g.client.Stop(grace); err == nil {
		g.process.terminate()
		select {
		case <-g.process.done:
		case <-grace.Done():
		case <-time.After(termTime):
		}
	}
	return g.discard()
}

// discard kills the process if it still runs, and frees what the host holds for
// it.
func (g *generation) discard() error {
	g.process.kill()
	if err := g.process.awaitEnd(); err != nil {
		return g.spec.unavailable("%w", err)
	}
	if g.conn != nil {
		_ = g.conn.Close() // the other end is gone
	}
	if g.conn != nil || !g.started {
		g.plugin.Kill() // waits for go-plugin's goroutines, which end with the process's streams
	} // else Kill would dial the process that is gone, and never close that connection
	if g.process.socketDir == "" {
		return nil
	}
	return os.RemoveAll(g.process.socketDir)
}

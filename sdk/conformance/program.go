package conformance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"github.com/hashicorp/go-plugin/runner"

	"querent.dev/querent/sdk"
)

// Program is a plugin's executable, in whatever language.
type Program struct {
	Path string
	// Env is the whole environment, NAME=VALUE, beside what the protocol adds. nil:
	// PATH, HOME, TZ and LANG of this process.
	Env []string
	// NoTLS turns the encryption of the connection off, for languages that cannot.
	NoTLS bool
	// Log gets what the plugin writes to standard error. nil: it is dropped.
	Log io.Writer
}

const (
	// startTime is when a start counts as failed; a loaded machine was seen to take 10 s.
	startTime = 30 * time.Second
	// endTime is how long a process may take to end by itself.
	endTime = 10 * time.Second
)

// Open starts the program, not configured. Its Connection ends it.
func (p Program) Open(ctx context.Context) (*Connection, error) {
	running, err := p.start(ctx)
	if err != nil {
		return nil, err
	}
	return running.connection, nil
}

// running is a started program.
type running struct {
	*process
	connection *Connection
}

func (p Program) start(ctx context.Context) (*running, error) {
	log := p.Log
	if log == nil {
		log = io.Discard
	}
	proc := &process{path: p.Path, env: p.environment(), done: make(chan struct{})}
	plugin := goplugin.NewClient(&goplugin.ClientConfig{
		HandshakeConfig:  goplugin.HandshakeConfig{MagicCookieKey: sdk.MagicCookieKey, MagicCookieValue: sdk.MagicCookieValue},
		VersionedPlugins: map[int]goplugin.PluginSet{sdk.ProtocolVersion: {}},
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		RunnerFunc:       proc.runner,
		SkipHostEnv:      true, AutoMTLS: !p.NoTLS, StartTimeout: startTime,
		Logger: hclog.NewNullLogger(), Stderr: log, SyncStdout: log, SyncStderr: log,
	})
	stopWaiting := context.AfterFunc(ctx, proc.kill)
	defer stopWaiting()
	protocol, err := plugin.Client()
	if err != nil {
		proc.kill()
		plugin.Kill() // frees what go-plugin holds
		return nil, fmt.Errorf("%s: %w", p.Path, err)
	}
	conn, ok := protocol.(*goplugin.GRPCClient)
	if !ok {
		proc.kill()
		plugin.Kill()
		return nil, fmt.Errorf("%s does not speak gRPC", p.Path)
	}
	return &running{proc, &Connection{Conn: conn.Conn, Close: func() error {
		proc.end()
		err := conn.Conn.Close()
		plugin.Kill() // waits for go-plugin's goroutines, which end with the process's streams
		return err
	}}}, nil
}

// environment is what the program gets, without what go-plugin adds.
func (p Program) environment() []string {
	return append(p.ownEnvironment(), sdk.EnvLogLevel+"=warn", sdk.EnvHostWatch+"="+sdk.HostWatchStdin)
}

// ownEnvironment is environment without what a host adds.
func (p Program) ownEnvironment() []string {
	if p.Env != nil {
		return slices.Clone(p.Env)
	}
	var env []string
	for _, name := range []string{"PATH", "HOME", "TZ", "LANG"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// process is go-plugin's runner of a program, with a pipe to its standard input,
// at whose end the program must end.
type process struct {
	path string
	env  []string

	started        atomic.Pointer[os.Process]
	stdin          io.WriteCloser
	stdout, stderr io.ReadCloser
	done           chan struct{} // closed when the process has ended
}

var _ runner.Runner = (*process)(nil)

func (p *process) runner(_ hclog.Logger, cmd *exec.Cmd, _ string) (runner.Runner, error) {
	p.env = append(p.env, cmd.Env...)
	return p, nil
}

// Start implements runner.Runner.
func (p *process) Start(context.Context) error {
	cmd := &exec.Cmd{Path: p.path, Args: []string{p.path}, Env: p.env}
	var in, out, errs error
	p.stdin, in = cmd.StdinPipe()
	p.stdout, out = cmd.StdoutPipe()
	p.stderr, errs = cmd.StderrPipe()
	if err := errors.Join(in, out, errs); err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	p.started.Store(cmd.Process)
	go func() {
		defer close(p.done)
		_, _ = cmd.Process.Wait() // how it ended shows in the calls that it cut
	}()
	return nil
}

// end closes standard input, at which the process must end, and kills it if it
// does not. It returns when the process is gone.
func (p *process) end() {
	_ = p.stdin.Close() // the process may be gone
	timer := time.NewTimer(endTime)
	defer timer.Stop()
	select {
	case <-p.done:
	case <-timer.C:
		p.kill()
		<-p.done
	}
	_ = p.stdout.Close() // a grandchild may hold the other ends open
	_ = p.stderr.Close()
}

// kill ends the process, if it was started.
func (p *process) kill() {
	if started := p.started.Load(); started != nil {
		_ = started.Kill() // it may have ended
	}
}

// Wait implements runner.Runner.
func (p *process) Wait(ctx context.Context) error {
	select {
	case <-p.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Kill implements runner.Runner.
func (p *process) Kill(context.Context) error {
	p.kill()
	return nil
}

// Stdout implements runner.Runner.
func (p *process) Stdout() io.ReadCloser { return p.stdout }

// Stderr implements runner.Runner.
func (p *process) Stderr() io.ReadCloser { return p.stderr }

// Name implements runner.Runner.
func (p *process) Name() string { return p.path }

// ID implements runner.Runner.
func (p *process) ID() string {
	if started := p.started.Load(); started != nil {
		return strconv.Itoa(started.Pid)
	}
	return "0"
}

// Diagnose implements runner.Runner. There is nothing to add.
func (p *process) Diagnose(context.Context) string { return "" }

// PluginToHost implements runner.Runner: both run on the same machine.
func (p *process) PluginToHost(network, address string) (string, string, error) {
	return network, address, nil
}

// HostToPlugin implements runner.Runner: both run on the same machine.
func (p *process) HostToPlugin(network, address string) (string, string, error) {
	return network, address, nil
}

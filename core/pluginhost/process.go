package pluginhost

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin/runner"
)

// process is one run of a plugin's executable. It is go-plugin's runner, with
// what go-plugin's own lacks: pipes that a grandchild cannot hold open, a group
// that is killed as a whole, standard input that ends with the host, and a
// reader of log lines that a plugin cannot make panic.
type process struct {
	path string
	// image is what was checked of the executable; nil runs the file at path.
	image  *os.File
	env    []string
	logs   *logLines
	launch func(start func() error) error
	// confine changes the command before it is started; nil leaves it as it is. It is
	// told of the start, and waits until the plugin runs confined.
	confine func(cmd *exec.Cmd, own string) (started func(error) error, err error)
	// spawned is told that the process runs.
	spawned func()

	cmd       *exec.Cmd
	socketDir string
	stdout    *headReader
	pipes     pipes
	dead      chan struct{} // closed when the process has ended and its group is killed
	done      chan struct{} // closed when, besides, its streams are read to their end

	mu      sync.Mutex
	started bool
	reaped  bool
	killed  bool
	exit    error // why it ended, once done is closed
}

var _ runner.Runner = (*process)(nil)

// pipes are the host's ends of a plugin's standard streams.
type pipes struct{ in, out, err *os.File }

func (p *pipes) close() {
	for _, f := range []*os.File{p.in, p.out, p.err} {
		if f != nil {
			_ = f.Close() // nothing is buffered in a pipe's end
		}
	}
}

// runner is go-plugin's RunnerFunc: cmd holds the variables that go-plugin
// wants set.
func (p *process) runner(_ hclog.Logger, cmd *exec.Cmd, socketDir string) (runner.Runner, error) {
	p.socketDir = socketDir
	p.env = append(p.env, cmd.Env...)
	return p, nil
}

// Start starts the process and the readers of its streams.
func (p *process) Start(context.Context) error {
	p.cmd = &exec.Cmd{Path: p.path, Args: []string{p.path}, Env: lastWins(p.env), SysProcAttr: processAttributes()}
	if p.image != nil {
		p.cmd.Path, p.cmd.ExtraFiles = imagePath(p.image)
	}
	confined := func(err error) error { return err }
	if p.confine != nil {
		started, err := p.confine(p.cmd, p.socketDir)
		if err != nil {
			return err
		}
		confined = started
	}
	theirs, err := p.connect()
	if err != nil {
		return errors.Join(confined(err), err)
	}
	defer theirs.close()
	if err := p.launch(p.spawn); err != nil {
		p.pipes.close()
		return confined(err)
	}
	p.follow()
	if err := confined(nil); err != nil {
		p.kill()
		return err
	}
	p.spawned()
	return nil
}

// follow reads the streams of the process and waits for its end.
func (p *process) follow() {
	p.stdout = &headReader{from: p.pipes.out, logs: p.logs}
	logsDone := make(chan struct{})
	go func() {
		defer close(logsDone)
		p.logs.copy(p.pipes.err)
	}()
	go p.reap(logsDone)
}

// connect makes the pipes and returns the plugin's ends.
func (p *process) connect() (pipes, error) {
	var theirs pipes
	var errs [3]error
	theirs.in, p.pipes.in, errs[0] = os.Pipe()
	p.pipes.out, theirs.out, errs[1] = os.Pipe()
	p.pipes.err, theirs.err, errs[2] = os.Pipe()
	if err := errors.Join(errs[:]...); err != nil {
		theirs.close()
		p.pipes.close()
		return pipes{}, fmt.Errorf("making the plugin's pipes: %w", err)
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = theirs.in, theirs.out, theirs.err
	return theirs, nil
}

// spawn runs on the host's starting thread.
func (p *process) spawn() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.killed {
		return context.Canceled
	}
	if err := p.cmd.Start(); err != nil {
		return err
	}
	p.started = true
	return nil
}

// drainTime is how long the streams of a process that ended are still read. What
// it wrote is in the pipe already; only a grandchild outside of its group could
// hold the pipe open for longer.
const drainTime = 200 * time.Millisecond

// reap waits for the end of the process, kills what it leaves behind, and frees
// what the host holds for it.
func (p *process) reap(logsDone <-chan struct{}) {
	err := reapProcess(p.cmd, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.reaped = true
		close(p.dead)
	})
	select {
	case <-logsDone:
	case <-time.After(drainTime):
	}
	p.pipes.close()
	<-logsDone
	p.mu.Lock()
	p.exit = exitError(p.cmd.ProcessState, err, p.logs.last())
	p.mu.Unlock()
	close(p.done)
}

// exitError says how a process ended, with the last that it wrote.
func exitError(state *os.ProcessState, err error, lastLine string) error {
	how := "it ended"
	if state != nil {
		how = "it ended: " + state.String()
	} else if err != nil {
		how = "it ended: " + err.Error()
	}
	if lastLine != "" {
		how += "; the last that it wrote is " + strconv.Quote(lastLine)
	}
	return errors.New(how)
}

func (p *process) hasEnded() bool {
	select {
	case <-p.dead:
		return true
	default:
		return false
	}
}

// settleTime is how long a process whose connection broke is given to be seen to
// have ended. That takes a few milliseconds; a process that lives on broke its
// connection for another reason.
const settleTime = 250 * time.Millisecond

// settle waits until it is known whether the process has ended, so that whoever
// saw its connection break does not call it again.
func (p *process) settle() {
	select {
	case <-p.dead:
	case <-time.After(settleTime):
	}
}

// ended is why the process ended. It must be called after done is closed only.
func (p *process) ended() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.exit
}

// kill kills the process with its group, also before it has started and after it
// has ended.
func (p *process) kill() { p.signal(killGroup) }

// killTime is how long the end of a killed process is waited for. Only a process
// that the kernel holds in an uninterruptible wait takes longer.
const killTime = 5 * time.Second

// awaitEnd waits for the end of a process that was killed, or never started.
func (p *process) awaitEnd() error {
	pid := p.pid()
	if pid == 0 {
		return nil
	}
	select {
	case <-p.done:
		return nil
	case <-time.After(killTime):
		return fmt.Errorf("the plugin's process %d did not end within %v of being killed", pid, killTime)
	}
}

// terminate asks the process and its group to end.
func (p *process) terminate() { p.signal(terminateGroup) }

func (p *process) signal(send func(*os.Process)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.killed = true
	if p.started && !p.reaped {
		send(p.cmd.Process)
	}
}

// pid is 0 before the start.
func (p *process) pid() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.started {
		return 0
	}
	return p.cmd.Process.Pid
}

// Wait waits for the end of the process.
func (p *process) Wait(ctx context.Context) error {
	select {
	case <-p.done:
		return p.ended()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Kill kills the process with its group.
func (p *process) Kill(context.Context) error {
	p.kill()
	return nil
}

// Stdout carries the handshake.
func (p *process) Stdout() io.ReadCloser { return io.NopCloser(p.stdout) }

// Stderr is empty for go-plugin: the host reads the log lines itself.
func (p *process) Stderr() io.ReadCloser { return io.NopCloser(strings.NewReader("")) }

// Name is the executable.
func (p *process) Name() string { return p.path }

// ID is the process's number.
func (p *process) ID() string { return strconv.Itoa(p.pid()) }

// Diagnose adds nothing: the host explains a failed start itself.
func (p *process) Diagnose(context.Context) string { return "" }

// PluginToHost refuses an address that is not the plugin's own: a socket outside
// of its folder, or another machine.
func (p *process) PluginToHost(network, address string) (string, string, error) {
	switch network {
	case "unix":
		if filepath.Dir(filepath.Clean(address)) == filepath.Clean(p.socketDir) {
			return network, address, nil
		}
	case "tcp":
		if host, _, err := net.SplitHostPort(address); err == nil && net.ParseIP(host).IsLoopback() {
			return network, address, nil
		}
	}
	return "", "", fmt.Errorf("the plugin listens at %s %s, which is neither in its folder %s nor at a loopback address", network, address, p.socketDir)
}

// HostToPlugin is the identity: both run on the same machine.
func (p *process) HostToPlugin(network, address string) (string, string, error) {
	return network, address, nil
}

// headReader passes the first line of standard output on, the handshake, and
// remembers it. What follows are log lines: go-plugin would stop to read at a line
// that is too long for it, and the plugin would stop with it.
type headReader struct {
	from io.Reader
	logs *logLines

	mu   sync.Mutex
	head []byte
	full bool
}

// maxHead bounds the first line, in bytes. A handshake with a certificate has under
// 1 KiB.
const maxHead = 4 << 10

func (r *headReader) Read(b []byte) (int, error) {
	r.mu.Lock()
	full := r.full
	r.mu.Unlock()
	if full {
		r.logs.copy(r.from)
		return 0, io.EOF
	}
	n, err := r.from.Read(b)
	r.mu.Lock()
	defer r.mu.Unlock()
	end := bytes.IndexByte(b[:n], '\n') + 1
	if end == 0 {
		end = n
	}
	r.head = append(r.head, b[:end]...)
	r.full = end > 0 && b[end-1] == '\n' || len(r.head) >= maxHead
	if end < n {
		r.from = io.MultiReader(bytes.NewReader(bytes.Clone(b[end:n])), r.from)
	}
	return end, err
}

func (r *headReader) line() string {
	if r == nil {
		return ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.TrimSpace(string(r.head))
}

package dbtest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// nobody runs the servers when the tests run as root, which they refuse.
const nobody = 65534

const (
	// setupTimeout bounds the making of a data folder, which takes about a second.
	setupTimeout = 2 * time.Minute
	// startTimeout bounds the wait for a server to answer.
	startTimeout = time.Minute
	// pollPause is between two looks at a server that starts.
	pollPause = 20 * time.Millisecond
)

// keeper runs a server and ends it when its own standard input does, which the
// test binary holds open: so it ends, too, when that is killed. It removes the
// folder afterwards.
const keeper = `cd "$1" || exit; signal=$2; shift 2
(sh -c 'echo $$ >pid; exec "$@"' - "$@"; : >ended) >log 2>&1 </dev/null &
cat >/dev/null
kill -s "$signal" "$(cat pid)"; wait
cd / && rm -rf "$OLDPWD"`

// process is a server's process with the folder that it lives in.
type process struct {
	dir   string
	alive io.Closer // the keeper's standard input
	done  bool
}

// newFolder makes a folder that the server's user owns. Its path is short, since
// the name of a socket in it must be.
func newFolder(kind string) (string, error) {
	dir, err := os.MkdirTemp("", kind)
	if err != nil {
		return "", err
	}
	return dir, own(dir)
}

func own(path string) error {
	if os.Getuid() != 0 {
		return nil
	}
	return os.Chown(path, nobody, nobody)
}

// write writes a file of the server's.
func write(path string, content []byte) error {
	return errors.Join(os.WriteFile(path, content, 0o600), own(path))
}

// asServer makes a command run as the server's user, apart from the terminal, so
// that an interrupt of the tests does not reach it.
func asServer(c *exec.Cmd) *exec.Cmd {
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if os.Getuid() == 0 {
		c.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
	return c
}

// setup runs a command that makes a data folder.
func setup(dir string, stdin io.Reader, name string, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), setupTimeout)
	defer cancel()
	c := asServer(exec.CommandContext(ctx, name, args...))
	c.Dir, c.Stdin = dir, stdin
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, out)
	}
	return nil
}

// launch starts a server in dir, to be ended with the signal.
func launch(dir, signal, name string, args ...string) (*process, error) {
	c := asServer(exec.Command("sh", slices.Concat([]string{"-c", keeper, "-", dir, signal, name}, args)...))
	alive, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	return &process{dir: dir, alive: alive}, nil
}

func (p *process) running() bool { return !p.done && !exists(filepath.Join(p.dir, "ended")) }

// stop returns when the server and its folder are gone.
func (p *process) stop() {
	p.done = true
	_ = p.alive.Close() // closed twice when called twice
	for exists(p.dir) {
		time.Sleep(pollPause)
	}
}

// await returns when answers does not fail any more.
func (p *process) await(answers func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	for {
		err := answers(ctx)
		if err == nil {
			return nil
		}
		if !p.running() || ctx.Err() != nil {
			log, _ := os.ReadFile(filepath.Join(p.dir, "log"))
			return fmt.Errorf("the server does not answer: %w\n%s", err, log)
		}
		time.Sleep(pollPause)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// freePort is a loopback port that was free just now.
func freePort() (int, error) {
	l, err := net.Listen("tcp", host+":0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// find is the newest program of that name in the folders that match, or in PATH.
func find(name, debianPackage string, folders ...string) (string, error) {
	for _, folder := range folders {
		found, err := filepath.Glob(filepath.Join(folder, name))
		if err != nil {
			return "", err
		}
		if len(found) > 0 {
			slices.SortFunc(found, func(a, b string) int {
				return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
			})
			return found[len(found)-1], nil
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("the program %s is missing; install it, on Debian with: apt-get install %s", name, debianPackage)
	}
	return path, nil
}

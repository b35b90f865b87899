package realollama

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	// startTimeout bounds the wait for the server to answer; it takes a second.
	startTimeout = time.Minute
	// pollPause is between two looks at something that is about to change.
	pollPause = 20 * time.Millisecond
)

// keeper runs the server in a process group of its own, which holds its runners,
// too, and ends the group when its own standard input ends. The test binary holds
// that open: so all end with it, however it ends. It removes the folder afterwards.
const keeper = `cd "$1" || exit; shift
setsid sh -c 'echo $$ >pid.new; mv pid.new pid; exec "$@"' - "$@" >log 2>&1 </dev/null &
cat >/dev/null
kill -s KILL -- "-$(cat pid)"; wait
cd / && rm -rf "$OLDPWD"`

// process is the server's process, with the folder that it lives in.
type process struct {
	dir   string
	alive io.Closer // the keeper's standard input
	ended chan struct{}
}

// launch starts the program in a new folder.
func launch(environment func(dir string) []string, program string, args ...string) (*process, error) {
	dir, err := os.MkdirTemp("", "ollama")
	if err != nil {
		return nil, err
	}
	c := exec.Command("sh", slices.Concat([]string{"-c", keeper, "-", dir, program}, args)...)
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // an interrupt of the tests does not reach it
	c.Env = append([]string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}, environment(dir)...)
	alive, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	p := &process{dir: dir, alive: alive, ended: make(chan struct{})}
	go func() {
		defer close(p.ended)
		_ = c.Wait() // it tells nothing: the server was killed
	}()
	if !within(startTimeout, func() bool { return p.pid() > 0 }) {
		p.stop()
		return nil, fmt.Errorf("%s did not start", program)
	}
	return p, nil
}

// stop returns when the server, its runners and its folder are gone.
func (p *process) stop() {
	_ = p.alive.Close() // closed twice when called twice
	<-p.ended
}

// pid is the number of the server's process and of its group, or 0.
func (p *process) pid() int {
	text, err := os.ReadFile(filepath.Join(p.dir, "pid"))
	if err != nil {
		return 0
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0
	}
	return n
}

func (p *process) log() string {
	text, err := os.ReadFile(filepath.Join(p.dir, "log"))
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// runners are the processes of the group that run models.
func (p *process) runners() ([]int, error) {
	group := p.pid()
	if group == 0 {
		return nil, errors.New("the server has been stopped")
	}
	found, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, err
	}
	var out []int
	for _, path := range found {
		s, ok := readStat(path)
		if ok && s.group == group && s.pid != group && s.state != "Z" {
			out = append(out, s.pid)
		}
	}
	return out, nil
}

// stat is what the kernel tells of a process.
type stat struct {
	pid, group int
	state      string
	work       int // the time on a processor so far, in ticks
}

// readStat reads a file stat of /proc; the process may have ended meanwhile.
func readStat(path string) (stat, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return stat{}, false
	}
	// The name of the program stands in parentheses, and may hold anything.
	before, _, _ := strings.Cut(string(text), " ")
	fields := strings.Fields(string(text)[strings.LastIndexByte(string(text), ')')+1:])
	if len(fields) < 13 {
		return stat{}, false
	}
	s := stat{state: fields[0]}
	var user, system int
	for to, field := range map[*int]string{&s.pid: before, &s.group: fields[2], &user: fields[11], &system: fields[12]} {
		if *to, err = strconv.Atoi(field); err != nil {
			return stat{}, false
		}
	}
	s.work = user + system
	return s, true
}

// freeAddress is a loopback address that was free just now.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// within waits until reached, and reports whether it was.
func within(limit time.Duration, reached func() bool) bool {
	for deadline := time.Now().Add(limit); !reached(); time.Sleep(pollPause) {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}

package confine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// shimName is the name under which the host's executable starts to confine itself.
// No shell could give it by accident.
const shimName = "querent: confining"

// order is what the host's executable is told to become.
type order struct {
	Rules
	Program string   // the executable
	Args    []string // the program's, its own name first
	Own     string   // the program's folder for sockets
	OwnUser bool     // it gets a user of its own, since the kernel does not count root's processes
	Verdict int      // the descriptor that takes what went wrong
	Parent  int      // the host
}

// entered says that this program has called Enter: that starting it under shimName
// does what it should.
var entered atomic.Bool

// settleTime bounds how long a process may take to confine itself. On an idle machine
// it is 50 ms, most of it the host's own initialisation.
const settleTime = 20 * time.Second

// Command changes cmd, which has its path, arguments and extra files, so that what is
// started is confined by r; own is the folder in which it makes its sockets. started
// must be called once, after cmd was started or could not be, with that error: it waits
// until the program runs confined, and is nil then. An *ExecError means that it was
// confined and could not be executed. Any other error says what could not be
// enforced, and what to do. The program has not run then.
func Command(cmd *exec.Cmd, r Rules, own string) (started func(error) error, err error) {
	if !entered.Load() {
		return nil, errors.New("this program cannot confine others: it must call confine.Enter at the start of its main function")
	}
	if err := Missing(r); err != nil {
		return nil, err
	}
	ours, theirs, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	text, err := json.Marshal(order{
		Rules: r, Program: cmd.Path, Args: cmd.Args, Own: own, OwnUser: isRoot() && r.Limits.Processes > 0,
		Verdict: firstExtra + len(cmd.ExtraFiles), Parent: os.Getpid(),
	})
	if err != nil {
		return nil, errors.Join(err, ours.Close(), theirs.Close())
	}
	cmd.Path, cmd.Args = "/proc/self/exe", []string{shimName, string(text)}
	cmd.ExtraFiles = append(cmd.ExtraFiles, theirs)
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	namespaces(cmd.SysProcAttr, r)
	return func(start error) error {
		_ = theirs.Close() // the process has its own
		defer ours.Close()
		if start != nil {
			return refused(start)
		}
		return verdict(ours, r)
	}, nil
}

// firstExtra is the descriptor of the first of a command's extra files.
const firstExtra = 3

// execVerdict begins the verdict of a program that could not be executed, and is
// followed by the system's number of the error.
const execVerdict = "exec "

// verdict waits for what the process says, which is nothing once the program runs:
// the pipe ends then.
func verdict(from *os.File, r Rules) error {
	if err := from.SetReadDeadline(time.Now().Add(settleTime)); err != nil {
		return fmt.Errorf("waiting for the process to be confined: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(from, 4<<10))
	if err != nil {
		return fmt.Errorf("the process was not confined within %v: %w", settleTime, err)
	}
	if len(text) == 0 {
		return nil
	}
	if number, ok := strings.CutPrefix(string(text), execVerdict); ok {
		if n, err := strconv.Atoi(number); err == nil {
			return &ExecError{syscall.Errno(n)}
		}
	}
	message := string(text)
	if d := Here().Doubt; d != "" && r.ownRoot() {
		message += "; " + d
	}
	return errors.New(message)
}

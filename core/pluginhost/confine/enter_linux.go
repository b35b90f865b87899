package confine

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Enter returns at once in a program that was started by somebody else. In one that
// Command started, it does not return: the process gives up its rights and becomes
// the program. Call it at the start of main, before anything else is begun.
func Enter() {
	entered.Store(true)
	if len(os.Args) != 2 || os.Args[0] != shimName {
		return
	}
	runtime.LockOSThread() // some of the rights are a thread's
	var o order
	if err := json.Unmarshal([]byte(os.Args[1]), &o); err != nil {
		fmt.Fprintln(os.Stderr, "reading how to confine a plugin:", err)
		os.Exit(exitUnconfined)
	}
	unix.CloseOnExec(o.Verdict)
	said := os.NewFile(uintptr(o.Verdict), "verdict")
	_, _ = said.WriteString(become(o)) // the host may be gone
	os.Exit(exitUnconfined)
}

// exitUnconfined is the exit code of a process that did not become the program. The
// host does not read it; it shows in traces.
const exitUnconfined = 125

// become returns what went wrong, if it returns.
func become(o order) string {
	program := o.Program
	if err := o.confine(&program); err != nil {
		return err.Error()
	}
	err := syscall.Exec(program, o.Args, os.Environ())
	var number syscall.Errno
	if errors.As(err, &number) {
		return execVerdict + strconv.Itoa(int(number))
	}
	return "executing the plugin: " + err.Error()
}

// confine takes the rights away, in an order in which each step still may do what it
// must. Where the program is found afterwards is left in program.
func (o order) confine(program *string) error {
	if o.ownRoot() {
		moved, err := o.enterRoot()
		if err != nil {
			return fmt.Errorf("giving the plugin its own tree of files: %w", err)
		}
		*program = moved
	}
	if err := o.dropBounding(); err != nil {
		return err
	}
	if err := o.changeUser(); err != nil {
		return err
	}
	if err := o.dropCapabilities(); err != nil {
		return err
	}
	if err := o.restrict(*program); err != nil {
		return err
	}
	if err := o.limit(); err != nil {
		return err
	}
	return o.dieWithParent()
}

// dropBounding makes sure that no program gets capabilities back, not even root's.
func (o order) dropBounding() error {
	for c := uintptr(0); c <= lastCapability; c++ {
		if o.OwnUser && c == unix.CAP_DAC_OVERRIDE {
			continue
		}
		err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0)
		if err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.EPERM) { // unknown to this kernel; a process without any
			return fmt.Errorf("taking capabilities away: %w", err)
		}
	}
	return nil
}

// lastCapability is as far as the kernel's interface can go.
const lastCapability = 63

// changeUser gives the process a user of its own, which leaves it the capabilities
// until they are dropped.
func (o order) changeUser() error {
	if !o.OwnUser {
		return nil
	}
	user := ownUser(os.Getpid())
	err := errors.Join(unix.Prctl(unix.PR_SET_KEEPCAPS, 1, 0, 0, 0),
		syscall.Setgroups(nil), syscall.Setresgid(user, user, user), syscall.Setresuid(user, user, user),
		unix.Prctl(unix.PR_SET_DUMPABLE, 1, 0, 0, 0)) // else it could not open its own descriptors
	if err != nil {
		return fmt.Errorf("giving the plugin a user of its own: %w", err)
	}
	return nil
}

// dropCapabilities leaves none. A process that was root's and got a user of its own
// still opens what root may, its folder first of all; Landlock bounds that where
// files are to be bounded.
func (o order) dropCapabilities() error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("forbidding new privileges: %w", err)
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var left [2]unix.CapUserData
	if o.OwnUser {
		const files = 1 << unix.CAP_DAC_OVERRIDE
		left[0] = unix.CapUserData{Effective: files, Permitted: files, Inheritable: files}
	}
	if err := unix.Capset(&header, &left[0]); err != nil {
		return fmt.Errorf("taking capabilities away: %w", err)
	}
	if !o.OwnUser {
		return nil
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_RAISE, unix.CAP_DAC_OVERRIDE, 0, 0); err != nil {
		return fmt.Errorf("keeping the right to open files: %w", err)
	}
	return nil
}

// ownUser is a user that no other process has: as many as there are process numbers,
// from far above where people and services are.
func ownUser(pid int) int {
	const first = 1 << 30
	return first + pid%(1<<22)
}

// mapped reports whether this process's user namespace has the user.
func mapped(user int) bool {
	for line := range strings.Lines(reads("/proc/self/uid_map")) {
		var first, outside, size int64
		if n, _ := fmt.Sscan(line, &first, &outside, &size); n == 3 && int64(user) >= first && int64(user) < first+size {
			return true
		}
	}
	return false
}

// limit sets limits that the process cannot raise again.
func (o order) limit() error {
	for _, l := range []struct {
		name     string
		resource int
		most     uint64
	}{
		{"memory", unix.RLIMIT_DATA, uint64(o.Limits.Memory)},
		{"processes", unix.RLIMIT_NPROC, uint64(o.Limits.Processes)},
		{"open files", unix.RLIMIT_NOFILE, uint64(o.Limits.OpenFiles)},
	} {
		if l.most == 0 {
			continue
		}
		var now unix.Rlimit
		if err := unix.Getrlimit(l.resource, &now); err != nil {
			return fmt.Errorf("reading the limit of %s: %w", l.name, err)
		}
		most := min(l.most, now.Max)
		if err := unix.Setrlimit(l.resource, &unix.Rlimit{Cur: most, Max: most}); err != nil {
			return fmt.Errorf("limiting %s: %w", l.name, err)
		}
	}
	return nil
}

// dieWithParent asks anew to be killed with the host, which changing users undoes.
func (o order) dieWithParent() error {
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return fmt.Errorf("tying the plugin to its host: %w", err)
	}
	if os.Getppid() != o.Parent {
		return errors.New("the host is gone")
	}
	return nil
}

// programName is the program's own in the tree that it sees.
func (o order) programName() string { return "/plugin/" + filepath.Base(o.Args[0]) }

package confine

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"

	landlock "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

// Support is what this machine lets this process do to others.
type Support struct {
	// Landlock is the version of the kernel's interface to take away files; 0: none.
	Landlock int
	// Network is why no process can be started without the network; nil: it can.
	Network error
	// Processes is why processes cannot be counted; nil: they can.
	Processes error
	// Doubt is what may still keep a process from being confined, which shows only when
	// it is; empty: nothing known.
	Doubt string
}

// Here is the support of this machine. It is looked at once.
var Here = sync.OnceValue(func() Support {
	s := Support{Doubt: doubt()}
	if version, err := landlock.LandlockGetABIVersion(); err == nil {
		s.Landlock = version
	}
	s.Network = trial(Rules{Network: NetworkNone, Files: &Files{}})
	s.Processes = trial(Rules{Limits: Limits{Processes: 1}})
	if s.Processes == nil && isRoot() && !mapped(ownUser(math.MaxInt32)) {
		s.Processes = errors.New("the kernel does not count the processes of root, and this container's user namespace has no other users for a plugin to run as; run Querent as another user")
	}
	return s
})

// Landlock's interface can take reading away from version 1 on, and cutting files
// short, which is writing, from 3 on.
const (
	landlockReads  = 1 // Linux 5.13
	landlockWrites = 3 // Linux 6.2
)

// Missing is why this machine cannot enforce r, with what to do; nil: it can, as far
// as can be known before it is done.
func Missing(r Rules) error {
	s := Here()
	if r.Network == NetworkNone && s.Network != nil {
		return s.Network
	}
	needed := landlockWrites
	if r.ownRoot() {
		needed = landlockReads // what is not listed is not there
	}
	if r.Files != nil && s.Landlock < needed {
		return fmt.Errorf("files cannot be taken from a process: that needs version %d of Landlock, and this kernel has %s; "+
			"update the kernel (Linux 6.2 or later), or start it with landlock in its lsm= parameter", needed, version(s.Landlock))
	}
	if r.Limits.Processes > 0 && s.Processes != nil {
		return s.Processes
	}
	return nil
}

func version(n int) string {
	if n == 0 {
		return "none, or has it turned off"
	}
	return fmt.Sprintf("version %d", n)
}

func isRoot() bool { return os.Geteuid() == 0 }

// trial makes the namespaces of r for a program that is not there.
func trial(r Rules) error {
	attributes := &syscall.SysProcAttr{}
	namespaces(attributes, r)
	if attributes.Cloneflags == 0 {
		return nil
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	_, err := syscall.ForkExec("/proc/self/there-is-no-such-program", nil, &syscall.ProcAttr{Sys: attributes})
	if errors.Is(err, syscall.ENOENT) {
		return nil
	}
	return refused(err)
}

// namespaces asks for those that r needs. A user other than root makes a user
// namespace first, in which it may make the others.
func namespaces(a *syscall.SysProcAttr, r Rules) {
	if r.Network == NetworkNone {
		a.Cloneflags |= syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC
	}
	if r.ownRoot() {
		a.Cloneflags |= syscall.CLONE_NEWNS
	}
	if isRoot() || a.Cloneflags == 0 && r.Limits.Processes == 0 {
		return
	}
	a.Cloneflags |= syscall.CLONE_NEWUSER
	a.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
	a.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}}
}

// refused says what keeps this process from making namespaces.
func refused(err error) error {
	const what = "no process can be started without the network"
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("%s: all namespaces are taken (%w); raise user.max_user_namespaces and user.max_net_namespaces with sysctl", what, err)
	case errors.Is(err, syscall.EINVAL), errors.Is(err, syscall.ENOSYS):
		return fmt.Errorf("%s: this kernel is built without the namespaces for it (%w); use another kernel", what, err)
	case !errors.Is(err, syscall.EPERM) && !errors.Is(err, syscall.EACCES):
		return fmt.Errorf("%s: %w", what, err)
	case isRoot():
		return fmt.Errorf("%s: root lacks the right to make namespaces, as in most containers (%w); "+
			"start the container with the capability SYS_ADMIN and a seccomp profile that allows clone, or run Querent outside of one", what, err)
	case reads("/proc/sys/kernel/unprivileged_userns_clone") == "0":
		return fmt.Errorf("%s: only root may make namespaces here (%w); set the sysctl kernel.unprivileged_userns_clone to 1", what, err)
	}
	return fmt.Errorf("%s: this user may not make user namespaces (%w); "+
		"see the sysctls user.max_user_namespaces and kernel.apparmor_restrict_unprivileged_userns, and, in a container, its seccomp profile", what, err)
}

// doubt finds what lets namespaces be made, and forbids what is to be done in them.
func doubt() string {
	if label := reads("/proc/self/attr/current"); label != "" && !strings.Contains(label, "unconfined") {
		return "a security module runs this process as " + label + ", which may forbid mounts"
	}
	if !isRoot() && reads("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1" {
		return "AppArmor may forbid mounts in user namespaces: the sysctl kernel.apparmor_restrict_unprivileged_userns is 1"
	}
	return ""
}

// reads is a small file's content, empty where it cannot be read.
func reads(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return strings.TrimRight(string(text), "\n\x00")
}

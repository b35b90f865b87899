package pluginhost

import (
	"errors"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// processAttributes put a plugin into a group of its own, so that a signal to
// the host's terminal does not reach it and its children can be killed with it,
// and let it be killed when the host ends, however the host ends.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// imagePath runs the image itself. It is passed on as the plugin's descriptor 3,
// since the interpreter of a script opens it anew.
func imagePath(image *os.File) (string, []*os.File) {
	return "/proc/self/fd/3", []*os.File{image}
}

// reapProcess waits for the end of the process, kills what is left of its group
// while its number is still its own, and calls reaped before it is not.
func reapProcess(cmd *exec.Cmd, reaped func()) error {
	for errors.Is(unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil), unix.EINTR) {
		// A signal came to this thread; wait on.
	}
	killGroup(cmd.Process)
	reaped()
	return cmd.Wait()
}

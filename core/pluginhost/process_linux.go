package pluginhost

import (
	"errors"
	"io"
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

// openImage copies an executable to where nobody can change it any more: what is
// checked in the copy is what runs, also when the file is written to meanwhile.
// The copy is in memory, and gone with the last process that runs it.
func openImage(path string) (*os.File, error) {
	executable, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer executable.Close()
	const name = "querent-plugin" // shows in /proc only
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING|unix.MFD_EXEC)
	if errors.Is(err, unix.EINVAL) { // before Linux 6.3, where every such file may be executed
		fd, err = unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	}
	if err != nil {
		return nil, os.NewSyscallError("memfd_create", err)
	}
	image := os.NewFile(uintptr(fd), path)
	if err := fillAndSeal(image, executable); err != nil {
		_ = image.Close() // of no use to anyone
		return nil, err
	}
	return image, nil
}

func fillAndSeal(image, executable *os.File) error {
	if _, err := io.Copy(image, executable); err != nil {
		return err
	}
	if _, err := image.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := unix.FcntlInt(image.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_WRITE|unix.F_SEAL_GROW|unix.F_SEAL_SHRINK|unix.F_SEAL_SEAL)
	return os.NewSyscallError("sealing", err)
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

package pluginhost

import (
	"os"
	"os/exec"
	"syscall"
)

func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// openImage is the file itself: only Linux can run a copy that nobody can change.
// What replaces the file between its check and its start runs unchecked.
func openImage(path string) (image *os.File, sum string, err error) { return openAndSum(path) }

// imagePath is the file's path: only Linux can run an open file.
func imagePath(image *os.File) (string, []*os.File) { return image.Name(), nil }

func reapProcess(cmd *exec.Cmd, reaped func()) error {
	err := cmd.Wait()
	reaped()
	return err
}

// Windows has no signal that asks a process to end. A process that has ended is
// what the caller of both wants.

func killGroup(p *os.Process) { _ = p.Kill() }

func terminateGroup(p *os.Process) { killGroup(p) }

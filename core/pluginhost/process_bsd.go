//go:build unix && !linux

package pluginhost

import (
	"os"
	"os/exec"
	"syscall"
)

// processAttributes put a plugin into a group of its own. Only Linux can tie a
// process to the host's life; here the end of standard input tells the plugin.
func processAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// openImage is the file itself: only Linux can run a copy that nobody can change.
// What replaces the file between its check and its start runs unchecked.
func openImage(path string) (image *os.File, sum string, err error) { return openAndSum(path) }

// imagePath is the file's path: only Linux can run an open file.
func imagePath(image *os.File) (string, []*os.File) { return image.Name(), nil }

// reapProcess waits for the end of the process and kills what is left of its
// group, which keeps the group's number as long as anything is in it.
func reapProcess(cmd *exec.Cmd, reaped func()) error {
	err := cmd.Wait()
	reaped()
	killGroup(cmd.Process)
	return err
}

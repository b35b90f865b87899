//go:build unix

package pluginhost

import (
	"os"
	"syscall"
)

// shortTempDir is where sockets find room when the other folders' paths are too
// long.
const shortTempDir = "/tmp"

// lockFolder takes the folder's lock without waiting. The lock ends when the
// file is closed or the process ends.
func lockFolder(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

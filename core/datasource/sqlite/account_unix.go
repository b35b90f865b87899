//go:build unix

package sqlite

import "golang.org/x/sys/unix"

var errReadOnlyDisk error = unix.EROFS

// mayWrite is nil when the host's user may write the file.
func mayWrite(path string) error { return unix.Access(path, unix.W_OK) }

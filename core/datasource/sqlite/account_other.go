//go:build !unix

package sqlite

import (
	"errors"
	"os"
)

var errReadOnlyDisk = errors.New("the disk is read-only")

const writable = 0o200

// mayWrite is nil when the file's mode lets its owner write it.
func mayWrite(path string) error {
	info, err := os.Stat(path)
	if err == nil && info.Mode().Perm()&writable == 0 {
		err = os.ErrPermission
	}
	return err
}

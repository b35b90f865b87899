package pluginhost

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// socketDir is the host's private folder for plugins' sockets: 0700, made when
// the first plugin starts, removed when the host closes. It is locked while it
// is used, so that a folder left by a host that was killed is recognised and
// removed by the next one, and so that systemd-tmpfiles, which respects such
// locks, does not take the sockets of a long-lived host away.
type socketDir struct {
	base string

	mu   sync.Mutex
	path string
	lock *os.File
}

// socketDirPrefix is long enough that nobody names a folder of their own so.
const socketDirPrefix = "querent-sock-"

// maxSocketPath is the longest path of a unix socket: 108 bytes in Linux, with
// the zero at the end.
const maxSocketPath = 107

// socketSuffix is what go-plugin adds to the folder at most: two names with
// random numbers of up to ten digits.
const socketSuffix = "/plugin-dir0123456789/plugin0123456789"

// staleAge keeps a folder that another host has just made, but not yet locked,
// from being taken for stale.
const staleAge = time.Minute

// get makes the folder unless it exists.
func (d *socketDir) get() (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.path != "" {
		if _, err := os.Stat(d.path); err == nil {
			return d.path, nil
		}
		_ = d.lock.Close() // of a folder that somebody has removed
		d.path, d.lock = "", nil
	}
	var errs []error
	for _, base := range d.bases() {
		path, lock, err := makeSocketDir(base)
		if err == nil {
			d.path, d.lock = path, lock
			return path, nil
		}
		errs = append(errs, err)
	}
	return "", errors.Join(errs...)
}

// bases are the folders in which the socket folder may be, the first that can
// hold it being taken.
func (d *socketDir) bases() []string {
	if d.base != "" {
		return []string{d.base}
	}
	var bases []string
	for _, base := range []string{os.Getenv("XDG_RUNTIME_DIR"), os.TempDir(), shortTempDir} {
		if base != "" && !slices.Contains(bases, base) {
			bases = append(bases, base)
		}
	}
	return bases
}

func makeSocketDir(base string) (string, *os.File, error) {
	removeStale(base)
	path, err := os.MkdirTemp(base, socketDirPrefix)
	if err != nil {
		return "", nil, fmt.Errorf("making the folder for plugins' sockets: %w", err)
	}
	if longest := len(path + socketSuffix); longest > maxSocketPath {
		_ = os.Remove(path) // empty, and of no use to anyone
		return "", nil, fmt.Errorf("the folder for plugins' sockets, %s, has a path that is %d bytes too long: a socket's path may have %d bytes; "+
			"set XDG_RUNTIME_DIR or TMPDIR to a shorter path", path, longest-maxSocketPath, maxSocketPath)
	}
	lock, err := lockFolder(path)
	if err != nil {
		_ = os.Remove(path)
		return "", nil, fmt.Errorf("locking the folder for plugins' sockets: %w", err)
	}
	return path, lock, nil
}

// remove removes the folder.
func (d *socketDir) remove() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.path == "" {
		return nil
	}
	err := os.RemoveAll(d.path)
	_ = d.lock.Close() // only read from
	d.path, d.lock = "", nil
	return err
}

// removeStale removes folders of hosts that are gone: those of the name that are
// old, not locked, and hold nothing but folders and sockets. Failing to is
// harmless: they are small.
func removeStale(base string) {
	found, err := filepath.Glob(filepath.Join(base, socketDirPrefix+"*"))
	if err != nil {
		return
	}
	for _, path := range found {
		info, err := os.Lstat(path)
		if err != nil || !info.IsDir() || time.Since(info.ModTime()) < staleAge {
			continue
		}
		lock, err := lockFolder(path)
		if err != nil {
			continue // in use, or of another user
		}
		if onlySockets(path) {
			_ = os.RemoveAll(path)
		}
		_ = lock.Close()
	}
}

// onlySockets reports whether a folder holds nothing that somebody could miss.
func onlySockets(path string) bool {
	err := filepath.WalkDir(path, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && entry.Type() != fs.ModeSocket {
			err = fs.ErrExist
		}
		return err
	})
	return err == nil
}

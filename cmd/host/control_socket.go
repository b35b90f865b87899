package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// runtimeDirVariable names the folder for sockets, where the usual ones cannot be
// used, or are not the same for the server and for who controls it.
const runtimeDirVariable = "QUERENT_RUNTIME_DIR"

// longestSocket is what every platform takes as a socket's path.
const longestSocket = 100

// controlSockets are the paths at which the server of a configuration may be
// controlled, the best first. They depend on the path of the configuration, not on
// what it leads to: links are how it is changed.
func controlSockets(configuration string) ([]string, error) {
	path, err := filepath.Abs(configuration)
	if err != nil {
		return nil, fmt.Errorf("find the control socket: %w", err)
	}
	sum := sha256.Sum256([]byte(path))
	name := hex.EncodeToString(sum[:8]) + ".sock"
	bases := []string{os.Getenv("XDG_RUNTIME_DIR"), os.TempDir(), "/tmp"}
	if own := os.Getenv(runtimeDirVariable); own != "" {
		bases = []string{own}
	}
	var out []string
	for _, base := range bases {
		if at := filepath.Join(base, "querent-"+strconv.Itoa(os.Getuid()), name); base != "" && len(at) <= longestSocket {
			out = append(out, at)
		}
	}
	return out, nil
}

// listenForControl opens the control socket of the server of a configuration. Nobody
// but the server's own user, and root, gets through to it.
func listenForControl(configuration string) (net.Listener, error) {
	sockets, err := controlSockets(configuration)
	if err != nil {
		return nil, err
	}
	errs := []error{fmt.Errorf("no control socket can be made; set %s to a folder for it", runtimeDirVariable)}
	for _, at := range sockets {
		l, err := listenPrivately(at)
		if err == nil {
			return ownPeers{l}, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// dialTimeout is plenty on one machine.
const dialTimeout = 2 * time.Second

func listenPrivately(at string) (*net.UnixListener, error) {
	if err := privateDir(filepath.Dir(at)); err != nil {
		return nil, err
	}
	if c, err := net.DialTimeout("unix", at, dialTimeout); err == nil {
		_ = c.Close()
		return nil, fmt.Errorf("another server runs with this configuration: it has %s", at)
	}
	if err := os.Remove(at); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err // a socket that a killed server left
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: at, Net: "unix"})
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(at, 0o600); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// privateDir makes a folder that is ours alone, or makes sure that it is.
func privateDir(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() || info.Mode().Perm()&0o077 != 0 || !ours(info) {
		return fmt.Errorf("%s is not a folder of this user alone (mode 0700)", dir)
	}
	return nil
}

// ownPeers accepts connections of our own user and of root.
type ownPeers struct{ *net.UnixListener }

// Accept implements net.Listener.
func (l ownPeers) Accept() (net.Conn, error) {
	for {
		c, err := l.AcceptUnix()
		if err != nil {
			return nil, err
		}
		if mayControl(c) {
			return c, nil
		}
		_ = c.Close() // who it is gets no answer
	}
}

package pluginhost

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/goccy/go-yaml"

	"querent.dev/querent/core/config"
)

// lockVersion is the version of the lock file's form.
const lockVersion = 1

// Lock is the content of plugins.lock: which executables may run.
type Lock struct {
	Version int                                `yaml:"version" json:"version"`
	Plugins map[config.PluginName]LockedPlugin `yaml:"plugins" json:"plugins"`

	file     string
	required bool // it was opened by LockRequire
}

// LockedPlugin is a plugin's entry. It holds the sums of all platforms for which
// the plugin is released, so that one lock file serves them all.
type LockedPlugin struct {
	Version string `yaml:"version,omitempty" json:"version,omitempty"`
	// SHA256 is by platform ("linux/amd64"), in hexadecimal.
	SHA256 map[string]string `yaml:"sha256" json:"sha256"`
}

// Platform names the platform on which the host runs, as lock files do.
func Platform() string { return runtime.GOOS + "/" + runtime.GOARCH }

// OpenLock reads the lock file as mode says: never when it is off, and when it
// is auto only a file that exists. A nil Lock lets any executable run.
func OpenLock(path string, mode config.LockMode) (*Lock, error) {
	if mode == config.LockOff {
		return nil, nil
	}
	lock, err := ReadLock(path)
	if errors.Is(err, fs.ErrNotExist) {
		if mode != config.LockRequire {
			return nil, nil
		}
		return nil, fmt.Errorf("there is no lock file of plugins %s, and plugin_lock.mode is require: run querent plugins lock, which writes it (%w)", path, fs.ErrNotExist)
	}
	if lock != nil {
		lock.required = mode == config.LockRequire
	}
	return lock, err
}

// ReadLock reads a lock file, strictly.
func ReadLock(path string) (*Lock, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the lock file of plugins: %w", err)
	}
	lock := &Lock{file: path}
	if err := yaml.UnmarshalWithOptions(text, lock, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("reading the lock file of plugins %s: %w", path, err)
	}
	if lock.Version != lockVersion {
		return nil, fmt.Errorf("the lock file of plugins %s has version %d, and this program reads version %d: write it anew with querent plugins lock",
			path, lock.Version, lockVersion)
	}
	return lock, nil
}

// WriteLock writes a lock file in place of what is there, whole or not at all.
func WriteLock(path string, lock Lock) error {
	lock.Version = lockVersion
	text, err := yaml.Marshal(lock)
	if err != nil {
		return fmt.Errorf("writing the lock file of plugins: %w", err)
	}
	temp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("writing the lock file of plugins: %w", err)
	}
	defer os.Remove(temp.Name()) // nothing is left of it once it has been renamed
	_, err = temp.Write(text)
	if err := errors.Join(err, temp.Chmod(0o644), temp.Close()); err != nil {
		return fmt.Errorf("writing the lock file of plugins: %w", err)
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return fmt.Errorf("writing the lock file of plugins: %w", err)
	}
	return nil
}

// Sum is the SHA-256 of an executable as lock files hold it.
func Sum(executable io.Reader) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, executable); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Check reports whether plugin, read from the file named path, is the one that
// is locked for this platform. The error says what is, what should be and what
// to do.
func (l *Lock) Check(plugin config.PluginName, path string, executable io.Reader) error {
	got, err := Sum(executable)
	if err != nil {
		return fmt.Errorf("reading %s to check it against %s: %w", path, l.name(), err)
	}
	return l.checkSum(plugin, path, got)
}

// checkSum is Check of an executable whose sum is known.
func (l *Lock) checkSum(plugin config.PluginName, path, got string) error {
	const remedy = "if the new file is the one that you want, run querent plugins lock"
	entry, ok := l.Plugins[plugin]
	if !ok {
		return fmt.Errorf("%s is not in %s, and only plugins that are in it may run; %s", path, l.name(), remedy)
	}
	want, ok := entry.SHA256[Platform()]
	if !ok {
		return fmt.Errorf("%s has no sum for %s on %s; %s", l.name(), plugin, Platform(), remedy)
	}
	if !strings.EqualFold(got, want) {
		return fmt.Errorf("%s is not the file that %s names: its SHA-256 is %s, expected %s; "+
			"put the right file back, or, %s", path, l.name(), got, want, remedy)
	}
	return nil
}

// title names the file without its folder.
func (l *Lock) title() string { return filepath.Base(l.name()) }

func (l *Lock) name() string {
	if l.file == "" {
		return "the lock file of plugins"
	}
	return l.file
}

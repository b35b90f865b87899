package pluginhost

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"querent.dev/querent/core/config"
)

// prepared is an executable that may run, or that the plugin runs already.
type prepared struct {
	path string
	// image is what was checked of the executable; nil runs the file at path.
	image *os.File
	sum   string // SHA-256 of the executable's bytes
}

func (p *prepared) close() {
	if p.image != nil {
		_ = p.image.Close() // only read from
		p.image = nil
	}
}

// prepare checks that there is something to run, and, when the host has a lock
// file, that it is what is to run. Its errors are *reason.Error.
func (h *Host) prepare(s Spec) (*prepared, error) {
	path, err := filepath.Abs(s.Path)
	if err != nil {
		return nil, s.misconfigured(err.Error())
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, s.misconfigured(fmt.Sprintf("the plugin's executable %s cannot be read (%v); set %s", path, pathCause(err), s.pathSetting()))
	}
	if !info.Mode().IsRegular() {
		return nil, s.misconfigured(path + " is not a file, so it cannot be the plugin's executable")
	}
	locked := h.opts.Lock != nil && !s.DevOverride
	if !locked && s.Confine == nil {
		return unlocked(s, path)
	}
	image, sum, err := openImage(path)
	if errors.Is(err, syscall.EFBIG) {
		return nil, s.misconfigured(fmt.Sprintf("the plugin runs as a copy of its executable %s, and this host may not write as much: raise its limit of file sizes (ulimit -f)", path))
	}
	if err != nil {
		return nil, s.misconfigured(fmt.Sprintf("the plugin's executable %s cannot be checked (%v)", path, pathCause(err)))
	}
	p := &prepared{path: path, image: image, sum: sum}
	if locked {
		if err := h.opts.Lock.checkSum(s.Plugin, path, sum); err != nil {
			p.close()
			return nil, s.untrusted(err, "its plugin is not the one that "+h.opts.Lock.title()+" names.", unlockedNext)
		}
	}
	return p, nil
}

// unlockedNext is what to do about a plugin that the lock file does not name.
const unlockedNext = "The operator can see with querent plugins verify what differs, and run querent plugins lock if the new plugin is the one that is wanted."

// unlocked is an executable that runs whatever it is. A confined one runs as a copy
// all the same, which it may execute wherever the file is.
func unlocked(s Spec, path string) (*prepared, error) {
	p := &prepared{path: path}
	f, err := os.Open(path)
	if err != nil {
		// It may be executed all the same; it is only not recognised.
		return p, nil
	}
	defer f.Close()
	if p.sum, err = Sum(f); err != nil {
		return nil, s.misconfigured(fmt.Sprintf("the plugin's executable %s cannot be read (%v)", path, pathCause(err)))
	}
	return p, nil
}

// instanceKey is the same for two Specs that one process can serve.
type instanceKey [sha256.Size]byte

// keyOf is the key of a Spec whose executable was prepared: all that the process
// is started with, but for the content of files, which is not known before the
// plugin has said which settings name files.
func (h *Host) keyOf(s Spec, p *prepared) (instanceKey, error) {
	text, err := json.Marshal(struct {
		Provider, Plugin, File, Sum, Settings string
		Env                                   []string
		TLS, DevOverride                      bool
		Reattach                              *config.Reattach
		Confine                               *Confinement
	}{
		string(s.Provider), string(s.Plugin), filepath.Base(p.path), p.sum, string(s.Settings), // the file's name is the first argument
		h.environment(s), s.TLS, s.DevOverride, s.Reattach, s.Confine,
	})
	if err != nil {
		return instanceKey{}, s.misconfigured(err.Error())
	}
	return sha256.Sum256(text), nil
}

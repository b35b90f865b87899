package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/goccy/go-yaml"

	"querent.dev/querent/core/config"
)

// templateLockVersion is the version of the lock file's form.
const templateLockVersion = 1

// templateLock is the content of templates.lock: which files may word and plan.
type templateLock struct {
	Version int                 `yaml:"version" json:"version"`
	Files   map[string]approval `yaml:"files" json:"files"` // by the path from the lock file's folder

	path string
}

// approval is who let a file be used, and which bytes of it.
type approval struct {
	SHA256 string `yaml:"sha256" json:"sha256"` // hexadecimal
	By     string `yaml:"approved_by" json:"approved_by"`
	At     string `yaml:"approved_at" json:"approved_at"` // RFC 3339
}

// openTemplateLock is the lock file of a configuration if it counts, and nil if
// any file may be used.
func openTemplateLock(cfg *config.Config) (*templateLock, error) {
	mode, path := cfg.TemplateLock.Mode, cfg.Path(cfg.TemplateLock.File)
	if mode == config.LockOff {
		return nil, nil
	}
	lock, err := readTemplateLock(path)
	if errors.Is(err, fs.ErrNotExist) && mode != config.LockRequire {
		return nil, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usage("template_lock.mode is require, and there is no lock file %s: querent templates approve writes it", path)
	}
	return lock, err
}

func readTemplateLock(path string) (*templateLock, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the lock file of templates: %w", err)
	}
	lock := &templateLock{path: path}
	if err := yaml.UnmarshalWithOptions(text, lock, yaml.Strict()); err != nil {
		return nil, usage("the lock file of templates %s cannot be read: %s", path, yaml.FormatError(err, false, false))
	}
	if lock.Version != templateLockVersion {
		return nil, usage("the lock file of templates %s has version %d, and this program reads version %d: write it anew with querent templates approve", path, lock.Version, templateLockVersion)
	}
	return lock, nil
}

// write writes the lock file in place of what is there, whole or not at all.
func (l *templateLock) write() error {
	l.Version = templateLockVersion
	text, err := yaml.Marshal(l)
	if err != nil {
		return fmt.Errorf("writing the lock file of templates: %w", err)
	}
	temp, err := os.CreateTemp(filepath.Dir(l.path), filepath.Base(l.path)+".*")
	if err != nil {
		return fmt.Errorf("writing the lock file of templates: %w", err)
	}
	defer os.Remove(temp.Name()) // nothing is left of it once it has been renamed
	_, err = temp.Write(text)
	if err := errors.Join(err, temp.Chmod(0o644), temp.Close()); err != nil {
		return fmt.Errorf("writing the lock file of templates: %w", err)
	}
	if err := os.Rename(temp.Name(), l.path); err != nil {
		return fmt.Errorf("writing the lock file of templates: %w", err)
	}
	return nil
}

// sumOf is the SHA-256 of a file's bytes as the lock file holds it.
func sumOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// check reports whether the file holds the bytes that were approved. The error
// says what is, what should be and what to do.
func (l *templateLock) check(file string, content []byte) error {
	const remedy = "if it is what you want, run querent templates approve"
	known, ok := l.Files[lockKey(l.path, file)]
	if !ok {
		return fmt.Errorf("%s is not approved: it is not in %s; %s", file, l.path, remedy)
	}
	if got := sumOf(content); got != known.SHA256 {
		return fmt.Errorf("%s is not the file that %s approved on %s: its SHA-256 is %s, expected %s; put the approved file back, or, %s",
			file, known.By, known.At, got, known.SHA256, remedy)
	}
	return nil
}

// checkSets names every file of the sets that is not approved, by the setting
// that names it.
func (l *templateLock) checkSets(sets ...templateSet) config.Problems {
	var problems config.Problems
	for _, set := range sets {
		for _, f := range set.files {
			if err := l.check(f.path, f.content); err != nil {
				problems = append(problems, config.Problem{Place: config.Place{Key: f.key}, Message: err.Error()})
			}
		}
	}
	return problems
}

// approvedFiles gives providers the files that their settings name. Where
// approvals count, what a template provider is sent was read and checked when the
// specs were made, and those are the bytes that it gets; in compliance mode every
// other file must be approved, too.
type approvedFiles struct {
	cfg  *config.Config
	lock *templateLock // nil: any file may be used
}

// reader reads the files of one provider. A file that is not approved, or cannot
// be read where approvals count, is config.Problems.
func (a approvedFiles) reader(name config.ProviderName) (func(string) ([]byte, error), error) {
	fromDisk := func(file string) ([]byte, error) { return os.ReadFile(a.cfg.Path(file)) }
	template := a.cfg.Providers[name].Plugin == config.TemplatePlugin
	if a.lock == nil || !template && !a.cfg.Settings.Answer.Compliance {
		return fromDisk, nil
	}
	checked := map[string][]byte{}
	if template {
		files, err := templateFiles(a.cfg, name)
		if err != nil {
			return nil, err
		}
		if problems := a.lock.checkSets(templateSet{name, files}); len(problems) > 0 {
			return nil, problems
		}
		for _, f := range files {
			checked[f.name] = f.content
		}
	}
	return func(file string) ([]byte, error) {
		if content, ok := checked[file]; ok {
			return content, nil
		}
		content, err := fromDisk(file)
		if err != nil {
			return nil, err
		}
		return content, a.lock.check(a.cfg.Path(file), content)
	}, nil
}

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"querent.dev/querent/core/config"
	"querent.dev/querent/plugins/template/pack"
	"querent.dev/querent/plugins/template/planner"
	"querent.dev/querent/plugins/template/synth"
)

// templateFile is a template pack or a file of question patterns.
type templateFile struct {
	key      string // of the setting that names it, "" for one of the command line
	name     string // as it is named there
	path     string // where it is
	patterns bool
	content  []byte
}

// templateFiles are the files that a provider of the template plugin is sent.
func templateFiles(cfg *config.Config, name config.ProviderName) ([]templateFile, error) {
	resolved, err := cfg.Resolve(cfg.Providers[name].Config)
	if err != nil {
		return nil, err
	}
	var settings struct {
		Packs    []string `json:"packs"`
		Patterns []string `json:"question_patterns"`
	}
	if err := json.Unmarshal(resolved, &settings); err != nil {
		return nil, nil // the plugin's schema says what is wrong with its settings
	}
	var out []templateFile
	read := func(setting string, names []string, patterns bool) error {
		for i, file := range names {
			f := templateFile{key: fmt.Sprintf("providers.%s.config.%s.%d", name, setting, i), name: file, path: cfg.Path(file), patterns: patterns}
			if f.content, err = os.ReadFile(f.path); err != nil {
				return config.Problems{{Place: config.Place{Key: f.key}, Message: fmt.Sprintf("the file cannot be read: %v", err)}}
			}
			out = append(out, f)
		}
		return nil
	}
	if err := read("packs", settings.Packs, false); err != nil {
		return nil, err
	}
	return out, read("question_patterns", settings.Patterns, true)
}

// templateSet is the files of one template provider, or those of the command line.
type templateSet struct {
	provider config.ProviderName
	files    []templateFile
}

// templateSets are those of every provider of the template plugin, by name.
func templateSets(cfg *config.Config) ([]templateSet, error) {
	var out []templateSet
	for _, name := range slices.Sorted(maps.Keys(cfg.Providers)) {
		if cfg.Providers[name].Plugin != config.TemplatePlugin {
			continue
		}
		files, err := templateFiles(cfg, name)
		if err != nil {
			return nil, err
		}
		out = append(out, templateSet{name, files})
	}
	return out, nil
}

// namedFiles are the files of a command line as one set. A file with patterns at
// its top holds question patterns.
func namedFiles(paths []string) (templateSet, error) {
	var out templateSet
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			return out, usage("the file cannot be read: %v", err)
		}
		var top map[string]any
		patterns := false
		if yaml.Unmarshal(content, &top) == nil {
			_, patterns = top["patterns"]
		}
		out.files = append(out.files, templateFile{name: path, path: path, content: content, patterns: patterns})
	}
	return out, nil
}

// read is the wording of a set over the built-in packs, and everything that is
// wrong with it. The wording is nil when it cannot be used.
func (s templateSet) read() (*pack.Set, []*pack.Pack, pack.Problems) {
	packs, err := pack.Builtin()
	if err != nil {
		return nil, nil, problemsOf(err)
	}
	var problems pack.Problems
	for _, f := range s.files {
		if f.patterns {
			_, err := planner.ParsePatterns(f.name, f.content)
			problems = append(problems, problemsOf(err)...)
			continue
		}
		p, err := pack.Parse(f.name, f.content)
		problems = append(problems, problemsOf(err)...)
		if p != nil {
			packs = append(packs, p)
		}
	}
	problems = append(problems, pack.Lint(packs)...)
	set, err := pack.NewSet(packs)
	problems = append(problems, problemsOf(err)...)
	if len(problems) > 0 {
		return nil, packs, problems
	}
	return set, packs, synth.Check(set)
}

// problemsOf takes an error apart. One that is no list of problems names its file
// itself, in each of its lines.
func problemsOf(err error) pack.Problems {
	var known pack.Problems
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return known
	}
	for line := range strings.Lines(err.Error()) {
		known = append(known, pack.Problem{Message: strings.TrimSpace(line)})
	}
	return known
}

// lockKey is how the lock file names a file: from the lock file's folder, with
// slashes, so that it holds on every platform.
func lockKey(lock, file string) string {
	if rel, err := filepath.Rel(filepath.Dir(lock), file); err == nil {
		file = rel
	}
	return filepath.ToSlash(file)
}

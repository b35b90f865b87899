package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/goccy/go-yaml"
)

// maxFileBytes bounds a configuration file. Real ones are a few kilobytes; the
// bound keeps a mistaken path, to a database for instance, from being parsed.
const maxFileBytes = 4 << 20

// Load reads the configuration at name: a file, or a folder whose *.yaml and
// *.yml files are merged. What it returns is complete (defaults are filled in)
// and checked; the warnings name settings that have no effect. A configuration
// that cannot be used is Problems with everything that was found. References
// such as ${env:NAME} are checked for their form and kept; Resolve looks them up.
func Load(name string) (*Config, []Warning, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, nil, problem("", "%s: there is no configuration: %s", name, reasonOf(err))
	}
	if !info.IsDir() {
		content, err := readBounded(name)
		if err != nil {
			return nil, nil, err
		}
		return Parse(name, content)
	}
	files, err := configFiles(name)
	if err != nil {
		return nil, nil, err
	}
	var sources []*source
	var problems Problems
	for _, file := range files {
		content, err := readBounded(file)
		if err != nil {
			return nil, nil, err
		}
		src, wrong := readSource(file, content)
		problems = append(problems, wrong...)
		sources = append(sources, src)
	}
	if len(problems) > 0 {
		return nil, nil, problems
	}
	merged, problems := merge(name, sources)
	if len(problems) > 0 {
		return nil, nil, problems
	}
	return finish(merged, name)
}

// Parse reads one file's content. Relative paths in it are relative to the
// folder of file, which need not exist.
func Parse(file string, content []byte) (*Config, []Warning, error) {
	src, problems := readSource(file, content)
	if len(problems) > 0 {
		return nil, nil, problems
	}
	return finish(src, filepath.Dir(file))
}

// Build completes and checks a configuration that was made in the program, with
// paths relative to dir.
func Build(c Config, dir string) (*Config, []Warning, error) {
	text, err := yaml.Marshal(c)
	if err != nil {
		return nil, nil, fmt.Errorf("config: writing a built configuration: %w", err)
	}
	src, problems := readSource("", text)
	if len(problems) > 0 {
		return nil, nil, problems
	}
	src.places = nil
	return finish(src, dir)
}

// finish turns what was read into a Config: shape first, since the later checks
// rely on it, then everything else at once.
func finish(src *source, dir string) (*Config, []Warning, error) {
	if problems := checkShape(src); len(problems) > 0 {
		return nil, nil, problems.sorted()
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("config: %w", err)
	}
	c := &Config{dir: dir}
	if err := decode(src, c); err != nil {
		return nil, nil, err
	}
	problems, warnings := checkSupport(src)
	c.fillDefaults()
	problems = append(problems, check(c, src)...)
	if len(problems) > 0 {
		return nil, nil, problems.sorted()
	}
	return c, warnings, nil
}

func configFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, problem("", "%s: the folder cannot be read: %s", dir, reasonOf(err))
	}
	var files []string
	for _, e := range entries {
		ext := filepath.Ext(e.Name())
		if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") && (ext == ".yaml" || ext == ".yml") {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	if len(files) == 0 {
		return nil, problem("", "%s: the folder holds no *.yaml file", dir)
	}
	sort.Strings(files)
	return files, nil
}

func readBounded(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, problem("", "%s: cannot be read: %s", name, reasonOf(err))
	}
	if !info.Mode().IsRegular() || info.Size() > maxFileBytes {
		return nil, problem("", "%s: expected a YAML file of at most %s", name, Bytes(maxFileBytes))
	}
	content, err := os.ReadFile(name)
	if err != nil {
		return nil, problem("", "%s: cannot be read: %s", name, reasonOf(err))
	}
	return content, nil
}

// reasonOf is err without the path that the message names already.
func reasonOf(err error) string {
	var pathError *os.PathError
	if errors.As(err, &pathError) {
		return pathError.Err.Error()
	}
	return err.Error()
}

// sorted is p in the order of the files and lines.
func (p Problems) sorted() Problems {
	sort.SliceStable(p, func(i, j int) bool {
		a, b := p[i].Place, p[j].Place
		if a.File != b.File {
			return a.File < b.File
		}
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Column < b.Column
	})
	return p
}

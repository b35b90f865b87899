// Package scaffold writes the first version of a plugin: a module of its own that
// builds, passes its tests and answers a question at once.
package scaffold

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"querent.dev/querent/core/demo"
	"querent.dev/querent/sdk"
)

// files are the templates of a plugin's files: common ones, and those of each kind.
//
//go:embed files
var files embed.FS

// Kinds are the services that a plugin can be written for.
func Kinds() []sdk.ServiceName {
	return []sdk.ServiceName{sdk.ServiceModel, sdk.ServicePlanner, sdk.ServiceSynthesizer}
}

// Plugin is a plugin that is to be written.
type Plugin struct {
	Name     string
	Kind     sdk.ServiceName
	Checkout string // folder with Querent's source, which the plugin is built with
}

// maxName bounds a plugin's name, which is part of a file's name and of a variable's.
const maxName = 40

// fit is what a name must look like: it becomes part of a file's name, of a module's
// path and, in capitals, of a variable's name.
var fit = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// own are the plugins that come with Querent, which would be found in place of others
// of their name.
var own = []string{"openai", "ollama", "template"}

// Check says what is wrong with p, and what to do about it.
func (p Plugin) Check() error {
	switch {
	case len(p.Name) > maxName || !fit.MatchString(p.Name):
		return fmt.Errorf("%q does not fit as a plugin's name: take up to %d small letters, digits and hyphens, beginning with a letter, such as my-model", p.Name, maxName)
	case slices.Contains(own, p.Name):
		return fmt.Errorf("the plugin %s comes with Querent: take another name", p.Name)
	case !slices.Contains(Kinds(), p.Kind):
		return fmt.Errorf("the kind %q is none of model, planner and synthesizer", p.Kind)
	}
	return nil
}

// Write makes dir, which must not exist, with the plugin's files and the demo's
// database in it. Where it fails, it leaves nothing behind.
func Write(ctx context.Context, dir string, p Plugin) (err error) {
	if err := p.Check(); err != nil {
		return err
	}
	needs, err := needsOf(ctx, p.Checkout)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return fmt.Errorf("making the plugin's folder: %w", err)
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return fmt.Errorf("making the plugin's folder, which must not be there yet: %w", err)
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(dir) // made above
		}
	}()
	for _, group := range []string{"common", string(p.Kind)} {
		if err := writeGroup(dir, group, p, needs); err != nil {
			return err
		}
	}
	return demo.Write(ctx, filepath.Join(dir, "demo.db"))
}

// writeGroup fills in the templates of a group.
func writeGroup(dir, group string, p Plugin, n needs) error {
	entries, err := fs.ReadDir(files, path.Join("files", group))
	if err != nil {
		return err
	}
	values := struct {
		Plugin
		needs
	}{p, n}
	for _, e := range entries {
		text, err := fs.ReadFile(files, path.Join("files", group, e.Name()))
		if err != nil {
			return err
		}
		t, err := template.New(e.Name()).Delims("<<", ">>").Parse(string(text))
		if err != nil {
			return err
		}
		var out bytes.Buffer
		if err := t.Execute(&out, values); err != nil {
			return err
		}
		name := strings.TrimSuffix(e.Name(), ".tmpl")
		if name == "gitignore" { // a file with a dot would not be embedded
			name = ".gitignore"
		}
		if err := os.WriteFile(filepath.Join(dir, name), out.Bytes(), 0o666); err != nil {
			return fmt.Errorf("writing the plugin's files: %w", err)
		}
	}
	return nil
}

package scaffold

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// module is the one that plugins import, and that the checkout must hold.
const module = "querent.dev/querent"

// needs is what a plugin's module takes over from the checkout's, so that it builds
// with the same versions and without the network.
type needs struct {
	GoVersion string
	Root      string   // the checkout's absolute path, quoted for go.mod
	Requires  []string // "path version"
	Sums      []string // lines of go.sum
}

// needsOf asks the go command what the SDK and its conformance kit are built with.
func needsOf(ctx context.Context, checkout string) (needs, error) {
	root, err := filepath.Abs(checkout)
	if err != nil {
		return needs{}, err
	}
	head, err := goList(ctx, root, "-m", "-f", "{{.Path}} {{.GoVersion}}")
	if err != nil {
		return needs{}, err
	}
	name, version, _ := strings.Cut(strings.TrimSpace(head), " ")
	if name != module {
		return needs{}, fmt.Errorf("%s holds the module %s, not Querent's source (%s)", root, name, module)
	}
	n := needs{GoVersion: version, Root: fmt.Sprintf("%q", root)}
	deps, err := goList(ctx, root, "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}",
		module+"/sdk", module+"/sdk/conformance")
	if err != nil {
		return needs{}, err
	}
	wanted := map[string]bool{}
	for line := range strings.Lines(deps) {
		line = strings.TrimSpace(line)
		if line == "" || wanted[line] {
			continue
		}
		wanted[line], wanted[line+"/go.mod"] = true, true
		n.Requires = append(n.Requires, line)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return needs{}, fmt.Errorf("reading the sums of Querent's modules: %w", err)
	}
	for line := range strings.Lines(string(sums)) {
		if at := strings.LastIndexByte(line, ' '); at > 0 && wanted[line[:at]] {
			n.Sums = append(n.Sums, strings.TrimSpace(line))
		}
	}
	slices.Sort(n.Requires)
	return n, nil
}

// goList runs go list in the checkout.
func goList(ctx context.Context, root string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list"}, args...)...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = root, &out, &errs
	cmd.Env = append(os.Environ(), "GOWORK=off", "PWD="+root)
	err := cmd.Run()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", errors.New("the go command was not found: install Go (https://go.dev/dl), with which plugins are built")
	case err != nil:
		return "", fmt.Errorf("asking go what is in %s: %w: %s", root, err, strings.TrimSpace(errs.String()))
	}
	return out.String(), nil
}

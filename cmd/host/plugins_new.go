package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"querent.dev/querent/cmd/host/internal/scaffold"
	"querent.dev/querent/sdk"
)

// newPlugin is what plugins new is asked to write.
type newPlugin struct {
	kind, dir, checkout string
}

func (a *app) newPluginCommand() *cobra.Command {
	var p newPlugin
	cmd := &cobra.Command{
		Use:   "new NAME --kind model|planner|synthesizer",
		Short: "Write the first version of a plugin, which builds and answers at once",
		Long: "Writes a module of Go with a plugin of that kind, its tests with the conformance kit\n" +
			"among them, a Makefile, the demo's database, and a configuration that uses the plugin\n" +
			"over it. It is built with Querent's source in a checkout, and needs no network.",
		Example: "  querent plugins new weather --kind planner --replace ~/src/querent",
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.writePlugin(cmd.Context(), args[0], p) },
	}
	flags := cmd.Flags()
	flags.StringVar(&p.kind, "kind", "", "what the plugin is: a model, whose prompts Querent writes, a planner or a synthesizer, which do without")
	flags.StringVar(&p.dir, "dir", "", "folder to make for it; default NAME in this folder")
	flags.StringVar(&p.checkout, "replace", "", "folder with Querent's source; default the checkout that this folder or the program is in")
	return cmd
}

// newPluginReport is the output of plugins new for programs.
type newPluginReport struct {
	Name string          `json:"name"`
	Kind sdk.ServiceName `json:"kind"`
	Dir  string          `json:"dir"`
	Next []string        `json:"next"` // the commands to go on with
}

func (a *app) writePlugin(ctx context.Context, name string, n newPlugin) error {
	p := scaffold.Plugin{Name: name, Kind: sdk.ServiceName(n.kind), Checkout: n.checkout}
	if err := p.Check(); err != nil {
		return usage("%v", err)
	}
	dir := n.dir
	if dir == "" {
		dir = name
	}
	if _, err := os.Lstat(dir); err == nil {
		return usage("%s is there already: --dir names another folder", dir)
	}
	if p.Checkout == "" {
		if p.Checkout = enclosingCheckout(); p.Checkout == "" {
			return usage("neither this folder nor the program is in a checkout of Querent: --replace names one")
		}
	}
	if err := scaffold.Write(ctx, dir, p); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return usage("%v", err)
	}
	report := newPluginReport{Name: name, Kind: p.Kind, Dir: dir,
		Next: []string{"cd " + shellQuoted(dir) + " && make", "querent plugins test " + name, `querent ask "How many customers?"`}}
	if a.output == outputJSON {
		return a.writeJSON(report)
	}
	_, err := fmt.Fprintf(a.stdout, "Wrote the %s %s into %s. It begins in provider.go. Next:\n\n  %s\n", p.Kind, name, dir, strings.Join(report.Next, "\n  "))
	return err
}

// shellQuoted is a path as a shell reads it.
func shellQuoted(path string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-", r)
	}
	if strings.IndexFunc(path, func(r rune) bool { return !plain(r) }) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// enclosingCheckout is the checkout of Querent around this folder or the program, ""
// when there is none.
func enclosingCheckout() string {
	var from []string
	if dir, err := os.Getwd(); err == nil {
		from = append(from, dir)
	}
	if program, err := os.Executable(); err == nil {
		from = append(from, filepath.Dir(program))
	}
	for _, dir := range from {
		for ; ; dir = filepath.Dir(dir) {
			text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
			if err == nil && strings.HasPrefix(string(text), "module querent.dev/querent\n") {
				return dir
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return ""
}

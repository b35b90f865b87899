package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/sdk/conformance"
	"querent.dev/querent/sdk/conformance/fakeserver"
	"querent.dev/querent/sdk/reason"
)

// pluginCheck is what plugins test is asked to do.
type pluginCheck struct {
	config string
	quirks string
	model  string
	set    []string
	only   []string
}

// noQuirks leaves out what needs a fake model server.
const noQuirks = "none"

func (a *app) checkPluginCommand() *cobra.Command {
	var c pluginCheck
	cmd := &cobra.Command{
		Use:   "test NAME|FILE",
		Short: "Check that a plugin keeps the protocol's contracts",
		Long: "Starts the plugin of that name in the folder of plugins, or the executable at that\n" +
			"path, again and again, and checks that it keeps the contracts of the protocol. A\n" +
			"plugin of models is pointed to fake model servers, which send what real ones were\n" +
			"seen to send (docs/conformance.md lists it). No other server is asked.\n\n" +
			"What does not apply to the plugin is shown with the reason, and counts as neither\n" +
			"passed nor failed. The exit code is 0 when something applied and all of that passed,\n" +
			"else 5.",
		Example: "  querent plugins test openai\n" +
			"  querent plugins test ./querent-plugin-mine --quirks openai --set endpoint={url} --set key={key}",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.checkPlugin(cmd.Context(), args[0], c) },
	}
	flags := cmd.Flags()
	flags.StringVar(&c.config, "config", "", "configuration file, or a folder of *.yaml files; default "+defaultConfig+" if it is there")
	flags.StringVar(&c.quirks, "quirks", "", "the API of the fake model servers: openai, ollama or none; default that of the plugin, where it is known")
	flags.StringVar(&c.model, "model", "", "the model to ask for; default a name of the kit's own")
	flags.StringArrayVar(&c.only, "only", nil, "run only the checks whose names begin so, such as planner/")
	flags.StringArrayVar(&c.set, "set", nil, "a setting of the plugin, NAME=VALUE; {url} and {key} are the fake model server's address and key")
	return cmd
}

func (a *app) checkPlugin(ctx context.Context, name string, c pluginCheck) error {
	program, done, err := a.pluginProgram(name, c.config)
	if err != nil {
		return err
	}
	defer done()
	target := conformance.Target{Program: program, Model: c.model, Only: c.only}
	if target.Shape, err = c.shape(name); err != nil {
		return err
	}
	if target.Settings, err = c.settings(name, target.Shape); err != nil {
		return err
	}
	if len(target.Checks()) == 0 {
		return usage("no check begins with %s", strings.Join(c.only, " or "))
	}
	report, err := conformance.Check(ctx, target, a.tellResult)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return reason.Provider(reason.Misconfigured, "%w", err)
	}
	return a.reportCheck(report)
}

// pluginProgram is the executable to check: a file, or what runs for a plugin's
// name. done removes what was made for it.
func (a *app) pluginProgram(name, path string) (p *conformance.Program, done func(), err error) {
	cfg, err := a.optionalConfig(path)
	if err != nil {
		return nil, nil, err
	}
	plugin := config.PluginName(strings.TrimPrefix(filepath.Base(name), pluginPrefix))
	p, done = &conformance.Program{Path: name, NoTLS: cfg.Plugins[plugin].TLS == "off"}, func() {}
	if a.logLevel == "debug" || a.logLevel == "trace" {
		p.Log = a.stderr
	}
	named := filepath.Base(name) == name
	override := cfg.Plugins[plugin].DevOverride
	if named {
		dir, err := pluginDir(cfg)
		if err != nil {
			return nil, nil, err
		}
		p.Path = filepath.Join(dir, pluginPrefix+name)
		if override != "" {
			p.Path = cfg.Path(override)
		}
	}
	if p.Path, err = filepath.Abs(p.Path); err != nil {
		return nil, nil, usage("%v", err)
	}
	if _, err := os.Stat(p.Path); err != nil {
		return nil, nil, usage("the plugin %s cannot be read: %v; name one of the folder plugin_dir, or an executable by its path", plugin, err)
	}
	if named && override == "" {
		done, err = onlyLocked(cfg, plugin, p)
	}
	return p, done, err
}

// onlyLocked makes p a copy of what the lock file names, where there is one.
func onlyLocked(cfg *config.Config, plugin config.PluginName, p *conformance.Program) (done func(), err error) {
	lock, err := pluginhost.OpenLock(cfg.Path(cfg.PluginLock.File), cfg.PluginLock.Mode)
	if err != nil {
		return nil, usage("%v", err)
	}
	if lock == nil {
		return func() {}, nil
	}
	p.Path, done, err = lockedCopy(lock, plugin, p.Path)
	return done, err
}

// lockedCopy is a copy of an executable that is as the lock file has it, in a
// folder of its own: what was checked is what runs.
func lockedCopy(lock *pluginhost.Lock, plugin config.PluginName, file string) (path string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "querent-plugin-")
	if err != nil {
		return "", nil, fmt.Errorf("copy the plugin: %w", err)
	}
	remove = func() { _ = os.RemoveAll(dir) } // what is left of a copy harms nobody
	path = filepath.Join(dir, filepath.Base(file))
	if err := copyChecked(lock, plugin, file, path); err != nil {
		remove()
		return "", nil, err
	}
	return path, remove, nil
}

func copyChecked(lock *pluginhost.Lock, plugin config.PluginName, from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return usage("the plugin %s cannot be read: %v", plugin, err)
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o700)
	if err != nil {
		return fmt.Errorf("copy the plugin: %w", err)
	}
	if err := errors.Join(lock.Check(plugin, from, io.TeeReader(source, target)), target.Close()); err != nil {
		return usage("%v", err)
	}
	return nil
}

// shape is the API of the fake model servers.
func (c pluginCheck) shape(name string) (fakeserver.Shape, error) {
	switch shape := fakeserver.Shape(c.quirks); {
	case c.quirks == noQuirks:
		return "", nil
	case slices.Contains(fakeserver.Shapes(), shape):
		return shape, nil
	case c.quirks != "":
		return "", usage("--quirks %q: expected openai, ollama or none", c.quirks)
	case slices.Contains(fakeserver.Shapes(), known(name)):
		return known(name), nil
	}
	return "", nil
}

// known is the shape of a plugin that comes with Querent and is named as its API.
func known(name string) fakeserver.Shape {
	return fakeserver.Shape(strings.TrimPrefix(filepath.Base(name), pluginPrefix))
}

// settings makes the plugin's settings from --set, or are those of a known plugin.
func (c pluginCheck) settings(name string, shape fakeserver.Shape) (func(string) json.RawMessage, error) {
	set := c.set
	if len(set) == 0 {
		switch known(name) {
		case fakeserver.OpenAI:
			set = []string{"base_url={url}", "api_key={key}"}
		case fakeserver.Ollama:
			set = []string{"url={url}", "api_key={key}"}
		}
	}
	values := map[string]string{}
	for _, s := range set {
		setting, value, ok := strings.Cut(s, "=")
		if !ok || setting == "" {
			return nil, usage("--set %q: expected NAME=VALUE", s)
		}
		values[setting] = value
	}
	if shape != "" && !strings.Contains(strings.Join(set, " "), "{url}") {
		return nil, usage("--quirks %s: no setting says where the model server is; write --set NAME={url}", shape)
	}
	return func(server string) json.RawMessage { return filled(values, server) }, nil
}

// filled are settings with the address and the key of a fake server. A value that
// is JSON is taken as such, any other as a text.
func filled(values map[string]string, server string) json.RawMessage {
	fill := strings.NewReplacer("{url}", server, "{key}", conformance.Key)
	settings := map[string]json.RawMessage{}
	for name, value := range values {
		value = fill.Replace(value)
		settings[name] = json.RawMessage(value)
		if !json.Valid(settings[name]) {
			settings[name] = mustJSON(value)
		}
	}
	return mustJSON(settings)
}

func mustJSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts and valid JSON always can be written
	}
	return b
}

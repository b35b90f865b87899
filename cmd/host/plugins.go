package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pluginhost"
)

func (a *app) pluginsCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "plugins", Short: "List the plugins, and lock them to what they are now"}
	var path string
	for use, c := range map[string]*cobra.Command{
		"list":   {Short: "List the plugins with their files and whether they are locked", RunE: func(*cobra.Command, []string) error { return a.listPlugins(path) }},
		"verify": {Short: "Check every plugin against the lock file", RunE: func(*cobra.Command, []string) error { return a.verifyPlugins(path) }},
		"lock":   {Short: "Write the lock file: only these files may run from then on", RunE: func(*cobra.Command, []string) error { return a.lockPlugins(path) }},
	} {
		c.Use, c.Args = use, cobra.NoArgs
		c.Flags().StringVar(&path, "config", "", "configuration file, or a folder of *.yaml files; default "+defaultConfig+" if it is there")
		cmd.AddCommand(c)
	}
	return cmd
}

// lockState is how a plugin stands to the lock file.
type lockState string

// The lock states.
const (
	lockNone     lockState = "no lock file"
	lockGood     lockState = "locked"
	lockMismatch lockState = "not as locked"
)

// pluginReport is a plugin as plugins list shows it.
type pluginReport struct {
	Plugin config.PluginName `json:"plugin"`
	Path   string            `json:"path"`
	SHA256 string            `json:"sha256"`
	Lock   lockState         `json:"lock"`
	Detail string            `json:"detail,omitempty"`
}

// installed is the plugins of a configuration and the lock file that holds them.
type installed struct {
	plugins  []pluginReport
	lock     *pluginhost.Lock // nil: none
	lockFile string
}

// findPlugins looks at every plugin in the configuration's folder of plugins.
func (a *app) findPlugins(path string) (*installed, error) {
	cfg, err := a.optionalConfig(path)
	if err != nil {
		return nil, err
	}
	dir, err := pluginDir(cfg)
	if err != nil {
		return nil, err
	}
	found := &installed{lockFile: cfg.Path(cfg.PluginLock.File)}
	if found.lock, err = pluginhost.OpenLock(found.lockFile, config.LockAuto); err != nil {
		return nil, usage("%v", err)
	}
	files, err := filepath.Glob(filepath.Join(dir, pluginPrefix+"*"))
	if err != nil || len(files) == 0 {
		return nil, usage("there are no plugins (%s…) in %s: build them, or set plugin_dir in the configuration", pluginPrefix, dir)
	}
	for _, file := range files {
		report, err := found.look(file)
		if err != nil {
			return nil, err
		}
		found.plugins = append(found.plugins, report)
	}
	return found, nil
}

// optionalConfig is the configuration at path, that of this folder, or the
// defaults.
func (a *app) optionalConfig(path string) (*config.Config, error) {
	if path == "" {
		if _, err := os.Stat(defaultConfig); errors.Is(err, fs.ErrNotExist) {
			c, _, err := config.Build(config.Config{Version: 1}, ".")
			return c, err
		}
		path = defaultConfig
	}
	c, _, err := a.loadConfig(path)
	return c, err
}

func (f *installed) look(file string) (pluginReport, error) {
	name := config.PluginName(strings.TrimPrefix(filepath.Base(file), pluginPrefix))
	report := pluginReport{Plugin: name, Path: file, Lock: lockNone}
	executable, err := os.Open(file)
	if err != nil {
		return report, usage("the plugin %s cannot be read: %v", name, err)
	}
	defer executable.Close()
	if report.SHA256, err = pluginhost.Sum(executable); err != nil {
		return report, usage("the plugin %s cannot be read: %v", name, err)
	}
	if f.lock == nil {
		return report, nil
	}
	if _, err := executable.Seek(0, 0); err != nil {
		return report, usage("the plugin %s cannot be read: %v", name, err)
	}
	report.Lock = lockGood
	if err := f.lock.Check(name, file, executable); err != nil {
		report.Lock, report.Detail = lockMismatch, err.Error()
	}
	return report, nil
}

func (a *app) listPlugins(path string) error {
	found, err := a.findPlugins(path)
	if err != nil {
		return err
	}
	if a.output == outputJSON {
		return a.writeJSON(found.plugins)
	}
	for _, p := range found.plugins {
		if _, err := fmt.Fprintf(a.stdout, "%-12s %-14s %s %s\n", p.Plugin, p.Lock, p.SHA256, p.Path); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) verifyPlugins(path string) error {
	found, err := a.findPlugins(path)
	if err != nil {
		return err
	}
	if found.lock == nil {
		return usage("there is no lock file %s: querent plugins lock writes it", found.lockFile)
	}
	var wrong []string
	for _, p := range found.plugins {
		if p.Lock != lockGood {
			wrong = append(wrong, p.Detail)
		}
	}
	if len(wrong) > 0 {
		return usage("%s", strings.Join(wrong, "\n"))
	}
	if a.output == outputJSON {
		return a.writeJSON(found.plugins)
	}
	_, err = fmt.Fprintf(a.stdout, "All %d plugins are as %s has them.\n", len(found.plugins), found.lockFile)
	return err
}

func (a *app) lockPlugins(path string) error {
	found, err := a.findPlugins(path)
	if err != nil {
		return err
	}
	lock := pluginhost.Lock{Plugins: map[config.PluginName]pluginhost.LockedPlugin{}}
	for _, p := range found.plugins {
		sums := map[string]string{}
		if found.lock != nil {
			// Sums of other platforms stay: they cannot be found out here.
			for platform, sum := range found.lock.Plugins[p.Plugin].SHA256 {
				sums[platform] = sum
			}
		}
		sums[pluginhost.Platform()] = p.SHA256
		lock.Plugins[p.Plugin] = pluginhost.LockedPlugin{SHA256: sums}
	}
	if err := pluginhost.WriteLock(found.lockFile, lock); err != nil {
		return err
	}
	if a.output == outputJSON {
		return a.writeJSON(lock)
	}
	_, err = fmt.Fprintf(a.stdout, "Locked %d plugins for %s in %s.\n", len(lock.Plugins), pluginhost.Platform(), found.lockFile)
	return err
}

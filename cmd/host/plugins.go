package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"querent.dev/querent/core/audit"
	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pluginhost"
)

func (a *app) pluginsCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "plugins", Short: "List, lock and check the plugins, write new ones, and change those of a running server"}
	var path string
	for use, c := range map[string]*cobra.Command{
		"list":   {Short: "List the providers and plugins with their versions, services and files, and whether they are locked", RunE: func(cmd *cobra.Command, _ []string) error { return a.listPlugins(cmd.Context(), path) }},
		"reload": {Short: "Make the running server take its configuration and plugins over anew", Long: reloadHelp, RunE: func(cmd *cobra.Command, _ []string) error { return a.reloadServer(cmd.Context(), path) }},
		"verify": {Short: "Check every plugin against the lock file", RunE: func(*cobra.Command, []string) error { return a.verifyPlugins(path) }},
		"lock":   {Short: "Write the lock file: only these files may run from then on", RunE: func(cmd *cobra.Command, _ []string) error { return a.lockPlugins(cmd.Context(), path) }},
	} {
		c.Use, c.Args = use, cobra.NoArgs
		c.Flags().StringVar(&path, "config", "", "configuration file, or a folder of *.yaml files; default "+defaultConfig+" if it is there")
		cmd.AddCommand(c)
	}
	reset := &cobra.Command{
		Use: "reset PROVIDER", Short: "Start a plugin of the running server anew that has failed", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.resetPlugin(cmd.Context(), path, args[0]) },
	}
	reset.Flags().StringVar(&path, "config", "", serverConfigHelp)
	cmd.AddCommand(a.checkPluginCommand(), a.newPluginCommand(), reset)
	return cmd
}

const (
	serverConfigHelp = "configuration with which the server was started; default " + defaultConfig
	reloadHelp       = "Make the server that runs with this configuration take it over anew, with its plugins,\n" +
		"databases, keys and lock files. The new one is built beside the old one, and takes its\n" +
		"place for new questions when all of it works; questions on their way end under the old\n" +
		"one. If anything is wrong the old one goes on, and the exit code and the message say why."
)

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

func (a *app) verifyPlugins(path string) error {
	found, err := a.findPlugins(path, installedFiles)
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

// lockPlugins asks each plugin what it is, and writes down its version and its sum.
// Other platforms' sums of the same version stay.
func (a *app) lockPlugins(ctx context.Context, path string) error {
	found, err := a.findPlugins(path, installedFiles)
	if err != nil {
		return err
	}
	host := pluginhost.New(pluginhost.Options{Logger: a.logger()})
	lock := pluginhost.Lock{Plugins: map[config.PluginName]pluginhost.LockedPlugin{}}
	for _, p := range found.plugins {
		is, describeErr := host.Describe(ctx, p.spec)
		if describeErr != nil {
			err = errors.Join(err, describeErr)
			continue
		}
		sums := map[string]string{}
		if found.lock != nil && found.lock.Plugins[p.Plugin].Version == is.Version {
			// They cannot be found out here.
			maps.Copy(sums, found.lock.Plugins[p.Plugin].SHA256)
		}
		sums[pluginhost.Platform()] = p.SHA256
		lock.Plugins[p.Plugin] = pluginhost.LockedPlugin{Version: is.Version, SHA256: sums}
	}
	if err = errors.Join(err, host.Close(context.WithoutCancel(ctx))); err != nil {
		return err
	}
	if err := pluginhost.WriteLock(found.lockFile, lock); err != nil {
		return err
	}
	if err := a.noteFile(ctx, found.cfg, audit.PluginLocked, found.lockFile); err != nil {
		return err
	}
	if a.output == outputJSON {
		return a.writeJSON(lock)
	}
	_, err = fmt.Fprintf(a.stdout, "Locked %d plugins for %s in %s.\n", len(lock.Plugins), pluginhost.Platform(), found.lockFile)
	return err
}

package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/sdk"
)

// lockState is how a plugin stands to the lock file.
type lockState string

// The lock states.
const (
	lockNone       lockState = "no lock file"
	lockGood       lockState = "locked"
	lockMismatch   lockState = "not as locked"
	lockOverridden lockState = "dev override"
)

// pluginReport is a provider's plugin, or a plugin that no provider has, as plugins
// list shows it.
type pluginReport struct {
	Provider    config.ProviderName `json:"provider,omitempty"`
	Plugin      config.PluginName   `json:"plugin"`
	Path        string              `json:"path"`
	Version     string              `json:"version,omitempty"`
	Services    []sdk.ServiceName   `json:"services,omitempty"`
	SHA256      string              `json:"sha256"`
	Lock        lockState           `json:"lock"`
	Confinement string              `json:"confinement"`
	Live        *livePlugin         `json:"live,omitempty"` // in the server that runs with this configuration
	Detail      string              `json:"detail,omitempty"`

	spec pluginhost.Spec
}

// installed is the plugins of a configuration and the lock file that holds them.
type installed struct {
	cfg      *config.Config
	plugins  []pluginReport
	lock     *pluginhost.Lock // nil: none, or off
	lockFile string
}

// whichFiles are the executables that are looked at.
type whichFiles bool

// The executables of the folder of plugins, and those that run, which a dev override
// may have put in their place.
const (
	installedFiles whichFiles = false
	filesThatRun   whichFiles = true
)

// findPlugins looks at every plugin in the configuration's folder of plugins.
func (a *app) findPlugins(path string, which whichFiles) (*installed, error) {
	cfg, err := a.optionalConfig(path)
	if err != nil {
		return nil, err
	}
	dir, err := pluginDir(cfg)
	if err != nil {
		return nil, err
	}
	found := &installed{cfg: cfg, lockFile: cfg.Path(cfg.PluginLock.File)}
	if found.lock, err = pluginhost.OpenLock(found.lockFile, config.LockAuto); err != nil {
		return nil, usage("%v", err)
	}
	files, err := filepath.Glob(filepath.Join(dir, pluginPrefix+"*"))
	if err != nil || len(files) == 0 {
		return nil, usage("there are no plugins (%s…) in %s: build them, or set plugin_dir in the configuration", pluginPrefix, dir)
	}
	names := map[config.PluginName]bool{}
	for _, file := range files {
		names[config.PluginName(strings.TrimPrefix(filepath.Base(file), pluginPrefix))] = true
	}
	for name, p := range cfg.Plugins {
		if p.DevOverride != "" && which == filesThatRun {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		report, err := found.look(dir, name, which)
		if err != nil {
			return nil, err
		}
		found.plugins = append(found.plugins, report)
	}
	return found, nil
}

// look reports a plugin.
func (f *installed) look(dir string, name config.PluginName, which whichFiles) (pluginReport, error) {
	spec, err := pluginSpec(f.cfg, dir, name)
	if err != nil {
		return pluginReport{}, err
	}
	spec.Provider, spec.Reattach = config.ProviderName(name), nil
	if which == installedFiles {
		spec.Path, spec.DevOverride = filepath.Join(dir, pluginPrefix+string(name)), false
	}
	report := pluginReport{Plugin: name, Path: spec.Path, Confinement: confinementText(spec.Confine), spec: spec}
	executable, err := os.Open(spec.Path)
	if err != nil {
		return report, usage("the plugin %s cannot be read: %v", name, err)
	}
	defer executable.Close()
	if report.SHA256, err = pluginhost.Sum(executable); err != nil {
		return report, usage("the plugin %s cannot be read: %v", name, err)
	}
	if _, err := executable.Seek(0, io.SeekStart); err != nil {
		return report, usage("the plugin %s cannot be read: %v", name, err)
	}
	report.Lock, report.Detail = f.lockedAs(spec, executable)
	return report, nil
}

// lockedAs is how an executable stands to the lock file, with what is wrong.
func (f *installed) lockedAs(spec pluginhost.Spec, executable io.Reader) (lockState, string) {
	switch {
	case spec.DevOverride:
		return lockOverridden, ""
	case f.lock == nil:
		return lockNone, ""
	}
	if err := f.lock.Check(spec.Plugin, spec.Path, executable); err != nil {
		return lockMismatch, err.Error()
	}
	return lockGood, ""
}

// listPlugins asks each plugin that may run what it is.
func (a *app) listPlugins(ctx context.Context, path string) error {
	found, err := a.findPlugins(path, filesThatRun)
	if err != nil {
		return err
	}
	host := pluginhost.New(pluginhost.Options{Logger: a.logger()})
	for n := range found.plugins {
		describe(ctx, host, &found.plugins[n])
	}
	if err := host.Close(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	rows := found.byProvider()
	live, err := livePlugins(ctx, path)
	if err != nil {
		return err
	}
	for n := range rows {
		if l, ok := live[rows[n].Provider]; ok {
			rows[n].Live = &l
		}
	}
	if a.output == outputJSON {
		return a.writeJSON(rows)
	}
	return a.printPlugins(rows)
}

// describe fills in what the plugin says of itself. One that is not as locked is not
// asked: that would run it.
func describe(ctx context.Context, host *pluginhost.Host, p *pluginReport) {
	if p.Lock == lockMismatch {
		return
	}
	is, err := host.Describe(ctx, p.spec)
	if err != nil {
		p.Detail = err.Error()
		return
	}
	p.Version, p.Services = is.Version, is.Services
}

// byProvider is a row for each provider, and one for each plugin without any.
func (f *installed) byProvider() []pluginReport {
	at := map[config.PluginName]int{}
	for n, p := range f.plugins {
		at[p.Plugin] = n
	}
	var rows []pluginReport
	used := map[config.PluginName]bool{}
	for _, name := range slices.Sorted(maps.Keys(f.cfg.Providers)) {
		plugin := f.cfg.Providers[name].Plugin
		n, ok := at[plugin]
		if !ok {
			rows = append(rows, pluginReport{Provider: name, Plugin: plugin, Lock: lockNone, Confinement: confinementText(confinementFor(f.cfg, plugin)), Detail: "the plugin is not installed"})
			continue
		}
		used[plugin] = true
		row := f.plugins[n]
		row.Provider = name
		rows = append(rows, row)
	}
	for _, p := range f.plugins {
		if !used[p.Plugin] {
			rows = append(rows, p)
		}
	}
	return rows
}

func (a *app) printPlugins(rows []pluginReport) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "PROVIDER\tPLUGIN\tVERSION\tSERVICES\tLOCK\tCONFINEMENT\tSTATE\tCALLS\tFILE")
	for _, p := range rows {
		var services []string
		for _, s := range p.Services {
			services = append(services, string(s))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", orDash(string(p.Provider)), p.Plugin, orDash(p.Version), orDash(strings.Join(services, ",")), p.Lock, p.Confinement, p.state(), p.calls(), orDash(p.Path))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, p := range rows {
		if p.Live != nil {
			if _, err := fmt.Fprintf(a.stdout, "%s: %s\n", p.Provider, stateText(p.Live.State)); err != nil {
				return err
			}
		}
		if p.Detail == "" {
			continue
		}
		if _, err := fmt.Fprintf(a.stdout, "%s: %s\n", p.Plugin, p.Detail); err != nil {
			return err
		}
	}
	return nil
}

// state is where the plugin stands in the running server, "-" without one.
func (p pluginReport) state() string {
	if p.Live == nil {
		return "-"
	}
	return string(p.Live.State.Name)
}

func (p pluginReport) calls() string {
	if p.Live == nil {
		return "-"
	}
	return strconv.Itoa(p.Live.Running)
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

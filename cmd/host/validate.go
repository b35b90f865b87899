package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/core/schema"
)

// inspection is what is wrong with a configuration on this machine, beyond what
// loading it says.
type inspection struct {
	file     string
	cfg      *config.Config
	problems config.Problems  // for each of them, ask exits with 2
	later    []config.Problem // what is missing and may still come
}

// inspect looks at all that cfg, loaded from file, names. It starts no plugin and
// opens no database.
func inspect(cfg *config.Config, file string) *inspection {
	i := &inspection{file: file, cfg: cfg}
	i.datasources()
	i.lock()
	i.references()
	i.executables()
	rules := i.policy()
	if plansRead := i.plans(); plansRead && rules != nil && len(cfg.Datasources) > 0 {
		i.engine(rules)
	}
	return i
}

func (i *inspection) fail(key, message string) {
	i.problems = append(i.problems, config.Problem{Place: config.Place{File: i.file, Key: key}, Message: message})
}

func (i *inspection) warn(key, format string, args ...any) {
	i.later = append(i.later, config.Problem{Place: config.Place{File: i.file, Key: key}, Message: fmt.Sprintf(format, args...)})
}

// failed takes over an error, problem by problem.
func (i *inspection) failed(err error) {
	var problems config.Problems
	if !errors.As(err, &problems) {
		i.fail("", strings.TrimPrefix(err.Error(), "pipeline: "))
		return
	}
	for _, p := range problems {
		i.fail(p.Place.Key, p.Message)
	}
}

func (i *inspection) datasources() {
	if len(i.cfg.Datasources) == 0 {
		i.warn("datasources", "is empty: there is no database to ask")
	}
	for _, id := range slices.Sorted(maps.Keys(i.cfg.Datasources)) {
		if i.cfg.Datasources[id].Adapter != string(schema.SQLite) {
			if _, err := i.cfg.DSN(id); err != nil {
				i.failed(err)
			}
			continue
		}
		path, err := i.cfg.SQLitePath(id)
		if err != nil {
			i.failed(err)
			continue
		}
		if why := noFile(path); why != "" {
			i.warn("datasources."+string(id)+".path", "the database file %s cannot be used: %s", path, why)
		}
	}
}

// noFile is why path is no file, "" if it is one.
func noFile(path string) string {
	info, err := os.Stat(path)
	var pathError *fs.PathError
	switch {
	case errors.As(err, &pathError):
		return pathError.Err.Error()
	case err != nil:
		return err.Error()
	case !info.Mode().IsRegular():
		return "it is no file"
	}
	return ""
}

func (i *inspection) lock() {
	lock, err := pluginhost.OpenLock(i.cfg.Path(i.cfg.PluginLock.File), i.cfg.PluginLock.Mode)
	if err != nil {
		i.fail("plugin_lock", err.Error())
		return
	}
	if err := unlockedInCompliance(i.cfg, lock); err != nil {
		i.failed(err)
	}
}

// references looks up the variables and files that providers refer to. Only those
// of providers in use must be there.
func (i *inspection) references() {
	if _, err := providerSpecs(i.cfg); err != nil {
		i.failed(err)
	}
	used := providersInUse(i.cfg)
	for _, name := range slices.Sorted(maps.Keys(i.cfg.Providers)) {
		if slices.Contains(used, name) {
			continue
		}
		var missing config.Problems
		if _, err := i.cfg.Resolve(i.cfg.Providers[name].Config); errors.As(err, &missing) {
			for _, p := range under("providers."+string(name)+".config", missing) {
				i.warn(p.Place.Key, "%s; no agent uses the provider now", p.Message)
			}
		}
	}
}

// executables looks for the plugins of the providers in use.
func (i *inspection) executables() {
	dir, err := pluginDir(i.cfg)
	if err != nil {
		i.failed(err)
		return
	}
	for _, name := range providersInUse(i.cfg) {
		plugin := i.cfg.Providers[name].Plugin
		if why := noFile(filepath.Join(dir, pluginPrefix+string(plugin))); why != "" {
			i.warn("providers."+string(name)+".plugin", "the executable %s%s cannot be used: %s; build it, or set plugin_dir to the folder that holds it", filepath.Join(dir, pluginPrefix), plugin, why)
		}
	}
}

func (i *inspection) policy() *policy.Policy {
	rules, err := compileRoles(i.cfg)
	if err != nil {
		i.fail("roles", err.Error())
	}
	return rules
}

// plans reads the plans of the verified queries, and reports whether all are plans.
func (i *inspection) plans() bool {
	before := len(i.problems)
	for n, v := range i.cfg.Verified {
		text, err := os.ReadFile(i.cfg.Plan(v))
		if err == nil && !v.IsSQL() {
			_, err = plan.Decode(text)
		}
		if err != nil {
			i.fail("verified."+strconv.Itoa(n)+".plan", fmt.Sprintf("%s: %v", v.Plan, err))
		}
	}
	return len(i.problems) == before
}

// engine makes the engine as ask does, over providers and databases that are not
// there: what it needs of the configuration alone is checked.
func (i *inspection) engine(rules *policy.Policy) {
	services := map[config.ProviderName]provider.Services{}
	for _, name := range providersInUse(i.cfg) {
		services[name] = notStarted(i.cfg.Providers[name].Plugin, nil)
	}
	registry, err := provider.NewRegistry(i.cfg, services, hclog.NewNullLogger())
	if err != nil {
		i.failed(err)
		return
	}
	sources := map[schema.DatasourceID]datasource.Datasource{}
	for id := range i.cfg.Datasources {
		sources[id] = unopened{id: id}
	}
	engine, err := pipeline.New(i.cfg, pipeline.Deps{Datasources: sources, Providers: registry, Policy: rules})
	if err != nil {
		i.failed(err)
		return
	}
	_ = engine.Close(context.Background()) // it has no runs to wait for
}

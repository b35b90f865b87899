package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pluginhost"
)

// pluginPrefix begins the name of every plugin's executable.
const pluginPrefix = "querent-plugin-"

// agentsInUse are the agents whose providers are started.
var agentsInUse = []config.AgentName{
	config.AgentASTPlanner, config.AgentAnswerSynthesizer, config.AgentDatasourceResolver, config.AgentDecomposer, config.AgentRefiner,
}

// providersInUse are the providers that a question may need, by name: those of
// the agents, those that they fall back to, and the template provider, which is
// always there. Others are not started, and their secrets are not looked up.
func providersInUse(cfg *config.Config) []config.ProviderName {
	used := map[config.ProviderName]bool{cfg.TemplateProvider(): true}
	for _, name := range agentsInUse {
		agent := cfg.Agent(name)
		used[agent.Provider] = true
		for _, f := range agent.Fallback {
			used[f.To] = true
		}
	}
	return slices.Sorted(maps.Keys(used))
}

// providerSpecs says how to start each provider in use. References that lead
// nowhere are config.Problems.
func providerSpecs(cfg *config.Config) ([]pluginhost.Spec, error) {
	dir, err := pluginDir(cfg)
	if err != nil {
		return nil, err
	}
	lock, err := openTemplateLock(cfg)
	if err != nil {
		return nil, err
	}
	files := approvedFiles{cfg, lock}
	var specs []pluginhost.Spec
	var problems config.Problems
	for _, name := range providersInUse(cfg) {
		p := cfg.Providers[name]
		settings, err := cfg.Resolve(p.Config)
		var wrong config.Problems
		if errors.As(err, &wrong) {
			problems = append(problems, under("providers."+string(name)+".config", wrong)...)
			continue
		}
		if err != nil {
			return nil, err
		}
		read, err := files.reader(name)
		if errors.As(err, &wrong) {
			problems = append(problems, wrong...)
			continue
		}
		if err != nil {
			return nil, err
		}
		spec, err := pluginSpec(cfg, dir, p.Plugin)
		if err != nil {
			return nil, err
		}
		spec.Provider, spec.Settings, spec.ReadFile = name, settings, read
		specs = append(specs, spec)
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return specs, nil
}

// pluginSpec says how to start a plugin, for no provider yet.
func pluginSpec(cfg *config.Config, dir string, name config.PluginName) (pluginhost.Spec, error) {
	plugin := cfg.Plugins[name]
	spec := pluginhost.Spec{
		Plugin: name, Path: filepath.Join(dir, pluginPrefix+string(name)), Env: passedOn(plugin.Env), TLS: plugin.TLS != "off", Reattach: plugin.Reattach,
		Confine: confinementFor(cfg, name),
	}
	if plugin.DevOverride != "" {
		spec.Path, spec.DevOverride = cfg.Path(plugin.DevOverride), true
	}
	if text := os.Getenv(pluginhost.ReattachVariable(name)); text != "" {
		reattach, err := pluginhost.ParseReattach(text)
		if err != nil {
			return spec, usage("the variable %s cannot be used: %v", pluginhost.ReattachVariable(name), err)
		}
		spec.Reattach = reattach
	}
	return spec, nil
}

// overrideWarnings name the plugins in use that are not the installed ones.
func overrideWarnings(cfg *config.Config) []string {
	var out []string
	said := map[config.PluginName]bool{}
	for _, provider := range providersInUse(cfg) {
		name := cfg.Providers[provider].Plugin
		plugin := cfg.Plugins[name]
		if said[name] {
			continue
		}
		said[name] = true
		if plugin.DevOverride != "" {
			out = append(out, fmt.Sprintf("plugins.%s.dev_override: %s runs in place of the installed plugin, and no lock file checks it", name, cfg.Path(plugin.DevOverride)))
		}
		if variable := pluginhost.ReattachVariable(name); plugin.Reattach != nil || os.Getenv(variable) != "" {
			out = append(out, fmt.Sprintf("plugins.%s.reattach, or %s: a plugin that the host did not start is used where it is there, and no lock file checks it", name, variable))
		}
	}
	return out
}

// under puts a key in front of those of the problems.
func under(key string, problems config.Problems) config.Problems {
	out := slices.Clone(problems)
	for i := range out {
		if out[i].Place.Key == "" {
			out[i].Place.Key = key
			continue
		}
		out[i].Place.Key = key + "." + out[i].Place.Key
	}
	return out
}

// pluginDir is the folder of the plugins' executables: the configured one, or
// that of the host's own executable.
func pluginDir(cfg *config.Config) (string, error) {
	if cfg.PluginDir != "" {
		return cfg.Path(cfg.PluginDir), nil
	}
	self, err := os.Executable()
	if err != nil {
		return "", usage("the folder of the plugins is not known (%v): set plugin_dir in the configuration", err)
	}
	if real, err := filepath.EvalSymlinks(self); err == nil {
		self = real
	}
	return filepath.Dir(self), nil
}

// passedOn are the host's variables of these names, as far as they are set.
func passedOn(names []string) []string {
	var out []string
	for _, name := range names {
		if value, ok := os.LookupEnv(name); ok {
			out = append(out, name+"="+value)
		}
	}
	return out
}

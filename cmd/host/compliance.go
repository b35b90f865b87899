package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pluginhost"
)

// unlockedInCompliance refuses, in compliance mode, the plugins of the providers in
// use whose executables are not those of the lock file, as config.Problems. One that is not
// there is none of them: that is said where plugins are looked for.
func unlockedInCompliance(cfg *config.Config, lock *pluginhost.Lock) error {
	if !cfg.Settings.Answer.Compliance || lock == nil {
		return nil
	}
	dir, err := pluginDir(cfg)
	if err != nil {
		return err
	}
	plugins := map[config.PluginName]bool{}
	for _, name := range providersInUse(cfg) {
		plugins[cfg.Providers[name].Plugin] = true
	}
	var out config.Problems
	for _, plugin := range slices.Sorted(maps.Keys(plugins)) {
		path := filepath.Join(dir, pluginPrefix+string(plugin))
		executable, err := os.Open(path)
		if err != nil {
			continue
		}
		err = lock.Check(plugin, path, executable)
		executable.Close()
		if err != nil {
			out = append(out, config.Problem{Place: config.Place{Key: "plugins." + string(plugin)}, Message: "compliance mode runs locked plugins alone: " + err.Error()})
		}
	}
	if len(out) > 0 {
		return out
	}
	return nil
}

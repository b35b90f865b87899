package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/core/pluginhost/confine"
)

// confinementFor is what a plugin may not do: what its configuration says and, where
// that leaves the template plugin free, what is taken away from a plugin that needs
// nothing.
func confinementFor(cfg *config.Config, name config.PluginName) *pluginhost.Confinement {
	p := cfg.Plugins[name]
	rules := pluginhost.Confinement{Network: confine.Network(p.Network)}
	if p.Files != nil && !p.Files.Any {
		rules.Files = &confine.Files{Read: absolute(cfg, p.Files.Read), Write: absolute(cfg, p.Files.Write)}
	}
	if l := p.Limits; l != nil {
		rules.Limits = confine.Limits{Memory: int64(l.Memory), Processes: l.Processes, OpenFiles: l.OpenFiles}
	}
	if name == config.TemplatePlugin && canConfineTemplates() {
		if p.Network == "" {
			rules.Network = confine.NetworkNone
		}
		if p.Files == nil {
			rules.Files = &confine.Files{}
		}
	}
	if rules.Network != confine.NetworkNone && rules.Files == nil && rules.Limits == (confine.Limits{}) {
		return nil
	}
	return &rules
}

// canConfineTemplates reports whether it is safe to confine a plugin whose operator
// did not ask for it.
func canConfineTemplates() bool {
	return confine.Here().Doubt == "" && confine.Missing(withoutAnything) == nil
}

// withoutAnything is what a plugin that needs nothing runs with.
var withoutAnything = pluginhost.Confinement{Network: confine.NetworkNone, Files: &confine.Files{}}

func absolute(cfg *config.Config, paths []string) []string {
	var out []string
	for _, path := range paths {
		path = cfg.Path(path)
		if full, err := filepath.Abs(path); err == nil { // else the start says that it is not there
			path = full
		}
		out = append(out, path)
	}
	return out
}

// confinementText is a confinement in words.
func confinementText(c *pluginhost.Confinement) string {
	if c == nil {
		return "none"
	}
	var said []string
	if c.Network == confine.NetworkNone {
		said = append(said, "network: none")
	}
	if c.Files != nil {
		said = append(said, filesText(*c.Files))
	}
	if c.Limits.Memory > 0 {
		said = append(said, fmt.Sprintf("memory: %s", config.Bytes(c.Limits.Memory)))
	}
	if c.Limits.Processes > 0 {
		said = append(said, fmt.Sprintf("processes: %d", c.Limits.Processes))
	}
	if c.Limits.OpenFiles > 0 {
		said = append(said, fmt.Sprintf("open_files: %d", c.Limits.OpenFiles))
	}
	return strings.Join(said, ", ")
}

func filesText(f confine.Files) string {
	switch {
	case len(f.Read)+len(f.Write) == 0:
		return "files: none"
	case len(f.Write) == 0:
		return fmt.Sprintf("files: %d to read", len(f.Read))
	}
	return fmt.Sprintf("files: %d to read, %d to write", len(f.Read), len(f.Write))
}

package config

import (
	"slices"
	"strconv"
)

// withModel are the plugins of our own that have a model. What another plugin
// offers is known when it runs; the host looks then.
var withModel = []PluginName{"openai", "ollama"}

// planAndWord are the agents that questions are put to.
var planAndWord = []AgentName{
	AgentDefault, AgentDatasourceResolver, AgentDecomposer, AgentASTPlanner, AgentRefiner, AgentAnswerSynthesizer,
}

// compliance checks that a configuration in compliance mode leaves nothing to a
// model, and nothing unlocked.
func (k *checker) compliance() {
	if !k.c.Settings.Answer.Compliance {
		return
	}
	for _, name := range planAndWord {
		k.withoutModel(name)
	}
	if k.c.PluginLock.Mode != LockRequire {
		k.fail(path{"plugin_lock", "mode"}, "is %s, and compliance mode runs locked plugins alone: set it to require, and run querent plugins lock", k.c.PluginLock.Mode)
	}
	if k.c.TemplateLock.Mode != LockRequire {
		k.fail(path{"template_lock", "mode"}, "is %s, and compliance mode uses approved templates alone: set it to require, and run querent templates approve", k.c.TemplateLock.Mode)
	}
	for _, name := range sortedKeys(k.c.Plugins) {
		if k.c.Plugins[name].Network == ReachAny {
			k.fail(path{"plugins", string(name), "network"}, "is any, and compliance mode gives no plugin the network: set it to none")
		}
		if k.c.Plugins[name].TLS == "off" {
			k.fail(path{"plugins", string(name), "tls"}, "is off, and compliance mode encrypts what plugins are told: remove the line")
		}
		if k.c.Plugins[name].DevOverride != "" {
			k.fail(path{"plugins", string(name), "dev_override"}, "names an executable that no lock file checks, and compliance mode runs locked plugins alone: remove the line")
		}
		if k.c.Plugins[name].Reattach != nil {
			k.fail(path{"plugins", string(name), "reattach"}, "names a plugin that the host does not start, and compliance mode runs locked plugins alone: remove it")
		}
	}
}

// withoutModel refuses a provider or fallback of the agent's own that has a model.
func (k *checker) withoutModel(name AgentName) {
	own, at := k.c.Agents[name], path{"agents", string(name)}
	refuse := func(at path, provider ProviderName) {
		if p, ok := k.c.Providers[provider]; ok && slices.Contains(withModel, p.Plugin) {
			k.fail(at, "provider %q has a model (plugin %s), and in compliance mode only templates plan and word: name a provider of the template plugin", provider, p.Plugin)
		}
	}
	refuse(at.with("provider"), own.Provider)
	for i, f := range own.Fallback {
		refuse(at.with("fallback").with(strconv.Itoa(i)), f.To)
	}
}

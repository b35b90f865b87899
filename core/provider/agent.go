package provider

import (
	"time"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/core/config"
)

// The limits of a call when the configuration says none.
const (
	// defaultTimeout is long enough for a local model to load and answer.
	defaultTimeout = 60 * time.Second
	// templateTimeout is ample for a process on this machine that only formats.
	templateTimeout = config.Duration(10 * time.Second)
)

// Agent asks the providers that the configuration binds to one node: the first,
// and its fallbacks in order. It is safe for concurrent use. A nil Agent has no
// provider: every call of it fails as unavailable.
//
// It is the one place that repeats a provider's calls: plugins do not, and nodes
// need not. See docs/providers.md for what is repeated, and how often.
type Agent struct {
	name     config.AgentName
	settings config.Agent
	chain    []link // never empty
	first    *Agent // a deterministic planner that is asked before the chain; usually nil
	logger   hclog.Logger
}

// link is a provider in an agent's chain.
type link struct {
	*endpoint
	model   string
	options map[string]string
	data    config.Data // what may be sent, never more than the first link's
	on      []string    // the failures for which it stands; empty: any
}

// Provider is the name of the provider that is asked first.
func (a *Agent) Provider() config.ProviderName { return a.chain[0].name }

// Model is the model that is asked first, "" for a provider without one.
func (a *Agent) Model() string {
	if a.chain[0].Services.Model == nil {
		return ""
	}
	return a.chain[0].model
}

func (a *Agent) timeout() time.Duration {
	if a.settings.Timeout > 0 {
		return time.Duration(a.settings.Timeout)
	}
	return defaultTimeout
}

func (a *Agent) maxCalls() int {
	if a.settings.MaxCalls > 0 {
		return a.settings.MaxCalls
	}
	return config.DefaultAgentCalls
}

package provider

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk"
)

// Services is what a running provider offers. A nil service is not offered.
type Services struct {
	Plugin      config.PluginName
	Model       sdk.Model
	Planner     sdk.Planner
	Synthesizer sdk.Synthesizer
}

// Registry holds the agents of one configuration. It is safe for concurrent use.
type Registry struct {
	agents    map[config.AgentName]*Agent
	template  *Agent
	providers map[config.ProviderName]*endpoint
	fallback  string // of the settings
	logger    hclog.Logger
}

// need is what an agent asks of its providers.
type need struct {
	agent config.AgentName
	what  string
	met   func(Services) bool
}

var needs = []need{
	{config.AgentASTPlanner, "a model or a planner", func(s Services) bool { return s.Model != nil || s.Planner != nil }},
	{config.AgentAnswerSynthesizer, "a model or a synthesizer", func(s Services) bool { return s.Model != nil || s.Synthesizer != nil }},
	{config.AgentDatasourceResolver, "anything", anyService},
	{config.AgentDecomposer, "anything", anyService},
	{config.AgentRefiner, "anything", anyService},
}

// anyService is the need of agents that work without a provider, too: one without a
// model leaves them to the host's rules.
func anyService(Services) bool { return true }

// NewRegistry binds the agents of cfg to running providers. Services holds every
// provider that may be called, by its name in cfg. All that is wrong with the
// bindings is reported at once.
func NewRegistry(cfg *config.Config, services map[config.ProviderName]Services, logger hclog.Logger) (*Registry, error) {
	r := &Registry{agents: map[config.AgentName]*Agent{}, fallback: fallbackOf(cfg.Settings), logger: logger}
	endpoints := r.endpoints(cfg, services)
	r.providers = endpoints
	var problems []error
	for _, n := range needs {
		agent, err := r.bind(n, cfg.Agent(n.agent), endpoints)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		r.agents[n.agent] = agent
	}
	if planner := r.agents[config.AgentASTPlanner]; planner != nil {
		r.bindFirst(planner, endpoints[cfg.TemplateProvider()])
	}
	r.template = r.templateAgent(endpoints[cfg.TemplateProvider()])
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return r, nil
}

// Agent is the agent of that name, nil for one that uses no provider.
func (r *Registry) Agent(name config.AgentName) *Agent { return r.agents[name] }

// Template is the agent that words answers by templates alone, with the
// configuration's template provider. It is nil when that is not running.
func (r *Registry) Template() *Agent { return r.template }

// endpoint is a provider as its agents share it.
type endpoint struct {
	Services
	name     config.ProviderName
	model    string
	data     config.Data
	maxCalls int // for one request
	queue    *queue
	breakers *breakers
	prices   *config.Prices      // nil: it costs nothing
	said     config.Capabilities // by the configuration
	facts    factBook
}

func (r *Registry) endpoints(cfg *config.Config, services map[config.ProviderName]Services) map[config.ProviderName]*endpoint {
	out := make(map[config.ProviderName]*endpoint, len(services))
	for name, s := range services {
		p := cfg.Providers[name]
		if s.Model != nil {
			s.Model = redacted{s.Model}
		}
		e := &endpoint{
			Services: s, name: name, model: p.Model, data: p.Data, maxCalls: p.MaxCalls,
			queue: newQueue(p), prices: p.Prices, said: p.Capabilities,
			breakers: &breakers{provider: name, settings: p.Breaker, logger: r.logger},
		}
		if e.maxCalls <= 0 {
			e.maxCalls = config.DefaultProviderCalls
		}
		out[name] = e
	}
	return out
}

func (r *Registry) bind(n need, settings config.Agent, endpoints map[config.ProviderName]*endpoint) (*Agent, error) {
	a := &Agent{name: n.agent, settings: settings, logger: r.logger.Named(string(n.agent))}
	first, err := n.find(settings.Provider, "provider", endpoints)
	if err != nil {
		return nil, err
	}
	a.chain = append(a.chain, link{endpoint: first, model: firstOf(settings.Model, first.model), options: settings.Options, data: first.data})
	for i, f := range settings.Fallback {
		e, err := n.find(f.To, fmt.Sprintf("fallback[%d]", i), endpoints)
		if err != nil {
			return nil, err
		}
		if r.mayFallBack(e) {
			a.chain = append(a.chain, link{endpoint: e, model: e.model, data: narrow(e.data, first.data), on: f.On})
		}
	}
	return a, nil
}

// fallbackOf is the rule for fallbacks: in compliance mode no model stands in.
func fallbackOf(s config.Settings) string {
	if s.Answer.Compliance && s.Fallback != config.FallbackForbid {
		return config.FallbackTemplateOnly
	}
	return s.Fallback
}

// mayFallBack reports whether the settings let a provider stand in for another.
func (r *Registry) mayFallBack(e *endpoint) bool {
	switch r.fallback {
	case config.FallbackForbid:
		return false
	case config.FallbackTemplateOnly:
		return e.Services.Model == nil
	}
	return true
}

// find is the provider of a name, checked against the agent's need.
func (n need) find(name config.ProviderName, key string, endpoints map[config.ProviderName]*endpoint) (*endpoint, error) {
	e, ok := endpoints[name]
	if !ok {
		return nil, fmt.Errorf("agents.%s.%s: there is no provider %q (known: %s)", n.agent, key, name, joinNames(endpoints))
	}
	if !n.met(e.Services) {
		return nil, fmt.Errorf("agents.%s.%s: provider %q (plugin %s) offers neither of what the agent needs, %s; name another provider",
			n.agent, key, name, e.Plugin, n.what)
	}
	return e, nil
}

func (r *Registry) templateAgent(e *endpoint) *Agent {
	if e == nil || e.Synthesizer == nil {
		return nil
	}
	return &Agent{
		name: config.AgentAnswerSynthesizer, logger: r.logger.Named("template"),
		settings: config.Agent{Timeout: templateTimeout},
		chain:    []link{{endpoint: e, data: e.data}},
	}
}

// narrow is what may be sent to a fallback: what its own setting and that of the
// provider which it stands in for both permit.
func narrow(own, first config.Data) config.Data {
	return config.Data{Values: own.Values && first.Values, Rows: own.Rows && first.Rows}
}

func joinNames(endpoints map[config.ProviderName]*endpoint) string {
	names := make([]string, 0, len(endpoints))
	for _, name := range slices.Sorted(maps.Keys(endpoints)) {
		names = append(names, string(name))
	}
	return strings.Join(names, ", ")
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

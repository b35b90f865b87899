package provider_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk"
)

// model is a Model whose Generate is a function.
type model func(context.Context, sdk.GenerateRequest) (sdk.GenerateResponse, error)

func (m model) Generate(ctx context.Context, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
	return m(ctx, r)
}
func (m model) ModelInfo(context.Context, string) (sdk.ModelInfo, error) {
	return sdk.ModelInfo{}, sdk.ErrUnsupported
}
func (m model) GenerateStream(context.Context, sdk.GenerateRequest, func(sdk.Chunk) error) error {
	return sdk.ErrUnsupported
}
func (m model) Embed(context.Context, sdk.EmbedRequest) (sdk.EmbedResponse, error) {
	return sdk.EmbedResponse{}, sdk.ErrUnsupported
}

// says is a model that ends with a text.
func says(text string) model {
	return func(context.Context, sdk.GenerateRequest) (sdk.GenerateResponse, error) {
		return sdk.GenerateResponse{Text: text, Finish: sdk.FinishStop}, nil
	}
}

// fails is a model that returns an error.
func fails(err error) model {
	return func(context.Context, sdk.GenerateRequest) (sdk.GenerateResponse, error) {
		return sdk.GenerateResponse{}, err
	}
}

type planner func(context.Context, sdk.PlanRequest) (sdk.PlanResponse, error)

func (p planner) Plan(ctx context.Context, r sdk.PlanRequest) (sdk.PlanResponse, error) {
	return p(ctx, r)
}

type synthesizer func(context.Context, sdk.SynthesizeRequest) (sdk.SynthesizeResponse, error)

func (s synthesizer) Synthesize(ctx context.Context, r sdk.SynthesizeRequest) (sdk.SynthesizeResponse, error) {
	return s(ctx, r)
}

// inTime runs a case by a clock that moves on when everyone waits.
func inTime(t *testing.T, name string, test func(*testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
}

// setup is a configuration with its running providers.
type setup struct {
	providers map[config.ProviderName]config.Provider
	agent     config.Agent
	other     config.Agent // of the decomposer; the zero value is agent
	settings  config.Settings
	services  map[config.ProviderName]provider.Services
	logger    hclog.Logger // nil: none
}

func (s setup) registry() (*provider.Registry, error) {
	if s.other.Provider == "" {
		s.other = s.agent
	}
	if s.logger == nil {
		s.logger = hclog.NewNullLogger()
	}
	cfg := &config.Config{
		Settings:  s.settings,
		Providers: s.providers,
		Agents: map[config.AgentName]config.Agent{
			config.AgentDefault:           s.agent,
			config.AgentASTPlanner:        s.agent,
			config.AgentDecomposer:        s.other,
			config.AgentAnswerSynthesizer: s.agent,
		},
	}
	return provider.NewRegistry(cfg, s.services, s.logger)
}

// open is the registry of a setup that must be right.
func (s setup) open(t *testing.T) *provider.Registry {
	t.Helper()
	r, err := s.registry()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// one is a setup of a single model provider named local.
func one(m sdk.Model) setup {
	return setup{
		providers: map[config.ProviderName]config.Provider{"local": {Plugin: "ollama", Model: "m:7b"}},
		agent:     config.Agent{Provider: "local", Timeout: config.Duration(5 * time.Second)},
		services:  map[config.ProviderName]provider.Services{"local": {Plugin: "ollama", Model: m}},
	}
}

// two is a setup of a model provider named local with a fallback named other.
func two(m model, f config.Fallback, other provider.Services) setup {
	s := one(m)
	f.To = "other"
	s.agent.Fallback = []config.Fallback{f}
	s.providers["other"] = config.Provider{Plugin: other.Plugin, Model: "big"}
	s.services["other"] = other
	return s
}

// Package provider answers for models behind OpenAI's chat completions API:
// OpenAI itself, Azure OpenAI, and the many compatible servers.
package provider

import (
	"context"
	"math"
	"net/http"
	"sync/atomic"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"querent.dev/querent/plugins/internal/modelhttp"
	"querent.dev/querent/plugins/internal/settings"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// Name is the plugin's name.
const Name = "openai"

// Provider is the plugin's lifecycle and its Model. The zero value is ready for
// Configure.
type Provider struct {
	configured atomic.Pointer[client]
}

var (
	_ sdk.Lifecycle = (*Provider)(nil)
	_ sdk.Model     = (*Provider)(nil)
)

// Describe implements sdk.Lifecycle.
func (p *Provider) Describe() sdk.Description {
	return sdk.Description{
		Name: Name, Version: sdk.Version, Commit: settings.Commit(),
		Services:     []sdk.ServiceName{sdk.ServiceModel},
		ConfigSchema: configSchema,
	}
}

// Configure implements sdk.Lifecycle. It calls no server.
func (p *Provider) Configure(_ context.Context, in sdk.Configuration) error {
	cfg, err := readConfig(in)
	if err != nil {
		return err
	}
	c, err := newClient(cfg, in.Files)
	if err != nil {
		return err
	}
	if !p.configured.CompareAndSwap(nil, c) {
		return sdk.Errorf(reason.Misconfigured, "the plugin is configured already")
	}
	return nil
}

// Health implements sdk.Lifecycle: a configured provider is healthy. Whether its
// server is shows in its calls.
func (p *Provider) Health(context.Context) sdk.HealthState {
	if p.configured.Load() == nil {
		return sdk.HealthState{Message: "not configured"}
	}
	return sdk.HealthState{OK: true}
}

// Stop implements sdk.Lifecycle.
func (p *Provider) Stop(context.Context) error {
	if c := p.configured.Load(); c != nil {
		c.http.CloseIdleConnections()
	}
	return nil
}

func (p *Provider) client() (*client, error) {
	if c := p.configured.Load(); c != nil {
		return c, nil
	}
	return nil, sdk.Errorf(reason.Misconfigured, "the plugin was called before it was configured")
}

// client is a configured connection to a server. It may be used concurrently.
type client struct {
	api      *openai.Client
	http     *http.Client
	redact   modelhttp.Redactor
	azure    bool
	timeout  time.Duration
	batch    int
	models   map[string]modelSettings
	dialects *dialects
}

func newClient(cfg *config, files map[string][]sdk.File) (*client, error) {
	hc, err := modelhttp.NewClient(cfg.httpOptions(files))
	if err != nil {
		return nil, err
	}
	api := openai.DefaultConfig(cfg.APIKey)
	if cfg.azure() {
		api = openai.DefaultAzureConfig(cfg.APIKey, cfg.BaseURL)
		api.APIVersion = cfg.APIVersion
		api.AzureModelMapperFunc = func(string) string { return cfg.Deployment }
	}
	api.BaseURL = cfg.BaseURL
	api.OrgID = cfg.Organization
	api.HTTPClient = hc
	// Comments never reach the client, and a whole answer in place of a stream is
	// all lines without an event.
	api.EmptyMessagesLimit = math.MaxUint32
	return &client{
		api: openai.NewClientWithConfig(api), http: hc,
		redact: modelhttp.NewRedactor(cfg.secrets()...),
		azure:  cfg.azure(), timeout: cfg.RequestTimeout.Or(standardRequestTimeout),
		batch: cfg.EmbeddingBatch, models: cfg.Models, dialects: newDialects(cfg),
	}, nil
}

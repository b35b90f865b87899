// Package provider answers for models behind OpenAI's chat completions API:
// OpenAI itself, Azure OpenAI, and the many compatible servers.
package provider

import (
	"context"
	"math"
	"net/http"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"querent.dev/querent/plugins/internal/modelhttp"
	"querent.dev/querent/plugins/internal/settings"
	"querent.dev/querent/sdk"
)

// Name is the plugin's name.
const Name = "openai"

// Provider is the plugin's lifecycle and its Model. The zero value is ready for
// Configure.
type Provider struct {
	configured settings.Configured[client]
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
	return p.configured.Set(c)
}

// Health implements sdk.Lifecycle: a configured provider is healthy.
func (p *Provider) Health(context.Context) sdk.HealthState { return p.configured.Health() }

// Stop implements sdk.Lifecycle.
func (p *Provider) Stop(context.Context) error {
	if c, err := p.configured.Get(); err == nil {
		c.http.CloseIdleConnections()
	}
	return nil
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
	options, err := cfg.httpOptions(files)
	if err != nil {
		return nil, err
	}
	hc := modelhttp.NewClient(options)
	api := openai.DefaultConfig(string(cfg.APIKey))
	if cfg.azure() {
		api = openai.DefaultAzureConfig(string(cfg.APIKey), cfg.BaseURL)
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

// Package provider answers for models of an Ollama server, through its own chat
// API: the compatible one of OpenAI's form cannot set the context length.
package provider

import (
	"context"
	"net/http"
	"time"

	"github.com/ollama/ollama/api"

	"querent.dev/querent/plugins/internal/modelhttp"
	"querent.dev/querent/plugins/internal/settings"
	"querent.dev/querent/sdk"
)

// Name is the plugin's name.
const Name = "ollama"

// Provider is the plugin's lifecycle and its Model, which can fetch models. The
// zero value is ready for Configure.
type Provider struct {
	configured settings.Configured[client]
}

var (
	_ sdk.Lifecycle = (*Provider)(nil)
	_ sdk.Model     = (*Provider)(nil)
	_ sdk.Puller    = (*Provider)(nil)
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

// Stop implements sdk.Lifecycle: it ends the loading of models that no call waits
// for any more.
func (p *Provider) Stop(ctx context.Context) error {
	c, err := p.configured.Get()
	if err != nil {
		return nil
	}
	err = c.loads.stop(ctx)
	c.http.CloseIdleConnections()
	return err
}

// client is a configured connection to a server. It may be used concurrently.
type client struct {
	cfg      *config
	api      *api.Client
	http     *http.Client
	redact   modelhttp.Redactor
	timeout  time.Duration
	slots    chan struct{}
	facts    factCache
	contexts contexts
	loads    loader
}

func newClient(cfg *config, files map[string][]sdk.File) (*client, error) {
	options, err := cfg.httpOptions(files)
	if err != nil {
		return nil, err
	}
	hc := modelhttp.NewClient(options)
	return &client{
		cfg: cfg, api: api.NewClient(cfg.base, hc), http: hc,
		redact:  modelhttp.NewRedactor(cfg.secrets()...),
		timeout: cfg.RequestTimeout.Or(standardRequestTimeout),
		slots:   make(chan struct{}, cfg.MaxParallel),
	}, nil
}

// slot waits for a place among the calls in flight. The caller gives it back
// with release.
func (c *client) slot(ctx context.Context) (release func(), err error) {
	select {
	case c.slots <- struct{}{}:
		return func() { <-c.slots }, nil
	case <-ctx.Done():
		return nil, modelhttp.ContextFailure(ctx, "wait for one of the provider's calls to end (max_parallel)")
	}
}

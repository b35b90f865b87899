package main

import (
	"context"
	"errors"
	"time"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/core/schema"
)

// closeTimeout bounds how long stopping takes: plugins get 2 s of grace before
// they are killed, and the rest is quick.
const closeTimeout = 10 * time.Second

// host is everything that is open while questions are asked. Close it.
type host struct {
	engine  *pipeline.Engine
	cfg     *config.Config
	closers []func(context.Context) error // in the order of opening
}

// openHost opens what cfg names: the policy, the datasources, the plugins of the
// providers that its agents may call, and the engine over them. What is wrong
// with the configuration is an error; a database or a plugin that cannot be used
// is not: questions that need it are explained.
func openHost(ctx context.Context, cfg *config.Config, logger hclog.Logger) (_ *host, err error) {
	h := &host{cfg: cfg}
	defer func() {
		if err != nil {
			err = errors.Join(err, h.Close(ctx))
		}
	}()
	rules, err := policy.Compile(cfg.Roles)
	if err != nil {
		return nil, usage("%v", err)
	}
	sources, err := h.openDatasources()
	if err != nil {
		return nil, err
	}
	services, err := h.startProviders(ctx, logger)
	if err != nil {
		return nil, err
	}
	registry, err := provider.NewRegistry(cfg, services, logger)
	if err != nil {
		return nil, usage("%v", err)
	}
	h.closers = append(h.closers, registry.Close)
	h.engine, err = pipeline.New(cfg, pipeline.Deps{
		Datasources: sources, Providers: registry, Policy: rules, Clock: time.Now, Logger: logger,
	})
	if err != nil {
		return nil, usage("%v", err)
	}
	h.closers = append(h.closers, h.engine.Close)
	return h, nil
}

// Close closes everything in the reverse order of opening. It does so also when
// ctx has ended, and takes closeTimeout at the most.
func (h *host) Close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	var errs []error
	for i := len(h.closers) - 1; i >= 0; i-- {
		errs = append(errs, h.closers[i](ctx))
	}
	h.closers = nil
	return errors.Join(errs...)
}

func (h *host) openDatasources() (map[schema.DatasourceID]datasource.Datasource, error) {
	out := map[schema.DatasourceID]datasource.Datasource{}
	for id, d := range h.cfg.Datasources {
		path, err := h.cfg.SQLitePath(id)
		if err != nil {
			return nil, err
		}
		source := openSQLite(id, path, d)
		out[id] = source
		h.closers = append(h.closers, func(context.Context) error { return source.Close() })
	}
	return out, nil
}

func (h *host) startProviders(ctx context.Context, logger hclog.Logger) (map[config.ProviderName]provider.Services, error) {
	lock, err := pluginhost.OpenLock(h.cfg.Path(h.cfg.PluginLock.File), h.cfg.PluginLock.Mode)
	if err != nil {
		return nil, usage("%v", err)
	}
	specs, err := providerSpecs(h.cfg)
	if err != nil {
		return nil, err
	}
	plugins := pluginhost.New(pluginhost.Options{Logger: logger, Lock: lock})
	h.closers = append(h.closers, plugins.Close)
	return startAll(ctx, plugins, specs), nil
}

// pluginsByProvider names the plugin of each provider.
func pluginsByProvider(cfg *config.Config) map[string]string {
	out := map[string]string{}
	for name, p := range cfg.Providers {
		out[string(name)] = string(p.Plugin)
	}
	return out
}

package main

import (
	"context"
	"errors"
	"maps"
	"slices"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/core/server"
	"querent.dev/querent/sdk/reason"
)

// providerStates are where the providers' plugins stand.
type providerStates struct {
	set   *pluginhost.Set
	wrong map[config.ProviderName]error // why they did not start
}

// brokenOf are the errors of the plugins that did not start.
func brokenOf(services map[config.ProviderName]provider.Services) map[config.ProviderName]error {
	wrong := map[config.ProviderName]error{}
	for name, s := range services {
		for _, service := range []any{s.Model, s.Planner, s.Synthesizer} {
			if broken, ok := service.(failing); ok {
				wrong[name] = broken.err
			}
		}
	}
	return wrong
}

// ready is the error of a provider whose plugin takes no calls now.
func (p providerStates) ready(name config.ProviderName) error {
	state := pluginhost.StateFailed
	if instance, err := p.set.Instance(name); err == nil {
		state = instance.State().Name
	}
	if state != pluginhost.StateReady && state != pluginhost.StateDraining {
		return reason.Provider(reason.Unavailable, "provider %q: the plugin is %s", name, state)
	}
	return nil
}

// unusable is what could not be opened and will not come back by itself.
func (h *host) unusable() error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(h.providers.wrong)) {
		errs = append(errs, h.providers.wrong[name])
	}
	for _, id := range slices.Sorted(maps.Keys(h.sources)) {
		if broken, ok := h.sources[id].(unopened); ok {
			errs = append(errs, broken.err)
		}
	}
	return errors.Join(errs...)
}

// checks look whether what answers need is there.
func (h *host) checks() []server.Check {
	var out []server.Check
	for _, name := range providersInUse(h.cfg) {
		out = append(out, server.Check{Name: "provider " + string(name), Run: func(context.Context) error { return h.providers.ready(name) }})
	}
	for _, id := range slices.Sorted(maps.Keys(h.sources)) {
		source := h.sources[id]
		out = append(out, server.Check{Name: "datasource " + string(id), Run: func(ctx context.Context) error { return reach(ctx, source) }})
	}
	return out
}

// reach asks the datasource in the cheapest way that it offers.
func reach(ctx context.Context, d datasource.Datasource) error {
	switch d := d.(type) {
	case datasource.Pinger:
		return d.Ping(ctx)
	case datasource.AccountChecker:
		_, _, err := d.CanWrite(ctx)
		return err
	}
	_, err := d.Introspect(ctx)
	return err
}

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
	"querent.dev/querent/core/telemetry"
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
	state := p.state(name).Name
	if state != pluginhost.StateReady && state != pluginhost.StateDraining {
		return reason.Provider(reason.Unavailable, "provider %q: the plugin is %s", name, state)
	}
	return nil
}

// state is where a provider's plugin stands. One that did not start has failed.
func (p providerStates) state(name config.ProviderName) pluginhost.State {
	if instance, err := p.set.Instance(name); err == nil {
		return instance.State()
	}
	failed := pluginhost.State{Name: pluginhost.StateFailed}
	if err := p.set.Err(name); err != nil {
		failed.LastError = toldOperator(err)
	}
	return failed
}

// toldOperator is why a plugin did not start. What the asker may not see of it is told
// where it is of the host's own words.
func toldOperator(err error) string {
	own := reason.From(err)
	var untrusted *pluginhost.UntrustedError
	if errors.As(err, &untrusted) {
		return own.Message
	}
	return own.SafeMessage
}

func (p providerStates) plugin(name config.ProviderName, cfg *config.Config) telemetry.Plugin {
	return telemetry.Plugin{Provider: name, Plugin: cfg.Providers[name].Plugin, State: p.state(name)}
}

// passing are the kinds of failures after which a plugin may start when it is tried
// again: what it needs may be back by then.
var passing = []reason.Kind{reason.Unavailable, reason.Overloaded, reason.Timeout, reason.RateLimited}

// absent are the providers whose plugins did not start, but may when they are tried
// again.
func (h *host) absent() []config.ProviderName {
	var out []config.ProviderName
	for _, name := range slices.Sorted(maps.Keys(h.providers.wrong)) {
		if slices.Contains(passing, reason.Kind(reason.From(h.providers.wrong[name]).Reason)) {
			out = append(out, name)
		}
	}
	return out
}

// unusable is what could not be opened and will not come back by itself.
func (h *host) unusable() error {
	var errs []error
	absent := h.absent()
	for _, name := range slices.Sorted(maps.Keys(h.providers.wrong)) {
		if !slices.Contains(absent, name) {
			errs = append(errs, h.providers.wrong[name])
		}
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
	return append(out, h.records.checks()...)
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

package main

import (
	"context"
	"errors"
	"path/filepath"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// startAll starts the plugins together: each takes a moment, and they are
// independent of each other. One that does not start fails the calls to it, where
// the options tolerate that.
func startAll(ctx context.Context, plugins *pluginhost.Host, specs []pluginhost.Spec, o pluginhost.OpenOptions) (*pluginhost.Set, map[config.ProviderName]provider.Services, error) {
	set, err := plugins.Open(ctx, specs, o)
	if err != nil {
		return nil, nil, err
	}
	out := map[config.ProviderName]provider.Services{}
	for _, spec := range specs {
		instance, err := set.Instance(spec.Provider)
		if err != nil {
			out[spec.Provider] = notStarted(spec.Plugin, final(explainStart(ctx, spec, err)))
			continue
		}
		out[spec.Provider] = servicesOf(spec.Plugin, instance)
	}
	return set, out, nil
}

// servicesOf are the services that a running plugin offers.
func servicesOf(plugin config.PluginName, instance *pluginhost.Instance) provider.Services {
	services := provider.Services{Plugin: plugin}
	if model, ok := instance.Model(); ok {
		services.Model = model
	}
	if planner, ok := instance.Planner(); ok {
		services.Planner = planner
	}
	if synthesizer, ok := instance.Synthesizer(); ok {
		services.Synthesizer = synthesizer
	}
	return services
}

// explainStart is why the plugin did not start, with what to do about it: the
// advice of its kind is for a provider that runs.
func explainStart(ctx context.Context, spec pluginhost.Spec, err error) error {
	own := *reason.From(err)
	executable := filepath.Base(spec.Path)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return reason.Provider(reason.Timeout, "provider %q: %s was not ready within the run's time limit: %w", spec.Provider, spec.Path, err).
			WithSafe("Provider %q: its plugin was not ready within the time limit of the run.", spec.Provider).
			WithNext("Check that %s is a plugin of Querent and that what it needs can be reached, or raise the time limit: --timeout, or settings.run.timeout.", executable)
	case own.Reason == reason.ReasonTimeout:
		return own.WithSafe("Provider %q: its plugin was not ready in time.", spec.Provider).
			WithNext("Check that %s is a plugin of Querent and that what it needs can be reached.", executable)
	case own.Reason == reason.ReasonUnavailable:
		return own.WithNext("Check that %s and what it needs are running, or switch to another provider.", executable)
	}
	return err
}

// final is err as one that another call does not mend: what did not start is not
// started again, and waiting for it would use up the time for the explanation.
func final(err error) error {
	own := *reason.From(err)
	own.Retryable = false
	return &own
}

// notStarted are the services of a plugin that did not start: those that it
// would have, each call of which is the error.
func notStarted(plugin config.PluginName, err error) provider.Services {
	broken := failing{err}
	if plugin == config.TemplatePlugin {
		return provider.Services{Plugin: plugin, Planner: broken, Synthesizer: broken}
	}
	return provider.Services{Plugin: plugin, Model: broken}
}

// failing is every service of a plugin that did not start.
type failing struct{ err error }

var (
	_ sdk.Model       = failing{}
	_ sdk.Planner     = failing{}
	_ sdk.Synthesizer = failing{}
)

func (f failing) ModelInfo(context.Context, string) (sdk.ModelInfo, error) {
	return sdk.ModelInfo{}, f.err
}

func (f failing) Generate(context.Context, sdk.GenerateRequest) (sdk.GenerateResponse, error) {
	return sdk.GenerateResponse{}, f.err
}

func (f failing) GenerateStream(context.Context, sdk.GenerateRequest, func(sdk.Chunk) error) error {
	return f.err
}

func (f failing) Embed(context.Context, sdk.EmbedRequest) (sdk.EmbedResponse, error) {
	return sdk.EmbedResponse{}, f.err
}

func (f failing) Plan(context.Context, sdk.PlanRequest) (sdk.PlanResponse, error) {
	return sdk.PlanResponse{}, f.err
}

func (f failing) Synthesize(context.Context, sdk.SynthesizeRequest) (sdk.SynthesizeResponse, error) {
	return sdk.SynthesizeResponse{}, f.err
}

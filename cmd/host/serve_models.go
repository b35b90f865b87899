package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// modelReachTime is how long a model's server may take to answer before a
// configuration that names it newly is refused.
const modelReachTime = 15 * time.Second

// hopeless are the kinds of failure with which every question would fail as well.
var hopeless = []reason.Kind{
	reason.AuthFailed, reason.PermissionDenied, reason.ModelNotFound, reason.Misconfigured,
	reason.QuotaExhausted, reason.Unavailable, reason.Timeout,
}

// reachModels asks the servers of the models that the host before does not have in the
// same way, all at a time, and is the error of those that cannot be used. What went on
// in its process is not asked: its server may be away for a while.
func (h *host) reachModels(ctx context.Context, before *host, services map[config.ProviderName]provider.Services) error {
	ctx, cancel := context.WithTimeout(ctx, modelReachTime)
	defer cancel()
	asked := 0
	answers := make(chan error)
	for _, name := range slices.Sorted(maps.Keys(services)) {
		model := services[name].Model
		if model == nil {
			continue
		}
		for _, use := range modelsOf(h.cfg, name) {
			if h.hasFrom(before, name, use.model) {
				continue
			}
			asked++
			go func() { answers <- reachModel(ctx, model, name, use.model) }()
		}
	}
	var errs []error
	for range asked {
		errs = append(errs, <-answers)
	}
	return errors.Join(errs...)
}

// hasFrom reports whether the host before asks the same process for the same model.
func (h *host) hasFrom(before *host, name config.ProviderName, model string) bool {
	now, err := h.providers.set.Instance(name)
	if err != nil {
		return false
	}
	then, err := before.providers.set.Instance(name)
	return err == nil && now == then && slices.ContainsFunc(modelsOf(before.cfg, name), func(u modelUse) bool { return u.model == model })
}

// reachModel is why a model cannot be used, in the host's own words. A plugin that dies
// meanwhile is no reason: it is asked again.
func reachModel(ctx context.Context, model sdk.Model, provider config.ProviderName, name string) error {
	err := lookAt(ctx, model, name)
	if err != nil && sdk.KindOf(err) == reason.Unavailable && ctx.Err() == nil {
		err = lookAt(ctx, model, name)
	}
	if err == nil {
		return nil
	}
	kind := sdk.KindOf(err)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		kind = reason.Timeout
	}
	if !slices.Contains(hopeless, kind) {
		return nil
	}
	own := reason.Provider(kind, "%w", err)
	own.Message = fmt.Sprintf("providers.%s: model %q: %s %s", provider, name, own.SafeMessage, own.NextAction)
	return own
}

// lookAt asks what the model is. Servers take models that they do not list, so one that
// is not listed is asked for a word.
func lookAt(ctx context.Context, model sdk.Model, name string) error {
	info, err := model.ModelInfo(ctx, name)
	if err != nil || info.Present {
		return err
	}
	_, err = model.Generate(ctx, sdk.GenerateRequest{
		RequestID: "reload", Model: name, OutputMode: sdk.OutputText, MaxOutputTokens: 16,
		Messages: []sdk.Message{{Role: sdk.RoleUser, Content: "Answer with the word yes."}},
	})
	return err
}

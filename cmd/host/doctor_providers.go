package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// providers checks the plugins of the providers in use, and the models behind them.
func (d *doctor) providers(ctx context.Context) {
	var lock *pluginhost.Lock
	var specs []pluginhost.Spec
	file := d.cfg.Path(d.cfg.PluginLock.File)
	status := d.check(ctx, "plugin lock", pluginCheckTime, func(context.Context) finding {
		var err error
		if lock, err = pluginhost.OpenLock(file, d.cfg.PluginLock.Mode); err != nil {
			return failed(reason.ExitUsage, err)
		}
		if specs, err = providerSpecs(d.cfg); err != nil {
			return failed(reason.ExitUsage, err)
		}
		if lock == nil {
			return fine("no lock file (plugin_lock.mode is %s): any executable in the folder of plugins may run; querent plugins lock writes one", d.cfg.PluginLock.Mode)
		}
		return fine("%s holds %d plugins; nothing else may run", file, len(lock.Plugins))
	})
	if status != checkOK {
		return
	}
	d.confinement(ctx, specs)
	d.plugins = pluginhost.New(pluginhost.Options{Logger: d.logger, Lock: lock, Compliance: d.cfg.Settings.Answer.Compliance})
	d.services = map[config.ProviderName]provider.Services{}
	for _, spec := range specs {
		name := "provider " + string(spec.Provider)
		started := d.check(ctx, name+": plugin", pluginCheckTime, func(ctx context.Context) finding { return d.start(ctx, spec) })
		d.models(ctx, spec.Provider, name, started == checkOK)
	}
}

// start starts a plugin, all the way to its being healthy.
func (d *doctor) start(ctx context.Context, spec pluginhost.Spec) finding {
	set, err := d.plugins.Open(ctx, []pluginhost.Spec{spec}, pluginhost.OpenOptions{})
	var instance *pluginhost.Instance
	if err == nil {
		instance, err = set.Instance(spec.Provider)
	}
	if err != nil {
		why := explainStart(ctx, spec, err)
		d.services[spec.Provider] = notStarted(spec.Plugin, why)
		return failed(reason.ExitProvider, why)
	}
	d.services[spec.Provider] = servicesOf(spec.Plugin, instance)
	is := instance.Description()
	var offers []string
	for _, s := range is.Services {
		offers = append(offers, string(s))
	}
	return fine("%s %s (%s) started, is configured and healthy, and offers %s",
		is.Name, is.Version, filepath.Base(spec.Path), strings.Join(offers, ", "))
}

// modelUse is a model that agents ask, with the settings of the first that does.
type modelUse struct {
	model string
	agent config.Agent
}

// modelsOf are the models that agents ask of a provider.
func modelsOf(cfg *config.Config, name config.ProviderName) []modelUse {
	var out []modelUse
	add := func(model string, agent config.Agent) {
		if model != "" && !slices.ContainsFunc(out, func(u modelUse) bool { return u.model == model }) {
			out = append(out, modelUse{model, agent})
		}
	}
	own := cfg.Providers[name].Model
	for _, a := range agentsInUse {
		agent := cfg.Agent(a)
		switch {
		case agent.Provider == name && agent.Model != "":
			add(agent.Model, agent)
		case agent.Provider == name:
			add(own, agent)
		case slices.ContainsFunc(agent.Fallback, func(f config.Fallback) bool { return f.To == name }):
			agent.Options = nil // they are the first provider's
			add(own, agent)
		}
	}
	return out
}

func (d *doctor) models(ctx context.Context, name config.ProviderName, title string, started bool) {
	model := d.services[name].Model
	if model == nil {
		return
	}
	for _, use := range modelsOf(d.cfg, name) {
		if started {
			d.fetch(ctx, model, use.model, title+": model "+use.model)
		}
		d.model(ctx, model, d.cfg.Providers[name], use, title+": model "+use.model, started)
	}
}

// model asks what is known of a model, and then the model itself, which may have to
// be loaded first.
func (d *doctor) model(ctx context.Context, model sdk.Model, p config.Provider, use modelUse, title string, started bool) {
	var info sdk.ModelInfo
	present := d.check(ctx, title, modelInfoTime, func(ctx context.Context) (f finding) {
		if !started {
			return skipped("the plugin does not run")
		}
		info, f = modelInfo(ctx, model, p, use.model)
		return f
	})
	limit := use.agent.Timeout.Std()
	if info.Details[sdk.DetailLoads] == "true" {
		limit += use.agent.LoadTimeout.Std()
	}
	d.check(ctx, title+", structured output", limit, func(ctx context.Context) finding {
		switch {
		case d.flags.quick:
			return skipped("--quick asks no model")
		case present != checkOK && present != checkWarn:
			return skipped("the model is not there")
		}
		return structured(ctx, model, use)
	})
}

// smallContext is a context, in tokens, in which the schema of a few dozen tables,
// the rules and a plan do not fit together.
const smallContext = 8192

func modelInfo(ctx context.Context, model sdk.Model, p config.Provider, name string) (sdk.ModelInfo, finding) {
	info, err := model.ModelInfo(ctx, name)
	if err != nil {
		return info, providerFailed(err)
	}
	if !info.Present {
		f := failed(reason.ExitProvider, fmt.Errorf("the server does not have the model"))
		f.advice = "Name a model that the server offers under providers or agents in the configuration."
		if p.Plugin == "ollama" {
			f.advice = "Fetch it with querent doctor --pull, or with ollama pull " + name + ", or name another in the configuration."
		}
		return info, f
	}
	return info, described(info)
}

// described says what a model that is there can do, and what of it is a worry.
func described(info sdk.ModelInfo) finding {
	said := []string{"present", "context length not told"}
	if info.ContextLength.Known {
		said[1] = fmt.Sprintf("%d tokens of context", info.ContextLength.N)
	}
	var modes []string
	for _, m := range info.OutputModes {
		modes = append(modes, string(m))
	}
	if len(modes) > 0 {
		said = append(said, "output modes "+strings.Join(modes, ", "))
	} else {
		said = append(said, "output modes not told")
	}
	for _, can := range []struct {
		does bool
		what string
	}{{info.Tools, "tools"}, {info.Thinking, "thinking"}, {info.Embeddings, "embeddings"}, {info.FixedSampling, "takes no temperature"}} {
		if can.does {
			said = append(said, can.what)
		}
	}
	if field := info.Details[sdk.DetailTokenLimit]; field != "" {
		said = append(said, "limit of an answer: "+field)
	}
	if info.Details[sdk.DetailStreamingUsage] == "false" {
		said = append(said, "streams do not tell their usage")
	}
	f := fine("%s", strings.Join(said, "; "))
	switch {
	case info.ContextLength.Known && info.ContextLength.N < smallContext:
		return f.but("The schema of more than a few tables does not fit: take a model with a context of %d tokens or more.", smallContext)
	case len(modes) > 0 && !slices.Contains(info.OutputModes, sdk.OutputSchema):
		return f.but("The model cannot be held to a schema, so more of its plans will be refused: prefer one that can.")
	}
	return f
}

// probeSchema is the schema of the answer to the probe, as flat as that of plans.
const probeSchema = `{"type":"object","properties":{"sum":{"type":"integer"}},"required":["sum"],"additionalProperties":false}`

// structured asks the model for a few words in a form, with the settings of the
// agent that uses it, and in a looser one when the server does not take that.
func structured(ctx context.Context, model sdk.Model, use modelUse) finding {
	began := time.Now()
	mode := sdk.OutputSchema
	got, err := model.Generate(ctx, probe(use, mode))
	for _, looser := range []sdk.OutputMode{sdk.OutputJSON, sdk.OutputTool, sdk.OutputText} {
		var refused *sdk.Error
		if !errors.As(err, &refused) || refused.Setting != sdk.SettingOutputMode {
			break
		}
		mode = looser
		got, err = model.Generate(ctx, probe(use, mode))
	}
	if err != nil {
		return providerFailed(err)
	}
	f := probeAnswered(got, began)
	if mode != sdk.OutputSchema && f.status == checkOK {
		return f.but("The server takes no schema of the output, so it was asked in mode %s: more of the model's plans will be refused. Prefer one that can be held to a schema.", mode)
	}
	return f
}

// probe is the request for a few words.
func probe(use modelUse, mode sdk.OutputMode) sdk.GenerateRequest {
	r := sdk.GenerateRequest{
		RequestID: "doctor", Model: use.model, OutputMode: mode,
		Messages: []sdk.Message{
			{Role: sdk.RoleSystem, Content: `Answer with one JSON object of the form {"sum": number} and nothing else.`},
			{Role: sdk.RoleUser, Content: "What is 17 + 25?"},
		},
		MaxOutputTokens: use.agent.MaxOutputTokens, Temperature: use.agent.Temperature, Seed: use.agent.Seed,
		Thinking: use.agent.Thinking, Options: use.agent.Options, LoadTimeout: use.agent.LoadTimeout.Std(),
	}
	if mode == sdk.OutputSchema || mode == sdk.OutputTool {
		r.SchemaName, r.Schema = "probe", json.RawMessage(probeSchema)
	}
	return r
}

// probeAnswered judges the answer to the probe, which was asked for at began.
func probeAnswered(got sdk.GenerateResponse, began time.Time) finding {
	text := got.Text
	if text == "" {
		text = string(got.ToolArguments)
	}
	said := fmt.Sprintf("answered in %d ms", time.Since(began).Milliseconds())
	if got.ModelServed != "" {
		said += " as " + got.ModelServed
	}
	if got.EffectiveContext.Known {
		said += fmt.Sprintf(", with %d tokens of context", got.EffectiveContext.N)
	}
	return probed(text, said, got)
}

// probed judges the answer to the probe.
func probed(text, said string, got sdk.GenerateResponse) finding {
	inner := objectIn(text)
	var settings []string
	for _, w := range got.Warnings {
		settings = append(settings, w.Setting)
	}
	switch {
	case !inForm(inner):
		f := failed(reason.ExitProvider, fmt.Errorf("%s, but not as one JSON object of the schema (finish: %s)", said, got.Finish))
		f.advice = "Plans of this model will not be readable: allow more max_output_tokens, switch thinking off, or take another model."
		return f
	case strings.TrimSpace(text) != inner:
		return fine("%s, with words around the JSON object of the schema", said).
			but("The host takes the object out, but the server does not hold the model to the schema; prefer one that does.")
	case len(settings) > 0:
		return fine("%s, as one JSON object of the schema", said).
			but("The provider does not honour %s: remove it from the agent's settings.", strings.Join(settings, ", "))
	}
	return fine("%s, as one JSON object of the schema", said)
}

// objectIn is the text from the first brace to the last.
func objectIn(text string) string {
	from, to := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if from < 0 || to < from {
		return ""
	}
	return text[from : to+1]
}

// inForm reports whether text is an object of probeSchema.
func inForm(text string) bool {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	var answer struct {
		Sum *int64 `json:"sum"`
	}
	return d.Decode(&answer) == nil && answer.Sum != nil && !d.More()
}

// providerFailed is the finding of a failed call of a plugin.
func providerFailed(err error) finding {
	own := reason.Provider(sdk.KindOf(err), "%w", err)
	f := failed(reason.ExitProvider, own)
	f.detail = fmt.Sprintf("%s (%s): %s", own.Code, own.Reason, own.Message)
	return f
}

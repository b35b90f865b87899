// Package provider is the template plugin: a Planner and a Synthesizer without a
// model, without a network, whose same input gives the same bytes.
package provider

import (
	"context"
	_ "embed"
	"sync/atomic"

	"querent.dev/querent/plugins/internal/settings"
	"querent.dev/querent/plugins/template/pack"
	"querent.dev/querent/plugins/template/planner"
	"querent.dev/querent/plugins/template/synth"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// Name is the plugin's name.
const Name = "template"

//go:embed config.schema.json
var configSchema []byte

// The settings that name files.
const (
	settingPacks    = "packs"
	settingPatterns = "question_patterns"
)

// Provider is the plugin's lifecycle, Planner and Synthesizer. The zero value is
// ready for Configure.
type Provider struct {
	configured atomic.Pointer[services]
}

type services struct {
	planner *planner.Planner
	synth   *synth.Synthesizer
}

var (
	_ sdk.Lifecycle   = (*Provider)(nil)
	_ sdk.Planner     = (*Provider)(nil)
	_ sdk.Synthesizer = (*Provider)(nil)
)

// New is the plugin with all its services, to be configured.
func New() sdk.Plugin {
	p := &Provider{}
	return sdk.Plugin{Lifecycle: p, Planner: p, Synthesizer: p}
}

// Describe implements sdk.Lifecycle.
func (p *Provider) Describe() sdk.Description {
	return sdk.Description{
		Name: Name, Version: sdk.Version, Commit: settings.Commit(),
		Services:     []sdk.ServiceName{sdk.ServicePlanner, sdk.ServiceSynthesizer},
		ConfigSchema: configSchema,
	}
}

// Configure implements sdk.Lifecycle. It lays the configured packs over the
// plugin's own; a pack or pattern with a mistake is an error that names it.
func (p *Provider) Configure(_ context.Context, c sdk.Configuration) error {
	var cfg struct {
		Packs    []string `json:"packs"`
		Patterns []string `json:"question_patterns"`
	}
	if err := settings.Decode(c.Settings, &cfg); err != nil {
		return err
	}
	set, err := readPacks(c.Files[settingPacks])
	if err != nil {
		return sdk.Errorf(reason.Misconfigured, "%s: %w", settingPacks, err)
	}
	patterns, err := readPatterns(c.Files[settingPatterns])
	if err != nil {
		return sdk.Errorf(reason.Misconfigured, "%s: %w", settingPatterns, err)
	}
	if !p.configured.CompareAndSwap(nil, &services{planner.New(patterns), synth.New(set)}) {
		return sdk.Errorf(reason.Misconfigured, "the plugin is configured already")
	}
	return nil
}

func readPacks(files []sdk.File) (*pack.Set, error) {
	packs, err := pack.Builtin()
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		own, err := pack.Parse(f.Name, f.Content)
		if err != nil {
			return nil, err
		}
		packs = append(packs, own)
	}
	return pack.NewSet(packs)
}

func readPatterns(files []sdk.File) ([]*planner.Pattern, error) {
	var all []*planner.Pattern
	for _, f := range files {
		own, err := planner.ParsePatterns(f.Name, f.Content)
		if err != nil {
			return nil, err
		}
		all = append(all, own...)
	}
	return all, nil
}

// Health implements sdk.Lifecycle.
func (p *Provider) Health(context.Context) sdk.HealthState {
	if p.configured.Load() == nil {
		return sdk.HealthState{Message: "not configured"}
	}
	return sdk.HealthState{OK: true}
}

// Stop implements sdk.Lifecycle. There is nothing to release.
func (p *Provider) Stop(context.Context) error { return nil }

// Plan implements sdk.Planner.
func (p *Provider) Plan(ctx context.Context, r sdk.PlanRequest) (sdk.PlanResponse, error) {
	s, err := p.services()
	if err != nil {
		return sdk.PlanResponse{}, err
	}
	return s.planner.Plan(ctx, r)
}

// Synthesize implements sdk.Synthesizer.
func (p *Provider) Synthesize(ctx context.Context, r sdk.SynthesizeRequest) (sdk.SynthesizeResponse, error) {
	s, err := p.services()
	if err != nil {
		return sdk.SynthesizeResponse{}, err
	}
	return s.synth.Synthesize(ctx, r)
}

func (p *Provider) services() (*services, error) {
	if s := p.configured.Load(); s != nil {
		return s, nil
	}
	return nil, sdk.Errorf(reason.Misconfigured, "the plugin is not configured")
}

package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"querent.dev/querent/core/config"
	"querent.dev/querent/plugins/template/pack"
	"querent.dev/querent/plugins/template/synth"
	"querent.dev/querent/sdk"
)

// previewFlags say what templates preview shows.
type previewFlags struct {
	language string
	provider string
	filter   string
}

// previewed is a worded sample, under --output json one of a list.
type previewed struct {
	Sample    string   `json:"sample"`
	Language  string   `json:"language"`
	Templates []string `json:"template_ids"`
	Form      string   `json:"format_type"`
	Summary   string   `json:"summary"`
	Content   string   `json:"content"`
}

func (a *app) previewTemplates(path string, f previewFlags) error {
	if _, err := language.Parse(f.language); f.language != "" && err != nil {
		return usage("%q is no language: expected a tag such as en or ko", f.language)
	}
	cfg, err := a.optionalConfig(path)
	if err != nil {
		return err
	}
	set, err := wordingOf(cfg, f.provider)
	if err != nil {
		return err
	}
	var list []previewed
	for _, l := range set.Languages() {
		if f.language != "" && set.Language(f.language) != l {
			continue
		}
		for _, sample := range synth.Samples() {
			shown, err := previewOf(set, l, sample)
			if err != nil {
				return err
			}
			if f.holds(shown) {
				list = append(list, shown)
			}
		}
	}
	if len(list) == 0 {
		return usage("no sample and no template is named %q: querent templates preview shows all", f.filter)
	}
	if a.output == outputJSON {
		return a.writeJSON(list)
	}
	return a.writePreviews(list)
}

// wordingOf is the wording of a template provider. What does not lint is not shown.
func wordingOf(cfg *config.Config, name string) (*pack.Set, error) {
	id := config.ProviderName(name)
	if name == "" {
		id = cfg.TemplateProvider()
	}
	if cfg.Providers[id].Plugin != config.TemplatePlugin {
		return nil, usage("there is no provider %q of the template plugin (known providers: %s)", name, strings.Join(providerNames(cfg), ", "))
	}
	files, err := templateFiles(cfg, id)
	if err != nil {
		return nil, err
	}
	set, _, wrong := templateSet{id, files}.read()
	if len(wrong) > 0 {
		return nil, usage("%v", wrong)
	}
	return set, nil
}

func providerNames(cfg *config.Config) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(cfg.Providers)) {
		out = append(out, string(name))
	}
	return out
}

func previewOf(set *pack.Set, l *pack.Language, sample synth.Sample) (previewed, error) {
	res, err := synth.New(set).Synthesize(context.Background(), sdk.SynthesizeRequest{Outcome: sample.Outcome, Language: l.Tag.String()})
	if err != nil {
		return previewed{}, fmt.Errorf("word the sample %s: %w", sample.Name, err)
	}
	return previewed{
		Sample: sample.Name, Language: l.Tag.String(), Templates: res.TemplateIDs, Form: string(res.Response.FormatType),
		Summary: res.Response.Summary, Content: res.Response.Content,
	}, nil
}

// holds reports whether the filter is in the sample's name or a template's id.
func (f previewFlags) holds(p previewed) bool {
	return strings.Contains(p.Sample, f.filter) || strings.Contains(strings.Join(p.Templates, " "), f.filter)
}

func (a *app) writePreviews(list []previewed) error {
	for i, p := range list {
		if i > 0 {
			fmt.Fprintln(a.stdout)
		}
		_, err := fmt.Fprintf(a.stdout, "== %s · %s · %s · %s\n%s\n", p.Sample, p.Language, p.Form, strings.Join(p.Templates, " "), p.Summary)
		if err != nil {
			return err
		}
		if p.Content != "" {
			fmt.Fprintln(a.stdout, p.Content)
		}
	}
	return nil
}

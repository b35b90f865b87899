package provider_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"querent.dev/querent/plugins/template/provider"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

const pack = `id: acme
version: 1
language: en
templates:
  - {id: answered.scalar, version: 2, when: {outcome: [answered], shape: [scalar]}, summary: "It is {value}."}
`

const pattern = `patterns:
  - {id: all, question: everything please, plan: {from: t, select: [t.a]}}
`

func TestConfiguredFilesAreUsed(t *testing.T) {
	p := provider.New()
	ctx := context.Background()
	err := p.Lifecycle.Configure(ctx, sdk.Configuration{
		Settings: json.RawMessage(`{"packs":["a.yaml"],"question_patterns":["p.yaml"]}`),
		Files: map[string][]sdk.File{
			"packs":             {{Name: "a.yaml", Content: []byte(pack)}},
			"question_patterns": {{Name: "p.yaml", Content: []byte(pattern)}},
		},
	})
	if err != nil || !p.Lifecycle.Health(ctx).OK {
		t.Fatalf("error %v, health %+v", err, p.Lifecycle.Health(ctx))
	}
	worded, err := p.Synthesizer.Synthesize(ctx, sdk.SynthesizeRequest{Outcome: wire.Outcome{Kind: wire.Answered, Results: []wire.Preview{{
		Columns: []wire.Column{{Name: "n"}}, Rows: [][]wire.Value{{wire.Int(3)}}, RowCount: 1}}}})
	if err != nil || worded.Response.Summary != "It is 3." || worded.TemplateIDs[0] != "acme/answered.scalar@2" {
		t.Errorf("response %+v, error %v", worded, err)
	}
	planned, err := p.Planner.Plan(ctx, sdk.PlanRequest{Question: "Everything, please!"})
	if err != nil || planned.Plan == nil || planned.Plan.From != "t" {
		t.Errorf("response %+v, error %v", planned, err)
	}
	if err := p.Lifecycle.Configure(ctx, sdk.Configuration{}); !errors.Is(err, &sdk.Error{Kind: reason.Misconfigured}) {
		t.Errorf("a second Configure: %v", err)
	}
	if err := p.Lifecycle.Stop(ctx); err != nil {
		t.Error(err)
	}
}

func TestMistakesInFilesAreNamed(t *testing.T) {
	for setting, text := range map[string]string{
		"packs":             strings.Replace(pack, "{value}", "{valeu}", 1),
		"question_patterns": strings.Replace(pattern, "from: t", "form: t", 1),
	} {
		p := provider.New()
		err := p.Lifecycle.Configure(context.Background(), sdk.Configuration{
			Files: map[string][]sdk.File{setting: {{Name: "mine.yaml", Content: []byte(text)}}},
		})
		if !errors.Is(err, &sdk.Error{Kind: reason.Misconfigured}) || !strings.Contains(err.Error(), setting) || !strings.Contains(err.Error(), "mine.yaml") {
			t.Errorf("%s: error %v", setting, err)
		}
		if p.Lifecycle.Health(context.Background()).OK {
			t.Errorf("%s: healthy after a failed Configure", setting)
		}
	}
}

func TestNothingWorksBeforeConfigure(t *testing.T) {
	p := provider.New()
	_, planErr := p.Planner.Plan(context.Background(), sdk.PlanRequest{})
	_, wordErr := p.Synthesizer.Synthesize(context.Background(), sdk.SynthesizeRequest{})
	for _, err := range []error{planErr, wordErr} {
		if !errors.Is(err, &sdk.Error{Kind: reason.Misconfigured}) {
			t.Errorf("error %v", err)
		}
	}
}

func TestDescription(t *testing.T) {
	d := provider.New().Lifecycle.Describe()
	if d.Name != "template" || len(d.Services) != 2 || d.Version == "" {
		t.Errorf("description %+v", d)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(d.ConfigSchema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("s.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("s.json")
	if err != nil {
		t.Fatal(err)
	}
	for settings, ok := range map[string]bool{`{}`: true, `{"packs":["a"],"question_patterns":[]}`: true, `{"packs":"a"}`: false, `{"pack":[]}`: false} {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(settings))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(v); (err == nil) != ok {
			t.Errorf("%s: %v", settings, err)
		}
	}
}

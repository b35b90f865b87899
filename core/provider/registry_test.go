package provider_test

import (
	"context"
	"strings"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

func TestBindingsAreChecked(t *testing.T) {
	template := provider.Services{Plugin: "template", Synthesizer: synthesizer(nil), Planner: planner(nil)}
	tests := []struct {
		name   string
		change func(*setup)
		want   []string // each in the error; none: no error
	}{
		{"a model does for all", func(*setup) {}, nil},
		{"planner and synthesizer do", func(s *setup) { s.services["local"] = template }, nil},
		{"unknown provider", func(s *setup) { s.agent.Provider = "locla" }, []string{"agents.ast_planner.provider", `"locla"`, "known: local"}},
		{"no planner", func(s *setup) { s.services["local"] = provider.Services{Plugin: "x", Synthesizer: synthesizer(nil)} },
			[]string{"agents.ast_planner.provider", "a model or a planner", "plugin x"}},
		{"no synthesizer", func(s *setup) { s.services["local"] = provider.Services{Plugin: "x", Planner: planner(nil)} },
			[]string{"agents.answer_synthesizer.provider", "a model or a synthesizer"}},
		{"nothing", func(s *setup) { s.services["local"] = provider.Services{} }, []string{"ast_planner", "answer_synthesizer"}},
		{"unknown fallback", func(s *setup) { s.agent.Fallback = []config.Fallback{{To: "local"}, {To: "nobody"}} },
			[]string{"agents.ast_planner.fallback[1]", `"nobody"`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := one(says(""))
			test.change(&s)
			r, err := s.registry()
			if (err == nil) != (len(test.want) == 0) || (r == nil) == (err == nil) {
				t.Fatalf("registry %v, error %v", r, err)
			}
			for _, part := range test.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("the error %q lacks %q", err, part)
				}
			}
		})
	}
}

func TestTemplateAgent(t *testing.T) {
	s := one(says(""))
	if got := s.open(t).Template(); got != nil {
		t.Errorf("there is a template agent without a template provider: %v", got)
	}
	s.providers["fixed"] = config.Provider{Plugin: config.TemplatePlugin}
	s.services["fixed"] = provider.Services{Plugin: config.TemplatePlugin, Synthesizer: synthesizer(
		func(context.Context, sdk.SynthesizeRequest) (sdk.SynthesizeResponse, error) {
			return answered("hello"), nil
		})}
	got := s.open(t).Template()
	out, err := got.Synthesize(context.Background(), provider.SynthesisTask{HasRows: true})
	if err != nil || out.Response.Summary != "hello" || out.Call.Provider != "fixed" || got.Provider() != "fixed" || got.Model() != "" {
		t.Errorf("outcome %+v, error %v", out, err)
	}
}

func TestAgentThatIsNotThereFails(t *testing.T) {
	var a *provider.Agent
	_, err := a.Synthesize(context.Background(), provider.SynthesisTask{})
	if e := reason.From(err); e == nil || e.Code != reason.ProviderCode(reason.Unavailable) {
		t.Errorf("error %v", err)
	}
}

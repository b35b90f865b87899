package provider_test

import (
	"context"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

func answered(summary string) sdk.SynthesizeResponse {
	return sdk.SynthesizeResponse{
		Response:    wire.AggregatedResponse{Summary: summary, FormatType: wire.FormatText},
		TemplateIDs: []string{"p/t@1"},
	}
}

func words(t *testing.T, s setup, hasRows bool) (provider.SynthesisOutcome, *reason.Error) {
	t.Helper()
	out, err := s.open(t).Agent(config.AgentAnswerSynthesizer).Synthesize(context.Background(), provider.SynthesisTask{
		HasRows: hasRows,
		Prompt: func() (provider.Prompt, error) {
			return provider.NewPrompt("rules", "turn", provider.ResponseSchemaName, provider.ResponseSchema()), nil
		},
	})
	return out, reason.From(err)
}

func TestModelsAnswerIsReadStrictly(t *testing.T) {
	tests := []struct {
		name, text string
		ok         bool
	}{
		{"whole", `{"summary":"s","format_type":"list","content":"c","warnings":["w"]}`, true},
		{"fenced", "```json\n{\"summary\":\"s\",\"format_type\":\"list\",\"content\":\"c\",\"warnings\":[\"w\"]}\n```", true},
		{"extra key", `{"summary":"s","format_type":"list","content":"c","warnings":[],"note":""}`, false},
		{"missing key", `{"summary":"s","format_type":"list","content":"c"}`, false},
		{"null", `{"summary":null,"format_type":"list","content":"c","warnings":[]}`, false},
		{"wrong form", `{"summary":"s","format_type":"chart","content":"c","warnings":[]}`, false},
		{"empty summary", `{"summary":"","format_type":"list","content":"c","warnings":[]}`, false},
		{"wrong type", `{"summary":"s","format_type":"list","content":["c"],"warnings":[]}`, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out, err := words(t, one(says(test.text)), false)
			if !test.ok {
				if err == nil || err.Code != reason.ProviderCode(reason.InvalidOutput) {
					t.Fatalf("error %v", err)
				}
				return
			}
			if err != nil || out.Response.Summary != "s" || out.Response.FormatType != wire.FormatList || out.Response.Content != "c" || len(out.Response.Warnings) != 1 {
				t.Fatalf("outcome %+v, error %v", out, err)
			}
		})
	}
}

func TestRowsGoOnlyWhereTheyMay(t *testing.T) {
	good := `{"summary":"s","format_type":"text","content":"","warnings":[]}`
	for _, test := range []struct{ permitted, hasRows, asked bool }{
		{false, false, true}, {false, true, false}, {true, false, true}, {true, true, true},
	} {
		asked := false
		s := one(model(func(context.Context, sdk.GenerateRequest) (sdk.GenerateResponse, error) {
			asked = true
			return sdk.GenerateResponse{Text: good, Finish: sdk.FinishStop}, nil
		}))
		p := s.providers["local"]
		p.Data.Rows = test.permitted
		s.providers["local"] = p
		_, err := words(t, s, test.hasRows)
		if asked != test.asked || (err == nil) != test.asked {
			t.Errorf("%+v: asked %t, error %v", test, asked, err)
		}
		if !test.asked && err.Code != reason.PolicyDenied {
			t.Errorf("%+v: code %s", test, err.Code)
		}
	}
}

func TestFallbackIsNotSentRowsThatTheFirstMayNotSee(t *testing.T) {
	asked := false
	s := two(says(""), config.Fallback{}, provider.Services{Plugin: "openai", Model: model(
		func(context.Context, sdk.GenerateRequest) (sdk.GenerateResponse, error) {
			asked = true
			return sdk.GenerateResponse{}, nil
		})})
	other := s.providers["other"]
	other.Data.Rows = true
	s.providers["other"] = other
	if _, err := words(t, s, true); err == nil || asked {
		t.Errorf("error %v, asked %t", err, asked)
	}
}

func TestTemplatesStandInForAModel(t *testing.T) {
	var got sdk.SynthesizeRequest
	s := two(says("no JSON"), config.Fallback{}, provider.Services{Plugin: "template", Planner: planner(nil), Synthesizer: synthesizer(
		func(_ context.Context, r sdk.SynthesizeRequest) (sdk.SynthesizeResponse, error) {
			got = r
			return answered("by template"), nil
		})})
	out, err := words(t, s, false)
	if err != nil || out.Response.Summary != "by template" || out.Call.Provider != "other" || len(out.TemplateIDs) != 1 || len(out.Call.Failed) != 1 {
		t.Fatalf("outcome %+v, error %v, request %+v", out, err, got)
	}
}

func TestModelsAreKeptOutWithoutAPrompt(t *testing.T) {
	_, err := one(says("{}")).open(t).Agent(config.AgentAnswerSynthesizer).Synthesize(context.Background(), provider.SynthesisTask{})
	if e := reason.From(err); e == nil || e.Code != reason.PolicyDenied {
		t.Errorf("error %v", err)
	}
}

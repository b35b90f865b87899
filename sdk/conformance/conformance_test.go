package conformance_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/conformance"
	"querent.dev/querent/sdk/conformance/fakeserver"
	"querent.dev/querent/sdk/reason"
)

// contracts are the groups of the checks that are no quirks.
var contracts = []string{"process/", "describe/", "configure/", "health/", "stop/", "calls/", "limits/", "model/", "server/", "planner/", "synthesizer/"}

func TestTheReferenceConforms(t *testing.T) {
	conformance.Run(t, conformance.Target{
		Open:     conformance.InProcess(func() sdk.Plugin { return (&reference{}).plugin() }),
		Settings: conformance.OpenAISettings, Shape: fakeserver.OpenAI, Only: contracts,
	})
}

// A check that no plugin can fail checks nothing.
func TestABrokenPluginFails(t *testing.T) {
	mutants := slices.Concat(lifecycleMutants(), modelMutants(), plannerMutants(), synthesizerMutants())
	for _, m := range mutants {
		t.Run(m.check+", "+m.defect, func(t *testing.T) {
			report, err := conformance.Check(t.Context(), m.target(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(report.Results) != 1 || report.Results[0].Status != conformance.Failed || report.OK() {
				t.Errorf("the results are %+v", report.Results)
			}
		})
	}
	for _, rule := range conformance.Rules() {
		breaks := func(m mutant) bool { return m.check == rule.Name }
		if !strings.HasPrefix(rule.Name, "process/") && !slices.ContainsFunc(mutants, breaks) {
			t.Errorf("no mutant breaks %s", rule.Name)
		}
	}
}

// shortLimit is for checks that end only when a plugin never does what it must.
const shortLimit = 3 * time.Second

func (m mutant) target() conformance.Target {
	open := conformance.InProcess(func() sdk.Plugin {
		b := &broken{reference: &reference{}}
		if m.change != nil {
			m.change(b)
		}
		if m.plugin != nil {
			return m.plugin(b)
		}
		return b.plugin()
	})
	limit := time.Duration(0)
	if m.hangs {
		limit = shortLimit
	}
	return conformance.Target{
		Settings: conformance.OpenAISettings, Shape: fakeserver.OpenAI, Only: []string{m.check}, Limit: limit,
		Open: func(ctx context.Context) (*conformance.Connection, error) {
			c, err := open(ctx)
			if err == nil && m.wire != nil {
				c.Conn = lying{c.Conn, m.wire}
			}
			return c, err
		},
	}
}

// stubborn makes the same thing of whatever a server sends.
type stubborn struct {
	*reference
	shape fakeserver.Shape
	err   error // nil: an answer
}

func (s stubborn) plugin() sdk.Plugin { return sdk.Plugin{Lifecycle: s, Model: s} }

func (s stubborn) ask(ctx context.Context, stream bool) error {
	path := "/chat/completions"
	if s.shape == fakeserver.Ollama {
		path = "/api/chat"
	}
	body, err := s.do(ctx, "POST", path, map[string]any{"model": "m", "stream": stream})
	if err == nil {
		_ = body.Close()
	}
	return s.err
}

func (s stubborn) Generate(ctx context.Context, _ sdk.GenerateRequest) (sdk.GenerateResponse, error) {
	return sdk.GenerateResponse{Text: "Seven.", Finish: sdk.FinishStop}, s.ask(ctx, false)
}

func (s stubborn) GenerateStream(ctx context.Context, _ sdk.GenerateRequest, send func(sdk.Chunk) error) error {
	if err := s.ask(ctx, true); err != nil {
		return err
	}
	if err := send(sdk.Chunk{Kind: sdk.ChunkText, Text: "Seven."}); err != nil {
		return err
	}
	return send(sdk.Chunk{Kind: sdk.ChunkFinish, Response: sdk.GenerateResponse{Finish: sdk.FinishStop}})
}

// Every quirk tells a plugin that makes something of it from one that does not.
func TestEveryQuirkCanBeFailed(t *testing.T) {
	for _, shape := range fakeserver.Shapes() {
		for name, err := range map[string]error{"always an answer": nil, "always a failure": sdk.Errorf(reason.InternalProvider, "no")} {
			t.Run(string(shape)+", "+name, func(t *testing.T) {
				report, err := conformance.Check(t.Context(), conformance.Target{
					Open:     conformance.InProcess(func() sdk.Plugin { return stubborn{&reference{}, shape, err}.plugin() }),
					Settings: func(server string) json.RawMessage { return conformance.OpenAISettings(server) }, Shape: shape, Only: []string{string(shape) + "/"},
				}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if len(report.Results) != len(fakeserver.Quirks(shape)) {
					t.Errorf("%d results for %d quirks", len(report.Results), len(fakeserver.Quirks(shape)))
				}
				for _, r := range report.Results {
					if r.Status != conformance.Failed {
						t.Errorf("%s: %s", r.Check, r.Status)
					}
				}
			})
		}
	}
}

// What the kit looks at in every quirk beside the outcome itself.
func TestAQuirkIsFailedByWhatSurroundsIt(t *testing.T) {
	for name, m := range map[string]mutant{
		"it asks again": {check: "openai/server_error", change: func(b *broken) {
			b.generate = func(ctx context.Context, g sdk.GenerateRequest) (sdk.GenerateResponse, error) {
				_, _ = b.reference.Generate(ctx, g)
				return b.reference.Generate(ctx, g)
			}
		}},
		"the error holds the key": {check: "openai/server_error", change: func(b *broken) {
			b.answer = func(sdk.GenerateResponse, error) (sdk.GenerateResponse, error) {
				return sdk.GenerateResponse{}, sdk.Errorf(reason.Unavailable, "with the key %s", conformance.Key)
			}
		}},
		"the error says nothing": {check: "openai/server_error", change: func(b *broken) {
			b.answer = func(sdk.GenerateResponse, error) (sdk.GenerateResponse, error) {
				return sdk.GenerateResponse{}, sdk.Errorf(reason.Unavailable, " ")
			}
		}},
		"a wait that nobody asked for": {check: "openai/server_error", change: func(b *broken) {
			b.answer = func(sdk.GenerateResponse, error) (sdk.GenerateResponse, error) {
				e := sdk.Errorf(reason.Unavailable, "wait")
				e.RetryAfter = time.Minute
				return sdk.GenerateResponse{}, e
			}
		}},
		"no wait": {check: "openai/rate_limit_seconds"},
		"output that was not sent": {check: "openai/server_error", change: func(b *broken) {
			b.answer = func(sdk.GenerateResponse, error) (sdk.GenerateResponse, error) {
				e := sdk.Errorf(reason.Unavailable, "too late")
				e.OutputSent = true
				return sdk.GenerateResponse{}, e
			}
		}},
		"nothing asks the server": {check: "openai/no_done", change: func(b *broken) {
			b.generate = func(context.Context, sdk.GenerateRequest) (sdk.GenerateResponse, error) {
				return sdk.GenerateResponse{Text: "Forty-two riders.", Finish: sdk.FinishStop}, nil
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			report, err := conformance.Check(t.Context(), m.target(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(report.Results) == 0 || report.Count(conformance.Failed) != 1 {
				t.Errorf("the results are %+v", report.Results)
			}
			for _, r := range report.Results {
				if strings.Contains(r.Detail, conformance.Key) {
					t.Errorf("the report holds the key: %s", r.Detail)
				}
			}
		})
	}
}

// Package full is a plugin that behaves well and offers every service. It exists
// for the tests of package pluginhost, which run it in each way that there is.
package full

import (
	"context"
	"fmt"
	"strings"
	"time"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// Plugin is a new one.
func Plugin() sdk.Plugin {
	s := &services{}
	return sdk.Plugin{Lifecycle: s, Model: s, Planner: s, Synthesizer: s}
}

// Refusal is what Generate answers about the model "refuse".
func Refusal() *sdk.Error {
	return &sdk.Error{
		Kind: reason.RateLimited, Message: "too many questions", RetryAfter: 7 * time.Second, Status: 429, ProviderRequestID: "r-1", Setting: sdk.SettingSeed,
	}
}

type services struct{}

var (
	_ sdk.Lifecycle   = (*services)(nil)
	_ sdk.Model       = (*services)(nil)
	_ sdk.Puller      = (*services)(nil)
	_ sdk.Planner     = (*services)(nil)
	_ sdk.Synthesizer = (*services)(nil)
)

func (*services) Describe() sdk.Description {
	return sdk.Description{Name: "full", Version: "2.0.0", Commit: "abc"}
}

func (*services) Configure(context.Context, sdk.Configuration) error { return nil }

func (*services) Health(context.Context) sdk.HealthState { return sdk.HealthState{OK: true} }

func (*services) Stop(context.Context) error { return nil }

func (*services) ModelInfo(_ context.Context, name string) (sdk.ModelInfo, error) {
	return sdk.ModelInfo{Model: name, Present: name != "absent", ContextLength: sdk.Known(4096)}, nil
}

// Generate repeats what it is told, or does what the model's name says.
func (*services) Generate(ctx context.Context, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
	switch r.Model {
	case "wait":
		<-ctx.Done()
		return sdk.GenerateResponse{}, ctx.Err()
	case "refuse":
		return sdk.GenerateResponse{}, Refusal()
	case "panic":
		panic("in a handler")
	}
	var text strings.Builder
	for _, m := range r.Messages {
		text.WriteString(m.Content)
	}
	return sdk.GenerateResponse{Text: text.String(), Finish: sdk.FinishStop, Usage: sdk.Usage{Output: sdk.Known(1)}}, nil
}

// GenerateStream passes a hundred numbers on. The model "wait" passes one on and
// waits.
func (s *services) GenerateStream(ctx context.Context, r sdk.GenerateRequest, send func(sdk.Chunk) error) error {
	for n := range 100 {
		if err := send(sdk.Chunk{Kind: sdk.ChunkText, Text: fmt.Sprint(n, " ")}); err != nil {
			return err
		}
		if r.Model == "wait" {
			break
		}
	}
	end, err := s.Generate(ctx, sdk.GenerateRequest{Model: r.Model})
	if err != nil {
		return err
	}
	return send(sdk.Chunk{Kind: sdk.ChunkFinish, Response: end})
}

func (*services) Embed(_ context.Context, r sdk.EmbedRequest) (sdk.EmbedResponse, error) {
	out := sdk.EmbedResponse{}
	for _, text := range r.Texts {
		out.Vectors = append(out.Vectors, []float32{float32(len(text))})
	}
	return out, nil
}

func (*services) PullModel(_ context.Context, _ string, send func(sdk.PullProgress) error) error {
	for n := range int64(3) {
		if err := send(sdk.PullProgress{Status: "fetching", Completed: n, Total: 2}); err != nil {
			return err
		}
	}
	return nil
}

func (*services) Plan(_ context.Context, r sdk.PlanRequest) (sdk.PlanResponse, error) {
	return sdk.PlanResponse{Plan: &wire.Plan{Clauses: wire.Clauses{From: r.Question}}, Reading: "all of " + r.Question}, nil
}

func (*services) Synthesize(_ context.Context, r sdk.SynthesizeRequest) (sdk.SynthesizeResponse, error) {
	return sdk.SynthesizeResponse{Response: wire.AggregatedResponse{Summary: r.Outcome.Question}, TemplateIDs: []string{"t"}}, nil
}

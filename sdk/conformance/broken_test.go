package conformance_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// broken overrides what the tests of broken plugins change of the reference.
type broken struct {
	*reference
	describe   func(sdk.Description) sdk.Description
	configure  func(sdk.Configuration) error
	health     func() sdk.HealthState
	stop       func() error
	info       func(sdk.ModelInfo, error) (sdk.ModelInfo, error)
	generate   func(context.Context, sdk.GenerateRequest) (sdk.GenerateResponse, error)
	answer     func(sdk.GenerateResponse, error) (sdk.GenerateResponse, error)
	stream     func(send func(sdk.Chunk) error) func(sdk.Chunk) error
	afterwards func(context.Context) // a stream
	embed      func(sdk.EmbedResponse) sdk.EmbedResponse
	plan       func(sdk.PlanRequest, sdk.PlanResponse) (sdk.PlanResponse, error)
	word       func(sdk.SynthesizeRequest, sdk.SynthesizeResponse) (sdk.SynthesizeResponse, error)
}

func (b *broken) plugin() sdk.Plugin {
	return sdk.Plugin{Lifecycle: b, Model: b, Planner: b, Synthesizer: b}
}

func (b *broken) Describe() sdk.Description {
	d := b.reference.Describe()
	if b.describe != nil {
		d = b.describe(d)
	}
	return d
}

func (b *broken) Configure(ctx context.Context, c sdk.Configuration) error {
	if b.configure != nil {
		if err := b.configure(c); err != nil || !json.Valid(c.Settings) || c.Settings[0] != '{' {
			return err
		}
	}
	return b.reference.Configure(ctx, c)
}

func (b *broken) Health(ctx context.Context) sdk.HealthState {
	if b.health != nil {
		return b.health()
	}
	return b.reference.Health(ctx)
}

func (b *broken) Stop(ctx context.Context) error {
	if b.stop != nil {
		return b.stop()
	}
	return b.reference.Stop(ctx)
}

func (b *broken) ModelInfo(ctx context.Context, model string) (sdk.ModelInfo, error) {
	info, err := b.reference.ModelInfo(ctx, model)
	if b.info != nil {
		return b.info(info, err)
	}
	return info, err
}

func (b *broken) Generate(ctx context.Context, g sdk.GenerateRequest) (sdk.GenerateResponse, error) {
	ask := b.reference.Generate
	if b.generate != nil {
		ask = b.generate
	}
	r, err := ask(ctx, g)
	if b.answer != nil {
		return b.answer(r, err)
	}
	return r, err
}

func (b *broken) GenerateStream(ctx context.Context, g sdk.GenerateRequest, send func(sdk.Chunk) error) error {
	if b.stream != nil {
		send = b.stream(send)
	}
	err := b.reference.GenerateStream(ctx, g, send)
	if b.afterwards != nil {
		b.afterwards(ctx)
	}
	return err
}

func (b *broken) Embed(ctx context.Context, e sdk.EmbedRequest) (sdk.EmbedResponse, error) {
	r, err := b.reference.Embed(ctx, e)
	if b.embed != nil {
		r = b.embed(r)
	}
	return r, err
}

func (b *broken) Plan(ctx context.Context, p sdk.PlanRequest) (sdk.PlanResponse, error) {
	r, err := b.reference.Plan(ctx, p)
	if err == nil && b.plan != nil {
		return b.plan(p, r)
	}
	return r, err
}

func (b *broken) Synthesize(ctx context.Context, s sdk.SynthesizeRequest) (sdk.SynthesizeResponse, error) {
	r, err := b.reference.Synthesize(ctx, s)
	if err == nil && b.word != nil {
		return b.word(s, r)
	}
	return r, err
}

// puller is a broken plugin that says it can fetch models.
type puller struct {
	*broken
	err error
}

func (p puller) PullModel(context.Context, string, func(sdk.PullProgress) error) error { return p.err }

// count numbers the calls of all plugins of a test.
var count atomic.Int64

// anyPlan is a plan whatever was asked.
func anyPlan() sdk.PlanResponse {
	return sdk.PlanResponse{Plan: &wire.Plan{Clauses: wire.Clauses{From: "riders", Select: []string{"count(*) as n"}}}, Reading: "the number of riders"}
}

var errAny = errors.New("something broke")

// internal is a failure that says nothing.
func internal() error { return sdk.Errorf(reason.InternalProvider, "something broke") }

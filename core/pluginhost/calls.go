package pluginhost

import (
	"context"
	"time"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/client"
	"querent.dev/querent/sdk/reason"
)

// Model is the plugin's Model, which is an sdk.Puller as well; false when the
// plugin has none. Failures of all services are *sdk.Error. A call waits while
// the plugin restarts, up to its deadline.
func (i *Instance) Model() (sdk.Model, bool) { return model{i}, i.offers(sdk.ServiceModel) }

// Planner is the plugin's Planner; false when it has none.
func (i *Instance) Planner() (sdk.Planner, bool) { return planner{i}, i.offers(sdk.ServicePlanner) }

// Synthesizer is the plugin's Synthesizer; false when it has none.
func (i *Instance) Synthesizer() (sdk.Synthesizer, bool) {
	return synthesizer{i}, i.offers(sdk.ServiceSynthesizer)
}

type (
	model       struct{ i *Instance }
	planner     struct{ i *Instance }
	synthesizer struct{ i *Instance }
)

var (
	_ sdk.Model       = model{}
	_ sdk.Puller      = model{}
	_ sdk.Planner     = planner{}
	_ sdk.Synthesizer = synthesizer{}
)

func (s model) ModelInfo(ctx context.Context, name string) (sdk.ModelInfo, error) {
	return call(ctx, s.i, func(ctx context.Context, c *client.Client) (sdk.ModelInfo, error) {
		return c.Model().ModelInfo(ctx, name)
	})
}

func (s model) Generate(ctx context.Context, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
	return call(ctx, s.i, func(ctx context.Context, c *client.Client) (sdk.GenerateResponse, error) {
		return c.Model().Generate(ctx, r)
	})
}

func (s model) GenerateStream(ctx context.Context, r sdk.GenerateRequest, send func(sdk.Chunk) error) error {
	return stream(ctx, s.i, s.i.host.opts.Timeouts.Call, func(ctx context.Context, c *client.Client) error {
		return c.Model().GenerateStream(ctx, r, send)
	})
}

func (s model) Embed(ctx context.Context, r sdk.EmbedRequest) (sdk.EmbedResponse, error) {
	return call(ctx, s.i, func(ctx context.Context, c *client.Client) (sdk.EmbedResponse, error) {
		return c.Model().Embed(ctx, r)
	})
}

func (s model) PullModel(ctx context.Context, name string, send func(sdk.PullProgress) error) error {
	return stream(ctx, s.i, s.i.host.opts.Timeouts.Pull, func(ctx context.Context, c *client.Client) error {
		puller, ok := c.Model().(sdk.Puller)
		if !ok {
			return sdk.ErrUnsupported
		}
		return puller.PullModel(ctx, name, send)
	})
}

func (s planner) Plan(ctx context.Context, r sdk.PlanRequest) (sdk.PlanResponse, error) {
	return call(ctx, s.i, func(ctx context.Context, c *client.Client) (sdk.PlanResponse, error) {
		return c.Planner().Plan(ctx, r)
	})
}

func (s synthesizer) Synthesize(ctx context.Context, r sdk.SynthesizeRequest) (sdk.SynthesizeResponse, error) {
	return call(ctx, s.i, func(ctx context.Context, c *client.Client) (sdk.SynthesizeResponse, error) {
		return c.Synthesizer().Synthesize(ctx, r)
	})
}

// call makes a call to the live process.
func call[T any](ctx context.Context, i *Instance, do func(context.Context, *client.Client) (T, error)) (T, error) {
	var result T
	err := stream(ctx, i, i.host.opts.Timeouts.Call, func(ctx context.Context, c *client.Client) (err error) {
		result, err = do(ctx, c)
		return err
	})
	return result, err
}

// stream waits for a live process and makes a call to it. limit is the deadline
// of a call whose context has none.
func stream(ctx context.Context, i *Instance, limit time.Duration, do func(context.Context, *client.Client) error) error {
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	i.usage.begin()
	defer i.usage.end()
	g, err := i.await(ctx)
	if err != nil {
		return err
	}
	err = do(ctx, g.client)
	g.suspect(err)
	return err
}

// await is the live process. It waits while there is none but there will be.
func (i *Instance) await(ctx context.Context) (*generation, error) {
	for {
		i.mu.Lock()
		live, state, changed := i.live, i.state, i.changed
		i.mu.Unlock()
		if live != nil && !live.carrier.hasEnded() {
			return live, nil
		}
		switch state.Name {
		case StateFailed, StateStopping, StateStopped:
			return nil, i.down(state)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, i.waitedInVain(ctx, state)
		}
	}
}

// down is the error of a call to an instance that will not come back.
func (i *Instance) down(s State) *sdk.Error {
	e := sdk.Errorf(reason.Unavailable, "%sthe plugin is %s", i.settings().prefix(), s.Name)
	if s.LastError != "" {
		e.Message += ": " + s.LastError
	}
	return e
}

func (i *Instance) waitedInVain(ctx context.Context, s State) *sdk.Error {
	if ctx.Err() == context.Canceled {
		return sdk.Errorf(reason.Cancelled, "%sthe call was cancelled while the plugin was %s: %w", i.settings().prefix(), s.Name, context.Canceled)
	}
	e := i.down(s)
	e.Message += "; it was not ready again within the call's deadline"
	return e
}

package pluginhost

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/client"
	"querent.dev/querent/sdk/reason"
)

// generation is one run of an instance's plugin, from its start to its end. It is
// made ready or not made at all.
type generation struct {
	spec    Spec
	opts    Options
	carrier carrier
	client  *client.Client
	// suspected wakes the watcher of its health.
	suspected chan struct{}

	description sdk.Description
	configured  *configured
}

// configured is what a plugin was given, and by which schema of its settings.
type configured struct {
	schema        json.RawMessage
	configuration sdk.Configuration
}

// stepper is told of each step of a start, with the process's number once there
// is one.
type stepper func(name StateName, pid int)

// startGeneration runs what was prepared and makes it ready. before is what an
// earlier generation was given, or nil: a process that replaces another gets the
// same, also when files have changed since. Its errors are *reason.Error, and
// nothing is left of a plugin that did not become ready.
func (h *Host) startGeneration(ctx context.Context, s Spec, p *prepared, before *configured, step stepper) (*generation, error) {
	defer p.close() // a process has its own from the start on
	step(StateStarting, 0)
	carrier, err := h.carrierOf(ctx, s, p)
	if err != nil {
		return nil, err
	}
	g := &generation{spec: s, opts: h.opts, carrier: carrier, suspected: make(chan struct{}, 1), configured: before}
	stopWatching := context.AfterFunc(ctx, carrier.kill)
	err = g.becomeReady(ctx, step)
	if err == nil && !stopWatching() {
		err = s.startEnded(ctx)
	}
	if err != nil {
		stopWatching()
		if err := carrier.discard(); err != nil {
			h.opts.Logger.Warn("cleaning up after a plugin", "provider", s.Provider, "error", err)
		}
		return nil, err
	}
	return g, nil
}

// becomeReady goes all the way from the start to a healthy plugin.
func (g *generation) becomeReady(ctx context.Context, step stepper) error {
	if err := g.connect(ctx, step); err != nil {
		return err
	}
	step(StateDescribing, g.carrier.pid())
	if err := g.describe(ctx); err != nil {
		return err
	}
	if err := g.permitted(); err != nil {
		return err
	}
	step(StateConfiguring, g.carrier.pid())
	if err := g.configure(ctx); err != nil {
		return err
	}
	step(StateProbing, g.carrier.pid())
	return g.probe(ctx, g.spec)
}

func (g *generation) connect(ctx context.Context, step stepper) error {
	conn, err := g.carrier.connect(ctx, func() { step(StateHandshake, g.carrier.pid()) })
	if err != nil {
		return err
	}
	g.client = client.New(conn)
	return nil
}

func (g *generation) describe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, g.opts.Timeouts.Control)
	defer cancel()
	d, err := g.client.Describe(ctx)
	if err != nil {
		return g.spec.fromPlugin("Describe", err)
	}
	g.description = d
	return nil
}

// configure checks the settings against the plugin's schema, reads the files
// that they name, and hands both over. What was handed over before is again.
func (g *generation) configure(ctx context.Context) error {
	if g.configured == nil || !bytes.Equal(g.configured.schema, g.description.ConfigSchema) {
		c, err := configuration(g.spec, g.description.ConfigSchema)
		if err != nil {
			return err
		}
		g.configured = &configured{g.description.ConfigSchema, c}
	}
	ctx, cancel := context.WithTimeout(ctx, g.opts.Timeouts.Configure)
	defer cancel()
	if err := g.client.Configure(ctx, g.configured.configuration); err != nil {
		return g.spec.fromPlugin("Configure", err)
	}
	return nil
}

// probe shows that the plugin works, for what a Spec wants of it.
func (g *generation) probe(ctx context.Context, s Spec) error {
	if err := g.checkHealth(ctx); err != nil || s.Probe == nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, g.opts.Timeouts.Probe)
	defer cancel()
	if err := s.Probe(ctx, g.services()); err != nil {
		return s.fromPlugin("the probe", err)
	}
	return nil
}

// services are what the plugin offers, at this process alone.
func (g *generation) services() Services {
	var s Services
	for _, name := range g.description.Services {
		switch name {
		case sdk.ServiceModel:
			s.Model = g.client.Model()
		case sdk.ServicePlanner:
			s.Planner = g.client.Planner()
		case sdk.ServiceSynthesizer:
			s.Synthesizer = g.client.Synthesizer()
		}
	}
	return s
}

func (g *generation) checkHealth(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, g.opts.Timeouts.Control)
	defer cancel()
	health, err := g.client.Health(ctx)
	if err != nil {
		return g.spec.fromPlugin("Health", err)
	}
	if !health.OK {
		return g.spec.unavailable("%w: %s", errUnwell, health.Message)
	}
	return nil
}

// fromPlugin is the error of a control call. Its text is the plugin's, so it is
// not in the safe message.
func (s Spec) fromPlugin(call string, err error) *reason.Error {
	return s.failed(sdk.KindOf(err), "%s: %w", call, err)
}

// startEnded is the error of a start whose context ended.
func (s Spec) startEnded(ctx context.Context) *reason.Error {
	if ctx.Err() == context.DeadlineExceeded {
		return s.failed(reason.Timeout, "the plugin was not ready within the deadline of its start")
	}
	return s.failed(reason.Cancelled, "the start of the plugin was cancelled")
}

// stop ends the plugin: its Stop, a signal to its group, and after the grace a
// kill of the group. It returns when the plugin is gone.
func (g *generation) stop(ctx context.Context) error {
	grace, cancel := context.WithTimeout(ctx, g.opts.Timeouts.Stop)
	defer cancel()
	g.carrier.end(grace, g.client.Stop)
	return g.carrier.discard()
}

// Describe runs the plugin of s, which need not have settings, for as long as it
// takes to ask what it is. The executable is checked as for any other start.
func (h *Host) Describe(ctx context.Context, s Spec) (sdk.Description, error) {
	if err := s.check(); err != nil {
		return sdk.Description{}, err
	}
	if !h.work() {
		return sdk.Description{}, s.unavailable("%w", errClosed)
	}
	defer h.working.Done()
	ctx, cancel := context.WithTimeout(ctx, h.opts.Timeouts.Start+h.opts.Timeouts.Control)
	defer cancel()
	p, err := h.prepare(s)
	if err != nil {
		return sdk.Description{}, err
	}
	defer p.close()
	carrier, err := h.newProcess(s, p)
	if err != nil {
		return sdk.Description{}, err
	}
	defer context.AfterFunc(ctx, carrier.kill)()
	g := &generation{spec: s, opts: h.opts, carrier: carrier}
	if err = g.connect(ctx, func(StateName, int) {}); err == nil {
		err = g.describe(ctx)
	}
	if gone := carrier.discard(); gone != nil && err == nil {
		err = fmt.Errorf("ending a plugin that was asked what it is: %w", gone)
	}
	return g.description, err
}

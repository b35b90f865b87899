package main

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/core/redact"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
)

// closeTimeout bounds how long stopping takes: plugins get 2 s of grace before
// they are killed, and the rest is quick.
const closeTimeout = 10 * time.Second

// host is everything that is open while questions are asked. Close it.
type host struct {
	engine  *pipeline.Engine
	cfg     *config.Config
	closers []func(context.Context) error // in the order of opening

	recording *shared[*records]
	records   *records // of what is asked: recording's, under the rules of cfg
	opened    map[schema.DatasourceID]*shared[datasource.Datasource]
	sources   map[schema.DatasourceID]datasource.Datasource
	files     map[schema.DatasourceID]fs.FileInfo // of the databases that are files
	plugins   *shared[*pluginhost.Host]
	providers providerStates
	registry  *provider.Registry

	began   time.Time
	opening time.Duration // how long opening took
	late    bool          // a plugin was not ready within the run's time limit
}

// explainTime is what a run has left when a plugin used up its time limit before
// it was ready: enough for templates to say so, or for a fallback to answer.
const explainTime = 2 * time.Second

// graphEdits change the graphs of every engine. The program has none; tests build a
// defect into it to see how it is told.
var graphEdits []pipeline.Option

// opening says how a host is opened.
type opening struct {
	logger hclog.Logger
	// from is the host whose place the new one takes, nil for the first: what is the
	// same under both configurations is shared.
	from *host
	// whole makes a plugin that does not start, and a new database that cannot be
	// reached, an error.
	whole   bool
	redact  func(string) string    // what plugins say; nil: nothing is taken out
	onEvent func(pluginhost.Event) // nil: nobody listens
}

// openHost opens what cfg names: the policy, the datasources, the plugins of the
// providers that its agents may call, and the engine over them. What is wrong
// with the configuration is an error; a database or a plugin that cannot be used
// is not: questions that need it are explained. Opening takes no longer than a run
// may. When ctx is cancelled, the error is of code CANCELLED.
func openHost(ctx context.Context, cfg *config.Config, logger hclog.Logger) (*host, error) {
	return opening{logger: logger}.open(ctx, cfg)
}

// open is openHost in its way of opening. On an error, what was shared is as before.
func (o opening) open(ctx context.Context, cfg *config.Config) (_ *host, err error) {
	h := &host{cfg: cfg, began: time.Now()}
	defer func() {
		if err != nil {
			err = errors.Join(err, h.Close(ctx))
		}
	}()
	rules, err := compileRoles(cfg)
	if err != nil {
		return nil, usage("%v", err)
	}
	if err := h.openRecords(ctx, o); err != nil {
		return nil, err
	}
	recorder, err := h.records.recorder()
	if err != nil {
		return nil, err
	}
	if err := h.openDatasources(ctx, o); err != nil {
		return nil, err
	}
	services, err := h.startProviders(ctx, o)
	if err != nil {
		return nil, err
	}
	if h.registry, err = provider.NewRegistry(cfg, services, o.logger); err != nil {
		return nil, usage("%v", err)
	}
	secrets := &redact.Known{}
	secrets.Add(cfg.Secrets()...)
	words := wording(cfg)
	h.engine, err = pipeline.New(cfg, pipeline.Deps{
		Secrets: secrets, Say: say(words), Spoken: spokenFor(words),
		Datasources: h.sources, Providers: h.registry, Policy: rules, Recorder: recorder, Clock: time.Now, Logger: o.logger,
	}, graphEdits...)
	if err != nil {
		return nil, usage("%v", err)
	}
	h.closers = append(h.closers, h.engine.Close)
	h.opening = time.Since(h.began)
	return h, nil
}

// within is ctx for the one run that the host was opened for: opening has used
// some of the run's time limit already.
func (h *host) within(ctx context.Context) (context.Context, context.CancelFunc) {
	limit := h.cfg.Settings.Run.Timeout.Std()
	deadline := h.began.Add(limit)
	if h.late {
		deadline = time.Now().Add(explainTime)
	}
	return context.WithDeadlineCause(ctx, deadline,
		reason.New(reason.RunTimeout, reason.ReasonTimeout, "the run did not finish within %s, of which starting the plugins took %s", limit, h.opening.Round(time.Millisecond)))
}

// takeOpening is how long opening took, for the first run that reports it, and 0
// for those after it.
func (h *host) takeOpening() time.Duration {
	took := h.opening
	h.opening = 0
	return took
}

// Close closes everything in the reverse order of opening. It does so also when
// ctx has ended, and takes closeTimeout at the most.
func (h *host) Close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	var errs []error
	for i := len(h.closers) - 1; i >= 0; i-- {
		errs = append(errs, h.closers[i](ctx))
	}
	h.closers = nil
	return errors.Join(errs...)
}

// pluginsByProvider names the plugin of each provider.
func pluginsByProvider(cfg *config.Config) map[string]string {
	out := map[string]string{}
	for name, p := range cfg.Providers {
		out[string(name)] = string(p.Plugin)
	}
	return out
}

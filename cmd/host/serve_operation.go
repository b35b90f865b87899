package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/core/audit"
	"querent.dev/querent/core/config"
	"querent.dev/querent/core/server"
	"querent.dev/querent/core/telemetry"
	"querent.dev/querent/sdk"
)

// operation is a server that runs, and what changes its configuration meanwhile:
// the new one is built beside the old one, and takes its place only when all of it
// can be used.
type operation struct {
	app     *app
	flags   serveFlags
	logger  hclog.Logger
	board   *board
	server  *server.Server
	metrics *telemetry.Metrics

	certificate atomic.Pointer[tls.Certificate] // nil: plain HTTP
	start       *config.Config                  // what the listeners were opened by
	read        atomic.Pointer[prints]          // of the files that were read last
	turn        chan struct{}                   // has room for the one who changes the configuration
}

// newOperation opens the host of cfg. close it.
func (a *app) newOperation(ctx context.Context, f serveFlags, cfg *config.Config) (*operation, error) {
	o := &operation{app: a, flags: f, logger: a.logger(), start: cfg, turn: make(chan struct{}, 1)}
	o.metrics = telemetry.New(sdk.Version, func() telemetry.Live { return o.board.live() })
	first, err := o.opening(nil).open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if err := first.unusable(); err != nil {
		return nil, errors.Join(err, first.Close(ctx))
	}
	if err := first.records.noteConfig(ctx, audit.ConfigLoaded, cfg); err != nil {
		return nil, errors.Join(err, first.Close(ctx))
	}
	o.board = newBoard(first, o.logger.Named("serve"))
	o.board.metrics = o.metrics
	o.metrics.Loaded(time.Now())
	o.note()
	return o, nil
}

func (o *operation) opening(from *host) opening {
	return opening{logger: o.logger, from: from, whole: from != nil, redact: o.app.guard.text, onEvent: o.metrics.PluginEvent}
}

// options are those of the server under the host.
func (o *operation) options(h *host, callers server.Callers) server.Options {
	s := h.cfg.Server
	out := server.Options{
		Engine: o.board, Write: writeRun, Callers: callers, Checks: h.checks(), Receipts: o.board, Metrics: o.metrics.Handler(),
		MaxRuns: s.MaxRuns, MaxBody: int64(s.MaxBody), DrainTimeout: s.DrainTimeout.Std(), Logger: o.logger.Named("server"),
	}
	if o.certificate.Load() != nil {
		out.TLS = &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			return o.certificate.Load(), nil
		}}
	}
	return out
}

// close closes all hosts, when no request is answered any more.
func (o *operation) close(ctx context.Context) {
	o.turn <- struct{}{} // who changes the configuration has ended, since ctx of serving has
	defer func() { <-o.turn }()
	if err := o.board.close(ctx); err != nil {
		fmt.Fprintf(o.app.stderr, "querent: stopping: %v\n", err)
	}
}

// reloaded is what a change of the configuration came to.
type reloaded struct {
	Configuration int           `json:"configuration"` // counts those that have acted since the start
	Cause         string        `json:"cause"`
	Plugins       []livePlugin  `json:"plugins"`
	NeedsRestart  []string      `json:"needs_restart"` // settings that act only after a restart
	Took          time.Duration `json:"-"`
	MS            int64         `json:"ms"`
}

// reload takes the configuration over as it is now. On an error, which says why, the
// one before goes on. Others who reload at the same time wait for each other.
func (o *operation) reload(ctx context.Context, cause string) (reloaded, error) {
	select {
	case o.turn <- struct{}{}:
		defer func() { <-o.turn }()
	case <-ctx.Done():
		return reloaded{}, context.Cause(ctx)
	}
	began := time.Now()
	o.note()
	out, err := o.change(ctx)
	if err != nil {
		o.metrics.Reload(telemetry.Kept, time.Now())
		o.logger.Error("the configuration was not reloaded: the one before goes on", "cause", cause, "error", err)
		// What is taken out of logs is as before, too. It was possible then.
		return out, errors.Join(err, o.app.guard.follow(o.board.acting().host.cfg))
	}
	o.metrics.Reload(telemetry.Reloaded, time.Now())
	out.Cause, out.Took = cause, time.Since(began)
	out.MS = out.Took.Milliseconds()
	o.logger.Info("the configuration was reloaded", "cause", cause, "configuration", out.Configuration, "ms", out.MS)
	for _, setting := range out.NeedsRestart {
		o.logger.Warn("a setting changed that acts only after a restart", "setting", setting)
	}
	return out, nil
}

// change builds the host of the configuration as it is now, and puts it in the place
// of the one that acts.
func (o *operation) change(ctx context.Context) (reloaded, error) {
	cfg, err := o.app.serverConfig(o.flags)
	if err != nil {
		return reloaded{}, err
	}
	callers, err := callersOf(cfg)
	if err != nil {
		return reloaded{}, err
	}
	certificate, err := certificateOf(cfg)
	if err != nil {
		return reloaded{}, err
	}
	next, err := o.opening(o.board.acting().host).open(ctx, cfg)
	if err != nil {
		return reloaded{}, err
	}
	if err := next.records.noteConfig(ctx, audit.ConfigReloaded, cfg); err != nil {
		return reloaded{}, errors.Join(err, next.Close(ctx))
	}
	if certificate != nil && o.certificate.Load() != nil {
		o.certificate.Store(certificate)
	}
	g := o.take(next, callers)
	return reloaded{Configuration: g.number, Plugins: o.plugins(), NeedsRestart: o.needRestart(cfg)}, nil
}

// take makes next the host of the requests from now on. Where the server listens
// stays, and so who counts as local.
func (o *operation) take(next *host, callers server.Callers) *generation {
	callers.Local = listensLocally(o.start)
	g := o.board.replace(next)
	o.server.Change(o.options(next, callers))
	return g
}

// needRestart are the settings that differ from those by which the listeners were
// opened.
func (o *operation) needRestart(cfg *config.Config) []string {
	out := []string{}
	if cfg.Server.Listen != o.start.Server.Listen {
		out = append(out, "server.listen")
	}
	if (cfg.Server.TLS.Cert != "") != (o.certificate.Load() != nil) {
		out = append(out, "server.tls")
	}
	if cfg.Server.Metrics != o.start.Server.Metrics {
		out = append(out, "server.metrics")
	}
	if cfg.Server.Watched() != o.start.Server.Watched() {
		out = append(out, "server.watch")
	}
	return out
}

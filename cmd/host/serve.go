package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/spf13/cobra"

	"querent.dev/querent/cmd/host/internal/output"
	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/server"
	"querent.dev/querent/sdk/reason"
)

// anonymousCaller asks over HTTP without a key.
const anonymousCaller = "anonymous"

// serveFlags are the flags of querent serve.
type serveFlags struct {
	config string
	listen string
}

func (a *app) serveCommand() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve [flags]",
		Short: "Answer questions over HTTP",
		Long: "Answer questions over HTTP, at once or as server-sent events. Who may ask is in the\n" +
			"file of keys that server.api_keys names (querent keys new makes a key); without a key\n" +
			"asks the caller anonymous, if callers.anonymous has a role.\n\n" +
			"SIGTERM or SIGINT ends it: no question is taken any more, those on their way may finish\n" +
			"within server.drain_timeout, the rest is cancelled, and it exits with 0. A second signal\n" +
			"ends it at once.\n\n" +
			"SIGHUP, querent plugins reload and, unless server.watch is false, a change of a file that\n" +
			"is used make it take the configuration over anew: the new one is built beside the old one\n" +
			"and takes its place for new questions when all of it works; else the old one goes on and\n" +
			"the log says why. No question is lost.\n\n" +
			"It logs on stderr at the level info unless --log-level says otherwise.",
		Example: "  querent serve --config querent.yaml",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("log-level") && os.Getenv("QUERENT_LOG") == "" {
				a.logLevel = "info"
			}
			return a.serve(cmd.Context(), f)
		},
	}
	cmd.Flags().StringVar(&f.config, "config", defaultConfig, "configuration file, or a folder of *.yaml files")
	cmd.Flags().StringVar(&f.listen, "listen", "", "host:port to listen on, as server.listen")
	return cmd
}

func (a *app) serve(ctx context.Context, f serveFlags) error {
	cfg, err := a.serverConfig(f)
	if err != nil {
		return err
	}
	callers, err := callersOf(cfg)
	if err != nil {
		return err
	}
	certificate, err := certificateOf(cfg)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", cfg.Server.Listen)
	if err != nil {
		return usage("server.listen: %v", err)
	}
	o, err := a.newOperation(ctx, f, cfg)
	if err != nil {
		_ = l.Close() // nothing has come in
		return err
	}
	defer o.close(ctx)
	o.certificate.Store(certificate)
	if o.server, err = server.New(o.options(o.board.acting().host, callers)); err != nil {
		_ = l.Close() // nothing has come in
		return err
	}
	stop, err := o.watchOver(ctx)
	if err != nil {
		_ = l.Close() // nothing has come in
		return err
	}
	defer stop()
	a.announce(o.logger, l.Addr(), certificate != nil, callers)
	return o.server.Serve(ctx, l)
}

// watchOver begins what goes on beside the answering: control, signals, changes of
// files, metrics of their own address. stop ends it and waits for it.
func (o *operation) watchOver(ctx context.Context) (stop func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	var beside sync.WaitGroup
	end := func() {
		cancel()
		beside.Wait()
	}
	metrics, err := o.listenForMetrics()
	if err != nil {
		cancel()
		return nil, err
	}
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	beside.Go(func() {
		defer signal.Stop(hangups)
		o.reloadOn(ctx, hangups)
	})
	beside.Go(func() { o.fetchAbsent(ctx) })
	if metrics != nil {
		beside.Go(func() { o.serveBeside(ctx, metrics, o.metricsHandler()) })
	}
	if socket, err := listenSteadily(o.flags.config); err != nil {
		o.logger.Warn("querent plugins cannot reach this server; SIGHUP reloads it", "error", err)
	} else {
		beside.Go(func() { socket.keep(ctx, socketLook, o.logger) })
		beside.Go(func() { o.serveBeside(ctx, socket, o.controlHandler()) })
	}
	if o.start.Server.Watched() {
		beside.Go(func() { o.reloadOnChanges(ctx) })
	}
	return end, nil
}

// reloadOn reloads for each signal.
func (o *operation) reloadOn(ctx context.Context, signals <-chan os.Signal) {
	for {
		select {
		case <-signals:
			_, _ = o.reload(ctx, "signal") // it has been logged
		case <-ctx.Done():
			return
		}
	}
}

// listenForMetrics is the listener that server.metrics names, nil for none.
func (o *operation) listenForMetrics() (net.Listener, error) {
	at := o.start.Server.Metrics.Listen
	if at == "" {
		return nil, nil
	}
	l, err := net.Listen("tcp", at)
	if err != nil {
		return nil, usage("server.metrics.listen: %v", err)
	}
	o.logger.Info("metrics", "address", "http://"+l.Addr().String()+"/metrics")
	return l, nil
}

func (o *operation) metricsHandler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", o.metrics.Handler())
	return mux
}

// besideTimeout bounds what clients of the metrics and of the control socket can
// hold, and how long stopping waits for them.
const besideTimeout = 10 * time.Second

// serveBeside answers at l, which it closes, until ctx ends.
func (o *operation) serveBeside(ctx context.Context, l net.Listener, h http.Handler) {
	s := &http.Server{
		Handler: h, ReadTimeout: besideTimeout, WriteTimeout: besideTimeout, IdleTimeout: besideTimeout,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ErrorLog:    o.logger.StandardLogger(&hclog.StandardLoggerOptions{ForceLevel: hclog.Debug}),
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	select {
	case err := <-served:
		o.logger.Error("nobody answers any more", "address", l.Addr(), "error", err)
		return
	case <-ctx.Done():
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), besideTimeout)
	defer cancel()
	if err := s.Shutdown(closing); err != nil {
		_ = s.Close() // what is left are clients that do not leave
	}
	<-served
}

// serverConfig is the configuration with the flags in it.
func (a *app) serverConfig(f serveFlags) (*config.Config, error) {
	cfg, _, err := a.loadConfig(f.config)
	if err != nil {
		return nil, err
	}
	if len(cfg.Datasources) == 0 {
		return nil, usage("the configuration names no database: add one under datasources")
	}
	if f.listen == "" {
		return cfg, nil
	}
	own := *cfg
	own.Server.Listen = f.listen
	if problem := own.Server.Unsafe(); problem != "" {
		return nil, usage("--listen: %s", problem)
	}
	return &own, nil
}

// callersOf are the keys of the file that the configuration names, and who asks
// without one.
func callersOf(cfg *config.Config) (server.Callers, error) {
	callers := server.Callers{Anonymous: callerOf(cfg, anonymousCaller), Local: listensLocally(cfg)}
	if cfg.Server.APIKeys == "" {
		return callers, nil
	}
	file := cfg.Path(cfg.Server.APIKeys)
	content, err := os.ReadFile(file)
	if err != nil {
		return callers, usage("server.api_keys: the file of keys cannot be read: %v", err)
	}
	if callers.Keys, err = server.ParseKeys(content, cfg.Roles); err != nil {
		return callers, usage("server.api_keys: %s: %v", file, err)
	}
	return callers, nil
}

// listensLocally reports whether the server can be reached from this machine alone.
func listensLocally(cfg *config.Config) bool {
	host, _, _ := net.SplitHostPort(cfg.Server.Listen) // checked when it was loaded
	return config.Loopback(host)
}

// certificateOf is the server's certificate, nil for plain HTTP.
func certificateOf(cfg *config.Config) (*tls.Certificate, error) {
	t := cfg.Server.TLS
	if t.Cert == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(cfg.Path(t.Cert), cfg.Path(t.Key))
	if err != nil {
		return nil, usage("server.tls: %v", err)
	}
	return &pair, nil
}

// announce tells the operator where the server listens, and whether anybody is
// let in.
func (a *app) announce(logger hclog.Logger, at net.Addr, encrypted bool, callers server.Callers) {
	scheme := "http"
	if encrypted {
		scheme = "https"
	}
	fmt.Fprintf(a.stderr, "querent: serving on %s://%s\n", scheme, at)
	if len(callers.Keys) == 0 && !callers.Anonymous.Known() {
		logger.Warn("nobody can ask: there are no keys (server.api_keys; querent keys new), and callers.anonymous has no role")
	}
}

// writeRun writes a run as querent ask --output json does.
func writeRun(w io.Writer, run *pipeline.Run) error {
	code := reason.ExitAnswered
	if err := run.Err(); err != nil {
		code = reason.ExitCode(err)
	}
	return output.JSON(w, envelope(run, code, 0), *run.Answer, run.Rows)
}

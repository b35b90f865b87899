package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"os"

	"github.com/hashicorp/go-hclog"
	"github.com/spf13/cobra"

	"querent.dev/querent/cmd/host/internal/output"
	"querent.dev/querent/core/audit"
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
			"ends it at once. It logs on stderr at the level info unless --log-level says otherwise.",
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
	logger := a.logger()
	return a.withHost(ctx, cfg, func(h *host) error {
		if err := h.unusable(); err != nil {
			_ = l.Close() // nothing has come in
			return err
		}
		s, err := server.New(server.Options{
			Engine: h.engine, Write: writeRun, Callers: callers, Checks: h.checks(), Receipts: h.records,
			MaxRuns: cfg.Server.MaxRuns, MaxBody: int64(cfg.Server.MaxBody), DrainTimeout: cfg.Server.DrainTimeout.Std(),
			TLS: certificate, Logger: logger.Named("server"),
		})
		if err != nil {
			return err
		}
		if err := h.records.noteConfig(ctx, audit.ConfigLoaded, cfg); err != nil {
			return err
		}
		a.announce(logger, l.Addr(), certificate != nil, callers)
		return s.Serve(ctx, l)
	})
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
	host, _, _ := net.SplitHostPort(cfg.Server.Listen) // checked when it was loaded
	callers := server.Callers{Anonymous: callerOf(cfg, anonymousCaller), Local: config.Loopback(host)}
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

// certificateOf is the server's certificate, nil for plain HTTP.
func certificateOf(cfg *config.Config) (*tls.Config, error) {
	t := cfg.Server.TLS
	if t.Cert == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(cfg.Path(t.Cert), cfg.Path(t.Key))
	if err != nil {
		return nil, usage("server.tls: %v", err)
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}}, nil
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

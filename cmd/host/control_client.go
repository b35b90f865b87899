package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pluginhost"
)

// errNoServer is that no server runs with a configuration.
var errNoServer = errors.New("no server runs with this configuration")

// remote is a running server, reached over its control socket.
type remote struct {
	client *http.Client
}

// reachServer finds the server that runs with the configuration at path; the error is
// errNoServer, wrapped, when there is none that we may control.
func reachServer(path string) (*remote, error) {
	if path == "" {
		path = defaultConfig
	}
	sockets, err := controlSockets(path)
	if err != nil {
		return nil, err
	}
	for _, at := range sockets {
		info, err := os.Lstat(at)
		if err != nil || !ours(info) && os.Geteuid() != 0 {
			continue
		}
		c, err := net.DialTimeout("unix", at, dialTimeout)
		if err != nil {
			continue // a killed server left it
		}
		_ = c.Close()
		return &remote{&http.Client{Transport: &http.Transport{
			DisableKeepAlives: true,
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return (&net.Dialer{Timeout: dialTimeout}).DialContext(ctx, "unix", at)
			},
		}}}, nil
	}
	return nil, fmt.Errorf("%s: %w", path, errNoServer)
}

// How long a server may take to answer.
const (
	// listTime is for what it has at hand.
	listTime = 5 * time.Second
	// changeTime is for starting plugins, which have a minute and more each, behind
	// another change that is on its way.
	changeTime = 5 * time.Minute
)

// maxControlAnswer is far above the states of all plugins that a machine can run.
const maxControlAnswer = 16 << 20

// call asks the server, and reads its answer into out. A failure that the server
// reports is a *remoteFailure; one that does not answer within limit is an error, too.
func (r *remote) call(ctx context.Context, limit time.Duration, method, path string, out any) error {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("it did not answer within %s: it is stopped or overloaded; its log says more", limit))
	defer cancel()
	err := r.exchange(ctx, method, path, out)
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("ask the server: %w", context.Cause(ctx))
	}
	return err
}

func (r *remote) exchange(ctx context.Context, method, path string, out any) error {
	req, err := http.NewRequestWithContext(ctx, method, "http://querent"+path, nil)
	if err != nil {
		return fmt.Errorf("ask the server: %w", err)
	}
	res, err := r.client.Do(req)
	if err != nil {
		return fmt.Errorf("ask the server: %w", err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxControlAnswer))
	if err != nil {
		return fmt.Errorf("read the server's answer: %w", err)
	}
	if res.StatusCode == http.StatusOK {
		return json.Unmarshal(text, out)
	}
	failed := &remoteFailure{}
	if err := json.Unmarshal(text, &failed.report); err != nil {
		return fmt.Errorf("the server answers with status %d, which this program does not understand", res.StatusCode)
	}
	return failed
}

// remoteFailure is what went wrong in the server, as it reports it.
type remoteFailure struct{ report failureReport }

// Error implements error.
func (f *remoteFailure) Error() string { return f.report.Error.Message }

// remotely reports a failure of the server as if it were this program's.
func (a *app) remotely(err error) error {
	var failed *remoteFailure
	if !errors.As(err, &failed) {
		return err
	}
	fmt.Fprintf(a.stderr, "querent: %s\n", strings.ReplaceAll(strings.TrimSpace(failed.Error()), "\n", "\n  "))
	if a.output == outputJSON {
		if err := a.writeJSON(failed.report); err != nil {
			return err
		}
	}
	return exitCode(failed.report.Exit)
}

// reloadServer makes the running server take its configuration over anew.
func (a *app) reloadServer(ctx context.Context, path string) error {
	server, err := reachServer(path)
	if err != nil {
		return usage("%v: start one with querent serve, or set %s as the server has it", err, runtimeDirVariable)
	}
	var done reloaded
	if err := server.call(ctx, changeTime, http.MethodPost, controlReload, &done); err != nil {
		return a.remotely(err)
	}
	if a.output == outputJSON {
		return a.writeJSON(done)
	}
	_, err = fmt.Fprintf(a.stdout, "Reloaded in %d ms: configuration %d takes new questions; those on their way end under the one before.\n", done.MS, done.Configuration)
	for _, p := range done.Plugins {
		if err == nil {
			_, err = fmt.Fprintf(a.stdout, "  %s: %s, %s\n", p.Provider, p.Plugin, stateText(p.State))
		}
	}
	for _, setting := range done.NeedsRestart {
		fmt.Fprintf(a.stderr, "querent: warning: %s changed, which acts only after a restart\n", setting)
	}
	return err
}

// resetPlugin makes the running server start a provider's plugin anew that has failed.
func (a *app) resetPlugin(ctx context.Context, path, provider string) error {
	server, err := reachServer(path)
	if err != nil {
		return usage("%v: there is nothing to reset", err)
	}
	var done livePlugin
	if err := server.call(ctx, changeTime, http.MethodPost, controlReset+"?"+url.Values{"provider": {provider}}.Encode(), &done); err != nil {
		return a.remotely(err)
	}
	if a.output == outputJSON {
		return a.writeJSON(done)
	}
	_, err = fmt.Fprintf(a.stdout, "%s: %s\n", done.Provider, stateText(done.State))
	return err
}

// livePlugins are those of the running server, by provider; none without a server.
func livePlugins(ctx context.Context, path string) (map[config.ProviderName]livePlugin, error) {
	server, err := reachServer(path)
	if errors.Is(err, errNoServer) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []livePlugin
	if err := server.call(ctx, listTime, http.MethodGet, controlPlugins, &list); err != nil {
		return nil, err
	}
	out := map[config.ProviderName]livePlugin{}
	for _, p := range list {
		out[p.Provider] = p
	}
	return out, nil
}

// stateText is a state in words.
func stateText(s pluginhost.State) string {
	text := fmt.Sprintf("%s, process %d (%d restarts)", s.Name, s.Generation, s.Restarts)
	if s.Generation == 0 {
		text = string(s.Name)
	}
	if !s.NextRetry.IsZero() {
		text += ", next try at " + s.NextRetry.Format("15:04:05")
	}
	if s.LastError != "" {
		text += "; last error: " + s.LastError
	}
	return text
}

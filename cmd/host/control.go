package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pluginhost"
)

// The paths of the control socket. What it speaks is HTTP with JSON; it is between
// programs of one version.
const (
	controlPlugins = "/plugins"
	controlReload  = "/reload"
	controlReset   = "/reset"
)

// livePlugin is a provider's plugin as a running server has it.
type livePlugin struct {
	Provider config.ProviderName `json:"provider"`
	Plugin   config.PluginName   `json:"plugin"`
	State    pluginhost.State    `json:"state"`
	Running  int                 `json:"calls_in_flight"`
	Waiting  int                 `json:"calls_waiting"`
}

// plugins are those of the configuration that acts.
func (o *operation) plugins() []livePlugin {
	now := o.board.live()
	out := []livePlugin{}
	for _, p := range now.Plugins {
		l := livePlugin{Provider: p.Provider, Plugin: p.Plugin, State: p.State}
		for _, s := range now.Providers {
			if s.Provider == p.Provider {
				l.Running, l.Waiting = s.Running, s.Waiting // the same for all models of a provider
			}
		}
		out = append(out, l)
	}
	return out
}

// controlHandler answers the commands of querent plugins.
func (o *operation) controlHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+controlPlugins, func(w http.ResponseWriter, r *http.Request) {
		o.answer(w, r, o.plugins(), nil)
	})
	mux.HandleFunc("POST "+controlReload, func(w http.ResponseWriter, r *http.Request) {
		patiently(w)
		done, err := o.reload(r.Context(), "command")
		o.answer(w, r, done, err)
	})
	mux.HandleFunc("POST "+controlReset, func(w http.ResponseWriter, r *http.Request) {
		patiently(w)
		done, err := o.reset(r.Context(), config.ProviderName(r.URL.Query().Get("provider")))
		o.answer(w, r, done, err)
	})
	return mux
}

// patiently ends the limits of a request: what follows takes as long as plugins take.
func patiently(w http.ResponseWriter) {
	c := http.NewResponseController(w)
	_, _ = c.SetReadDeadline(time.Time{}), c.SetWriteDeadline(time.Time{}) // else the limits stay short
}

func (o *operation) answer(w http.ResponseWriter, r *http.Request, done any, err error) {
	w.Header().Set("Content-Type", "application/json")
	if err != nil {
		w.WriteHeader(http.StatusUnprocessableEntity)
		done = failedBy(o.app.codeOf(r.Context(), err), o.app.guard.text(err.Error()), err)
	}
	if err := json.NewEncoder(w).Encode(done); err != nil {
		o.logger.Debug("an answer over the control socket broke off", "error", err)
	}
}

// reset starts a provider's plugin that has failed, or waits to be restarted.
func (o *operation) reset(ctx context.Context, name config.ProviderName) (livePlugin, error) {
	g, leave := o.board.enter()
	defer leave()
	set := g.host.providers.set
	if there := set.Providers(); !slices.Contains(there, name) {
		return livePlugin{}, usage("the server runs no plugin of a provider %q; it runs those of %s", name, strings.Trim(fmt.Sprint(there), "[]"))
	}
	instance, err := set.Instance(name)
	if err != nil { // it never started
		if err := o.tryAbsent(ctx); err != nil {
			return livePlugin{}, err
		}
		if err := o.board.acting().host.providers.set.Err(name); err != nil {
			return livePlugin{}, err
		}
	} else if err := instance.Reset(ctx); err != nil {
		return livePlugin{}, err
	}
	for _, p := range o.plugins() {
		if p.Provider == name {
			return p, nil
		}
	}
	return livePlugin{}, errors.New("the configuration changed meanwhile, and has no such provider any more")
}

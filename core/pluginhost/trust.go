package pluginhost

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"

	"querent.dev/querent/core/pluginhost/confine"
	"querent.dev/querent/sdk"
)

// trusted refuses what may not run at all, and warns of what runs unchecked.
func (h *Host) trusted(s Spec) error {
	if !h.opts.Compliance {
		return nil
	}
	switch {
	case h.opts.Lock == nil || !h.opts.Lock.required:
		return s.misconfigured("compliance mode runs locked plugins only: set plugin_lock.mode to require, and run querent plugins lock")
	case s.DevOverride:
		return s.misconfigured("compliance mode runs no dev override: take out " + s.setting("dev_override"))
	case s.Reattach != nil:
		return s.misconfigured("compliance mode uses no plugin that the host did not start: take out " + s.setting("reattach") + " and " + ReattachVariable(s.Plugin))
	case !s.TLS:
		return s.misconfigured("compliance mode encrypts every connection: take out " + s.setting("tls") + ", or use a plugin that can encrypt")
	case !s.offline() && confine.Missing(Confinement{Network: confine.NetworkNone}) == nil:
		return s.misconfigured("compliance mode gives no plugin the network where that can be taken away, as here: set " + s.setting("network") + " to none")
	}
	return nil
}

// offline reports whether the plugin runs without the network.
func (s Spec) offline() bool { return s.Confine != nil && s.Confine.Network == confine.NetworkNone }

// permitted refuses a plugin by what it says that it offers.
func (g *generation) permitted() error {
	if g.opts.Compliance && slices.Contains(g.description.Services, sdk.ServiceModel) {
		return g.spec.misconfigured(fmt.Sprintf("compliance mode uses no model, and the plugin offers one: bind every agent to a provider of a plugin that has none, as template, and take out providers.%s", g.spec.Provider))
	}
	return nil
}

// confinement is what changes the command of a plugin that is to be confined, nil
// for one that is not.
func (h *Host) confinement(s Spec) func(cmd *exec.Cmd, own string) (func(error) error, error) {
	if s.Confine == nil {
		return nil
	}
	return func(cmd *exec.Cmd, own string) (func(error) error, error) {
		started, err := h.opts.Confine(cmd, *s.Confine, own)
		if err != nil {
			return nil, &confineError{err}
		}
		return func(start error) error { return unconfined(started(start)) }, nil
	}
}

// unconfined makes a confineError of what went wrong before the executable was
// reached.
func unconfined(err error) error {
	var reached *confine.ExecError
	if err == nil || errors.As(err, &reached) {
		return err
	}
	return &confineError{err}
}

// confineError is the error of a plugin that was to be confined and cannot be.
type confineError struct{ cause error }

func (e *confineError) Error() string { return e.cause.Error() }

func (e *confineError) Unwrap() error { return e.cause }

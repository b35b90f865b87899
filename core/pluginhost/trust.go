package pluginhost

import (
	"fmt"
	"os/exec"
	"slices"

	"querent.dev/querent/sdk"
)

// trusted refuses what may not run at all, and warns of what runs unchecked.
func (h *Host) trusted(s Spec) error {
	if s.Confine != nil && h.opts.Confine == nil {
		return s.misconfigured(fmt.Sprintf("the plugin is to be confined, and this host cannot confine it; run it on Linux, or take out %s", s.setting("network")))
	}
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
	}
	return nil
}

// permitted refuses a plugin by what it says that it offers.
func (g *generation) permitted() error {
	if g.opts.Compliance && slices.Contains(g.description.Services, sdk.ServiceModel) {
		return g.spec.misconfigured(fmt.Sprintf("compliance mode uses no model, and the plugin offers one: bind every agent to a provider of a plugin that has none, as template, and take out providers.%s", g.spec.Provider))
	}
	return nil
}

// confinement is what changes the command of a plugin that is to be confined, nil
// for one that is not.
func (h *Host) confinement(s Spec) (func(*exec.Cmd) (func(), error), error) {
	if s.Confine == nil {
		return nil, nil
	}
	if h.opts.Confine == nil {
		return nil, h.trusted(s)
	}
	return func(cmd *exec.Cmd) (func(), error) {
		started, err := h.opts.Confine(cmd, *s.Confine)
		if err != nil {
			return nil, &confineError{err}
		}
		return started, nil
	}, nil
}

// confineError is the error of a plugin that was to be confined and cannot be.
type confineError struct{ cause error }

func (e *confineError) Error() string { return e.cause.Error() }

func (e *confineError) Unwrap() error { return e.cause }

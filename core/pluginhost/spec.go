package pluginhost

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pluginhost/confine"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// Spec is a provider's plugin as the configuration has it.
type Spec struct {
	Provider config.ProviderName
	Plugin   config.PluginName
	// Path is the executable.
	Path string
	// DevOverride says that Path is what a developer wants to run instead of what is
	// installed: it is not checked against the lock file, and every start warns.
	DevOverride bool
	// Reattach is a plugin that somebody runs already, in a debugger for example,
	// which then takes the place of a process of the host's own. When it is not there,
	// Path is run, with a warning.
	Reattach *config.Reattach
	// Env are further variables, NAME=VALUE, beside the documented defaults. A
	// later one wins over an earlier one and over the defaults. Secrets belong
	// into Settings.
	Env []string
	// TLS is AutoMTLS. Turn it off only for a plugin whose language cannot.
	TLS bool
	// Confine is what the plugin may not do; nil: it may do what the host may.
	Confine *Confinement
	// Settings is the provider's configuration with secrets resolved, a JSON
	// object. It is checked against the plugin's own schema.
	Settings json.RawMessage
	// ReadFile reads a file that a setting names. nil: settings name no files.
	ReadFile func(name string) ([]byte, error)
	// Probe shows that the plugin does what the configuration wants of it, beside
	// being healthy: an instance is ready only once it has returned nil. It is called
	// for each process, and once more for each set that takes up one that runs. nil:
	// being healthy is enough.
	Probe func(context.Context, Services) error

	// inProcess runs the plugin in this process instead. Tests alone set it.
	inProcess func() carrier
}

// Services are what a plugin offers; nil is what it does not.
type Services struct {
	Model       sdk.Model
	Planner     sdk.Planner
	Synthesizer sdk.Synthesizer
}

// Confinement is what a plugin may not do. Its connection to the host is left to it.
type Confinement = confine.Rules

// check refuses what no plugin could be started with.
func (s Spec) check() error {
	switch {
	case s.Provider == "" || s.Plugin == "":
		return s.misconfigured("a provider and a plugin must be named")
	case s.Path == "":
		return s.misconfigured("the path of the plugin's executable is empty")
	}
	if s.Reattach != nil {
		if err := checkReattach(s.Reattach); err != nil {
			return s.misconfigured(fmt.Sprintf("%s, or %s, cannot be used: %v", s.setting("reattach"), ReattachVariable(s.Plugin), err))
		}
	}
	for _, variable := range s.Env {
		if name, _, ok := strings.Cut(variable, "="); !ok || name == "" {
			// The text may be a secret: it is not repeated.
			return s.misconfigured("a variable of the plugin's environment is not of the form NAME=VALUE")
		}
	}
	return nil
}

// pathSetting is what an operator changes to run another executable.
func (s Spec) pathSetting() string {
	if s.DevOverride {
		return s.setting("dev_override") + " to the executable, or take it out"
	}
	return "plugin_dir to the folder that holds it"
}

// setting names a setting of the plugin, as it stands in a configuration.
func (s Spec) setting(name string) string { return fmt.Sprintf("plugins.%s.%s", s.Plugin, name) }

// misconfigured is the error of something that the operator must set right. The
// message is of our own words, so it may be shown.
func (s Spec) misconfigured(message string) *reason.Error {
	message = s.prefix() + message
	return s.evidence(reason.Provider(reason.Misconfigured, "%s", message).WithSafe("%s", message))
}

// untrusted is the error of a plugin that may not run as it is. cause is the
// operator's: it names paths and sums of the host. The asker is told asker and next.
func (s Spec) untrusted(cause error, asker, next string) *reason.Error {
	return s.evidence(reason.Provider(reason.Misconfigured, s.escapedPrefix()+"%w", &UntrustedError{cause})).
		WithSafe("Provider %q: %s", s.Provider, asker).WithNext("%s", next)
}

// UntrustedError is why a plugin may not run as it is, in the host's own words, for
// the operator. The error around it has other words for the asker.
type UntrustedError struct{ cause error }

// Error implements error.
func (e *UntrustedError) Error() string { return e.cause.Error() }

// Unwrap is the cause.
func (e *UntrustedError) Unwrap() error { return e.cause }

// unavailable is the error of a plugin that does not run. Its message may hold
// the plugin's own words.
func (s Spec) unavailable(format string, args ...any) *reason.Error {
	return s.failed(reason.Unavailable, format, args...)
}

func (s Spec) failed(kind reason.Kind, format string, args ...any) *reason.Error {
	return s.evidence(reason.Provider(kind, s.escapedPrefix()+format, args...))
}

func (s Spec) evidence(e *reason.Error) *reason.Error {
	return e.WithEvidence("provider", string(s.Provider)).WithEvidence("plugin", string(s.Plugin))
}

func (s Spec) prefix() string {
	return fmt.Sprintf("provider %q, plugin %q: ", s.Provider, s.Plugin)
}

func (s Spec) escapedPrefix() string { return strings.ReplaceAll(s.prefix(), "%", "%%") }

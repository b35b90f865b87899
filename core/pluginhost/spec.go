package pluginhost

import (
	"encoding/json"
	"fmt"
	"strings"

	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk/reason"
)

// Spec is a provider's plugin as the configuration has it.
type Spec struct {
	Provider config.ProviderName
	Plugin   config.PluginName
	// Path is the executable.
	Path string
	// Env are further variables, NAME=VALUE, beside the documented defaults. A
	// later one wins over an earlier one and over the defaults. Secrets belong
	// into Settings.
	Env []string
	// TLS is AutoMTLS. Turn it off only for a plugin whose language cannot.
	TLS bool
	// Settings is the provider's configuration with secrets resolved, a JSON
	// object. It is checked against the plugin's own schema.
	Settings json.RawMessage
	// ReadFile reads a file that a setting names. nil: settings name no files.
	ReadFile func(name string) ([]byte, error)
}

// check refuses what no plugin could be started with.
func (s Spec) check() error {
	switch {
	case s.Provider == "" || s.Plugin == "":
		return s.misconfigured("a provider and a plugin must be named")
	case s.Path == "":
		return s.misconfigured("the path of the plugin's executable is empty")
	}
	for _, variable := range s.Env {
		if name, _, ok := strings.Cut(variable, "="); !ok || name == "" {
			// The text may be a secret: it is not repeated.
			return s.misconfigured("a variable of the plugin's environment is not of the form NAME=VALUE")
		}
	}
	return nil
}

// misconfigured is the error of something that the operator must set right. The
// message is of our own words, so it may be shown.
func (s Spec) misconfigured(message string) *reason.Error {
	message = s.prefix() + message
	return s.evidence(reason.Provider(reason.Misconfigured, "%s", message).WithSafe("%s", message))
}

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

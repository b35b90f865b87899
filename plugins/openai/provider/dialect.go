package provider

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"querent.dev/querent/sdk"
)

// outputForm is a way to ask a server for output of a given form.
type outputForm string

// The forms. They double as keys of what a model is known to refuse.
const (
	formSchema      outputForm = "json_schema, strict"
	formLooseSchema outputForm = "json_schema"
	formJSON        outputForm = "json_object"
	formTool        outputForm = "tool"
	formText        outputForm = "text"
)

// formsOf is the forms that do what an output mode asks for, the strictest first.
// When the server takes none of them, the host chooses another mode.
func formsOf(mode sdk.OutputMode) []outputForm {
	switch mode {
	case sdk.OutputSchema:
		return []outputForm{formSchema, formLooseSchema}
	case sdk.OutputJSON:
		return []outputForm{formJSON}
	case sdk.OutputTool:
		return []outputForm{formTool}
	}
	return []outputForm{formText}
}

// modesOf is the output modes of a model whose settings name the strictest output;
// nil when they name none.
func modesOf(output string) []sdk.OutputMode {
	switch output {
	case "json_schema":
		return []sdk.OutputMode{sdk.OutputSchema, sdk.OutputJSON, sdk.OutputTool, sdk.OutputText}
	case "json_object":
		return []sdk.OutputMode{sdk.OutputJSON, sdk.OutputTool, sdk.OutputText}
	case "tool":
		return []sdk.OutputMode{sdk.OutputTool, sdk.OutputText}
	case "text":
		return []sdk.OutputMode{sdk.OutputText}
	}
	return nil
}

// The fields that limit an answer's length.
const (
	fieldMaxTokens           = "max_tokens"
	fieldMaxCompletionTokens = "max_completion_tokens"
)

// dialect is what is known of how a model may be asked.
type dialect struct {
	tokenFields []string        // in the order of preference
	refused     map[string]bool // request fields and output forms
	// streamsUsage is whether streamed answers tell their usage: "true", "false", or
	// empty when none has come yet.
	streamsUsage string
}

func (d dialect) tokenField() string {
	for _, f := range d.tokenFields {
		if !d.refused[f] {
			return f
		}
	}
	return ""
}

// form is the form to ask for: the strictest that was not refused, and the last of
// all when they were. Servers are changed, and the host remembers for a while.
func (d dialect) form(mode sdk.OutputMode) outputForm {
	forms := formsOf(mode)
	for _, f := range forms {
		if !d.refused[string(f)] {
			return f
		}
	}
	return forms[len(forms)-1]
}

// refuses reports whether the server has refused every form of a mode.
func (d dialect) refuses(mode sdk.OutputMode) bool {
	return !slices.ContainsFunc(formsOf(mode), func(f outputForm) bool { return !d.refused[string(f)] })
}

// dialects remembers, per model, what the server refused, so that it is asked
// wrongly once only. It may be used concurrently.
type dialects struct {
	tokenFields []string

	mu      sync.Mutex
	byModel map[string]dialect
}

func newDialects(cfg *config) *dialects {
	d := &dialects{tokenFields: []string{fieldMaxTokens, fieldMaxCompletionTokens}, byModel: map[string]dialect{}}
	if cfg.azure() || strings.HasPrefix(cfg.BaseURL, openAIURL) {
		// OpenAI's newer models refuse max_tokens; many compatible servers silently
		// ignore max_completion_tokens, and would then answer without a limit.
		d.tokenFields = []string{fieldMaxCompletionTokens, fieldMaxTokens}
	}
	for model, s := range cfg.Models {
		d.byModel[model] = d.configured(s)
	}
	return d
}

func (d *dialects) configured(s modelSettings) dialect {
	out := dialect{tokenFields: d.tokenFields, refused: map[string]bool{}}
	switch s.TokenLimit {
	case fieldMaxTokens, fieldMaxCompletionTokens:
		out.tokenFields = []string{s.TokenLimit}
	case "none":
		out.tokenFields = nil
	}
	if s.Temperature == "fixed" {
		out.refused["temperature"] = true
	}
	return out
}

// of is what is known of a model; the caller may keep it.
func (d *dialects) of(model string) dialect {
	d.mu.Lock()
	defer d.mu.Unlock()
	known := d.known(model)
	known.refused = maps.Clone(known.refused)
	return known
}

// known is what is known of a model, under the lock.
func (d *dialects) known(model string) dialect {
	if known, ok := d.byModel[model]; ok {
		return known
	}
	return dialect{tokenFields: d.tokenFields, refused: map[string]bool{}}
}

// refuse remembers that a model does not take a request field or an output form.
func (d *dialects) refuse(model, what string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	known := d.known(model)
	known.refused[what] = true
	d.byModel[model] = known
}

// streamed remembers whether a streamed answer of a model told its usage.
func (d *dialects) streamed(model string, usage bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	known := d.known(model)
	known.streamsUsage = "false"
	if usage {
		known.streamsUsage = "true"
	}
	d.byModel[model] = known
}

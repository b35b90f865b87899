package provider

import (
	"maps"
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

// ladder is the forms to try for an output mode, the strictest first. The last
// is never refused: the wanted form then stands in the prompt alone.
func ladder(mode sdk.OutputMode) []outputForm {
	switch mode {
	case sdk.OutputSchema:
		return []outputForm{formSchema, formLooseSchema, formJSON, formTool, formText}
	case sdk.OutputJSON:
		return []outputForm{formJSON, formText}
	case sdk.OutputTool:
		return []outputForm{formTool, formText}
	}
	return []outputForm{formText}
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
}

func (d dialect) tokenField() string {
	for _, f := range d.tokenFields {
		if !d.refused[f] {
			return f
		}
	}
	return ""
}

func (d dialect) form(mode sdk.OutputMode) outputForm {
	forms := ladder(mode)
	for _, f := range forms {
		if !d.refused[string(f)] {
			return f
		}
	}
	return forms[len(forms)-1]
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
	for _, f := range ladder(sdk.OutputSchema) {
		if strings.HasPrefix(string(f), s.Output) { // also when nothing is said
			break
		}
		out.refused[string(f)] = true
	}
	return out
}

// of is what is known of a model; the caller may keep it.
func (d *dialects) of(model string) dialect {
	d.mu.Lock()
	defer d.mu.Unlock()
	known, ok := d.byModel[model]
	if !ok {
		return dialect{tokenFields: d.tokenFields, refused: map[string]bool{}}
	}
	return dialect{tokenFields: known.tokenFields, refused: maps.Clone(known.refused)}
}

// refuse remembers that a model does not take a request field or an output form.
func (d *dialects) refuse(model, what string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	known, ok := d.byModel[model]
	if !ok {
		known = dialect{tokenFields: d.tokenFields, refused: map[string]bool{}}
		d.byModel[model] = known
	}
	known.refused[what] = true
}

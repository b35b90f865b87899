package provider

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"querent.dev/querent/plugins/internal/modelhttp"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// mostNegotiations bounds the requests of one call. Each one that is refused
// teaches something new, and there is not more than this to learn.
const mostNegotiations = 16

// attempt sends a request and reads its answer. A response with an error status
// shows in the exchange; the error is then of no account.
type attempt func(*chatRequest) (*modelhttp.Exchange, error)

// negotiate sends r, and again without what the server refused by name: each
// setting once, remembered for the model. Nothing else is repeated; that is the
// host's to decide, as is another output mode.
func (c *client) negotiate(r sdk.GenerateRequest, stream bool, send attempt) error {
	for range mostNegotiations {
		req, err := c.build(r, stream)
		if err != nil {
			return err
		}
		x, err := send(req)
		if !x.Failed() {
			return err
		}
		f := readFailure(x.ErrorBody)
		f.status = x.Status
		what := req.refusedBy(f)
		if what != "" {
			c.dialects.refuse(r.Model, what)
		}
		switch {
		case what == string(req.form) && c.dialects.of(r.Model).refuses(r.OutputMode):
			return c.unsupportedMode(r.OutputMode, f, x)
		case what == "":
			e := c.serverFailure(f, x)
			if e.Kind == reason.InvalidRequest {
				e.Setting = settingOf(f.param)
			}
			return e
		}
	}
	return sdk.Errorf(reason.InvalidRequest, "the server refused every form of the request for model %q", r.Model)
}

// unsupportedMode is the error of a server that takes no form of an output mode.
func (c *client) unsupportedMode(mode sdk.OutputMode, f failure, x *modelhttp.Exchange) *sdk.Error {
	e := c.serverFailure(f, x)
	e.Kind, e.Setting = reason.InvalidRequest, sdk.SettingOutputMode
	e.Message = "the server does not take output mode " + string(mode) + " for this model: " + e.Message
	return e
}

// settingOf is the host's name of a field that the server has named, or "".
func settingOf(field string) string {
	switch field = topOf(field); field {
	case fieldMaxTokens, fieldMaxCompletionTokens:
		return sdk.SettingMaxOutputTokens
	case "response_format", "tools", "tool_choice":
		return sdk.SettingOutputMode
	case "chat_template_kwargs":
		return sdk.SettingThinking
	case "temperature", "seed", "stop", "top_p", "presence_penalty", "frequency_penalty", "reasoning_effort", "verbosity", "service_tier":
		return field
	}
	return ""
}

// topOf is the field of the request in which a parameter such as
// response_format.json_schema lies.
func topOf(param string) string {
	if i := strings.IndexAny(param, ".["); i >= 0 {
		return param[:i]
	}
	return param
}

// formWords are how servers name the way in which output was asked for.
var formWords = []string{
	"response_format", "response format", "json_schema", "json_object", "JSON schema", "grammar",
	"tools", "tool_choice", "tool use", "structured output", "structured_outputs",
}

// saysUnsupported matches the refusal of a setting itself, rather than of its
// value ("max_tokens is too large" must not drop the limit).
var saysUnsupported = regexp.MustCompile(`(?i)unsupported|not supported|n[o']t support|unrecognized|unknown|unexpected|not permitted|not allowed|extra (input|field)|unavailable|only the default`)

// refusedBy is the field or the output form that the server does not take
// according to f, or "".
func (q *chatRequest) refusedBy(f failure) string {
	// OpenRouter answers 404 when no server behind it supports what is asked for.
	if f.status != 400 && f.status != 422 && f.status != 404 || f.kind() != reason.InvalidRequest {
		return ""
	}
	if q.form != formText && (q.names(f, formWords) != "") {
		return string(q.form)
	}
	if !saysUnsupported.MatchString(f.said()) {
		return ""
	}
	return q.names(f, q.negotiable())
}

// negotiable is the fields of the request that it can do without.
func (q *chatRequest) negotiable() []string {
	var out []string
	for _, field := range sortedKeys(q.fields) {
		switch field {
		case "model", "messages", "stream", "response_format", "tools", "tool_choice":
		default:
			out = append(out, field)
		}
	}
	return out
}

// names is the word that f speaks of: the parameter that it names as such, else
// the one that its text mentions first.
func (q *chatRequest) names(f failure, words []string) string {
	if f.param != "" {
		top := topOf(f.param)
		if slices.Contains(words, top) {
			return top
		}
		return ""
	}
	found, at := "", -1
	for _, w := range words {
		i := indexWord(f.text(), w)
		if i >= 0 && (at < 0 || i < at) {
			found, at = w, i
		}
	}
	return found
}

// indexWord finds word in text where it is no part of a longer name.
func indexWord(text, word string) int {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return -1
		}
		i += from
		end := i + len(word)
		if (i == 0 || !nameByte(text[i-1])) && (end == len(text) || !nameByte(text[end])) {
			return i
		}
		from = end
	}
}

func nameByte(b byte) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

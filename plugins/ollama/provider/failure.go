package provider

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"

	"querent.dev/querent/plugins/internal/modelhttp"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// The server's own words, of the versions 0.5 to 0.33.
var (
	saysContext = regexp.MustCompile(`(?i)exceed.{0,30}context|context (length|size|window)`)
	saysModel   = regexp.MustCompile(`(?i)model .{0,200}not found|manifest: file does not exist|invalid model name`)
	saysRequest = regexp.MustCompile(`(?i)in format|invalid format|grammar|does not support|not supported for this model|is required`)
	saysMemory  = regexp.MustCompile(`(?i)requires more system memory|out of memory|unable to allocate|insufficient memory`)
	saysBusy    = regexp.MustCompile(`(?i)server busy|maximum pending requests`)
	saysAuth    = regexp.MustCompile(`(?i)unauthorized`)
)

// wordsLimit bounds what is searched for words.
const wordsLimit = 4 << 10

// spokenKind classifies an error by its words, or is otherwise.
func spokenKind(said string, otherwise reason.Kind) reason.Kind {
	said = said[:min(len(said), wordsLimit)]
	switch {
	case saysModel.MatchString(said):
		return reason.ModelNotFound
	case saysRequest.MatchString(said):
		return reason.InvalidRequest
	case saysContext.MatchString(said):
		return reason.ContextOverflow
	case saysMemory.MatchString(said):
		return reason.Misconfigured
	case saysBusy.MatchString(said):
		return reason.Overloaded
	case saysAuth.MatchString(said):
		return reason.AuthFailed
	}
	return otherwise
}

// statusKind classifies a response by its status, and by its words where the
// status says little.
func statusKind(status int, said string) reason.Kind {
	switch status {
	case http.StatusUnauthorized:
		return reason.AuthFailed
	case http.StatusForbidden:
		return reason.PermissionDenied
	case http.StatusNotFound:
		if saysModel.MatchString(said) {
			return reason.ModelNotFound
		}
		return reason.Misconfigured
	case http.StatusMethodNotAllowed, http.StatusProxyAuthRequired, http.StatusUnsupportedMediaType:
		return reason.Misconfigured
	case http.StatusRequestEntityTooLarge:
		return reason.ContextOverflow
	case http.StatusTooManyRequests:
		return reason.RateLimited
	case http.StatusServiceUnavailable:
		return reason.Overloaded
	}
	switch {
	case status < 400:
		return reason.Misconfigured
	case status < 500 && status != http.StatusRequestTimeout && status != 499: // 499: the server saw its client leave
		return spokenKind(said, reason.InvalidRequest)
	}
	return spokenKind(said, reason.Unavailable)
}

// failure is the error of a call to the server that did not succeed. The vendor's
// err counts only where no status tells more: it is nil after a cut connection, a
// line that is too long and an ended context.
func (c *client) failure(ctx context.Context, doing, model string, x *modelhttp.Exchange, err error) *sdk.Error {
	var (
		e      *sdk.Error
		syntax *json.SyntaxError
		shape  *json.UnmarshalTypeError
	)
	if x.Status != 0 && !x.Failed() {
		e = x.Broken(ctx, doing, "correct url, which must be the root of an Ollama server", nil)
	}
	switch {
	case e != nil:
	case x.Failed():
		e = c.refusal(model, x)
	case x.Status == 0:
		e = modelhttp.NetworkFailure(ctx, doing, err)
		e.Message = c.redact.Redact(e.Message)
	case err == nil:
		e = sdk.Errorf(reason.Incomplete, "the server ended the answer without saying that it is done")
	case errors.As(err, &syntax), errors.As(err, &shape):
		e = sdk.Errorf(reason.InvalidOutput, "the server's answer (%q) cannot be read: %w", x.MediaType, err)
	default:
		kind := spokenKind(err.Error(), reason.Unavailable)
		e = sdk.Errorf(kind, "the server sent an error in its answer: %s%s", c.redact.Excerpt(err.Error()), hint(kind, model, err.Error()))
	}
	e.Status, e.RetryAfter, e.ProviderRequestID = x.Status, x.RetryAfter, x.RequestID
	return e
}

// refusal is the error of a response that is no success.
func (c *client) refusal(model string, x *modelhttp.Exchange) *sdk.Error {
	text := errorText(x.ErrorBody)
	kind := statusKind(x.Status, text)
	more := hint(kind, model, text)
	if kind == reason.Misconfigured && (x.Status == http.StatusNotFound || x.Status < 400) {
		more = "; correct url, which must be the root of an Ollama server"
	}
	return sdk.Errorf(kind, "the server answered with status %d; %s%s", x.Status, x.Said(c.redact, text), more)
}

// errorText is the server's explanation: Ollama's {"error": "…"}, or the text.
func errorText(body []byte) string {
	var doc struct {
		Error string `json:"error"`
	}
	if json.Unmarshal(body, &doc) == nil && doc.Error != "" {
		return doc.Error
	}
	return string(body)
}

// hint says what the operator can do, where the kind alone does not.
func hint(kind reason.Kind, model, said string) string {
	switch {
	case kind == reason.ModelNotFound:
		return "; fetch it with querent doctor --pull, or with ollama pull " + model
	case kind == reason.Misconfigured && saysMemory.MatchString(said):
		return "; choose a smaller model or a smaller num_ctx"
	case kind == reason.AuthFailed:
		return "; correct api_key"
	}
	return ""
}

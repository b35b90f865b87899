package provider

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"

	"querent.dev/querent/plugins/internal/modelhttp"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// failure is an error as a server words it, in any of the shapes in use.
type failure struct {
	status  int
	code    string // also the type, where there is no code
	param   string
	message string
	body    string // all of it, for servers that say it elsewhere
}

// wordsLimit bounds what is searched for words: the reason stands at the
// beginning, and a proxy's page may be long.
const wordsLimit = 4 << 10

// text is where the server may name a parameter.
func (f failure) text() string {
	text := f.message
	if text == "" {
		text = f.body
	}
	return text[:min(len(text), wordsLimit)]
}

// said is all of the server's words that classify the failure.
func (f failure) said() string { return f.code[:min(len(f.code), wordsLimit)] + " " + f.text() }

// readFailure reads an error body: OpenAI's object, a plain string under "error",
// a message at the top (Mistral, vLLM before 0.10), FastAPI's "detail", a list of
// one (Gemini). What is no JSON is kept as text.
func readFailure(body []byte) failure {
	f := failure{body: string(body)}
	var doc any
	if json.Unmarshal(body, &doc) != nil {
		return f
	}
	if list, ok := doc.([]any); ok && len(list) > 0 {
		doc = list[0]
	}
	top, ok := doc.(map[string]any)
	if !ok {
		return f
	}
	switch e := top["error"].(type) {
	case string:
		f.message = e
	case map[string]any:
		top = e
	}
	f.code, f.param = word(top["code"]), word(top["param"])
	if n, err := strconv.Atoi(f.code); f.code == "" || err == nil {
		if n >= 400 && n < 600 {
			f.status = n // a status in the body counts where the real one is 200
		}
		f.code = word(top["type"])
	}
	for _, key := range []string{"message", "detail", "error_description"} {
		if f.message == "" {
			f.message = word(top[key])
		}
	}
	return f
}

// word is v as text: a string as it is, anything else but null as JSON.
func word(v any) string {
	switch t := v.(type) {
	case nil:
		return ""
	case string:
		return t
	}
	b, _ := json.Marshal(v)
	return string(b)
}

var (
	saysContext = regexp.MustCompile(`(?i)context_length|context length|context window|context size|exceed_context|prompt is too long|too many tokens|input is too long|maximum.{0,20}tokens.{0,40}(prompt|input)`)
	saysQuota   = regexp.MustCompile(`(?i)insufficient_quota|exceeded your current quota|billing|insufficient[_ ](balance|credits|funds)|payment required`)
	saysFilter  = regexp.MustCompile(`(?i)content_filter|content_policy|content management policy|ResponsibleAIPolicy|data_inspection_failed`)
	saysModel   = regexp.MustCompile(`(?i)model_not_found|DeploymentNotFound|model.{0,80}(not found|does not exist|not exist|no such)|(unknown|invalid|no such) model|not a valid model|no endpoints found for`)
	saysKey     = regexp.MustCompile(`(?i)invalid_api_key|(incorrect|invalid|missing).{0,10}api key`)
	saysBusy    = regexp.MustCompile(`(?i)overload|at capacity|engine is busy|server_busy|too busy|loading model`)
	saysOutput  = regexp.MustCompile(`(?i)json_validate_failed|tool_use_failed`) // Groq: the model did not keep to the form
	// saysNoEndpoint is OpenRouter's: of all servers of the model, none supports that.
	saysNoEndpoint = regexp.MustCompile(`(?i)no endpoints found that (support|can handle)`)
	saysRate       = regexp.MustCompile(`(?i)rate.?limit|too many requests`)
)

// kind classifies f by its words where they are plain, else by its status.
func (f failure) kind() reason.Kind {
	said := f.said()
	switch f.status {
	case http.StatusUnauthorized:
		return reason.AuthFailed
	case http.StatusPaymentRequired:
		return reason.QuotaExhausted
	case http.StatusForbidden:
		return either(saysQuota.MatchString(said), reason.QuotaExhausted, reason.PermissionDenied)
	case http.StatusNotFound:
		if saysNoEndpoint.MatchString(said) {
			return reason.InvalidRequest
		}
		return either(saysModel.MatchString(said), reason.ModelNotFound, reason.Misconfigured)
	case http.StatusRequestEntityTooLarge:
		return reason.ContextOverflow
	case http.StatusTooManyRequests:
		return either(saysQuota.MatchString(said), reason.QuotaExhausted, reason.RateLimited)
	case http.StatusRequestTimeout, http.StatusGatewayTimeout:
		return reason.Unavailable
	case http.StatusServiceUnavailable, 529: // 529: "site is overloaded", of several services
		return reason.Overloaded
	case http.StatusMethodNotAllowed, http.StatusProxyAuthRequired, http.StatusUnsupportedMediaType:
		return reason.Misconfigured
	}
	if f.status >= 300 && f.status < 400 {
		return reason.Misconfigured
	}
	return f.spokenKind(said)
}

// spokenKind classifies a failure whose status says little: 400, 422, 5xx, or
// none, in the middle of a stream.
func (f failure) spokenKind(said string) reason.Kind {
	switch {
	case saysContext.MatchString(said):
		return reason.ContextOverflow
	case saysFilter.MatchString(said):
		return reason.ContentFiltered
	case saysOutput.MatchString(said):
		return reason.InvalidOutput
	case saysQuota.MatchString(said):
		return reason.QuotaExhausted
	case saysKey.MatchString(said):
		return reason.AuthFailed
	case saysModel.MatchString(said):
		return reason.ModelNotFound
	case saysBusy.MatchString(said):
		return reason.Overloaded
	case saysRate.MatchString(said):
		return reason.RateLimited
	case f.status >= 400 && f.status < 500:
		return reason.InvalidRequest
	}
	return reason.Unavailable
}

func either(yes bool, a, b reason.Kind) reason.Kind {
	if yes {
		return a
	}
	return b
}

// serverFailure is the error of a response that is no success.
func (c *client) serverFailure(f failure, x *modelhttp.Exchange) *sdk.Error {
	kind := f.kind()
	e := sdk.Errorf(kind, "the server answered with status %d; %s%s", x.Status, x.Said(c.redact, f.text()), hint(kind, x.Status))
	e.Status, e.RetryAfter, e.ProviderRequestID = x.Status, x.RetryAfter, x.RequestID
	return e
}

// hint says what the operator can do, where the kind alone does not.
func hint(kind reason.Kind, status int) string {
	switch {
	case kind == reason.Misconfigured && status < 400:
		return "; it sends the call to another address: correct base_url"
	case kind == reason.Misconfigured && status == http.StatusNotFound:
		return "; base_url probably lacks its path, such as /v1"
	case kind == reason.AuthFailed:
		return "; correct api_key"
	}
	return ""
}

// inBand is the error that a server put into an answer of status 200.
func (c *client) inBand(body []byte, x *modelhttp.Exchange) *sdk.Error {
	f := readFailure(body)
	e := sdk.Errorf(f.kind(), "the server sent an error in its answer: %s", c.redact.Excerpt(f.text()))
	e.Status, e.RetryAfter, e.ProviderRequestID = f.status, x.RetryAfter, x.RequestID
	if e.Status == 0 {
		e.Status = x.Status
	}
	return e
}

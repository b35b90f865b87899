package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"querent.dev/querent/sdk/reason"
)

// Codes of requests that never became a run. Those of runs are in sdk/reason.
const (
	codeInvalidRequest reason.Code = "INVALID_REQUEST"
	codeBusy           reason.Code = "SERVER_BUSY"
	codeStopping       reason.Code = "SERVER_STOPPING"
)

// kind is a kind of problem.
type kind struct {
	status int
	title  string
	code   reason.Code
	reason reason.Reason
}

// The kinds of problems, a closed set. The type of a problem is its reason.
var (
	invalidJSON      = kind{http.StatusBadRequest, "The body is no JSON object", codeInvalidRequest, "invalid_json"}
	unknownField     = kind{http.StatusBadRequest, "The body has a field that there is not", codeInvalidRequest, "unknown_field"}
	missingQuestion  = kind{http.StatusBadRequest, "There is no question", codeInvalidRequest, "missing_question"}
	invalidValue     = kind{http.StatusBadRequest, "A field has a value that it cannot have", codeInvalidRequest, "invalid_value"}
	unauthenticated  = kind{http.StatusUnauthorized, "No valid key", reason.CallerAuthRequired, reason.ReasonAuthContextRequired}
	notFound         = kind{http.StatusNotFound, "There is nothing here", codeInvalidRequest, "not_found"}
	methodNotAllowed = kind{http.StatusMethodNotAllowed, "The method is not supported here", codeInvalidRequest, "method_not_allowed"}
	slowBody         = kind{http.StatusRequestTimeout, "The body did not come in time", codeInvalidRequest, "slow_body"}
	bodyTooLarge     = kind{http.StatusRequestEntityTooLarge, "The body is too large", codeInvalidRequest, "body_too_large"}
	wrongMediaType   = kind{http.StatusUnsupportedMediaType, "The body is not JSON", codeInvalidRequest, "unsupported_media_type"}
	tooManyRuns      = kind{http.StatusTooManyRequests, "Too many questions at once", codeBusy, "too_many_runs"}
	internalError    = kind{http.StatusInternalServerError, "An error of the server", reason.Internal, reason.ReasonInternal}
	draining         = kind{http.StatusServiceUnavailable, "The server is stopping", codeStopping, "draining"}
)

var kinds = []kind{
	invalidJSON, unknownField, missingQuestion, invalidValue, unauthenticated, notFound, methodNotAllowed,
	slowBody, bodyTooLarge, wrongMediaType, tooManyRuns, internalError, draining,
}

// ProblemKind is what stays the same of a kind of problem.
type ProblemKind struct {
	Type   string
	Status int
	Code   reason.Code
	Reason reason.Reason
}

// ProblemKinds lists the kinds of problems that requests can end with.
func ProblemKinds() []ProblemKind {
	out := make([]ProblemKind, len(kinds))
	for i, k := range kinds {
		out[i] = ProblemKind{k.uri(), k.status, k.code, k.reason}
	}
	return out
}

func (k kind) uri() string { return "urn:querent:problem:" + string(k.reason) }

// problem is the answer to a request that never became a run.
type problem struct {
	kind
	detail     string
	allow      string        // methods, for methodNotAllowed
	retryAfter time.Duration // 0: not said
}

func problemOf(k kind, format string, args ...any) *problem {
	return &problem{kind: k, detail: fmt.Sprintf(format, args...)}
}

func (p *problem) retry(after time.Duration) *problem {
	p.retryAfter = after
	return p
}

// refuse writes a problem.
func (s *Server) refuse(w http.ResponseWriter, c *call, p *problem) {
	body, err := json.Marshal(struct {
		Type     string        `json:"type"`
		Title    string        `json:"title"`
		Status   int           `json:"status"`
		Detail   string        `json:"detail"`
		Instance string        `json:"instance"`
		Code     reason.Code   `json:"code"`
		Reason   reason.Reason `json:"reason"`
		TraceID  string        `json:"trace_id"`
	}{p.uri(), p.title, p.status, p.detail, "urn:querent:request:" + c.id, p.code, p.reason, c.id})
	if err != nil {
		panic(err) // texts always can be
	}
	h := w.Header()
	h.Set("Content-Type", "application/problem+json")
	if p.allow != "" {
		h.Set("Allow", p.allow)
	}
	if p.retryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(int(p.retryAfter.Seconds())))
	}
	switch p.status {
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", `Bearer realm="querent"`)
	case http.StatusRequestTimeout, http.StatusRequestEntityTooLarge, http.StatusServiceUnavailable:
		h.Set("Connection", "close")
	}
	w.WriteHeader(p.status)
	_, _ = w.Write(append(body, '\n')) // a client that has left misses nothing
}

// Package openaitest is a fake server of OpenAI's API, for tests: it sends the
// bytes that the real one sends, records what it is asked, and misbehaves as
// told. It links no vendor's client.
package openaitest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"querent.dev/querent/plugins/internal/fakehttp"
)

// Request is a request as the server got it.
type Request = fakehttp.Request

// Script says how the server answers.
type Script struct {
	// Chat answers a chat completion. It may be called concurrently.
	Chat func(Request) Reply
	// Models are the models that the server has; nil means any.
	Models []string
	// ModelCall, when it is not nil, answers calls below /models instead.
	ModelCall func(Request) Reply
	// EmbedCall, when it is not nil, answers embedding calls instead of vectors
	// that are made of the texts.
	EmbedCall func(Request) Reply
}

// Always answers every call the same.
func Always(r Reply) func(Request) Reply { return fakehttp.Always(r) }

// Queue answers with one reply after the other, and then with status 500.
func Queue(replies ...Reply) func(Request) Reply {
	return fakehttp.Queue(Reply{Status: http.StatusInternalServerError, Body: `{"error":{"message":"the script has no reply left","type":"server_error"}}`}, replies...)
}

// Server is a running fake.
type Server struct {
	*fakehttp.Server
}

// New starts a server that the test's end closes.
func New(t testing.TB, s Script) *Server {
	t.Helper()
	server := Start(s)
	t.Cleanup(server.Close)
	return server
}

// Start starts a server on a loopback address. The caller closes it.
func Start(s Script) *Server {
	return &Server{fakehttp.Start(func(w *fakehttp.Response, r Request) { serve(w, r, s) })}
}

// BaseURL is the address for the setting base_url.
func (s *Server) BaseURL() string { return s.URL + "/v1" }

// Chats is the chat completions that were asked for, in order of arrival.
func (s *Server) Chats() []Request {
	var out []Request
	for _, r := range s.Requests() {
		if strings.HasSuffix(r.Path, "/chat/completions") {
			out = append(out, r)
		}
	}
	return out
}

func serve(w *fakehttp.Response, r Request, s Script) {
	w.Header().Set("X-Request-Id", "req_1d3c9a0e5b7f4d2f8a6c")
	w.Header().Set("Openai-Version", "2020-10-01")
	w.Header().Set("Openai-Processing-Ms", "12")
	_, model, isModel := strings.Cut(r.Path, "/models/")
	switch {
	case strings.HasSuffix(r.Path, "/chat/completions") && r.Method == http.MethodPost:
		s.Chat(r).write(w, r)
	case strings.HasSuffix(r.Path, "/embeddings") && s.EmbedCall != nil:
		s.EmbedCall(r).write(w, r)
	case strings.HasSuffix(r.Path, "/embeddings"):
		embed(w, r)
	case (isModel || strings.HasSuffix(r.Path, "/models")) && s.ModelCall != nil:
		s.ModelCall(r).write(w, r)
	case isModel && s.Models != nil && !slices.Contains(s.Models, model):
		JSONError(404, "The model '"+model+"' does not exist", "invalid_request_error", "model", "model_not_found").write(w, r)
	case isModel:
		Reply{Body: modelObject(model)}.write(w, r)
	case strings.HasSuffix(r.Path, "/models"):
		listModels(w, s.Models)
	default:
		JSONError(404, "Invalid URL ("+r.Method+" "+r.Path+")", "invalid_request_error", "", "").write(w, r)
	}
}

func modelObject(id string) string {
	return fmt.Sprintf(`{"id":%s,"object":"model","created":1687882411,"owned_by":"openai"}`, quoted(id))
}

func listModels(w *fakehttp.Response, models []string) {
	items := make([]string, len(models))
	for i, m := range models {
		items[i] = modelObject(m)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(`{"object":"list","data":[` + strings.Join(items, ",") + `]}`)
}

// embed answers with a vector of three figures per text: its length, its number
// and 1, so that a test sees whether texts and vectors were mixed up.
func embed(w *fakehttp.Response, r Request) {
	var in struct {
		Model string
		Input []string
	}
	if err := json.Unmarshal(r.Body, &in); err != nil {
		JSONError(400, "could not parse the body", "invalid_request_error", "", "").write(w, r)
		return
	}
	items := make([]string, len(in.Input))
	for i, text := range in.Input {
		// In reverse, since the order is not promised.
		items[len(items)-1-i] = fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":[%d,%d,1]}`, i, len(text), i)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(fmt.Sprintf(`{"object":"list","data":[%s],"model":%s,"usage":{"prompt_tokens":%d,"total_tokens":%d}}`,
		strings.Join(items, ","), quoted(in.Model), 2*len(items), 2*len(items)))
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always can be
	}
	return string(b)
}

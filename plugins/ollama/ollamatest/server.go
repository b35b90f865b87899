// Package ollamatest is a fake Ollama server, for tests: it sends the bytes that
// the real one sends, records what it is asked, and misbehaves as told. It links
// no vendor's client.
package ollamatest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"querent.dev/querent/plugins/internal/fakehttp"
)

// Request is a request as the server got it.
type Request = fakehttp.Request

// Model is what the server knows of a model.
type Model struct {
	ContextLength int      // tokens; 0: not said
	Capabilities  []string // nil: not said, as by old servers
	RemoteHost    string   // of a model that another server runs
}

// Script says how the server answers. Its functions may be called concurrently.
type Script struct {
	// Chat answers a chat that holds messages.
	Chat func(Request) Reply
	// Models are the models that the server has; nil means any, each with a
	// context of 32768 tokens, completion and tools.
	Models map[string]Model
	// Load, when it is not nil, answers a call without a prompt, which only loads
	// the model.
	Load func(Request) Reply
	// Show, Embed and Pull, when they are not nil, answer those calls.
	Show, Embed, Pull func(Request) Reply
	// ChatOnly makes a server that knows no other call than the chat.
	ChatOnly bool
}

// anyModel is the model behind every name when a script names none.
var anyModel = Model{ContextLength: 32768, Capabilities: []string{"completion", "tools"}}

// Always answers every call the same.
func Always(r Reply) func(Request) Reply { return fakehttp.Always(r) }

// Queue answers with one reply after the other, and then with status 500.
func Queue(replies ...Reply) func(Request) Reply {
	return fakehttp.Queue(Error(http.StatusInternalServerError, "the script has no reply left"), replies...)
}

// Server is a running fake. Its URL is the setting url.
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

// Chats is the chats that were asked for, in order of arrival.
func (s *Server) Chats() []Request { return s.To("/api/chat") }

// Loads is the calls that only load a model.
func (s *Server) Loads() []Request { return s.To("/api/generate") }

// notFound is what the server says to a call that it does not know.
var notFound = Reply{Status: http.StatusNotFound, ContentType: "text/plain", Body: "404 page not found"}

func serve(w *fakehttp.Response, r Request, s Script) {
	var asked struct{ Model string }
	// A call without a body names no model.
	_ = json.Unmarshal(r.Body, &asked)
	model, there := s.model(asked.Model)
	call := map[string]func(Request) Reply{"/api/show": s.Show, "/api/embed": s.Embed, "/api/pull": s.Pull, "/api/generate": s.Load}[r.Path]
	switch {
	case s.ChatOnly && r.Path != "/api/chat":
		notFound.write(w, r)
	case call != nil:
		call(r).write(w, r)
	case r.Path == "/":
		w.Write("Ollama is running")
	case r.Path == "/api/version":
		write(w, `{"version":"0.17.4"}`)
	case r.Path == "/api/tags":
		write(w, s.tags())
	case r.Path == "/api/pull":
		pull(w)
	case !there && slices.Contains([]string{"/api/chat", "/api/generate", "/api/show", "/api/embed"}, r.Path):
		Error(http.StatusNotFound, "model '"+asked.Model+"' not found").write(w, r)
	case r.Path == "/api/generate":
		write(w, `{"model":`+quoted(asked.Model)+`,"created_at":"2026-11-30T12:26:45.168411Z","response":"","done":true,"done_reason":"load"}`)
	case r.Path == "/api/chat":
		s.Chat(r).write(w, r)
	case r.Path == "/api/show":
		write(w, model.show())
	case r.Path == "/api/embed":
		embed(w, r)
	default:
		notFound.write(w, r)
	}
}

func (s Script) model(name string) (Model, bool) {
	if s.Models == nil {
		return anyModel, true
	}
	m, ok := s.Models[name]
	return m, ok
}

func (s Script) tags() string {
	var items []string
	for _, name := range slices.Sorted(maps.Keys(s.Models)) {
		items = append(items, fmt.Sprintf(`{"name":%[1]s,"model":%[1]s,"modified_at":"2026-11-02T09:12:44.531Z","size":4683087332,"digest":"dae161e27b0e90dd1856c8bb3209201fd6736d8eb66298e75ed87571486f4364","details":{"parent_model":"","format":"gguf","family":"qwen2","families":["qwen2"],"parameter_size":"7.6B","quantization_level":"Q4_K_M"}}`, quoted(name)))
	}
	return `{"models":[` + strings.Join(items, ",") + `]}`
}

func (m Model) show() string {
	info := `"general.architecture":"qwen2","general.parameter_count":7615616512`
	if m.ContextLength > 0 {
		info += fmt.Sprintf(`,"qwen2.context_length":%d`, m.ContextLength)
	}
	more := ""
	if m.Capabilities != nil {
		names, err := json.Marshal(m.Capabilities)
		if err != nil {
			panic(err) // strings always can be
		}
		more = `,"capabilities":` + string(names)
	}
	if m.RemoteHost != "" {
		more += `,"remote_model":"m","remote_host":` + quoted(m.RemoteHost)
	}
	return `{"modelfile":"FROM qwen2.5-coder\n","template":"{{ .Prompt }}","details":{"parent_model":"","format":"gguf","family":"qwen2","families":["qwen2"],"parameter_size":"7.6B","quantization_level":"Q4_K_M"},"model_info":{` +
		info + `}` + more + `,"modified_at":"2026-11-02T09:12:44.531Z"}`
}

// embed answers with a vector of three figures per text: its length, its number
// and 1, so that a test sees whether texts and vectors were mixed up.
func embed(w *fakehttp.Response, r Request) {
	var in struct {
		Model string
		Input []string
	}
	if err := json.Unmarshal(r.Body, &in); err != nil {
		Error(http.StatusBadRequest, "invalid input type").write(w, r)
		return
	}
	vectors := make([]string, len(in.Input))
	for i, text := range in.Input {
		vectors[i] = fmt.Sprintf("[%d,%d,1]", len(text), i)
	}
	write(w, fmt.Sprintf(`{"model":%s,"embeddings":[%s],"total_duration":14143917,"load_duration":1019500,"prompt_eval_count":%d}`,
		quoted(in.Model), strings.Join(vectors, ","), 2*len(vectors)))
}

func pull(w *fakehttp.Response) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	const digest = "sha256:dde5aa3fc5ffc17176b5e8bdc82f587b24b2678c6c66101bf7da77af9f7ccdff"
	for _, line := range []string{
		`{"status":"pulling manifest"}`,
		`{"status":"pulling dde5aa3fc5ff","digest":"` + digest + `","total":2019377376}`,
		`{"status":"pulling dde5aa3fc5ff","digest":"` + digest + `","total":2019377376,"completed":1009688688}`,
		`{"status":"pulling dde5aa3fc5ff","digest":"` + digest + `","total":2019377376,"completed":2019377376}`,
		`{"status":"verifying sha256 digest"}`, `{"status":"writing manifest"}`, `{"status":"success"}`,
	} {
		w.Write(line + "\n")
	}
}

func write(w *fakehttp.Response, body string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Write(body)
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always can be
	}
	return string(b)
}

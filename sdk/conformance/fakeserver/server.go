package fakeserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Shape is whose API a server speaks.
type Shape string

// The shapes.
const (
	OpenAI Shape = "openai"
	Ollama Shape = "ollama"
)

// Shapes lists every shape.
func Shapes() []Shape { return []Shape{OpenAI, Ollama} }

// Script says how a server answers. Chat may be called concurrently.
type Script struct {
	Shape Shape
	// Chat answers a question to a model. false is answered with status 501.
	Chat func(Request) (Reply, bool)
	// Absent are models that the server does not have; it has every other.
	Absent []string
}

// Start runs a server of a shape on a loopback address until Close.
func Start(s Script) *Server {
	return Listen(func(w *Response, r Request) {
		if s.Shape == Ollama {
			s.ollama(w, r)
			return
		}
		s.openAI(w, r)
	})
}

// Address is what a client of shape is pointed at.
func (s *Server) Address(shape Shape) string {
	if shape == Ollama {
		return s.URL
	}
	return s.URL + "/v1"
}

// Chats is the questions to a model, in order of arrival.
func (s *Server) Chats() []Request {
	var out []Request
	for _, r := range s.Requests() {
		if strings.HasSuffix(r.Path, "/chat/completions") || r.Path == "/api/chat" {
			out = append(out, r)
		}
	}
	return out
}

// Streams reports whether the request asks for an answer piece by piece, which is
// the default of one of the shapes.
func (r Request) Streams(shape Shape) bool {
	if stream := r.asked().Stream; stream != nil {
		return *stream
	}
	return shape == Ollama
}

func (s Script) lacks(model string) bool { return slices.Contains(s.Absent, model) }

// chat answers a question. form and streamed are the content types of answers.
func (s Script) chat(w *Response, r Request, form, streamed string) {
	reply, ok := s.Chat(r)
	if !ok {
		reply = Reply{Status: http.StatusNotImplemented, Steps: Send(`{"error":{"message":"the script has no answer to this request"}}`)}
	}
	if r.Streams(s.Shape) && reply.Status == 0 {
		form = streamed
	}
	reply.write(w, r, form)
}

const jsonType = "application/json"

func (s Script) openAI(w *Response, r Request) {
	w.Header().Set("X-Request-Id", "req_1d3c9a0e5b7f4d2f8a6c")
	_, model, isModel := strings.Cut(r.Path, "/models/")
	switch {
	case strings.HasSuffix(r.Path, "/chat/completions"):
		s.chat(w, r, jsonType, "text/event-stream")
	case strings.HasSuffix(r.Path, "/embeddings"):
		embedAsOpenAI(w, r)
	case isModel && s.lacks(model):
		Reply{Status: http.StatusNotFound, Steps: Send(`{"error":{"message":"The model '` + inside(model) +
			`' does not exist","type":"invalid_request_error","param":"model","code":"model_not_found"}}`)}.write(w, r, jsonType)
	case isModel:
		Reply{Steps: Send(`{"id":` + quote(model) + `,"object":"model","created":1687882411,"owned_by":"openai"}`)}.write(w, r, jsonType)
	default:
		Reply{Status: http.StatusNotFound, Steps: Send(`{"error":{"message":"Invalid URL","type":"invalid_request_error"}}`)}.write(w, r, jsonType)
	}
}

func (s Script) ollama(w *Response, r Request) {
	model := r.asked().Model
	switch {
	case r.Path == "/":
		Reply{Steps: Send("Ollama is running")}.write(w, r, "text/plain; charset=utf-8")
	case s.lacks(model) && strings.HasPrefix(r.Path, "/api/"):
		Reply{Status: http.StatusNotFound, Steps: Send(`{"error":"model '$MODEL' not found"}`)}.write(w, r, jsonType)
	case r.Path == "/api/chat":
		s.chat(w, r, "application/json; charset=utf-8", "application/x-ndjson")
	case r.Path == "/api/generate":
		Reply{Steps: Send(`{"model":"$MODEL","created_at":"2026-11-30T12:26:45.168411Z","response":"","done":true,"done_reason":"load"}`)}.write(w, r, jsonType)
	case r.Path == "/api/show":
		Reply{Steps: Send(shown)}.write(w, r, jsonType)
	case r.Path == "/api/version":
		Reply{Steps: Send(`{"version":"0.17.4"}`)}.write(w, r, jsonType)
	case r.Path == "/api/embed":
		embedAsOllama(w, r)
	case r.Path == "/api/pull":
		Reply{Steps: Send(`{"status":"pulling manifest"}`+"\n", `{"status":"pulling dde5aa3fc5ff","total":2019377376,"completed":1009688688}`+"\n", `{"status":"success"}`+"\n")}.write(w, r, "application/x-ndjson")
	default:
		Reply{Status: http.StatusNotFound, Steps: Send("404 page not found")}.write(w, r, "text/plain")
	}
}

// shown is what Ollama tells of a model.
const shown = `{"modelfile":"FROM qwen3\n","template":"{{ .Prompt }}","details":{"parent_model":"","format":"gguf","family":"qwen3","families":["qwen3"],"parameter_size":"8.2B","quantization_level":"Q4_K_M"},` +
	`"model_info":{"general.architecture":"qwen3","general.parameter_count":8190735360,"qwen3.context_length":40960},"capabilities":["completion","tools","thinking"],"modified_at":"2026-11-02T09:12:44.531Z"}`

// Vector is the embedding of the text at place i: its length and its place, so
// that it shows when texts and vectors were mixed up.
func Vector(text string, i int) []float32 { return []float32{float32(len(text)), float32(i), 1} }

type embedding struct {
	Index     int       `json:"index"`
	Embedding []float32 `json:"embedding"`
}

func embedAsOpenAI(w *Response, r Request) {
	in := inputs(r)
	items := make([]embedding, len(in))
	for i, text := range in { // in reverse, since the order is not promised
		items[len(in)-1-i] = embedding{i, Vector(text, i)}
	}
	Reply{Steps: Send(`{"object":"list","model":"$MODEL","data":` + list(items) + fmt.Sprintf(`,"usage":{"prompt_tokens":%d,"total_tokens":%d}}`, 2*len(in), 2*len(in)))}.write(w, r, jsonType)
}

func embedAsOllama(w *Response, r Request) {
	in := inputs(r)
	vectors := make([][]float32, len(in))
	for i, text := range in {
		vectors[i] = Vector(text, i)
	}
	Reply{Steps: Send(`{"model":"$MODEL","embeddings":` + list(vectors) + fmt.Sprintf(`,"prompt_eval_count":%d}`, 2*len(in)))}.write(w, r, jsonType)
}

// inputs is the texts to embed: one, or a list of them.
func inputs(r Request) []string {
	var many struct{ Input []string }
	if json.Unmarshal(r.Body, &many) == nil {
		return many.Input
	}
	var one struct{ Input string }
	_ = json.Unmarshal(r.Body, &one) // anything else has no input
	return []string{one.Input}
}

func list(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // figures and lists always can be
	}
	return string(b)
}

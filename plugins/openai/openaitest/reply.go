package openaitest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"querent.dev/querent/plugins/internal/fakehttp"
)

// Reply is an answer of the server, with what is wrong with it. The zero value
// is an empty answer that ends well.
type Reply struct {
	Status      int               // 0: 200
	Header      map[string]string // added to the usual ones
	ContentType string            // "": by the form of the answer
	// Body is sent as it is, instead of a completion, when it is not empty.
	Body string

	Content       string // the assistant's text
	Reasoning     string // sent as reasoning_content
	Refusal       string
	ToolName      string
	ToolArguments string
	Finish        string // "": "stop", or "tool_calls" with a tool
	NoFinish      bool   // no reason to finish is given
	NoChoices     bool
	NoUsage       bool

	PieceLength int           // runes of text per event; 0: 12
	Pause       time.Duration // before each event
	Comments    int           // keep-alive comments before each event
	CRLF        bool          // lines end as in HTTP
	NoDone      bool          // no [DONE] at the end
	// ErrorEvent is sent as an event instead of the finish: raw data.
	ErrorEvent string
	// ErrorEventName is the event's name, such as "error"; "" for none.
	ErrorEventName string

	Hang     bool // say nothing until the client leaves
	HangAt   int  // > 0: hang after that many events
	CutAfter int  // > 0: cut the connection after that many events, or bytes of a body
}

// Text is a plain answer.
func Text(content string) Reply { return Reply{Content: content} }

// JSONError is an error in OpenAI's form. An empty param or code is sent as null.
func JSONError(status int, message, kind, param, code string) Reply {
	null := func(s string) string {
		if s == "" {
			return "null"
		}
		return quoted(s)
	}
	return Reply{Status: status, Body: fmt.Sprintf(
		"{\n    \"error\": {\n        \"message\": %s,\n        \"type\": %s,\n        \"param\": %s,\n        \"code\": %s\n    }\n}\n",
		quoted(message), quoted(kind), null(param), null(code))}
}

func (r Reply) write(w *fakehttp.Response, req Request) {
	if r.Hang {
		w.Hang()
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		w.Header().Set(name, r.Header[name])
	}
	var asked struct {
		Model         string
		Stream        bool
		StreamOptions struct {
			IncludeUsage bool `json:"include_usage"`
		} `json:"stream_options"`
	}
	// A body that is no JSON leaves the zero value: a whole answer.
	_ = json.Unmarshal(req.Body, &asked)
	switch {
	case r.Body != "":
		r.writeBody(w, r.Body)
	case asked.Stream:
		r.writeEvents(w, asked.Model, asked.StreamOptions.IncludeUsage)
	default:
		r.writeBody(w, r.completion(asked.Model))
	}
}

func (r Reply) begin(w *fakehttp.Response, contentType string) {
	if r.ContentType != "" {
		contentType = r.ContentType
	}
	w.Header().Set("Content-Type", contentType)
	if r.Status != 0 {
		w.Status(r.Status)
	}
}

func (r Reply) writeBody(w *fakehttp.Response, body string) {
	r.begin(w, "application/json")
	if r.CutAfter > 0 && r.CutAfter < len(body) {
		w.Write(body[:r.CutAfter])
		w.Cut()
	}
	w.Write(body)
}

func (r Reply) finish() string {
	switch {
	case r.NoFinish:
		return "null"
	case r.Finish != "":
		return quoted(r.Finish)
	case r.ToolName != "":
		return `"tool_calls"`
	}
	return `"stop"`
}

const (
	usageObject = `{"prompt_tokens":19,"completion_tokens":10,"total_tokens":29,` +
		`"prompt_tokens_details":{"cached_tokens":4,"audio_tokens":0},` +
		`"completion_tokens_details":{"reasoning_tokens":2,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}}`
	head = `{"id":"chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT","object":"%s","created":1741569952,"model":%s,`
)

// completion is a whole chat completion.
func (r Reply) completion(model string) string {
	var message strings.Builder
	content := quoted(r.Content)
	if r.Content == "" && (r.Refusal != "" || r.ToolName != "") {
		content = "null"
	}
	fmt.Fprintf(&message, `{"role":"assistant","content":%s`, content)
	if r.Reasoning != "" {
		fmt.Fprintf(&message, `,"reasoning_content":%s`, quoted(r.Reasoning))
	}
	if r.ToolName != "" {
		fmt.Fprintf(&message, `,"tool_calls":[{"id":"call_abc123","type":"function","function":{"name":%s,"arguments":%s}}]`,
			quoted(r.ToolName), quoted(r.ToolArguments))
	}
	refusal := "null"
	if r.Refusal != "" {
		refusal = quoted(r.Refusal)
	}
	fmt.Fprintf(&message, `,"refusal":%s,"annotations":[]}`, refusal)
	choices := fmt.Sprintf(`{"index":0,"message":%s,"logprobs":null,"finish_reason":%s}`, &message, r.finish())
	if r.NoChoices {
		choices = ""
	}
	usage := `,"usage":` + usageObject
	if r.NoUsage {
		usage = ""
	}
	return fmt.Sprintf(head, "chat.completion", quoted(model)) +
		`"choices":[` + choices + `]` + usage + `,"service_tier":"default","system_fingerprint":"fp_44709d6fcb"}`
}

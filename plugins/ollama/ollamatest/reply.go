package ollamatest

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
	// Body is sent as it is, instead of a chat's answer, when it is not empty.
	Body string

	Content       string // the assistant's text
	Thinking      string
	ToolName      string
	ToolArguments string // a JSON object
	DoneReason    string // "": "stop"
	NoDone        bool   // the answer ends without its last line, with status 200
	PromptTokens  int    // counted by the server; 0: 26, negative: not said

	PieceLength int           // runes of text per line; 0: 8
	Pause       time.Duration // before each line
	// ErrorLine is the text of an error that is sent instead of the last line.
	ErrorLine string

	Hang     bool // say nothing until the client leaves
	HangAt   int  // > 0: hang after that many lines
	CutAfter int  // > 0: cut the connection after that many lines, or bytes of a body
}

// Text is a plain answer.
func Text(content string) Reply { return Reply{Content: content} }

// Error is an error in Ollama's form.
func Error(status int, message string) Reply {
	return Reply{Status: status, Body: `{"error":` + quoted(message) + `}`}
}

func (r Reply) write(w *fakehttp.Response, req Request) {
	if r.Hang {
		w.Hang()
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		w.Header().Set(name, r.Header[name])
	}
	asked := struct {
		Model  string
		Stream bool
	}{Stream: true}
	// A body that is no JSON leaves the server's defaults.
	_ = json.Unmarshal(req.Body, &asked)
	switch {
	case r.Body != "":
		r.writeBody(w)
	case asked.Stream:
		r.writeLines(w, asked.Model)
	default:
		r.begin(w, "application/json; charset=utf-8")
		w.Write(r.line(asked.Model, r.message(r.Thinking, r.Content, r.toolCalls()), true))
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

func (r Reply) writeBody(w *fakehttp.Response) {
	r.begin(w, "application/json; charset=utf-8")
	if r.CutAfter > 0 && r.CutAfter < len(r.Body) {
		w.Write(r.Body[:r.CutAfter])
		w.Cut()
	}
	w.Write(r.Body)
}

// writeLines streams the answer as lines of JSON.
func (r Reply) writeLines(w *fakehttp.Response, model string) {
	r.begin(w, "application/x-ndjson")
	var lines []string
	for _, piece := range r.pieces(r.Thinking) {
		lines = append(lines, r.line(model, r.message(piece, "", ""), false))
	}
	for _, piece := range r.pieces(r.Content) {
		lines = append(lines, r.line(model, r.message("", piece, ""), false))
	}
	if r.ToolName != "" {
		lines = append(lines, r.line(model, r.message("", "", r.toolCalls()), false))
	}
	switch {
	case r.ErrorLine != "":
		lines = append(lines, `{"error":`+quoted(r.ErrorLine)+`}`)
	case !r.NoDone:
		lines = append(lines, r.line(model, r.message("", "", ""), true))
	}
	for i, line := range lines {
		w.Pause(r.Pause)
		w.Write(line + "\n")
		if r.CutAfter == i+1 {
			w.Cut()
		}
		if r.HangAt == i+1 {
			w.Hang()
		}
	}
}

func (r Reply) pieces(text string) []string {
	length := r.PieceLength
	if length <= 0 {
		length = 8
	}
	var out []string
	for runes := []rune(text); len(runes) > 0; {
		n := min(length, len(runes))
		out = append(out, string(runes[:n]))
		runes = runes[n:]
	}
	return out
}

func (r Reply) toolCalls() string {
	if r.ToolName == "" {
		return ""
	}
	return fmt.Sprintf(`,"tool_calls":[{"id":"call_fvwlq5x4","function":{"index":0,"name":%s,"arguments":%s}}]`, quoted(r.ToolName), r.ToolArguments)
}

func (r Reply) message(thinking, content, calls string) string {
	if thinking != "" {
		thinking = `,"thinking":` + quoted(thinking)
	}
	return `{"role":"assistant","content":` + quoted(content) + thinking + calls + `}`
}

// line is a line of the answer; the last one tells how it ended.
func (r Reply) line(model, message string, done bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"model":%s,"created_at":"2026-11-30T12:26:45.168411Z","message":%s,"done":%v`, quoted(model), message, done)
	if done {
		reason := r.DoneReason
		if reason == "" {
			reason = "stop"
		}
		fmt.Fprintf(&b, `,"done_reason":%s`, quoted(reason))
		if reason == "load" || reason == "unload" {
			return b.String() + "}"
		}
		fmt.Fprint(&b, `,"total_duration":174560334,"load_duration":101397084`)
		if r.PromptTokens >= 0 {
			tokens := r.PromptTokens
			if tokens == 0 {
				tokens = 26
			}
			fmt.Fprintf(&b, `,"prompt_eval_count":%d`, tokens)
		}
		fmt.Fprint(&b, `,"prompt_eval_duration":13074791,"eval_count":18,"eval_duration":52479709`)
	}
	return b.String() + "}"
}

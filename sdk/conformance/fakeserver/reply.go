package fakeserver

import (
	"compress/gzip"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Reply is what a server sends, byte for byte. In its texts and headers $MODEL is
// replaced by the model that was asked for, $KEY by the key that the request
// carries, $NUM_CTX by Ollama's option of that name, $PROMPT by the last message
// (all as they stand inside of a JSON string), and $IN_A_MINUTE by the date that
// it will be then.
type Reply struct {
	// While says when the reply is for a request: when its body holds this text.
	// "" is for every request.
	While  string
	Status int // 0: 200
	// Type is the content type; "" is that of the form of the answer.
	Type   string
	Header map[string]string
	Gzip   bool // packed, if the client takes it
	Steps  []Step
	End    End
}

// Step is a piece of a reply, sent at once.
type Step struct {
	Text  string
	Times int // 0: once
}

// End is how a reply ends.
type End string

// The ends.
const (
	EndWell  End = ""      // as HTTP has it
	EndCut   End = "cut"   // the connection is closed in the middle
	EndReset End = "reset" // the connection is reset by the server
	EndHang  End = "hang"  // the server says nothing more
)

// Send makes steps of texts.
func Send(texts ...string) []Step {
	steps := make([]Step, len(texts))
	for i, text := range texts {
		steps[i].Text = text
	}
	return steps
}

// asked is what a request says that a reply depends on.
type asked struct {
	Model    string
	Stream   *bool
	Messages []struct{ Content string }
	Options  struct {
		NumCtx int64 `json:"num_ctx"`
	}
}

func (r Request) asked() asked {
	var a asked
	_ = json.Unmarshal(r.Body, &a) // a body that is no JSON asks for nothing
	return a
}

func (r Reply) write(w *Response, req Request, form string) {
	fill := placeholders(req)
	if len(r.Steps) == 0 && r.End == EndHang {
		w.Hang() // before the first byte
	}
	if r.Type != "" {
		form = r.Type
	}
	w.Header().Set("Content-Type", form)
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		w.Header().Set(name, fill.Replace(r.Header[name]))
	}
	if r.Gzip && strings.Contains(req.Header.Get("Accept-Encoding"), "gzip") {
		w.Header().Set("Content-Encoding", "gzip")
		packed := gzip.NewWriter(w.w)
		defer packed.Close()
		w.to = packed
	}
	if r.Status != 0 {
		w.Status(r.Status)
	}
	for _, step := range r.Steps {
		text := fill.Replace(step.Text)
		for range max(step.Times, 1) {
			w.Write(text)
		}
	}
	switch r.End {
	case EndCut:
		w.Cut()
	case EndReset:
		w.Reset()
	case EndHang:
		w.Hang()
	}
}

func placeholders(req Request) *strings.Replacer {
	a := req.asked()
	prompt := ""
	if n := len(a.Messages); n > 0 {
		prompt = a.Messages[n-1].Content
	}
	return strings.NewReplacer(
		"$MODEL", inside(a.Model), "$KEY", inside(req.Key()), "$PROMPT", inside(prompt),
		"$NUM_CTX", strconv.FormatInt(a.Options.NumCtx, 10),
		"$IN_A_MINUTE", time.Now().Add(time.Minute).UTC().Format(http.TimeFormat))
}

// inside is text as it stands between the quotes of a JSON string.
func inside(text string) string {
	quoted := quote(text)
	return quoted[1 : len(quoted)-1]
}

func quote(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always can be
	}
	return string(b)
}

package provider

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"querent.dev/querent/plugins/internal/modelhttp"
	"querent.dev/querent/sdk/reason"
)

// FuzzEventReader: whatever a server streams, what is passed on is one line of
// data per event, and how the bytes were cut into reads does not matter.
func FuzzEventReader(f *testing.F) {
	for _, seed := range []string{
		"data: {\"choices\":[]}\n\ndata: [DONE]\n\n", ": hi\r\n\r\ndata:{}\r\n", "event: error\ndata: {}\n\n",
		"data: {\"error\":\"x\"}\n", "data: {\ndata: }\n\n", "{\"error\":{}}\n", "id: 1\nretry: 5\n\n", "data", "data: \x00\n\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		read := func(r io.Reader) ([]byte, []byte) {
			e := newEventReader(io.NopCloser(r))
			out, err := io.ReadAll(e)
			if err != nil && err != errLongLine {
				t.Fatal(err)
			}
			return out, e.failure
		}
		out, failure := read(bytes.NewReader(in))
		slow, slowFailure := read(oneByte{bytes.NewReader(in)})
		if !bytes.Equal(out, slow) || !bytes.Equal(failure, slowFailure) {
			t.Fatalf("one read gives %q and %q, many give %q and %q", out, failure, slow, slowFailure)
		}
		for line := range strings.Lines(string(out)) {
			if !strings.HasPrefix(line, "data: ") || !strings.HasSuffix(line, "\n") {
				t.Fatalf("line %q", line)
			}
			if strings.HasPrefix(line, `data: {"error":`) && errorOf([]byte(line[6:])) != nil {
				t.Fatalf("an error was passed on: %q", line)
			}
		}
	})
}

type oneByte struct{ r io.Reader }

func (o oneByte) Read(p []byte) (int, error) { return o.r.Read(p[:min(1, len(p))]) }

// FuzzReadFailure: an error body of any form has a kind of the closed set.
func FuzzReadFailure(f *testing.F) {
	for _, seed := range []string{`{"error":{"message":"x","code":null}}`, `{"error":"x"}`, `[{"error":{"code":429}}]`, `<html>`, `{"detail":[1]}`, ``, `null`, `[]`} {
		f.Add(400, []byte(seed))
	}
	known := map[reason.Kind]bool{}
	for _, k := range reason.Kinds() {
		known[k] = true
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		got := readFailure(body)
		got.status = status
		if !known[got.kind()] {
			t.Fatalf("kind %q", got.kind())
		}
		q := &chatRequest{form: formSchema, fields: map[string]bool{"model": true, "seed": true}}
		if what := q.refusedBy(got); what != "" && what != "seed" && what != string(formSchema) {
			t.Fatalf("refused %q, which was not sent", what)
		}
		if json.Valid(body) && got.body != string(body) {
			t.Fatal("the body is lost")
		}
	})
}

// FuzzAnswer: whatever a server calls a completion, the answer that is made of it has
// a reason to finish, and its tool call is JSON.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}`,
		`{"choices":[{"message":{"content":[{"type":"thinking","thinking":[{"text":"t"}]},{"text":"x"}]},"finish_reason":"stop"}]}`,
		`{"choices":[{"message":{"tool_calls":[{"function":{"name":"n","arguments":{"a":1}}}]},"finish_reason":"tool_calls"}]}`,
		`{"choices":[{"error":{"code":429}}]}`, `{"error":"x"}`, `{"choices":[]}`, `{"usage":{"prompt_tokens":-1}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		c, x, q := &client{}, &modelhttp.Exchange{Status: 200}, &chatRequest{form: formTool}
		out, err := c.conclude(t.Context(), q, x, body, nil)
		switch {
		case err == nil && out.Finish == "":
			t.Fatalf("an answer without a reason to finish: %+v", out)
		case len(out.ToolArguments) > 0 && !json.Valid(out.ToolArguments):
			t.Fatalf("arguments %q", out.ToolArguments)
		}
	})
}

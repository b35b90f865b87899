package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/cmd/host/internal/output"
	"querent.dev/querent/plugins/openai/openaitest"
)

// limited is the reply of a server that limits requests, with what it says of when
// to come back.
func limited(header map[string]string, kind, code string) openaitest.Reply {
	r := openaitest.JSONError(http.StatusTooManyRequests, "secret words", kind, "", code)
	r.Header = header
	return r
}

// What a model's server says of itself decides how often it is asked, and all of
// it shows in the envelope.
func TestServersAreAskedAsTheyWish(t *testing.T) {
	in := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(http.TimeFormat) }
	good := openaitest.Text(modelPlan)
	busy := openaitest.Reply{Status: http.StatusServiceUnavailable, Body: `{"error":{"message":"secret words"}}`}
	these := func(replies ...openaitest.Reply) func() []openaitest.Reply {
		return func() []openaitest.Reply { return replies }
	}
	for name, c := range map[string]struct {
		replies func() []openaitest.Reply
		calls   int
		exit    int
		errors  string // recovered ones in brackets
	}{
		"seconds": {these(limited(map[string]string{"Retry-After": "1"}, "requests", "rate_limit_exceeded"), good), 2, 0, "[PROVIDER_RATE_LIMITED]"},
		"a date": {func() []openaitest.Reply {
			return []openaitest.Reply{limited(map[string]string{"Retry-After": in(3 * time.Second)}, "requests", "rate_limit_exceeded"), good}
		}, 2, 0, "[PROVIDER_RATE_LIMITED]"},
		"a date long after the limit": {func() []openaitest.Reply {
			return []openaitest.Reply{limited(map[string]string{"Retry-After": in(time.Hour)}, "requests", "rate_limit_exceeded"), good}
		}, 1, 5, "PROVIDER_RATE_LIMITED"},
		"seconds beyond the limit": {these(limited(map[string]string{"Retry-After": "3600"}, "requests", "rate_limit_exceeded"), good), 1, 5, "PROVIDER_RATE_LIMITED"},
		"a quota that is used up":  {these(limited(nil, "insufficient_quota", "insufficient_quota"), good), 1, 5, "PROVIDER_QUOTA_EXHAUSTED"},
		"too much to do, twice":    {these(busy, busy, good), 3, 0, "[PROVIDER_OVERLOADED] [PROVIDER_OVERLOADED]"},
		"prose, then a plan":       {these(openaitest.Text("I would count the stores."), good), 2, 0, "[PROVIDER_INVALID_OUTPUT]"},
		"cut, then whole":          {these(openaitest.Reply{Content: modelPlan[:40], Finish: "length"}, good), 2, 0, "[PROVIDER_OUTPUT_TRUNCATED]"},
	} {
		t.Run(name, func(t *testing.T) {
			cloud := openaitest.New(t, openaitest.Script{Chat: openaitest.Queue(c.replies()...)})
			i := install(t, cloud.BaseURL(), "http://127.0.0.1:1")
			got := i.ask(t, i.planning(t), question)
			e := envelopeOf(t, got.raw)
			var errors []string
			for _, err := range e.Errors {
				text := string(err.Code)
				if err.Recovered {
					text = "[" + text + "]"
				}
				errors = append(errors, text)
			}
			if got.exit != c.exit || len(cloud.Chats()) != c.calls || strings.Join(errors, " ") != c.errors {
				t.Errorf("exit %d after %d calls, errors %s; want %d, %d, %s\n%s", got.exit, len(cloud.Chats()), errors, c.exit, c.calls, c.errors, got.raw)
			}
			if e.Usage[0].Calls != c.calls {
				t.Errorf("usage %+v", e.Usage)
			}
			for _, err := range e.Errors {
				limited := err.Code == "PROVIDER_RATE_LIMITED"
				if err.Evidence["provider"] == "" || limited && (err.Evidence["status"] != "429" || err.Evidence["retry_after"] == "") {
					t.Errorf("%s has the evidence %v", err.Code, err.Evidence)
				}
			}
			if strings.Contains(string(got.raw), "secret words") {
				t.Errorf("the server's words are told\n%s", got.raw)
			}
		})
	}
}

// planning is the configuration in which the cloud's model plans, and templates word.
func (i *installation) planning(t *testing.T) string {
	t.Helper()
	path := i.configure(t, "cloud")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte("agents:\n"), []byte("agents:\n  answer_synthesizer: {provider: fixed}\n"), 1)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func envelopeOf(t *testing.T, raw []byte) output.Envelope {
	t.Helper()
	var e output.Envelope
	if err := json.Unmarshal(raw, &e); err != nil {
		t.Fatalf("%v\n%s", err, raw)
	}
	return e
}

// A server that takes no schema is asked in the next stricter way, down to a prompt
// that asks for the form in words.
func TestServersWithoutSchemas(t *testing.T) {
	refuses := func(words ...string) func(openaitest.Request) openaitest.Reply {
		return func(r openaitest.Request) openaitest.Reply {
			for _, w := range words {
				if strings.Contains(string(r.Body), `"`+w+`"`) {
					return openaitest.JSONError(http.StatusUnprocessableEntity, "This response_format type is unavailable now: "+w, "invalid_request_error", "response_format", "")
				}
			}
			return openaitest.Text("```json\n" + modelPlan + "\n```")
		}
	}
	for name, words := range map[string][]string{
		"no strict schema": {"json_schema"}, "no JSON mode either": {"json_schema", "json_object"}, "nothing at all": {"json_schema", "json_object", "tools"},
	} {
		t.Run(name, func(t *testing.T) {
			cloud := openaitest.New(t, openaitest.Script{Chat: refuses(words...)})
			i := install(t, cloud.BaseURL(), "http://127.0.0.1:1")
			got := i.ask(t, i.planning(t), question)
			if got.exit != 0 || len(got.rows) != 19 {
				t.Fatalf("exit %d\n%s\n%s", got.exit, got.raw, got.stderr)
			}
			last := string(cloud.Chats()[len(cloud.Chats())-1].Body)
			if !strings.Contains(last, "JSON Schema") && !strings.Contains(last, `"tools"`) {
				t.Errorf("the last request does not ask for the form\n%s", last)
			}
		})
	}
}

// What a run costs is told by the configured prices, and a run ends that may not
// spend more.
func TestCostsAreTold(t *testing.T) {
	cloud := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Text(modelPlan))})
	i := install(t, cloud.BaseURL(), "http://127.0.0.1:1")
	config := i.planning(t)
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	priced := strings.Replace(string(text), "model: gpt-5-mini,", "model: gpt-5-mini, prices: {input: 2.5, output: 10},", 1)
	write := func(settings string) {
		t.Helper()
		if err := os.WriteFile(config, []byte(priced+settings), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("settings: {run: {budget: {cost: 5, currency: EUR}}}\n")
	u := envelopeOf(t, i.ask(t, config, question).raw).Usage[0]
	if u.Input == nil || u.Output == nil || u.Currency != "EUR" || u.Estimated || u.Calls != 1 {
		t.Fatalf("usage %+v", u)
	}
	if want := (2.5*float64(*u.Input) + 10*float64(*u.Output)) / 1e6; fmt.Sprintf("%.9f", u.Cost) != fmt.Sprintf("%.9f", want) {
		t.Errorf("cost %f, want %f", u.Cost, want)
	}
	write("settings: {run: {budget: {cost: 0.000001}}}\n")
	before := len(cloud.Chats())
	if got := i.ask(t, config, question); got.exit != 4 || got.answer.Failure.Code != "BUDGET_EXCEEDED" || len(cloud.Chats()) != before {
		t.Errorf("exit %d, %+v after %d more calls", got.exit, got.answer.Failure, len(cloud.Chats())-before)
	}
}

// A server that is down is asked by some questions, and then by none for a while.
func TestAServerThatIsDownIsLeftAlone(t *testing.T) {
	cloud := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Reply{Status: 503, Body: "{}"})})
	i := install(t, cloud.BaseURL(), "http://127.0.0.1:1")
	s := i.serve(t, "cloud")
	var last string
	for range 4 {
		res, err := s.do(t.Context(), "POST", "/v1/ask", fmt.Sprintf(`{"question": %q}`, question))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		if res.Body.Close(); err != nil {
			t.Fatal(err)
		}
		last = string(body)
	}
	if len(cloud.Chats()) != 5 {
		t.Errorf("the server was asked %d times", len(cloud.Chats()))
	}
	if !strings.Contains(last, "PROVIDER_UNAVAILABLE") || !strings.Contains(last, "left alone until") {
		t.Errorf("the last answer: %s", last)
	}
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"

	"querent.dev/querent/plugins/openai/openaitest"
	"querent.dev/querent/sdk/reason"
)

// record is what a model is told of a failure.
type record struct {
	Code       reason.Code
	Reason     reason.Reason
	Stage      reason.Stage
	Message    string
	FailedStep string `json:"failed_step"`
	NextAction string `json:"next_action"`
}

var recordIn = regexp.MustCompile(`(?s)Record:\n<data>(.*?)</data>`)

// recordOf is the record in a request for words.
func recordOf(t *testing.T, r openaitest.Request) record {
	t.Helper()
	var body struct{ Messages []struct{ Content string } }
	var out record
	if err := json.Unmarshal(r.Body, &body); err != nil || len(body.Messages) < 2 {
		t.Errorf("%v: %s", err, r.Body)
		return out
	}
	found := recordIn.FindStringSubmatch(body.Messages[1].Content)
	if found == nil {
		t.Errorf("there is no record in\n%s", body.Messages[1].Content)
		return out
	}
	if err := json.Unmarshal([]byte(found[1]), &out); err != nil {
		t.Errorf("%v: %s", err, found[1])
	}
	return out
}

// explanations are what models write of a failure.
var explanations = map[string]struct {
	write func(record) string
	shown bool
}{
	"every field": {func(r record) string { return told4(r) }, true},
	"in a list": {func(r record) string {
		return fmt.Sprintf("- Stage: %s\n- Step: %s\n- Reason: %s (%s)\n- %s", r.Stage, r.FailedStep, r.Reason, r.Code, r.NextAction)
	}, true},
	"in Korean": {func(r record) string {
		return fmt.Sprintf("이 질문에는 답하지 못했습니다. %s 단계에서 %s 이유로 멈췄습니다.", r.Stage, r.Reason)
	}, true},
	"without the stage": {func(r record) string { return fmt.Sprintf("This was not answered. The reason is %s.", r.Reason) }, false},
	"without the reason": {func(r record) string {
		return fmt.Sprintf("This was not answered, since it stopped at the stage %s.", r.Stage)
	}, false},
	"an apology":         {func(r record) string { return "I am sorry about this. " + told4(r) }, false},
	"an apology alone":   {func(record) string { return "Unfortunately I cannot help with that." }, false},
	"an apology, Korean": {func(r record) string { return "죄송합니다. " + told4(r) }, false},
	"another cause":      {func(r record) string { return told4(r) + " The database server was down because of a power cut." }, false},
	"a number":           {func(r record) string { return told4(r) + " This happened 7 times." }, false},
	"a name":             {func(r record) string { return told4(r) + " Ask Mr. Quistgaard about it." }, false},
	"an address":         {func(r record) string { return told4(r) + " Please write to help@evil.test." }, false},
	"a false result":     {func(r record) string { return told4(r) + " There are 19 stores." }, false},
	"its own rules": {func(r record) string {
		return told4(r) + " Write the reason code, the stage and the failed step exactly as they stand in the record."
	}, false},
	"success, of a sort":  {func(record) string { return "Everything worked, and the table shows the stores." }, false},
	"another reason code": {func(r record) string { return strings.ReplaceAll(told4(r), string(r.Reason), "rate_limited") }, false},
}

func told4(r record) string {
	return fmt.Sprintf("%s It stopped at the stage %s, step %s, with the reason %s. %s", r.Message, r.Stage, r.FailedStep, r.Reason, r.NextAction)
}

// traced are the parts of a failure that differ from run to run.
var traced = regexp.MustCompile(`"trace_id":"[^"]*"`)

// explained is a failure as an answer has it: its structure, and who worded it.
type explained struct {
	structure string
	Outcome   string
	Summary   string
	By        string        `json:"synthesized_by"`
	Fallback  reason.Reason `json:"fallback_reason"`
	Failure   json.RawMessage
	Notes     []struct{ Code reason.Warning }
}

func readExplained(t *testing.T, answer string) explained {
	t.Helper()
	var a explained
	if err := json.Unmarshal([]byte(answer), &a); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	a.structure = a.Outcome + " " + traced.ReplaceAllString(string(a.Failure), "")
	return a
}

// Where a model may explain a failure, its words are shown if they hide nothing and add
// nothing, and the structure is the same whoever words it.
func TestAModelExplainsAFailureOrIsReplaced(t *testing.T) {
	allowed := 0
	for _, c := range troubles() {
		row, _ := reason.Lookup(c.code, c.why)
		if row.Wording != reason.ModelAllowed {
			continue
		}
		allowed++
		t.Run(fmt.Sprintf("%s/%s", c.code, c.why), func(t *testing.T) { c.explain(t) })
	}
	if allowed < 5 {
		t.Errorf("a model may explain %d reasons", allowed)
	}
}

func (c trouble) explain(t *testing.T) {
	i := install(t, "", "http://127.0.0.1:1")
	e := c.brew(t, i)
	var mu sync.Mutex
	var write func(record) string
	asked := 0
	i.cloud = openaitest.New(t, openaitest.Script{Chat: func(r openaitest.Request) openaitest.Reply {
		if !bytes.Contains(r.Body, []byte("format_type")) {
			return e.chat(r)
		}
		mu.Lock()
		defer mu.Unlock()
		asked++
		return openaitest.Reply{Content: written(write(recordOf(t, r)), ""), PieceLength: pieceOf}
	}}).BaseURL()
	if !strings.Contains(e.more, "settings:") {
		e.more += "\nsettings: {sql_agent: {max_retries: 0}}"
	}
	more := strings.TrimSpace(e.more)
	if e.provider == "fixed" {
		more += "\nagents: {default: {provider: fixed}, answer_synthesizer: {provider: cloud}}"
	}
	s := i.serve(t, "cloud", more)
	ask := or(e.question, question)
	// Strict JSON is worded by templates.
	plain := readExplained(t, s.atOnceAs(t, ask, "json"))
	if asked > 0 || plain.By == "cloud" {
		t.Errorf("strict JSON is worded by %s, the model was asked %d times", plain.By, asked)
	}
	for name, x := range explanations {
		mu.Lock()
		write = x.write
		mu.Unlock()
		r, answer := s.heard(t, ask)
		got := readExplained(t, answer)
		if got.structure != plain.structure {
			t.Errorf("%s: the structure is\n%s\nworded by templates\n%s", name, got.structure, plain.structure)
		}
		shown, noted := got.By == "cloud" && got.Fallback == "", false
		for _, n := range got.Notes {
			noted = noted || n.Code == reason.SynthesisFallback
		}
		if shown != x.shown || noted == x.shown || !x.shown && got.Summary != plain.Summary {
			t.Errorf("%s: worded by %s, since %q, noted: %v: %q", name, got.By, got.Fallback, noted, got.Summary)
		}
		if said := strings.Join(r.deltas, ""); !x.shown && (strings.Contains(said, "sorry") || strings.Contains(said, "죄송") || strings.Contains(said, "7 times") || strings.Contains(said, "evil.test") || strings.Contains(said, "Unfortunately")) {
			t.Errorf("%s: %q was released", name, said)
		}
	}
}

// atOnceAs is an answer in a format, without a stream.
func (s *serving) atOnceAs(t *testing.T, question, format string) string {
	t.Helper()
	res, err := s.do(t.Context(), "POST", "/v1/ask", fmt.Sprintf(`{"question": %q, "format": %q}`, question, format))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var envelope struct{ Answer json.RawMessage }
	if err := json.NewDecoder(res.Body).Decode(&envelope); err != nil {
		t.Fatal(err)
	}
	return string(envelope.Answer)
}

// Where no model may explain a failure, none is asked for words.
func TestNoModelIsAskedToExplainWhatTemplatesDo(t *testing.T) {
	quick := map[reason.Reason]bool{
		reason.ReasonNotPermitted: true, reason.ReasonAuthContextRequired: true, reason.ReasonRestrictedDatasource: true, reason.ReasonSchemaChanged: true,
		reason.ReasonAggregatorFailed: true, reason.ReasonUnavailable: true, reason.ReasonAuthFailed: true, reason.Reason(reason.RefusedByModel): true, reason.Reason(reason.InvalidOutput): true,
	}
	tried := 0
	for _, c := range troubles() {
		row, _ := reason.Lookup(c.code, c.why)
		if row.Wording == reason.ModelAllowed || !quick[c.why] {
			continue
		}
		tried++
		t.Run(fmt.Sprintf("%s/%s", c.code, c.why), func(t *testing.T) {
			i := install(t, "", "http://127.0.0.1:1")
			e := c.brew(t, i)
			chat, asked := e.chat, make(chan string, 64)
			if chat != nil {
				e.chat = func(r openaitest.Request) openaitest.Reply {
					if bytes.Contains(r.Body, []byte("format_type")) {
						asked <- string(r.Body)
					}
					return chat(r)
				}
			}
			said, exit := i.send(t, e, nil)
			if exit != row.Exit || !strings.Contains(said.stdout, string(row.Reason)) || !strings.Contains(said.stdout, row.SafeMessage) {
				t.Errorf("exit %d\n%s", exit, said.stdout)
			}
			if len(asked) > 0 {
				t.Errorf("a model was asked for words: %s", <-asked)
			}
		})
	}
	if tried < 8 {
		t.Errorf("%d reasons were tried", tried)
	}
}

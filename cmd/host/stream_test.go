package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"querent.dev/querent/core/graph"
	"querent.dev/querent/plugins/ollama/ollamatest"
	"querent.dev/querent/plugins/openai/openaitest"
	"querent.dev/querent/sdk/reason"
)

// spoken is one text that a scripted model writes, and how its writing ends.
type spoken struct {
	text  string
	dies  int  // > 0: the connection is cut after so many pieces
	short bool // the model ran into its limit of tokens
	pause time.Duration
}

// written is what a model writes about a result, whole.
func written(summary, content string) string {
	text, err := json.Marshal(map[string]any{"summary": summary, "format_type": "text", "content": content, "warnings": []string{}})
	if err != nil {
		panic(err) // texts always encode
	}
	// The words come in the order in which they are read.
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"summary":%s,"format_type":"text","content":%s,"warnings":[]}`, fields["summary"], fields["content"])
}

// speaker is a model that plans always alike and writes one text after the other.
type speaker struct {
	mu    sync.Mutex
	plan  string
	texts []spoken
	asked [][]byte // the requests for words

	planned [][]byte // the requests for plans
}

func (s *speaker) starts(texts ...spoken) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.texts = texts
}

func (s *speaker) next(body []byte) (spoken, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !bytes.Contains(body, []byte("format_type")) {
		s.planned = append(s.planned, body)
		return spoken{text: s.plan}, true
	}
	s.asked = append(s.asked, body)
	if len(s.texts) == 0 {
		return spoken{}, false
	}
	said := s.texts[0]
	s.texts = s.texts[1:]
	return said, true
}

func (s *speaker) left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.texts)
}

// pieceOf is how many characters a scripted model writes at once.
const pieceOf = 7

func (s *speaker) cloud(t *testing.T) string {
	return openaitest.New(t, openaitest.Script{Chat: func(r openaitest.Request) openaitest.Reply {
		said, ok := s.next(r.Body)
		if !ok {
			return openaitest.JSONError(400, "the script has no text left", "invalid_request_error", "", "")
		}
		out := openaitest.Reply{Content: said.text, PieceLength: pieceOf, CutAfter: said.dies, Pause: said.pause}
		if said.short {
			out.Finish = "length"
		}
		return out
	}}).BaseURL()
}

func (s *speaker) local(t *testing.T) string {
	return ollamatest.New(t, ollamatest.Script{Chat: func(r ollamatest.Request) ollamatest.Reply {
		said, ok := s.next(r.Body)
		if !ok {
			return ollamatest.Error(400, "the script has no text left")
		}
		out := ollamatest.Reply{Content: said.text, PieceLength: pieceOf, CutAfter: said.dies, Pause: said.pause}
		if said.short {
			out.DoneReason = "length"
		}
		return out
	}}).URL
}

// reader is a client that shows an answer while it comes.
type reader struct {
	fields   map[string]string
	deltas   []string
	replaced []string // why
	marks    map[any]bool
	wrong    error
}

// take shows what an event brings, as the page of the HTTP API tells clients to.
func (r *reader) take(e graph.Event) {
	switch e.Type {
	case graph.AnswerDelta:
		field, text := fmt.Sprint(e.Data["field"]), fmt.Sprint(e.Data["text"])
		if field == "summary" && r.fields["content"] != "" {
			r.wrong = fmt.Errorf("%q of the summary comes behind the content", text)
		}
		r.fields[field] += text
		r.deltas = append(r.deltas, text)
		r.marks[e.Data["provisional"]] = true
	case graph.AnswerReplaced:
		if r.fields["summary"]+r.fields["content"] == "" {
			r.wrong = fmt.Errorf("nothing was shown that %v replaces", e.Data)
		}
		if e.Data["from"] == "" || e.Data["from"] == nil {
			r.wrong = fmt.Errorf("%v does not say from whom the words were", e.Data)
		}
		clear(r.fields)
		r.replaced = append(r.replaced, fmt.Sprint(e.Data["reason"]))
	}
}

// heard is what a served answer was, streamed.
func (s *serving) heard(t *testing.T, question string) (*reader, string) {
	t.Helper()
	res, err := s.do(t.Context(), "POST", "/v1/ask", fmt.Sprintf(`{"question": %q, "stream": true}`, question))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	all, answer, err := story(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	out := &reader{fields: map[string]string{}, marks: map[any]bool{}}
	for _, e := range all {
		out.take(e)
	}
	return out, answer
}

// atOnce is a served answer without a stream.
func (s *serving) atOnce(t *testing.T, question string) string {
	t.Helper()
	res, err := s.do(t.Context(), "POST", "/v1/ask", fmt.Sprintf(`{"question": %q}`, question))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	all, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	_, answer, ok := strings.Cut(strings.TrimSuffix(string(all), "\n}\n"), `"answer":`)
	if !ok {
		t.Fatalf("status %d: %s", res.StatusCode, all)
	}
	return answer
}

// streamed is a story of a streamed answer.
type streamed struct {
	texts    []spoken
	byModel  bool
	grounded int // how often released sentences are taken back
	raw      int // how often words are taken back
	released string
}

const (
	trueSummary   = "The result has 19 countries. "
	trueContent   = "Germany has 2 stores. Brazil has 1 store. "
	wrongContent  = "Germany has 2 stores. Brazil has 14 stores. "
	betterContent = "Germany has 2 stores. Brazil has only 1 store."
	further       = "None of the other countries that the table shows has more stores than that."
	otherContent  = "Brazil has 1 store. Germany has 2 stores."
)

var streams = map[string]streamed{
	"a good text":                     {[]spoken{{text: written(trueSummary, trueContent)}}, true, 0, 0, trueSummary + trueContent},
	"bad, then a good repair":         {[]spoken{{text: written(trueSummary, wrongContent)}, {text: written(trueSummary, trueContent)}}, true, 0, 1, trueSummary + trueContent},
	"bad, then bad":                   {[]spoken{{text: written(trueSummary, wrongContent)}, {text: written(trueSummary, wrongContent)}}, false, 1, 2, ""},
	"a repair that begins otherwise":  {[]spoken{{text: written(trueSummary, wrongContent)}, {text: written(trueSummary, otherContent)}}, true, 1, 1, ""},
	"another summary in the repair":   {[]spoken{{text: written(trueSummary, wrongContent)}, {text: written("Germany has 2 stores.", trueContent)}}, true, 1, 1, ""},
	"nothing but lies":                {[]spoken{{text: written("Brazil has 14 stores. "+further, "")}, {text: written("Brazil has 15 stores. "+further, "")}}, false, 0, 2, ""},
	"it dies, and is there again":     {[]spoken{{text: written(trueSummary, trueContent), dies: 12}, {text: written(trueSummary, trueContent)}}, true, 0, 1, trueSummary + trueContent},
	"it dies, and speaks otherwise":   {[]spoken{{text: written(trueSummary, trueContent), dies: 15}, {text: written(trueSummary, otherContent)}}, true, 1, 1, ""},
	"truncated JSON, then whole":      {[]spoken{{text: written(trueSummary, trueContent)[:80]}, {text: written(trueSummary, trueContent)}}, true, 0, 1, trueSummary + trueContent},
	"truncated JSON twice":            {[]spoken{{text: written(trueSummary, trueContent)[:80]}, {text: written(trueSummary, trueContent)[:90]}}, false, 1, 2, ""},
	"no room left, then enough":       {[]spoken{{text: written(trueSummary, trueContent)[:80], short: true}, {text: written(trueSummary, trueContent)}}, true, 0, 1, trueSummary + trueContent},
	"no room left, twice":             {[]spoken{{text: written(trueSummary, trueContent)[:80], short: true}, {text: written(trueSummary, trueContent)[:85], short: true}}, false, 1, 2, ""},
	"escapes and letters of all ways": {[]spoken{{text: written("국가는 19개입니다. ", "Türkiye has 1 store.\n\"South Korea\" has 2 stores. ")}}, true, 0, 0, "국가는 19개입니다. Türkiye has 1 store.\n\"South Korea\" has 2 stores. "},
}

// Whatever a model writes, a client that shows what comes has at the end the answer
// that is given without a stream, byte for byte.
func TestAStreamedAnswerIsTheOneAtOnce(t *testing.T) {
	for _, provider := range []string{"cloud", "local"} {
		for _, mode := range []string{"grounded", "raw"} {
			t.Run(provider+" "+mode, func(t *testing.T) {
				m := &speaker{plan: modelPlan}
				s := install(t, m.cloud(t), m.local(t)).serve(t, provider, "settings: {answer: {stream: "+mode+"}}")
				for _, name := range slices.Sorted(maps.Keys(streams)) {
					t.Run(name, func(t *testing.T) { streams[name].tell(t, m, s, mode) })
				}
			})
		}
	}
}

func (c streamed) tell(t *testing.T, m *speaker, s *serving, mode string) {
	m.starts(c.texts...)
	whole := s.atOnce(t, question)
	if m.left() > 0 {
		t.Errorf("%d texts were not asked for", m.left())
	}
	m.starts(c.texts...)
	r, answer := s.heard(t, question)
	if answer != whole {
		t.Errorf("streamed\n%s\nat once\n%s", answer, whole)
	}
	var final struct {
		Summary, Content string
		SynthesizedBy    string        `json:"synthesized_by"`
		FallbackReason   reason.Reason `json:"fallback_reason"`
	}
	if err := json.Unmarshal([]byte(answer), &final); err != nil {
		t.Fatal(err)
	}
	if byModel := final.FallbackReason == ""; byModel != c.byModel || strings.Contains(answer, "14 stores") || strings.Contains(answer, "15 stores") {
		t.Errorf("worded by %s, since %q: %s", final.SynthesizedBy, final.FallbackReason, answer)
	}
	shown, want := r.fields["summary"]+"|"+r.fields["content"], final.Summary+"|"+final.Content
	// What was taken back at the end comes with the answer alone.
	if shown != want && (shown != "|" || len(r.replaced) == 0 && c.byModel) {
		t.Errorf("the reader shows %q, the answer is %q", shown, want)
	}
	taken := c.grounded
	if mode == "raw" {
		taken = c.raw
	} else if said := strings.Join(r.deltas, ""); strings.Contains(said, "14") || strings.Contains(said, "15") || c.released != "" && said != c.released {
		t.Errorf("released %q, want %q", r.deltas, c.released)
	}
	if len(r.replaced) != taken || r.wrong != nil || r.marks[mode != "raw"] {
		t.Errorf("replaced %v, want %d; %v; marked %v", r.replaced, taken, r.wrong, r.marks)
	}
	if c.byModel && r.fields["summary"] == "" && mode == "raw" {
		t.Error("nothing was shown of what the model wrote")
	}
}

// A sentence is there when it is written and proved, not when all is.
func TestSentencesAreReleasedOneByOne(t *testing.T) {
	m := &speaker{plan: modelPlan}
	s := install(t, m.cloud(t), "http://127.0.0.1:1").serve(t, "cloud")
	m.starts(spoken{text: written("The result has 19 countries. ", "Germany has 2 stores. Brazil has 1 store. Poland has 2 stores."), pause: 40 * time.Millisecond})
	r, _ := s.heard(t, question)
	want := []string{"The result has 19 countries.", " ", "Germany has 2 stores.", " Brazil has 1 store.", " Poland has 2 stores."}
	if !slices.Equal(r.deltas, want) {
		t.Errorf("released %q, want %q", r.deltas, want)
	}
}

// On the command line the answer is the one of the API, whatever the setting of the
// stream.
func TestTheCommandLineSaysWhatTheAPISays(t *testing.T) {
	m := &speaker{plan: modelPlan}
	address := m.cloud(t)
	s, i := install(t, address, "http://127.0.0.1:1").serve(t, "cloud"), install(t, address, "http://127.0.0.1:1")
	for name, c := range streams {
		t.Run(name, func(t *testing.T) {
			m.starts(c.texts...)
			_, answer := s.heard(t, question)
			modes := []string{"grounded"}
			if name == "bad, then bad" || name == "a good text" {
				modes = []string{"grounded", "raw", "off"}
			}
			for _, mode := range modes {
				m.starts(c.texts...)
				got := i.ask(t, i.arrange(t, errand{more: "settings: {answer: {stream: " + mode + "}}"}), question, "--verbose")
				if shown := compactAnswer(t, got.raw); shown != answer {
					t.Errorf("stream: %s\n%s\nserved\n%s", mode, shown, answer)
				}
				if strings.Contains(got.stderr, "14 stores") {
					t.Errorf("stream: %s: a lie is told on the way\n%s", mode, got.stderr)
				}
			}
		})
	}
}

// compactAnswer is the answer of an envelope, without blanks.
func compactAnswer(t *testing.T, raw []byte) string {
	t.Helper()
	var envelope struct{ Answer json.RawMessage }
	var out bytes.Buffer
	if err := json.Unmarshal(raw, &envelope); err != nil {
		t.Fatalf("%v\n%s", err, raw)
	}
	if err := json.Compact(&out, envelope.Answer); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// What takes words back says why.
func TestWordsAreTakenBackForAReason(t *testing.T) {
	m := &speaker{plan: modelPlan}
	s := install(t, m.cloud(t), "http://127.0.0.1:1").serve(t, "cloud")
	for name, why := range map[string]reason.Kind{"bad, then bad": reason.InvalidOutput, "truncated JSON twice": reason.InvalidOutput, "no room left, twice": reason.OutputTruncated} {
		m.starts(streams[name].texts...)
		if r, _ := s.heard(t, question); !slices.Equal(r.replaced, []string{string(why)}) {
			t.Errorf("%s: replaced for %v, want %s", name, r.replaced, why)
		}
	}
}

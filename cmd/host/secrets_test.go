package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"querent.dev/querent/core/audit"
	"querent.dev/querent/core/graph"
)

// inQuestion are values that look like what they are to anybody and stand in the question,
// inCells others that stand in cells alone.
var (
	inQuestion = map[string]string{"token": "sk-proj-Qm7Zr2Tn9Xw4Kd8Lp3Vb6Hs1Yc5Gf0Ja", "connection": "postgres://svc:Gr8-Pa55wort@db7.intern.example:5432/lohn", "email": "maria.kowalska@lohnburo.example", "card": "4539 5787 6362 1486"}
	inCells    = map[string]string{"token": "ghp_R5tY8uI2oP6aS9dF3gH7jK1lZ4xC0vB2nM5q", "connection": "mysql://root:Zimt+Stern9@db8.intern.example/kasse", "email": "jonas.ziegenhals@kasse.example", "card": "5425 2334 3010 9903"}
)

// The parts by which a value would be known again.
var (
	tellsOfAsked = []string{"Qm7Zr2Tn9Xw4", "Gr8-Pa55wort", "maria.kowalska", "lohnburo", "4539 5787", "4539578763621486", "6362 1486"}
	tellsOfKept  = []string{"R5tY8uI2oP6a", "Zimt+Stern9", "jonas.ziegenhals", "kasse.example", "5425 2334", "5425233430109903", "3010 9903"}
)

// allTakenOut redacts wherever something can be.
const allTakenOut = "settings: {sql_agent: {max_retries: 0}, redaction: {failure: all, logs: all, traces: all, prompts: all, answer: all, events: all, result_table: all}}\n"

const remarksPlan = `{"with":[],"from":"remarks r","joins":[],"where":"r.owner = '%s'","group":[],"select":["r.owner","r.remark"],"having":"","order":["r.id"],"limit":0,"offset":0,"per":[],"distinct":false}`

func (i *installation) noteRemarks(t *testing.T) {
	t.Helper()
	db, err := sql.Open("sqlite", i.database())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("create table remarks (id integer primary key, owner text, remark text)"); err != nil {
		t.Fatal(err)
	}
	remarks := []string{"her key is " + inQuestion["token"], "the database is " + inQuestion["connection"], "paid with card " + inQuestion["card"] + ", receipt to " + inQuestion["email"]}
	remarks = append(remarks, "his key is "+inCells["token"], "the other is "+inCells["connection"], "paid with card "+inCells["card"]+", receipt to "+inCells["email"])
	for _, remark := range remarks {
		if _, err := db.Exec("insert into remarks (owner, remark) values (?, ?)", inQuestion["email"], remark); err != nil {
			t.Fatal(err)
		}
	}
}

// privateQuestion holds all of them.
func privateQuestion() string {
	return fmt.Sprintf("Which remarks has %s, card %s, key %s, database %s?", inQuestion["email"], inQuestion["card"], inQuestion["token"], inQuestion["connection"])
}

func tellsNone(t *testing.T, where, text string) {
	t.Helper()
	tellsNoneOf(t, append(slices.Clone(tellsOfAsked), tellsOfKept...), where, text)
}

func tellsNoneOf(t *testing.T, parts []string, where, text string) {
	t.Helper()
	for _, part := range parts {
		if at := strings.Index(text, part); at >= 0 {
			t.Errorf("%s tells %q: …%s…", where, part, text[max(0, at-100):min(len(text), at+len(part)+40)])
		}
	}
}

var placeholder = regexp.MustCompile(`\[([a-z_]+):(\d+)\]`)

// named are the placeholders in a text, each once.
func named(text string) []string {
	found := placeholder.FindAllString(text, -1)
	slices.Sort(found)
	return slices.Compact(found)
}

// privately has a model plan and word with the placeholders that it was shown, and plan what
// is not there where failing is set.
func privately(m *speaker, failing bool) {
	m.plan = fmt.Sprintf(remarksPlan, "[email:1]")
	if failing {
		m.plan = strings.Replace(m.plan, "r.remark", "r.nothing", 1)
	}
	m.starts(spoken{text: written("[email:1] has 6 remarks.", "The first remark of [email:1] is the key [token:1].")})
}

// What looks like a secret stands in a question and in cells, and comes out nowhere:
// neither in what models are sent, nor in what is answered, told, logged and recorded.
func TestPrivateValuesComeOutNowhere(t *testing.T) {
	for _, provider := range []string{"cloud", "local"} {
		for name, failing := range map[string]bool{"answered": false, "failed": true} {
			t.Run(provider+" "+name, func(t *testing.T) {
				t.Setenv("QUERENT_LOG", "trace")
				m := &speaker{}
				i := install(t, m.cloud(t), m.local(t))
				i.noteRemarks(t)
				i.keep(t)
				s := i.serve(t, provider, recordingLines+allTakenOut)
				privately(m, failing)
				run, all, answer := s.events(t, privateQuestion())
				tellsNone(t, "an event", all)
				tellsNone(t, "the answer", answer)
				_, receipt := s.get(t, http.MethodGet, "/v1/runs/"+run+"/receipt", "")
				// Who asked reads the question and what came of it, but not the rows.
				tellsNoneOf(t, tellsOfKept, "the receipt", receipt)
				if !strings.Contains(receipt, run) {
					t.Errorf("the receipt is %s", receipt)
				}
				_, metrics := s.get(t, http.MethodGet, "/metrics", "")
				tellsNone(t, "the metrics", metrics)
				if !strings.Contains(metrics, "querent_") {
					t.Errorf("the metrics are %s", metrics)
				}
				s.stop(t)
				tellsNone(t, "the log", s.log.String())
				log, err := os.ReadFile(filepath.Join(i.dir, "audit.jsonl"))
				if err != nil || !strings.Contains(string(log), run) {
					t.Errorf("the audit log: %v\n%s", err, log)
				}
				tellsNone(t, "the audit log", string(log))
				m.saw(t, !failing)
				if failing == strings.Contains(answer, `"outcome":"answered"`) {
					t.Errorf("the answer is %s", answer)
				}
				if !failing {
					onePlaceholderEach(t, m, all, answer)
				}
			})
		}
	}
}

// events are the id of a run, all its events and its answer, as they came.
func (s *serving) events(t *testing.T, question string) (run, all, answer string) {
	t.Helper()
	res, err := s.do(t.Context(), "POST", "/v1/ask", fmt.Sprintf(`{"question": %q, "stream": true}`, question))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	list, answer, err := story(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(list, func(e graph.Event) bool { return e.Type == graph.AnswerCompleted }) {
		t.Errorf("there is no answer in %s", text)
	}
	return res.Header.Get("Querent-Run-Id"), string(text), answer
}

// saw looks at what the model's server was sent.
func (m *speaker) saw(t *testing.T, words bool) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.planned) == 0 || words && len(m.asked) == 0 {
		t.Errorf("the model was asked for %d plans and %d texts", len(m.planned), len(m.asked))
	}
	for _, body := range append(slices.Clone(m.planned), m.asked...) {
		tellsNone(t, "a prompt", string(body))
		if !strings.Contains(string(body), "[email:1]") {
			t.Errorf("the model was not told of the placeholder: %s", body)
		}
	}
}

// onePlaceholderEach expects the same placeholder for a value wherever it stands.
func onePlaceholderEach(t *testing.T, m *speaker, events, answer string) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	prompts := ""
	for _, body := range append(slices.Clone(m.planned), m.asked...) {
		prompts += string(body)
	}
	seen, kinds := named(prompts+events+answer), map[string]bool{}
	for _, p := range seen {
		kinds[placeholder.FindStringSubmatch(p)[1]] = true
	}
	if len(seen) != len(inQuestion)+len(inCells) || len(kinds) != len(inQuestion) {
		t.Errorf("the placeholders of %d values are %q", len(inQuestion)+len(inCells), seen)
	}
	for _, want := range []string{"[email:1] has 6 remarks.", "is the key [token:1]."} {
		if !strings.Contains(answer, want) {
			t.Errorf("%q is not in the answer %s", want, answer)
		}
	}
}

// On the command line, too, with every log.
func TestPrivateValuesComeOutNowhereOnTheCommandLine(t *testing.T) {
	m := &speaker{}
	i := install(t, m.cloud(t), "http://127.0.0.1:1")
	i.noteRemarks(t)
	i.keep(t)
	config := i.arrange(t, errand{more: allTakenOut + "callers: {cli: {role: analyst}}"})
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, append(text, recordingLines...), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, failing := range []bool{false, true} {
		for _, format := range []string{"text", "json", "table", "csv"} {
			privately(m, failing)
			code, out := i.querentWithKey(t, "ask", "--config", config, "--log-level", "trace", "--verbose", "--format", format, privateQuestion())
			tellsNone(t, "ask --format "+format, out)
			if want := map[bool]int{false: 0, true: 4}[failing]; code != want || !strings.Contains(out, "[email:1]") {
				t.Errorf("--format %s: exit %d, want %d\n%s", format, code, want, out)
			}
		}
	}
	m.saw(t, true)
	run := strings.TrimSpace(i.lastRun(t))
	if code, out := i.querentWithKey(t, "receipt", "export", run, filepath.Join(i.dir, "given.json"), "--redacted", "--config", config); code != 0 {
		t.Errorf("exit %d\n%s", code, out)
	}
	given, err := os.ReadFile(filepath.Join(i.dir, "given.json"))
	if err != nil || !strings.Contains(string(given), run) {
		t.Errorf("the redacted receipt: %v\n%s", err, given)
	}
	tellsNone(t, "the redacted receipt", string(given))
	_, list := i.querentWithKey(t, "runs", "list", "--config", config)
	tellsNone(t, "runs list", list)
	log, err := os.ReadFile(filepath.Join(i.dir, "audit.jsonl"))
	if err != nil || len(log) == 0 {
		t.Fatal(err)
	}
	tellsNone(t, "the audit log", string(log))
}

// querentWithKey runs the host with the key that its configuration names.
func (i *installation) querentWithKey(t *testing.T, args ...string) (int, string) {
	t.Helper()
	t.Setenv("TEST_API_KEY", testKey)
	return i.querent(t, args...)
}

// lastRun is the id of the last run of the audit log.
func (i *installation) lastRun(t *testing.T) string {
	t.Helper()
	entries := i.kinds(t, audit.RunFinished)
	if len(entries) == 0 {
		t.Fatal("no run is in the audit log")
	}
	return entries[len(entries)-1].RunID
}

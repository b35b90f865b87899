package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"querent.dev/querent/plugins/ollama/ollamatest"
	"querent.dev/querent/plugins/openai/openaitest"
)

const (
	planOfAddresses = `{"from":"addresses","select":["count(*) as n"]}`
	probeAnswer     = `{"sum": 42}`
)

// examine runs querent doctor and returns its checks by name.
func (i *installation) examine(t *testing.T, config string, flags ...string) (map[string]checkReport, int) {
	t.Helper()
	cmd := exec.Command(filepath.Join(i.dir, "querent"), append([]string{"doctor", "--config", config, "--output", "json"}, flags...)...)
	cmd.Env = append(os.Environ(), "TEST_API_KEY="+testKey)
	out, err := cmd.Output()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	if strings.Contains(string(out), testKey) {
		t.Errorf("the key is in the output\n%s", out)
	}
	var report doctorReport
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if code := cmd.ProcessState.ExitCode(); code != report.Exit {
		t.Errorf("exit code %d, but the report says %d", code, report.Exit)
	}
	checks := map[string]checkReport{}
	for _, c := range report.Checks {
		checks[c.Check] = c
	}
	return checks, report.Exit
}

func (c checkReport) String() string {
	return fmt.Sprintf("%s %s: %s -> %s", c.Status, c.Check, c.Detail, c.Advice)
}

// answering answers the probe and the plan, whichever a model is asked for.
func answering[Request interface{ Object() map[string]any }, Reply any](text func(string) Reply, probe, plan string) func(Request) Reply {
	return func(r Request) Reply {
		if asked, _ := json.Marshal(r.Object()); strings.Contains(string(asked), "17 + 25") {
			return text(probe)
		}
		return text(plan)
	}
}

const (
	localModel  = "provider local: model qwen2.5-coder:7b"
	cloudModel  = "provider cloud: model gpt-5-mini"
	inStructure = ", structured output"
	realPlan    = "one real plan"
)

// Each fault of a model is told by the check that meets it, and the others are made.
func TestDoctorExaminesALocalModel(t *testing.T) {
	for name, c := range map[string]struct {
		script ollamatest.Script
		exit   int
		want   map[string]string // check: what its report holds
	}{
		"well": {
			ollamatest.Script{Chat: answering[ollamatest.Request](ollamatest.Text, probeAnswer, planOfAddresses)}, 0,
			map[string]string{
				localModel: "ok " + localModel + ": present; 32768 tokens of context", localModel + inStructure: "as one JSON object of the schema",
				realPlan: "became a plan by local that binds",
			},
		},
		"absent": {
			ollamatest.Script{Models: map[string]ollamatest.Model{}, Chat: ollamatest.Always(ollamatest.Text(planOfAddresses))}, 5,
			map[string]string{localModel: "ollama pull qwen2.5-coder:7b", localModel + inStructure: "skipped"},
		},
		"small context": {
			ollamatest.Script{
				Models: map[string]ollamatest.Model{"qwen2.5-coder:7b": {ContextLength: 2048, Capabilities: []string{"completion"}}},
				Chat:   answering[ollamatest.Request](ollamatest.Text, probeAnswer, planOfAddresses),
			}, 0,
			map[string]string{localModel: "warn"},
		},
		"words around": {
			ollamatest.Script{Chat: answering[ollamatest.Request](ollamatest.Text, "Here: {\"sum\": 42}.", planOfAddresses)}, 0,
			map[string]string{localModel + inStructure: "warn"},
		},
		"no form": {
			ollamatest.Script{Chat: answering[ollamatest.Request](ollamatest.Text, "forty-two", planOfAddresses)}, 5,
			map[string]string{localModel + inStructure: "not as one JSON object of the schema", realPlan: "ok"},
		},
		"a plan that does not bind": {
			ollamatest.Script{Chat: answering[ollamatest.Request](ollamatest.Text, probeAnswer, `{"from":"addrezzes","select":["count(*)"]}`)}, 4,
			map[string]string{localModel + inStructure: "ok", realPlan: "fail"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := ollamatest.New(t, c.script)
			i := install(t, "http://127.0.0.1:1", server.URL)
			checks, exit := i.examine(t, i.configure(t, "local"))
			if exit != c.exit {
				t.Errorf("exit code %d, want %d: %v", exit, c.exit, checks)
			}
			for check, want := range c.want {
				if got := checks[check].String(); !strings.Contains(got, want) {
					t.Errorf("%q, want %q", got, want)
				}
			}
			if got := checks["datasource demo: structure"]; got.Status != checkOK {
				t.Errorf("the database was not examined: %v", got)
			}
		})
	}
}

// A server that takes no schema is asked in another mode, which is worth a warning.
func TestDoctorTellsOfAServerWithoutSchemas(t *testing.T) {
	server := openaitest.New(t, openaitest.Script{Models: []string{"gpt-5-mini"}, Chat: func(r openaitest.Request) openaitest.Reply {
		if form, _ := r.Object()["response_format"].(map[string]any); form["type"] == "json_schema" {
			return openaitest.JSONError(400, "This response_format type is unavailable now", "invalid_request_error", "", "invalid_request_error")
		}
		return answering[openaitest.Request](openaitest.Text, probeAnswer, planOfAddresses)(r)
	}})
	i := install(t, server.BaseURL(), "http://127.0.0.1:1")
	checks, exit := i.examine(t, i.configure(t, "cloud"))
	got := checks[cloudModel+inStructure]
	if got.Status != checkWarn || !strings.Contains(got.Advice, "mode json") || exit != 0 {
		t.Errorf("exit code %d: %v", exit, got)
	}
	if got := checks[cloudModel]; !strings.Contains(got.Detail, "limit of an answer: max_tokens") {
		t.Errorf("%v", got)
	}
}

// A key that is refused, and a server that is not there, are told as what they are.
func TestDoctorExaminesARemoteModel(t *testing.T) {
	refuses := openaitest.New(t, openaitest.Script{
		Chat: openaitest.Always(openaitest.JSONError(401, "bad key "+testKey, "invalid_request_error", "", "invalid_api_key")),
		ModelCall: func(openaitest.Request) openaitest.Reply {
			return openaitest.JSONError(401, "bad key", "", "", "invalid_api_key")
		},
	})
	for name, c := range map[string]struct{ server, want string }{
		"refused": {refuses.BaseURL(), "PROVIDER_AUTH_FAILED"}, "not there": {"http://127.0.0.1:1/v1", "PROVIDER_UNAVAILABLE"},
	} {
		t.Run(name, func(t *testing.T) {
			i := install(t, c.server, "http://127.0.0.1:1")
			checks, exit := i.examine(t, i.configure(t, "cloud"))
			if got := checks[cloudModel]; exit != 5 || got.Status != checkFail || !strings.Contains(got.Detail, c.want) {
				t.Errorf("exit %d: %v, want %s", exit, got, c.want)
			}
			if got := checks[realPlan]; got.Status != checkFail || got.Advice == "" {
				t.Errorf("the plan: %v", got)
			}
		})
	}
}

// A model that never answers ends its own checks alone.
func TestDoctorWaitsForNoModelForever(t *testing.T) {
	server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Reply{Hang: true})})
	i := install(t, server.BaseURL(), "http://127.0.0.1:1")
	i.timeout = "2s"
	checks, exit := i.examine(t, i.configure(t, "cloud"))
	if got := checks[cloudModel+inStructure]; exit != 5 || got.Status != checkFail || !strings.Contains(got.Detail, "PROVIDER_TIMEOUT") {
		t.Errorf("exit %d: %v", exit, got)
	}
	if got := checks["templates"]; got.Status != checkOK {
		t.Errorf("the templates were not examined: %v", got)
	}
}

// --quick asks no model for words.
func TestQuickDoctorAsksNoModel(t *testing.T) {
	server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Text(planOfAddresses))})
	i := install(t, server.BaseURL(), "http://127.0.0.1:1")
	checks, exit := i.examine(t, i.configure(t, "cloud"), "--quick")
	if exit != 0 || checks[cloudModel].Status != checkOK {
		t.Errorf("exit %d: %v", exit, checks)
	}
	for _, name := range []string{cloudModel + inStructure, realPlan} {
		if got := checks[name]; got.Status != checkSkipped {
			t.Errorf("%v, want it skipped", got)
		}
	}
	if n := len(server.Chats()); n > 0 {
		t.Errorf("the model was asked %d times", n)
	}
}

// Providers that only the agents between planner and synthesizer name are started
// like the others.
func TestEveryAgentsProviderIsInUse(t *testing.T) {
	local := ollamatest.New(t, ollamatest.Script{Chat: ollamatest.Always(ollamatest.Text("{}"))})
	i := install(t, "http://127.0.0.1:1", local.URL)
	path := i.configure(t, "fixed")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text = []byte(strings.Replace(string(text), "agents:\n", "agents:\n  decomposer: {provider: local}\n", 1))
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := i.ask(t, path, "How many stores are there?"); got.exit != 0 || len(got.rows) != 1 {
		t.Errorf("exit %d\n%s\n%s", got.exit, got.raw, got.stderr)
	}
	checks, _ := i.examine(t, path, "--quick")
	if got := checks[localModel]; got.Status != checkOK {
		t.Errorf("%v", got)
	}
}

func TestNamesThatLookPersonal(t *testing.T) {
	for name, want := range map[string]bool{
		"email": true, "E_Mail": true, "customerEmail": true, "home_phone": true, "PhoneNumbers": true, "password_hash": true, "user_pwd": true,
		"SSN": true, "BirthDate": true, "date_of_birth": true, "credit_card_no": true, "api_key": true, "고객_이메일": true, "전화번호": true,
		"name": false, "mailing_id": false, "country": false, "hired_on": false, "card_type": false, "tokenizer": false, "phonetic": false, "": false,
	} {
		if got := personal(name); got != want {
			t.Errorf("personal(%q) = %t", name, got)
		}
	}
}

// Every way to write the list takes an entry, or is refused; what else stands in
// the file stays.
func TestEntriesAreAddedWhereTheyBelong(t *testing.T) {
	const entry = "  - id: b\n    datasource: d\n"
	for name, c := range map[string]struct{ text, want string }{
		"no list":         {"version: 1\n", "version: 1\n\nverified:\n" + entry},
		"at the end":      {"verified:\n  - id: a\n", "verified:\n  - id: a\n" + entry},
		"no last newline": {"verified:\n  - id: a", "verified:\n  - id: a\n" + entry},
		"in the middle":   {"verified: # mine\n  - id: a\n\n# next\nsettings: {}\n", "verified: # mine\n  - id: a\n" + entry + "\n# next\nsettings: {}\n"},
		"without indent":  {"verified:\n- id: a\nstore: {}\n", "verified:\n- id: a\n- id: b\n  datasource: d\nstore: {}\n"},
		"deeper":          {"verified:\n    - id: a\n", "verified:\n    - id: a\n    - id: b\n      datasource: d\n"},
		"as init writes":  {"verified: []\n\nsettings: {}\n", "verified:\n" + entry + "\nsettings: {}\n"},
		"written as none": {"version: 1\nverified: null  # none yet\n", "version: 1\nverified:  # none yet\n" + entry},
		"flow":            {"verified: [{id: a}]\n", ""},
	} {
		got, err := withEntry([]byte(c.text), entry)
		if (err != nil) != (c.want == "") || err == nil && string(got) != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, c.want)
		}
	}
}

func TestInitTakesWhatIsAnswered(t *testing.T) {
	f := initFlags{role: firstRole}
	var asked strings.Builder
	if err := f.ask(strings.NewReader("my.db\n\n clerk \n"), &asked); err != nil {
		t.Fatal(err)
	}
	if want := (initFlags{db: "my.db", role: "clerk"}); f != want {
		t.Errorf("got %+v, want %+v", f, want)
	}
	if err := new(initFlags).ask(strings.NewReader("my.db\n"), &asked); err == nil {
		t.Error("questions that were not answered are taken")
	}
}

func TestDSNsWithSecretsStayOutOfTheFile(t *testing.T) {
	for dsn, secret := range map[string]bool{
		"postgres://reader@h/shop": false, "postgres://h/shop": false, "postgres://reader:hush@h/shop": true,
		"mysql://reader:@h/shop": true, "postgres://reader@h/shop?password=hush": true,
	} {
		s := &starter{id: "my-shop"}
		s.datasource.DSN = dsn
		got := s.dsn()
		if secret && (got != "${env:MY_SHOP_DSN}" || !slices.Equal(s.environment, []string{"MY_SHOP_DSN"})) || !secret && got != dsn {
			t.Errorf("%s is written as %s, with the variables %v", dsn, got, s.environment)
		}
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

//go:build ollama

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/plugins/ollama/realollama"
	"querent.dev/querent/plugins/ollama/tinymodel"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// What a scripted model can only have read in a prompt.
const (
	nationRefused = "select item 1, character 1: there is no column 'nation' in 's'; there are 'city', 'closed_on', 'country'"
	rowsToWord    = `"rows":[["France",2],["Germany",2],["Poland",2]`
	toAdvise      = "Say what to change."
	advised       = "Write country where you wrote nation."
)

// configureReal is the configuration with the local server for every agent, its
// context long enough for a model that reads byte by byte and its answers for one
// that does not end, and more settings.
func (i *installation) configureReal(t *testing.T, more string) string {
	t.Helper()
	path := i.configure(t, "local")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	url := fmt.Sprintf("{url: %q", i.local)
	changed := strings.Replace(string(text), url, url+", num_ctx: 32768, num_predict: 16000", 1)
	if changed == string(text) {
		t.Fatalf("the configuration has no %s", url)
	}
	path = filepath.Join(i.dir, "real.yaml")
	if err := os.WriteFile(path, []byte(changed+more), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// A whole run with a real server: a model plans with a column that is not there, is
// told so, plans anew, and words the rows. It says each only if the prompt holds
// what it answers, so all of it went through the prompts and the wire.
func TestRealModelRepairsItsPlan(t *testing.T) {
	firstPlan := strings.ReplaceAll(modelPlan, "country", "nation")
	for _, tc := range []struct {
		name, settings string
		script         []tinymodel.Line
		calls          int
	}{
		{"by the message", "", []tinymodel.Line{
			{Say: firstPlan}, {When: nationRefused, Say: modelPlan}, {When: rowsToWord, Say: modelAnswer},
		}, 3},
		{"by the advice of a refiner", "settings: {sql_agent: {refine: model}}\n", []tinymodel.Line{
			{Say: firstPlan}, {When: advised, Say: modelPlan}, {When: toAdvise, Say: `{"advice":"` + advised + ` "}`}, {When: rowsToWord, Say: modelAnswer},
		}, 4},
	} {
		t.Run(tc.name, func(t *testing.T) {
			server := realollama.Start(t, realollama.Options{})
			model, err := tinymodel.Scripted(tc.script...)
			if err != nil {
				t.Fatal(err)
			}
			server.Create(t, "qwen2.5-coder:7b", model)
			i := install(t, "http://127.0.0.1:1", server.URL)
			i.timeout = "50s" // reading byte by byte takes its time
			got := i.ask(t, i.configureReal(t, tc.settings), question)
			if got.exit != 0 || got.answer.Outcome != wire.Answered || got.answer.SynthesizedBy != "local" {
				t.Fatalf("exit %d, worded by %s (%s)\n%s\n%s\n%s", got.exit, got.answer.SynthesizedBy, got.answer.FallbackReason, got.raw, got.stderr, server.Log())
			}
			if want := "The full result is in the table, 19 rows by country."; got.answer.Summary != want || len(got.rows) != 19 || fmt.Sprint(got.rows[0]) != "[France 2]" {
				t.Errorf("the answer is %q with rows %v", got.answer.Summary, got.rows)
			}
			for _, want := range []string{`"code":"PLAN_INVALID"`, nationRefused, `"recovered":true`} {
				if !strings.Contains(string(got.raw), want) {
					t.Errorf("the run does not say %s\n%s", want, got.raw)
				}
			}
			if n := strings.Count(server.Log(), `"/api/chat"`); n != tc.calls {
				t.Errorf("the model was asked %d times, want %d\n%s", n, tc.calls, server.Log())
			}
		})
	}
}

// A model that never learns is refused as often as the settings allow, and the run
// ends with the message that it did not heed.
func TestRealModelThatDoesNotLearn(t *testing.T) {
	server := realollama.Start(t, realollama.Options{})
	model, err := tinymodel.Scripted(
		tinymodel.Line{Say: strings.ReplaceAll(modelPlan, "country", "nation")},
		tinymodel.Line{When: nationRefused, Say: strings.ReplaceAll(modelPlan, "country", "land")},
		tinymodel.Line{When: "there is no column 'land' in 's'", Say: strings.ReplaceAll(modelPlan, "country", "state")},
		tinymodel.Line{When: "You explain why a question about a database was not answered.", Say: `{"summary":"There is no such column.","format_type":"text","content":"","warnings":[]}`},
	)
	if err != nil {
		t.Fatal(err)
	}
	server.Create(t, "qwen2.5-coder:7b", model)
	i := install(t, "http://127.0.0.1:1", server.URL)
	i.timeout = "50s"
	got := i.ask(t, i.configureReal(t, ""), question)
	if got.exit != reason.ExitCannotAnswer || !strings.Contains(string(got.raw), "there is no column 'state' in 's'") {
		t.Errorf("exit %d\n%s\n%s", got.exit, got.raw, got.stderr)
	}
}

// A model that writes as much as the form of plans lets it is stopped by the agent's
// time, and the host leaves neither a process nor work behind.
func TestRealModelThatNeverEnds(t *testing.T) {
	server := realollama.Start(t, realollama.Options{})
	model, err := tinymodel.Scripted(tinymodel.Line{
		Say:     `{"with":[],"from":"stores","joins":[],"where":"","group":[],"select":["`,
		Endless: strings.Repeat("stores and more ", 24) + `","`,
	})
	if err != nil {
		t.Fatal(err)
	}
	server.Create(t, "qwen2.5-coder:7b", model)
	i := install(t, "http://127.0.0.1:1", server.URL)
	i.timeout = "2s"
	got := i.ask(t, i.configureReal(t, ""), question)
	if got.exit != reason.ExitProvider || got.answer.Failure == nil || got.answer.Failure.Code != reason.ProviderCode(reason.Timeout) {
		t.Errorf("exit %d\n%s\n%s", got.exit, got.raw, got.stderr)
	}
	for worked, tries := -1, 0; worked != server.Work(t); tries++ {
		if worked = server.Work(t); tries > 50 {
			t.Fatal("the server still works for a host that has ended")
		}
		time.Sleep(200 * time.Millisecond)
	}
}

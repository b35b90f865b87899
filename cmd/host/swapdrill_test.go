package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"querent.dev/querent/core/graph"
	"querent.dev/querent/plugins/ollama/ollamatest"
	"querent.dev/querent/plugins/openai/openaitest"
	"querent.dev/querent/sdk/wire"
)

const (
	drillAskers    = 64
	drillQuestions = 2000
	drillSwitches  = 20
	drillKills     = 20
	// drillStep is how many questions there are for each switch and each kill.
	drillStep = drillQuestions / (drillSwitches + drillKills)
	// drillOffset makes what a question is answered with other than its number.
	drillOffset = 100_000
	// thinking is how long the models take, so that calls are on their way when a
	// plugin is switched or killed.
	thinking = 30 * time.Millisecond
)

// drillPlugins are the plugins of the providers that the drill switches between.
var drillPlugins = map[string]string{"cloud": "openai", "local": "ollama"}

var drillNumber = regexp.MustCompile(`Drill question (\d+)`)

// drillModels count what the fake servers were asked, by question.
type drillModels struct {
	mu             sync.Mutex
	planned, named map[int]int
	strange        []string
}

// say is what a model writes: the plan of the number that is asked for, or words with
// what it came to.
func (m *drillModels) say(body []byte) string {
	time.Sleep(thinking)
	found := drillNumber.FindAllSubmatch(body, -1)
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(found) == 0 {
		m.strange = append(m.strange, string(body))
		return "{}"
	}
	n, _ := strconv.Atoi(string(found[len(found)-1][1])) // they are digits
	if bytes.Contains(body, []byte("format_type")) {
		m.named[n]++
		return fmt.Sprintf(`{"summary":"The number is %d.","format_type":"text","content":"","warnings":[]}`, n+drillOffset)
	}
	m.planned[n]++
	return fmt.Sprintf(`{"with":[],"from":"stores s","joins":[],"where":"s.id = 1","group":[],"select":["s.id - 1 + %d as number"],"having":"","order":[],"limit":0,"offset":0,"per":[],"distinct":false}`, n+drillOffset)
}

// drillAnswer is what a question came to.
type drillAnswer struct {
	run             string
	planner, worder string
	err             error
}

// TestSwapDrill switches between two plugins and kills them while 64 ask: no question
// is lost, fails or is answered twice or wrongly, and the two plugins plan and word.
func TestSwapDrill(t *testing.T) {
	models := &drillModels{planned: map[int]int{}, named: map[int]int{}}
	cloud := openaitest.New(t, openaitest.Script{Chat: func(r openaitest.Request) openaitest.Reply { return openaitest.Text(models.say(r.Body)) }})
	local := ollamatest.New(t, ollamatest.Script{Chat: func(r ollamatest.Request) ollamatest.Reply { return ollamatest.Text(models.say(r.Body)) }})
	i := install(t, cloud.BaseURL(), local.URL)
	s := i.serve(t, "cloud")
	d := &drill{installation: i, serving: s, config: filepath.Join(i.dir, "cloud.yaml"), provider: "cloud"}
	answers := d.run(t)
	s.scrape(t, "querent_runs_total{code=\"\",outcome=\"answered\",reason=\"\"} "+strconv.Itoa(drillQuestions))
	d.judge(t, answers, models)
	s.stop(t)
}

// drill changes a server while it is asked.
type drill struct {
	*installation
	*serving
	config         string
	provider       string // that the configuration names now
	switches, dead int
}

// run asks all questions, and switches and kills meanwhile: each step's questions are
// let go when the change of the step before last is done.
func (d *drill) run(t *testing.T) []drillAnswer {
	answers := make([]drillAnswer, drillQuestions)
	questions := make(chan int)
	var asking sync.WaitGroup
	for range drillAskers {
		asking.Go(func() {
			for n := range questions {
				answers[n] = d.ask(t.Context(), n)
			}
		})
	}
	changed := make(chan struct{}, 2) // how many steps the questions are ahead
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		for n := range drillQuestions {
			if n%drillStep == 0 {
				changed <- struct{}{}
			}
			questions <- n
		}
	}()
	for step := range drillSwitches + drillKills {
		if step%2 == 0 {
			d.switchOver(t)
		} else {
			d.kill(t)
		}
		<-changed
	}
	<-asked
	close(questions)
	asking.Wait()
	return answers
}

// ask asks a question and checks its answer.
func (d *drill) ask(ctx context.Context, n int) (out drillAnswer) {
	res, err := d.do(ctx, "POST", "/v1/ask", fmt.Sprintf(`{"question": "Drill question %d: what is its number?", "stream": true}`, n))
	if err != nil {
		return drillAnswer{err: err}
	}
	defer res.Body.Close()
	all, text, err := story(res.Body)
	if err != nil || len(all) == 0 {
		return drillAnswer{err: errors.Join(err, fmt.Errorf("status %d, %d events", res.StatusCode, len(all)))}
	}
	out.run = all[0].RunID
	var a struct {
		wire.Answer
		Results []struct {
			Rows [][]any `json:"rows"`
		} `json:"results"`
	}
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		return drillAnswer{err: fmt.Errorf("%w: %s", err, text)}
	}
	want := strconv.Itoa(n + drillOffset)
	if last := all[len(all)-1].Type; last != graph.RunCompleted || a.Outcome != wire.Answered || len(a.Results) != 1 ||
		fmt.Sprint(a.Results[0].Rows) != "[["+want+"]]" || !strings.Contains(strings.ReplaceAll(a.Summary, ",", ""), want) {
		out.err = fmt.Errorf("%s, %s", last, text)
	}
	out.worder = a.SynthesizedBy
	if len(a.Queries) == 1 {
		out.planner = a.Queries[0].Planner
	}
	return out
}

// switchOver makes the other provider that of all agents.
func (d *drill) switchOver(t *testing.T) {
	t.Helper()
	next := map[string]string{"cloud": "local", "local": "cloud"}[d.provider]
	text, err := os.ReadFile(d.config)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte("default: {provider: "+d.provider), []byte("default: {provider: "+next), 1)
	if err := os.WriteFile(d.config+".new", text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(d.config+".new", d.config); err != nil {
		t.Fatal(err)
	}
	if out, err := d.plugins(t, "reload"); err != nil {
		t.Errorf("reload: %v\n%s", err, out)
		return
	}
	d.provider = next
	d.switches++
}

// plugins runs querent plugins for the server's configuration.
func (d *drill) plugins(t *testing.T, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(t.Context(), hostDeadline)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(d.dir, "querent"), append(append([]string{"plugins"}, args...), "--config", d.config)...)
	cmd.Env = append(os.Environ(), "TEST_API_KEY="+testKey)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// kill kills the plugin that is asked. One that is just being restarted is waited for.
func (d *drill) kill(t *testing.T) {
	t.Helper()
	plugin := filepath.Join(d.dir, "querent-plugin-"+drillPlugins[d.provider])
	for deadline := time.Now().Add(hostDeadline); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		for _, exe := range executables(t) {
			if exe.path == plugin && syscall.Kill(exe.pid, syscall.SIGKILL) == nil {
				d.dead++
				return
			}
		}
	}
	t.Errorf("no process of %s to kill", plugin)
}

// judge checks the answers of all, and prints what came of them.
func (d *drill) judge(t *testing.T, answers []drillAnswer, models *drillModels) {
	t.Helper()
	runs := map[string]int{}
	by := map[string]int{}
	both, failed := 0, 0
	for n, a := range answers {
		if a.err != nil {
			if failed++; failed <= 5 {
				t.Errorf("question %d: %v", n, a.err)
			}
			continue
		}
		if first, twice := runs[a.run]; twice {
			t.Errorf("run %s answers the questions %d and %d", a.run, first, n)
		}
		runs[a.run] = n
		by["planned by "+a.planner]++
		by["worded by "+a.worder]++
		if drillPlugins[a.planner] != "" && drillPlugins[a.worder] != "" {
			both++
		}
		if models.planned[n] == 0 && drillPlugins[a.planner] != "" || models.named[n] == 0 && drillPlugins[a.worder] != "" {
			t.Errorf("question %d was planned %d times and worded %d times by the servers", n, models.planned[n], models.named[n])
		}
	}
	again := 0
	for _, asked := range []map[int]int{models.planned, models.named} {
		for _, times := range asked {
			again += times - 1
		}
	}
	t.Logf("%d questions, %d failed; %d switches, %d kills; %v; %d calls repeated", len(answers), failed, d.switches, d.dead, by, again)
	if d.switches != drillSwitches || d.dead != drillKills {
		t.Errorf("%d switches and %d kills, want %d and %d", d.switches, d.dead, drillSwitches, drillKills)
	}
	if failed > 0 || both*100 < len(answers)*95 {
		t.Errorf("%d failed; %d of %d planned and worded by the two plugins", failed, both, len(answers))
	}
	if len(models.strange) > 0 {
		t.Errorf("the servers were asked %d strange things, such as %.300s", len(models.strange), models.strange[0])
	}
}

// scrape reads the metrics, and expects lines among them.
func (s *serving) scrape(t *testing.T, want ...string) string {
	t.Helper()
	res, err := s.do(t.Context(), "GET", "/metrics", "")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range want {
		if !strings.Contains(string(text), line+"\n") {
			t.Errorf("the metrics lack %q\n%s", line, text)
		}
	}
	return string(text)
}

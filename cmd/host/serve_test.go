package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/server"
	"querent.dev/querent/plugins/openai/openaitest"
	"querent.dev/querent/sdk/wire"
)

// serving is a host that serves, with a key of its analyst.
type serving struct {
	url, key string
	process  *exec.Cmd
	log      *bytes.Buffer // read it after stop
	logged   chan struct{}
}

// serve starts the host as operators do, on a free port, with more lines of
// configuration.
func (i *installation) serve(t *testing.T, provider string, more ...string) *serving {
	t.Helper()
	config := i.configure(t, provider)
	key, hash := server.NewKey()
	keys := fmt.Sprintf("keys:\n  - {id: reports, hash: %q, role: analyst}\n", hash)
	if err := os.WriteFile(filepath.Join(i.dir, "keys.txt"), []byte(keys), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	lines := "server: {listen: \"127.0.0.1:0\", api_keys: keys.txt, drain_timeout: 1s}\n" + strings.Join(more, "\n")
	text = []byte(without(string(text), lines) + lines)
	if err := os.WriteFile(config, text, 0o600); err != nil {
		t.Fatal(err)
	}
	s := &serving{key: key, log: &bytes.Buffer{}, logged: make(chan struct{})}
	s.process = exec.Command(filepath.Join(i.dir, "querent"), "serve", "--config", config)
	s.process.Env = append(os.Environ(), "TEST_API_KEY="+testKey)
	stderr, err := s.process.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.stop(t) })
	told := bufio.NewReader(io.TeeReader(stderr, s.log))
	for s.url == "" {
		line, err := told.ReadString('\n')
		if err != nil {
			_ = s.process.Wait() // its log says why
			t.Fatalf("the host does not serve: %v\n%s", err, s.log)
		}
		_, s.url, _ = strings.Cut(strings.TrimSpace(line), "serving on ")
	}
	go func() {
		defer close(s.logged)
		_, _ = io.Copy(io.Discard, told)
	}()
	return s
}

// stop sends SIGTERM and expects the host to end well.
func (s *serving) stop(t *testing.T) {
	t.Helper()
	if s.process.ProcessState != nil {
		return
	}
	if err := s.process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	kill := time.AfterFunc(hostDeadline, func() { _ = s.process.Process.Kill() })
	defer kill.Stop()
	<-s.logged
	if err := s.process.Wait(); err != nil {
		t.Errorf("the host ended with %v\n%s", err, s.log)
	}
	if strings.Contains(s.log.String(), s.key) || strings.Contains(s.log.String(), testKey) {
		t.Errorf("a key is in the log\n%s", s.log)
	}
}

func (s *serving) do(ctx context.Context, method, path, body string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, s.url+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+s.key)
	r.Header.Set("Content-Type", "application/json")
	return http.DefaultClient.Do(r)
}

// event reads the next event of a stream.
func event(r *bufio.Reader) (graph.Event, string, error) {
	var e graph.Event
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return e, "", err
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			return e, data, json.Unmarshal([]byte(data), &e)
		}
	}
}

// story reads a stream to its end, which is its one terminal event.
func story(body io.Reader) (all []graph.Event, answer string, err error) {
	ends := 0
	for r := bufio.NewReader(body); ; {
		e, data, err := event(r)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return all, answer, err
		}
		all = append(all, e)
		if e.Type.Terminal() {
			ends++
		}
		if e.Type == graph.AnswerCompleted {
			_, answer, _ = strings.Cut(strings.TrimSuffix(data, "}}\n"), `"data":{"answer":`)
		}
	}
	if ends != 1 || !all[len(all)-1].Type.Terminal() {
		return all, answer, fmt.Errorf("%d terminal events among %d", ends, len(all))
	}
	return all, answer, nil
}

// planAndAnswer answers requests for plans with plan, and those for words with
// words, a few characters at a time when they are streamed.
func planAndAnswer(plan, words string) func(openaitest.Request) openaitest.Reply {
	return func(r openaitest.Request) openaitest.Reply {
		if bytes.Contains(r.Body, []byte("aggregated_response")) {
			return openaitest.Reply{Content: words, PieceLength: 7}
		}
		return openaitest.Text(plan)
	}
}

const spokenAnswer = `{"summary":"There are 19 rows. \"Where\" is in the table \u2013 by country. ","format_type":"text","content":"See\nthe table.","warnings":[]}`

// The streamed words are the answer's, and the answer is the one at once.
func TestServedAnswers(t *testing.T) {
	cloud := openaitest.New(t, openaitest.Script{Chat: planAndAnswer(modelPlan, spokenAnswer)})
	s := install(t, cloud.BaseURL(), "http://127.0.0.1:1").serve(t, "cloud")
	ask := fmt.Sprintf(`{"question": %q`, question)
	res, err := s.do(t.Context(), "POST", "/v1/ask", ask+`, "stream": true}`)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	all, streamed, err := story(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	said, deltas := map[string]string{}, 0
	for _, e := range all {
		if e.Type == graph.AnswerDelta {
			deltas++
			said[e.Data["field"].(string)] += e.Data["text"].(string)
		}
	}
	// Deltas that wait for a client are sent as one: at least one a field is left.
	if deltas < 2 || said["summary"] != "There are 19 rows. \"Where\" is in the table – by country. " || said["content"] != "See\nthe table." {
		t.Errorf("%d deltas: %q", deltas, said)
	}
	res, err = s.do(t.Context(), "POST", "/v1/ask", ask+`}`)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	got := asked{}
	if got.raw, err = io.ReadAll(res.Body); err != nil {
		t.Fatal(err)
	}
	got.decode(t)
	if got.answer.Outcome != wire.Answered || got.answer.SynthesizedBy != "cloud" || len(got.rows) != 19 || got.answer.Summary != said["summary"] {
		t.Errorf("answer %s", got.raw)
	}
	if _, whole, _ := strings.Cut(strings.TrimSuffix(string(got.raw), "\n}\n"), `"answer":`); whole != streamed {
		t.Errorf("the streamed answer differs\n%s\n%s", streamed, whole)
	}
	s.stop(t)
	if strings.Contains(s.log.String(), "stores") || !strings.Contains(s.log.String(), "caller=reports") {
		t.Errorf("the access log: %s", s.log)
	}
}

// A hundred clients at once, of whom a tenth leave in the middle.
func TestManyServedAtOnce(t *testing.T) {
	const clients, dropping = 100, 10
	cloud := openaitest.New(t, openaitest.Script{Chat: planAndAnswer(modelPlan, spokenAnswer)})
	s := install(t, cloud.BaseURL(), "http://127.0.0.1:1").serve(t, "cloud")
	errs := make([]error, clients)
	var wait sync.WaitGroup
	for n := range clients {
		wait.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			res, err := s.do(ctx, "POST", "/v1/ask", fmt.Sprintf(`{"question": %q, "stream": true}`, question))
			if err != nil {
				errs[n] = err
				return
			}
			defer res.Body.Close()
			if n%(clients/dropping) == 0 {
				_, _, errs[n] = event(bufio.NewReader(res.Body))
				return
			}
			all, answer, err := story(res.Body)
			if err == nil && (all[len(all)-1].Type != graph.RunCompleted || !strings.Contains(answer, `"row_count":19`)) {
				err = fmt.Errorf("it ends with %+v, %s", all[len(all)-1], answer)
			}
			errs[n] = err
		})
	}
	wait.Wait()
	for n, err := range errs {
		if err != nil {
			t.Errorf("client %d: %v", n, err)
		}
	}
}

// A plugin that dies while it is asked is back for the next attempt, and for the
// next question.
func TestAPluginThatDiesIsBack(t *testing.T) {
	i := install(t, "", "http://127.0.0.1:1")
	kill, calls := pluginKilled(t, i), 0
	var mu sync.Mutex
	answering := planAndAnswer(modelPlan, spokenAnswer)
	cloud := openaitest.New(t, openaitest.Script{Chat: func(r openaitest.Request) openaitest.Reply {
		mu.Lock()
		defer mu.Unlock()
		if calls++; calls == 1 {
			return kill(r)
		}
		return answering(r)
	}})
	i.cloud = cloud.BaseURL()
	s := i.serve(t, "cloud")
	for n, retried := range []int{1, 0} {
		res, err := s.do(t.Context(), "POST", "/v1/ask", fmt.Sprintf(`{"question": %q, "stream": true}`, question+strings.Repeat(" ", n)))
		if err != nil {
			t.Fatal(err)
		}
		all, answer, err := story(res.Body)
		res.Body.Close()
		if err != nil || all[len(all)-1].Type != graph.RunCompleted || !strings.Contains(answer, `"synthesized_by":"cloud"`) || !strings.Contains(answer, `"notes":[]`) {
			t.Errorf("question %d: %v, %s", n, err, answer)
		}
		again := 0
		for _, e := range all {
			if e.Type == graph.NodeRetrying {
				again++
			}
		}
		if again != retried {
			t.Errorf("question %d: %d retries, want %d", n, again, retried)
		}
	}
}

// A client that leaves ends the call of the model, as far as the model's server.
func TestLeavingCancelsTheModelCall(t *testing.T) {
	asked, left := make(chan struct{}, 10), make(chan struct{}, 10)
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/chat/completions") {
			http.NotFound(w, r)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		asked <- struct{}{}
		<-r.Context().Done()
		left <- struct{}{}
	}))
	defer model.Close()
	s := install(t, model.URL+"/v1", "http://127.0.0.1:1").serve(t, "cloud")
	for _, stream := range []string{"true", "false"} {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-asked
			cancel()
		}()
		res, err := s.do(ctx, "POST", "/v1/ask", fmt.Sprintf(`{"question": %q, "stream": %s}`, question, stream))
		if err == nil {
			_, err = io.ReadAll(res.Body)
			res.Body.Close()
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		select {
		case <-left:
		case <-time.After(15 * time.Second): // less than the agent's time limit
			t.Fatal("the model's server still works on it")
		}
	}
}

// endlessPlan takes days: every choice of six products.
const endlessPlan = `{"from":"products a","joins":["cross products b","cross products c","cross products d","cross products e","cross products f"],"where":"a.id + b.id + c.id + d.id + e.id + f.id > 5","select":["count(*) as n"]}`

// Cancelling a run ends its query.
func TestCancellingEndsTheQuery(t *testing.T) {
	cloud := openaitest.New(t, openaitest.Script{Chat: planAndAnswer(endlessPlan, spokenAnswer)})
	s := install(t, cloud.BaseURL(), "http://127.0.0.1:1").serve(t, "cloud",
		"settings: {nodes: {physical_validator: {max_rows: 9000000000000000000}}}")
	res, err := s.do(t.Context(), "POST", "/v1/ask", fmt.Sprintf(`{"question": %q, "stream": true}`, question))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	r := bufio.NewReader(res.Body)
	for {
		e, data, err := event(r)
		if err != nil || e.Type.Terminal() {
			t.Fatalf("the query does not begin: %v, %s", err, data)
		}
		if e.Type == graph.NodeStarted && e.Node == "executor" {
			break
		}
	}
	cancelled, err := s.do(t.Context(), "DELETE", "/v1/runs/"+res.Header.Get("Querent-Run-Id"), "")
	if err != nil {
		t.Fatal(err)
	}
	cancelled.Body.Close()
	if cancelled.StatusCode != http.StatusNoContent {
		t.Errorf("status %d", cancelled.StatusCode)
	}
	all, answer, err := story(r)
	if err != nil || all[len(all)-1].Type != graph.RunCancelled || !strings.Contains(answer, `"outcome":"cancelled"`) {
		t.Errorf("%v, %s", err, answer)
	}
}

// The host does not serve with what cannot work, and says why.
func TestServeRefusesToStart(t *testing.T) {
	i := install(t, "http://127.0.0.1:1/v1", "http://127.0.0.1:1")
	config := i.configure(t, "cloud")
	run := func(args ...string) (int, string) {
		ctx, cancel := context.WithTimeout(t.Context(), hostDeadline)
		defer cancel()
		cmd := exec.CommandContext(ctx, filepath.Join(i.dir, "querent"), append([]string{"serve", "--config", config}, args...)...)
		cmd.Env = append(os.Environ(), "TEST_API_KEY="+testKey)
		out, _ := cmd.CombinedOutput() // the exit code tells
		return cmd.ProcessState.ExitCode(), string(out)
	}
	if code, out := run("--listen", "0.0.0.0:0"); code != 2 || !strings.Contains(out, "insecure_listen") {
		t.Errorf("an open address: %d, %s", code, out)
	}
	if err := os.Remove(filepath.Join(i.dir, "querent-plugin-openai")); err != nil {
		t.Fatal(err)
	}
	if code, out := run("--listen", "127.0.0.1:0"); code != 5 || !strings.Contains(out, "querent-plugin-openai") {
		t.Errorf("no plugin: %d, %s", code, out)
	}
	if err := os.Remove(i.database()); err != nil {
		t.Fatal(err)
	}
	config = i.configure(t, "fixed")
	if code, out := run("--listen", "127.0.0.1:0"); code != 6 || !strings.Contains(out, "demo") {
		t.Errorf("no database: %d, %s", code, out)
	}
}

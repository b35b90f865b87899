package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"querent.dev/querent/core/server"
	"querent.dev/querent/plugins/ollama/ollamatest"
	"querent.dev/querent/plugins/openai/openaitest"
)

// reloading is a server between whose two providers tests switch.
type reloading struct {
	*drill
	t *testing.T
}

// serveReloading starts a server that asks the provider cloud; its models answer by
// cloud and local.
func serveReloading(t *testing.T, cloud, local func(body []byte) string) reloading {
	t.Helper()
	openai := openaitest.New(t, openaitest.Script{Chat: func(r openaitest.Request) openaitest.Reply { return openaitest.Text(cloud(r.Body)) }})
	ollama := ollamatest.New(t, ollamatest.Script{Chat: func(r ollamatest.Request) ollamatest.Reply { return ollamatest.Text(local(r.Body)) }})
	i := install(t, openai.BaseURL(), ollama.URL)
	s := i.serve(t, "cloud")
	return reloading{&drill{installation: i, serving: s, config: filepath.Join(i.dir, "cloud.yaml"), provider: "cloud"}, t}
}

// standard plans and words.
func standard(body []byte) string {
	if bytes.Contains(body, []byte("format_type")) {
		return modelAnswer
	}
	return modelPlan
}

// edit replaces a text of the configuration, by a file of its own that takes the
// file's place.
func (r reloading) edit(before, after string) {
	r.t.Helper()
	text, err := os.ReadFile(r.config)
	if err != nil || !bytes.Contains(text, []byte(before)) {
		r.t.Fatalf("the configuration lacks %q: %v", before, err)
	}
	if err := os.WriteFile(r.config+".new", bytes.Replace(text, []byte(before), []byte(after), 1), 0o600); err != nil {
		r.t.Fatal(err)
	}
	if err := os.Rename(r.config+".new", r.config); err != nil {
		r.t.Fatal(err)
	}
}

// worder is who words the answer to a question.
func (r reloading) worder() string {
	r.t.Helper()
	res, err := r.do(r.t.Context(), "POST", "/v1/ask", fmt.Sprintf(`{"question": %q}`, question))
	if err != nil {
		r.t.Fatal(err)
	}
	defer res.Body.Close()
	var a struct {
		Answer struct {
			SynthesizedBy string `json:"synthesized_by"`
		} `json:"answer"`
	}
	if err := json.NewDecoder(res.Body).Decode(&a); err != nil {
		r.t.Fatal(err)
	}
	return a.Answer.SynthesizedBy
}

// eventually waits until the answers are worded by a provider.
func (r reloading) eventually(provider string) {
	r.t.Helper()
	for deadline := time.Now().Add(hostDeadline); r.worder() != provider; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			r.t.Fatalf("answers are not worded by %s\n%s", provider, r.log)
		}
	}
}

// A configuration that cannot be used, in whatever part, leaves the old one as it is,
// and the command and the metrics say so.
func TestAReloadThatFailsChangesNothing(t *testing.T) {
	r := serveReloading(t, standard, standard)
	for before, after := range map[string]string{
		"version: 1":         "version: 7",                  // not understood
		"path: demo.db":      "path: nowhere.db",            // no database
		"provider: cloud, ":  "provider: nobody, ",          // no such provider
		"TEST_API_KEY":       "TEST_API_KEY_THAT_IS_ABSENT", // no secret
		"api_keys: keys.txt": "api_keys: nowhere.txt",
	} {
		r.edit(before, after)
		out, err := r.plugins(t, "reload", "--output", "json")
		var report failureReport
		if start := strings.Index(out, "{"); start < 0 || json.NewDecoder(strings.NewReader(out[start:])).Decode(&report) != nil ||
			err == nil || report.Exit == 0 || report.Error.Message == "" {
			t.Errorf("%s: %v, %s", after, err, out)
		}
		if by := r.worder(); by != "cloud" {
			t.Errorf("%s: worded by %q", after, by)
		}
		r.edit(after, before)
	}
	if out, err := r.plugins(t, "reload"); err != nil || !strings.Contains(out, "takes new questions") {
		t.Errorf("the good configuration: %v, %s", err, out)
	}
	text := r.scrape(t, `querent_plugin_state{plugin="openai",provider="cloud",state="ready"} 1`)
	if strings.Contains(text, `querent_config_reloads_total{result="kept"} 0`) || strings.Contains(text, `querent_config_reloads_total{result="reloaded"} 0`) {
		t.Errorf("reloads are not counted\n%s", text)
	}
}

// A provider is not switched to whose server cannot be used: one that is not there, does
// not take the key, or lacks the model. One that was in use stays, whatever its server
// says by then, and a model that a server takes without listing it is taken.
func TestAReloadReachesNewModels(t *testing.T) {
	var refuses, lacks atomic.Bool
	refused := openaitest.JSONError(401, "bad key "+testKey, "invalid_request_error", "", "invalid_api_key")
	other := openaitest.New(t, openaitest.Script{Models: []string{"gpt-5-mini"}, Chat: func(r openaitest.Request) openaitest.Reply {
		switch {
		case refuses.Load():
			return refused
		case lacks.Load():
			return openaitest.JSONError(404, "The model does not exist", "invalid_request_error", "model", "model_not_found")
		}
		return openaitest.Text(standard(r.Body))
	}})
	guarded := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(refused), ModelCall: openaitest.Always(refused)})
	r := serveReloading(t, standard, standard)
	reload := func(want string) {
		t.Helper()
		out, err := r.plugins(t, "reload", "--output", "json")
		if (err == nil) != (want == "") || !strings.Contains(out, want) || strings.Contains(out, testKey) {
			t.Errorf("want %q, got %v, %s", want, err, out)
		}
		if by := r.worder(); by != "cloud" {
			t.Errorf("worded by %q", by)
		}
	}
	at := r.cloud
	for _, next := range []struct{ url, want string }{
		{"http://127.0.0.1:1/v1", "PROVIDER_UNAVAILABLE"},
		{guarded.BaseURL(), "PROVIDER_AUTH_FAILED"},
		{other.BaseURL(), ""},
	} {
		r.edit(at, next.url)
		reload(next.want)
		if next.want != "" {
			r.edit(next.url, at)
		}
	}
	lacks.Store(true)
	r.edit("model: gpt-5-mini", "model: gpt-unlisted")
	reloadFails := func() {
		t.Helper()
		if out, err := r.plugins(t, "reload", "--output", "json"); err == nil || !strings.Contains(out, "PROVIDER_MODEL_NOT_FOUND") {
			t.Errorf("%v, %s", err, out)
		}
	}
	reloadFails()
	lacks.Store(false)
	reload("")
	refuses.Store(true) // the server of a provider that goes on
	if out, err := r.plugins(t, "reload"); err != nil {
		t.Errorf("%v, %s", err, out)
	}
}

// The server takes changes over when it is told by a signal, and when it sees them,
// also behind links that are changed as Kubernetes does.
func TestTheServerTakesChangesOver(t *testing.T) {
	r := serveReloading(t, standard, standard)
	r.edit("default: {provider: cloud", "default: {provider: local")
	if err := r.process.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	r.eventually("local")
	r.edit("default: {provider: local", "default: {provider: cloud")
	r.eventually("cloud")

	for _, version := range []string{"one", "two"} {
		if err := os.Mkdir(filepath.Join(r.dir, version), 0o700); err != nil {
			t.Fatal(err)
		}
		copyFile(t, r.config, filepath.Join(r.dir, version, "cloud.yaml"))
	}
	link := func(to, at string) {
		t.Helper()
		if err := os.Symlink(to, at+".new"); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(at+".new", at); err != nil {
			t.Fatal(err)
		}
	}
	link("one", filepath.Join(r.dir, "..data"))
	link("..data/cloud.yaml", r.config)
	linked := reloading{&drill{config: filepath.Join(r.dir, "two", "cloud.yaml")}, t}
	linked.edit("default: {provider: cloud", "default: {provider: local")
	link("two", filepath.Join(r.dir, "..data"))
	r.eventually("local")
}

// Keys are read anew: a new one opens, and one that was taken out does not.
func TestKeysAreRotated(t *testing.T) {
	r := serveReloading(t, standard, standard)
	old := r.key
	key, hash := server.NewKey()
	if err := os.WriteFile(filepath.Join(r.dir, "keys.txt"), fmt.Appendf(nil, "keys:\n  - {id: rotated, hash: %q, role: analyst}\n", hash), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := r.plugins(t, "reload"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for k, want := range map[string]int{old: http.StatusUnauthorized, key: http.StatusOK} {
		r.key = k
		res, err := r.do(t.Context(), "POST", "/v1/ask", fmt.Sprintf(`{"question": %q}`, question))
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("status %d, want %d", res.StatusCode, want)
		}
	}
}

// A run ends under the configuration under which it began, whose plugin drains
// meanwhile, and the next one begins under the new one.
func TestARunEndsWhereItBegan(t *testing.T) {
	begun, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	r := serveReloading(t, func(body []byte) string {
		once.Do(func() {
			close(begun)
			<-goOn
		})
		return standard(body)
	}, standard)
	first := make(chan string, 1)
	go func() { first <- r.worder() }()
	<-begun
	r.switchOver(t)
	if by := r.worder(); by != "local" {
		t.Errorf("a new run is worded by %q", by)
	}
	close(goOn)
	if by := <-first; by != "cloud" {
		t.Errorf("the run that had begun is worded by %q", by)
	}
}

// The command shows where the plugins of the running server stand, and brings back one
// that has died too often.
func TestPluginsAreShownAndReset(t *testing.T) {
	r := serveReloading(t, standard, standard)
	state := func() (state string, restarts int) {
		t.Helper()
		out, err := r.plugins(t, "list", "--output", "json")
		var rows []pluginReport
		if err != nil || json.Unmarshal([]byte(out), &rows) != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, p := range rows {
			if p.Provider == "cloud" && p.Live != nil {
				return string(p.Live.State.Name), p.Live.State.Restarts
			}
		}
		t.Fatalf("nothing of the server is shown\n%s", out)
		return "", 0
	}
	if s, n := state(); s != "ready" || n != 0 {
		t.Errorf("at the start: %s, %d restarts", s, n)
	}
	for range 5 { // as many deaths in a minute as make it fail
		r.kill(t)
		time.Sleep(20 * time.Millisecond)
	}
	for deadline := time.Now().Add(hostDeadline); ; time.Sleep(100 * time.Millisecond) {
		if s, _ := state(); s == "failed" {
			break
		} else if time.Now().After(deadline) {
			t.Fatalf("the plugin is %s\n%s", s, r.log)
		}
	}
	if out, err := r.plugins(t, "reset", "cloud"); err != nil || !strings.Contains(out, "ready") {
		t.Errorf("reset: %v, %s", err, out)
	}
	r.eventually("cloud")
	if out, err := r.plugins(t, "reset", "nobody"); err == nil || !strings.Contains(out, "cloud") {
		t.Errorf("reset of nobody: %v, %s", err, out)
	}
	r.stop(t)
	if out, err := r.plugins(t, "reload"); err == nil || !strings.Contains(out, "no server runs") {
		t.Errorf("reload without a server: %v, %s", err, out)
	}
}

// A plugin that cannot start with the server for want of something is tried again;
// until then the server says that it is not ready.
func TestAnAbsentPluginIsFetched(t *testing.T) {
	cloud := openaitest.New(t, openaitest.Script{Chat: planAndAnswer(modelPlan, modelAnswer)})
	i := install(t, cloud.BaseURL(), "http://127.0.0.1:1")
	plugin, there := filepath.Join(i.dir, "querent-plugin-openai"), filepath.Join(i.dir, "there")
	if err := os.Rename(plugin, plugin+".real"); err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("#!/bin/sh\n[ -e %q ] && exec %q\nexit 1\n", there, plugin+".real")
	if err := os.WriteFile(plugin, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	r := reloading{&drill{installation: i, serving: i.serve(t, "cloud"), config: filepath.Join(i.dir, "cloud.yaml")}, t}
	ready := func() int {
		t.Helper()
		res, err := r.do(t.Context(), "GET", "/readyz", "")
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return res.StatusCode
	}
	if status := ready(); status != http.StatusServiceUnavailable {
		t.Errorf("without the plugin: status %d\n%s", status, r.log)
	}
	if err := os.WriteFile(there, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r.eventually("cloud")
	if status := ready(); status != http.StatusOK {
		t.Errorf("with the plugin: status %d\n%s", status, r.log)
	}
}

// A database that another file has taken the place of is opened anew.
func TestAReplacedDatabaseIsOpenedAnew(t *testing.T) {
	r := serveReloading(t, standard, standard)
	rows := func() int {
		t.Helper()
		res, err := r.do(t.Context(), "POST", "/v1/ask", fmt.Sprintf(`{"question": %q}`, question))
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		got := asked{}
		if got.raw, err = io.ReadAll(res.Body); err != nil {
			t.Fatal(err)
		}
		got.decode(t)
		return len(got.rows)
	}
	if n := rows(); n != 19 {
		t.Fatalf("%d rows before", n)
	}
	other := filepath.Join(r.dir, "other.db")
	copyFile(t, demoDatabase, other)
	db, err := sql.Open("sqlite", other)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec("DELETE FROM stores WHERE country <> (SELECT min(country) FROM stores)")
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other, r.database()); err != nil {
		t.Fatal(err)
	}
	if out, err := r.plugins(t, "reload"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if n := rows(); n != 1 {
		t.Errorf("%d rows after", n)
	}
}

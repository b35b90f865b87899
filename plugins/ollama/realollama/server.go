// Package realollama runs the real Ollama server, for tests. It builds it from the
// version of its Go module that go.mod names, which takes minutes the first time,
// and starts it on a loopback port in a folder of its own: it touches neither
// servers that happen to run nor their models, and needs no network once it is
// built. The server and its runners end with the test binary, however it ends.
//
// Tests that use the package carry the build tag ollama.
package realollama

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"syscall"
	"testing"
	"time"

	"querent.dev/querent/plugins/ollama/tinymodel"
)

// callTimeout bounds a call of this package to the server.
const callTimeout = time.Minute

// Options are what a server is started with.
type Options struct {
	// Queue is how many requests may wait; 0 leaves it to the server.
	Queue int
	// Models is how many models stay in memory; 0 leaves it to the server.
	Models int
	// Parallel is how many requests a model works on at a time; 0 is one.
	Parallel int
}

func (o Options) variables(address, dir string) []string {
	env := []string{
		"HOME=" + dir, "OLLAMA_HOST=" + address, "OLLAMA_MODELS=" + dir + "/models", "OLLAMA_NO_CLOUD=1",
		"OLLAMA_NUM_PARALLEL=" + strconv.Itoa(max(o.Parallel, 1)),
	}
	for name, n := range map[string]int{"OLLAMA_MAX_QUEUE": o.Queue, "OLLAMA_MAX_LOADED_MODELS": o.Models} {
		if n > 0 {
			env = append(env, name+"="+strconv.Itoa(n))
		}
	}
	return env
}

// Server is a running server.
type Server struct {
	URL string

	process *process
}

// Start starts a server that ends with the test.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	address, err := freeAddress()
	if err != nil {
		t.Fatal(err)
	}
	p, err := launch(func(dir string) []string { return o.variables(address, dir) }, path, "serve")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{URL: "http://" + address, process: p}
	t.Cleanup(s.Stop)
	var last error
	if !within(startTimeout, func() bool { _, last = s.call(http.MethodGet, "/api/version", nil); return last == nil }) {
		t.Fatalf("the server does not answer: %v\n%s", last, p.log())
	}
	return s
}

// Stop ends the server and its runners at once, as a power cut would. It may be
// called twice.
func (s *Server) Stop() { s.process.stop() }

// Log is what the server has written so far. After Stop it is gone.
func (s *Server) Log() string { return s.process.log() }

// Version is what the server says of itself.
func (s *Server) Version(t testing.TB) string {
	t.Helper()
	var said struct{ Version string }
	s.get(t, "/api/version", &said)
	return said.Version
}

// Loaded is a model in the server's memory.
type Loaded struct {
	Name          string    `json:"name"`
	ContextLength int       `json:"context_length"`
	ExpiresAt     time.Time `json:"expires_at"`
}

// Loaded are the models in the server's memory.
func (s *Server) Loaded(t testing.TB) []Loaded {
	t.Helper()
	var said struct{ Models []Loaded }
	s.get(t, "/api/ps", &said)
	return said.Models
}

// KillRunners kills the processes that run the server's models, as the kernel does
// when memory runs out.
func (s *Server) KillRunners(t testing.TB) {
	t.Helper()
	pids, err := s.process.runners()
	if err != nil || len(pids) == 0 {
		t.Fatalf("the server runs no model (%v)", err)
	}
	for _, pid := range pids {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatalf("kill runner %d: %v", pid, err)
		}
	}
}

// Work is the time that the runners have spent on processors so far, in ticks of
// the kernel: it stands still when they do nothing.
func (s *Server) Work(t testing.TB) int {
	t.Helper()
	pids, err := s.process.runners()
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, pid := range pids {
		if st, ok := readStat(fmt.Sprintf("/proc/%d/stat", pid)); ok {
			sum += st.work
		}
	}
	return sum
}

// PromptTemplate puts the messages one after the other, and then the cue of
// scripted models.
const PromptTemplate = "{{ range .Messages }}{{ .Content }}\n{{ end }}" + tinymodel.Cue

// Create gives the server a model under a name, with PromptTemplate.
func (s *Server) Create(t testing.TB, name string, m *tinymodel.Model) {
	t.Helper()
	s.CreateWith(t, name, m, PromptTemplate)
}

// CreateWith gives the server a model under a name, with a template of its own: the
// server takes from it whether the model calls tools and thinks. The model runs on one thread: that is all
// that a tiny model has work for, and threads that wait for each other are slow on
// a machine with other things to do.
func (s *Server) CreateWith(t testing.TB, name string, m *tinymodel.Model, template string) {
	t.Helper()
	var file bytes.Buffer
	if err := m.Encode(&file); err != nil {
		t.Fatal(err)
	}
	digest := fmt.Sprintf("sha256:%x", sha256.Sum256(file.Bytes()))
	// The server does not read a file that it has, and breaks the connection.
	if _, err := s.call(http.MethodHead, "/api/blobs/"+digest, nil); err != nil {
		if _, err := s.call(http.MethodPost, "/api/blobs/"+digest, &file); err != nil {
			t.Fatalf("send model %s: %v", name, err)
		}
	}
	body, err := json.Marshal(map[string]any{
		"model": name, "files": map[string]string{"model.gguf": digest},
		"template": template, "parameters": map[string]any{"num_thread": 1}, "stream": false,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.call(http.MethodPost, "/api/create", bytes.NewReader(body)); err != nil {
		t.Fatalf("create model %s: %v\n%s", name, err, s.Log())
	}
}

func (s *Server) get(t testing.TB, path string, into any) {
	t.Helper()
	body, err := s.call(http.MethodGet, path, nil)
	if err == nil {
		err = json.Unmarshal(body, into)
	}
	if err != nil {
		t.Fatalf("ask the server: %v", err)
	}
}

func (s *Server) call(method, path string, body io.Reader) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, s.URL+path, body)
	if err != nil {
		return nil, err
	}
	resp, err := direct.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	said, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode >= http.StatusMultipleChoices {
		return nil, fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, said)
	}
	return said, nil
}

// direct reaches the server without a proxy that the environment may name.
var direct = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

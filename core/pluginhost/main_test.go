//go:build linux

package pluginhost_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"go.uber.org/goleak"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/core/pluginhost/confine"
	"querent.dev/querent/sdk"
)

// binaries are the plugin and the host that the tests run.
var binaries struct{ plugin, host string }

func TestMain(m *testing.M) {
	confine.Enter()
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "pluginhost")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	build := exec.Command("go", "build", "-ldflags", "-s -w", "-o", dir+"/", "./internal/testplugin", "./internal/testhost")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as plugins are released
	out, err := build.CombinedOutput()
	if err != nil {
		panic(fmt.Sprintf("building the test plugin: %v\n%s", err, out))
	}
	binaries.plugin, binaries.host = filepath.Join(dir, "testplugin"), filepath.Join(dir, "testhost")
	return m.Run()
}

// bound is how long anything in these tests may take before it counts as
// hanging.
const bound = 30 * time.Second

// world is a host with what it logged and told.
type world struct {
	*pluginhost.Host
	log syncBuffer

	mu     sync.Mutex
	events []pluginhost.Event
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// newWorld makes a host that is closed, and looked over for leaks, at the end of
// the test.
func newWorld(t *testing.T, change ...func(*pluginhost.Options)) *world {
	t.Helper()
	before := goleak.IgnoreCurrent()
	w := &world{}
	o := pluginhost.Options{
		Logger:     hclog.New(&hclog.LoggerOptions{Level: hclog.Debug, Output: &w.log}),
		RuntimeDir: shortDir(t),
		Restart:    pluginhost.RestartPolicy{First: 10 * time.Millisecond},
		OnEvent: func(e pluginhost.Event) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.events = append(w.events, e)
		},
	}
	for _, f := range change {
		f(&o)
	}
	w.Host = pluginhost.New(o)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), bound)
		defer cancel()
		if err := w.Close(ctx); err != nil {
			t.Errorf("closing the host: %v", err)
		}
		w.mu.Lock()
		checkPaths(t, w.events)
		w.mu.Unlock()
		goleak.VerifyNone(t, before)
		if entries, err := os.ReadDir(o.RuntimeDir); err != nil || len(entries) > 0 {
			t.Errorf("left in the runtime folder: %v %v", entries, err)
		}
		if t.Failed() {
			t.Log(w.log.String())
		}
	})
	return w
}

// shortDir is a folder whose path leaves room for a socket's.
func shortDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "q")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func (w *world) states() []pluginhost.StateName {
	w.mu.Lock()
	defer w.mu.Unlock()
	var names []pluginhost.StateName
	for _, e := range w.events {
		names = append(names, e.State.Name)
	}
	return names
}

// start starts the test plugin under a name that says how it behaves.
func (w *world) start(t *testing.T, change ...func(*pluginhost.Spec)) (*pluginhost.Instance, error) {
	t.Helper()
	s := spec(change...)
	ctx, cancel := context.WithTimeout(t.Context(), bound)
	defer cancel()
	return open(ctx, w.Host, s)
}

// open opens a set of one plugin.
func open(ctx context.Context, h *pluginhost.Host, s pluginhost.Spec) (*pluginhost.Instance, error) {
	set, err := h.Open(ctx, []pluginhost.Spec{s}, pluginhost.OpenOptions{})
	if err != nil {
		return nil, err
	}
	return set.Instance(s.Provider)
}

func (w *world) mustStart(t *testing.T, change ...func(*pluginhost.Spec)) (*pluginhost.Instance, sdk.Model) {
	t.Helper()
	i, err := w.start(t, change...)
	if err != nil {
		t.Fatal(err)
	}
	m, ok := i.Model()
	if !ok {
		t.Fatal("the plugin has no Model")
	}
	return i, m
}

func spec(change ...func(*pluginhost.Spec)) pluginhost.Spec {
	s := pluginhost.Spec{
		Provider: "local", Plugin: "test", Path: binaries.plugin, TLS: true, Settings: json.RawMessage(`{"mode": "good"}`),
	}
	for _, f := range change {
		f(&s)
	}
	return s
}

func settings(text string) func(*pluginhost.Spec) {
	return func(s *pluginhost.Spec) { s.Settings = json.RawMessage(text) }
}

// behaving makes the plugin behave as name says: the executable is linked to
// under that name.
func behaving(t testing.TB, name string) func(*pluginhost.Spec) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "querent-plugin-"+name)
	if err := os.Symlink(binaries.plugin, path); err != nil {
		t.Fatal(err)
	}
	return func(s *pluginhost.Spec) { s.Path, s.Plugin = path, config.PluginName(name) }
}

// ask makes a call that ends for sure.
func ask(t *testing.T, m sdk.Model, model string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), bound)
	defer cancel()
	r, err := m.Generate(ctx, sdk.GenerateRequest{Model: model})
	return r.Text, err
}

func mustAsk(t *testing.T, m sdk.Model, model string) string {
	t.Helper()
	text, err := ask(t, m, model)
	if err != nil {
		t.Fatalf("asking for %s: %v", model, err)
	}
	return text
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(bound); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if is() {
			return
		}
	}
	t.Fatalf("never: %s", what)
}

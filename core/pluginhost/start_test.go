//go:build linux

package pluginhost_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

func TestStart(t *testing.T) {
	for _, tls := range []bool{true, false} {
		t.Run(fmt.Sprintf("tls %v", tls), func(t *testing.T) {
			w := newWorld(t)
			i, m := w.mustStart(t, func(s *pluginhost.Spec) { s.TLS = tls })
			d := i.Description()
			if d.Name != "test" || d.Version != "1.2.3" || d.Commit != "abc" || !slices.Equal(i.Services(), []sdk.ServiceName{sdk.ServiceModel}) {
				t.Errorf("description: %+v", d)
			}
			if _, ok := i.Planner(); ok {
				t.Error("offers a Planner")
			}
			if _, ok := i.Synthesizer(); ok {
				t.Error("offers a Synthesizer")
			}
			if got, want := mustAsk(t, m, "pid"), fmt.Sprint(i.State().PID); got != want {
				t.Errorf("process %s answered, want %s", got, want)
			}
			if got, want := w.states(), []pluginhost.StateName{"verifying", "starting", "handshake", "describing", "configuring", "probing", "ready"}; !slices.Equal(got, want) {
				t.Errorf("states %v, want %v", got, want)
			}
			if !strings.Contains(w.log.String(), "a stray line before Serve") {
				t.Error("a line that was printed before the handshake is not in the log")
			}
		})
	}
}

// TestForeignPlugin starts a program that was written from the .proto files alone.
func TestForeignPlugin(t *testing.T) {
	w := newWorld(t)
	i, m := w.mustStart(t, behaving(t, "foreign"), func(s *pluginhost.Spec) { s.TLS = false })
	if got, want := mustAsk(t, m, "pid"), fmt.Sprint(i.State().PID); got != want {
		t.Errorf("process %s answered, want %s", got, want)
	}
	if _, err := ask(t, m, "exit"); err == nil {
		t.Fatal("the plugin did not exit")
	}
	mustAsk(t, m, "pid")
	closeInTime(t, w)
}

// TestStartRefused holds every way in which a start fails: its kind, what its
// message says, and whether that may be shown.
func TestStartRefused(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string, mode fs.FileMode) func(*pluginhost.Spec) {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		return func(s *pluginhost.Spec) { s.Path = path }
	}
	quick := func(o *pluginhost.Options) { o.Timeouts.Start = 300 * time.Millisecond }
	for name, c := range map[string]struct {
		spec    func(*pluginhost.Spec)
		options func(*pluginhost.Options)
		kind    reason.Kind
		says    []string
		safe    bool // the whole message may be shown
	}{
		"missing":        {func(s *pluginhost.Spec) { s.Path = "/no/such" }, nil, reason.Misconfigured, []string{"/no/such", "no such file", "plugin_dir", `provider "local"`, `plugin "test"`}, true},
		"folder":         {func(s *pluginhost.Spec) { s.Path = dir }, nil, reason.Misconfigured, []string{"is not a file"}, true},
		"not executable": {file("plain", "x", 0o600), nil, reason.Misconfigured, []string{"x permission"}, true},
		"no program":     {file("junk", "\x00\x01\x02junk", 0o700), nil, reason.Misconfigured, []string{"is not an executable for linux/amd64"}, true},
		"no interpreter": {file("script", "#!/no/such/interpreter\n", 0o700), nil, reason.Misconfigured, []string{"interpreter"}, true},
		"raw print":      {behaving(t, "rawprint"), nil, reason.Misconfigured, []string{"hello, I write to descriptor 1", "before sdk.Serve"}, false},
		"new protocol":   {behaving(t, "newprotocol"), nil, reason.Misconfigured, []string{"querent-plugin-newprotocol", "speaks version 2", "this host speaks version 1", "update the host"}, true},
		"old protocol":   {behaving(t, "oldprotocol"), nil, reason.Misconfigured, []string{"speaks version 0", "this host speaks version 1", "update the plugin"}, true},
		"dies":           {behaving(t, "dies"), nil, reason.Unavailable, []string{"exit status 3", "panic: cannot live like this"}, false},
		"other's socket": {behaving(t, "elsewhere"), nil, reason.Misconfigured, []string{"/tmp/somebody-elses.sock", "not usable"}, false},
		"plain":          {behaving(t, "plain"), nil, reason.Misconfigured, []string{"does not encrypt", `plugins: {plain: {tls: "off"}}`}, true},
		"slow":           {behaving(t, "slow"), quick, reason.Timeout, []string{"no handshake within 300ms"}, false},
		"unhealthy":      {settings(`{"mode": "unhealthy"}`), nil, reason.Unavailable, []string{"said to be ill"}, false},
		"refuses":        {settings(`{"mode": "refuses"}`), nil, reason.AuthFailed, []string{"Configure", "the server says no"}, false},
		"bad variable":   {func(s *pluginhost.Spec) { s.Env = []string{"s3cret"} }, nil, reason.Misconfigured, []string{"NAME=VALUE"}, true},
		"nameless":       {func(s *pluginhost.Spec) { s.Provider = "" }, nil, reason.Misconfigured, []string{"must be named"}, true},
		"long socket path": {nil, func(o *pluginhost.Options) {
			o.RuntimeDir = filepath.Join(dir, strings.Repeat("x", 100))
			if err := os.Mkdir(o.RuntimeDir, 0o700); err != nil {
				t.Fatal(err)
			}
		}, reason.Misconfigured, []string{"bytes too long", "107 bytes", "TMPDIR"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			if c.options == nil {
				c.options = func(*pluginhost.Options) {}
			}
			if c.spec == nil {
				c.spec = func(*pluginhost.Spec) {}
			}
			w := newWorld(t, c.options)
			_, err := w.start(t, c.spec)
			var e *reason.Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v, want a *reason.Error", err)
			}
			if e.Code != reason.ProviderCode(c.kind) {
				t.Errorf("code %s, want kind %s: %v", e.Code, c.kind, e)
			}
			for _, part := range c.says {
				if !strings.Contains(e.Message, part) {
					t.Errorf("the message lacks %q: %s", part, e.Message)
				}
			}
			if (e.SafeMessage == e.Message) != c.safe {
				t.Errorf("safe message: %s", e.SafeMessage)
			}
			if strings.Contains(e.Message, "s3cret") || strings.Contains(e.Message, "rpc error") {
				t.Errorf("the message shows what it must not: %s", e.Message)
			}
		})
	}
}

func TestStartAfterFailure(t *testing.T) {
	w := newWorld(t)
	if _, err := w.start(t, settings(`{"mode": "refuses"}`)); err == nil {
		t.Fatal("started")
	}
	w.mustStart(t)
}

func TestStartCancelled(t *testing.T) {
	w := newWorld(t)
	done := make(chan error, 1)
	change := behaving(t, "slow")
	go func() {
		_, err := w.start(t, change)
		done <- err
	}()
	eventually(t, "the start begins", func() bool { return len(w.states()) > 0 })
	time.Sleep(50 * time.Millisecond) // so that the process runs, most of the time
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-done; !errors.Is(err, reason.Provider(reason.Cancelled, "")) {
		t.Errorf("got %v", err)
	}
	if _, err := w.start(t); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("a closed host started a plugin: %v", err)
	}
}

// TestSocketFolderFallsBack names folders in which no socket can be made.
func TestSocketFolderFallsBack(t *testing.T) {
	long := filepath.Join(t.TempDir(), strings.Repeat("x", 100))
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ runtime, temp string }{
		"long":      {long, long},
		"read-only": {"/proc/self", long},
		"missing":   {"/no/such", "/no/such"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("XDG_RUNTIME_DIR", c.runtime)
			t.Setenv("TMPDIR", c.temp)
			h := pluginhost.New(pluginhost.Options{})
			defer h.Close(t.Context())
			i, err := open(t.Context(), h, spec())
			if err != nil {
				t.Fatal(err)
			}
			m, _ := i.Model()
			mustAsk(t, m, "pid")
		})
	}
}

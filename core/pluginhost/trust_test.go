//go:build linux

package pluginhost_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/sdk/reason"
)

// required is a lock file for the test plugin that must be there.
func required(t testing.TB, mode config.LockMode, plugins ...config.PluginName) *pluginhost.Lock {
	t.Helper()
	path := filepath.Join(t.TempDir(), "plugins.lock")
	content := pluginhost.Lock{Plugins: map[config.PluginName]pluginhost.LockedPlugin{}}
	for _, name := range plugins {
		content.Plugins[name] = pluginhost.LockedPlugin{SHA256: map[string]string{pluginhost.Platform(): sumOf(t, binaries.plugin)}}
	}
	if err := pluginhost.WriteLock(path, content); err != nil {
		t.Fatal(err)
	}
	lock, err := pluginhost.OpenLock(path, mode)
	if err != nil {
		t.Fatal(err)
	}
	return lock
}

// TestCompliance refuses whatever compliance mode does not allow, and says what to
// change.
func TestCompliance(t *testing.T) {
	lock := required(t, config.LockRequire, "test", "planner")
	for name, c := range map[string]struct {
		lock *pluginhost.Lock
		spec func(*pluginhost.Spec)
		says []string // nil: it starts
	}{
		"a planner":     {lock, both(behaving(t, "planner"), offline), nil},
		"the network":   {lock, behaving(t, "planner"), []string{"plugins.planner.network to none"}},
		"a model":       {lock, offline, []string{"uses no model", "providers.local"}},
		"no lock":       {nil, behaving(t, "planner"), []string{"plugin_lock.mode to require", "querent plugins lock"}},
		"lock if there": {required(t, config.LockAuto, "planner"), behaving(t, "planner"), []string{"plugin_lock.mode to require"}},
		"not locked":    {required(t, config.LockRequire, "test"), both(behaving(t, "planner"), offline), []string{"is not in", "querent plugins lock"}},
		"no encryption": {lock, both(behaving(t, "planner"), func(s *pluginhost.Spec) { s.TLS = false }), []string{"plugins.planner.tls"}},
		"dev override":  {lock, both(behaving(t, "planner"), func(s *pluginhost.Spec) { s.DevOverride = true }), []string{"plugins.planner.dev_override"}},
		"reattach": {lock, both(behaving(t, "planner"), func(s *pluginhost.Spec) {
			s.Reattach = &config.Reattach{Addr: config.ReattachAddress{Network: "unix", String: "/x"}}
		}), []string{"plugins.planner.reattach", "QUERENT_REATTACH_PLANNER"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, func(o *pluginhost.Options) { o.Compliance, o.Lock = true, c.lock })
			_, err := w.start(t, c.spec)
			if c.says == nil {
				if err != nil {
					t.Error(err)
				}
				return
			}
			refused(t, err, c.says...)
		})
	}
}

func both(a, b func(*pluginhost.Spec)) func(*pluginhost.Spec) {
	return func(s *pluginhost.Spec) { a(s); b(s) }
}

// refused checks that err is the operator's to mend, and says how, to everyone.
func refused(t *testing.T, err error, says ...string) {
	t.Helper()
	var e *reason.Error
	if !errors.As(err, &e) || e.Reason != reason.Reason(reason.Misconfigured) {
		t.Fatalf("got %v", err)
	}
	for _, part := range says {
		if !strings.Contains(e.Message, part) {
			t.Errorf("the message lacks %q: %s", part, e.Message)
		}
	}
}

// TestDevOverride runs bytes that the lock file does not hold, with a warning at each
// start.
func TestDevOverride(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine")
	content, err := os.ReadFile(binaries.plugin)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(content, '!'), 0o700); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, func(o *pluginhost.Options) { o.Lock = required(t, config.LockRequire, "test") })
	own := func(s *pluginhost.Spec) { s.Path = path }
	if _, err := w.start(t, own); err == nil {
		t.Fatal("bytes that are not locked ran")
	}
	_, m := w.mustStart(t, own, func(s *pluginhost.Spec) { s.DevOverride = true })
	mustAsk(t, m, "pid")
	const warning = "dev override runs, which no lock file checks"
	if n := strings.Count(w.log.String(), warning); n != 1 {
		t.Errorf("%d warnings", n)
	}
	if _, err := ask(t, m, "exit"); err == nil {
		t.Fatal("the plugin did not exit")
	}
	mustAsk(t, m, "pid")
	if n := strings.Count(w.log.String(), warning); n != 2 {
		t.Errorf("%d warnings after a restart", n)
	}
	_, err = w.start(t, func(s *pluginhost.Spec) { s.Path, s.DevOverride = "/no/such", true })
	refused(t, err, "/no/such", "plugins.test.dev_override")
}

// TestDescribe asks plugins what they are, without settings, and leaves nothing.
func TestDescribe(t *testing.T) {
	w := newWorld(t)
	d, err := w.Describe(t.Context(), spec(settings(``)))
	if err != nil || d.Name != "test" || d.Version != "1.2.3" {
		t.Errorf("got %+v, %v", d, err)
	}
	for _, name := range []string{"dies", "rawprint", "newprotocol"} {
		if _, err := w.Describe(t.Context(), spec(behaving(t, name))); err == nil {
			t.Errorf("%s was described", name)
		}
	}
}

// TestStateIsJSON holds the form that programs read.
func TestStateIsJSON(t *testing.T) {
	w := newWorld(t)
	i, _ := w.mustStart(t)
	text, err := json.Marshal(i.State())
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	if fields["state"] != "ready" || fields["generation"] != 1.0 || fields["restarts"] != 0.0 || fields["pid"] == nil || fields["since"] == nil || fields["next_retry"] != nil || len(fields) != 5 {
		t.Errorf("got %s", text)
	}
}

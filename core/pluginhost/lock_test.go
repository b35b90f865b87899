//go:build linux

package pluginhost_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/sdk/reason"
)

func sumOf(t testing.TB, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sum, err := pluginhost.Sum(f)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// lockFile writes a lock file for the test plugin and reads it back.
func lockFile(t *testing.T, platform, sum string) *pluginhost.Lock {
	t.Helper()
	path := filepath.Join(t.TempDir(), "plugins.lock")
	err := pluginhost.WriteLock(path, pluginhost.Lock{Plugins: map[config.PluginName]pluginhost.LockedPlugin{
		"test": {Version: "1.2.3", SHA256: map[string]string{platform: sum}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	lock, err := pluginhost.ReadLock(path)
	if err != nil {
		t.Fatal(err)
	}
	return lock
}

func TestLock(t *testing.T) {
	here, sum := pluginhost.Platform(), sumOf(t, binaries.plugin)
	other := strings.Repeat("0", 64)
	for name, c := range map[string]struct {
		platform, sum string
		plugin        config.PluginName
		says          []string // nil: it starts
	}{
		"locked":         {here, sum, "test", nil},
		"upper case":     {here, strings.ToUpper(sum), "test", nil},
		"other bytes":    {here, other, "test", []string{binaries.plugin, "plugins.lock", other, sum, "querent plugins lock"}},
		"other platform": {"plan9/mips", sum, "test", []string{"no sum for test on " + here, "plugins.lock"}},
		"not in it":      {here, sum, "another", []string{"is not in", "plugins.lock"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, func(o *pluginhost.Options) { o.Lock = lockFile(t, c.platform, c.sum) })
			i, err := w.start(t, func(s *pluginhost.Spec) { s.Plugin = c.plugin })
			if c.says == nil {
				if err != nil {
					t.Fatal(err)
				}
				if m, _ := i.Model(); mustAsk(t, m, "pid") == "" {
					t.Error("no answer")
				}
				return
			}
			e := reason.From(err)
			if e == nil || e.Reason != reason.Reason(reason.Misconfigured) {
				t.Fatalf("got %v", err)
			}
			for _, part := range c.says {
				if !strings.Contains(e.Message, part) {
					t.Errorf("the message lacks %q: %s", part, e.Message)
				}
			}
			untold(t, e, "its plugin is not the one that plugins.lock names", "querent plugins lock", binaries.plugin, sum, other)
		})
	}
}

// untold checks what the asker is told of a plugin that may not run: what and next,
// and none of the operator's words.
func untold(t *testing.T, e *reason.Error, what, next string, operators ...string) {
	t.Helper()
	if !strings.Contains(e.SafeMessage, what) || !strings.Contains(e.NextAction, next) {
		t.Errorf("the asker is told %q and %q", e.SafeMessage, e.NextAction)
	}
	for _, word := range append(operators, "/") {
		if strings.Contains(e.SafeMessage+e.NextAction, word) {
			t.Errorf("the asker is told %q: %q, %q", word, e.SafeMessage, e.NextAction)
		}
	}
}

// A lock file that must be there and is not is missed by its name, with how to make it.
func TestALockFileThatMustBeThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plugins.lock")
	_, err := pluginhost.OpenLock(path, config.LockRequire)
	if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "run querent plugins lock") {
		t.Errorf("error %v", err)
	}
	if lock, err := pluginhost.OpenLock(path, config.LockAuto); lock != nil || err != nil {
		t.Errorf("got %v, %v", lock, err)
	}
}

// TestLockAtRestart changes the executable under a running plugin: what replaces
// the locked bytes never runs.
func TestLockAtRestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plugin")
	content, err := os.ReadFile(binaries.plugin)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o700); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, func(o *pluginhost.Options) { o.Lock = lockFile(t, pluginhost.Platform(), sumOf(t, path)) })
	i, m := w.mustStart(t, func(s *pluginhost.Spec) { s.Path = path })
	if err := os.WriteFile(path+".new", append(content, '!'), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	if _, err := ask(t, m, "exit"); err == nil {
		t.Fatal("the plugin did not exit")
	}
	eventually(t, "the instance fails", func() bool { return i.State().Name == pluginhost.StateFailed })
	if s := i.State(); !strings.Contains(s.LastError, "SHA-256") || s.PID != 0 {
		t.Errorf("state %+v", s)
	}
}

func TestOpenLock(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "plugins.lock")
	for mode, fails := range map[config.LockMode]bool{config.LockOff: false, config.LockAuto: false, config.LockRequire: true} {
		lock, err := pluginhost.OpenLock(missing, mode)
		if lock != nil || (err != nil) != fails {
			t.Errorf("%s: %v, %v", mode, lock, err)
		}
	}
	for text, part := range map[string]string{
		"version: 2":             "version 2",
		"version: 1\nplugin: {}": "plugin",
		"{":                      "plugins.lock",
	} {
		path := filepath.Join(t.TempDir(), "plugins.lock")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, mode := range []config.LockMode{config.LockAuto, config.LockRequire} {
			if _, err := pluginhost.OpenLock(path, mode); err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%q: %v", text, err)
			}
		}
	}
}

package pluginhost

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"querent.dev/querent/core/config"
)

// TestRunsWhatWasChecked changes an executable in the moment between its check
// and its start, in place and by another file: what was checked runs.
func TestRunsWhatWasChecked(t *testing.T) {
	for name, replace := range map[string]func(path, text string) error{
		"in place": func(path, text string) error { return os.WriteFile(path, []byte(text), 0o700) },
		"another file": func(path, text string) error {
			if err := os.WriteFile(path+".new", []byte(text), 0o700); err != nil {
				return err
			}
			return os.Rename(path+".new", path)
		},
	} {
		t.Run(name, func(t *testing.T) {
			const checked = "#!/bin/sh\necho the checked one >&2\n"
			path := filepath.Join(t.TempDir(), "plugin")
			if err := os.WriteFile(path, []byte(checked), 0o700); err != nil {
				t.Fatal(err)
			}
			sum, err := Sum(strings.NewReader(checked))
			if err != nil {
				t.Fatal(err)
			}
			dir, err := os.MkdirTemp("", "q") // leaves room for a socket's name
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.RemoveAll(dir) })
			h := New(Options{RuntimeDir: dir, Lock: &Lock{Plugins: map[config.PluginName]LockedPlugin{
				"test": {SHA256: map[string]string{Platform(): sum}},
			}}})
			t.Cleanup(func() {
				if err := h.Close(t.Context()); err != nil {
					t.Error(err)
				}
			})
			s := Spec{Provider: "local", Plugin: "test", Path: path}
			p, err := h.prepare(s)
			if err != nil {
				t.Fatal(err)
			}
			if err := replace(path, "#!/bin/sh\necho the other one >&2\n"); err != nil {
				t.Fatal(err)
			}
			_, err = h.startGeneration(t.Context(), s, p, nil, func(StateName, int) {})
			if err == nil || !strings.Contains(err.Error(), "the checked one") {
				t.Errorf("got %v", err)
			}
		})
	}
}

//go:build linux

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"querent.dev/querent/core/pluginhost/confine"
)

// withoutNetwork makes a command run where there is no address to reach.
func withoutNetwork(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	if id := os.Geteuid(); id != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: id, HostID: id, Size: 1}}
	}
}

// TestDemoWithoutNetwork answers the demo's questions in a network namespace without
// a route, by the template plugin alone, which is confined.
func TestDemoWithoutNetwork(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), filepath.Join(built, "querent"), "demo", "--log-level", "debug")
	withoutNetwork(cmd)
	cmd.Dir = t.TempDir()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	asked, worded := strings.Count(stdout.String(), "==== "), strings.Count(stdout.String(), "orded by fixed (plugin template).")
	if worded < 5 || worded < asked-2 { // what the demo is, and what next, stand under headings of their own
		t.Errorf("%d of %d questions were worded by templates:\n%s", worded, asked, stdout.String())
	}
	log := stderr.String()
	if !strings.Contains(log, "plugin ready: provider=fixed plugin=template") {
		t.Errorf("the template plugin did not start:\n%s", log)
	}
	for _, other := range []string{"plugin=ollama", "plugin=openai"} {
		if strings.Contains(log, other) {
			t.Errorf("a plugin with a model was started: %s", other)
		}
	}
}

// TestTemplatesAreConfined looks at a template plugin that serves, for which the
// configuration says nothing: it has a network of its own and no files.
func TestTemplatesAreConfined(t *testing.T) {
	if err := confine.Missing(withoutAnything); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), filepath.Join(built, "querent"), "doctor", "--db", demoDatabase).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, part := range []string{"the network (yes), files (Landlock, version ", "template (template): network: none, files: none", "started, is configured and healthy"} {
		if !strings.Contains(string(out), part) {
			t.Errorf("doctor lacks %q:\n%s", part, out)
		}
	}
}

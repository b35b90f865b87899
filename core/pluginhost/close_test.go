//go:build linux

package pluginhost_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// gone reports whether a process has ended, reaped or not.
func gone(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return true
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return strings.HasPrefix(after, "Z")
}

func TestClose(t *testing.T) {
	for _, model := range []string{"pid", "child", "stubborn", "freeze"} {
		t.Run(model, func(t *testing.T) {
			w := newWorld(t, func(o *pluginhost.Options) { o.Timeouts.Stop = 300 * time.Millisecond })
			i, m := w.mustStart(t)
			pids := []int{i.State().PID}
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			// A frozen plugin does not answer.
			if r, err := m.Generate(ctx, sdk.GenerateRequest{Model: model}); err == nil && model == "child" {
				child, err := strconv.Atoi(r.Text)
				if err != nil {
					t.Fatal(err)
				}
				pids = append(pids, child)
			}
			closeInTime(t, w)
			for _, pid := range pids {
				eventually(t, fmt.Sprint("process ", pid, " is gone"), func() bool { return gone(pid) })
			}
			if s := i.State(); s.Name != pluginhost.StateStopped || s.PID != 0 {
				t.Errorf("state %+v", s)
			}
			_, err := m.Generate(t.Context(), sdk.GenerateRequest{})
			kinded(t, err, reason.Unavailable)
		})
	}
}

func closeInTime(t *testing.T, w *world) {
	t.Helper()
	closed := make(chan error, 1)
	go func() { closed <- w.Close(context.Background()) }()
	select {
	case err := <-closed:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(bound):
		t.Fatal("Close hangs")
	}
}

// TestCloseInAHurry ends the caller's context at once: the grace ends with it.
func TestCloseInAHurry(t *testing.T) {
	w := newWorld(t, func(o *pluginhost.Options) { o.Timeouts.Stop = time.Hour })
	i, m := w.mustStart(t)
	if err := syscall.Kill(i.State().PID, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.Close(ctx); err != nil {
		t.Error(err)
	}
	_, err := m.ModelInfo(t.Context(), "x")
	kinded(t, err, reason.Unavailable)
}

func TestCloseDuringCall(t *testing.T) {
	w := newWorld(t)
	_, m := w.mustStart(t)
	failed := underWay(t, m, "wait")
	closeInTime(t, w)
	kinded(t, <-failed, reason.Unavailable)
}

func TestCloseWhileRestarting(t *testing.T) {
	w := newWorld(t, func(o *pluginhost.Options) { o.Restart.First = time.Hour; o.Restart.Max = time.Hour })
	i, m := w.mustStart(t)
	if _, err := ask(t, m, "exit"); err == nil {
		t.Fatal("the plugin did not exit")
	}
	eventually(t, "the death is seen", func() bool { return i.State().Name == pluginhost.StateRestarting })
	closeInTime(t, w)
}

// TestNoOrphan kills a host as the system would, and looks for its plugin, which
// runs or is frozen.
func TestNoOrphan(t *testing.T) {
	for name, freeze := range map[string]bool{"running": false, "frozen": true} {
		t.Run(name, func(t *testing.T) {
			dir := shortDir(t)
			host, plugin := startHost(t, dir)
			if freeze {
				if err := syscall.Kill(plugin, syscall.SIGSTOP); err != nil {
					t.Fatal(err)
				}
			}
			if err := host.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			var exit *exec.ExitError
			if err := host.Wait(); !errors.As(err, &exit) {
				t.Fatal(err)
			}
			eventually(t, "the plugin is gone", func() bool { return gone(plugin) })
			nextHostCleansUp(t, dir)
		})
	}
}

// startHost starts a host in a process of its own, with a plugin.
func startHost(t *testing.T, dir string, confinement ...string) (host *exec.Cmd, plugin int) {
	t.Helper()
	host = exec.Command(binaries.host, append([]string{binaries.plugin, dir}, confinement...)...)
	return startedHost(t, host)
}

// startedHost starts a host, and returns it with its plugin.
func startedHost(t *testing.T, host *exec.Cmd) (_ *exec.Cmd, plugin int) {
	t.Helper()
	host.Stderr = os.Stderr
	out, err := host.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = host.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	plugin, err = strconv.Atoi(strings.TrimSpace(line))
	if err != nil || gone(plugin) {
		t.Fatalf("no plugin runs: %q", line)
	}
	return host, plugin
}

// nextHostCleansUp finds the folder that a killed host left, and not after the
// next host has started.
func nextHostCleansUp(t *testing.T, dir string) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(left) != 1 {
		t.Fatalf("left by the host: %v %v", left, err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(left[0], old, old); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, func(o *pluginhost.Options) { o.RuntimeDir = dir })
	w.mustStart(t)
	if _, err := os.Stat(left[0]); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of the killed host is still there: %v", err)
	}
}

// TestHostWatch runs the plugin without a parent-death signal: it ends with its
// standard input, too.
func TestHostWatch(t *testing.T) {
	plugin := exec.Command(binaries.plugin)
	plugin.Env = []string{sdk.MagicCookieKey + "=" + sdk.MagicCookieValue, sdk.EnvHostWatch + "=" + sdk.HostWatchStdin, "PLUGIN_PROTOCOL_VERSIONS=1"}
	in, err := plugin.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := plugin.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := plugin.Start(); err != nil {
		t.Fatal(err)
	}
	defer plugin.Process.Kill()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "1|1|unix|") {
		t.Fatalf("handshake %q, %v", line, err)
	}
	if gone(plugin.Process.Pid) {
		t.Fatal("the plugin ended with its host there")
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the plugin is gone", func() bool { return gone(plugin.Process.Pid) })
	_ = plugin.Wait() // its status does not matter
}

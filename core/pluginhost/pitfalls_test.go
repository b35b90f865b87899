//go:build linux

package pluginhost_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/sdk/reason"
)

// watchful makes the host find out soon that a plugin does not work.
func watchful(o *pluginhost.Options) {
	o.Health = pluginhost.HealthPolicy{Interval: 20 * time.Millisecond, Misses: 2}
	o.Timeouts.Control = 3 * time.Second
}

// TestFrozen stops the process as a debugger, or a machine out of memory, does: it
// is there, and does nothing.
func TestFrozen(t *testing.T) {
	w := newWorld(t, watchful)
	i, m := w.mustStart(t)
	before := i.State().PID
	if err := syscall.Kill(before, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is stopped", func() bool {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", before))
		return err == nil && strings.Contains(string(stat), ") T ")
	})
	_, err := ask(t, m, "pid")
	kinded(t, err, reason.Unavailable)
	if got := mustAsk(t, m, "pid"); got == fmt.Sprint(before) {
		t.Error("the frozen process answered")
	}
	if s := i.State(); s.Restarts != 1 || !strings.Contains(s.LastError, "did not pass 2 health checks") {
		t.Errorf("state %+v", s)
	}
	eventually(t, "the frozen process is gone", func() bool { return gone(before) })
}

// TestSocketDeleted takes the socket of a running plugin away. As long as the
// connection stands, that does not matter; when it breaks, the process lives and
// cannot be reached.
func TestSocketDeleted(t *testing.T) {
	var dir string
	w := newWorld(t, func(o *pluginhost.Options) { dir = o.RuntimeDir })
	i, m := w.mustStart(t)
	before := i.State().PID
	sockets, err := filepath.Glob(filepath.Join(dir, "*", "*", "*"))
	if err != nil || len(sockets) == 0 {
		t.Fatalf("sockets: %v %v", sockets, err)
	}
	for _, socket := range sockets {
		if err := os.Remove(socket); err != nil {
			t.Fatal(err)
		}
	}
	if got := mustAsk(t, m, "pid"); got != fmt.Sprint(before) {
		t.Errorf("process %s answered", got)
	}
	if _, err := ask(t, m, "hangup"); err == nil {
		t.Fatal("the plugin did not hang up")
	}
	eventually(t, "another process answers", func() bool {
		got, err := ask(t, m, "pid")
		return err == nil && got != fmt.Sprint(before)
	})
	if s := i.State(); s.Restarts != 1 {
		t.Errorf("state %+v", s)
	}
}

// TestHangUp breaks the connection, and nothing else: it is made anew, to the same
// process.
func TestHangUp(t *testing.T) {
	w := newWorld(t)
	i, m := w.mustStart(t)
	if _, err := ask(t, m, "hangup"); err == nil {
		t.Fatal("the plugin did not hang up")
	}
	eventually(t, "the same process answers", func() bool {
		got, err := ask(t, m, "pid")
		return err == nil && got == fmt.Sprint(i.State().PID)
	})
	if s := i.State(); s.Restarts != 0 {
		t.Errorf("state %+v", s)
	}
}

// TestIllLater lets a plugin say that it is not well: it is restarted, and fails when
// that does not help, until somebody resets it.
func TestIllLater(t *testing.T) {
	w := newWorld(t, watchful, func(o *pluginhost.Options) { o.Restart.Deaths = 3 })
	marker := filepath.Join(t.TempDir(), "marker")
	i, m := w.mustStart(t, settings(fmt.Sprintf(`{"mode": "ill_later", "marker": %q}`, marker)))
	mustAsk(t, m, "pid")
	if err := os.WriteFile(marker, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it fails", func() bool { return i.State().Name == pluginhost.StateFailed })
	if s := i.State(); !strings.Contains(s.LastError, "said to be ill") || s.PID != 0 {
		t.Errorf("state %+v", s)
	}
	if err := i.Reset(t.Context()); err == nil || !strings.Contains(err.Error(), "said to be ill") {
		t.Errorf("a reset that cannot help: %v", err)
	}
	if err := os.Remove(marker); err != nil {
		t.Fatal(err)
	}
	if err := i.Reset(t.Context()); err != nil {
		t.Error(err)
	}
	mustAsk(t, m, "pid")
	if err := i.Reset(t.Context()); err != nil || i.State().Name != pluginhost.StateReady {
		t.Errorf("a reset of what is ready: %v, %+v", err, i.State())
	}
}

// TestResetShortensTheWait resets an instance that waits to be restarted.
func TestResetShortensTheWait(t *testing.T) {
	w := newWorld(t, func(o *pluginhost.Options) { o.Restart.First = time.Hour; o.Restart.Max = time.Hour })
	i, m := w.mustStart(t)
	if _, err := ask(t, m, "exit"); err == nil {
		t.Fatal("the plugin did not exit")
	}
	eventually(t, "it waits", func() bool { return i.State().Name == pluginhost.StateRestarting })
	if s := i.State(); time.Until(s.NextRetry) < 20*time.Minute || s.LastError == "" {
		t.Errorf("state %+v", s)
	}
	if err := i.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	mustAsk(t, m, "pid")
	if s := i.State(); !s.NextRetry.IsZero() {
		t.Errorf("state %+v", s)
	}
}

// TestNeverAnswers has a plugin that leaves one of the host's own calls unanswered.
func TestNeverAnswers(t *testing.T) {
	for _, call := range []string{"describe", "configure", "health", "stop"} {
		t.Run(call, func(t *testing.T) {
			w := newWorld(t, func(o *pluginhost.Options) {
				o.Timeouts.Control, o.Timeouts.Configure, o.Timeouts.Stop = 3*time.Second, 3*time.Second, 300*time.Millisecond
			})
			i, err := w.start(t, behaving(t, "mute-"+call))
			if call == "stop" {
				if err != nil {
					t.Fatal(err)
				}
				closeInTime(t, w)
				if s := i.State(); s.Name != pluginhost.StateStopped {
					t.Errorf("state %+v", s)
				}
				return
			}
			e := reason.From(err)
			if err == nil || e.Reason != reason.ReasonTimeout || !strings.Contains(strings.ToLower(e.Message), call) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestSlowStart(t *testing.T) {
	w := newWorld(t)
	_, m := w.mustStart(t, behaving(t, "slowish"))
	mustAsk(t, m, "pid")
}

// TestExitsAtCall has a plugin that ends at every third call.
func TestExitsAtCall(t *testing.T) {
	w := newWorld(t, func(o *pluginhost.Options) { o.Restart.Deaths = 100 })
	i, m := w.mustStart(t)
	for n := 1; n <= 9; n++ {
		_, err := ask(t, m, "third")
		if n%3 != 0 {
			if err != nil {
				t.Fatalf("call %d: %v", n, err)
			}
			continue
		}
		kinded(t, err, reason.Unavailable)
	}
	mustAsk(t, m, "pid")
	if s := i.State(); s.Restarts != 3 || s.Generation != 4 || !strings.Contains(s.LastError, "exit status 7") {
		t.Errorf("state %+v", s)
	}
}

// TestCrash has a panic outside of any call, which ends the process.
func TestCrash(t *testing.T) {
	w := newWorld(t)
	i, m := w.mustStart(t)
	_, err := ask(t, m, "crash")
	kinded(t, err, reason.Unavailable)
	mustAsk(t, m, "pid")
	if s := i.State(); !strings.Contains(s.LastError, "panic: in a goroutine") {
		t.Errorf("state %+v", s)
	}
	if !strings.Contains(w.log.String(), "[ERROR] test: panic: in a goroutine") {
		t.Error("the crash is not logged as an error")
	}
}

// TestFlood has a plugin that writes megabytes on its streams, in short lines and in
// one that is too long to keep.
func TestFlood(t *testing.T) {
	w := newWorld(t)
	i, m := w.mustStart(t)
	mustAsk(t, m, "flood")
	mustAsk(t, m, "pid")
	if s := i.State(); s.Restarts != 0 {
		t.Errorf("state %+v", s)
	}
	eventually(t, "the last line is in the log", func() bool { return strings.Contains(w.log.String(), "zzzz") })
	for line := range strings.Lines(w.log.String()) {
		if len(line) > 70<<10 {
			t.Errorf("a line of %d bytes is in the log", len(line))
		}
	}
}

// TestForeignPluginSendsTooMuch has a plugin whose language knows no limit.
func TestForeignPluginSendsTooMuch(t *testing.T) {
	w := newWorld(t)
	_, m := w.mustStart(t, behaving(t, "unlimited"), func(s *pluginhost.Spec) { s.TLS = false })
	_, err := ask(t, m, fmt.Sprint(20<<20))
	kinded(t, err, reason.InvalidOutput)
	if err == nil || !strings.Contains(err.Error(), "answer is over the limit of 16777216 bytes") {
		t.Errorf("got %v", err)
	}
	mustAsk(t, m, "pid")
}

// TestOwnGroup sees that a signal to the host's group, as a terminal or a service
// manager sends it, does not reach the plugin.
func TestOwnGroup(t *testing.T) {
	w := newWorld(t)
	i, _ := w.mustStart(t)
	group, err := syscall.Getpgid(i.State().PID)
	if err != nil || group != i.State().PID {
		t.Errorf("group %d of process %d, %v", group, i.State().PID, err)
	}
}

// TestSecretsStayOut has a plugin that writes its key where it should not.
func TestSecretsStayOut(t *testing.T) {
	const canary = "s3cret-canary"
	w := newWorld(t, func(o *pluginhost.Options) {
		o.Redact = func(text string) string { return strings.ReplaceAll(text, canary, "[secret]") }
	})
	i, m := w.mustStart(t, settings(fmt.Sprintf(`{"mode": "good", "api_key": %q}`, canary)))
	if _, err := ask(t, m, "betray"); err == nil {
		t.Fatal("the plugin did not exit")
	}
	mustAsk(t, m, "pid")
	if s := i.State(); strings.Contains(s.LastError, canary) || !strings.Contains(s.LastError, "[secret]") {
		t.Errorf("state %+v", s)
	}
	if strings.Contains(w.log.String(), canary) {
		t.Error("the key is in the log")
	}
}

//go:build linux

package pluginhost_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// kinded checks that err is an *sdk.Error of the kind, in words for people.
func kinded(t *testing.T, err error, kind reason.Kind) {
	t.Helper()
	var e *sdk.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want an *sdk.Error", err)
	}
	if e.Kind != kind {
		t.Errorf("got %v, want kind %s", e, kind)
	}
	if strings.Contains(e.Error(), "rpc error") || strings.Contains(e.Error(), "code =") {
		t.Errorf("the transport shows: %v", e)
	}
}

func TestPanicInHandler(t *testing.T) {
	w := newWorld(t)
	i, m := w.mustStart(t)
	pid := i.State().PID
	_, err := ask(t, m, "panic")
	kinded(t, err, reason.InternalProvider)
	if got := mustAsk(t, m, "pid"); got != fmt.Sprint(pid) || i.State().Restarts != 0 {
		t.Errorf("the process did not survive: %s, was %d", got, pid)
	}
	eventually(t, "the stack is in the log", func() bool { return strings.Contains(w.log.String(), "testplugin/main.go") })
}

// underWay makes a call and returns when the plugin has begun to answer. Its
// error comes on the channel.
func underWay(t *testing.T, m sdk.Model, model string) <-chan error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), bound)
	t.Cleanup(cancel)
	began, failed := make(chan struct{}), make(chan error, 1)
	go func() {
		failed <- m.GenerateStream(ctx, sdk.GenerateRequest{Model: model}, func(sdk.Chunk) error {
			close(began)
			return nil
		})
	}()
	select {
	case <-began:
	case <-ctx.Done():
		t.Fatal("the plugin does not answer")
	}
	return failed
}

func TestDeathInCall(t *testing.T) {
	kill := func(t *testing.T, i *pluginhost.Instance) {
		if err := syscall.Kill(i.State().PID, syscall.SIGKILL); err != nil {
			t.Error(err)
		}
	}
	for name, c := range map[string]struct {
		model  string
		strike func(*testing.T, *pluginhost.Instance)
	}{
		"killed":  {"wait", kill},
		"exits":   {"exit", nil},
		"frozen":  {"freeze", kill},
		"a child": {"wait", kill},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			i, m := w.mustStart(t)
			if name == "a child" {
				mustAsk(t, m, "child")
			}
			before := i.State().PID
			failed := underWay(t, m, c.model)
			if c.strike != nil {
				c.strike(t, i)
			}
			kinded(t, <-failed, reason.Unavailable)
			if after := mustAsk(t, m, "pid"); after == fmt.Sprint(before) {
				t.Error("the dead process answered")
			}
			s := i.State()
			if s.Name != pluginhost.StateReady || s.Generation != 2 || s.Restarts != 1 || s.LastError == "" {
				t.Errorf("state %+v", s)
			}
		})
	}
}

// TestRestartWithoutSocketFolder takes the folder for sockets away, as cleaners of
// temporary folders do, before the plugin dies.
func TestRestartWithoutSocketFolder(t *testing.T) {
	var dir string
	w := newWorld(t, func(o *pluginhost.Options) { dir = o.RuntimeDir })
	_, m := w.mustStart(t)
	made, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(made) != 1 {
		t.Fatalf("made: %v %v", made, err)
	}
	if err := os.RemoveAll(made[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := ask(t, m, "exit"); err == nil {
		t.Fatal("the plugin did not exit")
	}
	mustAsk(t, m, "pid")
}

func TestStreamDies(t *testing.T) {
	w := newWorld(t)
	_, m := w.mustStart(t)
	got := ""
	err := m.GenerateStream(t.Context(), sdk.GenerateRequest{Model: "exit"}, func(c sdk.Chunk) error {
		got += c.Text
		return nil
	})
	kinded(t, err, reason.Unavailable)
	var e *sdk.Error
	if errors.As(err, &e); got != "first" || !e.OutputSent {
		t.Errorf("%q was passed on, and the error says %v", got, e.OutputSent)
	}
}

func TestDeadlineAndCancel(t *testing.T) {
	w := newWorld(t, func(o *pluginhost.Options) { o.Timeouts.Call = 100 * time.Millisecond })
	_, m := w.mustStart(t)
	_, err := m.Generate(context.Background(), sdk.GenerateRequest{Model: "wait"})
	kinded(t, err, reason.Timeout)

	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err = m.Generate(ctx, sdk.GenerateRequest{Model: "wait"})
	kinded(t, err, reason.Timeout)

	ctx, cancel = context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	_, err = m.Generate(ctx, sdk.GenerateRequest{Model: "wait"})
	kinded(t, err, reason.Cancelled)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v is not context.Canceled", err)
	}
}

func TestBigMessages(t *testing.T) {
	w := newWorld(t)
	_, m := w.mustStart(t)
	_, err := m.Generate(t.Context(), sdk.GenerateRequest{
		Messages: []sdk.Message{{Role: sdk.RoleUser, Content: strings.Repeat("x", 20<<20)}},
	})
	kinded(t, err, reason.InvalidRequest)
	if !strings.Contains(err.Error(), fmt.Sprint(20 << 20)[:4]) || !strings.Contains(err.Error(), fmt.Sprint(16<<20)) {
		t.Errorf("the sizes are missing: %v", err)
	}
	_, err = ask(t, m, "big")
	kinded(t, err, reason.InvalidOutput)
	r, err := m.Generate(t.Context(), sdk.GenerateRequest{
		Messages: []sdk.Message{{Role: sdk.RoleUser, Content: strings.Repeat("x", 15<<20)}},
	})
	if err != nil || r.Finish != sdk.FinishStop {
		t.Errorf("15 MiB did not pass: %v", err)
	}
}

func TestUnsupported(t *testing.T) {
	w := newWorld(t)
	_, m := w.mustStart(t)
	_, err := m.Embed(t.Context(), sdk.EmbedRequest{})
	if !errors.Is(err, sdk.ErrUnsupported) {
		t.Errorf("Embed: %v", err)
	}
	err = m.(sdk.Puller).PullModel(t.Context(), "x", func(sdk.PullProgress) error { return nil })
	if !errors.Is(err, sdk.ErrUnsupported) {
		t.Errorf("PullModel: %v", err)
	}
}

func TestLogs(t *testing.T) {
	w := newWorld(t)
	_, m := w.mustStart(t)
	mustAsk(t, m, "print")
	mustAsk(t, m, "log")
	for _, part := range []string{"printed after the handshake", "a warning", "(cut)", "test: ", "provider=local"} {
		eventually(t, part+" is in the log", func() bool { return strings.Contains(w.log.String(), part) })
	}
	if log := w.log.String(); strings.Contains(log, strings.Repeat("y", 8<<10)) {
		t.Error("a long text is in the log")
	}
}

// TestFailed lets a plugin refuse its second configuration for ever.
func TestFailed(t *testing.T) {
	w := newWorld(t, func(o *pluginhost.Options) { o.Restart.Deaths = 3 })
	marker := filepath.Join(t.TempDir(), "marker")
	i, m := w.mustStart(t, settings(fmt.Sprintf(`{"mode": "refuses_second", "marker": %q}`, marker)))
	if _, err := ask(t, m, "exit"); err == nil {
		t.Fatal("the plugin did not exit")
	}
	// The call waits for the restarts and fails with the last.
	_, err := ask(t, m, "pid")
	kinded(t, err, reason.Unavailable)
	if !strings.Contains(err.Error(), "failed") || !strings.Contains(err.Error(), "not twice") {
		t.Errorf("got %v", err)
	}
	if s := i.State(); s.Name != pluginhost.StateFailed || s.Restarts != 2 {
		t.Errorf("state %+v", s)
	}
}

// TestWaitForRestart lets the deadline of a call pass while the plugin is down.
func TestWaitForRestart(t *testing.T) {
	w := newWorld(t, func(o *pluginhost.Options) { o.Restart.First = time.Hour; o.Restart.Max = time.Hour })
	i, m := w.mustStart(t)
	if _, err := ask(t, m, "exit"); err == nil {
		t.Fatal("the plugin did not exit")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := m.Generate(ctx, sdk.GenerateRequest{})
	kinded(t, err, reason.Unavailable)
	eventually(t, "the death is seen", func() bool { return i.State().Name == pluginhost.StateRestarting })

	waiting, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	_, err = m.Generate(waiting, sdk.GenerateRequest{})
	kinded(t, err, reason.Cancelled)
}

//go:build linux

package pluginhost_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// specs are the test plugin under several names, with a setting for each that makes
// it another.
func specs(named map[config.ProviderName]string) []pluginhost.Spec {
	var out []pluginhost.Spec
	for name, marker := range named {
		out = append(out, spec(settings(fmt.Sprintf(`{"mode": "good", "marker": %q}`, marker)), func(s *pluginhost.Spec) { s.Provider = name }))
	}
	return out
}

func (w *world) mustOpen(t *testing.T, specs ...pluginhost.Spec) *pluginhost.Set {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), bound)
	defer cancel()
	set, err := w.Open(ctx, specs, pluginhost.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func member(t *testing.T, set *pluginhost.Set, name config.ProviderName) (*pluginhost.Instance, sdk.Model) {
	t.Helper()
	i, err := set.Instance(name)
	if err != nil {
		t.Fatal(err)
	}
	m, _ := i.Model()
	return i, m
}

// shut closes a set, which must end by itself.
func shut(t *testing.T, set *pluginhost.Set) {
	t.Helper()
	closed := make(chan error, 1)
	go func() { closed <- set.Close(context.Background()) }()
	select {
	case err := <-closed:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(bound):
		t.Fatal("the set does not close")
	}
}

// statesOf are the states that an instance went through.
func (w *world) statesOf(i *pluginhost.Instance) []pluginhost.StateName {
	w.mu.Lock()
	defer w.mu.Unlock()
	var names []pluginhost.StateName
	for _, e := range w.events {
		if e.Instance == i.ID() {
			names = append(names, e.State.Name)
		}
	}
	return names
}

// TestReplace replaces a set: what is the same goes on in its process, what is not
// is started beside the old.
func TestReplace(t *testing.T) {
	w := newWorld(t)
	old := w.mustOpen(t, specs(map[config.ProviderName]string{"same": "1", "changed": "1", "gone": "1"})...)
	next := w.mustOpen(t, specs(map[config.ProviderName]string{"same": "1", "changed": "2", "new": "1"})...)
	sameOld, _ := member(t, old, "same")
	sameNew, m := member(t, next, "same")
	changedOld, oldModel := member(t, old, "changed")
	changedNew, newModel := member(t, next, "changed")
	gone, _ := member(t, old, "gone")
	if sameOld != sameNew || changedOld == changedNew {
		t.Errorf("same shared: %v, changed shared: %v", sameOld == sameNew, changedOld == changedNew)
	}
	if mustAsk(t, oldModel, "pid") == mustAsk(t, newModel, "pid") {
		t.Error("two processes are one")
	}
	shut(t, old)
	for _, i := range []*pluginhost.Instance{changedOld, gone} {
		if s := i.State(); s.Name != pluginhost.StateStopped {
			t.Errorf("%s is %s", i.Provider(), s.Name)
		}
	}
	if got := mustAsk(t, m, "pid"); got != fmt.Sprint(sameOld.State().PID) || sameNew.State().Generation != 1 {
		t.Errorf("the shared process did not go on: %s", got)
	}
	if _, ok := old.Hold(); ok {
		t.Error("a closed set can be held")
	}
	shut(t, old) // again
	if names := next.Providers(); !slices.Equal(names, []config.ProviderName{"changed", "new", "same"}) {
		t.Errorf("providers %v", names)
	}
	_, err := next.Instance("gone")
	if e := reason.From(err); err == nil || e.Reason != reason.Reason(reason.Misconfigured) {
		t.Errorf("a provider that is not there: %v", err)
	}
}

// TestDrain closes a set while it is used, by calls and by a run between its calls.
func TestDrain(t *testing.T) {
	for _, by := range []string{"call", "hold", "both"} {
		t.Run(by, func(t *testing.T) {
			w := newWorld(t)
			set := w.mustOpen(t, spec())
			i, m := member(t, set, "local")
			release := func() {}
			if by != "call" {
				release, _ = set.Hold()
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ended := make(chan error, 1)
			if by == "hold" {
				ended <- nil
			} else {
				began := make(chan struct{})
				go func() {
					ended <- m.GenerateStream(ctx, sdk.GenerateRequest{Model: "wait"}, func(sdk.Chunk) error { close(began); return nil })
				}()
				<-began
			}
			closed := make(chan error, 1)
			go func() { closed <- set.Close(context.Background()) }()
			eventually(t, "it drains", func() bool { return i.State().Name == pluginhost.StateDraining })
			if by != "call" {
				mustAsk(t, m, "pid") // a further call of the run that holds it
			}
			select {
			case err := <-closed:
				t.Fatalf("closed while it was used: %v", err)
			default:
			}
			cancel()
			<-ended
			if by == "both" {
				mustAsk(t, m, "pid")
			}
			release()
			release()
			if err := <-closed; err != nil {
				t.Error(err)
			}
			_, err := ask(t, m, "pid")
			kinded(t, err, reason.Unavailable)
			if got := w.statesOf(i); !slices.Equal(got[len(got)-3:], []pluginhost.StateName{"draining", "stopping", "stopped"}) {
				t.Errorf("states %v", got)
			}
		})
	}
}

// TestDrainEnds uses a set for longer than it may be.
func TestDrainEnds(t *testing.T) {
	for _, by := range []string{"deadline", "context", "host"} {
		t.Run(by, func(t *testing.T) {
			w := newWorld(t, func(o *pluginhost.Options) {
				if by == "deadline" {
					o.Timeouts.Drain = 100 * time.Millisecond
				}
			})
			set := w.mustOpen(t, spec())
			i, m := member(t, set, "local")
			release, _ := set.Hold()
			defer release()
			failed := underWay(t, m, "wait")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			closed := make(chan error, 1)
			go func() { closed <- set.Close(ctx) }()
			eventually(t, "it drains", func() bool { return len(w.statesOf(i)) > 7 })
			switch by {
			case "context":
				cancel()
			case "host":
				closeInTime(t, w)
			}
			if err := <-closed; err != nil {
				t.Error(err)
			}
			kinded(t, <-failed, reason.Unavailable)
			if s := i.State(); s.Name != pluginhost.StateStopped {
				t.Errorf("state %+v", s)
			}
		})
	}
}

// TestTakenUpAgain opens a set that shares what drains: a configuration that was
// changed, and changed back.
func TestTakenUpAgain(t *testing.T) {
	w := newWorld(t)
	first := w.mustOpen(t, spec())
	i, m := member(t, first, "local")
	release, _ := first.Hold()
	closed := make(chan error, 1)
	go func() { closed <- first.Close(context.Background()) }()
	eventually(t, "it drains", func() bool { return i.State().Name == pluginhost.StateDraining })
	again := w.mustOpen(t, spec())
	if err := <-closed; err != nil {
		t.Error(err)
	}
	release()
	if shared, _ := member(t, again, "local"); shared != i || i.State().Name != pluginhost.StateReady {
		t.Errorf("shared %v, state %+v", shared == i, i.State())
	}
	mustAsk(t, m, "pid")
	shut(t, again)
	if s := i.State(); s.Name != pluginhost.StateStopped {
		t.Errorf("state %+v", s)
	}
}

// TestAllOrNothing opens sets of which one plugin does not start.
func TestAllOrNothing(t *testing.T) {
	w := newWorld(t)
	old := w.mustOpen(t, specs(map[config.ProviderName]string{"a": "1", "b": "1"})...)
	before, _ := member(t, old, "a")
	next := specs(map[config.ProviderName]string{"a": "1", "b": "2"})
	bad := spec(settings(`{"mode": "refuses"}`), func(s *pluginhost.Spec) { s.Provider = "c" })
	worse := spec(settings(`{"mode": "unhealthy"}`), func(s *pluginhost.Spec) { s.Provider = "d" })
	_, err := w.Open(t.Context(), append(next, bad, worse), pluginhost.OpenOptions{})
	if err == nil || !strings.Contains(err.Error(), "the server says no") || !strings.Contains(err.Error(), "said to be ill") {
		t.Fatalf("got %v", err)
	}
	for _, name := range []config.ProviderName{"a", "b"} {
		i, m := member(t, old, name)
		if got := mustAsk(t, m, "pid"); got != fmt.Sprint(i.State().PID) || i.State().Name != pluginhost.StateReady || i.State().Generation != 1 {
			t.Errorf("%s was touched: %+v", name, i.State())
		}
	}
	if running := w.running(); running != 2 {
		t.Errorf("%d instances run", running)
	}

	tolerant, err := w.Open(t.Context(), append(next, bad), pluginhost.OpenOptions{Tolerate: true})
	if err != nil {
		t.Fatal(err)
	}
	if i, _ := member(t, tolerant, "a"); i != before {
		t.Error("what runs was not shared")
	}
	_, failed := tolerant.Instance("c")
	if why := tolerant.Err("c"); why == nil || !errors.Is(failed, why) || reason.From(why).Reason != reason.Reason(reason.AuthFailed) {
		t.Errorf("got %v and %v", why, failed)
	}
	if err := tolerant.Err("a"); err != nil {
		t.Error(err)
	}
	shut(t, tolerant)
	shut(t, old)
}

// TestWhatIsNotShared changes one thing at a time of what makes a process.
func TestWhatIsNotShared(t *testing.T) {
	w := newWorld(t)
	copied := filepath.Join(t.TempDir(), filepath.Base(binaries.plugin))
	content, err := os.ReadFile(binaries.plugin)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(copied, content, 0o700); err != nil {
		t.Fatal(err)
	}
	changed := filepath.Join(t.TempDir(), filepath.Base(binaries.plugin))
	if err := os.WriteFile(changed, append(slices.Clone(content), '!'), 0o700); err != nil {
		t.Fatal(err)
	}
	file := "one"
	withFile := func(s *pluginhost.Spec) {
		s.Settings = []byte(`{"mode": "good", "packs": ["p.yaml"]}`)
		s.ReadFile = func(string) ([]byte, error) { return []byte(file), nil }
	}
	base, _ := member(t, w.mustOpen(t, spec(withFile)), "local")
	for name, c := range map[string]struct {
		change func(*pluginhost.Spec)
		shared bool
	}{
		"nothing":          {func(*pluginhost.Spec) {}, true},
		"path, same bytes": {func(s *pluginhost.Spec) { s.Path = copied }, true},
		"probe":            {func(s *pluginhost.Spec) { s.Probe = func(context.Context, pluginhost.Services) error { return nil } }, true},
		"bytes":            {func(s *pluginhost.Spec) { s.Path = changed }, false},
		"settings":         {func(s *pluginhost.Spec) { s.Settings = []byte(`{"mode": "good", "packs": ["p.yaml"], "marker": "x"}`) }, false},
		"files":            {func(s *pluginhost.Spec) { s.ReadFile = func(string) ([]byte, error) { return []byte("two"), nil } }, false},
		"environment":      {func(s *pluginhost.Spec) { s.Env = []string{"X=1"} }, false},
		"tls":              {func(s *pluginhost.Spec) { s.TLS = false }, false},
		"provider":         {func(s *pluginhost.Spec) { s.Provider = "other" }, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := spec(withFile, c.change)
			set := w.mustOpen(t, s)
			if i, _ := member(t, set, s.Provider); (i == base) != c.shared {
				t.Errorf("shared: %v, want %v", i == base, c.shared)
			}
			shut(t, set)
		})
	}
}

// TestProbe lets the caller's probe decide, for a new process, for one that is
// shared, and after a death.
func TestProbe(t *testing.T) {
	w := newWorld(t, func(o *pluginhost.Options) { o.Restart.Deaths = 3 })
	var good atomic.Bool
	probing := func(s *pluginhost.Spec) {
		s.Probe = func(ctx context.Context, services pluginhost.Services) error {
			info, err := services.Model.ModelInfo(ctx, "m")
			if err == nil && (!info.Present || !good.Load()) {
				err = sdk.Errorf(reason.ModelNotFound, "there is no such model")
			}
			return err
		}
	}
	_, err := w.start(t, probing)
	if err == nil || reason.From(err).Reason != reason.Reason(reason.ModelNotFound) {
		t.Fatalf("got %v", err)
	}
	good.Store(true)
	set := w.mustOpen(t, spec(probing))
	i, m := member(t, set, "local")
	good.Store(false)
	if _, err := w.start(t, probing); err == nil {
		t.Error("a shared process was not probed")
	}
	if i.State().Name != pluginhost.StateReady {
		t.Errorf("state %+v", i.State())
	}
	if err := syscall.Kill(i.State().PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it fails", func() bool { return i.State().Name == pluginhost.StateFailed })
	if !strings.Contains(i.State().LastError, "no such model") {
		t.Errorf("state %+v", i.State())
	}
	good.Store(true)
	if err := i.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	mustAsk(t, m, "pid")
}

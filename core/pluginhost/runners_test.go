//go:build linux

package pluginhost_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/core/pluginhost/internal/full"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// byHand starts the plugin of the name as a developer does, and returns what it
// prints for the host.
func byHand(t *testing.T, name string) (*exec.Cmd, *config.Reattach) {
	t.Helper()
	s := spec(behaving(t, name))
	cmd := exec.Command(s.Path)
	dir := shortDir(t)
	cmd.Env = []string{sdk.EnvDebug + "=1", "TMPDIR=" + dir}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait() // a test may have killed it
		if cmd.ProcessState.ExitCode() != 0 {
			return
		}
		if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) > 0 {
			t.Errorf("left by the plugin: %v %v", left, err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	variable, text, ok := strings.Cut(strings.TrimSpace(line), "=")
	if err != nil || !ok || variable != pluginhost.ReattachVariable(s.Plugin) {
		t.Fatalf("the plugin printed %q, %v", line, err)
	}
	reattach, err := pluginhost.ParseReattach(strings.Trim(text, "'"))
	if err != nil {
		t.Fatal(err)
	}
	return cmd, reattach
}

// runners are the ways in which a plugin is run.
var runners = map[string]func(*testing.T) func(*pluginhost.Spec){
	"process": func(t *testing.T) func(*pluginhost.Spec) { return behaving(t, "full") },
	"process, no tls": func(t *testing.T) func(*pluginhost.Spec) {
		named := behaving(t, "full")
		return func(s *pluginhost.Spec) { named(s); s.TLS = false }
	},
	"reattached": func(t *testing.T) func(*pluginhost.Spec) {
		named := behaving(t, "full")
		_, reattach := byHand(t, "full")
		return func(s *pluginhost.Spec) { named(s); s.Reattach = reattach }
	},
	"in process": func(t *testing.T) func(*pluginhost.Spec) {
		named := behaving(t, "full")
		return func(s *pluginhost.Spec) { named(s); pluginhost.InProcess(s, full.Plugin) }
	},
}

// behaviour is what holds of a plugin in whichever way it is run.
var behaviour = map[string]func(*testing.T, *pluginhost.Set, *pluginhost.Instance){
	"describe":       describesItself,
	"calls":          answersEveryCall,
	"errors":         keepsErrors,
	"panic":          survivesAPanic,
	"deadline":       keepsDeadlines,
	"cancel":         cancels,
	"stream":         streams,
	"stopped stream": stopsStreams,
	"big messages":   carriesBigMessages,
	"many at once":   servesManyAtOnce,
	"drain":          drains,
	"closed":         refusesWhenClosed,
}

// TestRunners is the one suite over all runners.
func TestRunners(t *testing.T) {
	for name, runner := range runners {
		t.Run(name, func(t *testing.T) {
			run := runner(t)
			for what, check := range behaviour {
				t.Run(what, func(t *testing.T) {
					w := newWorld(t)
					set := w.mustOpen(t, spec(func(s *pluginhost.Spec) { s.Settings = nil }, run))
					i, err := set.Instance("local")
					if err != nil {
						t.Fatal(err)
					}
					check(t, set, i)
				})
			}
		})
	}
}

func describesItself(t *testing.T, _ *pluginhost.Set, i *pluginhost.Instance) {
	if d := i.Description(); d.Name != "full" || d.Version != "2.0.0" || len(d.Services) != 3 {
		t.Errorf("description %+v", d)
	}
	if s := i.State(); s.Name != pluginhost.StateReady || s.Generation != 1 {
		t.Errorf("state %+v", s)
	}
}

func answersEveryCall(t *testing.T, _ *pluginhost.Set, i *pluginhost.Instance) {
	m, _ := i.Model()
	info, err := m.ModelInfo(t.Context(), "absent")
	if err != nil || info.Present || info.ContextLength != sdk.Known(4096) {
		t.Errorf("ModelInfo: %+v, %v", info, err)
	}
	answer, err := m.Generate(t.Context(), sdk.GenerateRequest{Messages: []sdk.Message{{Role: sdk.RoleUser, Content: "hello"}}})
	if err != nil || answer.Text != "hello" || answer.Usage.Output != sdk.Known(1) || answer.Usage.Input.Known {
		t.Errorf("Generate: %+v, %v", answer, err)
	}
	vectors, err := m.Embed(t.Context(), sdk.EmbedRequest{Texts: []string{"a", "bb"}})
	if err != nil || len(vectors.Vectors) != 2 || vectors.Vectors[1][0] != 2 {
		t.Errorf("Embed: %+v, %v", vectors, err)
	}
	pulled := 0
	err = m.(sdk.Puller).PullModel(t.Context(), "m", func(sdk.PullProgress) error { pulled++; return nil })
	if err != nil || pulled != 3 {
		t.Errorf("PullModel: %d, %v", pulled, err)
	}
	p, _ := i.Planner()
	plan, err := p.Plan(t.Context(), sdk.PlanRequest{Question: "trips"})
	if err != nil || plan.Plan == nil || plan.Plan.From != "trips" {
		t.Errorf("Plan: %+v, %v", plan, err)
	}
	s, _ := i.Synthesizer()
	text, err := s.Synthesize(t.Context(), sdk.SynthesizeRequest{Outcome: wire.Outcome{Kind: wire.Answered, Question: "why?"}, Form: wire.FormatText})
	if err != nil || text.Response.Summary != "why?" || len(text.TemplateIDs) != 1 {
		t.Errorf("Synthesize: %+v, %v", text, err)
	}
}

func keepsErrors(t *testing.T, _ *pluginhost.Set, i *pluginhost.Instance) {
	m, _ := i.Model()
	_, err := ask(t, m, "refuse")
	var e *sdk.Error
	if !errors.As(err, &e) || *e != *full.Refusal() {
		t.Errorf("got %+v, want %+v", e, full.Refusal())
	}
}

func survivesAPanic(t *testing.T, _ *pluginhost.Set, i *pluginhost.Instance) {
	m, _ := i.Model()
	_, err := ask(t, m, "panic")
	kinded(t, err, reason.InternalProvider)
	mustAsk(t, m, "")
}

func keepsDeadlines(t *testing.T, _ *pluginhost.Set, i *pluginhost.Instance) {
	m, _ := i.Model()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err := m.Generate(ctx, sdk.GenerateRequest{Model: "wait"})
	kinded(t, err, reason.Timeout)
}

func cancels(t *testing.T, _ *pluginhost.Set, i *pluginhost.Instance) {
	m, _ := i.Model()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err := m.GenerateStream(ctx, sdk.GenerateRequest{Model: "wait"}, func(sdk.Chunk) error { cancel(); return nil })
	kinded(t, err, reason.Cancelled)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v is not context.Canceled", err)
	}
}

func streams(t *testing.T, _ *pluginhost.Set, i *pluginhost.Instance) {
	m, _ := i.Model()
	var want, got strings.Builder
	for n := range 100 {
		fmt.Fprint(&want, n, " ")
	}
	finished := false
	err := m.GenerateStream(t.Context(), sdk.GenerateRequest{}, func(c sdk.Chunk) error {
		got.WriteString(c.Text)
		finished = c.Kind == sdk.ChunkFinish
		return nil
	})
	if err != nil || got.String() != want.String() || !finished {
		t.Errorf("%q, finished %v, %v", got.String(), finished, err)
	}
}

var errEnough = errors.New("enough")

func stopsStreams(t *testing.T, _ *pluginhost.Set, i *pluginhost.Instance) {
	m, _ := i.Model()
	err := m.GenerateStream(t.Context(), sdk.GenerateRequest{Model: "wait"}, func(sdk.Chunk) error { return errEnough })
	if !errors.Is(err, errEnough) {
		t.Errorf("got %v", err)
	}
	mustAsk(t, m, "")
}

func carriesBigMessages(t *testing.T, _ *pluginhost.Set, i *pluginhost.Instance) {
	m, _ := i.Model()
	said := func(size int) (sdk.GenerateResponse, error) {
		return m.Generate(t.Context(), sdk.GenerateRequest{Messages: []sdk.Message{{Role: sdk.RoleUser, Content: strings.Repeat("x", size)}}})
	}
	if r, err := said(15 << 20); err != nil || len(r.Text) != 15<<20 {
		t.Errorf("15 MiB: %d, %v", len(r.Text), err)
	}
	_, err := said(20 << 20)
	kinded(t, err, reason.InvalidRequest)
}

func servesManyAtOnce(t *testing.T, _ *pluginhost.Set, i *pluginhost.Instance) {
	m, _ := i.Model()
	var callers sync.WaitGroup
	for n := range 64 {
		callers.Go(func() {
			want := fmt.Sprint("question ", n)
			for range 5 {
				r, err := m.Generate(t.Context(), sdk.GenerateRequest{Messages: []sdk.Message{{Role: sdk.RoleUser, Content: want}}})
				if err != nil || r.Text != want {
					t.Errorf("got %q, %v", r.Text, err)
				}
			}
		})
	}
	callers.Wait()
}

func drains(t *testing.T, set *pluginhost.Set, i *pluginhost.Instance) {
	m, _ := i.Model()
	release, _ := set.Hold()
	closed := make(chan error, 1)
	go func() { closed <- set.Close(context.Background()) }()
	eventually(t, "it drains", func() bool { return i.State().Name == pluginhost.StateDraining })
	mustAsk(t, m, "")
	release()
	if err := <-closed; err != nil {
		t.Error(err)
	}
	if s := i.State(); s.Name != pluginhost.StateStopped {
		t.Errorf("state %+v", s)
	}
}

func refusesWhenClosed(t *testing.T, set *pluginhost.Set, i *pluginhost.Instance) {
	m, _ := i.Model()
	failed := underWay(t, m, "wait")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := set.Close(ctx); err != nil {
		t.Error(err)
	}
	kinded(t, <-failed, reason.Unavailable)
	_, err := ask(t, m, "")
	kinded(t, err, reason.Unavailable)
}

// TestReattach uses a plugin that somebody runs by hand: it outlives hosts, and where
// it is gone the host starts its own.
func TestReattach(t *testing.T) {
	hand, reattach := byHand(t, "full")
	again := behaving(t, "full")
	s := spec(func(s *pluginhost.Spec) { s.Settings = nil; s.Reattach = reattach }, again)
	for range 2 {
		w := newWorld(t)
		set := w.mustOpen(t, s)
		i, m := member(t, set, "local")
		mustAsk(t, m, "")
		if i.State().PID != hand.Process.Pid || !strings.Contains(w.log.String(), "that the host did not start") {
			t.Errorf("state %+v", i.State())
		}
		closeInTime(t, w)
		if gone(hand.Process.Pid) {
			t.Fatal("the host ended a plugin that is not its own")
		}
	}
	w := newWorld(t)
	i, m := member(t, w.mustOpen(t, s), "local")
	if err := hand.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = hand.Wait() // so that its number is free
	eventually(t, "the host starts its own", func() bool {
		_, err := ask(t, m, "")
		return err == nil
	})
	if s := i.State(); s.PID == hand.Process.Pid || s.PID == 0 || s.Restarts != 1 || !strings.Contains(w.log.String(), "is not there: starting one") {
		t.Errorf("state %+v", s)
	}
}

// TestReattachToAStranger names a process that is no plugin, with an address at which
// nothing listens: it lives on.
func TestReattachToAStranger(t *testing.T) {
	stranger := exec.Command("sleep", "300")
	if err := stranger.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stranger.Process.Kill(); _ = stranger.Wait() }()
	w := newWorld(t)
	i, err := w.start(t, func(s *pluginhost.Spec) {
		s.Reattach = &config.Reattach{Pid: stranger.Process.Pid, Addr: config.ReattachAddress{Network: "unix", String: "/no/such/socket"}}
	})
	if err != nil {
		t.Fatal(err)
	}
	if i.State().PID == stranger.Process.Pid {
		t.Error("it is used")
	}
	closeInTime(t, w)
	if gone(stranger.Process.Pid) {
		t.Error("the stranger was killed")
	}
}

func TestParseReattach(t *testing.T) {
	for text, part := range map[string]string{
		`{"Protocol":"grpc","ProtocolVersion":1,"Pid":7,"Test":true,"Addr":{"Network":"unix","String":"/x"}}`: "",
		`{"Addr":{"Network":"tcp","String":"127.0.0.1:1"}}`:                                                   "",
		`{`:          "not the JSON",
		`{"Adr":{}}`: "not the JSON",
		`{"Protocol":"netrpc","Addr":{"Network":"unix","String":"/x"}}`: "not grpc",
		`{"ProtocolVersion":9,"Addr":{"Network":"unix","String":"/x"}}`: "ProtocolVersion is 9",
		`{"Addr":{"Network":"udp","String":"x"}}`:                       "Addr",
		`{"Addr":{"Network":"unix"}}`:                                   "Addr",
	} {
		_, err := pluginhost.ParseReattach(text)
		if (err == nil) != (part == "") || err != nil && !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

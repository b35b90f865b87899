package graph_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"querent.dev/querent/core/graph"
	"querent.dev/querent/sdk/reason"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// state is what the tests' graphs work on: the trail of steps and the failures.
type state struct {
	trail    []string
	failures []*reason.Error
	again    int
	ids      []string
}

func (s state) visited(name string) state {
	s.trail = append(slices.Clone(s.trail), name)
	return s
}

func failed(s state, e *reason.Error) state {
	s.failures = append(slices.Clone(s.failures), e)
	return s
}

func node(name string) graph.Node[state] {
	return graph.Node[state]{Name: name, Run: func(context.Context, state) (graph.Update[state], error) {
		return func(s state) state { return s.visited(name) }, nil
	}}
}

func failing(name string, err error) graph.Node[state] {
	return graph.Node[state]{Name: name, Run: func(context.Context, state) (graph.Update[state], error) { return nil, err }}
}

func line(steps ...graph.Node[state]) graph.Spec[state] {
	spec := graph.Spec[state]{Name: "test", Start: graph.To[state](steps[0].Name), Failed: failed}
	for i, n := range steps {
		next := graph.End
		if i+1 < len(steps) {
			next = steps[i+1].Name
		}
		spec.Steps = append(spec.Steps, graph.Step[state]{Work: n, Next: graph.To[state](next)})
	}
	return spec
}

func build[S any](t *testing.T, spec graph.Spec[S]) *graph.Graph[S] {
	t.Helper()
	g, err := graph.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// recorder keeps the events of a run.
type recorder struct {
	mu     sync.Mutex
	events []graph.Event
}

func (r *recorder) sink(e graph.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
}

func (r *recorder) emitter() *graph.Emitter {
	return graph.NewEmitter("run", "trace", func() time.Time { return time.Unix(0, 0) }, r.sink)
}

func (r *recorder) story() []string {
	var out []string
	for _, e := range r.events {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s", e.Type, graph.StepID(e.SubQuery, e.Node))))
	}
	return out
}

func run(t *testing.T, ctx context.Context, spec graph.Spec[state]) (state, *reason.Error, *recorder) {
	t.Helper()
	r := &recorder{}
	s, err := build(t, spec).Run(ctx, r.emitter(), state{})
	if err == nil {
		return s, nil, r
	}
	var e *reason.Error
	if !errors.As(err, &e) {
		t.Fatalf("the graph's error is a %T, want *reason.Error", err)
	}
	return s, e, r
}

func TestStepsRunInOrder(t *testing.T) {
	s, err, r := run(t, t.Context(), line(node("a"), node("b"), node("c")))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.trail, " "); got != "a b c" {
		t.Errorf("trail %q", got)
	}
	want := []string{"node.started a", "node.completed a", "node.started b", "node.completed b", "node.started c", "node.completed c"}
	if got := r.story(); !slices.Equal(got, want) {
		t.Errorf("events %q", got)
	}
	for i, e := range r.events {
		if e.Seq != int64(i+1) || e.RunID != "run" || e.TraceID != "trace" {
			t.Errorf("event %d is %+v", i, e)
		}
	}
}

func TestRouteChoosesByState(t *testing.T) {
	for _, again := range []int{0, 2} {
		spec := line(node("work"), node("after"))
		count := node("work")
		count.Run = func(context.Context, state) (graph.Update[state], error) {
			return func(s state) state { s.again++; return s.visited("work") }, nil
		}
		spec.Steps[0] = graph.Step[state]{Work: count, MaxVisits: 3, Next: graph.Route[state]{
			Targets: []graph.Target{{To: "work"}, {To: "after"}},
			Choose: func(s state) string {
				if s.again <= again {
					return "work"
				}
				return "after"
			},
		}}
		s, err, _ := run(t, t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.Repeat("work ", again+1) + "after"; strings.Join(s.trail, " ") != want {
			t.Errorf("trail %q, want %q", s.trail, want)
		}
	}
}

func TestMaxVisitsEndsACycle(t *testing.T) {
	spec := line(node("a"), node("b"))
	spec.Steps[0].MaxVisits = 2
	spec.Steps[1].Next = graph.Route[state]{Targets: []graph.Target{{To: "a"}, {To: graph.End}}, Choose: func(state) string { return "a" }}
	s, err, _ := run(t, t.Context(), spec)
	if err == nil || err.Code != reason.InvalidState || err.Node != "a" {
		t.Fatalf("error %v", err)
	}
	if len(s.trail) != 4 {
		t.Errorf("trail %q", s.trail)
	}
}

func TestFailures(t *testing.T) {
	shared := reason.New(reason.PlanInvalid, reason.ReasonPlanInvalid, "a shared error")
	hangs := graph.Node[state]{Name: "b", Timeout: 5 * time.Millisecond, Run: func(ctx context.Context, _ state) (graph.Update[state], error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	ownWords := hangs
	ownWords.Run = func(ctx context.Context, _ state) (graph.Update[state], error) {
		<-ctx.Done()
		return nil, reason.New(reason.QueryTimeout, reason.ReasonTimeout, "the query was stopped")
	}
	worded := hangs
	worded.Overdue = func(limit time.Duration) *reason.Error {
		return reason.Provider(reason.Timeout, "no plan within %s", limit)
	}
	badUpdate := node("b")
	badUpdate.Run = func(context.Context, state) (graph.Update[state], error) {
		return func(state) state { panic("in the update") }, nil
	}
	exits := node("b")
	exits.Run = func(context.Context, state) (graph.Update[state], error) { panic(errors.New("boom")) }
	wrapped := fmt.Errorf("binding: %w", shared)

	for name, c := range map[string]struct {
		node graph.Node[state]
		code reason.Code
	}{
		"a plain error is internal":           {failing("b", errors.New("odd")), reason.Internal},
		"a reason survives":                   {failing("b", shared), reason.PlanInvalid},
		"a wrapped reason survives":           {failing("b", wrapped), reason.PlanInvalid},
		"a panic is internal":                 {exits, reason.Internal},
		"a panicking update is internal":      {badUpdate, reason.Internal},
		"a used up timeout":                   {hangs, reason.RunTimeout},
		"a used up timeout in the node's way": {worded, reason.ProviderCode(reason.Timeout)},
		"the node's own reason for a timeout": {ownWords, reason.QueryTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			s, err, r := run(t, t.Context(), line(node("a"), c.node, node("c")))
			if err == nil || err.Code != c.code || err.Node != "b" {
				t.Fatalf("error %v at %q, want %s at b", err, err.Node, c.code)
			}
			if len(s.failures) != 1 || s.failures[0].Code != c.code {
				t.Errorf("recorded %v", s.failures)
			}
			if last := r.story()[len(r.events)-1]; last != "node.failed b" {
				t.Errorf("last event %q", last)
			}
			if strings.Contains(fmt.Sprint(r.events), "boom") {
				t.Error("the panic's text is in the events")
			}
		})
	}
	if shared.Node != "" {
		t.Errorf("a shared error was stamped with %q", shared.Node)
	}
}

func TestFailureRoute(t *testing.T) {
	spec := line(node("a"), failing("b", errors.New("odd")), node("explain"))
	spec.Steps[0].Next = graph.Route[state]{Targets: []graph.Target{{To: "b"}, {To: "explain"}}, Choose: func(state) string { return "b" }}
	spec.Steps[1].Next = graph.To[state](graph.End)
	spec.Steps[1].OnError = graph.To[state]("explain")
	s, err, _ := run(t, t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(s.trail, " ") != "a explain" || len(s.failures) != 1 {
		t.Errorf("trail %q, failures %v", s.trail, s.failures)
	}
}

func TestAnUpdateBesideAnErrorCounts(t *testing.T) {
	n := node("a")
	n.Run = func(context.Context, state) (graph.Update[state], error) {
		return func(s state) state { return s.visited("half of a") }, errors.New("odd")
	}
	s, err, _ := run(t, t.Context(), line(n))
	if err == nil || len(s.trail) != 1 {
		t.Errorf("error %v, trail %q", err, s.trail)
	}
}

func TestEndOfTheRun(t *testing.T) {
	cause := reason.New(reason.RunTimeout, reason.ReasonTimeout, "the run's 1ms passed")
	timed, stop := context.WithTimeoutCause(t.Context(), time.Millisecond, cause)
	defer stop()
	for name, c := range map[string]struct {
		ctx  context.Context
		code reason.Code
	}{
		"cancelled":      {cancelled(t), reason.CancelledCode},
		"out of time":    {timed, reason.RunTimeout},
		"bare deadline":  {expired(t), reason.RunTimeout},
		"while it works": {cancelledSoon(t), reason.CancelledCode},
	} {
		t.Run(name, func(t *testing.T) {
			waits := failing("b", nil)
			waits.Run = func(ctx context.Context, _ state) (graph.Update[state], error) {
				<-ctx.Done()
				return nil, reason.New(reason.ExecutionFailed, reason.ReasonExecutionFailed, "interrupted")
			}
			last := node("last")
			last.Always = true
			spec := line(waits, last)
			spec.Steps[0].OnError = graph.To[state]("last")
			s, err, _ := run(t, c.ctx, spec)
			if err != nil {
				t.Fatal(err)
			}
			if len(s.failures) != 1 || s.failures[0].Code != c.code || s.failures[0].Node != "b" {
				t.Errorf("failures %v, want %s at b", s.failures, c.code)
			}
			if strings.Join(s.trail, " ") != "last" {
				t.Errorf("trail %q", s.trail)
			}
		})
	}
	if cause.Node != "" {
		t.Error("the shared cause was stamped")
	}
}

func cancelled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

func expired(t *testing.T) context.Context {
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	t.Cleanup(cancel)
	return ctx
}

func cancelledSoon(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	timer := time.AfterFunc(2*time.Millisecond, cancel)
	t.Cleanup(func() { timer.Stop(); cancel() })
	return ctx
}

func TestANodeThatIgnoresItsContextIsAbandoned(t *testing.T) {
	release, returned := make(chan struct{}), make(chan struct{})
	var late context.Context
	deaf := graph.Node[state]{Name: "deaf", Timeout: time.Millisecond, Grace: time.Millisecond,
		Run: func(ctx context.Context, _ state) (graph.Update[state], error) {
			defer close(returned)
			late = ctx
			<-release
			graph.Emit(ctx, graph.PlanReady, "p", nil)
			return func(s state) state { return s.visited("too late") }, nil
		}}
	s, err, r := run(t, t.Context(), line(deaf))
	if err == nil || err.Code != reason.RunTimeout {
		t.Fatalf("error %v", err)
	}
	before := len(r.events)
	close(release)
	<-returned
	graph.Emit(late, graph.PlanReady, "p", nil)
	if len(s.trail) != 0 || len(r.events) != before {
		t.Errorf("the abandoned node still counts: %q, %q", s.trail, r.story())
	}
}

func fan(limit int, split []string, work func(ctx context.Context, id string) error) graph.FanOut[state, state] {
	inner := graph.Node[state]{Name: "inner", Run: func(ctx context.Context, s state) (graph.Update[state], error) {
		return func(s state) state { return s.visited("inner") }, work(ctx, s.ids[0])
	}}
	g, err := graph.New(graph.Spec[state]{Name: "branch", Start: graph.To[state]("inner"), Failed: failed,
		Steps: []graph.Step[state]{{Work: inner, Next: graph.To[state](graph.End)}}})
	if err != nil {
		panic(err)
	}
	return graph.FanOut[state, state]{Name: "fan", Graph: g, Parallel: limit,
		Split: func(state) ([]graph.Branch[state], error) {
			var out []graph.Branch[state]
			for _, id := range split {
				out = append(out, graph.Branch[state]{ID: id, State: state{ids: []string{id}}})
			}
			return out, nil
		},
		Merge: func(s state, ends []graph.Branch[state]) (state, error) {
			for _, b := range ends {
				s.ids = append(slices.Clone(s.ids), b.ID+"="+strings.Join(b.State.trail, "+"))
				if b.Err != nil {
					return s, b.Err
				}
			}
			return s, nil
		},
	}
}

func fanSpec(f graph.FanOut[state, state]) graph.Spec[state] {
	return graph.Spec[state]{Name: "outer", Start: graph.To[state]("fan"), Failed: failed,
		Steps: []graph.Step[state]{{Work: f, Next: graph.To[state](graph.End)}}}
}

func TestFanOutMergesInOrderWhateverTheOrderOfArrival(t *testing.T) {
	ids := []string{"q1", "q2", "q3", "q4", "q5"}
	for range 100 {
		f := fan(3, ids, func(context.Context, string) error {
			time.Sleep(time.Duration(rand.IntN(300)) * time.Microsecond)
			return nil
		})
		s, err, r := run(t, t.Context(), fanSpec(f))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(s.ids, " "); got != "q1=inner q2=inner q3=inner q4=inner q5=inner" {
			t.Fatalf("merged %q", got)
		}
		for i, e := range r.events {
			if e.Seq != int64(i+1) {
				t.Fatalf("event %d has number %d", i, e.Seq)
			}
		}
	}
}

func TestFanOutIsBounded(t *testing.T) {
	var mu sync.Mutex
	running, most := 0, 0
	f := fan(2, []string{"a", "b", "c", "d", "e", "f"}, func(context.Context, string) error {
		mu.Lock()
		running++
		most = max(most, running)
		mu.Unlock()
		time.Sleep(time.Millisecond)
		mu.Lock()
		running--
		mu.Unlock()
		return nil
	})
	if _, err, _ := run(t, t.Context(), fanSpec(f)); err != nil {
		t.Fatal(err)
	}
	if most > 2 {
		t.Errorf("%d branches ran at a time, want at most 2", most)
	}
}

func TestAFailedBranchNamesItsStepAndLeavesTheOthersAlone(t *testing.T) {
	f := fan(2, []string{"q1", "q2"}, func(_ context.Context, id string) error {
		if id == "q1" {
			return errors.New("odd")
		}
		return nil
	})
	s, err, r := run(t, t.Context(), fanSpec(f))
	if err == nil || err.Node != "inner" {
		t.Fatalf("error %v", err)
	}
	if !slices.Contains(r.story(), "node.failed q1/inner") || !slices.Contains(r.story(), "node.completed q2/inner") {
		t.Errorf("events %q", r.story())
	}
	if len(s.ids) != 1 {
		t.Errorf("merged %q", s.ids)
	}
}

func TestBranchesNeedIdsOfTheirOwn(t *testing.T) {
	f := fan(1, []string{"q1", "q1"}, func(context.Context, string) error { return nil })
	if _, err, _ := run(t, t.Context(), fanSpec(f)); err == nil || err.Code != reason.InvalidState {
		t.Errorf("error %v", err)
	}
}

func TestCancellationAtRandomPointsLeavesNothingBehind(t *testing.T) {
	for range 200 {
		ctx, cancel := context.WithCancel(t.Context())
		timer := time.AfterFunc(time.Duration(rand.IntN(1500))*time.Microsecond, cancel)
		f := fan(2, []string{"q1", "q2", "q3"}, func(ctx context.Context, _ string) error {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(time.Duration(rand.IntN(700)) * time.Microsecond):
				return nil
			}
		})
		_, err, r := run(t, ctx, fanSpec(f))
		timer.Stop()
		cancel()
		if err != nil && err.Code != reason.CancelledCode {
			t.Fatalf("error %v", err)
		}
		started := map[string]int{}
		for _, e := range r.events {
			step := graph.StepID(e.SubQuery, e.Node)
			if e.Type == graph.NodeStarted {
				started[step]++
			} else {
				started[step]--
			}
		}
		for step, open := range started {
			if open != 0 {
				t.Fatalf("step %s has no end: %q", step, r.story())
			}
		}
	}
}

func TestNothingFollowsTheTerminalEvent(t *testing.T) {
	r := &recorder{}
	e := r.emitter()
	e.Emit(graph.Event{Type: graph.RunStarted})
	e.Emit(graph.Event{Type: graph.RunFailed})
	e.Emit(graph.Event{Type: graph.RunCompleted})
	e.Emit(graph.Event{Type: graph.WarningRaised})
	if got := r.story(); !slices.Equal(got, []string{"run.started", "run.failed"}) {
		t.Errorf("events %q", got)
	}
}

func TestANodeCannotEndTheRunsEvents(t *testing.T) {
	n := node("a")
	n.Run = func(ctx context.Context, _ state) (graph.Update[state], error) {
		graph.Emit(ctx, graph.RunCompleted, "", nil)
		graph.Emit(ctx, graph.PlanReady, "p_1", map[string]any{"x": 1})
		return nil, nil
	}
	_, _, r := run(t, t.Context(), line(n))
	if got := r.story(); !slices.Equal(got, []string{"node.started a", "plan.ready a", "node.completed a"}) {
		t.Errorf("events %q", got)
	}
	if r.events[1].PlanID != "p_1" {
		t.Errorf("event %+v", r.events[1])
	}
}

package graph

import (
	"context"
	"runtime"
	"testing"
	"time"

	"querent.dev/querent/sdk/reason"
)

// soon waits for what another goroutine does at once.
func soon(t *testing.T, what <-chan struct{}, name string) {
	t.Helper()
	select {
	case <-what:
	case <-time.After(10 * time.Second):
		t.Fatalf("%s: nothing came within 10 s", name)
	}
}

func TestWorkerGoesOn(t *testing.T) {
	w := &worker{}
	for _, c := range []struct {
		name string
		job  func()
	}{
		{"the first", func() {}},
		{"behind one that returned", func() {}},
		{"one that ends its goroutine", runtime.Goexit},
		{"behind it", func() {}},
	} {
		done := make(chan struct{})
		w.do(func() {
			defer close(done)
			c.job()
		})
		soon(t, done, c.name)
	}
	gone := w.gone
	w.end()
	soon(t, gone, "the end")
}

func TestANodeThatEndsItsGoroutineFailsAlone(t *testing.T) {
	g, err := New(Spec[int]{Name: "g", Start: To[int]("leaves"), Failed: func(s int, _ *reason.Error) int { return s + 10 }, Steps: []Step[int]{
		{Work: Node[int]{Name: "leaves", Run: func(context.Context, int) (Update[int], error) { runtime.Goexit(); return nil, nil }},
			Next: To[int](End), OnError: To[int]("stays")},
		{Work: Node[int]{Name: "stays", Run: func(context.Context, int) (Update[int], error) {
			return func(s int) int { return s + 1 }, nil
		}}, Next: To[int](End)},
	}})
	if err != nil {
		t.Fatal(err)
	}
	var failed any
	s, err := g.Run(t.Context(), NewEmitter("run", "trace", time.Now, func(e Event) {
		if e.Type == NodeFailed {
			failed = e.Data["code"]
		}
	}), 0)
	if err != nil || s != 11 || failed != reason.Internal {
		t.Errorf("%d, %v, failed with %v", s, err, failed)
	}
}

func TestWorkerLeavesAnAbandonedJob(t *testing.T) {
	w, stuck, done := &worker{}, make(chan struct{}), make(chan struct{})
	w.do(func() { <-stuck })
	late := w.gone
	w.abandon()
	w.do(func() { close(done) })
	soon(t, done, "the next job")
	w.end()
	select {
	case <-late:
		t.Error("the abandoned job has ended")
	default:
	}
	close(stuck)
	soon(t, late, "the end of the abandoned job")
	(&worker{}).end() // that never worked
}

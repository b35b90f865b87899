package graph

import (
	"runtime"
	"testing"
	"time"
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

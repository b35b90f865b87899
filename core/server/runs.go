package server

import (
	"context"
	"sync"
	"time"

	"querent.dev/querent/sdk/reason"

	"querent.dev/querent/core/policy"
)

// Why the server ends runs before their time.
var (
	errStopping = reason.New(reason.CancelledCode, reason.ReasonCancelled, "the server is stopping").
			WithSafe("The server is stopping.").WithNext("Ask again in a moment.")
	errAskedTo = reason.New(reason.CancelledCode, reason.ReasonCancelled, "the caller cancelled the run")
	errDropped = reason.New(reason.CancelledCode, reason.ReasonCancelled, "the client did not take what it was sent")
)

// runs are the runs on their way, which it bounds.
type runs struct {
	mu       sync.Mutex
	max      int
	active   map[*active]struct{}
	draining bool
	idle     chan struct{} // closed when draining and none is left
}

// active is a run on its way.
type active struct {
	owner  policy.Caller
	cancel context.CancelCauseFunc
	id     string // "" until the run has begun
}

func newRuns(limit int) *runs {
	return &runs{max: limit, active: map[*active]struct{}{}, idle: make(chan struct{})}
}

// busy is how long a client is asked to wait for a free place: about as long as a
// short run takes.
const busy = 2 * time.Second

// begin counts a run in, unless there are too many or the server is stopping.
func (r *runs) begin(owner policy.Caller, cancel context.CancelCauseFunc) (*active, *problem) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.draining {
		return nil, problemOf(draining, "The server is stopping. Ask again in a moment.").retry(busy)
	}
	if r.max > 0 && len(r.active) >= r.max {
		return nil, problemOf(tooManyRuns, "The server answers %d questions already, which is its limit (server.max_runs). Ask again in a moment.", r.max).retry(busy)
	}
	a := &active{owner: owner, cancel: cancel}
	r.active[a] = struct{}{}
	return a, nil
}

// limit changes how many runs there may be. Those that there are go on.
func (r *runs) limit(most int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.max = most
}

// named says what the run is called, from when on it can be cancelled.
func (r *runs) named(a *active, id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a.id = id
}

func (r *runs) end(a *active) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.active, a)
	r.tellIdle()
}

// cancel ends the owner's run of that id. It is false when there is none.
func (r *runs) cancel(owner policy.Caller, id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for a := range r.active {
		if a.id == id && a.owner.Same(owner) {
			a.cancel(errAskedTo)
			return true
		}
	}
	return false
}

// drain lets no run begin any more, and tells when none is left.
func (r *runs) drain() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.draining = true
	r.tellIdle()
	return r.idle
}

func (r *runs) tellIdle() {
	if !r.draining || len(r.active) > 0 {
		return
	}
	select {
	case <-r.idle:
	default:
		close(r.idle)
	}
}

func (r *runs) cancelAll(cause error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for a := range r.active {
		a.cancel(cause)
	}
}

func (r *runs) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.active)
}

func (r *runs) stopping() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.draining
}

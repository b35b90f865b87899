package server

import (
	"maps"
	"slices"
	"sync"

	"querent.dev/querent/core/graph"
)

// maxQueued is more than a run has events beside its answer's words, and those are
// put together while they wait.
const maxQueued = 1024

// queue holds the events of a run until the client takes them.
type queue struct {
	wake chan struct{} // has a token when there is something new

	mu        sync.Mutex
	waiting   []frame
	closed    bool
	abandoned bool
}

func newQueue() *queue { return &queue{wake: make(chan struct{}, 1)} }

// put adds an event and never waits. It is false when the client is too far
// behind, and nobody takes the events any more.
func (q *queue) put(f frame) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.abandoned {
		return false
	}
	if len(q.waiting) > 0 {
		if joined, ok := together(q.waiting[len(q.waiting)-1].event, f.event); ok {
			q.waiting[len(q.waiting)-1].event = joined
			return true
		}
	}
	if len(q.waiting) >= maxQueued {
		return false
	}
	q.waiting = append(q.waiting, f)
	q.tell()
	return true
}

// last adds an event that ends a run, however many wait.
func (q *queue) last(f frame) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, f)
	q.tell()
}

// together is two events of an answer's words as one.
func together(a, b graph.Event) (graph.Event, bool) {
	if a.Type != graph.AnswerDelta || b.Type != graph.AnswerDelta || a.Data["field"] != b.Data["field"] {
		return b, false
	}
	before, okBefore := a.Data["text"].(string)
	after, okAfter := b.Data["text"].(string)
	b.Data = maps.Clone(b.Data)
	b.Data["text"] = before + after
	return b, okBefore && okAfter
}

// take is what waits, and whether more may come.
func (q *queue) take() ([]frame, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	taken := q.waiting
	q.waiting = nil
	if q.abandoned {
		return nil, false
	}
	return slices.Clip(taken), !q.closed
}

// close says that no more comes.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.tell()
}

// abandon says that nobody takes the events any more.
func (q *queue) abandon() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.abandoned, q.waiting = true, nil
}

func (q *queue) tell() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

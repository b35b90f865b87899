package graph

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Emitter numbers the events of one run and hands them on. It is safe for
// concurrent use; the sink is called by one goroutine at a time, in the order
// of Seq. The sink must not block for long, since the run waits for it, and
// must not call the Emitter.
type Emitter struct {
	runID, traceID string
	now            func() time.Time
	sink           func(Event)

	mu    sync.Mutex
	seq   int64
	ended bool
}

// NewEmitter makes the emitter of a run. A nil sink drops the events.
func NewEmitter(runID, traceID string, now func() time.Time, sink func(Event)) *Emitter {
	if sink == nil {
		sink = func(Event) {}
	}
	return &Emitter{runID: runID, traceID: traceID, now: now, sink: sink}
}

// Emit stamps an event with its number, its time and the ids of the run, and
// hands it on. An event after the terminal one is dropped, so that the terminal
// event is the last whatever a late node does.
func (e *Emitter) Emit(ev Event) {
	e.emit(ev, nil)
}

func (e *Emitter) emit(ev Event, live *atomic.Bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ended || live != nil && !live.Load() {
		return
	}
	e.seq++
	e.ended = ev.Type.Terminal()
	ev.Seq, ev.Time, ev.RunID, ev.TraceID = e.seq, e.now(), e.runID, e.traceID
	e.sink(ev)
}

// scope is where in a run something happens: what it emits carries the names.
type scope struct {
	emitter  *Emitter
	subQuery string
	node     string
	// live is cleared when the graph stops waiting for the node, so that an
	// abandoned node says nothing more. It is nil outside of nodes.
	live *atomic.Bool
}

func (s scope) inNode(name string) scope {
	s.node, s.live = name, new(atomic.Bool)
	s.live.Store(true)
	return s
}

func (s scope) emit(t EventType, planID string, data map[string]any) {
	s.emitter.emit(Event{SubQuery: s.subQuery, Node: s.node, PlanID: planID, Type: t, Data: data}, s.live)
}

type scopeKey struct{}

// Emit sends an event from inside a node: ctx is the context that the node was
// run with, and names the node and its sub-query. Outside of a run, and for a
// terminal type, which is the run's own to send, nothing happens.
func Emit(ctx context.Context, t EventType, planID string, data map[string]any) {
	if s, ok := ctx.Value(scopeKey{}).(scope); ok && !t.Terminal() {
		s.emit(t, planID, data)
	}
}

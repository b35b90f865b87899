package graph

import (
	"context"
	"time"

	"querent.dev/querent/sdk/reason"
)

// The targets that end a graph.
const (
	// End ends it with the state as it is.
	End = "end"
	// Fail ends it with the last failure of a step, as a step without a route for
	// its failure does.
	Fail = "fail"
)

// DefaultGrace is how long a graph waits for a node whose context has ended.
// It is long enough to roll a database call back, and short enough that a node
// which ignores its context is hardly noticed by the one who cancelled.
const DefaultGrace = 2 * time.Second

// Update makes the next state of a state. It must not write through a map, a
// slice or a pointer that the old state holds, since an abandoned node may still
// read that: it replaces them.
type Update[S any] func(S) S

// Node is a step that works on the state S.
//
// Run is called with the state as it is then and returns what changes. It may
// return an update together with an error, for what was learned before the
// failure. An error becomes a *reason.Error stamped with the node's name; a
// panic becomes an INTERNAL one.
//
// Run must return soon after its context ends. The graph waits Grace longer and
// then goes on without it: the late update and the late events are dropped, and
// the goroutine lives until Run returns. Nothing else outlives a run.
type Node[S any] struct {
	Name    string
	Timeout time.Duration // 0: bounded by the run alone
	Grace   time.Duration // 0: DefaultGrace
	// Always makes the node run also when the run's context has ended already.
	// It then has Grace to do what is left to do.
	Always bool
	// Overdue words the error of a node that used up its Timeout and gave no
	// reason of its own. Nil: RUN_TIMEOUT with the node's name.
	Overdue func(limit time.Duration) *reason.Error
	Run     func(ctx context.Context, s S) (Update[S], error)
}

// Target is where a route may lead.
type Target struct {
	To   string // a step's name, End or Fail
	When string // when, in a few words, for the drawing; "" for always
}

// Route leads from a step to the next. Choose is a pure function of the state
// that returns one of the targets' names; it is nil when there is one target.
type Route[S any] struct {
	Targets []Target
	Choose  func(S) string
}

// To is the route that always leads to the named step.
func To[S any](name string) Route[S] { return Route[S]{Targets: []Target{{To: name}}} }

// Step is a place in a graph: what is done there and what comes next.
type Step[S any] struct {
	Work Work[S]
	Next Route[S]
	// OnError is the route after a failure, which is in the state by then. With
	// no target the failure ends the graph.
	OnError Route[S]
	// MaxVisits bounds how often a run comes here. Every cycle needs a step
	// that has it; 0 means no bound.
	MaxVisits int
}

// Work is what a step does: a Node or a FanOut.
type Work[S any] interface {
	name() string
	problems() []string
	run(ctx context.Context, at place, s S) (S, *reason.Error)
	draw(d *drawing)
}

// StepID names a step of a run: <subquery>/<node>, or the node alone outside of
// sub-queries.
func StepID(subQuery, node string) string {
	if subQuery == "" {
		return node
	}
	return subQuery + "/" + node
}

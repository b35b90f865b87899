// Package graph runs a graph of nodes over a typed state: edges, conditional
// routing, bounded fan-out, deterministic merging, timeouts, cancellation and
// events.
package graph

import "time"

// EventType is a type of event, a closed set.
type EventType string

// The event types. Exactly one run.completed, run.failed or run.cancelled ends
// the events of a run.
const (
	RunStarted      EventType = "run.started"
	NodeStarted     EventType = "node.started"
	NodeCompleted   EventType = "node.completed"
	NodeFailed      EventType = "node.failed"
	NodeRetrying    EventType = "node.retrying"
	PlanReady       EventType = "plan.ready"
	SQLReady        EventType = "sql.ready"
	RowsReady       EventType = "rows.ready"
	WarningRaised   EventType = "warning"
	AnswerDelta     EventType = "answer.delta"
	AnswerReplaced  EventType = "answer.replaced"
	AnswerCompleted EventType = "answer.completed"
	RunCompleted    EventType = "run.completed"
	RunFailed       EventType = "run.failed"
	RunCancelled    EventType = "run.cancelled"
)

// Terminal reports whether no event follows one of this type.
func (t EventType) Terminal() bool {
	return t == RunCompleted || t == RunFailed || t == RunCancelled
}

// Event is something that happened in a run. Seq counts from 1 without gaps.
type Event struct {
	Seq      int64          `json:"seq"`
	Time     time.Time      `json:"time"`
	RunID    string         `json:"run_id"`
	TraceID  string         `json:"trace_id"`
	SubQuery string         `json:"sub_query,omitempty"`
	Node     string         `json:"node,omitempty"`
	PlanID   string         `json:"plan_id,omitempty"`
	Type     EventType      `json:"type"`
	Data     map[string]any `json:"data,omitempty"`
}

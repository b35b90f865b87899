package pipeline

import (
	"context"
	"slices"
	"time"

	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/nodes/answersynthesizer"
	"querent.dev/querent/core/notes"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/core/redact"
	"querent.dev/querent/sdk/reason"
)

// Ask answers a question. The run is never nil and always carries an answer;
// what went wrong is in the answer and in Err. It ends within settings.run.timeout
// and a few seconds for the last words. When ctx ends before, the outcome is
// cancelled. The sink, which may be nil, gets the events one by one, the last of
// them exactly one of run.completed, run.failed and run.cancelled. The caller
// closes the run.
func (e *Engine) Ask(ctx context.Context, q Question, sink func(graph.Event)) *Run {
	return e.run(ctx, q, sink, false)
}

// Plan goes as far as the SQL and runs nothing on the database but the reading
// of its structure. The run carries the queries, and an answer only when it
// failed.
func (e *Engine) Plan(ctx context.Context, q Question) *Run {
	return e.run(ctx, q, nil, true)
}

func (e *Engine) run(ctx context.Context, q Question, sink func(graph.Event), planOnly bool) *Run {
	r := e.begin(q, planOnly)
	gate := e.gate(cleanEvents(r.Redaction, sink))
	watch := &stopwatch{sink: gate.event, began: map[string]time.Time{}}
	emitter := graph.NewEmitter(r.ID, r.TraceID, e.deps.Clock, watch.event)
	ctx, leave := e.enter(ctx)
	defer leave()
	ctx = redact.With(ctx, r.Redaction)
	ctx = provider.WithBudget(ctx, provider.NewBudget(e.cfg.Settings.Run.Budget))
	begin := e.deps.Clock()
	emitter.Emit(graph.Event{Type: graph.RunStarted, Data: map[string]any{"question": q.Text}})
	done, err := e.control.Run(ctx, emitter, r)
	done = e.conclude(ctx, emitter, done, err)
	done.Timings, done.Elapsed = watch.timings, e.deps.Clock().Sub(begin)
	done = e.record(ctx, emitter, gate, done).redacted()
	gate.open()
	emitter.Emit(done.terminal())
	return &done
}

// begin is the state of a new run.
func (e *Engine) begin(q Question, planOnly bool) Run {
	return Run{
		ID: e.deps.IDs(), TraceID: e.deps.IDs(), Question: q, Caller: q.Caller, Config: e.cfg,
		Clock: e.calendar.at(e.deps.Clock()), Language: language(q, e.cfg.Settings.Answer.Language), PlanOnly: planOnly,
		Sub: map[SubQueryID]SubOutput{}, Redaction: e.redactor.Run(),
	}
}

// conclude makes sure that the run has its answer, also when the graph could not
// make it: then the host words it.
func (e *Engine) conclude(ctx context.Context, emitter *graph.Emitter, r Run, graphErr error) Run {
	if own := reason.From(graphErr); own != nil && !slices.ContainsFunc(r.Errors, func(f Failure) bool { return f.Err == own }) {
		r = failedRun(r, own)
	}
	if r.Answer != nil || r.PlanOnly && r.failure() == nil {
		return r
	}
	if f := r.failure(); f != nil && f.Step == StepAnswerSynthesizer && len(r.Aggregate.TerminalResults) > 0 {
		r = r.unworded(*f)
	}
	words := answersynthesizer.Node{LastWords: lastWords, Preview: e.nodes.synthesizer.Preview}
	out, _ := words.Run(context.WithoutCancel(ctx), r.toAnswer()) // its error is always nil
	r.Answer = &out.Answer
	emitter.Emit(graph.Event{Node: StepAnswerSynthesizer, Type: graph.AnswerCompleted, Data: map[string]any{"answer": out.Answer}})
	return r
}

// unworded is the run with rows in hand whose synthesizer failed: the rows are
// the answer, the failure is a note.
func (r Run) unworded(f Failure) Run {
	recovered := *f.Err
	recovered.Recovered = true
	r.Errors = slices.Clone(r.Errors)
	for i := range r.Errors {
		if r.Errors[i].Err == f.Err {
			r.Errors[i].Err = &recovered
		}
	}
	r.Warnings = appended(r.Warnings, notes.Unworded(r.Language, f.Err))
	return r
}

// terminal is the event that ends the run.
func (r Run) terminal() graph.Event {
	data := map[string]any{"ms": r.Elapsed.Milliseconds()}
	if r.Answer != nil {
		data["outcome"] = r.Answer.Outcome
	}
	if r.Receipt != nil {
		data["receipt"] = r.Receipt.Hash
	}
	f := r.failure()
	if f == nil {
		return graph.Event{Type: graph.RunCompleted, Data: data}
	}
	data["step"], data["code"], data["reason"] = f.Step, f.Err.Code, f.Err.Reason
	data["exit"] = reason.ExitCode(f.Err)
	if f.Err.Code == reason.CancelledCode {
		return graph.Event{Type: graph.RunCancelled, Data: data}
	}
	return graph.Event{Type: graph.RunFailed, Data: data}
}

// stopwatch takes the steps' times off the events on their way to the sink. The
// emitter calls it one event at a time.
type stopwatch struct {
	sink    func(graph.Event)
	began   map[string]time.Time
	timings []Timing
}

func (w *stopwatch) event(e graph.Event) {
	step := graph.StepID(e.SubQuery, e.Node)
	switch e.Type {
	case graph.NodeStarted:
		w.began[step] = e.Time
	case graph.NodeCompleted, graph.NodeFailed:
		w.timings = append(w.timings, Timing{step, e.Time.Sub(w.began[step])})
	}
	w.sink(e)
}

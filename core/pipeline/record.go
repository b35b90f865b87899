package pipeline

import (
	"context"
	"strings"
	"time"

	"querent.dev/querent/core/audit"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/nodes/answersynthesizer"
	"querent.dev/querent/sdk/reason"
)

// Recorder keeps a receipt of every run. Its methods may be called concurrently.
type Recorder interface {
	// Record seals a receipt and keeps it, once, at the end of a run and before its
	// answer is given. With an error the receipt was not kept; it is nil only if it
	// could not be sealed.
	Record(ctx context.Context, r audit.Receipt) (*audit.Receipt, error)
	// Required reports whether nothing may be answered that was not recorded.
	Required() bool
}

var _ Recorder = (*audit.Recorder)(nil)

// recordTimeout is enough for a disk that others use; a run that is over waits for
// nothing else.
const recordTimeout = 10 * time.Second

// record hands the run's receipt over. Where recording is required and failed, the
// run has failed, and nothing of its answer is left.
func (e *Engine) record(ctx context.Context, emitter *graph.Emitter, gate *gate, r Run) Run {
	if e.deps.Recorder == nil || r.Answer == nil || r.PlanOnly {
		return r
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	receipt, err := r.NewReceipt(e.nodes.rights(r.Caller))
	if err == nil {
		r.Receipt, err = e.deps.Recorder.Record(ctx, receipt)
	}
	if err == nil {
		r.Recorded = true
		gate.open()
		return r
	}
	if !e.deps.Recorder.Required() {
		e.deps.Logger.Warn("the run was answered and could not be recorded", "run", r.ID, "trace", r.TraceID, "error", err)
		return r
	}
	gate.discard()
	return e.unanswered(ctx, emitter, gate, r, err)
}

// unanswered is the run without the answer that could not be recorded.
func (e *Engine) unanswered(ctx context.Context, emitter *graph.Emitter, gate *gate, r Run, cause error) Run {
	err := reason.New(reason.Internal, reason.ReasonInternal, "the run could not be recorded: %w", cause).
		WithSafe("The run could not be recorded, so it is not answered.").
		WithNext("Tell whoever runs this service: its store of receipts or its audit log cannot be written.")
	r.Receipt = nil
	r = failedRun(r, err)
	in := r.toAnswer()
	in.Results, in.Queries, in.Notes, in.Verified, in.Unmapped = nil, nil, nil, nil, nil
	words := answersynthesizer.Node{LastWords: lastWords, Preview: e.nodes.synthesizer.Preview}
	out, _ := words.Run(ctx, in) // its error is always nil
	r.Answer = &out.Answer
	gate.open()
	emitter.Emit(graph.Event{Node: StepAnswerSynthesizer, Type: graph.AnswerCompleted, Data: map[string]any{"answer": out.Answer}})
	return r
}

// gate keeps a run's answer back until the run is recorded: of the events from the
// first of the answer on, none passes before. It numbers those that pass.
type gate struct {
	sink func(graph.Event)
	held []graph.Event
	shut bool // the next event of the answer, and all behind it, are held
	seq  int64
}

// gate is the way to a sink, which may be nil. It is shut where answers wait until
// they are recorded.
func (e *Engine) gate(sink func(graph.Event)) *gate {
	if sink == nil {
		sink = func(graph.Event) {}
	}
	return &gate{sink: sink, shut: e.deps.Recorder != nil && e.deps.Recorder.Required()}
}

func (g *gate) event(e graph.Event) {
	if g.shut && (len(g.held) > 0 || ofAnswer(e)) {
		g.held = append(g.held, e)
		return
	}
	g.pass(e)
}

func (g *gate) pass(e graph.Event) {
	g.seq++
	e.Seq = g.seq
	g.sink(e)
}

func ofAnswer(e graph.Event) bool { return strings.HasPrefix(string(e.Type), "answer.") }

// open lets everything through, now and from now on.
func (g *gate) open() {
	held := g.held
	g.held, g.shut = nil, false
	for _, e := range held {
		g.pass(e)
	}
}

// discard takes the answer out of what is held.
func (g *gate) discard() {
	var rest []graph.Event
	for _, e := range g.held {
		if !ofAnswer(e) && e.Type != graph.WarningRaised {
			rest = append(rest, e)
		}
	}
	g.held = rest
}

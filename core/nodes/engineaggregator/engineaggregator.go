// Package engineaggregator is the node that puts the results of sub-queries
// together: side by side, joined, as one list, and then filtered, summarized,
// sorted or cut. It calculates as plans do: integers and decimals exactly,
// division in doubles, text by code point, nulls last.
//
// Rows stream from one stored result into the next. What has to be held to sort,
// to group or to find partners is one result, which the limits on results bound.
package engineaggregator

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/result"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// Input is what the node reads of the run.
type Input struct {
	Parts []Part // in the order of the sub-queries
	Steps []Step // each after those that it needs
	// Terminal are the ids of parts and steps whose results answer, in order.
	Terminal []string
	Language string // of the notes, BCP 47
}

// Part is the result of a sub-query, nil where there is none: steps that need it
// must not be among Steps.
type Part struct {
	ID     string
	Result *result.Result
}

// Output is what the node gives to the run.
type Output struct {
	Terminal []Terminal
	Notes    []wire.Note // aggregates that joins may have made count rows twice
	Summary  string
}

// Terminal is a result that answers. Result is a part's own, or a new one that
// the run closes.
type Terminal struct {
	ID     string
	Result *result.Result
}

// Node is the node. It is safe for concurrent use.
type Node struct {
	Limits datasource.Limits // of each result that is made
	Store  result.Options
	// RefuseFanOut fails where an aggregate may count rows more than once, instead of
	// noting it.
	RefuseFanOut bool
}

// Run carries the steps out. A result made of one that was cut is marked as cut.
// It fails with AGGREGATOR_FAILED, whose safe message names the step and the
// columns, when the results do not fit together, and with INVALID_STATE when
// there is no result to answer with. On an error nothing is left open.
func (n *Node) Run(ctx context.Context, in Input) (Output, error) {
	w := &work{node: n, language: in.Language, results: map[string]*result.Result{}, repeats: map[string]repeats{}}
	for _, p := range in.Parts {
		w.results[p.ID] = p.Result
	}
	out, err := w.run(ctx, in)
	// A run that has ended takes no result any more.
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return Output{}, w.close(err, nil)
	}
	var kept []*result.Result
	for _, t := range out.Terminal {
		kept = append(kept, t.Result)
	}
	return out, w.close(nil, kept)
}

// work is one run of the node.
type work struct {
	node     *Node
	language string
	results  map[string]*result.Result
	repeats  map[string]repeats
	made     []*result.Result
	notes    []wire.Note
}

func (w *work) run(ctx context.Context, in Input) (Output, error) {
	for _, s := range in.Steps {
		if s.Op == Standalone {
			continue // its inputs are terminal as they are
		}
		made, err := w.step(ctx, s)
		if err != nil {
			return Output{}, err
		}
		w.results[s.ID], w.made = made, append(w.made, made)
	}
	var out Output
	for _, id := range in.Terminal {
		if w.results[id] == nil {
			return Output{}, reason.New(reason.InvalidState, reason.ReasonInvalidState, "there is no result %q to answer with", id)
		}
		out.Terminal = append(out.Terminal, Terminal{id, w.results[id]})
	}
	if len(out.Terminal) == 0 {
		return Output{}, reason.New(reason.InvalidState, reason.ReasonInvalidState, "there is no aggregated result")
	}
	out.Notes = w.notes
	if len(w.made) > 0 {
		out.Summary = fmt.Sprintf("Put %d results together in %d steps; results that answer: %d.", len(in.Parts), len(w.made), len(out.Terminal))
	}
	return out, nil
}

// close frees what was made and is not kept.
func (w *work) close(err error, kept []*result.Result) error {
	errs := []error{err}
	for _, r := range w.made {
		if !slices.Contains(kept, r) {
			errs = append(errs, r.Close())
		}
	}
	if errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil }); len(errs) == 1 {
		return errs[0]
	}
	return errors.Join(errs...)
}

// step carries out one step and stores what it gives.
func (w *work) step(ctx context.Context, s Step) (*result.Result, error) {
	inputs, err := w.inputs(s)
	if err != nil {
		return nil, err
	}
	if err := w.count(s, inputs[0]); err != nil {
		return nil, err
	}
	out, err := operate(ctx, s, inputs)
	if err != nil {
		return nil, err
	}
	out.bound(w.node.Limits, inputs)
	o := w.node.Store
	o.RowCap = w.node.Limits.Rows
	made, err := result.Store(ctx, out, out.columns, o)
	w.repeats[s.ID] = repeated(s, inputs, out)
	return made, err
}

func (w *work) inputs(s Step) ([]table, error) {
	var out []table
	for _, id := range s.Inputs {
		r := w.results[id]
		if r == nil {
			return nil, reason.New(reason.InvalidState, reason.ReasonInvalidState, "step %s needs the result %q, which is not there", s.ID, id)
		}
		out = append(out, table{step: s, id: id, columns: r.Columns(), result: r, repeats: w.repeats[id]})
	}
	if want := s.Op.inputs(); len(out) < want || !s.Op.Combines() && len(out) > want || s.Op == Compare && len(out) > want {
		return nil, failed(s, "it takes %d results and has %d", want, len(out))
	}
	return out, nil
}

// inputs is how many results the operation takes at least.
func (o Op) inputs() int {
	if o.Combines() {
		return 2
	}
	return 1
}

func operate(ctx context.Context, s Step, in []table) (*stream, error) {
	switch s.Op {
	case Compare:
		return compareSides(ctx, s, in[0], in[1])
	case Join, LeftJoin:
		return joinAll(ctx, s, in)
	case Union:
		return union(s, in)
	case Filter:
		return filter(s, in[0])
	case Summarize:
		return summarize(ctx, s, in[0])
	case Project:
		return project(s, in[0])
	case Sort:
		return sorted(ctx, s, in[0])
	case Limit:
		return limit(s, in[0])
	}
	return nil, failed(s, "there is no such operation")
}

// failed is the error of a step. Its words are of labels, ids and types, which
// whoever sees the result sees as well.
func failed(s Step, format string, args ...any) *reason.Error {
	why := fmt.Sprintf(format, args...)
	return reason.New(reason.AggregatorFailed, reason.ReasonAggregatorFailed, "step %s (%s): %s", s.ID, s.Op, why).
		WithSafe("The partial results could not be combined: %s (%s): %s.", s.ID, s.Op, why)
}

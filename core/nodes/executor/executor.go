// Package executor is the node that runs the SQL, read-only and within limits,
// and keeps the rows behind a reference.
package executor

import (
	"context"
	"errors"
	"fmt"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/redact"
	"querent.dev/querent/core/result"
	"querent.dev/querent/core/sanity"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// Input is what the node reads of the sub-query.
type Input struct {
	Datasource schema.DatasourceID
	Statement  sqlgen.Statement
	PlanID     string
	// Secured is the plan of the statement. With what follows it serves the checks
	// of the result.
	Secured  policy.Secured
	Catalog  *schema.Catalog
	Caller   policy.Caller
	Clock    plan.Clock
	Language string // of the notes
}

// Output is what the node gives to the sub-query.
type Output struct {
	Result   *result.Result // the run closes it
	RowCount int64          // "at least" that many unless TotalKnown
	// TotalKnown is unset when the result was cut.
	TotalKnown bool
	Truncated  bool
	// RowCap is the row limit at which it was cut; 0 if it was not, or was cut by
	// the byte limit.
	RowCap int64
	// Notes are what is odd about the result; they become warnings of the answer.
	Notes   []wire.Note
	Summary string
}

// Querier runs a statement; every datasource.Datasource is one.
type Querier interface {
	Query(ctx context.Context, s sqlgen.Statement, l datasource.Limits) (datasource.Rows, error)
}

// Sources gives the database behind a datasource's name, and forgets what is
// known of its structure.
type Sources interface {
	Querier(id schema.DatasourceID) (Querier, bool)
	Forget(id schema.DatasourceID)
}

// Executor is the node. It is safe for concurrent use.
type Executor struct {
	Sources Sources
	Limits  func(id schema.DatasourceID) datasource.Limits
	Store   result.Options
	Checks  *sanity.Checker // nil: results are not checked
}

// Run runs the statement and stores the rows, announced as rows.ready. A result
// that was cut by the row or the byte limit is marked; a plan's own limit is
// part of the plan and never a cut. What is odd about the result is noted. Database errors are the adapter's; after
// SCHEMA_CHANGED the next question reads the structure anew. On an error nothing
// is left open.
func (e *Executor) Run(ctx context.Context, in Input) (Output, error) {
	source, ok := e.Sources.Querier(in.Datasource)
	if !ok {
		return Output{}, reason.New(reason.InvalidState, reason.ReasonInvalidState, "there is no datasource %q to run SQL on", in.Datasource)
	}
	limits := e.Limits(in.Datasource)
	kept, err := e.fetch(ctx, source, in, limits)
	if errors.Is(err, &reason.Error{Code: reason.SchemaChanged}) {
		e.Sources.Forget(in.Datasource)
	}
	if err != nil {
		return Output{}, err
	}
	out := Output{Result: kept, RowCount: kept.RowCount(), TotalKnown: !kept.Truncated(), Truncated: kept.Truncated()}
	if kept.CutBy() == datasource.CutByRows {
		out.RowCap = out.RowCount
	}
	redact.From(ctx).TagRows(kept.Columns(), kept.Head(int(kept.RowCount())))
	graph.Emit(ctx, graph.RowsReady, in.PlanID, map[string]any{
		"columns": kept.Columns(), "row_count": out.RowCount, "truncated": out.Truncated,
	})
	if err := e.check(ctx, source, in, &out); err != nil {
		return Output{}, err
	}
	out.Summary = fmt.Sprintf("Ran the SQL; rows read: %d.", out.RowCount)
	return out, nil
}

// check notes what is odd about the result, and takes it back if the run has ended
// meanwhile.
func (e *Executor) check(ctx context.Context, source Querier, in Input, out *Output) error {
	if e.Checks == nil {
		return nil
	}
	out.Notes = e.Checks.Notes(ctx, source, sanity.Input{
		Secured: in.Secured, Catalog: in.Catalog, Caller: in.Caller, Clock: in.Clock, Language: in.Language, Result: out.Result,
	})
	if ctx.Err() != nil {
		return errors.Join(context.Cause(ctx), out.Result.Close())
	}
	return nil
}

func (e *Executor) fetch(ctx context.Context, source Querier, in Input, limits datasource.Limits) (*result.Result, error) {
	rows, err := source.Query(ctx, in.Statement, limits)
	if err != nil {
		return nil, err
	}
	store := e.Store
	store.RowCap = limits.Rows
	kept, err := result.Store(ctx, rows, in.Statement.Columns(), store)
	if err != nil {
		return nil, err
	}
	// A run that has ended takes no result any more.
	if ctx.Err() != nil {
		return nil, errors.Join(context.Cause(ctx), kept.Close())
	}
	return kept, nil
}

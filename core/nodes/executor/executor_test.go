package executor_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/nodes/executor"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// database gives rows of no columns, and does what a test tells it.
type database struct {
	rows      int64
	queryErr  error
	readErr   error
	onQuery   func()
	limits    datasource.Limits
	closed    bool
	forgotten bool

	byBytes bool // the byte limit cuts the rows at their end
	cut     bool
}

func (d *database) Querier(id schema.DatasourceID) (executor.Querier, bool) { return d, id == "shop" }
func (d *database) Forget(schema.DatasourceID)                              { d.forgotten = true }

func (d *database) Query(_ context.Context, _ sqlgen.Statement, l datasource.Limits) (datasource.Rows, error) {
	d.limits = l
	if d.onQuery != nil {
		d.onQuery()
	}
	if d.queryErr != nil {
		return nil, d.queryErr
	}
	if l.Rows > 0 && d.rows > l.Rows {
		d.rows, d.cut = l.Rows, true
	}
	return d, nil
}

func (d *database) Next() bool        { d.rows--; return d.rows >= 0 }
func (d *database) Row() []wire.Value { return nil }
func (d *database) Err() error        { return d.readErr }
func (d *database) Truncated() bool   { return d.cut || d.byBytes }
func (d *database) Close() error      { d.closed = true; return nil }

func (d *database) CutBy() datasource.Cut {
	switch {
	case d.byBytes:
		return datasource.CutByBytes
	case d.cut:
		return datasource.CutByRows
	}
	return datasource.CutNone
}

func run(ctx context.Context, d *database, id schema.DatasourceID, rows int64) (executor.Output, error) {
	e := &executor.Executor{Sources: d, Limits: func(schema.DatasourceID) datasource.Limits {
		return datasource.Limits{Rows: rows, Bytes: 7, Timeout: time.Second}
	}}
	return e.Run(ctx, executor.Input{Datasource: id, PlanID: "p_1"})
}

func TestRows(t *testing.T) {
	for name, c := range map[string]struct {
		rows, limit int64
		byBytes     bool
		want        executor.Output
	}{
		"all of them":              {3, 5, false, executor.Output{RowCount: 3, TotalKnown: true}},
		"exactly the limit":        {5, 5, false, executor.Output{RowCount: 5, TotalKnown: true}},
		"more than the limit":      {6, 5, false, executor.Output{RowCount: 5, Truncated: true, RowCap: 5}},
		"more than the byte limit": {3, 5, true, executor.Output{RowCount: 3, Truncated: true}},
		"no limit":                 {6, 0, false, executor.Output{RowCount: 6, TotalKnown: true}},
		"none":                     {0, 5, false, executor.Output{TotalKnown: true}},
	} {
		t.Run(name, func(t *testing.T) {
			d := &database{rows: c.rows, byBytes: c.byBytes}
			out, err := run(t.Context(), d, "shop", c.limit)
			if err != nil {
				t.Fatal(err)
			}
			defer out.Result.Close()
			if out.RowCount != c.want.RowCount || out.TotalKnown != c.want.TotalKnown || out.Truncated != c.want.Truncated || out.RowCap != c.want.RowCap {
				t.Errorf("output %+v", out)
			}
			if d.limits != (datasource.Limits{Rows: c.limit, Bytes: 7, Timeout: time.Second}) || !d.closed || out.Summary == "" {
				t.Errorf("limits %+v, closed %t", d.limits, d.closed)
			}
		})
	}
}

func TestFailures(t *testing.T) {
	changed := reason.New(reason.SchemaChanged, reason.ReasonSchemaChanged, "no such table")
	for name, c := range map[string]struct {
		database *database
		id       schema.DatasourceID
		code     reason.Code
		forgets  bool
	}{
		"no such datasource":           {&database{}, "other", reason.InvalidState, false},
		"a query that cannot run":      {&database{queryErr: reason.New(reason.ExecutionFailed, reason.ReasonExecutionFailed, "x")}, "shop", reason.ExecutionFailed, false},
		"a schema that changed":        {&database{queryErr: changed}, "shop", reason.SchemaChanged, true},
		"a schema that changed midway": {&database{rows: 2, readErr: changed}, "shop", reason.SchemaChanged, true},
		"rows that break off unnamed":  {&database{rows: 2, readErr: errors.New("odd")}, "shop", reason.Internal, false},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := run(t.Context(), c.database, c.id, 5)
			if reason.From(err).Code != c.code || out.Result != nil || c.database.forgotten != c.forgets {
				t.Errorf("error %v, output %+v, forgotten %t", err, out, c.database.forgotten)
			}
			if c.database.readErr != nil && !c.database.closed {
				t.Error("the rows were not closed")
			}
		})
	}
}

func TestAnEndedRunTakesNoResult(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	d := &database{onQuery: cancel}
	out, err := run(ctx, d, "shop", 5)
	if !errors.Is(err, context.Canceled) || out.Result != nil || !d.closed {
		t.Errorf("error %v, output %+v, closed %t", err, out, d.closed)
	}
}

package executor_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/nodes/executor"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/sanity"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// checked is a question about towns, none of which has the name that it names.
func checked(t *testing.T) (*executor.Executor, executor.Input, *database) {
	t.Helper()
	towns := &schema.Table{Schema: "main", Name: "towns", RowEstimate: -1, Columns: []*schema.Column{{Name: "name", Type: wire.Type{Kind: wire.KindText}}}}
	cat := schema.Build("shop", schema.SQLite, []*schema.Table{towns})
	rules, err := policy.Compile(map[config.RoleName]config.Role{"reader": {Tables: config.TableRules{Allow: []string{"*.*.*"}}}})
	if err != nil {
		t.Fatal(err)
	}
	caller, clock := policy.Caller{Name: "kim", Roles: []string{"reader"}}, plan.Clock{Now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	q, err := plan.Bind(wire.Plan{Clauses: wire.Clauses{From: "towns t", Where: "t.name = 'Ys'", Select: []string{"t.name"}}}, plan.Scope{Catalog: cat, Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	secured, err := rules.Secure(cat, q, caller)
	if err != nil {
		t.Fatal(err)
	}
	statement, err := sqlgen.Render(secured, schema.SQLite, sqlgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := &database{}
	e := &executor.Executor{
		Sources: d, Limits: func(schema.DatasourceID) datasource.Limits { return datasource.Limits{Rows: 5, Timeout: time.Second} },
		Checks: &sanity.Checker{Policy: rules},
	}
	return e, executor.Input{Datasource: "shop", Statement: statement, Secured: secured, Catalog: cat, Caller: caller, Clock: clock, PlanID: "p_1"}, d
}

func TestWhatIsOddIsNoted(t *testing.T) {
	e, in, d := checked(t)
	out, err := e.Run(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Result.Close()
	if len(out.Notes) != 1 || out.Notes[0].Code != reason.ValueNotFound || out.Notes[0].Message != "There is no towns with name 'Ys'." || !d.closed {
		t.Errorf("notes %+v, closed %t", out.Notes, d.closed)
	}
}

// TestChecksNeverFailARun has the database answer the question and nothing more.
func TestChecksNeverFailARun(t *testing.T) {
	e, in, d := checked(t)
	d.onQuery = func() { d.onQuery = func() { d.queryErr = errors.New("gone") } }
	out, err := e.Run(t.Context(), in)
	if err != nil || len(out.Notes) != 0 {
		t.Fatalf("error %v, notes %+v", err, out.Notes)
	}
	if err := out.Result.Close(); err != nil {
		t.Error(err)
	}
}

func TestARunThatEndsDuringItsChecksTakesNoResult(t *testing.T) {
	e, in, d := checked(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	d.onQuery = func() { d.onQuery = cancel }
	out, err := e.Run(ctx, in)
	if !errors.Is(err, context.Canceled) || out.Result != nil {
		t.Errorf("error %v, output %+v", err, out)
	}
}

// Package generator is the node that writes the SQL of a plan that passed.
package generator

import (
	"context"
	"fmt"

	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/wire"
)

// Input is what the node reads of the sub-query.
type Input struct {
	Secured policy.Secured
	Dialect schema.Dialect
	PlanID  string
}

// Output is what the node gives to the sub-query.
type Output struct {
	Statement sqlgen.Statement
	Summary   string
}

// Generator is the node. It is safe for concurrent use.
type Generator struct {
	Options sqlgen.Options
}

// Run renders the plan. The statement is announced as sql.ready, with its
// arguments. It fails for a plan that policy did not pass and for a dialect that
// cannot say what the plan says.
func (g *Generator) Run(ctx context.Context, in Input) (Output, error) {
	s, err := sqlgen.Render(in.Secured, in.Dialect, g.Options)
	if err != nil {
		return Output{}, err
	}
	args := make([]wire.Tagged, len(s.Shown()))
	for i, v := range s.Shown() {
		args[i] = wire.Tag(v)
	}
	graph.Emit(ctx, graph.SQLReady, in.PlanID, map[string]any{"sql": s.ShownSQL(), "args": args, "dialect": s.Dialect()})
	return Output{Statement: s, Summary: fmt.Sprintf("Wrote the SQL; it reads tables: %d.", len(s.Tables()))}, nil
}

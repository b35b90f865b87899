package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/pipeline"
)

// A node is added, replaced or removed through options; the wiring is checked
// when the engine is made, and drawn as it is.
func Example_nodes() {
	limitEverything := graph.Node[pipeline.SubRun]{
		Name: "limiter",
		Run: func(_ context.Context, s pipeline.SubRun) (graph.Update[pipeline.SubRun], error) {
			limited := *s.Proposed
			limited.Limit = 10
			return func(s pipeline.SubRun) pipeline.SubRun { s.Proposed = &limited; return s }, nil
		},
	}
	dryRun := graph.Node[pipeline.SubRun]{
		Name: "dry_run",
		Run: func(context.Context, pipeline.SubRun) (graph.Update[pipeline.SubRun], error) {
			return nil, errors.New("nothing is run here")
		},
	}
	drawn, err := pipeline.Mermaid(
		pipeline.Agent(func(s *graph.Spec[pipeline.SubRun]) error {
			if err := s.Replace(pipeline.StepExecutor, dryRun); err != nil {
				return err
			}
			return s.InsertAfter(pipeline.StepASTPlanner, limitEverything)
		}),
		pipeline.Control(func(s *graph.Spec[pipeline.Run]) error {
			return s.Remove(pipeline.StepVerifiedMatcher)
		}),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, line := range strings.Split(drawn, "\n") {
		if strings.Contains(line, "limiter") || strings.Contains(line, "dry_run") || strings.Contains(line, "start -->") {
			fmt.Println(strings.TrimSpace(line))
		}
	}
	// Output:
	// sql_agent_limiter[limiter]
	// sql_agent_dry_run[dry_run]
	// sql_agent_start -->|no plan yet| sql_agent_schema_retriever
	// sql_agent_start -->|verified plan| sql_agent_logical_validator
	// sql_agent_ast_planner --> sql_agent_limiter
	// sql_agent_limiter --> sql_agent_logical_validator
	// sql_agent_limiter -.->|retryable error| sql_agent_retry_handler
	// sql_agent_limiter -.->|final error| sql_agent_fail
	// sql_agent_physical_validator --> sql_agent_dry_run
	// sql_agent_dry_run --> sql_agent_end
	// sql_agent_dry_run -.->|retryable error| sql_agent_retry_handler
	// sql_agent_dry_run -.->|final error| sql_agent_fail
	// start -->|no verified query| datasource_resolver
	// start -->|verified query| global_planner
}

package main

import (
	"time"

	"querent.dev/querent/cmd/host/internal/output"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/sdk"
)

// stepStart is the step before those of the graph: opening the databases and
// starting the plugins.
const stepStart = "start"

// envelope is what stands around a run's answer. A run that was opened for has
// the opening among its times.
func envelope(run *pipeline.Run, code int, opening time.Duration) output.Envelope {
	e := output.Envelope{
		RunID: run.ID, TraceID: run.TraceID, Exit: code,
		Timings: output.Timings{TotalMS: (opening + run.Elapsed).Milliseconds(), Steps: []output.Step{}},
		Usage:   []output.Usage{},
	}
	if opening > 0 {
		e.Timings.Steps = append(e.Timings.Steps, output.Step{Step: stepStart, MS: opening.Milliseconds()})
	}
	for _, t := range run.Timings {
		e.Timings.Steps = append(e.Timings.Steps, output.Step{Step: t.Step, MS: t.Elapsed.Milliseconds()})
	}
	for _, c := range run.Calls {
		e.Usage = append(e.Usage, output.Usage{
			Agent: string(c.Agent), Provider: string(c.Provider), Plugin: string(c.Plugin), Model: c.Model,
			Input: figure(c.Usage.Input), Output: figure(c.Usage.Output),
			Cached: figure(c.Usage.Cached), Reasoning: figure(c.Usage.Reasoning),
		})
	}
	for _, f := range run.Errors {
		e.Errors = append(e.Errors, output.Error{
			Step: f.Step, Code: f.Err.Code, Reason: f.Err.Reason, Message: f.Err.SafeMessage, Recovered: f.Err.Recovered,
		})
	}
	return e
}

func figure(c sdk.Count) *int64 {
	if !c.Known {
		return nil
	}
	return &c.N
}

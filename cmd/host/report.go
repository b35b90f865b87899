package main

import (
	"querent.dev/querent/cmd/host/internal/output"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/sdk"
)

// envelope is what stands around a run's answer.
func envelope(run *pipeline.Run, code int) output.Envelope {
	e := output.Envelope{
		RunID: run.ID, TraceID: run.TraceID, Exit: code,
		Timings: output.Timings{TotalMS: run.Elapsed.Milliseconds(), Steps: []output.Step{}},
		Usage:   []output.Usage{},
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

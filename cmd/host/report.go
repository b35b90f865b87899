package main

import (
	"time"

	"querent.dev/querent/cmd/host/internal/output"
	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/core/redact"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
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
	if r := run.Receipt; r != nil {
		e.Receipt = &output.Receipt{ID: r.RunID, Hash: r.Hash, Stored: run.Recorded && run.Config.Store.Kept()}
	}
	for _, t := range run.Timings {
		e.Timings.Steps = append(e.Timings.Steps, output.Step{Step: t.Step, MS: t.Elapsed.Milliseconds()})
	}
	for _, c := range run.Calls {
		for _, t := range c.Tallies() {
			e.Usage = append(e.Usage, usageOf(c.Agent, t, run.Config.Settings.Run.Budget.Currency))
		}
	}
	shown := run.Redaction.At(redact.Failure)
	for _, f := range run.Errors {
		e.Errors = append(e.Errors, output.Error{
			Step: f.Step, Code: f.Err.Code, Reason: f.Err.Reason, Message: shown.Text(f.Err.SafeMessage), Recovered: f.Err.Recovered,
			Evidence: toldEvidence(f.Err),
		})
	}
	return e
}

// toldEvidence is the evidence of a failure that is of the host's own making; the rest,
// such as the id that a server gave a call, is for logs.
func toldEvidence(err *reason.Error) map[string]string {
	out := map[string]string{}
	for _, key := range []string{"provider", "model", provider.EvidenceStatus, provider.EvidenceCalls, provider.EvidenceRetryAfter} {
		if value, ok := err.Evidence[key]; ok {
			out[key] = value
		}
	}
	return out
}

func usageOf(agent config.AgentName, t provider.Tally, currency string) output.Usage {
	u := output.Usage{
		Agent: string(agent), Provider: string(t.Provider), Plugin: string(t.Plugin), Model: t.Model, Calls: t.Calls,
		Input: figure(t.Usage.Input), Output: figure(t.Usage.Output),
		Cached: figure(t.Usage.Cached), Reasoning: figure(t.Usage.Reasoning),
		Tokens: t.Spent.Tokens, Cost: t.Spent.Cost, Estimated: t.Spent.Estimated,
	}
	if u.Cost > 0 {
		u.Currency = currency
	}
	return u
}

func figure(c sdk.Count) *int64 {
	if !c.Known {
		return nil
	}
	return &c.N
}

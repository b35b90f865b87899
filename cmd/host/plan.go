package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/redact"
	"querent.dev/querent/sdk/wire"
)

// planReport is the output of querent plan: what would run, and why it is that.
type planReport struct {
	Question string              `json:"question"`
	Verified *wire.VerifiedMatch `json:"verified,omitempty"`
	Queries  []wire.Query        `json:"queries"`
	Steps    []stepSummary       `json:"steps"`
}

// stepSummary is what a step says that it did.
type stepSummary struct {
	Step    string `json:"step"`
	Summary string `json:"summary"`
}

func (a *app) planCommand() *cobra.Command {
	var f questionFlags
	cmd := &cobra.Command{
		Use:   `plan [flags] "question"`,
		Short: "Show the typed plan and the SQL of a question, without running it",
		Args:  oneQuestion,
		RunE:  func(cmd *cobra.Command, args []string) error { return a.plan(cmd.Context(), f, args[0]) },
	}
	f.add(cmd)
	cmd.AddCommand(a.explainCommand())
	return cmd
}

func (a *app) plan(ctx context.Context, f questionFlags, text string) error {
	cfg, err := f.load(a)
	if err != nil {
		return err
	}
	question, err := f.question(cfg, text, "")
	if err != nil {
		return err
	}
	return a.withHost(ctx, unrecorded(cfg), func(h *host) error {
		ctx, cancel := h.within(ctx)
		defer cancel()
		run := h.engine.Plan(ctx, question)
		if run.Err() != nil {
			return errors.Join(a.deliver(h, run, formatText, false), run.Close())
		}
		return errors.Join(a.writeJSON(reportOf(run)), run.Close())
	})
}

func reportOf(run *pipeline.Run) planReport {
	shown := run.Redaction.At(redact.Answer)
	report := planReport{Question: shown.Text(run.Question.Text), Queries: redact.Deep(shown, run.Queries()), Steps: []stepSummary{}}
	if run.Verified != nil {
		report.Verified = &run.Verified.Verified
	}
	for _, r := range run.Reasoning {
		report.Steps = append(report.Steps, stepSummary{r.Step, r.Summary})
	}
	return report
}

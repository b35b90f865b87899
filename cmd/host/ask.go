package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"querent.dev/querent/cmd/host/internal/output"
	"querent.dev/querent/core/answer"
	"querent.dev/querent/core/config"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/sdk/reason"
)

// answerFormat is the form of an answer on stdout.
type answerFormat string

// The forms of an answer.
const (
	formatText  answerFormat = "text"
	formatJSON  answerFormat = "json"
	formatTable answerFormat = "table"
	formatCSV   answerFormat = "csv"
)

// askFlags are the flags of querent ask.
type askFlags struct {
	questionFlags
	format  string
	receipt string
	strict  bool
	verbose bool
}

func (a *app) askCommand() *cobra.Command {
	var f askFlags
	cmd := &cobra.Command{
		Use:   `ask [flags] "question"`,
		Short: "Answer a question",
		Example: `  querent ask --config examples/template.yaml "How many customers do we have, by country?"
  querent ask --db ./my.sqlite --provider ollama:qwen2.5-coder:7b "Which products were never ordered?"`,
		Args: oneQuestion,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(a.output, cmd.Flags().Changed("format")); err != nil {
				return err
			}
			return a.ask(cmd.Context(), f, args[0])
		},
	}
	f.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.format, "format", string(formatText), "form of the answer: text; json (strict, worded by templates); table or csv (the rows that were read, nothing else; csv has cells byte for byte, lines that end with LF, null as an empty field, empty text as \"\"). With --output json, json alone")
	flags.StringVar(&f.receipt, "receipt", "", "write the run's receipt to this file, whole: querent receipt verify checks it")
	flags.BoolVar(&f.strict, "strict", false, "exit with 7 when the answer has warnings")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "say on stderr what happens as it happens")
	return cmd
}

// oneQuestion makes a clear error of a question without quotes.
func oneQuestion(_ *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return usage("there is no question: write it in quotes after the flags")
	case 1:
		return nil
	}
	return usage("expected one question, got %d words: write it in quotes", len(args))
}

// check refuses forms that there are not, and two that exclude each other. formed
// is set where the command line names the form: --output json has a form of its
// own for the answer, which --format json only makes strict.
func (f askFlags) check(output outputForm, formed bool) error {
	switch format := answerFormat(f.format); {
	case format != formatText && format != formatJSON && format != formatTable && format != formatCSV:
		return usage("--format %q is no form of an answer: expected text, json, table or csv", f.format)
	case formed && output == outputJSON && format != formatJSON:
		return usage("--format %[1]s and --output json exclude each other: drop --output json for the answer as %[1]s, or --format %[1]s for all of it as JSON", f.format)
	}
	return nil
}

func (a *app) ask(ctx context.Context, f askFlags, text string) error {
	cfg, err := f.load(a)
	if err != nil {
		return err
	}
	question, err := f.question(cfg, text, f.format)
	if err != nil {
		return err
	}
	return a.withHost(ctx, cfg, func(h *host) error {
		if err := h.records.noteOverrides(ctx); err != nil {
			return err
		}
		ctx, cancel := h.within(ctx)
		defer cancel()
		run := h.engine.Ask(ctx, question, a.progress(f.verbose))
		if err := writeReceipt(f.receipt, run, h.records.key); err != nil {
			return errors.Join(err, run.Close())
		}
		return errors.Join(a.deliver(h, run, answerFormat(f.format), f.strict), run.Close())
	})
}

// withHost opens the host, calls use, and closes the host whatever happens.
func (a *app) withHost(ctx context.Context, cfg *config.Config, use func(*host) error) (err error) {
	if err := a.guard.follow(cfg); err != nil {
		return err
	}
	h, err := openHost(ctx, cfg, a.logger())
	if err != nil {
		return err
	}
	defer func() {
		if closing := h.Close(ctx); closing != nil {
			// The answer is out already and stays what it is.
			fmt.Fprintf(a.stderr, "querent: stopping: %v\n", closing)
		}
	}()
	return use(h)
}

// progress is the sink of a run's events.
func (a *app) progress(verbose bool) func(graph.Event) {
	if !verbose {
		return nil
	}
	var began time.Time
	return func(e graph.Event) {
		if began.IsZero() {
			began = e.Time
		}
		fmt.Fprintf(a.stderr, "querent: %6d ms %s %s\n", e.Time.Sub(began).Milliseconds(), e.Type, graph.StepID(e.SubQuery, e.Node))
	}
}

// deliver writes a run's answer in its form and ends with the run's exit code.
func (a *app) deliver(h *host, run *pipeline.Run, format answerFormat, strict bool) error {
	code := exitOf(run, strict)
	if err := a.write(h, run, format, code); err != nil {
		return err
	}
	if f := run.Err(); f != nil {
		a.sayFailure(run)
	}
	if code != reason.ExitAnswered {
		return exitCode(code)
	}
	return nil
}

func (a *app) write(h *host, run *pipeline.Run, format answerFormat, code int) error {
	rows, plugins := output.Rows(run.Rows), pluginsByProvider(h.cfg)
	switch {
	case a.output == outputJSON:
		return output.JSON(a.stdout, envelope(run, code, h.takeOpening()), *run.Answer, rows)
	case format == formatJSON:
		return answer.WriteJSON(a.stdout, *run.Answer, rows)
	case format == formatText:
		return output.Text(a.stdout, *run.Answer, rows, plugins)
	case run.Err() != nil:
		return output.Text(a.stderr, *run.Answer, rows, plugins)
	}
	for _, warning := range run.Answer.Warnings {
		fmt.Fprintf(a.stderr, "querent: note: %s\n", output.Escape(warning))
	}
	if format == formatCSV {
		return output.CSV(a.stdout, *run.Answer, rows)
	}
	return output.Table(a.stdout, *run.Answer, rows)
}

// sayFailure is the one line on stderr that a failed run leaves: it ends with what
// the operator is to know, which the answer must not say.
func (a *app) sayFailure(run *pipeline.Run) {
	f := reason.From(run.Err())
	at := ""
	if run.Answer != nil && run.Answer.Failure != nil && run.Answer.Failure.FailedStep != "" {
		at = " at " + run.Answer.Failure.FailedStep
	}
	fmt.Fprintf(a.stderr, "querent: %s (%s)%s, trace %s: %s\n", f.Code, f.Reason, at, run.TraceID, output.Escape(f.Message))
}

// exitOf is the exit code of a run.
func exitOf(run *pipeline.Run, strict bool) int {
	if err := run.Err(); err != nil {
		return reason.ExitCode(err)
	}
	if strict && run.Answer != nil && len(run.Answer.Warnings)+len(run.Answer.Notes) > 0 {
		return reason.ExitStrictWarning
	}
	return reason.ExitAnswered
}

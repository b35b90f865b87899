package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/hashicorp/go-hclog"
	"github.com/spf13/cobra"

	"querent.dev/querent/core/answer"
	"querent.dev/querent/core/eval"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// evalFlags are the flags of querent eval run.
type evalFlags struct {
	suite, dbDir, provider, records string
	limit                           int
}

func (a *app) evalCommand() *cobra.Command {
	var f evalFlags
	run := &cobra.Command{
		Use:   "run --suite FILE",
		Short: "Ask the questions of a suite and compare the rows with those of its gold SQL",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.evalRun(cmd.Context(), f) },
	}
	flags := run.Flags()
	flags.StringVar(&f.suite, "suite", "", "the suite, JSON Lines with id, question, gold_sql and db_path")
	flags.StringVar(&f.dbDir, "db-dir", "", "folder that db_path is relative to; default the suite's own")
	flags.StringVar(&f.provider, "provider", "", "who plans: template, ollama:MODEL or openai:MODEL")
	flags.StringVar(&f.records, "records", "", "file to which a JSON line per question is written")
	flags.IntVar(&f.limit, "limit", 0, "ask only the first questions of the suite; 0 asks all")
	cmd := &cobra.Command{Use: "eval", Short: "Measure answers against suites of questions with gold SQL"}
	cmd.AddCommand(run, a.coverageCommand())
	return cmd
}

func (a *app) evalRun(ctx context.Context, f evalFlags) error {
	cases, err := f.cases()
	if err != nil {
		return err
	}
	records, done, err := createRecords(f.records)
	if err != nil {
		return err
	}
	asker := &databaseAsker{provider: f.provider, logger: a.logger(), guard: a.guard}
	report, err := eval.Run(ctx, cases, asker, records)
	if err = errors.Join(err, asker.close(ctx), done()); err != nil {
		return err
	}
	if a.output == outputJSON {
		return a.writeJSON(report)
	}
	return a.sayReport(f.suite, report)
}

func (f evalFlags) cases() ([]eval.Case, error) {
	if f.suite == "" {
		return nil, usage("there is no suite: name its file with --suite")
	}
	file, err := os.Open(f.suite)
	if err != nil {
		return nil, usage("--suite: %v", err)
	}
	defer file.Close()
	dir := f.dbDir
	if dir == "" {
		dir = filepath.Dir(f.suite)
	}
	cases, err := eval.ReadSuite(file, dir)
	if err != nil {
		return nil, usage("%s: %v", f.suite, err)
	}
	if f.limit > 0 && f.limit < len(cases) {
		cases = cases[:f.limit]
	}
	return cases, nil
}

// createRecords makes the file of records, or nothing for no name. The function
// it returns closes the file.
func createRecords(name string) (io.Writer, func() error, error) {
	if name == "" {
		return nil, func() error { return nil }, nil
	}
	file, err := os.Create(name)
	if err != nil {
		return nil, nil, usage("--records: %v", err)
	}
	return file, file.Close, nil
}

func (a *app) sayReport(suite string, r eval.Report) error {
	_, err := fmt.Fprintf(a.stdout, "%s: %d questions\n", suite, r.Cases)
	for _, status := range []eval.Status{eval.Right, eval.Tie, eval.Wrong, eval.Refused, eval.Failed, eval.Skipped} {
		if n := r.Counts[status]; n > 0 {
			fmt.Fprintf(a.stdout, "  %-8s %5d\n", status, n)
		}
	}
	_, last := fmt.Fprintf(a.stdout, "  right of all %.1f %%, right of those answered %.1f %%\n", 100*r.Accuracy, 100*r.Precision)
	return errors.Join(err, last)
}

// databaseAsker asks questions of databases, each with a configuration as --db
// makes it. It keeps the host of the last database open, since a suite asks the
// questions of one database together.
type databaseAsker struct {
	provider string
	logger   hclog.Logger
	guard    *guard
	path     string
	host     *host
}

// Ask implements eval.Asker. Answers are worded by templates: only rows count.
func (d *databaseAsker) Ask(ctx context.Context, path, question string) (eval.Answered, error) {
	if err := d.open(ctx, path); err != nil {
		return eval.Answered{}, err
	}
	caller := policy.Caller{Name: defaultCaller, Roles: []string{string(wholeDatabase)}}
	run := d.host.engine.Ask(ctx, pipeline.Question{Text: question, Caller: caller, Format: string(formatJSON)}, nil)
	got, err := answered(run)
	return got, errors.Join(err, run.Close())
}

func (d *databaseAsker) open(ctx context.Context, path string) error {
	if d.host != nil && d.path == path {
		return nil
	}
	if err := d.close(ctx); err != nil {
		return err
	}
	cfg, err := databaseConfig(path, d.provider, os.Getenv)
	if err != nil {
		return err
	}
	if err := d.guard.follow(cfg); err != nil {
		return err
	}
	d.host, err = openHost(ctx, cfg, d.logger)
	d.path = path
	return err
}

func (d *databaseAsker) close(ctx context.Context) error {
	if d.host == nil {
		return nil
	}
	h := d.host
	d.host = nil
	return h.Close(ctx)
}

// answered is a run reduced to what an evaluation looks at.
func answered(run *pipeline.Run) (eval.Answered, error) {
	got := eval.Answered{Warnings: run.Answer.Warnings}
	if queries := run.Queries(); len(queries) > 0 {
		q := queries[0]
		got.PlanID, got.Plan, got.SQL, got.Args = q.PlanID, q.Plan, q.SQL, q.Args
	}
	if err := run.Err(); err != nil {
		got.Err = reason.From(err)
		return got, nil
	}
	for _, r := range run.Aggregate.ComputedArtifacts {
		got.RowCount, got.Truncated = r.RowCount(), r.Truncated()
		rows, err := all(r.Reader())
		if err != nil {
			return got, err
		}
		got.Rows = rows
	}
	return got, nil
}

// all reads every row; a result is cut at the row limit, so it fits.
func all(r answer.RowReader) ([][]wire.Value, error) {
	defer r.Close()
	var out [][]wire.Value
	for r.Next() {
		out = append(out, slices.Clone(r.Row()))
	}
	return out, r.Err()
}

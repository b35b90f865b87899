package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"querent.dev/querent/core/eval"
	"querent.dev/querent/core/eval/mirror"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
)

// coverageFlags are the flags of querent eval coverage.
type coverageFlags struct {
	evalFlags
	dialects []string
	timeout  time.Duration
	parallel int
	servers  map[schema.Dialect]*string
	keep     bool
}

// statementTimeout is the time that a gold or a plan has: those of the suites take
// milliseconds, and one that does not end would hold up all others.
const statementTimeout = 30 * time.Second

func (a *app) coverageCommand() *cobra.Command {
	var f coverageFlags
	cmd := &cobra.Command{
		Use:   "coverage --suite FILE",
		Short: "Import the gold SQL of a suite as plans and compare their rows with the gold's own",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.evalCoverage(cmd.Context(), f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.suite, "suite", "", "the suite, JSON Lines with id, gold_sql, dialect and db_path")
	flags.StringVar(&f.dbDir, "db-dir", "", "folder that db_path is relative to; default the suite's own")
	flags.StringSliceVar(&f.dialects, "dialects", []string{string(schema.SQLite)}, "the dialects to run plans on: sqlite, postgres, mysql")
	flags.StringVar(&f.records, "records", "", "file to which a JSON line per question and dialect is written")
	flags.IntVar(&f.limit, "limit", 0, "cover only the first questions of the suite; 0 covers all")
	flags.DurationVar(&f.timeout, "timeout", statementTimeout, "time limit of each statement")
	f.servers = map[schema.Dialect]*string{}
	for _, d := range []schema.Dialect{schema.Postgres, schema.MySQL} {
		f.servers[d] = flags.String(string(d), "", "URL of the "+string(d)+" server that the databases are mirrored into, with an account that may make databases")
	}
	flags.BoolVar(&f.keep, "keep-mirrors", false, "leave the mirrors on the servers, and use those that are there")
	flags.IntVar(&f.parallel, "parallel", 2, "databases that are covered at a time")
	return cmd
}

func (a *app) evalCoverage(ctx context.Context, f coverageFlags) error {
	cases, err := f.cases()
	if err != nil {
		return err
	}
	dialects, closing, err := f.databases()
	if err != nil {
		return err
	}
	records, done, err := createRecords(f.records)
	if err != nil {
		return err
	}
	c := eval.Coverage{Dialects: dialects, Timeout: f.timeout, Parallel: f.parallel, Clock: plan.Clock{Now: time.Now().UTC(), WeekStart: time.Monday}}
	report, err := c.Run(ctx, cases, records)
	if err = errors.Join(err, done(), closing(context.WithoutCancel(ctx))); err != nil {
		return err
	}
	if a.output == outputJSON {
		return a.writeJSON(report)
	}
	return a.sayCoverage(f.suite, report)
}

// databases are the databases of a suite on each dialect, and what drops the
// mirrors of them.
func (f coverageFlags) databases() ([]eval.Databases, func(context.Context) error, error) {
	var out []eval.Databases
	var made []*mirror.Server
	for _, name := range f.dialects {
		dialect := schema.Dialect(strings.TrimSpace(name))
		dsn := f.servers[dialect]
		switch {
		case dialect == schema.SQLite:
			out = append(out, eval.SQLiteFiles{})
			continue
		case dsn == nil:
			return nil, nil, usage("--dialects: %q is none of sqlite, postgres and mysql", name)
		case *dsn == "":
			return nil, nil, usage("--dialects %s: name the server to mirror into with --%s URL", dialect, dialect)
		}
		server, err := mirror.New(dialect, *dsn, f.keep)
		if err != nil {
			return nil, nil, usage("--%s: %v", dialect, err)
		}
		out = append(out, server)
		made = append(made, server)
	}
	return out, func(ctx context.Context) error {
		var errs []error
		for _, s := range made {
			errs = append(errs, s.Close(ctx))
		}
		return errors.Join(errs...)
	}, nil
}

func (a *app) sayCoverage(suite string, r eval.CoverageReport) error {
	_, err := fmt.Fprintf(a.stdout, "%s: %d questions\n", suite, r.Cases)
	for _, dialect := range slices.Sorted(maps.Keys(r.Dialects)) {
		d := r.Dialects[dialect]
		fmt.Fprintf(a.stdout, "%s: right of the portable %.2f %% (%d of %d), not portable %.2f %%\n", dialect,
			100*d.Right, d.Counts[eval.Right]+d.Counts[eval.Tie], d.Portable, 100*d.NotPortable)
		for _, status := range []eval.Status{eval.Right, eval.Tie, eval.Wrong, eval.NotPortable, eval.Refused, eval.Failed, eval.Skipped} {
			if n := d.Counts[status]; n > 0 {
				fmt.Fprintf(a.stdout, "  %-12s %5d\n", status, n)
			}
		}
	}
	return err
}

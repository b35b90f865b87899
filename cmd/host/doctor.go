package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"querent.dev/querent/cmd/host/internal/output"
	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk/reason"
)

// checkStatus is how a check of querent doctor ended.
type checkStatus string

// The ends of a check.
const (
	checkOK      checkStatus = "ok"
	checkWarn    checkStatus = "warn"
	checkFail    checkStatus = "fail"
	checkSkipped checkStatus = "skipped"
)

// checkReport is one check as querent doctor reports it.
type checkReport struct {
	Check  string      `json:"check"`
	Status checkStatus `json:"status"`
	Detail string      `json:"detail"`
	Advice string      `json:"advice,omitempty"`
	MS     int64       `json:"ms"`

	exit int // of a failed check
}

// doctorReport is the output of querent doctor under --output json.
type doctorReport struct {
	Exit   int           `json:"exit"`
	Checks []checkReport `json:"checks"`
}

// Each check has a time limit of its own, so that one that hangs says so and the
// others are made. A model may have to be loaded first, which has its own limit in
// the configuration.
const (
	pluginCheckTime     = 30 * time.Second // as long as a plugin may take to start
	modelInfoTime       = 15 * time.Second
	datasourceCheckTime = 20 * time.Second
	structureTime       = 60 * time.Second // large databases have tens of thousands of tables
	templatesTime       = 30 * time.Second
	verifiedTime        = 30 * time.Second
)

// doctorFlags are the flags of querent doctor.
type doctorFlags struct {
	questionFlags
	quick bool
	pull  bool
}

func (a *app) doctorCommand() *cobra.Command {
	var f doctorFlags
	cmd := &cobra.Command{
		Use:   "doctor [flags]",
		Short: "Check all that answers need, and say what to do about what is wrong",
		Long: "Check all that answers need, and say what to do about what is wrong: the\n" +
			"configuration, the plugins and their locks, the models behind them, the databases and\n" +
			"what the accounts may do there, roles, verified queries, templates, what runs are\n" +
			"recorded in, and one real plan.\n\n" +
			"A model is asked twice, for a few words and for one plan, unless --quick is given. Nothing\n" +
			"of the databases but their structure is sent, no plan is run, and nothing is changed;\n" +
			"only --pull has models fetched that a provider's server lacks. Every check has a time\n" +
			"limit of its own. Warnings exit with 0; a failed check with the code of\n" +
			"the worst: 2 configuration, 6 datasource, 5 provider, 4 planning.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.doctor(cmd.Context(), f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.config, "config", "", "configuration file, or a folder of *.yaml files; default "+defaultConfig+" if it is there")
	flags.StringVar(&f.db, "db", "", "a database to check without a configuration: an SQLite file, postgres://USER@HOST/DATABASE or mysql://USER@HOST/DATABASE")
	flags.StringVar(&f.provider, "provider", "", "with --db, who plans and words: template, ollama:MODEL, openai:MODEL; default template")
	flags.BoolVar(&f.quick, "quick", false, "ask no model for words or plans")
	flags.BoolVar(&f.pull, "pull", false, "have models fetched that a provider's server does not have, as far as it can; may take long")
	return cmd
}

func (a *app) doctor(ctx context.Context, f doctorFlags) error {
	d := &doctor{app: a, flags: f, logger: a.logger()}
	d.all(ctx)
	code := d.exit(ctx)
	closing := d.close(ctx)
	if err := d.finish(code); err != nil {
		return err
	}
	if closing != nil {
		return fmt.Errorf("stopping: %w", closing)
	}
	if code != reason.ExitAnswered {
		return exitCode(code)
	}
	return nil
}

// finding is what a check found.
type finding struct {
	status         checkStatus
	detail, advice string
	exit           int
}

func fine(format string, args ...any) finding {
	return finding{status: checkOK, detail: fmt.Sprintf(format, args...)}
}

func skipped(why string) finding { return finding{status: checkSkipped, detail: why} }

// but makes a warning of what is fine otherwise.
func (f finding) but(advice string, args ...any) finding {
	f.status, f.advice = checkWarn, fmt.Sprintf(advice, args...)
	return f
}

// failed is the finding of an error. Errors that are no reason.Error are of the
// kind that exit says.
func failed(exit int, err error) finding {
	var known *reason.Error
	f := finding{status: checkFail, detail: strings.TrimSpace(err.Error()), exit: exit}
	if errors.As(err, &known) {
		f.detail, f.advice, f.exit = known.Message, known.NextAction, reason.ExitCode(known)
	}
	return f
}

// check makes one check within a time limit and reports it.
func (d *doctor) check(ctx context.Context, name string, limit time.Duration, look func(context.Context) finding) checkStatus {
	began := time.Now()
	f := finding{status: checkSkipped, detail: "doctor was stopped"}
	if ctx.Err() == nil {
		own, cancel := context.WithTimeout(ctx, limit)
		f = look(own)
		if own.Err() != nil && ctx.Err() == nil && f.status == checkFail {
			f.detail = fmt.Sprintf("not done within %s: %s", limit, f.detail)
		}
		cancel()
	}
	r := checkReport{Check: name, Status: f.status, Detail: oneLine(d.app.guard.text(f.detail)), Advice: oneLine(d.app.guard.text(f.advice)), MS: time.Since(began).Milliseconds(), exit: f.exit}
	d.checks = append(d.checks, r)
	d.say(r)
	return f.status
}

// oneLine is text as it can stand in a report: what plugins and servers say may
// hold anything.
func oneLine(text string) string {
	return output.Escape(strings.Join(strings.Fields(text), " "))
}

// say writes a check as soon as it is made; programs get all of them at the end.
func (d *doctor) say(r checkReport) {
	if d.app.output == outputJSON {
		return
	}
	fmt.Fprintf(d.app.stdout, "%-8s%s: %s\n", r.Status, r.Check, r.Detail)
	if r.Advice != "" {
		fmt.Fprintf(d.app.stdout, "        -> %s\n", r.Advice)
	}
}

// badness orders the exit codes of failed checks: without a configuration nothing
// works, without a database no answer, without a provider templates still do.
var badness = []int{reason.ExitUsage, reason.ExitDatasource, reason.ExitProvider, reason.ExitRefused, reason.ExitCannotAnswer, reason.ExitInternal}

// exit is the exit code of the worst check.
func (d *doctor) exit(ctx context.Context) int {
	if ctx.Err() != nil {
		return reason.ExitCancelled
	}
	for _, code := range badness {
		for _, r := range d.checks {
			if r.Status == checkFail && r.exit == code {
				return code
			}
		}
	}
	for _, r := range d.checks {
		if r.Status == checkFail {
			return reason.ExitInternal
		}
	}
	return reason.ExitAnswered
}

func (d *doctor) finish(code int) error {
	if d.app.output == outputJSON {
		return d.app.writeJSON(doctorReport{Exit: code, Checks: d.checks})
	}
	count := map[checkStatus]int{}
	for _, r := range d.checks {
		count[r.Status]++
	}
	_, err := fmt.Fprintf(d.app.stdout, "\n%d checks: %d ok, %d warnings, %d failed, %d skipped.\n",
		len(d.checks), count[checkOK], count[checkWarn], count[checkFail], count[checkSkipped])
	return err
}

// load is the configuration with its warnings, which are findings here.
func (f *doctorFlags) load(a *app) (cfg *config.Config, file string, warnings []config.Warning, err error) {
	if f.db != "" || f.provider != "" {
		if cfg, err = f.source(a); err == nil {
			err = a.guard.follow(cfg)
		}
		return cfg, "--db", nil, err
	}
	file = f.config
	if file == "" {
		file = defaultConfig
	}
	if cfg, warnings, err = config.Load(file); err == nil {
		err = a.guard.follow(cfg)
	}
	return cfg, file, warnings, err
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/hashicorp/go-hclog"
	"github.com/spf13/cobra"

	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk/reason"
)

// app is what every command shares: where it writes, and the global flags.
type app struct {
	stdout, stderr io.Writer
	logLevel       string
	output         outputForm
	began          bool   // a command was found and its flags were understood
	guard          *guard // of stderr
}

// outputForm is the form of a command's whole output.
type outputForm string

// The forms of output.
const (
	outputPlain outputForm = "plain"
	outputJSON  outputForm = "json"
)

// run runs the command line args and returns its exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	g := newGuard()
	a := &app{stdout: stdout, stderr: g.writer(stderr), guard: g}
	root := a.root()
	root.SetArgs(args)
	return a.exit(ctx, root.ExecuteContext(ctx))
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "querent",
		Short: "Ask databases questions in plain language",
		Long: "Querent answers questions about databases. A provider, a language model or plain\n" +
			"templates, proposes a typed plan; Querent checks it, writes the SQL itself and runs\n" +
			"it read-only.\n\n" +
			"Exit codes: 0 answered, 1 internal, 2 usage or configuration, 3 refused by policy,\n" +
			"4 cannot be answered, 5 provider failed, 6 datasource failed, 7 answered with\n" +
			"warnings under --strict, 130 cancelled.",
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
		PersistentPreRunE: func(*cobra.Command, []string) error { return a.begin() },
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.CompletionOptions.HiddenDefaultCmd = true
	flags := root.PersistentFlags()
	flags.StringVar(&a.logLevel, "log-level", envOr("QUERENT_LOG", "error"), "what is logged on stderr: trace, debug, info, warn, error or off; default from QUERENT_LOG")
	flags.StringVar((*string)(&a.output), "output", string(outputPlain), "form of the command's output: plain, or json for programs")
	root.AddCommand(a.askCommand(), a.planCommand(), a.graphCommand(), a.demoCommand(), a.initCommand(), a.doctorCommand(), a.configCommand(), a.pluginsCommand(), a.serveCommand(), a.keysCommand(), a.receiptCommand(), a.auditCommand(), a.evalCommand(), a.sqlCommand(), a.schemaCommand(), a.verifiedCommand(), a.templatesCommand(), a.versionCommand())
	root.SetHelpCommand(helpCommand())
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.HasSubCommands() && c.RunE == nil {
			group(c)
		}
	}
	return root
}

func envOr(name, fallback string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return fallback
}

// begin checks the global flags. What fails before it is a usage error.
func (a *app) begin() error {
	if hclog.LevelFromString(a.logLevel) == hclog.NoLevel {
		return fmt.Errorf("%q is no log level: expected trace, debug, info, warn, error or off", a.logLevel)
	}
	if a.output != outputPlain && a.output != outputJSON {
		return fmt.Errorf("%q is no form of output: expected plain or json", a.output)
	}
	a.began = true
	return nil
}

func (a *app) logger() hclog.Logger {
	return hclog.New(&hclog.LoggerOptions{
		Name: "querent", Level: hclog.LevelFromString(a.logLevel), Output: a.stderr, Color: hclog.ColorOff,
	})
}

// exitCode ends a command that has said everything already.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// usageError is a mistake in the command line or in what it names.
type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

func usage(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

// exit reports err, once, and returns its exit code.
func (a *app) exit(ctx context.Context, err error) int {
	var said exitCode
	switch {
	case err == nil:
		return reason.ExitAnswered
	case errors.As(err, &said):
		return int(said)
	}
	code := a.codeOf(ctx, err)
	message := strings.TrimSpace(err.Error())
	fmt.Fprintf(a.stderr, "querent: %s\n", strings.ReplaceAll(message, "\n", "\n  "))
	if code == reason.ExitUsage && !a.began {
		fmt.Fprintln(a.stderr, "querent: see querent --help")
	}
	if a.output == outputJSON {
		a.reportJSON(code, a.guard.text(message), err)
	}
	return code
}

func (a *app) codeOf(ctx context.Context, err error) int {
	var wrong *usageError
	var problems config.Problems
	var known *reason.Error
	switch {
	case !a.began, errors.As(err, &wrong), errors.As(err, &problems):
		return reason.ExitUsage
	case ctx.Err() != nil:
		return reason.ExitCancelled
	case errors.As(err, &known):
		return reason.ExitCode(known)
	}
	return reason.ExitInternal
}

// failureReport is the output of a command that failed under --output json.
type failureReport struct {
	Exit  int         `json:"exit"`
	Error failureText `json:"error"`
}

type failureText struct {
	Code     reason.Code   `json:"code,omitempty"`
	Reason   reason.Reason `json:"reason,omitempty"`
	Message  string        `json:"message"`
	Problems []problemText `json:"problems,omitempty"`
}

// problemText is a config.Problem as programs read it.
type problemText struct {
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Key     string `json:"key,omitempty"`
	Message string `json:"message"`
}

func (a *app) reportJSON(code int, message string, err error) {
	if err := a.writeJSON(failedBy(code, message, err)); err != nil {
		fmt.Fprintf(a.stderr, "querent: %v\n", err)
	}
}

func failedBy(code int, message string, err error) failureReport {
	report := failureReport{Exit: code, Error: failureText{Message: message}}
	var problems config.Problems
	if errors.As(err, &problems) {
		for _, p := range problems {
			report.Error.Problems = append(report.Error.Problems, problemOf(p.Place, p.Message))
		}
	}
	var known *reason.Error
	if errors.As(err, &known) {
		report.Error.Code, report.Error.Reason = known.Code, known.Reason
	}
	return report
}

func problemOf(p config.Place, message string) problemText {
	return problemText{File: p.File, Line: p.Line, Column: p.Column, Key: p.Key, Message: message}
}

// writeJSON writes v to stdout, indented and without HTML escapes.
func (a *app) writeJSON(v any) error {
	e := json.NewEncoder(a.stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}

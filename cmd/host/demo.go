package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/demo"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// demoFiles are copies of the examples, so that the demo runs without a checkout.
//
//go:embed demofiles
var demoFiles embed.FS

const (
	// demoConfig is the example that the demo runs.
	demoConfig = "template.yaml"
	// checkoutExamples is where the demo's files are in a checkout.
	checkoutExamples = "examples"
	demoFolder       = "querent-demo"
)

// demoQuestion is a question of the tour, with the outcome that it must have.
type demoQuestion struct {
	text string
	want wire.OutcomeKind
}

// tour is what the demo asks: what verified queries answer, what the provider
// plans itself, what the role may not see, and what the data does not hold.
func tour() []demoQuestion {
	var out []demoQuestion
	for _, q := range demo.Questions() {
		out = append(out, demoQuestion{q, wire.Answered})
	}
	return append(out,
		demoQuestion{"How many stores are there, by country?", wire.Answered},
		demoQuestion{"What is the highest price of products?", wire.Answered},
		demoQuestion{"What is the average salary of employees?", wire.Refused},
		demoQuestion{"How many unicorns did we sell to pirates?", wire.CannotAnswer},
	)
}

func (a *app) demoCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   `demo [flags] ["question"]`,
		Short: "Make the demo's database and answer questions about it, without a model",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if dir == "" {
				dir = defaultDemoDir()
			}
			if len(args) == 1 {
				return a.demoQuestion(cmd.Context(), dir, args[0])
			}
			return a.demoTour(cmd.Context(), dir)
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "folder of the demo's files; default "+checkoutExamples+" in a checkout, else ./"+demoFolder)
	return cmd
}

// defaultDemoDir is the examples of the checkout in which the command runs, or a
// folder of its own.
func defaultDemoDir() string {
	if _, err := os.Stat(filepath.Join(checkoutExamples, demoConfig)); err == nil {
		return checkoutExamples
	}
	return demoFolder
}

// makeDemo puts the demo's files into dir and returns its configuration. Files
// that are there stay as they are, except for the database, which is made anew.
func makeDemo(ctx context.Context, dir string) (*config.Config, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, usage("--dir: %v", err)
	}
	if err := copyMissing(dir); err != nil {
		return nil, fmt.Errorf("make the demo's files: %w", err)
	}
	if err := demo.Write(ctx, filepath.Join(dir, "demo.db")); err != nil {
		return nil, err
	}
	text, err := fs.ReadFile(demoFiles, "demofiles/"+demoConfig)
	if err != nil {
		return nil, fmt.Errorf("read the demo's configuration: %w", err)
	}
	c, _, err := config.Parse(filepath.Join(dir, demoConfig), text)
	return c, err
}

// copyMissing writes the demo's files that dir lacks.
func copyMissing(dir string) error {
	files, err := fs.Sub(demoFiles, "demofiles")
	if err != nil {
		return err
	}
	return fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(dir, filepath.FromSlash(name))
		if entry.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		if _, err := os.Stat(target); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		return os.WriteFile(target, text, 0o644)
	})
}

// demoQuestion answers one question over the demo's database.
func (a *app) demoQuestion(ctx context.Context, dir, text string) error {
	cfg, err := makeDemo(ctx, dir)
	if err != nil {
		return err
	}
	question, err := demoFlags().question(cfg, text, string(formatText))
	if err != nil {
		return err
	}
	return a.withHost(ctx, cfg, func(h *host) error {
		ctx, cancel := h.within(ctx)
		defer cancel()
		run := h.engine.Ask(ctx, question, nil)
		return errors.Join(a.deliver(h, run, formatText, false), run.Close())
	})
}

func demoFlags() *questionFlags { return &questionFlags{caller: defaultCaller} }

// demoTour asks every question of the tour, and fails when one ends otherwise
// than it must.
func (a *app) demoTour(ctx context.Context, dir string) error {
	cfg, err := makeDemo(ctx, dir)
	if err != nil {
		return err
	}
	return a.withHost(ctx, cfg, func(h *host) error {
		wrong := 0
		for _, q := range tour() {
			ok, err := a.demoStep(ctx, h, q)
			if err != nil {
				return err
			}
			if !ok {
				wrong++
			}
		}
		if wrong > 0 {
			fmt.Fprintf(a.stderr, "querent: %d questions of the demo ended otherwise than they must\n", wrong)
			return exitCode(reason.ExitInternal)
		}
		a.demoEnd(dir)
		return nil
	})
}

// demoStep asks one question and reports whether it ended as it must.
func (a *app) demoStep(ctx context.Context, h *host, q demoQuestion) (bool, error) {
	question, err := demoFlags().question(h.cfg, q.text, string(formatText))
	if err != nil {
		return false, err
	}
	a.demoSay("==== %s\n\n", q.text)
	run := h.engine.Ask(ctx, question, nil)
	err = errors.Join(a.write(h, run, formatText, exitOf(run, false)), run.Close())
	a.demoSay("\n")
	if err == nil {
		err = ctx.Err()
	}
	return a.demoOutcome(run, q), err
}

// demoSay writes what stands between the answers, which programs do not want.
func (a *app) demoSay(format string, args ...any) {
	if a.output != outputJSON {
		fmt.Fprintf(a.stdout, format, args...)
	}
}

func (a *app) demoOutcome(run *pipeline.Run, q demoQuestion) bool {
	if run.Answer.Outcome == q.want {
		return true
	}
	fmt.Fprintf(a.stderr, "querent: %q ended as %s, expected %s\n", q.text, run.Answer.Outcome, q.want)
	return false
}

func (a *app) demoEnd(dir string) {
	file := filepath.Join(dir, demoConfig)
	a.demoSay(`==== What next

All of this was answered by templates, without a model. One line of %[1]s
chooses who plans and words, under agents.default:

    provider: fixed    # templates, as now
    provider: local    # a model on this machine, through Ollama
    provider: cloud    # OpenAI, or a server that speaks its API (needs OPENAI_API_KEY)

%[2]s and %[3]s are the same file with that line changed:

    %[4]s ask --config %[2]s "How many stores are there, by country?"

Ask a question of your own:

    %[4]s demo "How many products are there in 2025?"
    %[4]s ask --config %[1]s "What is the average price of products?"
`, file, filepath.Join(dir, "ollama.yaml"), filepath.Join(dir, "openai.yaml"), os.Args[0])
}

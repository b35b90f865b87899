package main

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// explanation is the output of querent plan explain for a plan.
type explanation struct {
	Datasource string    `json:"datasource"`
	PlanID     string    `json:"plan_id"`
	Plan       wire.Plan `json:"plan"`
	Text       string    `json:"text"`
}

func (a *app) explainCommand() *cobra.Command {
	var f questionFlags
	var question string
	cmd := &cobra.Command{
		Use:   "explain [flags] FILE",
		Short: "Say in plain words what a plan computes",
		Long: "Say in plain words what a plan computes: that of a JSON file, of standard input if\n" +
			"FILE is -, or with --question the one that a question leads to. Nothing is run.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 || (len(args) == 1) == (question != "") {
				return usage("expected the file of a plan, or - for standard input, or a --question")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if question != "" {
				return a.explainQuestion(cmd.Context(), f, question)
			}
			return a.explainFile(cmd.Context(), f, args[0], cmd.InOrStdin())
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&question, "question", "", "a question, whose plan is explained")
	return cmd
}

// explainFile needs databases for their schema, and no provider.
func (a *app) explainFile(ctx context.Context, f questionFlags, path string, stdin io.Reader) error {
	cfg, err := f.load(a)
	if err != nil {
		return err
	}
	p, err := readPlan(path, stdin)
	if err != nil {
		return err
	}
	id, err := f.oneDatasource(cfg)
	if err != nil {
		return err
	}
	source, err := openDatasource(cfg, id)
	if err != nil {
		return err
	}
	said, err := f.explain(ctx, cfg, source, p)
	if err == nil {
		err = a.sayExplanations([]explanation{said})
	}
	return errors.Join(err, source.Close())
}

func readPlan(path string, stdin io.Reader) (wire.Plan, error) {
	in := stdin
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return wire.Plan{}, usage("%v", err)
		}
		defer file.Close()
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, plan.MaxPlanBytes+1))
	if err != nil {
		return wire.Plan{}, usage("reading the plan: %v", err)
	}
	return plan.Decode(text)
}

// oneDatasource is the datasource that the flags name, or the only one there is.
func (q *questionFlags) oneDatasource(cfg *config.Config) (schema.DatasourceID, error) {
	id := schema.DatasourceID(q.datasource)
	if id != "" {
		if err := cfg.KnowsDatasource(id); err != nil {
			return "", usage("--datasource: %v", err)
		}
		return id, nil
	}
	if len(cfg.Datasources) != 1 {
		return "", usage("the configuration names %d databases: choose one with --datasource", len(cfg.Datasources))
	}
	for only := range cfg.Datasources {
		id = only
	}
	return id, nil
}

// explain binds a plan as the asker sees the database.
func (q *questionFlags) explain(ctx context.Context, cfg *config.Config, source datasource.Datasource, p wire.Plan) (explanation, error) {
	rules, err := compileRoles(cfg)
	if err != nil {
		return explanation{}, usage("%v", err)
	}
	clock, err := pipeline.Clock(cfg.Settings.Time, time.Now())
	if err != nil {
		return explanation{}, usage("%v", err)
	}
	catalog, err := source.Introspect(ctx)
	if err != nil {
		return explanation{}, err
	}
	caller := callerOf(cfg, q.caller)
	view, err := rules.View(catalog, caller)
	if err != nil {
		return explanation{}, err
	}
	query, err := plan.Bind(p, plan.Scope{Catalog: catalog, Visible: view, Clock: clock})
	if err != nil {
		return explanation{}, err
	}
	if _, err := rules.Secure(catalog, query, caller); err != nil {
		return explanation{}, err
	}
	return explanation{Datasource: string(source.ID()), PlanID: query.ID(), Plan: query.Wire(), Text: query.Explain()}, nil
}

func (a *app) explainQuestion(ctx context.Context, f questionFlags, text string) error {
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
		var said []explanation
		for _, q := range run.Queries() {
			if q.Plan == nil {
				continue
			}
			e, err := f.explain(ctx, cfg, h.sources[schema.DatasourceID(q.Datasource)], *q.Plan)
			if err != nil {
				return errors.Join(err, run.Close())
			}
			said = append(said, e)
		}
		return errors.Join(a.sayExplanations(said), run.Close())
	})
}

func (a *app) sayExplanations(list []explanation) error {
	if a.output == outputJSON {
		return a.writeJSON(list)
	}
	for _, e := range list {
		if _, err := io.WriteString(a.stdout, e.Text); err != nil {
			return err
		}
	}
	return nil
}

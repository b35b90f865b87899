package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlimport"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// importFlags are the flags of querent sql import.
type importFlags struct {
	config, db, datasource, caller, flavour string
}

func (a *app) sqlCommand() *cobra.Command {
	var f importFlags
	importing := &cobra.Command{
		Use:   `import [flags] "SELECT …"`,
		Short: "Turn one SELECT into a plan, or say what of it plans cannot say",
		Long: "Turn one SELECT into a plan, or say what of it plans cannot say.\n\n" +
			"The plan returns the rows that the SQL returns on a database of its flavour, runs on every\n" +
			"database, and comes under the policy like any other: save it as a verified query. A lone -\n" +
			"reads the SQL from stdin. No provider is started, and the SQL itself is never run.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.sqlImport(cmd.Context(), f, args[0]) },
	}
	flags := importing.Flags()
	flags.StringVar(&f.config, "config", "", "configuration file, or a folder of *.yaml files; default "+defaultConfig+" if it is there")
	flags.StringVar(&f.db, "db", "", "a database without a configuration: an SQLite file, postgres://USER@HOST/DATABASE or mysql://USER@HOST/DATABASE")
	flags.StringVar(&f.datasource, "datasource", "", "the datasource whose tables the SQL names; default the only one there is")
	flags.StringVar(&f.caller, "as", defaultCaller, "whose rights the plan must pass: a name under callers in the configuration")
	flags.StringVar(&f.flavour, "flavour", "", "the SQL's flavour: sqlite, postgres or mysql; default that of the datasource")
	cmd := &cobra.Command{Use: "sql", Short: "Turn SQL into plans"}
	cmd.AddCommand(importing)
	return cmd
}

// importReport is the output of querent sql import under --output json.
type importReport struct {
	Flavour string    `json:"flavour"`
	PlanID  string    `json:"plan_id"`
	Plan    wire.Plan `json:"plan"`
	Notes   []string  `json:"notes"`
}

func (a *app) sqlImport(ctx context.Context, f importFlags, sql string) error {
	if sql == "-" {
		text, err := io.ReadAll(io.LimitReader(os.Stdin, sqlimport.MaxBytes+1))
		if err != nil {
			return fmt.Errorf("read the SQL from stdin: %w", err)
		}
		sql = string(text)
	}
	q := questionFlags{config: f.config, db: f.db}
	cfg, err := q.source(a)
	if err != nil {
		return err
	}
	id, err := onlyDatasource(cfg, f.datasource)
	if err != nil {
		return err
	}
	got, flavour, err := importOn(ctx, cfg, id, f, sql)
	if err != nil {
		return importError(err)
	}
	report := importReport{Flavour: string(flavour), PlanID: got.Query.ID(), Plan: got.Plan, Notes: append([]string{}, got.Notes...)}
	if a.output == outputJSON {
		return a.writeJSON(report)
	}
	return a.sayImport(report)
}

// onlyDatasource is the datasource of that name, or the only one for none.
func onlyDatasource(cfg *config.Config, name string) (schema.DatasourceID, error) {
	id := schema.DatasourceID(name)
	if name != "" {
		if err := cfg.KnowsDatasource(id); err != nil {
			return "", usage("--datasource: %v", err)
		}
		return id, nil
	}
	if len(cfg.Datasources) != 1 {
		return "", usage("there are %d datasources: name the one whose tables the SQL names with --datasource", len(cfg.Datasources))
	}
	for id = range cfg.Datasources {
	}
	return id, nil
}

// importOn imports the SQL against a datasource, and checks that the caller may
// run the plan.
func importOn(ctx context.Context, cfg *config.Config, id schema.DatasourceID, f importFlags, sql string) (*sqlimport.Imported, schema.Dialect, error) {
	source, err := openDatasource(cfg, id)
	if err != nil {
		return nil, "", err
	}
	defer source.Close()
	cat, err := source.Introspect(ctx)
	if err != nil {
		return nil, "", err
	}
	roles, err := cfg.ResolveRoles()
	if err != nil {
		return nil, "", err
	}
	rules, err := policy.Compile(roles)
	if err != nil {
		return nil, "", usage("%v", err)
	}
	caller := callerOf(cfg, f.caller)
	view, err := rules.View(cat, caller)
	if err != nil {
		return nil, "", err
	}
	flavour := schema.Dialect(f.flavour)
	if flavour == "" {
		flavour = source.Dialect()
	}
	got, err := sqlimport.Import(sql, sqlimport.Options{Flavour: flavour, Catalog: cat, Visible: view,
		Clock: plan.Clock{Now: time.Now().UTC(), WeekStart: time.Monday}})
	if err != nil {
		return nil, flavour, err
	}
	_, err = rules.Secure(cat, got.Query, caller)
	return got, flavour, err
}

// importError is what went wrong with an import as commands report it: SQL that
// plans cannot say is a question that cannot be answered.
func importError(err error) error {
	var e *sqlimport.Error
	switch {
	case !errors.As(err, &e):
		return err
	case e.Kind == sqlimport.Syntax:
		return usage("the SQL cannot be read: %v", e)
	}
	return reason.New(reason.PlanInvalid, reason.ReasonPlanInvalid, "the SQL cannot be carried over (%s): %w", e.Kind, e).WithSafe("%s", e.Error())
}

func (a *app) sayImport(r importReport) error {
	text, err := json.MarshalIndent(r.Plan, "", "  ")
	if err != nil {
		return fmt.Errorf("write the plan: %w", err)
	}
	plain := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(text))
	if _, err := fmt.Fprintln(a.stdout, plain); err != nil {
		return err
	}
	fmt.Fprintf(a.stderr, "querent: plan %s\n", r.PlanID)
	for _, n := range r.Notes {
		fmt.Fprintf(a.stderr, "querent: note: %s\n", n)
	}
	return nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"querent.dev/querent/cmd/host/internal/output"
	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
)

func (a *app) verifiedCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "verified", Short: "Test verified queries, and add some"}
	cmd.AddCommand(a.verifiedTestCommand(), a.verifiedAddCommand())
	return cmd
}

// verifiedTestReport is the output of querent verified test under --output json.
type verifiedTestReport struct {
	Exit    int              `json:"exit"`
	Queries []verifiedReport `json:"queries"`
}

func (a *app) verifiedTestCommand() *cobra.Command {
	var path, id string
	cmd := &cobra.Command{
		Use:   "test [flags]",
		Short: "Run every verified query with example values, as each role that may",
		Long: "Run every verified query with example values, as each role that may.\n\n" +
			"An example is this year or the nearest number that the parameter takes, the first of its\n" +
			"choices, today. No provider is started. A query that does not bind or run is a failure,\n" +
			"with exit code 4; one that no role may run is a warning.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.verifiedTest(cmd.Context(), path, id) },
	}
	cmd.Flags().StringVar(&path, "config", "", "configuration file, or a folder of *.yaml files; default "+defaultConfig)
	cmd.Flags().StringVar(&id, "id", "", "test this query alone")
	return cmd
}

func (a *app) verifiedTest(ctx context.Context, path, id string) error {
	cfg, err := (&questionFlags{config: path}).source(a)
	if err != nil {
		return err
	}
	if id != "" {
		own := *cfg
		own.Verified = slices.DeleteFunc(slices.Clone(cfg.Verified), func(v config.Verified) bool { return v.ID != id })
		cfg = &own
	}
	if len(cfg.Verified) == 0 {
		return usage("there is no such verified query: they stand under verified in the configuration")
	}
	c, closing, err := openVerified(ctx, cfg)
	if err != nil {
		return err
	}
	reports, err := c.all(ctx)
	if err = errors.Join(err, closing()); err != nil {
		return usage("%v", err)
	}
	return a.sayVerified(reports)
}

func (a *app) sayVerified(reports []verifiedReport) error {
	out := verifiedTestReport{Queries: reports}
	failures := 0
	for _, r := range reports {
		if r.Status == checkFail {
			failures++
			out.Exit = reason.ExitCannotAnswer
		}
	}
	if a.output == outputJSON {
		if err := a.writeJSON(out); err != nil {
			return err
		}
	} else {
		for _, r := range reports {
			fmt.Fprintf(a.stdout, "%-8s%s/%s: %s\n", r.Status, output.Escape(r.Datasource), output.Escape(r.ID), oneLine(r.Detail))
		}
		if _, err := fmt.Fprintf(a.stdout, "\n%d verified queries, %d failed.\n", len(reports), failures); err != nil {
			return err
		}
	}
	if out.Exit != reason.ExitAnswered {
		return exitCode(out.Exit)
	}
	return nil
}

// openVerified opens the datasources of the verified queries, and reads their
// structure. The function it returns closes them.
func openVerified(ctx context.Context, cfg *config.Config) (*verifiedChecker, func() error, error) {
	rules, err := compileRoles(cfg)
	if err != nil {
		return nil, nil, usage("%v", err)
	}
	clock, err := pipeline.Clock(cfg.Settings.Time, time.Now())
	if err != nil {
		return nil, nil, usage("%v", err)
	}
	c := &verifiedChecker{
		cfg: cfg, rules: rules, clock: clock, run: true,
		sources: map[schema.DatasourceID]datasource.Datasource{}, catalogs: map[schema.DatasourceID]*schema.Catalog{},
	}
	closing := func() error {
		var errs []error
		for _, source := range c.sources {
			errs = append(errs, source.Close())
		}
		return errors.Join(errs...)
	}
	for _, v := range cfg.Verified {
		if err := c.open(ctx, v.Datasource); err != nil {
			return nil, nil, errors.Join(err, closing())
		}
	}
	return c, closing, nil
}

func (c *verifiedChecker) open(ctx context.Context, id schema.DatasourceID) error {
	if c.sources[id] != nil {
		return nil
	}
	source, err := openDatasource(c.cfg, id)
	if err != nil {
		return err
	}
	c.sources[id] = source
	c.catalogs[id], err = source.Introspect(ctx)
	return err
}

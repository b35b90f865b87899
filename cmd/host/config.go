package main

import (
	"fmt"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"

	"querent.dev/querent/core/config"
)

func (a *app) configCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "config", Short: "Check, show and describe the configuration"}
	var path string
	flag := func(c *cobra.Command) *cobra.Command {
		c.Flags().StringVar(&path, "config", defaultConfig, "configuration file, or a folder of *.yaml files")
		return c
	}
	cmd.AddCommand(
		flag(&cobra.Command{
			Use: "validate", Short: "Check the configuration and say everything that is wrong", Args: cobra.NoArgs,
			Long: "Check the configuration and say everything that is wrong.\n\n" +
				"What makes querent ask exit with 2 is an error, and validate exits with 2: besides what\n" +
				"stands in the files, a variable or file that ${env:NAME} or ${file:PATH} of a provider in\n" +
				"use or of a database's path refers to, a lock file, prompt or plan that is missing or cannot\n" +
				"be read, a question of two verified queries. What may come later is a warning on stderr,\n" +
				"and validate exits with 0: a database file, a plugin's executable, and what providers\n" +
				"refer to that no agent uses. No plugin is started and no database is opened.",
			RunE: func(*cobra.Command, []string) error { return a.validateConfig(path) },
		}),
		flag(&cobra.Command{
			Use: "show", Short: "Show the configuration as it acts, with its defaults and without secrets", Args: cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error { return a.showConfig(path) },
		}),
		&cobra.Command{
			Use: "schema", Short: "Write the JSON Schema of the configuration", Args: cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error {
				_, err := a.stdout.Write(config.Schema())
				return err
			},
		},
	)
	return cmd
}

// loadConfig loads a configuration and prints its warnings on stderr.
func (a *app) loadConfig(path string) (*config.Config, []config.Warning, error) {
	c, warnings, err := config.Load(path)
	if err != nil {
		return nil, nil, err
	}
	if err := a.guard.follow(c); err != nil {
		return nil, nil, err
	}
	a.warn(warnings)
	for _, w := range overrideWarnings(c) {
		fmt.Fprintf(a.stderr, "querent: warning: %s\n", w)
	}
	return c, warnings, nil
}

func (a *app) warn(warnings []config.Warning) {
	for _, w := range warnings {
		fmt.Fprintf(a.stderr, "querent: %s: %s\n", w.Code, w)
	}
}

// validation is the output of config validate under --output json.
type validation struct {
	Exit     int           `json:"exit"`
	Valid    bool          `json:"valid"`
	Warnings []problemText `json:"warnings"`
}

func (a *app) validateConfig(path string) error {
	c, warnings, err := a.loadConfig(path)
	if err != nil {
		return err
	}
	found := inspect(c, path)
	for _, p := range found.later {
		fmt.Fprintf(a.stderr, "querent: warning: %s\n", p)
	}
	if len(found.problems) > 0 {
		return found.problems
	}
	if a.output == outputJSON {
		out := validation{Valid: true, Warnings: []problemText{}}
		for _, w := range warnings {
			out.Warnings = append(out.Warnings, problemOf(w.Place, w.Message))
		}
		for _, p := range found.later {
			out.Warnings = append(out.Warnings, problemOf(p.Place, p.Message))
		}
		return a.writeJSON(out)
	}
	_, err = fmt.Fprintf(a.stdout, "%s is valid: %d datasources, %d providers, %d roles, %d verified queries.\n",
		path, len(c.Datasources), len(c.Providers), len(c.Roles), len(c.Verified))
	return err
}

func (a *app) showConfig(path string) error {
	c, _, err := a.loadConfig(path)
	if err != nil {
		return err
	}
	text, err := c.Show()
	if err != nil {
		return err
	}
	if a.output == outputJSON {
		if text, err = yaml.YAMLToJSON(text); err != nil {
			return fmt.Errorf("write the configuration as JSON: %w", err)
		}
	}
	_, err = a.stdout.Write(text)
	return err
}

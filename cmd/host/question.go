package main

import (
	"errors"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/text/language"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
)

const (
	// defaultConfig is read where no flag names a configuration or a database.
	defaultConfig = "querent.yaml"
	// defaultCaller asks where --as names no one.
	defaultCaller = "cli"
)

// questionFlags are the flags of every command that takes a question.
type questionFlags struct {
	config     string
	db         string
	provider   string
	datasource string
	caller     string
	language   string
	timeout    timeLimit
}

// timeLimit is a flag's time limit, above zero once the flag is given. It is a
// pflag.Value.
type timeLimit time.Duration

// Set reads text.
func (l *timeLimit) Set(text string) error {
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return errors.New("expected a number with a unit, such as 500ms, 30s or 2m")
	case d <= 0:
		return errors.New("a time limit must be above zero, such as 30s")
	}
	*l = timeLimit(d)
	return nil
}

// Type is what the help calls the value.
func (l *timeLimit) Type() string { return "duration" }

// String is the limit as it is read. No limit is "", which help does not show.
func (l *timeLimit) String() string {
	if *l == 0 {
		return ""
	}
	return time.Duration(*l).String()
}

func (q *questionFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&q.config, "config", "", "configuration file, or a folder of *.yaml files; default "+defaultConfig+" if it is there")
	flags.StringVar(&q.db, "db", "", "a database to ask without a configuration: an SQLite file, postgres://USER@HOST/DATABASE or mysql://USER@HOST/DATABASE")
	flags.StringVar(&q.provider, "provider", "", "with --db, who plans and words: template, ollama:MODEL, openai:MODEL; default template")
	flags.StringVar(&q.datasource, "datasource", "", "the datasource to ask; default: the one that the question is about")
	flags.StringVar(&q.caller, "as", defaultCaller, "who asks: a name under callers in the configuration")
	flags.StringVar(&q.language, "language", "", "language of the answer, such as en or ko; default that of the question")
	flags.Var(&q.timeout, "timeout", "time limit of the run, from the start of the plugins on: above zero, such as 30s; default settings.run.timeout")
}

// load is the configuration that the flags name.
func (q *questionFlags) load(a *app) (*config.Config, error) {
	c, err := q.source(a)
	if err != nil {
		return nil, err
	}
	return q.limited(c), nil
}

func (q *questionFlags) source(a *app) (*config.Config, error) {
	switch {
	case q.db != "" && q.config != "":
		return nil, usage("--db and --config exclude each other: with a configuration, the databases are those under datasources")
	case q.db != "":
		return databaseConfig(q.db, q.provider, os.Getenv)
	case q.provider != "":
		return nil, usage("--provider goes with --db; with a configuration, set provider under agents.default")
	case q.config != "":
		c, _, err := a.loadConfig(q.config)
		return c, err
	}
	if _, err := os.Stat(defaultConfig); err != nil {
		return nil, usage("there is nothing to ask: name a database with --db FILE or a configuration with --config FILE (there is no %s here); querent demo makes both", defaultConfig)
	}
	c, _, err := a.loadConfig(defaultConfig)
	return c, err
}

// limited is c with the run's time limit of the command line.
func (q *questionFlags) limited(c *config.Config) *config.Config {
	if q.timeout == 0 {
		return c
	}
	own := *c
	own.Settings.Run.Timeout = config.Duration(q.timeout)
	return &own
}

// question is text as the engine takes it.
func (q *questionFlags) question(c *config.Config, text, format string) (pipeline.Question, error) {
	if len(c.Datasources) == 0 {
		return pipeline.Question{}, usage("the configuration names no database: add one under datasources")
	}
	if strings.TrimSpace(text) == "" {
		return pipeline.Question{}, usage("the question is empty")
	}
	if q.language != "" {
		if _, err := language.Parse(q.language); err != nil {
			return pipeline.Question{}, usage("--language %q is no language: expected a tag such as en or ko", q.language)
		}
	}
	id := schema.DatasourceID(q.datasource)
	if err := c.KnowsDatasource(id); q.datasource != "" && err != nil {
		return pipeline.Question{}, usage("--datasource: %v", err)
	}
	return pipeline.Question{
		Text: text, Caller: callerOf(c, q.caller), Language: q.language, Format: format, Datasource: id,
	}, nil
}

// callerOf is the caller of that name. One that the configuration does not name,
// or denies, has no role and is refused by the engine like any unknown caller.
func callerOf(c *config.Config, name string) policy.Caller {
	known, ok := c.Callers[name]
	if !ok || known.Deny {
		return policy.Caller{Name: name}
	}
	return policy.Caller{Name: name, Roles: []string{string(known.Role)}, Attributes: known.User}
}

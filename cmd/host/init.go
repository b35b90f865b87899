package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/demo"
	"querent.dev/querent/core/schema"
)

// initFlags are the flags of querent init.
type initFlags struct {
	db, provider, role string
	force              bool
}

// firstRole is the role that init makes, unless it is told another name.
const firstRole = "analyst"

func (a *app) initCommand() *cobra.Command {
	var f initFlags
	cmd := &cobra.Command{
		Use:   "init [flags] [DIR]",
		Short: "Write a configuration that answers at once",
		Long: "Write " + defaultConfig + " into DIR, by default this folder, with comments: one database, one\n" +
			"provider, and one role that may read each table that is there, by name. Columns whose names\n" +
			"look personal are denied and tagged; permit them by removing a line. Without --db it is the\n" +
			"demo's database, which is made there, with a verified query.\n\n" +
			"The password of a server never goes into the file: its DSN is read from a variable that the\n" +
			"file names. A configuration that is there stays, unless --force is given. In a terminal and\n" +
			"without flags, init asks.",
		Example: `  querent init --db ./my.sqlite
  querent init --db postgres://reader:secret@localhost/shop --provider ollama:qwen2.5-coder:7b reports`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			if cmd.Flags().NFlag() == 0 && len(args) == 0 && isatty.IsTerminal(os.Stdin.Fd()) {
				if err := f.ask(cmd.InOrStdin(), a.stderr); err != nil {
					return err
				}
			}
			return a.init(cmd.Context(), f, dir)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.db, "db", "", "the database: an SQLite file, postgres://USER@HOST/DATABASE or mysql://USER@HOST/DATABASE; default the demo's, which is made")
	flags.StringVar(&f.provider, "provider", "", "who plans and words: template, ollama:MODEL, openai:MODEL; default template")
	flags.StringVar(&f.role, "role", firstRole, "name of the role that is made")
	flags.BoolVar(&f.force, "force", false, "overwrite the configuration that is there")
	return cmd
}

// ask asks what the flags would say.
func (f *initFlags) ask(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	for _, q := range []struct {
		text string
		into *string
	}{
		{"Database (an SQLite file, postgres://… or mysql://…; nothing for the demo's): ", &f.db},
		{"Who plans (template, ollama:MODEL or openai:MODEL; nothing for template): ", &f.provider},
		{"Name of the role (nothing for " + firstRole + "): ", &f.role},
	} {
		fmt.Fprint(out, q.text)
		if !lines.Scan() {
			return errors.Join(usage("the questions were not answered: nothing was written"), lines.Err())
		}
		if answer := strings.TrimSpace(lines.Text()); answer != "" {
			*q.into = answer
		}
	}
	return nil
}

// initReport is the output of querent init under --output json.
type initReport struct {
	File        string   `json:"file"`
	Datasource  string   `json:"datasource"`
	Tables      int      `json:"tables"`
	Denied      []string `json:"denied"`      // columns that look personal
	Environment []string `json:"environment"` // variables that must be set
}

func (a *app) init(ctx context.Context, f initFlags, dir string) error {
	file := filepath.Join(dir, defaultConfig)
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) && !f.force {
		return usage("%s is there already: --force overwrites it", file)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return usage("%v", err)
	}
	s, err := f.start(ctx, dir)
	if err != nil {
		return err
	}
	text := s.write()
	if _, _, err := config.Parse(file, text); err != nil {
		return fmt.Errorf("the configuration that was to be written is wrong: %w", err)
	}
	if err := replace(file, text, 0o644); err != nil {
		return err
	}
	return a.sayInit(initReport{File: file, Datasource: string(s.id), Tables: len(s.tables), Denied: append([]string{}, s.denied...), Environment: append([]string{}, s.environment...)})
}

// start looks at what the flags name.
func (f initFlags) start(ctx context.Context, dir string) (*starter, error) {
	s := &starter{role: f.role, dir: dir}
	if !verifiedID.MatchString(f.role) {
		return nil, usage("--role %q is no name: expected letters, digits, _ and -, beginning with a letter or a digit", f.role)
	}
	db := f.db
	if db == "" {
		db = filepath.Join(dir, "demo.db")
		s.demo = true
		if _, err := os.Stat(db); err == nil && !f.force {
			return nil, usage("%[1]s is there already: --db %[1]s takes it as it is, --force makes it anew as the demo's", db)
		}
		if err := demo.Write(ctx, db); err != nil {
			return nil, err
		}
		if err := demoPlan(dir); err != nil {
			return nil, err
		}
	}
	cfg, err := databaseConfig(db, f.provider, os.Getenv)
	if err != nil {
		return nil, err
	}
	for id := range cfg.Datasources {
		s.id = id
	}
	cat, err := introspect(ctx, cfg, s.id)
	if err != nil {
		return nil, err
	}
	if s.plugins, err = pluginDir(cfg); err != nil {
		return nil, err
	}
	s.datasource = cfg.Datasources[s.id]
	s.provider = cfg.Agent(config.AgentASTPlanner).Provider
	s.settings = cfg.Providers[s.provider]
	return s, s.look(cat)
}

// demoPlan writes the plan of the demo's verified query, unless it is there.
func demoPlan(dir string) error {
	text, err := fs.ReadFile(demoFiles, "demofiles/"+demoVerified)
	if err != nil {
		return fmt.Errorf("read the demo's plan: %w", err)
	}
	name := filepath.Join(dir, filepath.FromSlash(demoVerified))
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	return writeNew(name, text)
}

// meaning says what a variable is to hold.
func (r initReport) meaning(name string) string {
	if name == dsnVariable(schema.DatasourceID(r.Datasource)) {
		return " to the DSN that --db gave: it holds what may be a secret"
	}
	return ""
}

func (a *app) sayInit(r initReport) error {
	if a.output == outputJSON {
		return a.writeJSON(r)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Wrote %s: the datasource %s, of which %s may be read.\n", r.File, r.Datasource, count(r.Tables, "table"))
	if len(r.Denied) > 0 {
		fmt.Fprintf(&b, "Denied, since their names look personal: %s.\n", oneLine(strings.Join(r.Denied, ", ")))
	}
	for _, name := range r.Environment {
		fmt.Fprintf(&b, "Set the variable %s, which the file names, before the next steps%s.\n", name, r.meaning(name))
	}
	self, at := os.Args[0], ""
	if r.File != defaultConfig {
		at = " --config " + r.File
	}
	fmt.Fprintf(&b, "\nNext:\n  %[1]s doctor%[2]s\n  %[1]s ask%[2]s \"How many … are there?\"\n", self, at)
	_, err := fmt.Fprint(a.stdout, b.String())
	return err
}

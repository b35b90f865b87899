package main

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
)

// schemaFlags are the flags of querent schema show.
type schemaFlags struct {
	questionFlags
	table string
}

func (a *app) schemaCommand() *cobra.Command {
	var f schemaFlags
	show := &cobra.Command{
		Use:   "show [flags]",
		Short: "Show tables, columns, types and keys as Querent reads them",
		Long: "Show tables, columns, types and keys as Querent reads them, with what the configuration\n" +
			"adds: descriptions, tags, and how columns keep dates, by which evidence. With --as it is\n" +
			"what that caller may read, and nothing else; without, all that the account may read.\n\n" +
			"No row is shown. Of columns whose declared type does not say what they hold, a bounded\n" +
			"sample is looked at.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.schemaShow(cmd.Context(), f) },
	}
	flags := show.Flags()
	flags.StringVar(&f.config, "config", "", "configuration file, or a folder of *.yaml files; default "+defaultConfig+" if it is there")
	flags.StringVar(&f.db, "db", "", "a database without a configuration: an SQLite file, postgres://USER@HOST/DATABASE or mysql://USER@HOST/DATABASE")
	flags.StringVar(&f.datasource, "datasource", "", "the datasource to show; default all of them")
	flags.StringVar(&f.caller, "as", "", "show what this caller may read: a name under callers in the configuration")
	flags.StringVar(&f.table, "table", "", "show this table alone: its name, or schema.table")
	cmd := &cobra.Command{Use: "schema", Short: "Show the structure of databases"}
	cmd.AddCommand(show)
	return cmd
}

// schemaReport is a datasource as querent schema show shows it.
type schemaReport struct {
	Datasource  string        `json:"datasource"`
	Dialect     string        `json:"dialect"`
	Description string        `json:"description,omitempty"`
	Fingerprint string        `json:"fingerprint"`
	Caller      string        `json:"caller,omitempty"` // whose view it is
	Tables      []tableReport `json:"tables"`
}

type tableReport struct {
	Schema      string         `json:"schema"`
	Name        string         `json:"name"`
	Kind        string         `json:"kind"`
	Description string         `json:"description,omitempty"`
	Synonyms    []string       `json:"synonyms,omitempty"`
	RowEstimate *int64         `json:"row_estimate,omitempty"`
	Columns     []columnReport `json:"columns"`
	PrimaryKey  []string       `json:"primary_key,omitempty"`
	Unique      [][]string     `json:"unique,omitempty"`
	ForeignKeys []keyReport    `json:"foreign_keys,omitempty"`
}

type columnReport struct {
	Name        string   `json:"name"`
	Type        string   `json:"type"`
	Native      string   `json:"native"` // as declared
	Nullable    bool     `json:"nullable"`
	Generated   bool     `json:"generated,omitempty"`
	Storage     string   `json:"storage,omitempty"`  // of dates that are kept as text or numbers
	Evidence    string   `json:"evidence,omitempty"` // why the type and the storage are these
	Collation   string   `json:"collation,omitempty"`
	Enum        []string `json:"enum,omitempty"`
	Description string   `json:"description,omitempty"`
	Synonyms    []string `json:"synonyms,omitempty"`
	Tags        []string `json:"tags,omitempty"`
}

type keyReport struct {
	Columns    []string `json:"columns"`
	Table      string   `json:"table"`
	RefColumns []string `json:"ref_columns"`
}

func (a *app) schemaShow(ctx context.Context, f schemaFlags) error {
	cfg, err := f.source(a)
	if err != nil {
		return err
	}
	ids := slices.Sorted(maps.Keys(cfg.Datasources))
	if f.datasource != "" {
		id := schema.DatasourceID(f.datasource)
		if err := cfg.KnowsDatasource(id); err != nil {
			return usage("--datasource: %v", err)
		}
		ids = []schema.DatasourceID{id}
	}
	if len(ids) == 0 {
		return usage("the configuration names no database: add one under datasources")
	}
	reports, err := f.reports(ctx, cfg, ids)
	if err != nil {
		return err
	}
	if a.output == outputJSON {
		return a.writeJSON(map[string][]schemaReport{"datasources": reports})
	}
	return writeSchemas(a.stdout, reports)
}

// reports are those of the datasources. One of which the caller may read nothing
// is left out, unless that leaves none.
func (f schemaFlags) reports(ctx context.Context, cfg *config.Config, ids []schema.DatasourceID) ([]schemaReport, error) {
	rules, err := compileRoles(cfg)
	if err != nil {
		return nil, usage("%v", err)
	}
	var out []schemaReport
	var refused error
	for _, id := range ids {
		cat, err := introspect(ctx, cfg, id)
		if err != nil {
			return nil, err
		}
		seen := sight{}
		if f.caller != "" {
			if seen.view, err = rules.View(cat, callerOf(cfg, f.caller)); err != nil {
				refused = cmp.Or(refused, err)
				continue
			}
		}
		report := seen.catalog(cat, f.table)
		report.Caller = f.caller
		out = append(out, report)
	}
	if len(out) == 0 {
		return nil, refused
	}
	if f.table != "" && !slices.ContainsFunc(out, func(r schemaReport) bool { return len(r.Tables) > 0 }) {
		return nil, usage("--table: there is no table %q to be seen", f.table)
	}
	return out, nil
}

// introspect reads the structure of a datasource, which it opens and closes.
func introspect(ctx context.Context, cfg *config.Config, id schema.DatasourceID) (*schema.Catalog, error) {
	source, err := openDatasource(cfg, id)
	if err != nil {
		return nil, err
	}
	cat, err := source.Introspect(ctx)
	return cat, errors.Join(err, source.Close())
}

// sight is what is seen of a catalog: all of it, or what a caller's view permits.
type sight struct{ view *policy.View }

func (s sight) table(t *schema.Table) bool { return s.view == nil || s.view.Table(t) }

func (s sight) columns(cols []*schema.Column) bool {
	return !slices.ContainsFunc(cols, func(c *schema.Column) bool { return s.view != nil && !s.view.Column(c) })
}

// stored reports whether what was seen of the column's values may be told.
func (s sight) stored(c *schema.Column) bool { return s.view == nil || s.view.Stored(c) }

func (s sight) catalog(cat *schema.Catalog, only string) schemaReport {
	out := schemaReport{
		Datasource: string(cat.Datasource), Dialect: string(cat.Dialect), Description: cat.Description,
		Fingerprint: cat.Fingerprint(), Tables: []tableReport{},
	}
	said := s.descriptions(cat)
	wanted, _ := cat.Table(only)
	for _, t := range cat.Tables {
		if s.table(t) && (only == "" || t == wanted) {
			out.Tables = append(out.Tables, s.report(cat, t, said))
		}
	}
	return out
}

// descriptions are those of the caller's view, which say what is masked.
func (s sight) descriptions(cat *schema.Catalog) map[string]string {
	if s.view == nil {
		return nil
	}
	out := map[string]string{}
	for _, t := range s.view.Wire().Tables {
		for _, c := range t.Columns {
			out[t.Name+"\x00"+c.Name] = c.Description
		}
	}
	return out
}

func (s sight) report(cat *schema.Catalog, t *schema.Table, said map[string]string) tableReport {
	out := tableReport{Schema: t.Schema, Name: t.Name, Kind: string(t.Kind), Description: t.Description, Synonyms: t.Synonyms}
	if t.RowEstimate >= 0 && (s.view == nil || slices.ContainsFunc(t.Columns, s.view.Stored)) {
		out.RowEstimate = &t.RowEstimate
	}
	for _, c := range t.Columns {
		if !s.columns([]*schema.Column{c}) {
			continue
		}
		own := s.column(c)
		if said != nil {
			own.Description = said[cat.PlanName(t)+"\x00"+c.Name]
		}
		out.Columns = append(out.Columns, own)
	}
	if s.columns(t.PrimaryKey) {
		out.PrimaryKey = names(t.PrimaryKey)
	}
	for _, u := range t.Unique {
		if s.columns(u) {
			out.Unique = append(out.Unique, names(u))
		}
	}
	for _, k := range t.ForeignKeys {
		if s.columns(k.Columns) && s.table(k.RefTable) && s.columns(k.RefColumns) {
			out.ForeignKeys = append(out.ForeignKeys, keyReport{names(k.Columns), cat.PlanName(k.RefTable), names(k.RefColumns)})
		}
	}
	return out
}

func (s sight) column(c *schema.Column) columnReport {
	out := columnReport{
		Name: c.Name, Type: c.Type.String(), Native: c.Native, Nullable: c.Nullable, Generated: c.Generated,
		Storage: string(c.Storage), Collation: c.Collation, Description: c.Description, Synonyms: c.Synonyms, Tags: c.Tags,
	}
	if s.stored(c) {
		out.Evidence, out.Enum = c.Evidence, c.Enum
	}
	return out
}

func names(cols []*schema.Column) []string {
	var out []string
	for _, c := range cols {
		out = append(out, c.Name)
	}
	return out
}

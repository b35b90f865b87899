package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/spf13/cobra"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/nodes/verifiedmatcher"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/sqlimport"
	"querent.dev/querent/sdk/reason"
)

// addFlags are the flags of querent verified add.
type addFlags struct {
	config, datasource, id, description, sql, plan, by string
	questions, params                                  []string
	write                                              bool
}

// verifiedFolder is where plans of verified queries are written, beside the
// configuration.
const verifiedFolder = "verified"

func (a *app) verifiedAddCommand() *cobra.Command {
	var f addFlags
	cmd := &cobra.Command{
		Use:   "add --id ID --question TEXT (--sql SQL | --plan FILE)",
		Short: "Make a verified query of SQL or of a plan, once it has run",
		Long: "Make a verified query of SQL or of a plan: it is checked as the configuration's own are,\n" +
			"run as every role that may, and written to " + verifiedFolder + "/ID.json, or ID.sql, beside the\n" +
			"configuration. Its entry for the configuration is printed, or with --write put there.\n" +
			"A query that does not run is refused, and nothing is written.\n\n" +
			"{name} in questions and in the SQL or plan is a slot, which --param gives a type:\n" +
			"year=int:2000..2100, day=date, country=text:Peru|Korea or just name=text.",
		Example: `  querent verified add --id spent_in --question "What was spent in {year}?" --param year=int:2000..2100 \
    --sql "select sum(total) from orders where year = {year}" --write`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.verifiedAdd(cmd.Context(), f, cmd.InOrStdin()) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.config, "config", "", "configuration file, or a folder of *.yaml files; default "+defaultConfig)
	flags.StringVar(&f.datasource, "datasource", "", "the datasource that it asks; default the only one there is")
	flags.StringVar(&f.id, "id", "", "its id: letters, digits, _ and -")
	flags.StringArrayVar(&f.questions, "question", nil, "a question that it answers, with {slots}; may be repeated")
	flags.StringArrayVar(&f.params, "param", nil, "the type of a slot: NAME=int[:MIN..MAX], NAME=date or NAME=text[:A|B]; may be repeated")
	flags.StringVar(&f.description, "description", "", "what it computes, in a few words that answers repeat")
	flags.StringVar(&f.sql, "sql", "", "one SELECT of the datasource's flavour, or - to read it from stdin")
	flags.StringVar(&f.plan, "plan", "", "the file of a plan, as querent sql import writes it, or - for stdin")
	flags.StringVar(&f.by, "by", "", "who verified it; default USER")
	flags.BoolVar(&f.write, "write", false, "put the entry into the configuration")
	return cmd
}

// verifiedAdded is the output of querent verified add under --output json.
type verifiedAdded struct {
	ID      string         `json:"id"`
	File    string         `json:"file"`
	Entry   string         `json:"entry"`             // YAML, an item of verified
	Patched string         `json:"patched,omitempty"` // the file that holds it now
	Test    verifiedReport `json:"test"`
}

func (a *app) verifiedAdd(ctx context.Context, f addFlags, stdin io.Reader) error {
	cfg, err := (&questionFlags{config: f.config}).source(a)
	if err != nil {
		return err
	}
	v, text, err := f.query(cfg, stdin)
	if err != nil {
		return err
	}
	entry, err := entryOf(v)
	if err != nil {
		return err
	}
	out := verifiedAdded{ID: v.ID, File: cfg.Plan(v), Entry: entry}
	if err := writeNew(out.File, text); err != nil {
		return err
	}
	out.Test, err = tryVerified(ctx, cfg, v)
	if err == nil && f.write {
		out.Patched, err = addEntry(f.configFile(), v, entry)
	}
	if err != nil {
		return errors.Join(err, os.Remove(out.File))
	}
	return a.sayAdded(out)
}

func (f addFlags) configFile() string {
	if f.config == "" {
		return defaultConfig
	}
	return f.config
}

var verifiedID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

// query is what the flags describe, with the text of its file.
func (f addFlags) query(cfg *config.Config, stdin io.Reader) (config.Verified, []byte, error) {
	v := config.Verified{ID: f.id, Questions: f.questions, Description: f.description, VerifiedBy: f.by, VerifiedAt: time.Now().Format(time.DateOnly)}
	if v.VerifiedBy == "" {
		v.VerifiedBy = os.Getenv("USER")
	}
	switch {
	case !verifiedID.MatchString(f.id):
		return v, nil, usage("--id %q is no id: expected letters, digits, _ and -, beginning with a letter or a digit", f.id)
	case len(f.questions) == 0:
		return v, nil, usage("there is no question that it answers: add --question")
	case (f.sql == "") == (f.plan == ""):
		return v, nil, usage("expected either --sql or --plan")
	}
	var err error
	if v.Datasource, err = onlyDatasource(cfg, f.datasource); err != nil {
		return v, nil, err
	}
	if v.Params, err = readParams(f.params); err != nil {
		return v, nil, err
	}
	if f.sql == "" {
		v.Plan = verifiedFolder + "/" + f.id + ".json"
		text, err := planFile(f.plan, stdin)
		return v, text, err
	}
	v.Plan = verifiedFolder + "/" + f.id + ".sql"
	text := []byte(f.sql)
	if f.sql == "-" {
		if text, err = io.ReadAll(io.LimitReader(stdin, sqlimport.MaxBytes+1)); err != nil {
			return v, nil, usage("reading the SQL: %v", err)
		}
	}
	return v, []byte(strings.TrimSpace(string(text)) + "\n"), nil
}

func planFile(path string, stdin io.Reader) ([]byte, error) {
	in := stdin
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return nil, usage("--plan: %v", err)
		}
		defer file.Close()
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, plan.MaxPlanBytes+1))
	if err != nil {
		return nil, usage("reading the plan: %v", err)
	}
	return text, nil
}

// readParams reads NAME=TYPE[:VALUES].
func readParams(flags []string) (map[string]config.Param, error) {
	out := map[string]config.Param{}
	for _, text := range flags {
		name, rest, ok := strings.Cut(text, "=")
		kind, values, bounded := strings.Cut(rest, ":")
		p := config.Param{Type: kind}
		switch {
		case !ok || name == "":
			return nil, usage("--param %q: expected NAME=int, NAME=date or NAME=text", text)
		case bounded && kind == config.ParamInt:
			low, high, ranged := strings.Cut(values, "..")
			from, first := strconv.ParseInt(low, 10, 64)
			to, last := strconv.ParseInt(high, 10, 64)
			if !ranged || first != nil || last != nil {
				return nil, usage("--param %q: expected a range of whole numbers such as %s=int:2000..2100", text, name)
			}
			p.Min, p.Max = &from, &to
		case bounded && kind == config.ParamText:
			p.Enum = strings.Split(values, "|")
		case bounded:
			return nil, usage("--param %q: only int and text take values after the colon", text)
		}
		out[name] = p
	}
	return out, nil
}

// tryVerified checks the query beside those that the configuration has, and runs
// it. The error says why it cannot be added.
func tryVerified(ctx context.Context, cfg *config.Config, v config.Verified) (verifiedReport, error) {
	with := *cfg
	with.Verified = append(slices.Clone(cfg.Verified), v)
	built, _, err := config.Build(with, cfg.Dir())
	if err != nil {
		return verifiedReport{}, err
	}
	queries, err := pipeline.VerifiedQueries(built, os.ReadFile)
	if err != nil {
		return verifiedReport{}, usage("%s", strings.TrimPrefix(err.Error(), "pipeline: "))
	}
	if _, err := verifiedmatcher.New(queries, nil, nil, hclog.NewNullLogger()); err != nil {
		return verifiedReport{}, usage("%v", err)
	}
	own := *built
	own.Verified = []config.Verified{v}
	c, closing, err := openVerified(ctx, &own)
	if err != nil {
		return verifiedReport{}, err
	}
	report := c.query(ctx, queries[len(queries)-1])
	if err := closing(); err != nil {
		return report, fmt.Errorf("close the datasource: %w", err)
	}
	if report.Status == checkFail {
		return report, reason.New(reason.PlanInvalid, reason.ReasonPlanInvalid, "the query cannot be added: %s", report.Detail)
	}
	return report, nil
}

// writeNew writes a file that is not there yet, and its folder.
func writeNew(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return usage("%v", err)
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return usage("%v", err)
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", name, err), os.Remove(name))
	}
	return nil
}

func (a *app) sayAdded(out verifiedAdded) error {
	if a.output == outputJSON {
		return a.writeJSON(out)
	}
	if out.Patched == "" {
		if _, err := fmt.Fprint(a.stdout, "verified:\n"+out.Entry); err != nil {
			return err
		}
	}
	fmt.Fprintf(a.stderr, "querent: wrote %s; it %s\n", out.File, oneLine(out.Test.Detail))
	if out.Patched != "" {
		fmt.Fprintf(a.stderr, "querent: added to %s\n", out.Patched)
		return nil
	}
	fmt.Fprintln(a.stderr, "querent: add the entry above under verified in the configuration, or use --write")
	return nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"querent.dev/querent/core/audit"
	"querent.dev/querent/core/config"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/plugins/template/pack"
)

func (a *app) templatesCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "templates", Short: "Check, approve and look at the wording of answers"}
	var path, by string
	lint := &cobra.Command{
		Use: "lint [FILE…]", Short: "Say everything that is wrong with template packs and question patterns",
		Long: "Say everything that is wrong with template packs and question patterns: with those of every\n" +
			"template provider of the configuration, or with the files that are named, laid over the\n" +
			"built-in packs. Every language must cover every outcome and reason; every template is\n" +
			"written with each of its fields set and unset; and where approval counts, each file must\n" +
			"be approved. What is wrong is named by file, line and id, and lint exits with 2.",
		Example: "  querent templates lint packs/acme.ko.yaml",
		RunE:    func(_ *cobra.Command, files []string) error { return a.lintTemplates(path, files) },
	}
	approve := &cobra.Command{
		Use: "approve --by NAME", Short: "Write the lock file: only these packs and patterns may be used from then on", Args: cobra.NoArgs,
		Long: "Write who approved each template pack and each file of question patterns of the configuration,\n" +
			"when, and the SHA-256 of its bytes into the lock file that template_lock.file names. What\n" +
			"does not lint is not approved. A file that is as it was keeps its approval.",
		RunE: func(cmd *cobra.Command, _ []string) error { return a.approveTemplates(cmd.Context(), path, by) },
	}
	approve.Flags().StringVar(&by, "by", "", "who approves")
	var preview previewFlags
	show := &cobra.Command{
		Use: "preview [FILTER]", Short: "Show how invented outcomes are worded",
		Long: "Show how an invented outcome of every shape and every reason is worded, each as bare as it can\n" +
			"be and with all that it may hold. FILTER shows those alone whose name, or the id of whose\n" +
			"template, holds it: answered/table, TIMEOUT, acme.",
		Example: "  querent templates preview --language ko answered/scalar",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			preview.filter = strings.Join(args, "")
			return a.previewTemplates(path, preview)
		},
	}
	show.Flags().StringVar(&preview.language, "language", "", "show this language alone, a BCP 47 tag")
	show.Flags().StringVar(&preview.provider, "provider", "", "the template provider whose packs are used; default the one that words answers")
	for _, c := range []*cobra.Command{lint, approve, show} {
		c.Flags().StringVar(&path, "config", "", "configuration file, or a folder of *.yaml files; default "+defaultConfig+" if it is there")
		cmd.AddCommand(c)
	}
	return cmd
}

// lintReport is the output of templates lint under --output json.
type lintReport struct {
	Exit      int           `json:"exit"`
	Packs     []string      `json:"packs"`
	Languages []string      `json:"languages"`
	Templates int           `json:"templates"`
	Problems  []lintProblem `json:"problems"`
}

type lintProblem struct {
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	ID      string `json:"id,omitempty"`
	Message string `json:"message"`
}

func (a *app) lintTemplates(path string, files []string) error {
	cfg, sets, problems, err := a.setsToLint(path, files)
	if err != nil {
		return err
	}
	report := lintReport{Packs: []string{}, Languages: []string{}, Problems: []lintProblem{}}
	for _, set := range sets {
		wording, packs, wrong := set.read()
		problems = append(problems, wrong...)
		for _, p := range packs {
			report.add(p, wording)
			problems = append(problems, namesNothing(cfg, p)...)
		}
	}
	for _, p := range problems {
		known := lintProblem{p.File, p.Line, p.ID, p.Message}
		if !slices.Contains(report.Problems, known) {
			report.Problems = append(report.Problems, known)
		}
	}
	return a.reportLint(report)
}

// setsToLint are the files to look at, which of them lack an approval, and the
// configuration that names them, nil for files of the command line.
func (a *app) setsToLint(path string, files []string) (*config.Config, []templateSet, pack.Problems, error) {
	if len(files) > 0 {
		named, err := namedFiles(files)
		return nil, []templateSet{named}, nil, err
	}
	cfg, err := a.optionalConfig(path)
	if err != nil {
		return nil, nil, nil, err
	}
	sets, err := templateSets(cfg)
	if err != nil {
		return nil, nil, nil, err
	}
	lock, err := openTemplateLock(cfg)
	if err != nil || lock == nil {
		return cfg, sets, nil, err
	}
	var problems pack.Problems
	for _, p := range lock.checkSets(sets...) {
		problems = append(problems, pack.Problem{Message: p.String()})
	}
	return cfg, sets, problems, nil
}

// namesNothing are the conditions on datasources and verified queries that the
// configuration does not have.
func namesNothing(cfg *config.Config, p *pack.Pack) pack.Problems {
	if cfg == nil {
		return nil
	}
	known := map[string]bool{}
	for _, v := range cfg.Verified {
		known[string(v.Datasource)+"/"+v.ID] = true
	}
	var out pack.Problems
	for _, t := range p.Templates {
		datasources, verified := t.Named()
		for _, name := range datasources {
			if err := cfg.KnowsDatasource(schema.DatasourceID(name)); err != nil {
				out = append(out, t.Problem("when.datasource: %v", err))
			}
		}
		for _, name := range verified {
			if !known[name] {
				out = append(out, t.Problem("when.verified: there is no verified query %q; expected datasource/id", name))
			}
		}
	}
	return out
}

// add counts a pack once.
func (r *lintReport) add(p *pack.Pack, set *pack.Set) {
	name := fmt.Sprintf("%s@%d", p.ID, p.Version)
	if slices.Contains(r.Packs, name) {
		return
	}
	r.Packs = append(r.Packs, name)
	r.Templates += len(p.Templates)
	if lang := p.Language.String(); set != nil && !slices.Contains(r.Languages, lang) {
		r.Languages = append(r.Languages, lang)
	}
}

func (a *app) reportLint(r lintReport) error {
	if len(r.Problems) > 0 {
		r.Exit = 2
	}
	switch {
	case a.output == outputJSON:
		if err := a.writeJSON(r); err != nil || r.Exit == 0 {
			return err
		}
		return exitCode(r.Exit)
	case r.Exit != 0:
		problems := make(pack.Problems, len(r.Problems))
		for i, p := range r.Problems {
			problems[i] = pack.Problem{File: p.File, Line: p.Line, ID: p.ID, Message: p.Message}
		}
		return usage("%s", summed(problems))
	}
	_, err := fmt.Fprintf(a.stdout, "Nothing is wrong: %d templates of %s speak %s.\n", r.Templates, strings.Join(r.Packs, ", "), strings.Join(r.Languages, ", "))
	return err
}

func (a *app) approveTemplates(ctx context.Context, path, by string) error {
	if strings.TrimSpace(by) == "" {
		return usage("say who approves with --by NAME")
	}
	cfg, err := a.optionalConfig(path)
	if err != nil {
		return err
	}
	sets, err := templateSets(cfg)
	if err != nil {
		return err
	}
	for _, set := range sets {
		if _, _, wrong := set.read(); len(wrong) > 0 {
			return usage("nothing was approved: %s", summed(wrong))
		}
	}
	lock, err := approvals(cfg, sets, approval{By: by, At: time.Now().UTC().Format(time.RFC3339)})
	if err != nil {
		return err
	}
	if err := lock.write(); err != nil {
		return err
	}
	if err := a.noteFile(ctx, cfg, audit.TemplateApproved, lock.path); err != nil {
		return err
	}
	if a.output == outputJSON {
		return a.writeJSON(lock)
	}
	for _, name := range slices.Sorted(maps.Keys(lock.Files)) {
		f := lock.Files[name]
		if _, err := fmt.Fprintf(a.stdout, "%s %s approved by %s on %s\n", f.SHA256, name, f.By, f.At); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(a.stdout, "Approved %d files in %s. The built-in packs are approved with the plugin, by plugins.lock.\n", len(lock.Files), lock.path)
	return err
}

// approvals is the lock file for the sets: a file that is as it was keeps its
// approval, the others get the new one.
func approvals(cfg *config.Config, sets []templateSet, now approval) (*templateLock, error) {
	path := cfg.Path(cfg.TemplateLock.File)
	old, err := readTemplateLock(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	lock := &templateLock{path: path, Files: map[string]approval{}}
	for _, set := range sets {
		for _, f := range set.files {
			key, given := lockKey(path, f.path), now
			given.SHA256 = sumOf(f.content)
			if old != nil && old.Files[key].SHA256 == given.SHA256 {
				given = old.Files[key]
			}
			lock.Files[key] = given
		}
	}
	return lock, nil
}

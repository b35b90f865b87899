package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"querent.dev/querent/core/answer"
	"querent.dev/querent/core/audit"
	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/plugins/template/synth"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// verifyFlags are the flags of receipt verify.
type verifyFlags struct {
	config  string
	keyFile string
	whole   string
	rerun   bool
}

func (a *app) receiptVerifyCommand() *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use: "verify FILE", Short: "Check a receipt, without a database",
		Long: "Check a receipt: its hash and signature, the SQL, written again from the plan under the\n" +
			"rules and the structure that the receipt holds, the results' hashes as far as their rows\n" +
			"are there, and the words of templates, made again. Each check is a line: checked, failed,\n" +
			"or could not check, with what it needs. Exit code 0 means that nothing failed. Nothing is\n" +
			"asked of a database unless --rerun is given.",
		Example: "  querent receipt verify receipt.json --key-file audit.key\n" +
			"  querent receipt verify receipt.json --config querent.yaml --rerun",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.verifyReceipt(cmd.Context(), f, args[0]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.config, "config", "", "configuration with the key, the template packs, the keys of masks and, for --rerun, the databases")
	flags.StringVar(&f.keyFile, "key-file", "", "file of the deployment's key; default audit.key of --config")
	flags.StringVar(&f.whole, "whole", "", "the whole receipt of which this is a part: what was left out is compared with it")
	flags.BoolVar(&f.rerun, "rerun", false, "run the plans again on the databases of --config, and compare the results")
	return cmd
}

// receiptReport is the output of receipt verify under --output json.
type receiptReport struct {
	RunID  string       `json:"run_id"`
	OK     bool         `json:"ok"`
	Checks audit.Report `json:"checks"`
}

func (a *app) verifyReceipt(ctx context.Context, f verifyFlags, file string) error {
	if f.rerun && f.config == "" {
		return usage("--rerun needs --config: the configuration with the databases")
	}
	cfg, err := a.verifyConfig(f.config)
	if err != nil {
		return err
	}
	r, broken, err := loadReceipt(file)
	if err != nil {
		return err
	}
	report := receiptReport{Checks: audit.Report{{What: "form", Status: audit.Checked}}}
	if broken != nil {
		report.Checks[0] = audit.Check{What: "form", Status: audit.Broken, Detail: broken.Error()}
		return a.tellReceipt(report)
	}
	evidence, err := evidenceOf(ctx, f, cfg, r)
	if err != nil {
		return err
	}
	report.RunID = r.RunID
	report.Checks = append(report.Checks, audit.Verify(r, evidence)...)
	if f.rerun {
		report.Checks = append(report.Checks, rerun(ctx, cfg, r)...)
	}
	return a.tellReceipt(report)
}

// verifyConfig is the configuration of that name, or one of the program's own
// templates alone: a receipt is not checked by what happens to be in the folder.
func (a *app) verifyConfig(path string) (*config.Config, error) {
	if path == "" {
		c, _, err := config.Build(config.Config{Version: 1}, ".")
		return c, err
	}
	c, _, err := a.loadConfig(path)
	return c, err
}

// loadReceipt reads a receipt. Broken is why the file is none.
func loadReceipt(file string) (r *audit.Receipt, broken, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, usage("the receipt cannot be read: %v", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, audit.MaxReceipt+1)) // which tells that there is more
	if err != nil {
		return nil, nil, usage("the receipt cannot be read: %v", err)
	}
	r, broken = audit.Decode(text)
	return r, broken, nil
}

func evidenceOf(ctx context.Context, f verifyFlags, cfg *config.Config, r *audit.Receipt) (audit.Evidence, error) {
	e := audit.Evidence{Host: sdk.Version}
	var err error
	if e.Key, err = keyOf(cfg, f.keyFile); err != nil {
		return e, err
	}
	if f.config != "" {
		if e.Policy, err = compileRoles(cfg); err != nil {
			return e, usage("%v", err)
		}
	}
	if f.whole != "" {
		var broken error
		e.Whole, broken, err = loadReceipt(f.whole)
		if err := errors.Join(err, broken); err != nil {
			return e, usage("--whole: %v", err)
		}
	}
	e.Words = func(r *audit.Receipt) (wire.AggregatedResponse, []string, error) {
		return reword(ctx, cfg, r)
	}
	return e, nil
}

// keyOf is the key of a file, or of the configuration where no file is named.
func keyOf(cfg *config.Config, file string) (audit.Key, error) {
	if file == "" {
		return auditKey(cfg)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return audit.Key{}, usage("--key-file: the key cannot be read: %v", err)
	}
	key, err := audit.ParseKey(string(text))
	if err != nil {
		return audit.Key{}, usage("--key-file: %v", err)
	}
	if !key.Known() {
		return audit.Key{}, usage("--key-file: the file is empty")
	}
	return key, nil
}

// reword words an answer again by the templates of the configuration, if its packs
// are those that worded it.
func reword(ctx context.Context, cfg *config.Config, r *audit.Receipt) (wire.AggregatedResponse, []string, error) {
	packs, err := packsInUse(cfg)
	if err != nil {
		return wire.AggregatedResponse{}, nil, err
	}
	for _, p := range r.Answer.Packs {
		if !slices.Contains(packs, p) {
			return wire.AggregatedResponse{}, nil, fmt.Errorf("needs the pack %s with the SHA-256 %s: name the configuration that has it with --config: %w",
				p.ID, p.SHA256, errors.ErrUnsupported)
		}
	}
	name := cfg.TemplateProvider()
	if worded := config.ProviderName(r.Answer.SynthesizedBy); cfg.Providers[worded].Plugin == config.TemplatePlugin {
		name = worded
	}
	set, err := wordingOf(cfg, string(name))
	if err != nil {
		return wire.AggregatedResponse{}, nil, err
	}
	return pipeline.Reword(ctx, r, ownTemplates{synth.New(set), name})
}

// ownTemplates are the templates of the program itself and of the packs that it
// reads, worded here: no plugin is started to check a receipt.
type ownTemplates struct {
	synth *synth.Synthesizer
	name  config.ProviderName
}

var _ answer.Synthesizer = ownTemplates{}

// Synthesize implements answer.Synthesizer.
func (o ownTemplates) Synthesize(ctx context.Context, t provider.SynthesisTask) (provider.SynthesisOutcome, error) {
	res, err := o.synth.Synthesize(ctx, t.Request)
	return provider.SynthesisOutcome{
		Response: res.Response, TemplateIDs: res.TemplateIDs, Call: provider.Call{Provider: o.name, Plugin: config.TemplatePlugin},
	}, err
}

// tellReceipt writes a report, and ends with 1 when something failed.
func (a *app) tellReceipt(report receiptReport) error {
	report.OK = report.Checks.OK()
	var err error
	if a.output == outputJSON {
		err = a.writeJSON(report)
	} else {
		err = writeChecks(a.stdout, report.Checks)
	}
	if err == nil && !report.OK {
		return exitCode(reason.ExitInternal)
	}
	return err
}

package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"querent.dev/querent/core/audit"
	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pipeline"
)

func (a *app) receiptCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "receipt", Short: "Show, export and check the receipts of runs",
		Long: "Every run has a receipt: what was asked, by whom, under which rules, what ran, and what\n" +
			"came of it. With store.dsn in the configuration receipts are kept; without one,\n" +
			"querent ask --receipt FILE writes that of its run.",
	}
	cmd.AddCommand(a.receiptShowCommand(), a.receiptExportCommand(), a.receiptVerifyCommand())
	return cmd
}

// receiptFlags are those of the commands that read the store.
type receiptFlags struct {
	config   string
	caller   string
	redacted bool
}

func (f *receiptFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.config, "config", "", "configuration file, or a folder of *.yaml files; default "+defaultConfig+" if it is there")
	cmd.Flags().StringVar(&f.caller, "as", defaultCaller, "who reads: a name under callers in the configuration; it must have asked, or have a role of audit.roles")
}

func (a *app) receiptShowCommand() *cobra.Command {
	var f receiptFlags
	cmd := &cobra.Command{
		Use: "show RUN_ID", Short: "Show the receipt of a run",
		Long: "Show the receipt of a run, as far as the caller may see it: whoever asked sees all but the\n" +
			"rules of the policy, a caller with a role of audit.roles sees all. It is noted in the\n" +
			"audit log. --output json writes the receipt itself.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := a.readReceipt(cmd.Context(), f, args[0], audit.ReceiptRead)
			if err != nil {
				return err
			}
			return a.writeReceiptText(r)
		},
	}
	f.add(cmd)
	return cmd
}

func (a *app) receiptExportCommand() *cobra.Command {
	var f receiptFlags
	cmd := &cobra.Command{
		Use: "export RUN_ID FILE", Short: "Write the receipt of a run to a file",
		Long: "Write the receipt of a run to a file, as far as the caller may see it. With --redacted,\n" +
			"keyed hashes (audit.key) stand in place of personal data: the arguments that\n" +
			"audit.arguments names, what they name in the question, and the caller's attributes.\n" +
			"Rows and words of the answer are left out.",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.exportReceipt(cmd.Context(), f, args[0], args[1])
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&f.redacted, "redacted", false, "leave out personal data")
	return cmd
}

// readReceipt is a receipt of the store, for the caller that the flags name.
func (a *app) readReceipt(ctx context.Context, f receiptFlags, runID string, as audit.Kind) (*audit.Receipt, error) {
	cfg, err := a.optionalConfig(f.config)
	if err != nil {
		return nil, err
	}
	if !cfg.Store.Kept() {
		return nil, usage("the configuration keeps no receipts: set store.dsn")
	}
	records, err := openRecords(ctx, cfg, a.logger())
	if err != nil {
		return nil, err
	}
	r, err := records.receipt(ctx, runID, callerOf(cfg, f.caller), as)
	if errors.Is(err, audit.ErrNotFound) {
		err = usage("there is no receipt of a run %q that %s may read", runID, f.caller)
	}
	if err == nil && f.redacted {
		r, err = redacted(cfg, records.key, r)
	}
	return r, errors.Join(err, records.Close(ctx))
}

func redacted(cfg *config.Config, key audit.Key, r *audit.Receipt) (*audit.Receipt, error) {
	find, err := personalData(cfg)
	if err != nil {
		return nil, err
	}
	out, err := r.Redacted(key, audit.Redaction{Arguments: cfg.Audit.Arguments, Find: find})
	if err != nil {
		return nil, usage("%v", err)
	}
	return out, nil
}

func (a *app) exportReceipt(ctx context.Context, f receiptFlags, runID, file string) error {
	r, err := a.readReceipt(ctx, f, runID, audit.ReceiptExported)
	if err != nil {
		return err
	}
	if err := saveReceipt(file, r); err != nil {
		return err
	}
	if a.output == outputJSON {
		return a.writeJSON(map[string]string{"file": file, "run_id": r.RunID, "hash": r.Hash})
	}
	_, err = fmt.Fprintf(a.stdout, "The receipt of run %s is in %s; its hash is %s.\n", r.RunID, file, r.Hash)
	return err
}

// receiptPerm keeps a receipt to whoever exported it.
const receiptPerm = 0o600

func saveReceipt(file string, r *audit.Receipt) error {
	text, err := r.Encode()
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, text, receiptPerm); err != nil {
		return usage("the receipt cannot be written: %v", err)
	}
	return nil
}

// writeReceipt writes a run's receipt, if a file is named.
func writeReceipt(file string, run *pipeline.Run, key audit.Key) error {
	if file == "" {
		return nil
	}
	if run.Receipt == nil {
		return usage("the run has no receipt: it could not be made (see the log)")
	}
	// What redaction took out of the answer does not leave in its receipt.
	r, err := run.Receipt.AsGiven(key)
	if err != nil {
		return err
	}
	return saveReceipt(file, r)
}

package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"querent.dev/querent/core/audit"
	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk/reason"
)

func (a *app) auditCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "audit", Short: "Check the audit log, and make the key that signs it",
		Long: "The audit log (audit.file in the configuration) has a line for every run and for every\n" +
			"change of what may run. Each names the hash of the one before: none can be changed,\n" +
			"dropped or moved without a trace. With a key (audit.key), none can be written anew.",
	}
	cmd.AddCommand(a.auditVerifyCommand(), &cobra.Command{
		Use: "keygen", Short: "Make a key for audit.key",
		Long: "Make a key for audit.key. Keep it in a file that only the server reads, or in a variable:\n" +
			"who has it can sign receipts and write the audit log anew.",
		Example: "  querent audit keygen > audit.key && chmod 600 audit.key",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return a.newAuditKey() },
	})
	return cmd
}

func (a *app) newAuditKey() error {
	text := audit.NewKey()
	if a.output == outputJSON {
		return a.writeJSON(map[string]string{"key": text})
	}
	_, err := fmt.Fprintln(a.stdout, text)
	return err
}

// auditFlags are the flags of audit verify.
type auditFlags struct {
	config     string
	keyFile    string
	expectHead string
}

func (a *app) auditVerifyCommand() *cobra.Command {
	var f auditFlags
	cmd := &cobra.Command{
		Use: "verify [FILE]", Short: "Check that no entry of an audit log was changed, dropped or moved",
		Long: "Check an audit log, with the files that were put away of it (FILE.000000000123). The first\n" +
			"entry that is wrong is named, with why. Entries that are missing at the end are missed\n" +
			"by the head beside the log (FILE.head); who may have put back an older head with the\n" +
			"log is found by --expect-head, a hash that was noted elsewhere: it is the last line of\n" +
			"this command's output.",
		Example: "  querent audit verify audit.jsonl --key-file audit.key",
		Args:    cobra.MaximumNArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.verifyAudit(cmd.Context(), f, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.config, "config", "", "configuration with the log and the key")
	flags.StringVar(&f.keyFile, "key-file", "", "file of the deployment's key; default audit.key of --config")
	flags.StringVar(&f.expectHead, "expect-head", "", "hash that the last entry must have")
	return cmd
}

func (a *app) verifyAudit(ctx context.Context, f auditFlags, args []string) error {
	cfg, err := a.verifyConfig(f.config)
	if err != nil {
		return err
	}
	file := ""
	switch {
	case len(args) == 1:
		file = args[0]
	case cfg.Audit.File != "":
		file = cfg.Path(cfg.Audit.File)
	default:
		return usage("name the audit log: a file, or --config with audit.file")
	}
	key, err := keyOf(cfg, f.keyFile)
	if err != nil {
		return err
	}
	report, err := audit.VerifyLog(ctx, file, key, f.expectHead)
	if err != nil {
		return usage("the audit log cannot be read: %v", err)
	}
	return a.tellAudit(report)
}

func (a *app) tellAudit(report audit.LogReport) error {
	var err error
	if a.output == outputJSON {
		err = a.writeJSON(report)
	} else if err = writeChecks(a.stdout, report.Checks); err == nil && report.First == nil {
		_, err = fmt.Fprintf(a.stdout, "head %s\n", report.Last)
	}
	if err == nil && report.First != nil {
		return exitCode(reason.ExitInternal)
	}
	return err
}

// unrecorded is cfg without the places where runs are recorded, for commands that
// answer nothing.
func unrecorded(cfg *config.Config) *config.Config {
	own := *cfg
	own.Store, own.Audit = config.Store{}, config.Audit{}
	return &own
}

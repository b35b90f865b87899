package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/core/audit"
	"querent.dev/querent/core/config"
)

// note writes an entry to the audit log, if there is one. Where recording is
// required, what cannot be noted must not be done.
func (r *records) note(ctx context.Context, e audit.Entry) error {
	if r.log == nil {
		return nil
	}
	if err := r.log.Append(ctx, e); err != nil {
		return r.unless(err)
	}
	return nil
}

// noteConfig notes that a configuration acts from now on, and which plugins run under
// it that no lock file checks.
func (r *records) noteConfig(ctx context.Context, kind audit.Kind, cfg *config.Config) error {
	shown, err := cfg.Show()
	if err != nil {
		return err
	}
	if err := r.note(ctx, audit.Entry{Kind: kind, Detail: map[string]string{"sha256": sumOf(shown)}}); err != nil {
		return err
	}
	return r.noteOverrides(ctx)
}

// noteOverrides notes which plugins run that no lock file checks.
func (r *records) noteOverrides(ctx context.Context) error {
	for _, warning := range overrideWarnings(r.cfg) {
		if err := r.note(ctx, audit.Entry{Kind: audit.PluginOverride, Detail: map[string]string{"what": warning}}); err != nil {
			return err
		}
	}
	return nil
}

// noteChange notes a change that a command makes, in the audit log of cfg.
func noteChange(ctx context.Context, cfg *config.Config, logger hclog.Logger, e audit.Entry) error {
	if cfg.Audit.File == "" {
		return nil
	}
	key, err := auditKey(cfg)
	if err != nil {
		return err
	}
	r := &records{cfg: cfg, key: key, logger: logger.Named("audit")}
	if r.log, err = openLog(ctx, cfg, key); err != nil {
		return r.unless(fmt.Errorf("audit.file: %w", err))
	}
	return errors.Join(r.note(ctx, e), r.Close(ctx))
}

// noteFile notes that a file was written which says what may run.
func (a *app) noteFile(ctx context.Context, cfg *config.Config, kind audit.Kind, file string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("note the change of %s: %w", file, err)
	}
	return noteChange(ctx, cfg, a.logger(), audit.Entry{Kind: kind, Detail: map[string]string{"file": file, "sha256": sumOf(content)}})
}

package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/core/audit"
	"querent.dev/querent/core/config"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/server"
	"querent.dev/querent/core/store"
	"querent.dev/querent/plugins/template/pack"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// records is where runs and changes are recorded: any part of it may be missing.
type records struct {
	cfg    *config.Config
	key    audit.Key
	store  *store.Store
	log    *audit.Log
	logger hclog.Logger
}

// openRecords opens the store and the audit log that cfg names. One that cannot be
// opened is an error where recording is required, and a warning where it is not.
func openRecords(ctx context.Context, cfg *config.Config, logger hclog.Logger) (*records, error) {
	r := &records{cfg: cfg, logger: logger.Named("audit")}
	err := r.open(ctx)
	if err != nil {
		return nil, errors.Join(err, r.Close(ctx))
	}
	return r, nil
}

func (r *records) open(ctx context.Context) error {
	var err error
	if r.key, err = auditKey(r.cfg); err != nil {
		return err
	}
	if err := r.openStore(ctx); err != nil {
		if err := r.unless(fmt.Errorf("store.dsn: %w", err)); err != nil {
			return err
		}
	}
	if r.log, err = openLog(ctx, r.cfg, r.key); err != nil {
		return r.unless(fmt.Errorf("audit.file: %w", err))
	}
	return nil
}

// auditKey is the deployment's key.
func auditKey(cfg *config.Config) (audit.Key, error) {
	text, err := cfg.AuditKey()
	if err != nil {
		return audit.Key{}, err
	}
	key, err := audit.ParseKey(text)
	if err != nil {
		return audit.Key{}, usage("audit.key: %v", err)
	}
	return key, nil
}

func (r *records) openStore(ctx context.Context) error {
	file, err := r.cfg.StoreFile()
	if err != nil || file == "" {
		return err
	}
	r.store, err = store.Open(ctx, store.Options{File: file, Retention: r.cfg.Store.Retention.Std(), Logger: r.logger})
	return err
}

// openLog opens the audit log, nil where there is none.
func openLog(ctx context.Context, cfg *config.Config, key audit.Key) (*audit.Log, error) {
	if cfg.Audit.File == "" {
		return nil, nil
	}
	return audit.OpenLog(ctx, audit.LogOptions{File: cfg.Path(cfg.Audit.File), Key: key, MaxSize: int64(cfg.Audit.MaxSize)})
}

// unless is err where recording is required; else it is told to the operator alone.
func (r *records) unless(err error) error {
	if r.cfg.Recorded() {
		return usage("nothing may be answered that is not recorded: %v", err)
	}
	r.logger.Warn("runs are answered and not recorded", "error", err)
	return nil
}

// Close closes what is open.
func (r *records) Close(context.Context) error {
	var errs []error
	if r.store != nil {
		errs = append(errs, r.store.Close())
	}
	if r.log != nil {
		errs = append(errs, r.log.Close())
	}
	return errors.Join(errs...)
}

// recorder is what the engine hands receipts to.
func (r *records) recorder() (*audit.Recorder, error) {
	packs, err := packsInUse(r.cfg)
	if err != nil {
		return nil, err
	}
	out := &audit.Recorder{Host: sdk.Version, Key: r.key, Log: r.log, Must: r.cfg.Recorded(), Packs: func() []audit.Pack { return packs }}
	if r.store != nil {
		out.Store = r.store
	}
	return out, nil
}

// packsInUse are the template packs of the configuration's template providers and
// those of the program itself.
func packsInUse(cfg *config.Config) ([]audit.Pack, error) {
	list, err := pack.Builtin()
	if err != nil {
		return nil, err
	}
	sets, err := templateSets(cfg)
	if err != nil {
		return nil, err
	}
	for _, set := range sets {
		for _, f := range set.files {
			if f.patterns {
				continue
			}
			// One that does not parse is no pack in use: its plugin does not start.
			if p, err := pack.Parse(f.name, f.content); err == nil {
				list = append(list, p)
			}
		}
	}
	var out []audit.Pack
	for _, p := range list {
		out = append(out, audit.Pack{ID: p.ID, SHA256: p.Sum})
	}
	return out, nil
}

// Receipt is what a caller may see of the receipt of a run: all of it for who has an
// audit role, all but the policy for who asked. For others there is none: the error
// is audit.ErrNotFound, wrapped. That it was read, or refused, is noted.
func (r *records) Receipt(ctx context.Context, runID string, caller policy.Caller) (*audit.Receipt, error) {
	return r.receipt(ctx, runID, caller, audit.ReceiptRead)
}

func (r *records) receipt(ctx context.Context, runID string, caller policy.Caller, as audit.Kind) (*audit.Receipt, error) {
	if r.store == nil {
		return nil, audit.ErrNotFound
	}
	whole, err := r.store.Receipt(ctx, runID)
	if err != nil && !errors.Is(err, audit.ErrNotFound) {
		return nil, err
	}
	auditor := r.cfg.Audits(caller.Roles)
	if whole == nil || !auditor && !(caller.Known() && caller.Same(whole.Caller.Policy())) {
		return nil, r.refused(ctx, runID, caller)
	}
	if err := r.note(ctx, audit.Entry{Kind: as, RunID: whole.RunID, Caller: caller.Name, By: caller.Kind, Receipt: whole.Hash}); err != nil {
		return nil, err
	}
	if auditor {
		return whole, nil
	}
	return whole.ForAsker(r.key)
}

// notedID bounds how much of what was asked for is noted: ids of runs have half of it.
const notedID = 64

// refused notes that a receipt was not given. Neither the entry nor the time that it
// takes tells whether there is one.
func (r *records) refused(ctx context.Context, runID string, caller policy.Caller) error {
	noted := runID[:min(len(runID), notedID)]
	if err := r.note(ctx, audit.Entry{Kind: audit.ReceiptRefused, RunID: noted, Caller: caller.Name, By: caller.Kind}); err != nil {
		return err
	}
	return fmt.Errorf("run %q: %w", runID, audit.ErrNotFound)
}

// checks look whether what runs are recorded in can be written, where nothing is
// answered without it.
func (r *records) checks() []server.Check {
	var out []server.Check
	if !r.cfg.Recorded() {
		return nil
	}
	if r.store != nil {
		out = append(out, server.Check{Name: "store", Run: func(ctx context.Context) error { return unwritable("store of receipts", r.store.Check(ctx)) }})
	}
	if r.log != nil {
		out = append(out, server.Check{Name: "audit log", Run: func(ctx context.Context) error { return unwritable("audit log", r.log.Check(ctx)) }})
	}
	return out
}

func unwritable(what string, err error) error {
	if err == nil {
		return nil
	}
	return reason.New(reason.Internal, reason.ReasonInternal, "the %s cannot be written: %w", what, err)
}

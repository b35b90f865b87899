package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"querent.dev/querent/core/audit"
	"querent.dev/querent/core/store"
	"querent.dev/querent/sdk/reason"
)

// records looks whether runs can be recorded where the configuration says.
func (d *doctor) records(ctx context.Context) {
	if d.cfg.Store.Kept() {
		d.check(ctx, "store", datasourceCheckTime, d.store)
	}
	if d.cfg.Audit.File != "" {
		d.check(ctx, "audit log", datasourceCheckTime, d.auditLog)
	}
}

func (d *doctor) store(ctx context.Context) finding {
	file, err := d.cfg.StoreFile()
	if err != nil {
		return failed(reason.ExitUsage, err)
	}
	if f := d.folder("store.dsn", file); f.status != checkOK {
		return f
	}
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return fine("%s will be made with the first run", file)
	}
	n, err := store.Count(ctx, file)
	if err != nil {
		f := failed(reason.ExitUsage, fmt.Errorf("store.dsn: %s is no store of receipts: %w", file, err))
		f.advice = "Name another file in store.dsn, or move this one away."
		return f
	}
	return fine("%d receipts in %s", n, file)
}

func (d *doctor) auditLog(ctx context.Context) finding {
	key, err := auditKey(d.cfg)
	if err != nil {
		return failed(reason.ExitUsage, err)
	}
	file := d.cfg.Path(d.cfg.Audit.File)
	if f := d.folder("audit.file", file); f.status != checkOK {
		return f
	}
	n, err := audit.LookAtLog(ctx, audit.LogOptions{File: file, Key: key})
	if errors.Is(err, fs.ErrNotExist) {
		return fine("%s will be made with the first run", file)
	}
	if err != nil {
		f := failed(reason.ExitUsage, fmt.Errorf("audit.file: %w", err))
		f.advice = "See what querent audit verify says, keep the log, and move it away to begin another."
		return f
	}
	f := fine("%d entries in %s, which ends as its head says", n, file)
	if !key.Known() {
		return f.but("Set audit.key, or whoever can write to the log can write it anew: querent audit keygen makes one.")
	}
	return f
}

// probeSize is as much as an entry of the log takes.
const probeSize = 1 << 10

// folder looks whether files can be written beside file.
func (d *doctor) folder(setting, file string) finding {
	f, err := os.CreateTemp(filepath.Dir(file), ".querent-doctor-*")
	if err == nil {
		_, err = f.Write(make([]byte, probeSize))
		err = errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name()))
	}
	if err == nil {
		return fine("%s can be written", filepath.Dir(file))
	}
	out := failed(reason.ExitUsage, fmt.Errorf("%s: nothing can be written beside %s: %w", setting, file, err))
	out.advice = "Make the folder, make room, or let the account that runs querent write there."
	return out
}

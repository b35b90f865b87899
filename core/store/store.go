// Package store keeps the receipts of runs in a SQLite file: one writer, readers
// beside it, and an age at which they go.
package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"querent.dev/querent/core/audit"
)

// Options say where receipts are kept, and for how long.
type Options struct {
	File      string
	Retention time.Duration    // 0: for ever
	Clock     func() time.Time // nil: the system's
	Logger    hclog.Logger     // nil: none
}

// Store keeps receipts. It is safe for concurrent use, also by several processes.
type Store struct {
	opts     Options
	db       *sql.DB
	file     fs.FileInfo // of the file that is open
	stop     context.CancelFunc
	sweeping sync.WaitGroup
}

var _ audit.Store = (*Store)(nil)

//go:embed migrations/*.sql
var migrations embed.FS

const (
	// busyMS is how long a writer waits for another process's, in milliseconds:
	// each takes a few.
	busyMS = 5000
	// sweepEvery is often enough that nothing stays much longer than its time.
	sweepEvery = time.Hour
	// filePerm keeps receipts to those who run the program.
	filePerm = 0o600
)

// Open opens the store, which is made if it is not there, brings its tables up to
// date, and takes out what has had its time, now and every hour.
func Open(ctx context.Context, o Options) (*Store, error) {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Logger == nil {
		o.Logger = hclog.NewNullLogger()
	}
	s := &Store{opts: o, stop: func() {}}
	err := s.open(ctx)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the store %s: %w", o.File, err), s.Close())
	}
	return s, nil
}

// Count is how many receipts the store in a file holds. It changes nothing.
func Count(ctx context.Context, file string) (n int64, err error) {
	absolute, err := filepath.Abs(file)
	if err != nil {
		return 0, err
	}
	query := url.Values{"mode": {"ro"}, "_pragma": {fmt.Sprintf("busy_timeout(%d)", busyMS)}}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(absolute), RawQuery: query.Encode()}
	db, err := sql.Open("sqlite", address.String())
	if err != nil {
		return 0, err
	}
	err = db.QueryRowContext(ctx, "SELECT count(*) FROM receipts").Scan(&n)
	return n, errors.Join(err, db.Close())
}

func (s *Store) open(ctx context.Context) error {
	f, err := os.OpenFile(s.opts.File, os.O_RDWR|os.O_CREATE, filePerm)
	if err != nil {
		return err
	}
	s.file, err = f.Stat()
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	absolute, err := filepath.Abs(s.opts.File)
	if err != nil {
		return err
	}
	// A receipt is on the disk when it was written: synchronous=FULL.
	query := url.Values{"_pragma": {fmt.Sprintf("busy_timeout(%d)", busyMS), "journal_mode(WAL)", "synchronous(FULL)"}, "_txlock": {"immediate"}}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(absolute), RawQuery: query.Encode()}
	if s.db, err = sql.Open("sqlite", address.String()); err != nil {
		return err
	}
	s.db.SetMaxOpenConns(1) // one writer; what is read is small
	if err := s.migrate(ctx); err != nil {
		return err
	}
	if s.opts.Retention <= 0 {
		return nil
	}
	if err := s.Sweep(ctx); err != nil {
		return err
	}
	return s.sweepOn(ctx)
}

// Check reports whether receipts can be written now: it writes a page, so that a full
// disk is noticed.
func (s *Store) Check(ctx context.Context) error {
	if err := s.same(); err != nil {
		return err
	}
	if _, err := s.db.ExecContext(ctx, "PRAGMA user_version = 1"); err != nil {
		return fmt.Errorf("write to the store: %w", err)
	}
	return nil
}

// same reports whether the file is still there: what is written to one that was
// removed or replaced is lost with the process.
func (s *Store) same() error {
	there, err := os.Stat(s.opts.File)
	if err != nil {
		return fmt.Errorf("the store is gone: %w", err)
	}
	if !os.SameFile(there, s.file) {
		return errors.New("another file took the place of the store while it was open: restart to use it")
	}
	return nil
}

func (s *Store) migrate(ctx context.Context) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, s.db, files)
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("bring the tables up to date: %w", err)
	}
	return nil
}

// Close ends the sweeping and closes the file.
func (s *Store) Close() error {
	s.stop()
	s.sweeping.Wait()
	if s.db == nil {
		return nil
	}
	return s.db.Close()
}

// sweepOn sweeps until Close.
func (s *Store) sweepOn(ctx context.Context) error {
	ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	s.sweeping.Go(func() {
		every := time.NewTicker(sweepEvery)
		defer every.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-every.C:
				if err := s.Sweep(ctx); err != nil && ctx.Err() == nil {
					s.opts.Logger.Warn("receipts that have had their time could not be taken out", "error", err)
				}
			}
		}
	})
	return nil
}

// Sweep takes out receipts that are older than the retention.
func (s *Store) Sweep(ctx context.Context) error {
	oldest := s.opts.Clock().Add(-s.opts.Retention).UnixMicro()
	if _, err := s.db.ExecContext(ctx, "DELETE FROM receipts WHERE time < ?", oldest); err != nil {
		return fmt.Errorf("take out old receipts: %w", err)
	}
	return nil
}

package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"sync"

	"querent.dev/querent/core/audit"
)

// Keep implements audit.Store.
func (s *Store) Keep(ctx context.Context, r *audit.Receipt) error {
	text, err := r.Encode()
	if err != nil {
		return err
	}
	if len(text) > audit.MaxReceipt {
		return fmt.Errorf("the receipt of run %s has %d bytes, more than the %d that can be read again: lower settings.results.preview_rows", r.RunID, len(text), audit.MaxReceipt)
	}
	packed, err := pack(text)
	if err != nil {
		return err
	}
	if err := s.same(); err != nil {
		return err
	}
	_, err = s.db.ExecContext(ctx, "INSERT INTO receipts (run_id, time, caller, outcome, hash, receipt) VALUES (?, ?, ?, ?, ?, ?)",
		r.RunID, r.Time.UnixMicro(), r.Caller.Name, string(r.Answer.Outcome), r.Hash, packed)
	if err != nil {
		return fmt.Errorf("keep the receipt of run %s: %w", r.RunID, err)
	}
	return nil
}

// Drop implements audit.Store.
func (s *Store) Drop(ctx context.Context, runID string) error {
	if _, err := s.db.ExecContext(ctx, "DELETE FROM receipts WHERE run_id = ?", runID); err != nil {
		return fmt.Errorf("take out the receipt of run %s: %w", runID, err)
	}
	return nil
}

// Receipt is the whole receipt of a run. The error is audit.ErrNotFound, wrapped,
// where there is none.
func (s *Store) Receipt(ctx context.Context, runID string) (*audit.Receipt, error) {
	var packed []byte
	err := s.db.QueryRowContext(ctx, "SELECT receipt FROM receipts WHERE run_id = ?", runID).Scan(&packed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("run %q: %w", runID, audit.ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("read the receipt of run %q: %w", runID, err)
	}
	text, err := unpack(packed)
	if err != nil {
		return nil, fmt.Errorf("read the receipt of run %q: %w", runID, err)
	}
	r, err := audit.Decode(text)
	if err != nil {
		return nil, fmt.Errorf("the receipt of run %q was changed in the store: %w", runID, err)
	}
	return r, nil
}

// packers are reused: each takes 800 KB.
var packers = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

func pack(text []byte) ([]byte, error) {
	var b bytes.Buffer
	w := packers.Get().(*gzip.Writer)
	defer packers.Put(w)
	w.Reset(&b)
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// unpack unfolds a receipt as far as audit.Decode reads it, and a byte more, which
// tells that there is more.
func unpack(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(r, audit.MaxReceipt+1))
	return text, errors.Join(err, r.Close())
}
